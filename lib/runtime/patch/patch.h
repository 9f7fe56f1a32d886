/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking the hook calls of functions that are off out of the program's code, and putting them back.
 *
 * A site is a call of a hook, known by its return address, or the jumps to the exit hook of one
 * function. Compilers may let one call serve several functions that are inlined side by side, of
 * which some are recorded. So after MEASURE_PATCH_CALLS calls a site is watched for as many calls
 * as MEASURE_PATCH_WATCHED says, meanwhile the gate tells all hooks to say where they are called
 * from; a site is changed only if all these calls were of one function. */
#ifndef MEASURE_RUNTIME_PATCH_PATCH_H
#define MEASURE_RUNTIME_PATCH_PATCH_H

#include <stdatomic.h>
#include <stdbool.h>

#define MEASURE_PATCH_CALLS   50
#define MEASURE_PATCH_WATCHED 250

/* What is needed of the rest. May any thread have a recorded call of the function open? Then its
 * exits are still to be seen. `taken_out`: one more call has been. */
struct measure_patch_host {
	bool (*may_be_open)(const void *function);
	void (*taken_out)(void);
};

/* Before the gate opens; not at all where code is to be left alone. */
void measure_patch_start(const struct measure_patch_host *host);

/* The same in a forked child, whose only thread calls it. What has been taken out stays so; sites
 * that were being watched have to be watched anew: the child's gate did not. */
void measure_patch_restart(void);

extern _Atomic bool measure_patch_is_on;

/* A hook call of a function that is off; its return address is NULL where the exit hook was jumped
 * to. */
void measure_patch_seen(const void *function, const void *return_address, bool is_exit);

/* One of a function that is recorded, while sites are watched. */
void measure_patch_watch(const void *function, const void *return_address);

#endif
