/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What measure-analyze writes for other programs, where it is asked to. */
#ifndef MEASURE_BIN_MEASURE_ANALYZE_EXPORTS_H
#define MEASURE_BIN_MEASURE_ANALYZE_EXPORTS_H

#include "bin/common/corrected_waits.h"
#include "sync/run/sync_target.h"

struct analyze_exports {
	const char *directory; /* of a copy for viewers; NULL: none */
	size_t nr_markers;     /* in it; 0: all */
	struct sync_target target;
	const char *cube; /* file; NULL: none */
};

void exports_start(struct analyze_exports *exports);

/* Before a long time of reading `input`. False: something cannot be written, which has been said:
 * all processes of a job say so where something is there already; else the first one, which alone
 * makes what is to be written. */
bool exports_are_possible(struct analyze_exports *exports, const char *input, bool is_first);

/* False: it was said why not. */
bool exports_write(const struct analyze_exports *exports, const struct corrected_waits *corrected);
void exports_end(struct analyze_exports *exports);

#endif
