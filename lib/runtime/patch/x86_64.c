/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of a hook in code for x86-64; see machine_code.h.
 *
 * One byte changes, the first one of the instruction: that is one store for every processor,
 * wherever the instruction lies, and the rest of it stays what it was.
 *
 *	call hook		E8 rel32	A9 imm32	test $..., %eax
 *	call *hook@GOT(%rip)	FF 15 rel32	85 15 rel32	test %edx, ...(%rip)
 *	jmp hook		E9 rel32	C3		ret
 *	jmp *hook@GOT(%rip)	FF 25 rel32	C3		ret
 *
 * Flags mean nothing across a call, and what lies behind the ret is not reached. */
#include "config.h"

#include <string.h>

#include "machine_code.h"

enum {
	CALL = 0xE8,
	JUMP = 0xE9,
	INDIRECT = 0xFF,
	CALL_GOT = 0x15, /* behind INDIRECT: relative to the next instruction */
	JUMP_GOT = 0x25,
	TEST_IMMEDIATE = 0xA9,
	TEST_MEMORY = 0x85,
	RETURN = 0xC3,
	NEAR_SIZE = 5,
	INDIRECT_SIZE = 6
};

static uint64_t target(const uint8_t *displacement, uint64_t next)
{
	int32_t value;

	memcpy(&value, displacement, sizeof(value));
	return next + (uint64_t)(int64_t)value;
}

static bool holds_hook(const struct measure_code_text *text, uint64_t slot)
{
	uint64_t value;

	return text->read(slot, &value, sizeof(value)) && value == text->hook;
}

/* An entry of the linkage table: endbr64 and mov $index, %r11d may come before, and a bnd prefix,
 * jmp *slot(%rip). */
static bool is_linkage(const struct measure_code_text *text, uint64_t address)
{
	static const uint8_t endbr64[] = {0xF3, 0x0F, 0x1E, 0xFA};
	uint8_t code[17];
	size_t at = 0;

	if (!text->read(address, code, sizeof(code)))
		return false;
	if (memcmp(code, endbr64, sizeof(endbr64)) == 0)
		at += sizeof(endbr64);
	if (code[at] == 0x41 && code[at + 1] == 0xBB)
		at += 6;
	if (code[at] == 0xF2)
		at++;
	return code[at] == INDIRECT && code[at + 1] == JUMP_GOT &&
	       holds_hook(text, target(&code[at + 2], address + at + INDIRECT_SIZE));
}

static bool leads_to_hook(const struct measure_code_text *text, uint64_t address)
{
	return address == text->hook || is_linkage(text, address);
}

static bool change_byte(
	struct measure_change *change, uint64_t address, uint8_t before, uint8_t after)
{
	*change = (struct measure_change){
		.address = address, .size = 1, .before = {before}, .after = {after}};
	return true;
}

bool measure_x86_64_call(const struct measure_code_text *text, uint64_t return_address,
	struct measure_change *change)
{
	uint64_t address = return_address - INDIRECT_SIZE;
	uint8_t code[INDIRECT_SIZE];

	if (!text->read(address, code, sizeof(code)))
		return false;
	if (code[0] == INDIRECT && code[1] == CALL_GOT &&
		holds_hook(text, target(&code[2], return_address)))
		return change_byte(change, address, INDIRECT, TEST_MEMORY);
	if (code[1] == CALL && leads_to_hook(text, target(&code[2], return_address)))
		return change_byte(change, address + 1, CALL, TEST_IMMEDIATE);
	return false;
}

bool measure_x86_64_jump(const struct measure_code_text *text, const uint8_t *code, size_t size,
	uint64_t address, size_t place, struct measure_change *change)
{
	uint64_t from = address + place;

	if (size - place >= NEAR_SIZE && code[place] == JUMP &&
		leads_to_hook(text, target(&code[place + 1], from + NEAR_SIZE)))
		return change_byte(change, from, JUMP, RETURN);
	if (size - place >= INDIRECT_SIZE && code[place] == INDIRECT &&
		code[place + 1] == JUMP_GOT &&
		holds_hook(text, target(&code[place + 2], from + INDIRECT_SIZE)))
		return change_byte(change, from, INDIRECT, RETURN);
	return false;
}
