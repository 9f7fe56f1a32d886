/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of a hook in code for arm64; see machine_code.h. Only instructions that the architecture
 * lets be exchanged while others execute them:
 *
 *	bl hook		becomes		nop
 *	b hook		becomes		b to the nearest ret of the function
 */
#include "config.h"

#include <string.h>

#include "machine_code.h"

#define BRANCH    UINT32_C(0x14000000)
#define LINK      UINT32_C(0x94000000)
#define KIND_MASK UINT32_C(0xFC000000)
#define NOP       UINT32_C(0xD503201F)
#define RET       UINT32_C(0xD65F03C0)
#define BTI_C     UINT32_C(0xD503245F)
#define ADRP_X16  UINT32_C(0x90000010)
#define ADRP_MASK UINT32_C(0x9F00001F)
#define LDR_X17   UINT32_C(0xF9400211) /* ldr x17, [x16, #...] */
#define LDR_MASK  UINT32_C(0xFFC003FF)
#define INSN_SIZE 4

static uint32_t word(const uint8_t *code)
{
	uint32_t value;

	memcpy(&value, code, sizeof(value));
	return value;
}

/* The value of `nr` bits with a sign. */
static int64_t extend(uint32_t value, unsigned int nr)
{
	return (int64_t)((uint64_t)value << (64 - nr)) >> (64 - nr);
}

static uint64_t branch_target(uint32_t instruction, uint64_t address)
{
	return address + (uint64_t)(extend(instruction & ~KIND_MASK, 26) * INSN_SIZE);
}

/* An entry of the linkage table: maybe bti c; adrp x16, page; ldr x17, [x16, #slot]; ... */
static bool is_linkage(const struct measure_code_text *text, uint64_t address)
{
	uint8_t code[3 * INSN_SIZE];
	uint64_t page, slot, value;
	size_t at = 0;
	uint32_t adrp, ldr;

	if (!text->read(address, code, sizeof(code)))
		return false;
	if (word(code) == BTI_C)
		at = INSN_SIZE;
	adrp = word(code + at);
	ldr = word(code + at + INSN_SIZE);
	if ((adrp & ADRP_MASK) != ADRP_X16 || (ldr & LDR_MASK) != LDR_X17)
		return false;
	page = ((address + at) & ~UINT64_C(0xFFF)) +
	       (uint64_t)(extend((adrp >> 5 & 0x7FFFF) << 2 | (adrp >> 29 & 3), 21) * 0x1000);
	slot = page + (ldr >> 10 & 0xFFF) * sizeof(value);
	return text->read(slot, &value, sizeof(value)) && value == text->hook;
}

static bool leads_to_hook(const struct measure_code_text *text, uint64_t address)
{
	return address == text->hook || is_linkage(text, address);
}

static bool change_word(
	struct measure_change *change, uint64_t address, uint32_t before, uint32_t after)
{
	*change = (struct measure_change){.address = address, .size = INSN_SIZE};
	memcpy(change->before, &before, INSN_SIZE);
	memcpy(change->after, &after, INSN_SIZE);
	return true;
}

bool measure_arm64_call(const struct measure_code_text *text, uint64_t return_address,
	struct measure_change *change)
{
	uint64_t address = return_address - INSN_SIZE;
	uint8_t code[INSN_SIZE];

	if (address % INSN_SIZE != 0 || !text->read(address, code, sizeof(code)) ||
		(word(code) & KIND_MASK) != LINK ||
		!leads_to_hook(text, branch_target(word(code), address)))
		return false;
	return change_word(change, address, word(code), NOP);
}

/* Of a ret in the code, the one nearest to `place`; `size` where there is none. */
static size_t nearest_ret(const uint8_t *code, size_t size, size_t place)
{
	size_t nearest = size;

	for (size_t at = 0; at + INSN_SIZE <= size; at += INSN_SIZE) {
		size_t distance = at > place ? at - place : place - at;
		size_t least = nearest > place ? nearest - place : place - nearest;

		if (word(code + at) == RET && (nearest == size || distance < least))
			nearest = at;
	}
	return nearest;
}

bool measure_arm64_jump(const struct measure_code_text *text, const uint8_t *code, size_t size,
	uint64_t address, size_t place, struct measure_change *change)
{
	uint64_t from = address + place;
	uint32_t distance;
	size_t ret;

	if (from % INSN_SIZE != 0 || size - place < INSN_SIZE ||
		(word(code + place) & KIND_MASK) != BRANCH ||
		!leads_to_hook(text, branch_target(word(code + place), from)))
		return false;
	ret = nearest_ret(code, size, place);
	if (ret == size)
		return false;
	distance = (uint32_t)(((int64_t)ret - (int64_t)place) / INSN_SIZE);
	return change_word(change, from, word(code + place), BRANCH | (distance & ~KIND_MASK));
}
