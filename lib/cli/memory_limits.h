/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory limits of the machine, control group and process, in bytes; for defaults. */
#ifndef MEASURE_CLI_MEMORY_LIMITS_H
#define MEASURE_CLI_MEMORY_LIMITS_H

#include <stdint.h>

/* What this machine, control group or address space has. */
uint64_t measure_memory_there_is(void);

/* The same, or what nobody uses of the machine's if that is less. */
uint64_t measure_memory_available(void);

/* The limit of the address space, UINT64_MAX: none. */
uint64_t measure_address_space(void);

/* How much event memory a process may take when the user does not say: 5 % of what this machine, control group or address space has, shared by the job's processes on
 * it; at least 4M, at most 256M. */
uint64_t measure_buffer_default(uint64_t local_size);

#endif
