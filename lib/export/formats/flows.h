/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The messages that are drawn as arrows. Dense graphs of arrows stall viewers, so there are not too
 * many of them, and not too many at one place. */
#ifndef MEASURE_EXPORT_FORMATS_FLOWS_H
#define MEASURE_EXPORT_FORMATS_FLOWS_H

#include "export/conversion/conversion.h"

/* An end of a message that is drawn. */
struct flow_end {
	uint64_t ns;
	uint32_t location, other; /* location of the other end */
	uint32_t flow;            /* number of the message, from 1 */
	uint32_t tag;
	uint64_t bytes, waiting_ns;
	bool is_receive;
};

struct flow_ends {
	struct flow_end *ends; /* those of a location together, in order of time */
	size_t nr;
	uint64_t nr_messages; /* that there are */
	uint64_t nr_drawn;
};

/* As many as conversion->options->nr_flows: the longest waits first, then the most bytes. How many
 * are left out is said, with `format`. */
measure_status_t flows_find(
	struct measure_conversion *conversion, const char *format, struct flow_ends *flows);
void flows_free(struct flow_ends *flows);

#endif
