/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions with hook calls, for patch_live.c to call. */
#ifndef MEASURE_TESTS_PATCHED_H
#define MEASURE_TESTS_PATCHED_H

#include "runtime/patch/patch.h"

#define ENOUGH (2 * (MEASURE_PATCH_CALLS + MEASURE_PATCH_WATCHED))

/* Each function has this many bytes to itself. */
#define PATCHED_BYTES 64

/* Its exit hook is jumped to, with optimisation. */
void leaf(void);

/* Has something to do after its exit hook: that is called. */
int sum(int n);

int recurse(int n);

/* Switches itself off, and calls itself ENOUGH times where `n` is positive. */
int open_and_off(int n);

int watched(int n);

/* The caller's, without hook calls. */
void t_switch_off(const void *function);

#endif
