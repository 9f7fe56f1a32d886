/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Journal records in memory: one struct and an encode/decode pair per row of journal_records.def
 * and topology_records.def.
 * No OTF2, no I/O: journal.h puts encoded records somewhere. */
#ifndef MEASURE_FORMAT_JOURNAL_RECORDS_H
#define MEASURE_FORMAT_JOURNAL_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "journal_codec.h"

/* Of the program, as ProgramBegin names them. Of more, the last one is "...". */
#define MEASURE_MOST_ARGUMENTS 32

enum measure_record_kind {
#define RECORD(name, KIND, number, fields) MEASURE_RECORD_##KIND = number,
#include "journal_records.def"
#include "topology_records.def"
#undef RECORD
};

/* How a process ended; struct measure_def_end. */
enum measure_end {
	MEASURE_END_UNKNOWN = 0,   /* nobody was left to see it */
	MEASURE_END_EXITED = 1,    /* status: exit status */
	MEASURE_END_SIGNALLED = 2, /* status: signal number */
	MEASURE_END_RUNNING = 3,   /* it had not ended: a snapshot */
	MEASURE_END_REPLACED = 4,  /* by another program in the same process: exec() */
	MEASURE_END_DETACHED = 5   /* it goes on, and is not recorded any more */
};

/* Which events a part keeps; struct measure_def_keeper. */
enum measure_kept {
	MEASURE_KEPT_ALL = 0,
	MEASURE_KEPT_NONE = 1, /* those that have been folded into a profile are dropped */
	MEASURE_KEPT_LAST = 2  /* the same of those that are too old or too many */
};

/* What was wrong with calls of a region that the program itself marks; struct
 * measure_def_unbalanced. */
enum measure_unbalanced {
	MEASURE_NOT_LEFT = 0,    /* left when what it lies in was */
	MEASURE_NOT_ENTERED = 1, /* its Leave was dropped */
	MEASURE_LEFT_AT_END = 2  /* of the process, or of the thread */
};

/* What a place of a node is; struct measure_def_place. */
enum measure_level {
#define LEVEL(NAME, class, domain) MEASURE_LEVEL_##NAME,
#include "topology_levels.def"
#undef LEVEL
	MEASURE_NR_LEVELS
};

/* Processors have smaller numbers. */
#define MEASURE_MOST_PROCESSORS 8192

/* Numbers, or runs of numbers: a communicator of a hundred thousand ranks is few of these. */
struct measure_u32s {
	uint32_t nr;
	const uint32_t *items;
	uint32_t nr_runs; /* then items are so many times four: first number, step, how many,
			     nothing */
};

/* One after the other. All zero but for `of` before the first. */
struct measure_u32s_cursor {
	const struct measure_u32s *of;
	uint32_t index, run, in_run;
};

static inline uint32_t measure_u32s_take(struct measure_u32s_cursor *cursor)
{
	const uint32_t *run = cursor->of->items + 4 * (size_t)cursor->run;

	if (cursor->of->nr_runs == 0)
		return cursor->of->items[cursor->index++];
	const uint32_t taken = run[0] + run[1] * cursor->in_run;
	if (++cursor->in_run == run[2]) {
		cursor->in_run = 0;
		cursor->run++;
	}
	return taken;
}

#define U32(field)  uint32_t field;
#define U64(field)  uint64_t field;
#define I64(field)  int64_t field;
#define F64(field)  double field;
#define STR(field)  const char *field;
#define U32S(field) struct measure_u32s field;
#define RANKS(field) struct measure_u32s field;
#define RECORD(name, KIND, number, fields)                                                         \
	struct measure_def_##name {                                                                \
		fields                                                                             \
	};
#include "journal_records.def"
#include "topology_records.def"
#undef RECORD
#undef U32
#undef U64
#undef I64
#undef F64
#undef STR
#undef U32S
#undef RANKS

/* Frame: encodes one record with its journal frame into `data` and returns the frame's
 * length; where that is more than `capacity`, nothing usable was written. A NULL string counts
 * as "".
 * Decode: strings and arrays point into the decoder's buffer; a record shorter than expected
 * (an older library) decodes with zeros and empty strings in the missing fields. */
#define RECORD(name, KIND, number, fields)                                                         \
	size_t measure_def_##name##_frame(const struct measure_def_##name *def, uint8_t *data,     \
		size_t capacity);                                                                  \
	measure_status_t measure_def_##name##_decode(struct measure_decoder *decoder,              \
		struct measure_def_##name *def);
#include "journal_records.def"
#include "topology_records.def"
#undef RECORD

#endif
