/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Beginning and end of tasks by functions that StarPU documents: hooks of scheduling policies. */
#ifndef MEASURE_STARPU_HOOKS_H
#define MEASURE_STARPU_HOOKS_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Puts ours before those of the policy of a context, unless they are there. A context that does not
 * exist stands for that of the calling thread, or the first one. False: it has no policy, so that
 * nothing will be told of its tasks. */
bool measure_starpu_hooks_set(unsigned context);

#pragma GCC visibility pop

#endif
