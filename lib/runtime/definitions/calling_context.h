/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks that samples name. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_CALLING_CONTEXT_H
#define MEASURE_RUNTIME_DEFINITIONS_CALLING_CONTEXT_H

/* A module is not loaded any more: its addresses may come to mean something else. Under the
 * definition lock. */
void measure_contexts_forget(void);

#endif
