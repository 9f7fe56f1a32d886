/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Changing what calls lead to; see linkage.h. Threads of the program go on meanwhile: each word is
 * changed by one store, and both its values are right at any time. One that the loader has not
 * resolved yet leads into the object's own table, which is right as well. Of one that another
 * thread resolves just then the loader's value may stay: it is looked at twice. */
#define _GNU_SOURCE
#include "config.h"

#include "runtime/linkage/linkage.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "adapter.h"
#include "loaded_object.h"
#include "mutex.h"
#include "next_function.h"
#include "pages.h"

/* A word that leads to a function of ours. */
struct linkage_slot {
	uintptr_t *place;
	uintptr_t before;
	uintptr_t ours;
	uintptr_t object; /* the base of the one that it lies in */
};

static struct {
	uintptr_t inside;
	struct measure_loaded_object object;
} measures[MEASURE_LINKAGE_MOST];
static uint32_t nr_measures;

static struct linkage_slot *slots;
static uint32_t nr_slots, slots_room;
static struct measure_mutex lock; /* for all that is above */

/* ----------------------------------------------------------------- our own objects --- */

/* Preloaded, the core is one of the objects in which everybody looks for symbols. */
bool measure_is_attached(void)
{
	static _Atomic int known; /* 1: no; 2: yes */

	if (atomic_load(&known) == 0) {
		void *program = dlopen(NULL, RTLD_LAZY);
		const bool is_preloaded = program && dlsym(program, "measure_recording_number");

		dlerror(); /* the program shall not hear of it */
		atomic_store(&known, is_preloaded ? 1 : 2);
	}
	return atomic_load(&known) == 2;
}

static int linkage_look_for(struct dl_phdr_info *info, size_t size, void *data)
{
	const uintptr_t inside = *(const uintptr_t *)data;
	struct measure_loaded_object object;

	(void)size;
	if (!measure_object_read(&object, info) || inside < object.begin || inside >= object.end)
		return 0;
	measures[nr_measures].inside = inside;
	measures[nr_measures++].object = object;
	return 1;
}

static bool linkage_has(uintptr_t inside)
{
	for (uint32_t i = 0; i < nr_measures; i++)
		if (inside >= measures[i].object.begin && inside < measures[i].object.end)
			return true;
	return false;
}

void measure_linkage_add(const void *inside)
{
	uintptr_t address = (uintptr_t)inside;

	measure_mutex_lock(&lock);
	if (nr_measures < MEASURE_LINKAGE_MOST && !linkage_has(address))
		dl_iterate_phdr(linkage_look_for, &address);
	measure_mutex_unlock(&lock);
}

/* -------------------------------------------------------------- what lies behind them --- */

struct linkage_search {
	const char *name;
	uintptr_t found;
	bool is_programs; /* the program itself has it */
};

/* Of the objects in the order in which the loader looks. */
static int linkage_look_behind(struct dl_phdr_info *info, size_t size, void *data)
{
	struct linkage_search *search = data;
	struct measure_loaded_object object;

	(void)size;
	if (!measure_object_read(&object, info) || measure_object_is_ours(&object) ||
		measure_object_is_loader(&object))
		return 0;
	search->found = measure_object_find(&object, search->name);
	search->is_programs = object.path[0] == '\0';
	return search->found != 0;
}

void *measure_function_behind(const char *name, const void *caller)
{
	struct linkage_search search = {.name = name};
	const uintptr_t address = (uintptr_t)caller;
	uint32_t nr = 0;

	while (nr < nr_measures &&
		(address < measures[nr].object.begin || address >= measures[nr].object.end))
		nr++;
	while (nr-- > 0 && !search.found)
		search.found = measure_object_find(&measures[nr].object, name);
	if (!search.found)
		dl_iterate_phdr(linkage_look_behind, &search);
	return (void *)search.found;
}

/* ---------------------------------------------------------------------- changing --- */

struct linkage_change {
	bool (*is_wanted)(uintptr_t inside);
	bool is_complete;
};

/* 0: none of ours stands in for it. What the program defines itself comes before ours, as where
 * they are preloaded. */
static uintptr_t linkage_ours(const struct linkage_change *change, const char *name)
{
	struct linkage_search search = {.name = name};
	uintptr_t ours = 0;

	for (uint32_t i = nr_measures; i-- > 0 && !ours;)
		if (change->is_wanted(measures[i].inside))
			ours = measure_object_find(&measures[i].object, name);
	if (ours)
		dl_iterate_phdr(linkage_look_behind, &search);
	return search.found && search.is_programs ? 0 : ours;
}

/* Makes what the loader has made read-only writable, or takes that back. */
static void linkage_open(const struct measure_loaded_object *object, bool is_open)
{
	if (object->relro_end > object->relro_begin)
		mprotect((void *)object->relro_begin, object->relro_end - object->relro_begin,
			is_open ? PROT_READ | PROT_WRITE : PROT_READ);
}

static bool linkage_is_protected(const struct measure_loaded_object *object, const uintptr_t *place)
{
	return (uintptr_t)place >= object->relro_begin && (uintptr_t)place < object->relro_end;
}

/* Returns whether the object's pages are writable now. */
static bool linkage_store(
	const struct measure_loaded_object *object, uintptr_t *place, uintptr_t value, bool is_open)
{
	if (!is_open && linkage_is_protected(object, place)) {
		linkage_open(object, true);
		is_open = true;
	}
	__atomic_store_n(place, value, __ATOMIC_RELEASE);
	return is_open;
}

static bool linkage_note(const struct measure_loaded_object *object, uintptr_t *place, uintptr_t ours)
{
	if (nr_slots == slots_room && !measure_pages_grow((void **)&slots, &slots_room, 512,
					      sizeof(slots[0])))
		return false;
	slots[nr_slots++] = (struct linkage_slot){
		place, __atomic_load_n(place, __ATOMIC_ACQUIRE), ours, object->begin};
	return true;
}

/* Seen again in the second look, where the loader has resolved it in between. */
static struct linkage_slot *linkage_known(const uintptr_t *place)
{
	for (uint32_t i = 0; i < nr_slots; i++)
		if (slots[i].place == place)
			return &slots[i];
	return NULL;
}

static void linkage_change_table(struct linkage_change *change,
	const struct measure_loaded_object *object, size_t table, bool *is_open)
{
	for (size_t i = 0; i < object->nr_relocations[table]; i++) {
		const char *name;
		uintptr_t *place =
			measure_object_slot(object, &object->tables[table][i], &name);
		uintptr_t ours = place ? linkage_ours(change, name) : 0;

		if (!ours || __atomic_load_n(place, __ATOMIC_ACQUIRE) == ours)
			continue;
		struct linkage_slot *known = linkage_known(place);
		if (known)
			known->before = __atomic_load_n(place, __ATOMIC_ACQUIRE);
		else if (!linkage_note(object, place, ours))
			change->is_complete = false;
		if (known || change->is_complete)
			*is_open = linkage_store(object, place, ours, *is_open);
	}
}

static int linkage_change_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct linkage_change *change = data;
	struct measure_loaded_object object;
	bool is_open = false;

	(void)size;
	if (!measure_object_read(&object, info) || measure_object_is_ours(&object) ||
		measure_object_is_loader(&object))
		return 0;
	for (size_t table = 0; table < 2; table++)
		linkage_change_table(change, &object, table, &is_open);
	if (is_open)
		linkage_open(&object, false);
	return 0;
}

bool measure_linkage_change(bool (*is_wanted)(uintptr_t inside))
{
	struct linkage_change change = {is_wanted, true};

	measure_mutex_lock(&lock);
	for (int look = 0; look < 2; look++)
		dl_iterate_phdr(linkage_change_object, &change);
	measure_mutex_unlock(&lock);
	return change.is_complete;
}

/* --------------------------------------------------------------------- restoring --- */

static int linkage_restore_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct measure_loaded_object object;
	bool is_open = false;

	(void)size, (void)data;
	if (!measure_object_read(&object, info))
		return 0;
	for (uint32_t i = 0; i < nr_slots; i++) {
		const struct linkage_slot *slot = &slots[i];

		if (slot->object == object.begin && (uintptr_t)slot->place < object.end &&
			__atomic_load_n(slot->place, __ATOMIC_ACQUIRE) == slot->ours)
			is_open = linkage_store(&object, slot->place, slot->before, is_open);
	}
	if (is_open)
		linkage_open(&object, false);
	return 0;
}

void measure_linkage_restore(void)
{
	measure_mutex_lock(&lock);
	dl_iterate_phdr(linkage_restore_object, NULL);
	nr_slots = 0;
	measure_mutex_unlock(&lock);
}
