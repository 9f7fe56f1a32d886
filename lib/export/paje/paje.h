/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A Paje file that is being written: what its parts share. */
#ifndef MEASURE_EXPORT_PAJE_PAJE_H
#define MEASURE_EXPORT_PAJE_PAJE_H

#include "export/conversion/archive_markers.h"
#include "export/conversion/sorted_messages.h"
#include "paje_output.h"

struct paje_file {
	struct measure_conversion *conversion;
	FILE *out;
	uint8_t *classes; /* by region */
	/* containers that have been created: the process and the host of each are, too */
	bool *has_process, *has_host; /* behind the last one: that without a definition */
	uint64_t last_ns;             /* of what was written */
};

/* Types, values of states, and containers; ... */
void paje_begin(struct paje_file *file);
/* ... and their ends. */
void paje_end(struct paje_file *file);

/* -------------------------------------------------------------------------- marks --- */

/* What lies beside calls, in the order of time: ends of messages, and markers. */
struct paje_marks {
	struct sorted_messages messages;
	uint32_t *by_receive;
	struct archive_markers markers;
	size_t next_send, next_receive, next_marker;
};

measure_status_t paje_marks_find(struct paje_marks *marks, struct measure_conversion *conversion);
void paje_marks_free(struct paje_marks *marks);

/* Those up to a time. */
void paje_marks_write(struct paje_marks *marks, struct paje_file *file, uint64_t ns);

#endif
