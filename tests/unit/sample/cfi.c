/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unwind tables: what each of their instructions says, each form that they can have, and what is
 * wrong with them. */
#include "config.h"

#include <dwarf.h>
#include <string.h>

#include "../t_suite.h"
#include "adapters/sample/cfi.h"
#include "t_tables.h"

#define BYTES(...)   ((const uint8_t[]){__VA_ARGS__})
#define PROGRAM(...) .own = BYTES(__VA_ARGS__), .own_size = sizeof(BYTES(__VA_ARGS__))
#define COMMON(...)  .common = BYTES(__VA_ARGS__), .common_size = sizeof(BYTES(__VA_ARGS__))

static struct measure_cfi cfi;

/* ------------------------------------------------------------------------ instructions --- */

/* What a program of one function says of the frame's address and of one register. */
struct expected {
	const char *what;
	const uint8_t *program;
	size_t size;
	uint8_t cfa_register;
	int32_t cfa_offset;
	uint8_t number;
	uint8_t rule;
	int32_t value;
};

#define SAYS(what, cfa, offset, number, rule, value, ...)                                          \
	{                                                                                          \
		what, BYTES(__VA_ARGS__), sizeof(BYTES(__VA_ARGS__)), cfa, offset, number,         \
			MEASURE_CFI_##rule, value                                                  \
	}

/* Before each: the frame's address is register 7 + 8, register 3 is at -16 from it, 12 is not
 * known. Factors are 1 and -8. */
static const struct expected programs[] = {
	SAYS("nothing", 7, 8, 3, AT, -16, DW_CFA_nop),
	SAYS("def_cfa", 6, 300, 3, AT, -16, DW_CFA_def_cfa, 6, 0xac, 2),
	SAYS("def_cfa_sf", 6, 16, 3, AT, -16, DW_CFA_def_cfa_sf, 6, 0x7e),
	SAYS("def_cfa_register", 5, 8, 3, AT, -16, DW_CFA_def_cfa_register, 5),
	SAYS("def_cfa_offset", 7, 128, 3, AT, -16, DW_CFA_def_cfa_offset, 0x80, 1),
	SAYS("def_cfa_offset_sf", 7, 24, 3, AT, -16, DW_CFA_def_cfa_offset_sf, 0x7d),
	SAYS("offset", 7, 8, 14, AT, -24, DW_CFA_offset | 14, 3),
	SAYS("offset_extended", 7, 8, 14, AT, -1024, DW_CFA_offset_extended, 14, 0x80, 1),
	SAYS("offset_extended_sf", 7, 8, 14, AT, 8, DW_CFA_offset_extended_sf, 14, 0x7f),
	SAYS("val_offset", 7, 8, 14, IS, -16, DW_CFA_val_offset, 14, 2),
	SAYS("val_offset_sf", 7, 8, 14, IS, 16, DW_CFA_val_offset_sf, 14, 0x7e),
	SAYS("undefined", 7, 8, 3, UNDEFINED, 0, DW_CFA_undefined, 3),
	SAYS("same_value", 7, 8, 3, SAME, 0, DW_CFA_same_value, 3),
	SAYS("register", 7, 8, 3, REGISTER, 9, DW_CFA_register, 3, 9),
	SAYS("restore", 7, 8, 3, AT, -16, DW_CFA_undefined, 3, DW_CFA_restore | 3),
	SAYS("restore_extended", 7, 8, 12, UNDEFINED, 0, DW_CFA_same_value, 12,
		DW_CFA_restore_extended, 12),
	SAYS("remember and restore", 7, 8, 3, AT, -16, DW_CFA_remember_state, DW_CFA_undefined, 3,
		DW_CFA_def_cfa, 6, 16, DW_CFA_restore_state),
	SAYS("expression", 7, 8, 3, EXPRESSION, 2, DW_CFA_expression, 3, 2, DW_OP_breg7, 8),
	SAYS("val_expression", 7, 8, 3, IS_EXPRESSION, 2, DW_CFA_val_expression, 3, 2, DW_OP_breg7,
		8),
	SAYS("GNU_args_size", 7, 8, 3, AT, -16, DW_CFA_GNU_args_size, 0x80, 1),
	SAYS("negated signs", 7, 8, 3, AT, -16, 0x2d),
	SAYS("a register of no number", 255, 16, 3, AT, -16, DW_CFA_def_cfa, 0x80, 2, 16,
		DW_CFA_offset_extended, 0x80, 2, 1, DW_CFA_restore_extended, 0x80, 2),
};

#define BEFORE                                                                                     \
	COMMON(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | T_RETURN, 1, DW_CFA_offset | 3, 2,            \
		DW_CFA_undefined, 12)

static void test_instructions(void)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const struct expected *expected = &programs[i];
		const struct t_tables wanted = {
			.own = expected->program, .own_size = expected->size, BEFORE};
		bool is_found = measure_cfi_find(t_tables_make(&wanted, NULL), &cfi);
		bool is_right = is_found && !cfi.row.has_expression &&
				cfi.row.cfa_register == expected->cfa_register &&
				cfi.row.cfa_offset == expected->cfa_offset &&
				cfi.row.rules[expected->number] == expected->rule &&
				cfi.row.values[expected->number] == expected->value;
		CU_ASSERT_TRUE(is_right);
		if (!is_right)
			printf("%s\n", expected->what);
	}
}

static void test_expression_of_frame(void)
{
	const struct t_tables wanted = {
		PROGRAM(DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
			DW_CFA_def_cfa_offset, 0xff, 0x7f), /* which is not for expressions */
		BEFORE};

	CU_ASSERT_TRUE(measure_cfi_find(t_tables_make(&wanted, NULL), &cfi));
	CU_ASSERT_TRUE(cfi.row.has_expression);
	CU_ASSERT_EQUAL(cfi.base[cfi.row.cfa_expression], 3);
	CU_ASSERT_EQUAL(cfi.base[cfi.row.cfa_expression + 1], DW_OP_breg6);
}

/* Rows begin at their place, and not before. */
static void test_places(void)
{
	static const struct {
		uint64_t place;
		int32_t offset;
	} rows[] = {{0, 8}, {4, 8}, {5, 16}, {14, 16}, {15, 24}, {55, 32}, {0xdf, 40}, {0xe0, 48}};
	const struct t_tables wanted = {
		PROGRAM(DW_CFA_advance_loc | 5, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc1, 10,
			DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc2, 40, 0,
			DW_CFA_def_cfa_offset, 32, DW_CFA_advance_loc4, 100, 0, 0, 0,
			DW_CFA_def_cfa_offset, 40, DW_CFA_advance_loc | 63, DW_CFA_advance_loc | 6,
			DW_CFA_def_cfa_offset, 48),
		BEFORE};
	uint64_t address = t_tables_make(&wanted, NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_TRUE(measure_cfi_find(address + rows[i].place, &cfi));
		CU_ASSERT_EQUAL(cfi.row.cfa_offset, rows[i].offset);
		CU_ASSERT_EQUAL(cfi.function, address);
	}
	CU_ASSERT_FALSE(measure_cfi_find(address + T_SIZE, &cfi));
	CU_ASSERT_FALSE(measure_cfi_find(address - 1, &cfi));
}

/* An address among the instructions, as the entry's own is written. */
static void test_set_place(void)
{
	uint8_t program[12] = {DW_CFA_set_loc, 0, 0, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 16};
	const struct t_tables wanted = {
		.augmentation = "", .own = program, .own_size = sizeof(program), BEFORE};
	uint64_t address = t_tables_make(&wanted, NULL), place = address + 32;

	memcpy(program + 1, &place, sizeof(place));
	CU_ASSERT_EQUAL(t_tables_make(&wanted, NULL), address);
	CU_ASSERT_TRUE(measure_cfi_find(address + 31, &cfi));
	CU_ASSERT_EQUAL(cfi.row.cfa_offset, 8);
	CU_ASSERT_TRUE(measure_cfi_find(address + 32, &cfi));
	CU_ASSERT_EQUAL(cfi.row.cfa_offset, 16);
}

static bool is_found(const struct t_tables *wanted)
{
	return measure_cfi_find(t_tables_make(wanted, NULL), &cfi);
}

static void test_bad_instructions(void)
{
	static const uint8_t bad[][4] = {
		{DW_CFA_restore_state},                    /* of nothing that was remembered */
		{0x3f},                                    /* there is none */
		{DW_CFA_def_cfa_offset, 0x80, 0x80, 0x80}, /* no end */
		{DW_CFA_nop, DW_CFA_nop, DW_CFA_nop, DW_CFA_advance_loc1},
		{DW_CFA_nop, DW_CFA_expression, 3, 1}, /* longer than the rest */
		{DW_CFA_expression, 3, 0xff, 0xff},
		{DW_CFA_nop, DW_CFA_nop, DW_CFA_expression, 3},
	};
	const uint8_t remembered[5] = {DW_CFA_remember_state, DW_CFA_remember_state,
		DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state};
	struct t_tables wanted = {.own = remembered, .own_size = 4, BEFORE};

	CU_ASSERT_TRUE(is_found(&wanted));
	wanted.own_size = 5;
	CU_ASSERT_FALSE(is_found(&wanted));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		wanted.own = bad[i];
		wanted.own_size = sizeof(bad[i]);
		CU_ASSERT_FALSE(is_found(&wanted));
	}
}

/* ----------------------------------------------------------------------------- forms --- */

/* Addresses are as sizes allow: what is told in 2 bytes is near. */
static void test_encodings(void)
{
	static const uint8_t encodings[] = {DW_EH_PE_pcrel | DW_EH_PE_sdata2,
		DW_EH_PE_pcrel | DW_EH_PE_udata2, DW_EH_PE_pcrel | DW_EH_PE_sdata4,
		DW_EH_PE_pcrel | DW_EH_PE_udata4, DW_EH_PE_pcrel | DW_EH_PE_sdata8,
		DW_EH_PE_pcrel | DW_EH_PE_udata8, DW_EH_PE_pcrel | DW_EH_PE_absptr,
		DW_EH_PE_pcrel | DW_EH_PE_uleb128, DW_EH_PE_pcrel | DW_EH_PE_sleb128,
		DW_EH_PE_sdata8, DW_EH_PE_udata8, DW_EH_PE_uleb128};

	for (size_t i = 0; i < sizeof(encodings); i++) {
		struct t_tables wanted = {.encoding = encodings[i], PROGRAM(DW_CFA_nop), BEFORE};
		for (wanted.version = 1; wanted.version <= 3; wanted.version += 2) {
			uint64_t address = t_tables_make(&wanted, NULL);
			CU_ASSERT_TRUE(measure_cfi_find(address + T_SIZE - 1, &cfi));
			CU_ASSERT_EQUAL(cfi.function, address);
			CU_ASSERT_FALSE(measure_cfi_find(address + T_SIZE, &cfi));
		}
	}
}

static void test_augmentations(void)
{
	static const struct {
		const char *text;
		uint8_t personality;
		bool is_known, is_signal;
	} texts[] = {
		{"", 0, true, false},
		{"zR", 0, true, false},
		{"zRS", 0, true, true},
		{"zPLR", DW_EH_PE_indirect | DW_EH_PE_pcrel | DW_EH_PE_sdata4, true, false},
		{"zPLR", DW_EH_PE_absptr, true, false},
		{"zPLR", DW_EH_PE_udata2, true, false},
		{"zPLR", DW_EH_PE_uleb128, true, false},
		{"zPLR", DW_EH_PE_omit, true, false},
		{"zPR", 0x0d, false, false}, /* nobody knows how long that is */
		{"zRB", 0, true, false},     /* keys of signs */
		{"zRX", 0, true, false},     /* later letters are passed over */
		{"eh", 0, false, false},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct t_tables wanted = {.augmentation = texts[i].text,
			.personality = texts[i].personality,
			PROGRAM(DW_CFA_def_cfa_offset, 64),
			BEFORE};
		CU_ASSERT_EQUAL(is_found(&wanted), texts[i].is_known);
		if (!texts[i].is_known)
			continue;
		CU_ASSERT_EQUAL(cfi.is_signal, texts[i].is_signal);
		CU_ASSERT_EQUAL(cfi.row.cfa_offset, 64);
		CU_ASSERT_EQUAL(cfi.return_register, T_RETURN);
	}
}

static void test_return_register(void)
{
	struct t_tables wanted = {.return_register = 32, PROGRAM(DW_CFA_nop), BEFORE};

	CU_ASSERT_TRUE(is_found(&wanted));
	CU_ASSERT_EQUAL(cfi.return_register, 32);
	wanted.return_register = 33;
	CU_ASSERT_FALSE(is_found(&wanted));
	wanted.version = 3;
	wanted.return_register = 256 + 16;
	CU_ASSERT_FALSE(is_found(&wanted));
}

/* ---------------------------------------------------------------------------- header --- */

static void test_many_functions(void)
{
	const struct t_tables wanted = {.nr_functions = 91, PROGRAM(DW_CFA_nop), BEFORE};
	uint64_t address = t_tables_make(&wanted, NULL);

	for (uint32_t i = 0; i < wanted.nr_functions; i++, address += 2 * T_SIZE) {
		CU_ASSERT_TRUE(measure_cfi_find(address, &cfi));
		CU_ASSERT_EQUAL(cfi.function, address);
		CU_ASSERT_TRUE(measure_cfi_find(address + T_SIZE - 1, &cfi));
		CU_ASSERT_FALSE(measure_cfi_find(address + T_SIZE, &cfi)); /* between two */
		CU_ASSERT_FALSE(measure_cfi_find(address + 2 * T_SIZE - 1, &cfi));
	}
}

static struct t_places places;

/* With `size` bytes at a place of what is sound replaced: is the first function found? */
static bool is_found_with(size_t at, uint32_t value, size_t size)
{
	const struct t_tables wanted = {PROGRAM(DW_CFA_nop), BEFORE};
	uint64_t address = t_tables_make(&wanted, &places);

	memcpy(t_tables_bytes() + at, &value, size);
	return measure_cfi_find(address, &cfi);
}

static void test_bad_header(void)
{
	CU_ASSERT_TRUE(is_found_with(0, 1, 1));
	CU_ASSERT_FALSE(is_found_with(0, 2, 1));    /* version */
	CU_ASSERT_FALSE(is_found_with(1, 0x0d, 1)); /* the pointer's encoding */
	CU_ASSERT_FALSE(is_found_with(2, 0xff, 1)); /* no number */
	CU_ASSERT_FALSE(is_found_with(3, 0xff, 1)); /* no rows */
	CU_ASSERT_FALSE(is_found_with(3, 0x1b, 1)); /* others */
	CU_ASSERT_FALSE(is_found_with(places.count, 0, 4));
	CU_ASSERT_FALSE(is_found_with(places.count, 1000, 4)); /* more than there are */
	CU_ASSERT_FALSE(is_found_with(places.count, UINT32_MAX, 4));
	CU_ASSERT_FALSE(is_found_with(places.first_row, T_CODE + 1, 4)); /* begins behind it */
	CU_ASSERT_FALSE(is_found_with(places.first_row + 4, 0x7fffffff, 4));
	CU_ASSERT_FALSE(is_found_with(places.first_row + 4, 0x80000000, 4));
	CU_ASSERT_FALSE(is_found_with(places.first_row + 4, (uint32_t)places.common, 4));
	CU_ASSERT_FALSE(is_found_with(places.first_row + 4, (uint32_t)places.size - 2, 4));
}

static void test_bad_records(void)
{
	is_found_with(0, 1, 1);
	CU_ASSERT_FALSE(is_found_with(places.entry, 0, 4));          /* the end of all */
	CU_ASSERT_FALSE(is_found_with(places.entry, UINT32_MAX, 4)); /* 64 bits of length */
	CU_ASSERT_FALSE(is_found_with(places.entry, 1000, 4));
	CU_ASSERT_FALSE(is_found_with(places.entry, 6, 4));
	CU_ASSERT_FALSE(is_found_with(places.entry + 8, T_CODE, 4)); /* begins elsewhere */
	CU_ASSERT_FALSE(is_found_with(places.entry + 4, 0, 4));      /* is common itself */
	CU_ASSERT_FALSE(is_found_with(places.entry + 4, 1, 4));
	CU_ASSERT_FALSE(is_found_with(places.entry + 4, UINT32_MAX, 4));
	CU_ASSERT_FALSE(is_found_with(places.common, UINT32_MAX, 4));
	CU_ASSERT_FALSE(is_found_with(places.common, 1000, 4));
	CU_ASSERT_FALSE(is_found_with(places.common, 5, 4));
	CU_ASSERT_FALSE(is_found_with(places.common + 4, 1, 4));     /* is not common */
	CU_ASSERT_FALSE(is_found_with(places.common + 10, 0x80, 1)); /* "zR" with no end soon */
}

/* ---------------------------------------------------------------------------- damage --- */

static const struct t_tables rich = {.augmentation = "zPLR",
	.personality = DW_EH_PE_absptr,
	.nr_functions = 3,
	PROGRAM(DW_CFA_advance_loc1, 1, DW_CFA_remember_state, DW_CFA_def_cfa_expression, 2,
		DW_OP_breg7, 16, DW_CFA_val_expression, 3, 2, DW_OP_breg7, 8,
		DW_CFA_def_cfa_offset_sf, 0x80, 0x7f, DW_CFA_restore_state, DW_CFA_offset_extended,
		0x0e, 0xff, 0x01, DW_CFA_advance_loc4, 1, 0, 0, 0),
	BEFORE};

static void find_all(uint64_t address)
{
	for (uint32_t i = 0; i < rich.nr_functions; i++)
		for (uint64_t place = 0; place < 4; place++)
			measure_cfi_find(address + 2 * T_SIZE * i + place, &cfi);
}

/* Nothing behind them is read, wherever they end: that would be a fault. */
static void test_cut(void)
{
	uint8_t bytes[1024];

	t_tables_make(&rich, &places);
	CU_ASSERT_TRUE_FATAL(places.size < sizeof(bytes));
	memcpy(bytes, t_tables_bytes(), places.size);
	for (size_t size = 0; size < places.size; size++)
		find_all(t_tables_use(bytes, size));
	CU_PASS("no fault");
}

static void test_each_byte(void)
{
	uint64_t address = t_tables_make(&rich, &places);

	for (size_t at = 0; at < places.size; at++) {
		uint8_t *byte = t_tables_bytes() + at, before = *byte;
		for (uint32_t value = 0; value < 256; value++) {
			*byte = (uint8_t)value;
			find_all(address);
		}
		*byte = before;
	}
	CU_ASSERT_TRUE(measure_cfi_find(address, &cfi));
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"instructions", test_instructions},
		{"an expression for the frame", test_expression_of_frame},
		{"places of rows", test_places},
		{"a place that is set", test_set_place},
		{"bad instructions", test_bad_instructions},
		{"encodings of addresses", test_encodings},
		{"augmentations", test_augmentations},
		{"the return address's register", test_return_register},
		{"many functions", test_many_functions},
		{"bad headers", test_bad_header},
		{"bad records", test_bad_records},
		{"tables that end early", test_cut},
		{"each byte another", test_each_byte},
		CU_TEST_INFO_NULL,
	};

	return t_suite("unwind tables", NULL, NULL, tests);
}
