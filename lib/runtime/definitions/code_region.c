/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions known by a code address; see code_region_inline.h for the look-up. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "adapter.h"
#include "code_region.h"
#include "code_region_inline.h"
#include "define.h"
#include "region_filter.h"
#include "pages.h"

#define FIRST_SLOTS 1024
#define CONSTRUCT   (UINT64_C(1) << 63) /* in the key of what is no function */

_Atomic(struct measure_code_table *) measure_codes;
_Atomic bool measure_code_is_switched;
measure_code_verdict_fn measure_code_verdict;
const struct measure_code_watcher *measure_code_watch;

static struct measure_code_table *make_table(uint32_t nr_slots)
{
	struct measure_code_table *table =
		measure_pages_get(sizeof(*table) + nr_slots * sizeof(table->slots[0]));

	if (table)
		table->mask = nr_slots - 1;
	return table;
}

measure_status_t measure_code_start(void)
{
	struct measure_code_table *table = make_table(FIRST_SLOTS);

	if (!table)
		return MEASURE_ERROR_MEMORY;
	atomic_store(&measure_codes, table);
	return MEASURE_OK;
}

static void insert(struct measure_code_table *table, uint64_t key, uint32_t region,
	uint32_t module)
{
	uint32_t place = measure_code_hash(key);

	while (atomic_load_explicit(&table->slots[place & table->mask].key, memory_order_relaxed))
		place++;

	struct measure_code_slot *slot = &table->slots[place & table->mask];
	atomic_store_explicit(&slot->region, region, memory_order_relaxed);
	slot->module = module;
	atomic_store_explicit(&slot->key, key, memory_order_release);
	table->used++;
}

/* Replaces a table that is half full; readers of the old one find what they need in it or
 * come here again. Without memory the table goes on filling up: one slot stays empty. */
static struct measure_code_table *code_region_make_room(struct measure_code_table *table)
{
	uint32_t nr_slots = table->mask + 1;

	if (table->used < nr_slots / 2)
		return table;
	struct measure_code_table *larger = make_table(2 * nr_slots);
	if (!larger)
		return table->used < table->mask ? table : NULL;
	larger->older = table;
	for (uint32_t i = 0; i < nr_slots; i++) {
		const struct measure_code_slot *slot = &table->slots[i];
		uint64_t key = atomic_load(&slot->key);
		if (key)
			insert(larger, key, atomic_load(&slot->region), slot->module);
	}
	atomic_store_explicit(&measure_codes, larger, memory_order_release);
	return larger;
}

/* The region that an address had when its module was loaded at the same place before. */
static uint32_t revive(uint64_t key, uint32_t module)
{
	struct measure_code_table *table = atomic_load(&measure_codes);
	uint32_t place = measure_code_hash(key);

	for (;; place++) {
		struct measure_code_slot *slot = &table->slots[place & table->mask];
		uint64_t found = atomic_load(&slot->key);
		if (found == 0)
			return MEASURE_UNDEFINED;
		if (found == key && slot->module == module)
			return atomic_fetch_and(&slot->region, ~MEASURE_CODE_GONE) &
				~MEASURE_CODE_GONE;
	}
}

static uint32_t journal_region(const void *address, uint32_t module, const char *prefix,
	uint8_t role, uint8_t paradigm)
{
	struct measure_def_code_region def = {measure_region_next_id(), (uintptr_t)address,
		module, prefix, role, paradigm};

	MEASURE_JOURNAL(code_region, &def);
	return def.id;
}

static uint32_t decide(uint32_t region, const void *address, uint32_t module, const char *prefix,
	uint8_t role, uint8_t paradigm)
{
	const struct measure_region_info info = {
		.name = prefix, .role = role, .paradigm = paradigm};

	if (prefix)
		return measure_region_filter_region(region, &info);
	if (measure_code_verdict && !measure_code_verdict(region, address, module))
		return region | MEASURE_CODE_OFF;
	return measure_region_filter_mark(region);
}

static uint32_t define_locked(uint64_t key, const void *address, const char *prefix, uint8_t role,
	uint8_t paradigm)
{
	uint32_t module = measure_module_of(address);
	uint32_t region = revive(key, module);

	if (region != MEASURE_UNDEFINED)
		return region;
	region = journal_region(address, module, prefix, role, paradigm);
	region = decide(region, address, module, prefix, role, paradigm);
	struct measure_code_table *table = code_region_make_room(atomic_load(&measure_codes));
	if (table)
		insert(table, key, region, module);
	return region;
}

/* Somebody else may have been first: the look-up is repeated under the lock. */
static uint32_t code_region_define(
	uint64_t key, const void *address, const char *prefix, uint8_t role, uint8_t paradigm)
{
	struct measure_signals saved;
	int saved_errno = errno;

	measure_define_lock(&saved);
	uint32_t region = measure_code_find(key);
	if (region == MEASURE_UNDEFINED)
		region = define_locked(key, address, prefix, role, paradigm);
	measure_define_unlock(&saved);
	errno = saved_errno;
	return region;
}

uint32_t measure_code_define(const void *function)
{
	return code_region_define((uintptr_t)function, function, NULL, OTF2_REGION_ROLE_FUNCTION,
		OTF2_PARADIGM_COMPILER);
}

static bool is_function(const struct measure_code_slot *slot, uint32_t region)
{
	uint64_t key = atomic_load(&slot->key);
	uint32_t found = atomic_load(&slot->region);

	return key != 0 && !(key & CONSTRUCT) &&
	       (found & ~MEASURE_CODE_MARKS) == region;
}

bool measure_code_is_recorded(uint32_t region)
{
	const struct measure_code_table *table = atomic_load(&measure_codes);

	for (uint32_t i = 0; i <= table->mask; i++)
		if (is_function(&table->slots[i], region))
			return !(atomic_load(&table->slots[i].region) & MEASURE_CODE_OFF);
	return false;
}

static bool switch_slot(struct measure_code_slot *slot, uint32_t region, bool is_recorded)
{
	if (!is_function(slot, region))
		return false;
	if (is_recorded)
		atomic_fetch_and(&slot->region, ~MEASURE_CODE_OFF);
	else
		atomic_fetch_or(&slot->region, MEASURE_CODE_OFF);
	return true;
}

/* Whoever looks into a table that has been replaced must see it there, too. */
static void switch_slots(uint32_t region, bool is_recorded)
{
	struct measure_code_table *newest = atomic_load(&measure_codes);

	for (struct measure_code_table *table = newest; table; table = table->older) {
		for (uint32_t i = 0; i <= table->mask; i++) {
			struct measure_code_slot *slot = &table->slots[i];

			if (switch_slot(slot, region, is_recorded) && is_recorded &&
				table == newest && measure_code_watch)
				measure_code_watch->is_on(atomic_load(&slot->key));
		}
	}
}

void measure_code_switch(uint32_t region, bool is_recorded)
{
	int saved_errno = errno;
	struct measure_signals saved;

	measure_define_lock(&saved);
	atomic_store(&measure_code_is_switched, true);
	switch_slots(region, is_recorded);
	measure_define_unlock(&saved);
	errno = saved_errno;
}

static void forget_module(uint32_t module)
{
	struct measure_code_table *table = atomic_load(&measure_codes);

	for (uint32_t i = 0; i <= table->mask; i++) {
		struct measure_code_slot *slot = &table->slots[i];
		if (atomic_load(&slot->key) && slot->module == module)
			atomic_fetch_or(&slot->region, MEASURE_CODE_GONE);
	}
	measure_contexts_forget();
	if (measure_code_watch)
		measure_code_watch->is_gone(module);
}

void measure_code_unloaded(void)
{
	struct measure_modules_present present;
	struct measure_signals saved;

	if (!measure_modules_look(&present))
		return;
	measure_define_lock(&saved);
	measure_modules_unloaded(&present, forget_module);
	measure_define_unlock(&saved);
	measure_modules_return(&present);
}

/* In all tables, as somebody may look into an older one. */
static void mark_slots(uint64_t key, uint32_t region)
{
	for (struct measure_code_table *table = atomic_load(&measure_codes); table;
		table = table->older) {
		for (uint32_t place = measure_code_hash(key);; place++) {
			struct measure_code_slot *slot = &table->slots[place & table->mask];
			const uint64_t found = atomic_load(&slot->key);

			if (found == 0)
				break;
			if (is_function(slot, region & ~MEASURE_CODE_MARKS))
				atomic_store(&slot->region, region);
		}
	}
}

void measure_code_decide_again(void)
{
	const struct measure_code_table *table;
	struct measure_signals saved;

	measure_code_unloaded(); /* what nobody has seen */
	measure_define_lock(&saved);
	table = atomic_load(&measure_codes);
	for (uint32_t i = 0; i <= table->mask; i++) {
		const struct measure_code_slot *slot = &table->slots[i];
		const uint64_t key = atomic_load(&slot->key);
		const uint32_t region = atomic_load(&slot->region);

		if (key != 0 && !(key & CONSTRUCT) && !(region & MEASURE_CODE_GONE))
			mark_slots(key, decide(region & ~MEASURE_CODE_MARKS,
						(const void *)(uintptr_t)key, slot->module, NULL,
						0, 0));
	}
	measure_define_unlock(&saved);
}

/* 63 mixed bits of (address, prefix): for two of 10,000 constructs to meet is a matter of
 * 1 in 10^11. */
static uint64_t construct_key(const void *address, const char *prefix)
{
	uint64_t z = (uintptr_t)address * UINT64_C(0xbf58476d1ce4e5b9) ^ (uintptr_t)prefix;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31)) | CONSTRUCT;
}

measure_region_t measure_region_at(const void *address, const char *prefix, uint8_t role,
	uint8_t paradigm)
{
	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	if (!prefix)
		return measure_code_region(address) & ~MEASURE_CODE_MARKS;

	uint64_t key = construct_key(address, prefix);
	uint32_t region = measure_code_find(key);
	return region != MEASURE_UNDEFINED
		       ? region
		       : code_region_define(key, address, prefix, role, paradigm);
}
