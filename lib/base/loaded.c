/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding loaded objects; see loaded.h. */
#define _GNU_SOURCE
#include "config.h"

#include "base/loaded.h"

#include <dlfcn.h>
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

struct measure_loaded measure_loaded_of(const struct dl_phdr_info *info)
{
	return (struct measure_loaded){info->dlpi_name ? info->dlpi_name : "", info->dlpi_addr,
		info->dlpi_phdr, info->dlpi_phnum};
}

const ElfW(Phdr) *measure_loaded_part(const struct measure_loaded *loaded, uintptr_t address)
{
	for (size_t i = 0; i < loaded->nr_parts; i++) {
		const ElfW(Phdr) *part = &loaded->parts[i];
		if (part->p_type == PT_LOAD &&
			address - (loaded->bias + part->p_vaddr) < part->p_memsz)
			return part;
	}
	return NULL;
}

#ifdef HAVE__DL_FIND_OBJECT
/* Of the program the kernel tells; an object begins with its headers in memory as in its file,
 * unless a linker script has left them out. */
static bool find_parts(const struct dl_find_object *object, struct measure_loaded *loaded)
{
	const ElfW(Ehdr) *header = object->dlfo_map_start;

	if (loaded->name[0] == '\0') {
		loaded->parts = (const ElfW(Phdr) *)getauxval(AT_PHDR);
		loaded->nr_parts = getauxval(AT_PHNUM);
		return loaded->parts != NULL;
	}
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
		header->e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	loaded->parts = (const void *)((const char *)header + header->e_phoff);
	loaded->nr_parts = header->e_phnum;
	return true;
}

bool measure_loaded_find(uintptr_t address, struct measure_loaded *loaded)
{
	struct dl_find_object object;

	if (_dl_find_object((void *)address, &object) != 0)
		return false;
	loaded->name = object.dlfo_link_map->l_name ? object.dlfo_link_map->l_name : "";
	loaded->bias = object.dlfo_link_map->l_addr;
	return find_parts(&object, loaded) && measure_loaded_part(loaded, address);
}
#else
struct loaded_search {
	uintptr_t address;
	struct measure_loaded *loaded;
};

static int loaded_look(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct loaded_search *search = data;

	(void)size;
	*search->loaded = measure_loaded_of(info);
	return measure_loaded_part(search->loaded, search->address) != NULL;
}

bool measure_loaded_find(uintptr_t address, struct measure_loaded *loaded)
{
	struct loaded_search search = {address, loaded};

	return dl_iterate_phdr(loaded_look, &search) != 0;
}
#endif
