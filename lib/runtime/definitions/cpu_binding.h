/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processors the process may use. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_CPU_BINDING_H
#define MEASURE_RUNTIME_DEFINITIONS_CPU_BINDING_H

/* Says so, as of the calling thread, in a property of the process. One system call. */
void measure_binding_describe(void);

#endif
