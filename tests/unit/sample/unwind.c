/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks by made-up tables, on made-up stacks: callers are found as the tables say, the same
 * ones again where steps are known, and whatever registers and stacks hold, nothing is read that is
 * not there. */
#include "config.h"

#include <dwarf.h>
#include <string.h>

#include "../t_suite.h"
#include "adapters/sample/processor.h"
#include "adapters/sample/sample.h"
#include "t_tables.h"

#define BYTES(...)   ((const uint8_t[]){__VA_ARGS__})
#define PROGRAM(...) .own = BYTES(__VA_ARGS__), .own_size = sizeof(BYTES(__VA_ARGS__))
#define COMMON(...)  .common = BYTES(__VA_ARGS__), .common_size = sizeof(BYTES(__VA_ARGS__))
#define WORDS        512
#define CALLER(i)    (code + 2 * T_SIZE * (i) + 9) /* where a function goes on, behind a call */

#define BESIDE 64
static uint64_t around[BESIDE + WORDS + BESIDE], *const stack = around + BESIDE; /* zeros beside it */
static uint64_t code;
static struct measure_unwinder unwinder;
static struct measure_callstack found;
static ucontext_t interrupted;

static uint64_t at(size_t word)
{
	return (uint64_t)(uintptr_t)&stack[word];
}

/* In the first function, with a stack from a word on. */
static void set_up(const struct t_tables *wanted, size_t pointer)
{
	code = t_tables_make(wanted, NULL);
	memset(&unwinder, 0, sizeof(unwinder));
	unwinder.stack_begin = at(0);
	unwinder.stack_end = at(WORDS);
	for (size_t i = 0; i < WORDS; i++)
		stack[i] = 0;
	memset(&interrupted, 0, sizeof(interrupted));
	t_register_set(&interrupted, MEASURE_PROGRAM_COUNTER, code + 8);
	t_register_set(&interrupted, MEASURE_STACK_POINTER, at(pointer));
}

static void run(void)
{
	measure_unwind(&unwinder, &interrupted, &found);
}

static void check_frame(uint32_t index, uint32_t function)
{
	uint64_t begin = code + (uint64_t)2 * T_SIZE * function;

	CU_ASSERT_TRUE_FATAL(index < found.nr);
	CU_ASSERT_EQUAL(found.frames[index].function, begin);
	CU_ASSERT_EQUAL(found.frames[index].address, begin + 8);
}

/* The frame has two words; the return address is the last one, and below it a register is kept. */
#define TWO_WORDS                                                                                  \
	.nr_functions = 8,                                                                         \
	COMMON(DW_CFA_def_cfa, MEASURE_STACK_POINTER, 16, DW_CFA_offset | T_RETURN, 1,             \
		DW_CFA_offset | MEASURE_FRAME_POINTER, 2)

static void test_callers(void)
{
	const struct t_tables wanted = {TWO_WORDS};

	set_up(&wanted, 10);
	for (uint32_t i = 0; i < 5; i++)
		stack[11 + 2 * i] = CALLER(i + 1);
	for (uint32_t round = 0; round < 3; round++) { /* the steps are known from then on */
		run();
		CU_ASSERT_EQUAL(found.nr, 6);
		for (uint32_t i = 0; i < 6; i++)
			check_frame(i, i);
	}
}

static void test_outermost(void)
{
	const struct t_tables wanted = {TWO_WORDS, PROGRAM(DW_CFA_undefined, T_RETURN)};

	set_up(&wanted, 10);
	stack[11] = CALLER(1);
	run();
	CU_ASSERT_EQUAL(found.nr, 1);
	check_frame(0, 0);
}

/* The second function has its frame by a register that the first one has kept. */
static void test_kept_register(void)
{
	const struct t_tables wanted = {TWO_WORDS,
		PROGRAM(DW_CFA_advance_loc | 8, DW_CFA_def_cfa, MEASURE_FRAME_POINTER, 16)};

	set_up(&wanted, 10);
	t_register_set(&interrupted, MEASURE_FRAME_POINTER, at(20));
	stack[20] = at(30);
	stack[21] = CALLER(1);
	stack[30] = at(40);
	stack[31] = CALLER(2);
	stack[40] = 0x1234;
	for (uint32_t round = 0; round < 2; round++) {
		run();
		CU_ASSERT_EQUAL(found.nr, 3);
		check_frame(2, 2);
	}
}

/* ----------------------------------------------------------------------- expressions --- */

/* One function, whose frame's address an expression gives; its caller is the second one, where that
 * is word 20. */
static bool leads_to_20(const uint8_t *expression, size_t size)
{
	uint8_t program[64] = {DW_CFA_def_cfa_expression, (uint8_t)size};
	const struct t_tables wanted = {TWO_WORDS, .own = program, .own_size = size + 2};

	memcpy(program + 2, expression, size);
	set_up(&wanted, 10);
	t_register_set(&interrupted, MEASURE_FRAME_POINTER, at(4));
	stack[12] = at(20);
	stack[19] = CALLER(1);
	run();
	return found.nr >= 2 && found.frames[1].address == CALLER(1) - 1;
}

#define LEADS(...) leads_to_20(BYTES(__VA_ARGS__), sizeof(BYTES(__VA_ARGS__)))
enum {
	BREG_SP = DW_OP_breg0 + MEASURE_STACK_POINTER,
	BREG_FP = DW_OP_breg0 + MEASURE_FRAME_POINTER
};

static void test_expressions(void)
{
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0xd0, 0));
	CU_ASSERT_TRUE(LEADS(BREG_FP, 0x80, 1));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 16, DW_OP_deref));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0, DW_OP_plus_uconst, 80));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0, DW_OP_const1u, 80, DW_OP_plus));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0xd8, 0, DW_OP_const1s, 0xf8, DW_OP_plus));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0, DW_OP_lit10, DW_OP_lit3, DW_OP_shl, DW_OP_plus));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0xc8, 0, DW_OP_lit8, DW_OP_lit31, DW_OP_and, DW_OP_plus));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0xc8, 0, DW_OP_lit5, DW_OP_lit5, DW_OP_ge, DW_OP_lit3,
		DW_OP_shl, DW_OP_plus));
	CU_ASSERT_TRUE(LEADS(BREG_SP, 0xd0, 0, DW_OP_lit5, DW_OP_lit6, DW_OP_ge, DW_OP_lit3,
		DW_OP_shl, DW_OP_plus));
}

static void test_bad_expressions(void)
{
	CU_ASSERT_FALSE(LEADS(DW_OP_deref));
	CU_ASSERT_FALSE(LEADS(DW_OP_plus_uconst, 80));
	CU_ASSERT_FALSE(LEADS(DW_OP_lit1, DW_OP_plus));
	CU_ASSERT_FALSE(LEADS(BREG_SP, 0, DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl));
	CU_ASSERT_FALSE(LEADS(BREG_SP, 0xd0, 0, DW_OP_call2, 0, 0)); /* not known */
	CU_ASSERT_FALSE(LEADS(BREG_SP));                             /* without its offset */
	CU_ASSERT_FALSE(LEADS(BREG_SP, 0xd0));                       /* half of it */
	CU_ASSERT_FALSE(LEADS(BREG_SP, 1, DW_OP_deref));             /* no word */
	CU_ASSERT_FALSE(LEADS(DW_OP_lit0, DW_OP_deref));             /* no memory */
	CU_ASSERT_FALSE(leads_to_20(BYTES(0), 0));
	CU_ASSERT_FALSE(LEADS(DW_OP_lit1, DW_OP_lit1, DW_OP_lit1, DW_OP_lit1, DW_OP_lit1,
		DW_OP_lit1, DW_OP_lit1, DW_OP_lit1, BREG_SP, 0xd0, 0)); /* no room */
}

/* ------------------------------------------------------------------ rules of registers --- */

/* The frame's address is word 12; the return address is in word 20 and in the frame pointer. A
 * program says where to find it. */
static bool leads_by(const uint8_t *program, size_t size)
{
	const struct t_tables wanted = {COMMON(DW_CFA_def_cfa, MEASURE_STACK_POINTER, 16),
		.own = program, .own_size = size, .nr_functions = 2};

	set_up(&wanted, 10);
	t_register_set(&interrupted, MEASURE_FRAME_POINTER, CALLER(1));
	stack[20] = CALLER(1);
	run();
	return found.nr >= 2 && found.frames[1].address == CALLER(1) - 1;
}

#define LEADS_BY(...) leads_by(BYTES(__VA_ARGS__), sizeof(BYTES(__VA_ARGS__)))

static void test_rules(void)
{
	CU_ASSERT_TRUE(LEADS_BY(DW_CFA_register, T_RETURN, MEASURE_FRAME_POINTER));
	CU_ASSERT_TRUE(LEADS_BY(DW_CFA_val_expression, T_RETURN, 2, BREG_FP, 0));
	CU_ASSERT_TRUE(LEADS_BY(DW_CFA_expression, T_RETURN, 3, BREG_SP, 0xd0, 0));
	CU_ASSERT_TRUE(LEADS_BY(DW_CFA_expression, T_RETURN, 2, DW_OP_plus_uconst, 64));
	CU_ASSERT_TRUE(LEADS_BY(DW_CFA_offset_extended_sf, T_RETURN, 0x78));
	CU_ASSERT_FALSE(LEADS_BY(DW_CFA_val_offset, T_RETURN, 1)); /* of the stack, not of code */
	CU_ASSERT_FALSE(LEADS_BY(DW_CFA_register, T_RETURN, 40));
	CU_ASSERT_FALSE(LEADS_BY(DW_CFA_undefined, T_RETURN));
}

/* Where a signal has interrupted a function, that is where it stands, not behind a call; and all
 * its registers are known again. */
static void test_signal(void)
{
	const struct t_tables wanted = {.augmentation = "zRS",
		.nr_functions = 2,
		COMMON(DW_CFA_def_cfa, MEASURE_STACK_POINTER, 16, DW_CFA_offset | T_RETURN, 1)};

	set_up(&wanted, 10);
	stack[11] = code + 2 * T_SIZE + 8;
	run();
	CU_ASSERT_EQUAL(found.nr, 2);
	check_frame(1, 1);
}

/* ---------------------------------------------------------------------------- damage --- */

static void test_frame_pointer(void)
{
	const struct t_tables wanted = {TWO_WORDS};

	set_up(&wanted, 10);
	t_register_set(&interrupted, MEASURE_PROGRAM_COUNTER, code + T_SIZE); /* no table */
	t_register_set(&interrupted, MEASURE_FRAME_POINTER, at(20));
	stack[20] = at(30);
	stack[21] = code + T_SIZE + 1;
	stack[30] = 0;
	stack[31] = CALLER(3);
	run();
	CU_ASSERT_EQUAL(found.nr, 3);
	CU_ASSERT_EQUAL(found.frames[0].function, 0);
	CU_ASSERT_EQUAL(found.frames[1].address, code + T_SIZE);
	check_frame(2, 3);
}

/* A frame pointer that is none: behind the stack, at its last word, and at the end of memory. */
static void test_no_frame_pointer(void)
{
	const struct t_tables wanted = {TWO_WORDS};
	const uint64_t values[] = {0, 1, 8, at(9), at(WORDS) - 8, at(WORDS), at(WORDS) + 8,
		(uint64_t)-8, (uint64_t)-16, (uint64_t)-24, (uint64_t)-1, UINT64_C(1) << 63};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		set_up(&wanted, 10);
		t_register_set(&interrupted, MEASURE_PROGRAM_COUNTER, code + T_SIZE);
		t_register_set(&interrupted, MEASURE_FRAME_POINTER, values[i]);
		run();
		CU_ASSERT_EQUAL(found.nr, 1);
	}
}

/* Stack pointers that are none: nothing is read by them but what is there. */
static void test_no_stack(void)
{
	const struct t_tables wanted = {TWO_WORDS};
	const uint64_t values[] = {0, 1, 4096, at(0) - 16, at(WORDS) - 8, at(WORDS), (uint64_t)-8,
		(uint64_t)-16, (uint64_t)-24, (uint64_t)-1, UINT64_C(1) << 63, at(10) + 4};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		set_up(&wanted, 10);
		t_register_set(&interrupted, MEASURE_STACK_POINTER, values[i]);
		run();
		CU_ASSERT_EQUAL(found.nr, 1);
		unwinder.stack_begin = unwinder.stack_end = 0; /* it is not known */
		run();
		CU_ASSERT_EQUAL(found.nr, 1);
	}
}

/* Below the stack pointer there may be nothing, whatever a table says of the first frame. */
static void test_below(void)
{
	const struct t_tables wanted = {.nr_functions = 2,
		COMMON(DW_CFA_def_cfa_sf, MEASURE_STACK_POINTER, 32, DW_CFA_offset | T_RETURN, 1)};

	set_up(&wanted, 10);
	unwinder.stack_begin = 1 << 20; /* of which nothing is mapped but the words */
	run();
	CU_ASSERT_EQUAL(found.nr, 1);
}

/* A stack that leads round in circles, and one without end. */
static void test_endless(void)
{
	const struct t_tables circle = {.nr_functions = 2,
		COMMON(DW_CFA_def_cfa, MEASURE_STACK_POINTER, 0, DW_CFA_offset_extended_sf,
			T_RETURN, 0x7f)};
	const struct t_tables wanted = {TWO_WORDS};

	set_up(&circle, 10);
	stack[11] = CALLER(1);
	run();
	CU_ASSERT_TRUE(found.nr <= 2);
	set_up(&wanted, 0);
	for (size_t i = 1; i < WORDS; i += 2)
		stack[i] = CALLER(1);
	run();
	CU_ASSERT_EQUAL(found.nr, MEASURE_MOST_FRAMES);
	check_frame(MEASURE_MOST_FRAMES - 1, 1);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"callers", test_callers},
		{"the outermost function", test_outermost},
		{"a register that is kept", test_kept_register},
		{"expressions", test_expressions},
		{"bad expressions", test_bad_expressions},
		{"rules of registers", test_rules},
		{"a signal's frame", test_signal},
		{"frame pointers", test_frame_pointer},
		{"frame pointers that are none", test_no_frame_pointer},
		{"stack pointers that are none", test_no_stack},
		{"below the stack pointer", test_below},
		{"stacks without end", test_endless},
		CU_TEST_INFO_NULL,
	};

	return t_suite("unwinding", NULL, NULL, tests);
}
