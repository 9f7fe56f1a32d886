/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Domains and categories; see domains.h. Both are found without a lock, and never given back. */
#include "config.h"

#include "domains.h"

#include <stdatomic.h>
#include <stdio.h>

#include "../common/texts.h"
#include "mutex.h"

static struct measure_mutex mutex;

/* Names are kept texts: equal ones have one address. */
static _Atomic(const char *) domain_names[MOST_DOMAINS]; /* of number + 1 */

uint32_t domain_find(const char *name)
{
	struct measure_text *text = measure_is_recording_followed() && name && *name
					    ? measure_text_find(name, MEASURE_TEXT_VALUE)
					    : NULL;

	for (uint32_t i = 0; text && i < MOST_DOMAINS; i++) {
		const char *known = NULL;
		if (atomic_compare_exchange_strong(&domain_names[i], &known, text->site.name) ||
			known == text->site.name)
			return i + 1;
	}
	return 0;
}

const char *domain_name(uint32_t domain)
{
	return domain ? atomic_load_explicit(&domain_names[domain - 1], memory_order_relaxed)
		      : NULL;
}

/* ------------------------------------------------------------------------- categories --- */

#define CATEGORY_BITS 13
#define MOST_NAMED    4096

/* A hash table that is at most half full. Names are kept texts. */
static struct named_category {
	_Atomic uint64_t key; /* domain << 32 | category; 0: free */
	_Atomic(struct measure_text *) name;
} named[1 << CATEGORY_BITS];
static uint32_t nr_named;

static uint64_t category_key(uint32_t domain, uint32_t category)
{
	return (uint64_t)domain << 32 | category;
}

/* The place of a key, or the free one where it would be. Acquire pairs with the release in
 * category_put(). */
static struct named_category *category_find(uint64_t key)
{
	uint32_t place = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CATEGORY_BITS));
	uint64_t known;

	while ((known = atomic_load_explicit(&named[place].key, memory_order_acquire)) &&
		known != key)
		place = (place + 1) % (1 << CATEGORY_BITS);
	return &named[place];
}

static void category_put(uint64_t key, struct measure_text *name)
{
	measure_mutex_lock(&mutex);
	struct named_category *place = category_find(key);
	const bool is_new = atomic_load(&place->key) == 0;
	if (!is_new || nr_named < MOST_NAMED) {
		nr_named += is_new;
		atomic_store(&place->name, name);
		atomic_store_explicit(&place->key, key, memory_order_release);
	}
	measure_mutex_unlock(&mutex);
}

void category_name(uint32_t domain, uint32_t category, const char *name)
{
	struct measure_text *text = category && measure_is_recording_followed()
					    ? measure_text_find(name, MEASURE_TEXT_VALUE)
					    : NULL;

	if (text)
		category_put(category_key(domain, category), text);
}

/* Until it has a name, its number is one. */
static __attribute__((noinline)) struct measure_text *category_number(
	uint32_t domain, uint32_t category)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", category);
	struct measure_text *text = measure_text_find(number, MEASURE_TEXT_VALUE);
	if (text)
		category_put(category_key(domain, category), text);
	return text;
}

uint32_t category_text(uint32_t domain, uint32_t category, const char **text)
{
	struct named_category *place = category_find(category_key(domain, category));
	struct measure_text *name =
		atomic_load_explicit(&place->key, memory_order_relaxed)
			? atomic_load_explicit(&place->name, memory_order_relaxed)
			: category_number(domain, category);

	*text = name ? name->site.name : "";
	return measure_text_id(name);
}

void domains_restart(void)
{
	mutex = (struct measure_mutex){0};
	measure_texts_restart();
}
