/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers that the program gives to tasks: tags, to say by them which task depends on which, and
 * iterations of its loops. */
#ifndef MEASURE_STARPU_TAGS_H
#define MEASURE_STARPU_TAGS_H

#include <stdint.h>

#include "starpu_tasks.h"

#pragma GCC visibility push(hidden)

/* The task with this tag is about to be created: it takes the number by which others depend on the
 * tag already, and what its tag depends on. */
void measure_starpu_tag_apply(
	struct measure_starpu_thread *thread, starpu_tag_t tag, struct measure_starpu_task *task);

struct measure_starpu_loop {
	uint32_t nr;            /* loops that are open, 2 at most */
	uint64_t iterations[2]; /* from outside */
};

/* Of the scheduling context that the calling thread submits to. */
void measure_starpu_loop_get(struct measure_starpu_loop *loop);

#pragma GCC visibility pop

#endif
