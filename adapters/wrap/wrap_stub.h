/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the trampoline of stubs, which is written in assembler, and C know of each other. A stub
 * stands for a function whose arguments are not known or vary. */
#ifndef MEASURE_WRAP_STUB_H
#define MEASURE_WRAP_STUB_H

/* In struct measure_wrap_function. */
#define MEASURE_WRAP_OFFSET_REAL  0
#define MEASURE_WRAP_OFFSET_ENTER 64
#define MEASURE_WRAP_OFFSET_LEAVE 72

/* Arguments on the stack that are passed on, in words of 8 bytes. */
#define MEASURE_WRAP_STACK_WORDS 64

/* Upper half of what measure_wrap_stub_before() returns: an Enter has been recorded; or `enter` of
 * the function records it. The lower half is the number of words to copy. */
#define MEASURE_WRAP_RECORDED 1
#define MEASURE_WRAP_ASKS     2

#ifndef __ASSEMBLER__
#include <stdint.h>

#include "wrap.h"

#define MEASURE_WRAP_IS_ON_ROW(function)                                                           \
	(__atomic_load_n(&(function)->is_on, __ATOMIC_ACQUIRE) != 0)

/* Before the call: `arguments` is where the caller has put those on the stack, and *real what is to
 * be called. After it: the Leave of an Enter by ..._before(). */
uint64_t measure_wrap_stub_before(struct measure_wrap_function *function, const char *arguments,
	const void *caller, void **real);
void measure_wrap_stub_after(struct measure_wrap_function *function);

/* What is saved of each vector register: 0 16 bytes, 1 32, 2 64. */
extern uint32_t measure_wrap_vectors;
#endif
#endif
