/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: which bytes are a call of a hook, for x86-64 and arm64 on any machine, and what they
 * become; all that only looks like one is left alone. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/patch/machine_code.h"
#include "../../t_suite.h"

#define BASE UINT64_C(0x400000)
#define SIZE 0x3000
#define HOOK UINT64_C(0x7f0012345678)
#define PLT  (BASE + 0x100)
#define GOT  (BASE + 0x2018)
#define SITE (BASE + 0x1000)

static uint8_t memory[SIZE];

static bool t_read(uint64_t address, void *bytes, size_t size)
{
	if (address < BASE || address - BASE > SIZE - size)
		return false;
	memcpy(bytes, memory + (address - BASE), size);
	return true;
}

static const struct measure_code_text text = {t_read, HOOK};
static const struct measure_code_text near_text = {t_read, BASE + 0x40};

static void t_put(uint64_t address, const void *bytes, size_t size)
{
	memcpy(memory + (address - BASE), bytes, size);
}

static void t_put_u32(uint64_t address, uint64_t value)
{
	uint32_t word = (uint32_t)value;

	t_put(address, &word, sizeof(word));
}

/* "E8 11 22" as bytes; how many. */
static size_t t_code(uint64_t address, const char *hex)
{
	size_t nr = 0;
	char *end;

	for (uint8_t byte = (uint8_t)strtoul(hex, &end, 16); end != hex;
		byte = (uint8_t)strtoul(hex, &end, 16)) {
		t_put(address + nr++, &byte, 1);
		hex = end;
	}
	return nr;
}

static void t_clear(void)
{
	const uint64_t hook = HOOK;

	memset(memory, 0x90, sizeof(memory));
	t_put(GOT, &hook, sizeof(hook));
}

static bool t_is_change(const struct measure_change *change, uint64_t address, const char *before,
	const char *after)
{
	uint8_t bytes[4];
	size_t nr = t_code(BASE, after);
	bool is_equal;

	memcpy(bytes, memory, sizeof(bytes));
	is_equal = memcmp(change->after, bytes, nr) == 0;
	t_code(BASE, before);
	return is_equal && memcmp(change->before, memory, nr) == 0 && change->size == nr &&
	       change->address == address;
}

/* -------------------------------------------------------------------- x86-64 --- */

/* `plt` are the bytes before a jmp *GOT(%rip). */
static void t_x86_plt(const char *plt)
{
	uint64_t at = PLT + t_code(PLT, plt);

	at += t_code(at, "FF 25");
	t_put_u32(at, GOT - (at + 4));
}

static void t_x86_near(uint64_t at, const char *opcode, uint64_t target)
{
	at += t_code(at, opcode);
	t_put_u32(at, target - (at + 4));
}

static void test_x86_calls(void)
{
	static const char *const plts[] = {"", "F3 0F 1E FA", "F3 0F 1E FA F2",
		"F3 0F 1E FA 41 BB 01 00 00 00", "41 BB 07 00 00 00"};
	struct measure_change change;

	for (size_t i = 0; i < sizeof(plts) / sizeof(*plts); i++) {
		t_clear();
		t_x86_plt(plts[i]);
		t_x86_near(SITE, "E8", PLT);
		CU_ASSERT_FATAL(measure_x86_64_call(&text, SITE + 5, &change));
		CU_ASSERT(t_is_change(&change, SITE, "E8", "A9"));
		CU_ASSERT_FALSE(measure_x86_64_call(&near_text, SITE + 5, &change));
	}
	t_clear();
	t_x86_near(SITE, "E8", near_text.hook);
	CU_ASSERT(measure_x86_64_call(&near_text, SITE + 5, &change));
	CU_ASSERT(t_is_change(&change, SITE, "E8", "A9"));
	t_x86_near(SITE, "67 E8", near_text.hook);
	CU_ASSERT(measure_x86_64_call(&near_text, SITE + 6, &change));
	CU_ASSERT(t_is_change(&change, SITE + 1, "E8", "A9"));
	t_x86_near(SITE, "FF 15", GOT);
	CU_ASSERT(measure_x86_64_call(&text, SITE + 6, &change));
	CU_ASSERT(t_is_change(&change, SITE, "FF", "85"));
}

static void test_x86_no_calls(void)
{
	static const char *const others[] = {"E8", "FF 15", "E9", "FF 25"};
	struct measure_change change;

	t_clear();
	CU_ASSERT_FALSE(measure_x86_64_call(&text, SITE, &change));
	CU_ASSERT_FALSE(measure_x86_64_call(&text, 0, &change));
	CU_ASSERT_FALSE(measure_x86_64_call(&text, 5, &change));
	CU_ASSERT_FALSE(measure_x86_64_call(&text, UINT64_MAX, &change));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		t_x86_near(SITE, others[i], BASE + 0x800); /* another function, or a slot of one */
		CU_ASSERT_FALSE(
			measure_x86_64_call(&text, SITE + 4 + (others[i][2] ? 2 : 1), &change));
	}
	t_x86_near(SITE, "E8", UINT64_C(0x7fff0000) + BASE); /* nothing there */
	CU_ASSERT_FALSE(measure_x86_64_call(&text, SITE + 5, &change));
	t_x86_plt("48"); /* not what a linkage table has */
	t_x86_near(SITE, "E8", PLT);
	CU_ASSERT_FALSE(measure_x86_64_call(&text, SITE + 5, &change));
	t_code(SITE, "FF D0 FF D0 FF D0"); /* call *%rax */
	CU_ASSERT_FALSE(measure_x86_64_call(&text, SITE + 6, &change));
}

static void test_x86_jumps(void)
{
	const uint8_t *code = memory + (SITE - BASE);
	struct measure_change change;

	t_clear();
	t_x86_plt("");
	t_x86_near(SITE + 7, "E9", PLT);
	for (size_t i = 0; i < 7; i++)
		CU_ASSERT_FALSE(measure_x86_64_jump(&text, code, 12, SITE, i, &change));
	CU_ASSERT(measure_x86_64_jump(&text, code, 12, SITE, 7, &change));
	CU_ASSERT(t_is_change(&change, SITE + 7, "E9", "C3"));
	CU_ASSERT_FALSE(measure_x86_64_jump(&text, code, 11, SITE, 7, &change));
	t_x86_near(SITE + 7, "FF 25", GOT);
	CU_ASSERT(measure_x86_64_jump(&text, code, 13, SITE, 7, &change));
	CU_ASSERT(t_is_change(&change, SITE + 7, "FF", "C3"));
	CU_ASSERT_FALSE(measure_x86_64_jump(&text, code, 12, SITE, 7, &change));
	t_x86_near(SITE + 7, "E8", PLT);
	CU_ASSERT_FALSE(measure_x86_64_jump(&text, code, 13, SITE, 7, &change));
}

/* --------------------------------------------------------------------- arm64 --- */

static void t_arm_branch(uint64_t at, uint32_t opcode, uint64_t target)
{
	t_put_u32(at, opcode | ((target - at) / 4 & 0x3FFFFFF));
}

/* adrp x16, GOT; ldr x17, [x16, ...]; add; br x17 */
static void t_arm_plt(uint64_t at)
{
	uint64_t pages = (GOT >> 12) - (at >> 12);

	t_put_u32(at, 0x90000010 | (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5);
	t_put_u32(at + 4, 0xF9400211 | (GOT & 0xFFF) / 8 << 10);
	t_put_u32(at + 8, 0x91000210 | (GOT & 0xFFF) << 10);
	t_put_u32(at + 12, 0xD61F0220);
}

static void test_arm_calls(void)
{
	struct measure_change change;

	t_clear();
	t_arm_plt(PLT);
	t_arm_branch(SITE, 0x94000000, PLT);
	CU_ASSERT(measure_arm64_call(&text, SITE + 4, &change));
	CU_ASSERT_EQUAL(change.address, SITE);
	CU_ASSERT_EQUAL(change.size, 4);
	CU_ASSERT_EQUAL(memcmp(change.after, "\x1F\x20\x03\xD5", 4), 0);
	CU_ASSERT_FALSE(measure_arm64_call(&text, SITE + 8, &change));
	CU_ASSERT_FALSE(measure_arm64_call(&text, SITE + 5, &change));
	CU_ASSERT_FALSE(measure_arm64_call(&near_text, SITE + 4, &change));
	t_put_u32(PLT, 0xD503245F); /* bti c */
	t_arm_plt(PLT + 4);
	CU_ASSERT(measure_arm64_call(&text, SITE + 4, &change));
	t_arm_branch(SITE, 0x94000000, near_text.hook);
	CU_ASSERT(measure_arm64_call(&near_text, SITE + 4, &change));
	t_arm_branch(SITE, 0x14000000, near_text.hook);
	CU_ASSERT_FALSE(measure_arm64_call(&near_text, SITE + 4, &change));
	t_put_u32(SITE, 0xD63F0200); /* blr x16 */
	CU_ASSERT_FALSE(measure_arm64_call(&text, SITE + 4, &change));
}

static void test_arm_jumps(void)
{
	const uint8_t *code = memory + (SITE - BASE);
	struct measure_change change;
	uint32_t branch;

	t_clear();
	t_arm_branch(SITE + 8, 0x14000000, near_text.hook);
	CU_ASSERT_FALSE(measure_arm64_jump(&near_text, code, 64, SITE, 8, &change)); /* no ret */
	t_put_u32(SITE + 40, 0xD65F03C0);
	CU_ASSERT(measure_arm64_jump(&near_text, code, 64, SITE, 8, &change));
	memcpy(&branch, change.after, sizeof(branch));
	CU_ASSERT_EQUAL(branch, 0x14000008);
	t_put_u32(SITE, 0xD65F03C0);
	CU_ASSERT(measure_arm64_jump(&near_text, code, 64, SITE, 8, &change));
	memcpy(&branch, change.after, sizeof(branch));
	CU_ASSERT_EQUAL(branch, 0x17FFFFFE);
	CU_ASSERT_FALSE(measure_arm64_jump(&near_text, code, 64, SITE, 6, &change));
	CU_ASSERT_FALSE(measure_arm64_jump(&near_text, code, 64, SITE, 0, &change));
	CU_ASSERT_FALSE(measure_arm64_jump(&near_text, code, 10, SITE, 8, &change));
	CU_ASSERT_FALSE(measure_arm64_jump(&text, code, 64, SITE, 8, &change));
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"calls on x86-64", test_x86_calls},
		{"what is no call on x86-64", test_x86_no_calls},
		{"jumps on x86-64", test_x86_jumps},
		{"calls on arm64", test_arm_calls},
		{"jumps on arm64", test_arm_jumps},
		CU_TEST_INFO_NULL,
	};

	return t_suite("instructions", NULL, NULL, tests);
}
