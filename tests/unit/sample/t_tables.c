/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables and registers for tests of the unwinder; see t_tables.h. */
#define _GNU_SOURCE
#include "config.h"

#include "t_tables.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "adapters/sample/cfi.h"
#include "adapters/sample/processor.h"

#define ROOM (UINT64_C(1) << 16)

/* Bytes end where the next page begins, which is nobody's. */
static uint8_t *room;
static struct measure_cfi_tables tables;

bool measure_cfi_tables(uint64_t address, struct measure_cfi_tables *found)
{
	*found = tables;
	return address - (uint64_t)(uintptr_t)tables.header + ROOM < 2 * ROOM;
}

uint64_t t_tables_use(const void *bytes, size_t size)
{
	if (!room) {
		room = mmap(
			NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (room == MAP_FAILED || size > ROOM ||
			mprotect(room + ROOM, ROOM, PROT_NONE) != 0)
			abort();
	}
	memmove(room + ROOM - size, bytes, size);
	tables.header = tables.begin = room + ROOM - size;
	tables.end = room + ROOM;
	return (uint64_t)(uintptr_t)tables.header + T_CODE;
}

uint8_t *t_tables_bytes(void)
{
	return room + (tables.header - room);
}

/* ------------------------------------------------------------------------- writing --- */

struct buffer {
	uint8_t bytes[ROOM / 4];
	size_t size;
};

static void put(struct buffer *buffer, uint64_t value, size_t size)
{
	memcpy(buffer->bytes + buffer->size, &value, size);
	buffer->size += size;
}

static void put_bytes(struct buffer *buffer, const void *bytes, size_t size)
{
	if (size)
		memcpy(buffer->bytes + buffer->size, bytes, size);
	buffer->size += size;
}

static void put_unsigned(struct buffer *buffer, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put(buffer, value | 0x80, 1);
	put(buffer, value, 1);
}

/* The last byte must not look like a sign: one more than there need be. */
static void put_signed(struct buffer *buffer, uint64_t value)
{
	for (uint32_t i = 0; i < 4; i++, value >>= 7)
		put(buffer, value | 0x80, 1);
	put(buffer, value & 0x7f, 1);
}

/* An address that is so many bytes from the header; `base` is where that will be. */
static void put_encoded(struct buffer *buffer, uint8_t encoding, uint64_t base, int64_t offset)
{
	uint64_t value = base + (uint64_t)offset;

	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		value = (uint64_t)offset - buffer->size;
	switch (encoding & 0x0f) {
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		put(buffer, value, 2);
		break;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		put(buffer, value, 4);
		break;
	case DW_EH_PE_uleb128:
		put_unsigned(buffer, value);
		break;
	case DW_EH_PE_sleb128:
		put_signed(buffer, value);
		break;
	default:
		put(buffer, value, encoding == DW_EH_PE_omit ? 0 : 8);
		break;
	}
}

/* Lengths are known at the end. */
static size_t open_record(struct buffer *buffer)
{
	put(buffer, 0, 4);
	return buffer->size;
}

static void close_record(struct buffer *buffer, size_t begin)
{
	uint32_t length = (uint32_t)(buffer->size - begin);

	memcpy(buffer->bytes + begin - 4, &length, 4);
}

static void put_augmentation(struct buffer *buffer, const struct t_tables *wanted)
{
	struct buffer data = {.size = 0};

	if (wanted->augmentation[0] != 'z')
		return;
	for (const char *letter = wanted->augmentation + 1; *letter; letter++) {
		if (*letter == 'R')
			put(&data, wanted->encoding, 1);
		if (*letter == 'L')
			put(&data, DW_EH_PE_absptr, 1);
		if (*letter == 'P') {
			put(&data, wanted->personality, 1);
			put_encoded(&data, wanted->personality, 0, 0);
		}
	}
	put_unsigned(buffer, data.size);
	put_bytes(buffer, data.bytes, data.size);
}

static void put_common(struct buffer *buffer, const struct t_tables *wanted)
{
	size_t begin = open_record(buffer);

	put(buffer, 0, 4);
	put(buffer, wanted->version, 1);
	put_bytes(buffer, wanted->augmentation, strlen(wanted->augmentation) + 1);
	put_unsigned(buffer, 1); /* code factor */
	put(buffer, 0x78, 1);    /* data factor: -8 */
	if (wanted->version == 1)
		put(buffer, wanted->return_register, 1);
	else
		put_unsigned(buffer, wanted->return_register);
	put_augmentation(buffer, wanted);
	put_bytes(buffer, wanted->common, wanted->common_size);
	close_record(buffer, begin);
}

static void put_entry(struct buffer *buffer, const struct t_tables *wanted, size_t common,
	uint64_t base, int64_t function)
{
	size_t begin = open_record(buffer);

	put(buffer, begin - common, 4);
	put_encoded(buffer, wanted->encoding, base, function);
	put_encoded(buffer, wanted->encoding & 0x0f, 0, T_SIZE);
	if (wanted->augmentation[0] == 'z')
		put_unsigned(buffer, 0);
	put_bytes(buffer, wanted->own, wanted->own_size);
	close_record(buffer, begin);
}

static void put_all(struct buffer *buffer, const struct t_tables *wanted, uint64_t base,
	struct t_places *places)
{
	static const uint8_t header[] = {
		1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4, 0x3b, 0, 0, 0, 0};

	buffer->size = 0;
	put_bytes(buffer, header, sizeof(header));
	places->count = buffer->size;
	put(buffer, wanted->nr_functions, 4);
	places->first_row = buffer->size;
	buffer->size += (size_t)8 * wanted->nr_functions; /* filled below */
	places->common = buffer->size;
	put_common(buffer, wanted);
	places->entry = buffer->size;
	for (uint32_t i = 0; i < wanted->nr_functions; i++) {
		int32_t function = (int32_t)(T_CODE + 2 * T_SIZE * i);
		int32_t row[] = {function, (int32_t)buffer->size};
		memcpy(buffer->bytes + places->first_row + i * sizeof(row), row, sizeof(row));
		put_entry(buffer, wanted, places->common, base, function);
	}
	places->size = buffer->size;
}

uint64_t t_tables_make(const struct t_tables *wanted, struct t_places *places)
{
	static struct buffer buffer;
	struct t_tables tables_ = *wanted;
	struct t_places unused;
	uint64_t address;

	places = places ? places : &unused;
	if (!tables_.augmentation)
		tables_.augmentation = "zR";
	if (tables_.encoding == 0 && tables_.augmentation[0] == 'z')
		tables_.encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4;
	if (tables_.version == 0)
		tables_.version = 1;
	if (tables_.return_register == 0)
		tables_.return_register = T_RETURN;
	if (tables_.nr_functions == 0)
		tables_.nr_functions = 1;
	put_all(&buffer, &tables_, 0, places);
	address = t_tables_use(buffer.bytes, buffer.size);
	for (int i = 0; i < 2; i++) { /* once more where they are; their size depends on that */
		put_all(&buffer, &tables_, address - T_CODE, places);
		address = t_tables_use(buffer.bytes, buffer.size);
	}
	return address;
}

/* ----------------------------------------------------------------------- registers --- */

#if defined(__x86_64__)
void t_register_set(ucontext_t *context, uint32_t number, uint64_t value)
{
	static const int8_t places[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
		REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
		REG_R15, REG_RIP};

	if (number < sizeof(places))
		context->uc_mcontext.gregs[places[number]] = (greg_t)value;
}
#else
void t_register_set(ucontext_t *context, uint32_t number, uint64_t value)
{
	if (number < 31)
		context->uc_mcontext.regs[number] = value;
	else if (number == MEASURE_STACK_POINTER)
		context->uc_mcontext.sp = value;
	else if (number == MEASURE_PROGRAM_COUNTER)
		context->uc_mcontext.pc = value;
}
#endif
