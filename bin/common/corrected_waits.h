/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits of an archive, with its clocks corrected in memory where they disagree. */
#ifndef MEASURE_BIN_COMMON_CORRECTED_WAITS_H
#define MEASURE_BIN_COMMON_CORRECTED_WAITS_H

#include "analysis/waits/waits.h"
#include "sync/run/sync_times.h"

struct corrected_waits {
	struct measure_waits waits;
	struct sync_times times; /* of the trace, from the second reading on */
	char *failure;           /* why there was none, or NULL */
};

/* As measure_waits_read(). `is_wanted`: where messages arrive before they are sent, once more with
 * corrected times. To be freed in any case, but not before the trace has been read by all. */
measure_status_t corrected_waits_read(struct corrected_waits *corrected,
	struct measure_trace *trace, bool is_wanted, const struct measure_waits_options *options);
void corrected_waits_free(struct corrected_waits *corrected);

/* Collective. What corrects the times of the trace; false: it cannot be corrected, which has been
 * said, and why is in *failure, to be freed by measure_free(). */
bool corrected_times_find(struct sync_times *times, const struct measure_trace *trace,
	const struct measure_waits_options *options, char **failure);

#endif
