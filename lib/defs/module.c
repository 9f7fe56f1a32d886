/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loaded objects; see module.h. What assembly needs to find a function's name later: the
 * file, its build id, and where it was loaded. */
#include "config.h"

#include "defs/module.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/pages.h"
#include "defs/define.h"

#define FIRST_PARTS 128 /* fills a page */

struct module {
	uintptr_t low;	/* of one executable part */
	uintptr_t high;
	uint32_t id;
};

static struct module *modules;
static uint32_t nr_parts, max_parts, nr_modules;

struct search {
	uintptr_t address;
	struct module found; /* the part that holds it; low == high: none */
	char path[PATH_MAX];
	char build_id[2 * 64 + 1];
	uintptr_t bias;
};

static void print_hex(char *text, size_t size, const uint8_t *bytes, size_t nr)
{
	*text = '\0';
	for (size_t i = 0; i < nr && 2 * i + 2 < size; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
}

/* Notes are {name size, descriptor size, type, name, descriptor}, each padded to 4. */
static void find_build_id(struct search *search, const uint8_t *notes, size_t size)
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

static void describe(struct search *search, const struct dl_phdr_info *info)
{
	search->bias = info->dlpi_addr;
	search->build_id[0] = '\0';
	if (info->dlpi_name && info->dlpi_name[0]) {
		snprintf(search->path, sizeof(search->path), "%s", info->dlpi_name);
	} else {
		ssize_t length = readlink("/proc/self/exe", search->path, PATH_MAX - 1);
		search->path[length < 0 ? 0 : length] = '\0';
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type == PT_NOTE)
			find_build_id(search, (const void *)(info->dlpi_addr + part->p_vaddr),
				part->p_memsz);
	}
}

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD || search->address < low ||
			search->address >= low + part->p_memsz)
			continue;
		search->found = (struct module){low, low + part->p_memsz, 0};
		describe(search, info);
		return 1;
	}
	return 0;
}

static struct module *known(uintptr_t address)
{
	for (uint32_t i = 0; i < nr_parts; i++) {
		if (address >= modules[i].low && address < modules[i].high)
			return &modules[i];
	}
	return NULL;
}

/* One that is not remembered gets another id when it is met again. */
static void remember(const struct module *module)
{
	if (nr_parts == max_parts) {
		uint32_t more = max_parts ? 2 * max_parts : FIRST_PARTS;
		struct module *grown = measure_pages_get(more * sizeof(*grown));
		if (!grown)
			return;
		if (modules)
			memcpy(grown, modules, nr_parts * sizeof(*grown));
		measure_pages_return(modules, max_parts * sizeof(*grown));
		modules = grown;
		max_parts = more;
	}
	modules[nr_parts++] = *module;
}

uint32_t measure_module_of(const void *address)
{
	static struct search search; /* large; under the lock */
	struct module *module = known((uintptr_t)address);

	if (module)
		return module->id;
	search.address = (uintptr_t)address;
	search.found = (struct module){0, 0, 0};
	dl_iterate_phdr(look, &search);
	if (search.found.low == search.found.high)
		return UINT32_MAX;

	search.found.id = nr_modules++;
	struct measure_def_module def = {search.found.id, search.path, search.build_id,
		search.bias};
	MEASURE_JOURNAL(module, &def);
	remember(&search.found);
	return def.id;
}
