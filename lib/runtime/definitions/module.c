/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loaded objects; see code_region.h. What assembly needs to find a function's name later: the
 * file, its build id, and where it was loaded. */
#include "config.h"

#include "code_region.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fingerprint.h"
#include "base/hash.h"
#include "base/loaded.h"
#include "base/page.h"
#include "define.h"
#include "pages.h"

#define FIRST_PARTS 128 /* fills a page */

struct module {
	uintptr_t low;	/* of one executable part */
	uintptr_t high;
	uint64_t identity;
	uintptr_t bias;
	uint32_t id;
	bool is_loaded;
};

static struct module *modules;
static uint32_t nr_parts, max_parts, nr_modules;

struct module_search {
	uintptr_t low; /* of the part that holds the address */
	uintptr_t high;
	struct measure_loaded loaded;
	char build_id[2 * 64 + 1];
};

static void print_hex(char *text, size_t size, const uint8_t *bytes, size_t nr)
{
	*text = '\0';
	for (size_t i = 0; i < nr && 2 * i + 2 < size; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
}

/* Notes are {name size, descriptor size, type, name, descriptor}, each padded to 4. */
static void find_build_id(struct module_search *search, const uint8_t *notes, size_t size)
{
	size_t position = 0;

	while (position + sizeof(ElfW(Nhdr)) <= size) {
		const ElfW(Nhdr) *note = (const void *)(notes + position);
		size_t name = position + sizeof(*note);
		size_t descriptor = name + ((note->n_namesz + 3) & ~3u);

		position = descriptor + ((note->n_descsz + 3) & ~3u);
		if (position > size)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
			memcmp(notes + name, "GNU", 4) == 0)
			print_hex(search->build_id, sizeof(search->build_id), notes + descriptor,
				note->n_descsz);
	}
}

static char path[PATH_MAX]; /* where the file is; under the lock */

static bool read_link(const char *link)
{
	ssize_t length = readlink(link, path, sizeof(path) - 1);

	if (length > 0)
		path[length] = '\0';
	return length > 0;
}

/* The name may be relative to a directory that is the current one no more: the kernel knows
 * better. It asks for the exact pages of the mapping. The program's own file is told as long as
 * this thread lives: that of the process ends with its first thread. But an emulator of another
 * processor stands for the program in the process's alone. */
static void find_path(const struct module_search *search)
{
	const uintptr_t page = measure_page_size();
	char link[64];

	snprintf(path, sizeof(path), "%s", search->loaded.name);
	if (path[0] == '/')
		return;
	snprintf(link, sizeof(link), "/proc/self/map_files/%lx-%lx", search->low & -page,
		(search->high + page - 1) & -page);
	if (path[0])
		read_link(link);
	else if (!read_link("/proc/self/exe"))
		read_link("/proc/thread-self/exe");
}

/* An object's file begins with its headers, and most often so does what is loaded of it. */
static void take_fingerprint(struct module_search *search)
{
	for (size_t i = 0; i < search->loaded.nr_parts; i++) {
		const ElfW(Phdr) *part = &search->loaded.parts[i];
		if (part->p_type != PT_LOAD || part->p_offset != 0 || !(part->p_flags & PF_R))
			continue;
		measure_fingerprint((const void *)(search->loaded.bias + part->p_vaddr),
			part->p_filesz, search->build_id);
		return;
	}
}

static void find_own_build_id(struct module_search *search)
{
	search->build_id[0] = '\0';
	for (size_t i = 0; i < search->loaded.nr_parts; i++) {
		const ElfW(Phdr) *part = &search->loaded.parts[i];
		if (part->p_type == PT_NOTE)
			find_build_id(search, (const void *)(search->loaded.bias + part->p_vaddr),
				part->p_memsz);
	}
	if (search->build_id[0] == '\0')
		take_fingerprint(search);
}

static void take_part(struct module_search *search, const ElfW(Phdr) * part)
{
	search->low = search->loaded.bias + part->p_vaddr;
	search->high = search->low + part->p_memsz;
	find_own_build_id(search);
}

/* What holds the address now; false: nothing that is loaded. */
static bool find_loaded(struct module_search *search, uintptr_t address)
{
	if (!measure_loaded_find(address, &search->loaded))
		return false;
	take_part(search, measure_loaded_part(&search->loaded, address));
	find_path(search);
	return true;
}

/* Of the loader's name and the build id. */
static uint64_t identity(const struct module_search *search)
{
	const char *name = search->loaded.name, *build_id = search->build_id;
	uint64_t hash = measure_hash(MEASURE_HASH_START, name, strlen(name) + 1);

	return measure_hash(hash, build_id, strlen(build_id) + 1);
}

static bool module_is_same(const struct module *module, const struct module_search *search)
{
	return module->low == search->low && module->high == search->high &&
		module->identity == identity(search);
}

static struct module *known(uintptr_t address)
{
	for (uint32_t i = 0; i < nr_parts; i++) {
		if (modules[i].is_loaded && address >= modules[i].low && address < modules[i].high)
			return &modules[i];
	}
	return NULL;
}

static struct module *known_before(const struct module_search *search)
{
	for (uint32_t i = 0; i < nr_parts; i++) {
		if (!modules[i].is_loaded && module_is_same(&modules[i], search))
			return &modules[i];
	}
	return NULL;
}

/* One that is not remembered gets another id when it is met again. */
static void remember(const struct module_search *search, uint32_t id)
{
	if (nr_parts == max_parts &&
		!measure_pages_grow((void **)&modules, &max_parts, FIRST_PARTS, sizeof(*modules)))
		return;
	modules[nr_parts++] = (struct module){
		search->low, search->high, identity(search), search->loaded.bias, id, true};
}

uint32_t measure_module_of(const void *address)
{
	struct module *module = known((uintptr_t)address);
	struct module_search search;

	if (module)
		return module->id;
	if (!find_loaded(&search, (uintptr_t)address))
		return UINT32_MAX;
	module = known_before(&search);
	if (module) {
		module->is_loaded = true;
		return module->id;
	}

	struct measure_def_module def = {nr_modules++, path, search.build_id, search.loaded.bias};
	MEASURE_JOURNAL(module, &def);
	remember(&search, def.id);
	return def.id;
}

uintptr_t measure_module_bias(uint32_t id)
{
	for (uint32_t i = 0; i < nr_parts; i++)
		if (modules[i].id == id)
			return modules[i].bias;
	return 0;
}

/* ------------------------------------------------------------------------ unloading --- */

/* An executable part that is loaded now. */
struct measure_module_present {
	uintptr_t low;
	uintptr_t high;
	uint64_t identity;
};

static bool module_make_room(struct measure_modules_present *present)
{
	return present->nr < present->max ||
	       measure_pages_grow((void **)&present->parts, &present->max, FIRST_PARTS,
		       sizeof(*present->parts));
}

static int note_present(struct dl_phdr_info *info, size_t size, void *data)
{
	struct measure_modules_present *present = data;
	struct module_search found = {.loaded = measure_loaded_of(info)};

	(void)size;
	for (size_t i = 0; i < found.loaded.nr_parts; i++) {
		const ElfW(Phdr) *part = &found.loaded.parts[i];
		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		if (!module_make_room(present))
			return 1;
		take_part(&found, part);
		present->parts[present->nr++] =
			(struct measure_module_present){found.low, found.high, identity(&found)};
	}
	return 0;
}

static bool is_present(const struct measure_modules_present *present, const struct module *module)
{
	for (size_t i = 0; i < present->nr; i++)
		if (present->parts[i].low == module->low &&
			present->parts[i].high == module->high &&
			present->parts[i].identity == module->identity)
			return true;
	return false;
}

bool measure_modules_look(struct measure_modules_present *present)
{
	*present = (struct measure_modules_present){NULL, 0, 0};
	if (dl_iterate_phdr(note_present, present) == 0)
		return true;
	measure_modules_return(present);
	return false;
}

void measure_modules_return(struct measure_modules_present *present)
{
	measure_pages_return(present->parts, present->max * sizeof(*present->parts));
}

/* One that was loaded since is taken for gone, and comes back when it is met again. */
void measure_modules_unloaded(
	const struct measure_modules_present *present, measure_module_fn gone)
{
	for (uint32_t i = 0; i < nr_parts; i++) {
		struct module *module = &modules[i];
		if (!module->is_loaded || is_present(present, module))
			continue;
		module->is_loaded = false;
		gone(module->id);
	}
}
