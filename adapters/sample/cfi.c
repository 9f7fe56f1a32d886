/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding the row of an instruction in .eh_frame; see cfi.h. The formats are those of the Linux
 * Standard Base (.eh_frame, .eh_frame_hdr) and of DWARF 4, section 6.4. */
#include "config.h"

#include "cfi.h"

#include <string.h>

/* Encodings of pointers: what they are, and what they are relative to. */
enum { ABSOLUTE = 0x00, ULEB128 = 0x01, UDATA2 = 0x02, UDATA4 = 0x03, UDATA8 = 0x04 };
enum { SLEB128 = 0x09, SDATA2 = 0x0a, SDATA4 = 0x0b, SDATA8 = 0x0c, OMITTED = 0xff };
enum { FORMAT = 0x0f, BASE = 0x70, PC_RELATIVE = 0x10, TABLE_OF_TODAY = 0x3b };

/* What begins a function's program, and what is common to many. */
struct cfi_entry {
	struct measure_cfi_cursor common, own; /* instructions */
	uint64_t begin;                        /* of the function */
	uint64_t size;
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t encoding;
	bool is_augmented;
};

/* ------------------------------------------------------------------------- integers --- */

static uint64_t cfi_fail(struct measure_cfi_cursor *cursor)
{
	cursor->place = cursor->end;
	cursor->is_short = true;
	return 0;
}

uint64_t measure_cfi_fixed(struct measure_cfi_cursor *cursor, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(cursor->end - cursor->place) < size)
		return cfi_fail(cursor);
	memcpy(&value, cursor->place, size);
	cursor->place += size;
	return value;
}

/* Both kinds of LEB128. `sign`: what the last byte has where the rest is ones. */
static uint64_t take_leb(struct measure_cfi_cursor *cursor, uint8_t sign)
{
	uint64_t value = 0, byte = 0x80;
	uint32_t shift = 0;

	for (; byte & 0x80 && shift < 64 && cursor->place < cursor->end; shift += 7) {
		byte = *cursor->place++;
		value |= (byte & 0x7f) << shift;
	}
	if (byte & 0x80)
		return cfi_fail(cursor);
	if (shift < 64 && byte & sign)
		value |= ~UINT64_C(0) << shift;
	return value;
}

uint64_t measure_cfi_unsigned(struct measure_cfi_cursor *cursor)
{
	return take_leb(cursor, 0);
}

int64_t measure_cfi_signed(struct measure_cfi_cursor *cursor)
{
	return (int64_t)take_leb(cursor, 0x40);
}

static uint64_t take_encoded(struct measure_cfi_cursor *cursor, uint8_t encoding)
{
	uint64_t place = (uint64_t)(uintptr_t)cursor->place, value = 0;

	switch (encoding & FORMAT) {
	case ULEB128:
		value = measure_cfi_unsigned(cursor);
		break;
	case UDATA2:
		value = measure_cfi_fixed(cursor, 2);
		break;
	case UDATA4:
		value = measure_cfi_fixed(cursor, 4);
		break;
	case SLEB128:
		value = (uint64_t)measure_cfi_signed(cursor);
		break;
	case SDATA2:
		value = (uint64_t)(int64_t)(int16_t)measure_cfi_fixed(cursor, 2);
		break;
	case SDATA4:
		value = (uint64_t)(int64_t)(int32_t)measure_cfi_fixed(cursor, 4);
		break;
	case ABSOLUTE:
	case UDATA8:
	case SDATA8:
		value = measure_cfi_fixed(cursor, 8);
		break;
	default: /* of a pointer that is left out, there is nothing */
		return encoding == OMITTED ? 0 : cfi_fail(cursor);
	}
	return (encoding & BASE) == PC_RELATIVE ? place + value : value;
}

static void cfi_skip(struct measure_cfi_cursor *cursor, uint64_t size)
{
	if (size > (uint64_t)(cursor->end - cursor->place))
		cfi_fail(cursor);
	else
		cursor->place += size;
}

/* ------------------------------------------------------------------------- entries --- */

/* From an address on that was read somewhere; elsewhere there is nothing to be read. */
static struct measure_cfi_cursor cursor_at(
	const struct measure_cfi_tables *tables, uint64_t address)
{
	uint64_t begin = (uint64_t)(uintptr_t)tables->begin;
	struct measure_cfi_cursor cursor = {tables->end, tables->end, false};

	if (address >= begin && address - begin < (uint64_t)(tables->end - tables->begin))
		cursor.place = tables->begin + (address - begin);
	return cursor;
}

struct header_row {
	int32_t function; /* both relative to the header */
	int32_t entry;
};

static struct header_row row_at(const uint8_t *rows, uint64_t index)
{
	struct header_row row;

	memcpy(&row, rows + index * sizeof(row), sizeof(row));
	return row;
}

/* Says where the entry is that an address belongs to. The header is {version, encodings of: pointer
 * to .eh_frame, number of rows, rows}, the pointer, the number, and the rows in the order of their
 * functions. Linkers write it in one way. */
static bool search(const struct measure_cfi_tables *tables, uint64_t address, uint64_t *entry)
{
	uint64_t header = (uint64_t)(uintptr_t)tables->header, low = 0, high, most;
	struct measure_cfi_cursor cursor = cursor_at(tables, header);
	uint8_t version = (uint8_t)measure_cfi_fixed(&cursor, 1);
	uint8_t of_pointer = (uint8_t)measure_cfi_fixed(&cursor, 1);
	uint8_t of_number = (uint8_t)measure_cfi_fixed(&cursor, 1);
	int64_t sought = (int64_t)(address - header);

	if (measure_cfi_fixed(&cursor, 1) != TABLE_OF_TODAY || version != 1 || of_number != UDATA4)
		return false;
	take_encoded(&cursor, of_pointer);
	high = measure_cfi_fixed(&cursor, 4);
	most = (uint64_t)(cursor.end - cursor.place) / sizeof(struct header_row);
	if (high == 0 || high > most || sought < row_at(cursor.place, 0).function)
		return false;
	while (high - low > 1) {
		uint64_t middle = (low + high) / 2;
		if (row_at(cursor.place, middle).function <= sought)
			low = middle;
		else
			high = middle;
	}
	*entry = header + (uint64_t)(int64_t)row_at(cursor.place, low).entry;
	return true;
}

/* Length, and behind it what it is long. Records of 4 GiB and more have another form; there are
 * none in what can be loaded. */
static struct measure_cfi_cursor record_at(
	const struct measure_cfi_tables *tables, uint64_t address)
{
	struct measure_cfi_cursor cursor = cursor_at(tables, address);
	uint64_t length = measure_cfi_fixed(&cursor, 4);

	if (length > (uint64_t)(cursor.end - cursor.place))
		cfi_fail(&cursor);
	else
		cursor.end = cursor.place + length;
	return cursor;
}

/* Behind the augmentation's text: what its letters stand for. */
static bool read_augmentation(struct measure_cfi_cursor *cursor, const char *text,
	struct cfi_entry *entry, struct measure_cfi *cfi)
{
	struct measure_cfi_cursor behind;

	if (*text != 'z')
		return *text == '\0';
	entry->is_augmented = true;
	uint64_t size = measure_cfi_unsigned(cursor);
	behind = *cursor;
	cfi_skip(&behind, size);
	for (text++; *text; text++) {
		if (*text == 'R')
			entry->encoding = (uint8_t)measure_cfi_fixed(cursor, 1);
		else if (*text == 'P')
			take_encoded(cursor, (uint8_t)measure_cfi_fixed(cursor, 1));
		else if (*text == 'L')
			cfi_skip(cursor, 1);
		else if (*text == 'S')
			cfi->is_signal = true;
	}
	behind.is_short |= cursor->is_short || cursor->place > behind.place;
	*cursor = behind;
	return true;
}

static bool read_common(
	struct measure_cfi_cursor cursor, struct cfi_entry *entry, struct measure_cfi *cfi)
{
	const char *text;
	uint64_t version, number;

	if (measure_cfi_fixed(&cursor, 4) != 0)
		return false;
	version = measure_cfi_fixed(&cursor, 1);
	text = (const char *)cursor.place;
	while (cursor.place < cursor.end && *cursor.place)
		cursor.place++;
	cfi_skip(&cursor, 1);
	entry->code_factor = measure_cfi_unsigned(&cursor);
	entry->data_factor = measure_cfi_signed(&cursor);
	number = version == 1 ? measure_cfi_fixed(&cursor, 1) : measure_cfi_unsigned(&cursor);
	if (cursor.is_short || number >= MEASURE_CFI_REGISTERS ||
		!read_augmentation(&cursor, text, entry, cfi))
		return false;
	cfi->return_register = (uint8_t)number;
	entry->common = cursor;
	return !cursor.is_short;
}

static bool read_entry(const struct measure_cfi_tables *tables, uint64_t address,
	struct cfi_entry *entry, struct measure_cfi *cfi)
{
	struct measure_cfi_cursor cursor = record_at(tables, address);
	uint64_t here = (uint64_t)(uintptr_t)cursor.place;
	uint64_t distance = measure_cfi_fixed(&cursor, 4);

	if (distance == 0 || !read_common(record_at(tables, here - distance), entry, cfi))
		return false;
	entry->begin = take_encoded(&cursor, entry->encoding);
	entry->size = take_encoded(&cursor, entry->encoding & FORMAT);
	if (entry->is_augmented)
		cfi_skip(&cursor, measure_cfi_unsigned(&cursor));
	entry->own = cursor;
	cfi->function = entry->begin;
	cfi->base = cursor.place;
	return !cursor.is_short;
}

/* ---------------------------------------------------------------------- instructions --- */

/* The upper two bits, where they are not 0, and all others. */
enum { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0 };
enum instruction {
	NOTHING = 0x00,
	SET_PLACE = 0x01,
	ADVANCE_1 = 0x02,
	ADVANCE_2 = 0x03,
	ADVANCE_4 = 0x04,
	OFFSET_EXTENDED = 0x05,
	RESTORE_EXTENDED = 0x06,
	UNDEFINED = 0x07,
	SAME_VALUE = 0x08,
	REGISTER = 0x09,
	REMEMBER = 0x0a,
	RESTORE_STATE = 0x0b,
	DEFINE_CFA = 0x0c,
	DEFINE_CFA_REGISTER = 0x0d,
	DEFINE_CFA_OFFSET = 0x0e,
	DEFINE_CFA_EXPRESSION = 0x0f,
	EXPRESSION = 0x10,
	OFFSET_SIGNED = 0x11,
	DEFINE_CFA_SIGNED = 0x12,
	DEFINE_CFA_OFFSET_SIGNED = 0x13,
	VALUE_OFFSET = 0x14,
	VALUE_OFFSET_SIGNED = 0x15,
	VALUE_EXPRESSION = 0x16,
	NEGATE_SIGN_STATE = 0x2d,
	ARGUMENTS_SIZE = 0x2e
};

struct cfi_run {
	struct measure_cfi *cfi;
	const struct cfi_entry *entry;
	struct measure_cfi_cursor cursor;
	uint64_t place; /* the row is for instructions from here on */
	uint64_t until;
};

static void set(struct cfi_run *run, uint64_t number, enum measure_cfi_rule rule, int64_t value)
{
	if (number >= MEASURE_CFI_REGISTERS)
		return;
	run->cfi->row.rules[number] = (uint8_t)rule;
	run->cfi->row.values[number] = (int32_t)value;
}

static void restore(struct cfi_run *run, uint64_t number)
{
	if (number < MEASURE_CFI_REGISTERS)
		set(run, number, run->cfi->initial.rules[number], run->cfi->initial.values[number]);
}

/* In units of the common part. */
static int64_t scaled(const struct cfi_run *run, uint64_t operand)
{
	return (int64_t)(operand * (uint64_t)run->entry->data_factor);
}

static int64_t take_scaled(struct cfi_run *run)
{
	return scaled(run, measure_cfi_unsigned(&run->cursor));
}

static int64_t take_scaled_signed(struct cfi_run *run)
{
	return scaled(run, (uint64_t)measure_cfi_signed(&run->cursor));
}

/* Where an expression lies, which is passed over. */
static int64_t take_expression(struct cfi_run *run)
{
	int64_t place = run->cursor.place - run->cfi->base;

	cfi_skip(&run->cursor, measure_cfi_unsigned(&run->cursor));
	if (place != (int32_t)place)
		cfi_fail(&run->cursor);
	return place;
}

static bool cfi_remember(struct measure_cfi *cfi)
{
	if (cfi->nr_remembered == MEASURE_CFI_REMEMBERED)
		return false;
	cfi->remembered[cfi->nr_remembered++] = cfi->row;
	return true;
}

static bool recall(struct measure_cfi *cfi)
{
	if (cfi->nr_remembered == 0)
		return false;
	cfi->row = cfi->remembered[--cfi->nr_remembered];
	return true;
}

static void define_cfa(struct cfi_run *run, uint64_t number, int64_t offset)
{
	struct measure_cfi_row *row = &run->cfi->row;

	row->cfa_register = number < MEASURE_CFI_REGISTERS ? (uint8_t)number : UINT8_MAX;
	row->cfa_offset = (int32_t)offset;
	row->has_expression = false;
}

/* What defines the frame's address. False: it is another instruction. */
static bool run_cfa(struct cfi_run *run, enum instruction instruction)
{
	struct measure_cfi_cursor *cursor = &run->cursor;
	struct measure_cfi_row *row = &run->cfi->row;
	uint64_t number;

	switch (instruction) {
	case DEFINE_CFA:
		number = measure_cfi_unsigned(cursor);
		define_cfa(run, number, (int64_t)measure_cfi_unsigned(cursor));
		return true;
	case DEFINE_CFA_SIGNED:
		number = measure_cfi_unsigned(cursor);
		define_cfa(run, number, take_scaled_signed(run));
		return true;
	case DEFINE_CFA_REGISTER:
		define_cfa(run, measure_cfi_unsigned(cursor), row->cfa_offset);
		return true;
	case DEFINE_CFA_OFFSET:
		row->cfa_offset = (int32_t)measure_cfi_unsigned(cursor);
		return true;
	case DEFINE_CFA_OFFSET_SIGNED:
		row->cfa_offset = (int32_t)take_scaled_signed(run);
		return true;
	case DEFINE_CFA_EXPRESSION:
		row->cfa_expression = (int32_t)take_expression(run);
		row->has_expression = true;
		return true;
	default:
		return false;
	}
}

/* What says where a register is. False: it is another instruction. */
static bool run_register(struct cfi_run *run, enum instruction instruction)
{
	struct measure_cfi_cursor *cursor = &run->cursor;
	uint64_t number;

	if (instruction < OFFSET_EXTENDED || instruction > VALUE_EXPRESSION)
		return false;
	number = measure_cfi_unsigned(cursor);
	switch (instruction) {
	case OFFSET_EXTENDED:
		set(run, number, MEASURE_CFI_AT, take_scaled(run));
		return true;
	case OFFSET_SIGNED:
		set(run, number, MEASURE_CFI_AT, take_scaled_signed(run));
		return true;
	case VALUE_OFFSET:
		set(run, number, MEASURE_CFI_IS, take_scaled(run));
		return true;
	case VALUE_OFFSET_SIGNED:
		set(run, number, MEASURE_CFI_IS, take_scaled_signed(run));
		return true;
	case RESTORE_EXTENDED:
		restore(run, number);
		return true;
	case UNDEFINED:
		set(run, number, MEASURE_CFI_UNDEFINED, 0);
		return true;
	case SAME_VALUE:
		set(run, number, MEASURE_CFI_SAME, 0);
		return true;
	case REGISTER:
		set(run, number, MEASURE_CFI_REGISTER, (int64_t)measure_cfi_unsigned(cursor));
		return true;
	case EXPRESSION:
		set(run, number, MEASURE_CFI_EXPRESSION, take_expression(run));
		return true;
	case VALUE_EXPRESSION:
		set(run, number, MEASURE_CFI_IS_EXPRESSION, take_expression(run));
		return true;
	default:
		return false;
	}
}

/* False: it is not known. */
static bool run_other(struct cfi_run *run, uint8_t instruction)
{
	struct measure_cfi_cursor *cursor = &run->cursor;

	switch (instruction) {
	case NOTHING:
	case NEGATE_SIGN_STATE: /* signs are taken off all return addresses */
		return true;
	case SET_PLACE:
		run->place = take_encoded(cursor, run->entry->encoding);
		return true;
	case ADVANCE_1:
	case ADVANCE_2:
	case ADVANCE_4:
		run->place += measure_cfi_fixed(cursor, (size_t)1 << (instruction - ADVANCE_1)) *
			      run->entry->code_factor;
		return true;
	case REMEMBER:
		return cfi_remember(run->cfi);
	case RESTORE_STATE:
		return recall(run->cfi);
	case ARGUMENTS_SIZE:
		measure_cfi_unsigned(cursor);
		return true;
	default:
		return run_cfa(run, instruction) || run_register(run, instruction);
	}
}

static bool run_one(struct cfi_run *run)
{
	uint8_t instruction = (uint8_t)measure_cfi_fixed(&run->cursor, 1);
	uint8_t operand = instruction & (ADVANCE - 1);

	switch (instruction & RESTORE) {
	case ADVANCE:
		run->place += operand * run->entry->code_factor;
		return true;
	case OFFSET:
		set(run, operand, MEASURE_CFI_AT, take_scaled(run));
		return true;
	case RESTORE:
		restore(run, operand);
		return true;
	default:
		return run_other(run, instruction);
	}
}

static bool cfi_run_all(struct cfi_run *run, struct measure_cfi_cursor instructions)
{
	run->cursor = instructions;
	while (run->cursor.place < run->cursor.end && run->place <= run->until)
		if (!run_one(run))
			return false;
	return !run->cursor.is_short;
}

bool measure_cfi_find(uint64_t address, struct measure_cfi *cfi)
{
	struct measure_cfi_tables tables;
	struct cfi_entry entry = {.encoding = ABSOLUTE};
	struct cfi_run run = {.cfi = cfi, .entry = &entry};
	uint64_t place;

	cfi->is_signal = false;
	cfi->nr_remembered = 0;
	if (!measure_cfi_tables(address, &tables) || !search(&tables, address, &place) ||
		!read_entry(&tables, place, &entry, cfi))
		return false;
	if (address < entry.begin || address - entry.begin >= entry.size)
		return false;
	memset(&cfi->row, 0, sizeof(cfi->row));
	cfi->initial = cfi->row;
	run.place = 0; /* what is common is for all of it */
	run.until = UINT64_MAX;
	if (!cfi_run_all(&run, entry.common))
		return false;
	cfi->initial = cfi->row;
	run.place = entry.begin;
	run.until = address;
	return cfi_run_all(&run, entry.own);
}
