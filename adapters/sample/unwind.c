/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks in a signal handler. What the compiler's own unwinder does is right in the wrong
 * place: it reads whatever a stack that is no stack points to, and takes the steps anew for each
 * sample. Here memory is read within the thread's stack only, or by a system call that survives,
 * and steps are kept. */
#define _GNU_SOURCE
#include "config.h"

#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "processor.h"
#include "sample.h"

#define WORD        sizeof(uint64_t)
#define STACK_SLOTS 8 /* of an expression */

static uint64_t bit(uint32_t number)
{
	return UINT64_C(1) << number;
}

void measure_unwinder_start(struct measure_unwinder *unwinder)
{
	pthread_attr_t attributes;
	size_t size;
	void *begin;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &begin, &size) == 0) {
		unwinder->stack_begin = (uint64_t)(uintptr_t)begin;
		unwinder->stack_end = (unwinder->stack_begin + size) & ~(uint64_t)(WORD - 1);
	}
	pthread_attr_destroy(&attributes);
}

/* Stacks that the program has made itself are not known to be mapped. */
static bool read_anywhere(uint64_t address, uint64_t *value)
{
	struct iovec here = {value, WORD}, there = {(void *)(uintptr_t)address, WORD};

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)WORD;
}

/* Pages of the stack below what is in use need not be there. */
static void find_used(struct measure_unwinder *unwinder)
{
	uint64_t pointer = unwinder->registers[MEASURE_STACK_POINTER];
	bool is_within = pointer >= unwinder->stack_begin && pointer < unwinder->stack_end;

	unwinder->used_begin = is_within ? pointer : unwinder->stack_end;
}

/* Words are aligned, and so is a stack's end. */
static bool unwind_read_word(
	const struct measure_unwinder *unwinder, uint64_t address, uint64_t *value)
{
	if (address % WORD != 0)
		return false;
	if (address < unwinder->used_begin || address >= unwinder->stack_end)
		return read_anywhere(address, value);
	memcpy(value, (const void *)(uintptr_t)address, WORD);
	return true;
}

static bool get(const struct measure_unwinder *unwinder, uint32_t number, uint64_t *value)
{
	if (number >= MEASURE_CFI_REGISTERS || !(unwinder->known & bit(number)))
		return false;
	*value = unwinder->registers[number];
	return true;
}

/* ---------------------------------------------------------------------- expressions --- */

enum unwind_operation {
	DEREFERENCE = 0x06,
	CONSTANT_1 = 0x08,
	CONSTANT_1_SIGNED = 0x09,
	AND = 0x1a,
	PLUS = 0x22,
	PLUS_CONSTANT = 0x23,
	SHIFT_LEFT = 0x24,
	AT_LEAST = 0x2a,
	LITERAL_0 = 0x30,
	LITERAL_31 = 0x4f,
	REGISTER_0 = 0x70,
	REGISTER_31 = 0x8f
};

struct machine {
	uint64_t slots[STACK_SLOTS];
	uint32_t nr;
};

static bool unwind_push(struct machine *machine, uint64_t value)
{
	if (machine->nr == STACK_SLOTS)
		return false;
	machine->slots[machine->nr++] = value;
	return true;
}

/* Of the two topmost. */
static bool unwind_combine(struct machine *machine, uint8_t operation)
{
	uint64_t *a, b;

	if (machine->nr < 2)
		return false;
	b = machine->slots[--machine->nr];
	a = &machine->slots[machine->nr - 1];
	switch (operation) {
	case AND:
		*a &= b;
		return true;
	case PLUS:
		*a += b;
		return true;
	case SHIFT_LEFT:
		*a = b < 64 ? *a << b : 0;
		return true;
	default:
		*a = (int64_t)*a >= (int64_t)b;
		return true;
	}
}

static bool compute_one(const struct measure_unwinder *unwinder, struct machine *machine,
	struct measure_cfi_cursor *cursor)
{
	uint8_t operation = (uint8_t)measure_cfi_fixed(cursor, 1);
	uint64_t *top = &machine->slots[machine->nr ? machine->nr - 1 : 0], value;

	if (operation >= LITERAL_0 && operation <= LITERAL_31)
		return unwind_push(machine, operation - LITERAL_0);
	if (operation >= REGISTER_0 && operation <= REGISTER_31)
		return get(unwinder, operation - REGISTER_0, &value) &&
		       unwind_push(machine, value + (uint64_t)measure_cfi_signed(cursor));
	switch (operation) {
	case DEREFERENCE:
		return machine->nr > 0 && unwind_read_word(unwinder, *top, top);
	case CONSTANT_1:
		return unwind_push(machine, measure_cfi_fixed(cursor, 1));
	case CONSTANT_1_SIGNED:
		return unwind_push(
			machine, (uint64_t)(int64_t)(int8_t)measure_cfi_fixed(cursor, 1));
	case PLUS_CONSTANT:
		return unwind_push(machine, measure_cfi_unsigned(cursor)) &&
		       unwind_combine(machine, PLUS);
	case AND:
	case PLUS:
	case SHIFT_LEFT:
	case AT_LEAST:
		return unwind_combine(machine, operation);
	default:
		return false;
	}
}

/* A block: its length, and that many bytes. `begin`: NULL or what lies on the stack at first. */
static bool compute(const struct measure_unwinder *unwinder, const uint8_t *block,
	const uint64_t *begin, uint64_t *value)
{
	struct measure_cfi_cursor cursor = {block, block + 10, false};
	struct machine machine = {.nr = 0};
	uint64_t length = measure_cfi_unsigned(&cursor);

	cursor.end = cursor.place + (length < 256 ? length : 0);
	if (begin)
		unwind_push(&machine, *begin);
	while (cursor.place < cursor.end)
		if (!compute_one(unwinder, &machine, &cursor))
			return false;
	if (machine.nr == 0 || cursor.is_short)
		return false;
	*value = machine.slots[machine.nr - 1];
	return true;
}

/* ----------------------------------------------------------------------------- steps --- */

/* What the caller has: its registers, as far as they are known. */
struct caller {
	uint64_t registers[MEASURE_CFI_REGISTERS];
	uint64_t known;
};

static void unwind_give(struct caller *caller, uint32_t number, uint64_t value)
{
	caller->registers[number] = value;
	caller->known |= bit(number);
}

static bool find_cfa(const struct measure_unwinder *unwinder, uint64_t *cfa)
{
	const struct measure_cfi_row *row = &unwinder->cfi.row;

	if (row->has_expression)
		return compute(unwinder, unwinder->cfi.base + row->cfa_expression, NULL, cfa);
	if (!get(unwinder, row->cfa_register, cfa))
		return false;
	*cfa += (uint64_t)(int64_t)row->cfa_offset;
	return true;
}

static bool find_register(
	const struct measure_unwinder *unwinder, uint32_t number, uint64_t cfa, uint64_t *value)
{
	const struct measure_cfi *cfi = &unwinder->cfi;
	int32_t operand = cfi->row.values[number];

	switch (cfi->row.rules[number]) {
	case MEASURE_CFI_SAME: /* but for the stack pointer, which is the frame's address then */
		return number != MEASURE_STACK_POINTER &&
		       (cfi->is_signal || bit(number) & (MEASURE_KEPT_REGISTERS |
								bit(cfi->return_register))) &&
		       get(unwinder, number, value);
	case MEASURE_CFI_AT:
		return unwind_read_word(unwinder, cfa + (uint64_t)(int64_t)operand, value);
	case MEASURE_CFI_IS:
		*value = cfa + (uint64_t)(int64_t)operand;
		return true;
	case MEASURE_CFI_REGISTER:
		return get(unwinder, (uint32_t)operand, value);
	case MEASURE_CFI_EXPRESSION:
		return compute(unwinder, cfi->base + operand, &cfa, value) &&
		       unwind_read_word(unwinder, *value, value);
	case MEASURE_CFI_IS_EXPRESSION:
		return compute(unwinder, cfi->base + operand, &cfa, value);
	default:
		return false;
	}
}

/* Of any row. False: there is no caller, or it cannot be found. */
static bool step_by_row(struct measure_unwinder *unwinder)
{
	const struct measure_cfi *cfi = &unwinder->cfi;
	struct caller caller = {.known = 0};
	uint64_t cfa, value;

	if (!find_cfa(unwinder, &cfa))
		return false;
	unwind_give(&caller, MEASURE_STACK_POINTER, cfa);
	for (uint32_t i = 0; i < MEASURE_CFI_REGISTERS; i++)
		if (find_register(unwinder, i, cfa, &value))
			unwind_give(&caller, i, value);
	if (!(caller.known & bit(cfi->return_register)))
		return false;
	unwind_give(&caller, MEASURE_PROGRAM_COUNTER, caller.registers[cfi->return_register]);
	memcpy(unwinder->registers, caller.registers, sizeof(caller.registers));
	unwinder->known = caller.known;
	return true;
}

/* Is a row as simple as most are? Then it is kept. */
static bool shorten(const struct measure_cfi *cfi, uint64_t address, struct measure_step *step)
{
	const struct measure_cfi_row *row = &cfi->row;

	if (row->has_expression || cfi->is_signal)
		return false;
	*step = (struct measure_step){.function = cfi->function,
		.cfa_offset = row->cfa_offset,
		.cfa_register = row->cfa_register};
	for (uint32_t i = 0; i < MEASURE_CFI_REGISTERS; i++) {
		int32_t words = row->values[i] / (int32_t)WORD;
		if (row->rules[i] == MEASURE_CFI_SAME)
			continue;
		/* where floating-point registers are does not matter; they have higher numbers */
		if (row->rules[i] != MEASURE_CFI_AT || row->values[i] % (int32_t)WORD != 0 ||
			words != (int16_t)words || step->nr == MEASURE_STEP_REGISTERS)
			return false;
		step->numbers[step->nr] = (uint8_t)i;
		step->words[step->nr++] = (int16_t)words;
	}
	/* the return address must be one of them */
	if (cfi->return_register == MEASURE_PROGRAM_COUNTER &&
		row->rules[MEASURE_PROGRAM_COUNTER] != MEASURE_CFI_AT)
		return false;
	step->address = address;
	return cfi->return_register == MEASURE_PROGRAM_COUNTER;
}

static bool step_shortly(struct measure_unwinder *unwinder, const struct measure_step *step)
{
	uint64_t cfa;

	if (!get(unwinder, step->cfa_register, &cfa))
		return false;
	cfa += (uint64_t)(int64_t)step->cfa_offset;
	unwinder->registers[MEASURE_STACK_POINTER] = cfa;
	unwinder->known &= MEASURE_KEPT_REGISTERS;
	unwinder->known |= bit(MEASURE_STACK_POINTER);
	for (uint32_t i = 0; i < step->nr; i++) {
		uint64_t at = cfa + (uint64_t)(step->words[i] * (int64_t)WORD);
		uint32_t number = step->numbers[i];
		if (unwind_read_word(unwinder, at, &unwinder->registers[number]))
			unwinder->known |= bit(number);
		else
			unwinder->known &= ~bit(number);
	}
	return unwinder->known & bit(MEASURE_PROGRAM_COUNTER);
}

/* Code without tables, as compilers make at run time: by the frame pointer, if it is one. */
static bool step_by_pointer(struct measure_unwinder *unwinder)
{
	uint64_t frame = 0, next, caller;

	if (!get(unwinder, MEASURE_FRAME_POINTER, &frame) ||
		frame < unwinder->registers[MEASURE_STACK_POINTER] ||
		frame >= unwinder->stack_end || unwinder->stack_end - frame < 2 * WORD ||
		!unwind_read_word(unwinder, frame, &next) ||
		!unwind_read_word(unwinder, frame + WORD, &caller))
		return false;
	unwinder->registers[MEASURE_FRAME_POINTER] = next;
	unwinder->registers[MEASURE_PROGRAM_COUNTER] = caller;
	unwinder->registers[MEASURE_STACK_POINTER] = frame + 2 * WORD;
	unwinder->known = bit(MEASURE_FRAME_POINTER) | bit(MEASURE_PROGRAM_COUNTER) |
			  bit(MEASURE_STACK_POINTER);
	return true;
}

static struct measure_step *unwind_place(struct measure_unwinder *unwinder, uint64_t address)
{
	return &unwinder->steps[address * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}
_Static_assert(MEASURE_STEPS == 256, "so many bits of a hash");

/* Goes to the caller of the function that `frame` is in, and says where that begins. False: it is
 * the outermost one. */
static bool step(struct measure_unwinder *unwinder, struct measure_frame *frame, bool *is_signal)
{
	struct measure_step *known = unwind_place(unwinder, frame->address);

	*is_signal = false;
	if (known->address == frame->address) {
		frame->function = known->function;
		return step_shortly(unwinder, known);
	}
	if (!measure_cfi_find(frame->address, &unwinder->cfi))
		return step_by_pointer(unwinder);
	frame->function = unwinder->cfi.function;
	*is_signal = unwinder->cfi.is_signal;
	if (!shorten(&unwinder->cfi, frame->address, known))
		known->address = 0;
	return step_by_row(unwinder);
}

/* Stacks grow downwards: what does not go up goes round in circles. */
static bool is_further(uint64_t before, const struct measure_unwinder *unwinder, bool is_signal)
{
	return is_signal || unwinder->registers[MEASURE_STACK_POINTER] > before;
}

void measure_unwind(struct measure_unwinder *unwinder, const ucontext_t *interrupted,
	struct measure_callstack *stack)
{
	const uint64_t mask = ~UINT64_C(0) >> (64 - MEASURE_ADDRESS_BITS);
	bool is_signal = true, has_caller = true;

	stack->nr = 0;
	unwinder->known = measure_registers_take(interrupted, unwinder->registers);
	find_used(unwinder);
	while (has_caller && stack->nr < MEASURE_MOST_FRAMES) {
		struct measure_frame *frame = &stack->frames[stack->nr];
		uint64_t counter = unwinder->registers[MEASURE_PROGRAM_COUNTER] & mask;
		uint64_t before = unwinder->registers[MEASURE_STACK_POINTER];
		bool is_first = stack->nr == 0;

		if (counter <= 1) /* no code, and no call behind which it could be */
			return;
		*frame = (struct measure_frame){0, is_signal ? counter : counter - 1};
		stack->nr++;
		has_caller = step(unwinder, frame, &is_signal) &&
			     (is_first || is_further(before, unwinder, is_signal));
	}
}
