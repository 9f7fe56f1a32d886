/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A trace as measure-sync --compensate would write it, for tools that show one: a copy in a
 * directory of its own, which is gone afterwards. A process makes room for it, its child makes and
 * reads it: measure_cli_read_in_child_and_clear(). */
#ifndef MEASURE_BIN_COMMON_COMPENSATED_COPY_H
#define MEASURE_BIN_COMMON_COMPENSATED_COPY_H

#include <stdbool.h>

#include "sync/run/sync_run.h"
#include "sync/run/sync_target.h"

struct compensated_copy {
	const char *input;
	struct sync_target target; /* room for it */
	char *archive;             /* what to read; NULL: nothing has been made */
	bool is_input;             /* which was compensated before */
	char *words;               /* lines about what was removed, and how far to believe it */
};

/* In TMPDIR, or beside the input where that is not set. Also what killed processes have left of
 * this input is removed there. False: it was said why not. */
bool compensated_copy_start(struct compensated_copy *copy, const char *input);

/* Collective. Makes it by the usual method; the first process has the room. False: it cannot, which
 * that one has said. */
bool compensated_copy_make(struct compensated_copy *copy, const struct measure_sync_job *job,
	unsigned nr_threads, uint64_t memory);

/* Of what compensated_copy_make() has made, where it was called. */
void compensated_copy_free(struct compensated_copy *copy);

/* Removes the directory. */
void compensated_copy_end(struct compensated_copy *copy);

#endif
