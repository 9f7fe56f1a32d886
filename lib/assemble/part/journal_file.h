/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Journals as files: the part's `journal` (from the process) and `keeper` (from the keeper). */
#ifndef MEASURE_ASSEMBLE_PART_JOURNAL_FILE_H
#define MEASURE_ASSEMBLE_PART_JOURNAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "format/run_layout.h"
#include "format/journal.h"
#include "status.h"

/* Visits a decoded record's kind and payload; any status but MEASURE_OK ends the visit. */
typedef measure_status_t (*measure_journal_record_fn)(void *context, uint32_t kind,
	struct measure_decoder *payload);

/* Visits all records in `data`; *end is where the whole ones end, less than `size` where the
 * journal is cut or damaged. Returns what `visit` returned last. */
measure_status_t measure_journal_visit(const uint8_t *data, size_t size,
	measure_journal_record_fn visit, void *context, size_t *end);

/* Appends encoded frames behind the last whole record; what is torn there is cut off. */
measure_status_t measure_journal_append(int directory_fd, const char *name, const uint8_t *frames,
	size_t size);

/* Records that are appended together. Begin with all zero. */
struct measure_frames {
	MEASURE_ARRAY(uint8_t) bytes;
	measure_status_t status; /* of all that were added so far */
};

/* Adds struct measure_def_<name> *def. What does not succeed shows when they are appended. */
#define MEASURE_FRAMES_ADD(frames, name, def)                                                      \
	do {                                                                                       \
		size_t size_ = measure_def_##name##_frame(def, NULL, 0);                           \
		uint8_t *place_ = measure_frames_place(frames, size_);                             \
		if (place_)                                                                        \
			measure_def_##name##_frame(def, place_, size_);                            \
	} while (0)

/* For the macro: room for a record of so many bytes behind the others, which is one of them from
 * now on; NULL without memory. */
uint8_t *measure_frames_place(struct measure_frames *frames, size_t size);

/* Appends them as measure_journal_append() does, and frees them. No records: does nothing. */
measure_status_t measure_frames_append(
	struct measure_frames *frames, int directory_fd, const char *name);

#endif
