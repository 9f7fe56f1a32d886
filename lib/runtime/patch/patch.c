/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of sites; see patch.h. Entries are added and changed under the definition lock and
 * stay where they are; hooks look them up without it. */
#include "config.h"

#include "patch.h"

#include <errno.h>
#include <stddef.h>

#include "adapter.h"
#include "runtime/definitions/code_region.h"
#include "runtime/definitions/code_region_inline.h"
#include "runtime/definitions/define.h"
#include "runtime/gate/gate.h"
#include "pages.h"
#include "machine_code.h"

#define MAX_SITES    49152 /* those of more functions only cost a look-up */
#define NR_PLACES    131072
#define JUMPS_OF     (UINT64_C(1) << 62) /* in the key: all jumps of a function ... */
#define JUMP         (UINT64_C(1) << 63) /* ... and one of them */
#define TEXT_AT_ONCE 65536

#define PATIENCE 100000 /* events that go the slow way for a site that is not called */

enum site_state {
	SITE_COUNTING, /* calls; a new one, or put back */
	SITE_WATCHED,  /* ... those of other functions, too */
	SITE_CHANGED,  /* taken out */
	SITE_LEFT,     /* cannot be, or serves several functions */
	SITE_GONE      /* its module is not loaded */
};

struct site {
	uint64_t key; /* written before the place in the table */
	_Atomic uint64_t function;
	_Atomic uint32_t state;
	_Atomic uint32_t calls;
	_Atomic uint32_t due; /* calls after which to try */
	uint32_t module;
	struct measure_change change;
};

struct sites {
	uint32_t nr;
	_Atomic uint32_t places[NR_PLACES]; /* number of the site, from 1; 0: none */
	struct site sites[MAX_SITES];
};

_Atomic bool measure_patch_is_on;
static _Atomic(struct sites *) sites;
static const struct measure_patch_host *host;
static uint64_t hook_enter, hook_exit;
static uint32_t nr_watched; /* under the definition lock */
static _Atomic uint32_t nr_seen_meanwhile;

static uint32_t hash(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % NR_PLACES;
}

static struct site *patch_find(struct sites *table, uint64_t key)
{
	for (uint32_t place = hash(key);; place = (place + 1) % NR_PLACES) {
		uint32_t number = atomic_load_explicit(&table->places[place], memory_order_acquire);
		if (number == 0)
			return NULL;
		if (table->sites[number - 1].key == key)
			return &table->sites[number - 1];
	}
}

static struct site *add_locked(struct sites *table, uint64_t key, uint64_t function)
{
	struct site *site = patch_find(table, key);
	uint32_t place = hash(key);

	if (site || table->nr == MAX_SITES)
		return site;
	site = &table->sites[table->nr++];
	site->key = key;
	site->function = function;
	site->due = MEASURE_PATCH_CALLS;
	site->module = measure_module_of((const void *)(uintptr_t)(key & ~(JUMPS_OF | JUMP)));
	while (atomic_load_explicit(&table->places[place], memory_order_relaxed))
		place = (place + 1) % NR_PLACES;
	atomic_store_explicit(&table->places[place], table->nr, memory_order_release);
	return site;
}

static struct sites *table_locked(void)
{
	struct sites *table = atomic_load(&sites);

	if (table)
		return table;
	table = measure_pages_get(sizeof(*table));
	if (!table)
		atomic_store(&measure_patch_is_on, false);
	atomic_store_explicit(&sites, table, memory_order_release);
	return table;
}

/* --------------------------------------------------------------------- changes --- */

static void patch_set(struct site *site, enum site_state state)
{
	uint32_t old = atomic_load_explicit(&site->state, memory_order_relaxed);

	nr_watched += (uint32_t)((state == SITE_WATCHED) - (old == SITE_WATCHED));
	if (state == SITE_WATCHED) {
		atomic_store_explicit(&nr_seen_meanwhile, 0, memory_order_relaxed);
		measure_gate_change(MEASURE_GATE_OPEN, MEASURE_GATE_WATCHED);
	} else if (nr_watched == 0) {
		measure_gate_change(MEASURE_GATE_WATCHED, MEASURE_GATE_OPEN);
	}
	atomic_store_explicit(&site->state, state, memory_order_relaxed);
	atomic_store_explicit(&site->calls, 0, memory_order_relaxed);
}

static void take_out(struct site *site)
{
	bool is_changed = measure_machine_change(&site->change);

	patch_set(site, is_changed ? SITE_CHANGED : SITE_LEFT);
	if (is_changed)
		host->taken_out();
}

static void put_back(struct site *site, enum site_state state)
{
	measure_machine_restore(&site->change);
	patch_set(site, state);
}

static void try_call(struct site *site, bool is_exit)
{
	const struct measure_code_text text = {
		measure_machine_read, is_exit ? hook_exit : hook_enter};

	if (measure_machine_call(&text, site->key, &site->change))
		take_out(site);
	else
		patch_set(site, SITE_LEFT);
}

/* A jump to the exit hook is the last thing that the function itself does: whatever is inlined
 * there comes before it. */
static void try_jumps(struct sites *table, struct site *jumps)
{
	static uint8_t code[TEXT_AT_ONCE]; /* under the lock */
	const struct measure_code_text text = {measure_machine_read, hook_exit};
	size_t size = measure_machine_function_size(jumps->function);
	struct measure_change change;

	patch_set(jumps, SITE_LEFT);
	if (size == 0 || !measure_machine_read(jumps->function, code, size))
		return;
	for (size_t i = 0; i < size; i++) {
		if (!measure_machine_jump(&text, code, size, jumps->function, i, &change))
			continue;
		struct site *site = add_locked(table, change.address | JUMP, jumps->function);
		if (!site)
			return;
		site->change = change;
		take_out(site);
		patch_set(jumps, SITE_CHANGED);
	}
}

/* Not while somebody has still to leave the function that was entered before it was off. */
static bool is_needed(const struct site *site, bool is_exit)
{
	return is_exit && atomic_load(&measure_code_is_switched) &&
	       host->may_be_open((const void *)(uintptr_t)site->function);
}

static void wait_longer(struct site *site)
{
	uint32_t due = site->due < UINT32_MAX / 2 ? 2 * site->due : UINT32_MAX;

	patch_set(site, SITE_COUNTING);
	site->due = due;
}

static void try_locked(struct sites *table, struct site *site, bool is_exit)
{
	if (!measure_code_is_off(measure_code_find(site->function)))
		return;
	if (is_needed(site, is_exit)) {
		wait_longer(site);
		return;
	}
	if (!measure_machine_open()) {
		patch_set(site, SITE_LEFT);
		atomic_store(&measure_patch_is_on, false);
		return;
	}
	if (site->key & JUMPS_OF)
		try_jumps(table, site);
	else
		try_call(site, is_exit);
	measure_machine_close();
}

/* --------------------------------------------------------------- calls of hooks --- */

static bool is_due(const struct site *site)
{
	uint32_t calls = atomic_load_explicit(&site->calls, memory_order_relaxed);
	uint32_t state = atomic_load_explicit(&site->state, memory_order_relaxed);

	return state == SITE_COUNTING ? calls >= site->due
				      : state == SITE_WATCHED && calls >= MEASURE_PATCH_WATCHED;
}

static void see_locked(uint64_t key, uint64_t function, bool is_exit)
{
	struct sites *table = table_locked();
	struct site *site = table ? add_locked(table, key, function) : NULL;
	uint32_t state;

	if (!site)
		return;
	state = atomic_load_explicit(&site->state, memory_order_relaxed);
	if (state == SITE_GONE) {
		site->function = function;
		site->due = MEASURE_PATCH_CALLS;
		patch_set(site, SITE_COUNTING);
	} else if (site->function != function && state != SITE_LEFT) {
		if (state == SITE_CHANGED && measure_machine_open()) {
			put_back(site, SITE_LEFT);
			measure_machine_close();
		}
		patch_set(site, SITE_LEFT);
	} else if (is_due(site)) {
		if (state == SITE_WATCHED || key & JUMPS_OF)
			try_locked(table, site, is_exit);
		else
			patch_set(site, SITE_WATCHED);
	}
}

static void see(uint64_t key, uint64_t function, bool is_exit)
{
	int saved_errno = errno;
	struct measure_signals saved;

	if (measure_define_is_locked_here())
		return;
	measure_define_lock(&saved);
	see_locked(key, function, is_exit);
	measure_define_unlock(&saved);
	errno = saved_errno;
}

static void expire_locked(struct sites *table)
{
	for (uint32_t i = 0; i < table->nr; i++)
		if (atomic_load(&table->sites[i].state) == SITE_WATCHED)
			wait_longer(&table->sites[i]);
}

static void expire(struct sites *table)
{
	struct measure_signals saved;

	if (measure_define_is_locked_here())
		return;
	measure_define_lock(&saved);
	expire_locked(table);
	measure_define_unlock(&saved);
}

/* Is there nothing to do about a call of this site but to count it? */
static bool patch_count(struct site *site, uint64_t function)
{
	uint32_t state = atomic_load_explicit(&site->state, memory_order_relaxed);
	uint32_t calls;

	if (state == SITE_LEFT)
		return true;
	if (state == SITE_GONE || site->function != function)
		return false;
	if (state == SITE_CHANGED)
		return true;
	calls = atomic_load_explicit(&site->calls, memory_order_relaxed) + 1;
	atomic_store_explicit(&site->calls, calls, memory_order_relaxed);
	return !is_due(site);
}

void measure_patch_watch(const void *function, const void *return_address)
{
	struct sites *table = atomic_load_explicit(&sites, memory_order_acquire);
	struct site *site =
		table && return_address ? patch_find(table, (uintptr_t)return_address) : NULL;

	if (site && site->function != (uintptr_t)function &&
		atomic_load_explicit(&site->state, memory_order_relaxed) != SITE_LEFT)
		see((uintptr_t)return_address, (uintptr_t)function, false);
	if (table &&
		atomic_fetch_add_explicit(&nr_seen_meanwhile, 1, memory_order_relaxed) >= PATIENCE)
		expire(table);
}

void measure_patch_seen(const void *function, const void *return_address, bool is_exit)
{
	struct sites *table = atomic_load_explicit(&sites, memory_order_acquire);
	uint64_t key = return_address ? (uintptr_t)return_address : (uintptr_t)function | JUMPS_OF;
	struct site *site = table ? patch_find(table, key) : NULL;

	if (site ? patch_count(site, (uintptr_t)function) : table && table->nr == MAX_SITES)
		return;
	see(key, (uintptr_t)function, is_exit);
}

/* ------------------------------------------------------------- what others do --- */

static void put_back_all(bool (*is_meant)(const struct site *site, uint64_t what), uint64_t what,
	enum site_state state)
{
	struct sites *table = atomic_load(&sites);

	if (!table || !measure_machine_open())
		return;
	for (uint32_t i = 0; i < table->nr; i++) {
		struct site *site = &table->sites[i];

		if (!is_meant(site, what))
			continue;
		if (atomic_load(&site->state) == SITE_CHANGED && site->change.size)
			put_back(site, state);
		else if (state == SITE_GONE || atomic_load(&site->state) == SITE_CHANGED)
			patch_set(site, state);
	}
	measure_machine_close();
}

static bool is_of_function(const struct site *site, uint64_t function)
{
	return site->function == function;
}

static bool is_of_module(const struct site *site, uint64_t module)
{
	return site->module == module;
}

static void function_is_on(uint64_t function)
{
	put_back_all(is_of_function, function, SITE_COUNTING);
}

static void module_is_gone(uint32_t module)
{
	put_back_all(is_of_module, module, SITE_GONE);
}

static const struct measure_code_watcher watcher = {function_is_on, module_is_gone};

void measure_patch_start(const struct measure_patch_host *with)
{
	host = with;
	measure_code_watch = &watcher;
}

void measure_patch_restart(void)
{
	struct sites *table = atomic_load(&sites);

	if (table)
		expire_locked(table);
}

void measure_function_hooks(const void *enter, const void *exit)
{
	hook_enter = (uintptr_t)enter;
	hook_exit = (uintptr_t)exit;
	atomic_store(&measure_patch_is_on, host && measure_machine_call);
}
