/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much event memory a process may take when the user does not say. */
#ifndef MEASURE_LAUNCH_OPTIONS_DEFAULT_BUFFER_H
#define MEASURE_LAUNCH_OPTIONS_DEFAULT_BUFFER_H

#include <stdint.h>

/* 5 % of what this machine, control group or address space has, shared by the job's processes on
 * it; at least 4M, at most 256M. */
uint64_t measure_buffer_default(uint64_t local_size);

#endif
