/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What unwinding has to know of the processor: numbers of registers as DWARF has them, and where a
 * signal handler finds their values. */
#ifndef MEASURE_SAMPLE_PROCESSOR_H
#define MEASURE_SAMPLE_PROCESSOR_H

#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)

enum { MEASURE_FRAME_POINTER = 6, MEASURE_STACK_POINTER = 7, MEASURE_PROGRAM_COUNTER = 16 };

/* Nothing is told from an address. */
#define MEASURE_ADDRESS_BITS 64

/* All there are. */
static inline uint64_t measure_registers_take(const ucontext_t *context, uint64_t *registers)
{
	static const int8_t places[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
		REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
		REG_R15, REG_RIP};

	for (unsigned int i = 0; i < sizeof(places); i++)
		registers[i] = (uint64_t)context->uc_mcontext.gregs[places[i]];
	return (UINT64_C(1) << sizeof(places)) - 1;
}

/* Those that a call does not change. */
#define MEASURE_KEPT_REGISTERS                                                                     \
	(UINT64_C(1) << 3 | UINT64_C(1) << 6 | UINT64_C(1) << 12 | UINT64_C(1) << 13 |             \
		UINT64_C(1) << 14 | UINT64_C(1) << 15)

#elif defined(__aarch64__)

/* The program counter has no number; 32 is free. */
enum { MEASURE_FRAME_POINTER = 29, MEASURE_STACK_POINTER = 31, MEASURE_PROGRAM_COUNTER = 32 };

/* Above these are the signs of return addresses. */
#define MEASURE_ADDRESS_BITS 48

static inline uint64_t measure_registers_take(const ucontext_t *context, uint64_t *registers)
{
	for (unsigned int i = 0; i < 31; i++)
		registers[i] = context->uc_mcontext.regs[i];
	registers[MEASURE_STACK_POINTER] = context->uc_mcontext.sp;
	registers[MEASURE_PROGRAM_COUNTER] = context->uc_mcontext.pc;
	return (UINT64_C(1) << 33) - 1;
}

#define MEASURE_KEPT_REGISTERS (((UINT64_C(1) << 11) - 1) << 19)

#endif
#endif
