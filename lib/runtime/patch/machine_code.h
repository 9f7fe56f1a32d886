/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading and changing the machine code of this process. */
#ifndef MEASURE_RUNTIME_PATCH_MACHINE_CODE_H
#define MEASURE_RUNTIME_PATCH_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instruction.h"

/* For some calls of the functions below, one thread at a time. Changes errno. False: it is not
 * allowed. */
bool measure_machine_open(void);
void measure_machine_close(void);

/* Never faults, whatever the address is. */
bool measure_machine_read(uint64_t address, void *bytes, size_t size);

/* Where the bytes are what they were before, writes the others, or the other way round. */
bool measure_machine_change(const struct measure_change *change);
bool measure_machine_restore(const struct measure_change *change);

/* Bytes of the function that begins exactly there, up to where the next one does; 0: unknown. */
size_t measure_machine_function_size(uint64_t function);

/* For the machine that this is built for; NULL: no changes. */
extern const measure_call_fn measure_machine_call;
extern const measure_jump_fn measure_machine_jump;

#endif
