/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts; see texts.h. */
#include "config.h"

#include "texts.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "mutex.h"
#include "pages.h"

#define BUCKET_BITS 14
#define BLOCK       (256 * 1024) /* of memory, bytes */

static _Atomic(struct measure_text *) buckets[1 << BUCKET_BITS];

static struct measure_mutex mutex; /* for what follows */
static struct so_far {
	uint32_t nr;
	size_t bytes;
} names, values;
static char *block;
static size_t used = BLOCK;

/* FNV-1a of words, and a last step that brings all of it to the top. */
static uint64_t text_hash(const char *text, size_t length, uint32_t kind)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ kind, word;

	for (; length >= sizeof(word); text += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x100000001b3);
		hash ^= hash >> 29;
	}
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
	return hash * UINT64_C(0x9e3779b97f4a7c15);
}

/* Acquire pairs with the release in text_add(): the entry is whole. */
static struct measure_text *text_look_up(
	const char *text, size_t length, uint32_t kind, uint64_t hash)
{
	struct measure_text *entry =
		atomic_load_explicit(&buckets[hash >> (64 - BUCKET_BITS)], memory_order_acquire);

	while (entry && (entry->hash != hash || entry->kind != kind ||
				strncmp(entry->site.name, text, length) != 0 ||
				entry->site.name[length] != '\0'))
		entry = entry->next;
	return entry;
}

/* Not by malloc(): the program may be in it. */
static void *text_take(size_t size)
{
	size = (size + 15) & ~(size_t)15;
	if (used + size > BLOCK) {
		void *memory = measure_pages_get(BLOCK);
		if (!memory)
			return NULL;
		block = memory;
		used = 0;
	}
	used += size;
	return block + used - size;
}

static struct measure_text *text_add(const char *text, size_t length, uint32_t kind, uint64_t hash)
{
	_Atomic(struct measure_text *) *bucket = &buckets[hash >> (64 - BUCKET_BITS)];
	struct so_far *so_far = kind == MEASURE_TEXT_VALUE ? &values : &names;
	struct measure_text *entry;
	char *copy;

	if (so_far->nr == MEASURE_MOST_TEXTS || so_far->bytes + length > MEASURE_MOST_BYTES)
		return NULL;
	entry = text_take(sizeof(*entry));
	copy = entry ? text_take(length + 1) : NULL;
	if (!copy)
		return NULL;
	so_far->nr++;
	so_far->bytes += length;
	memcpy(copy, text, length);
	copy[length] = '\0';
	*entry = (struct measure_text){.site = {.name = copy, .kind = kind},
		.kind = kind,
		.hash = hash,
		.next = atomic_load_explicit(bucket, memory_order_relaxed)};
	atomic_store_explicit(bucket, entry, memory_order_release);
	return entry;
}

static __attribute__((noinline)) struct measure_text *text_make(
	const char *text, size_t length, uint32_t kind, uint64_t hash)
{
	struct measure_text *entry;
	int saved = errno;

	measure_mutex_lock(&mutex);
	entry = text_look_up(text, length, kind, hash);
	if (!entry)
		entry = text_add(text, length, kind, hash);
	measure_mutex_unlock(&mutex);
	errno = saved;
	return entry;
}

struct measure_text *measure_text_find(const char *text, uint32_t kind)
{
	size_t length = strnlen(text, MEASURE_LONGEST_TEXT);
	uint64_t hash = text_hash(text, length, kind);
	struct measure_text *entry = text_look_up(text, length, kind, hash);

	return entry ? entry : text_make(text, length, kind, hash);
}

static uint32_t text_define(struct measure_site *site)
{
	return measure_string_define(site->name);
}

/* Not in a forked child that is not recorded: another thread of the parent may have had the lock.
 */
uint32_t measure_text_value(const char *value)
{
	return measure_text_id(measure_text_find(value, MEASURE_TEXT_VALUE));
}

uint32_t measure_text_id(struct measure_text *text)
{
	static struct measure_site others = {.name = "(beyond the limit of strings)"};

	return measure_site_id(text ? &text->site : &others, text_define);
}

void measure_texts_restart(void)
{
	mutex = (struct measure_mutex){0};
}
