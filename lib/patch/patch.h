/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking the hook calls of functions that are off out of the program's code, and putting them back.
 *
 * A site is a call of a hook, known by its return address, or the jumps to the exit hook of one
 * function. Compilers may let one call serve several functions that are inlined side by side, so a
 * site is changed only after MEASURE_PATCH_CALLS calls that were all of one function. */
#ifndef MEASURE_PATCH_PATCH_H
#define MEASURE_PATCH_PATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define MEASURE_PATCH_CALLS 100

/* What is needed of the rest. May any thread have a recorded call of the function open? Then its
 * exits are still to be seen. `taken_out`: one more call has been. */
struct measure_patch_host {
	bool (*may_be_open)(const void *function);
	void (*taken_out)(void);
};

/* Before the gate opens; not at all where code is to be left alone. In a forked child that begins
 * to record, too: puts everything back. */
void measure_patch_start(const struct measure_patch_host *host);

extern _Atomic bool measure_patch_is_on;

/* A hook call of a function that is off; its return address is NULL where the exit hook was jumped
 * to. */
void measure_patch_seen(const void *function, const void *return_address, bool is_exit);

#endif
