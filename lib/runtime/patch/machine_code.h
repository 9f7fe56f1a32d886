/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of a hook in machine code: which instruction they are, and what it becomes when they are
 * taken out. Plain functions over bytes that somebody else reads, for all architectures on any. */
#ifndef MEASURE_RUNTIME_PATCH_MACHINE_CODE_H
#define MEASURE_RUNTIME_PATCH_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Code and data of a process. Read: all of the bytes, or false. */
struct measure_code_text {
	bool (*read)(uint64_t address, void *bytes, size_t size);
	uint64_t hook; /* the function whose calls are sought */
};

/* What is to be written, in one store: an instruction of which so many bytes change. */
struct measure_change {
	uint64_t address;
	uint8_t size; /* 1 or 4, and the address is a multiple of it */
	uint8_t before[4];
	uint8_t after[4];
};

/* True: what is called there and returns to this address is the hook, directly or by way of the
 * linkage table. The change makes it an instruction that does nothing. */
typedef bool (*measure_call_fn)(
	const struct measure_code_text *text, uint64_t return_address, struct measure_change *change);
bool measure_x86_64_call(
	const struct measure_code_text *text, uint64_t return_address, struct measure_change *change);
bool measure_arm64_call(
	const struct measure_code_text *text, uint64_t return_address, struct measure_change *change);

/* True: at this place in `code`, which lies at `address` in the process and has `size` bytes,
 * there is a jump to the hook. The change makes it a return. */
typedef bool (*measure_jump_fn)(const struct measure_code_text *text, const uint8_t *code, size_t size,
	uint64_t address, size_t place, struct measure_change *change);
bool measure_x86_64_jump(const struct measure_code_text *text, const uint8_t *code, size_t size,
	uint64_t address, size_t place, struct measure_change *change);
bool measure_arm64_jump(const struct measure_code_text *text, const uint8_t *code, size_t size,
	uint64_t address, size_t place, struct measure_change *change);

/* --- reading and changing the machine code of this process ------------------------------- */

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
