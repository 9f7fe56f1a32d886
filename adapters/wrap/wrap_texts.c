/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts among the values of a call: read with care, since an argument of type `const char *` may
 * point anywhere, and defined once. */
#define _GNU_SOURCE
#include "config.h"

#include "wrap_start.h"

#include <errno.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE_BITS 12 /* pages may be larger, and then several of these are one */
#define NR_PAGES  1024

/* ------------------------------------------------------------------ safe reading --- */

/* Pages that could be read once, by their numbers. One that is unmapped later stays here: then a
 * pointer to it that the function does not follow either would be read. */
static _Atomic uintptr_t readable[NR_PAGES];

static __attribute__((noinline)) bool page_ask(const void *address)
{
	const uintptr_t page = (uintptr_t)address >> PAGE_BITS;
	const struct iovec there = {(void *)(page << PAGE_BITS), 1};
	char byte;
	const struct iovec here = {&byte, 1};
	int saved = errno;
	bool can_read = process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;

	if (can_read)
		atomic_store_explicit(&readable[page % NR_PAGES], page, memory_order_relaxed);
	errno = saved;
	return can_read;
}

bool measure_wrap_can_read(const void *address)
{
	const uintptr_t page = (uintptr_t)address >> PAGE_BITS;

	return page != 0 &&
	       (atomic_load_explicit(&readable[page % NR_PAGES], memory_order_relaxed) == page ||
		       page_ask(address));
}

static size_t text_put(const char *text, char *copy)
{
	return (size_t)(stpcpy(copy, text) - copy);
}

/* The bytes of one character of UTF-8 at `text`; 0: these are none, or a control character. */
static size_t character_size(const unsigned char *text)
{
	const unsigned char first = text[0];
	const size_t size = first < 0x80   ? 1
			    : first < 0xc2 ? 0
			    : first < 0xe0 ? 2
			    : first < 0xf0 ? 3
					   : 4;
	unsigned char low = 0x80, high = 0xbf;

	if (size < 2)
		return first >= ' ' && first != 0x7f ? size : first == '\t' || first == '\n';
	if (first > 0xf4)
		return 0;
	low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : low;
	high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : high;
	for (size_t i = 1; i < size; i++, low = 0x80, high = 0xbf)
		if (text[i] < low || text[i] > high)
			return 0;
	return size;
}

/* What is no text begins where it cannot be text: readers of archives want UTF-8. */
static size_t text_cut(char *copy)
{
	size_t length = 0, size;

	while (copy[length] && (size = character_size((const unsigned char *)copy + length)) > 0)
		length += size;
	copy[length] = '\0';
	return length;
}

size_t measure_wrap_text_copy(const char *text, char copy[MEASURE_WRAP_LONGEST_TEXT + 1])
{
	size_t length = 0;

	if (!text)
		return text_put("(null)", copy);
	do {
		const uintptr_t at = (uintptr_t)text + length;
		size_t room = ((size_t)1 << PAGE_BITS) - at % ((uintptr_t)1 << PAGE_BITS);
		size_t most = MEASURE_WRAP_LONGEST_TEXT - length;
		if (!measure_wrap_can_read(text + length))
			return length > 0 ? text_cut(copy) : text_put("(unreadable)", copy);
		size_t part = strnlen(text + length, room < most ? room : most);
		memcpy(copy + length, text + length, part);
		length += part;
		copy[length] = '\0';
		if (part < room)
			break;
	} while (length < MEASURE_WRAP_LONGEST_TEXT);
	return text_cut(copy);
}

/* -------------------------------------------------------------------- definitions --- */

/* By hash. The id + 1 follows the hash; a thread that comes in between makes a definition of its
 * own, which is unified. */
static struct {
	_Atomic uint64_t hash;
	_Atomic uint32_t id;
} texts[2 * MEASURE_WRAP_MOST_TEXTS];
static _Atomic uint32_t nr_texts;

static uint64_t wrap_text_hash(const char *text, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ? hash : 1;
}

static __attribute__((noinline)) measure_string_t wrap_text_add(
	const char *text, _Atomic uint32_t *place, bool is_ours)
{
	measure_string_t id = measure_string_define(text);

	if (is_ours && id != MEASURE_UNDEFINED)
		atomic_store_explicit(place, id + 1, memory_order_relaxed);
	return id;
}

static measure_string_t text_beyond_limit(void)
{
	static _Atomic uint32_t place;
	uint32_t id = atomic_load_explicit(&place, memory_order_relaxed);

	return id ? id - 1 : wrap_text_add("(beyond the limit of strings)", &place, true);
}

measure_string_t measure_wrap_text_define(const char *text, size_t length)
{
	const uint64_t hash = wrap_text_hash(text, length);
	const size_t nr = sizeof(texts) / sizeof(texts[0]);

	for (size_t i = (size_t)(hash >> 32) % nr;; i = (i + 1) % nr) {
		uint64_t known = atomic_load_explicit(&texts[i].hash, memory_order_relaxed);
		bool is_ours = false;
		if (known == 0) {
			if (atomic_load_explicit(&nr_texts, memory_order_relaxed) >=
				MEASURE_WRAP_MOST_TEXTS)
				return text_beyond_limit();
			is_ours = atomic_compare_exchange_strong_explicit(&texts[i].hash, &known,
				hash, memory_order_relaxed, memory_order_relaxed);
			if (is_ours)
				atomic_fetch_add_explicit(&nr_texts, 1, memory_order_relaxed);
			known = is_ours ? hash : known;
		}
		if (known != hash)
			continue;
		uint32_t id = atomic_load_explicit(&texts[i].id, memory_order_relaxed);
		return id ? id - 1 : wrap_text_add(text, &texts[i].id, is_ours);
	}
}

/* ------------------------------------------------------------------------- values --- */

/* A number without a name is its digits. Not by snprintf(), which may allocate. */
static const char *number_name(int64_t value, char digits[24])
{
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char *place = digits + 23;

	*place = '\0';
	do
		*--place = (char)('0' + left % 10);
	while (left /= 10);
	if (value < 0)
		*--place = '-';
	return place;
}

static const char *enumerator_name(
	const struct measure_wrap_enumerator *enumerator, int64_t value, char digits[24])
{
	for (; enumerator->name; enumerator++)
		if (enumerator->value == value)
			return enumerator->name;
	return number_name(value, digits);
}

static measure_string_t value_text(
	const struct measure_wrap_attribute *attribute, const union measure_wrap_value *value)
{
	char copy[MEASURE_WRAP_LONGEST_TEXT + 1], digits[24];

	if (attribute->type == MEASURE_WRAP_ENUM) {
		const char *name =
			enumerator_name(attribute->enumerators, value->signed_int, digits);
		return measure_wrap_text_define(name, strlen(name));
	}
	size_t length = measure_wrap_text_copy(value->text, copy);
	return measure_wrap_text_define(copy, length);
}

uint32_t measure_wrap_values_convert(const struct measure_wrap_attribute *attributes, uint32_t nr,
	const union measure_wrap_value *values,
	struct measure_typed_value converted[MEASURE_WRAP_MOST_VALUES])
{
	static const uint8_t types[] = {[MEASURE_WRAP_UNSIGNED] = OTF2_TYPE_UINT64,
		[MEASURE_WRAP_SIGNED] = OTF2_TYPE_INT64,
		[MEASURE_WRAP_DOUBLE] = OTF2_TYPE_DOUBLE,
		[MEASURE_WRAP_TEXT] = OTF2_TYPE_STRING,
		[MEASURE_WRAP_ENUM] = OTF2_TYPE_STRING};

	for (uint32_t i = 0; i < nr; i++) {
		converted[i].attribute = attributes[i].id;
		converted[i].type = types[attributes[i].type];
		if (__builtin_expect(attributes[i].type >= MEASURE_WRAP_TEXT, 0))
			converted[i].id = value_text(&attributes[i], &values[i]);
		else
			converted[i].unsigned_int = values[i].unsigned_int;
	}
	return nr;
}
