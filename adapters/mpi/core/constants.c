/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Binds what the loader could not: the adapter's references to data of the MPI library, which
 * are weak, so that the adapter can be loaded without that library. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

#include "pmpi.h"

struct elf_image {
	uintptr_t base;
	const Elf64_Rela *relocations;
	size_t nr_relocations;
	const Elf64_Sym *symbols;
	const char *names;
};

/* The loader has made addresses of most of these offsets. */
static const void *image_address(const struct elf_image *image, const ElfW(Dyn) * entry)
{
	const uintptr_t value = entry->d_un.d_ptr;

	return (const void *)(value < image->base ? value + image->base : value);
}

static struct elf_image image_of_adapter(void)
{
	struct elf_image image = {.base = 0};
	Dl_info info;

	if (!dladdr(_DYNAMIC, &info))
		return image;
	image.base = (uintptr_t)info.dli_fbase;
	for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_RELA)
			image.relocations = image_address(&image, entry);
		if (entry->d_tag == DT_RELASZ)
			image.nr_relocations = entry->d_un.d_val / sizeof(Elf64_Rela);
		if (entry->d_tag == DT_SYMTAB)
			image.symbols = image_address(&image, entry);
		if (entry->d_tag == DT_STRTAB)
			image.names = image_address(&image, entry);
	}
	return image;
}

/* All of them are addresses of a whole word, which is the addend where nothing was found. */
static void relocation_bind(
	const struct elf_image *image, const Elf64_Rela *relocation, void *library)
{
	const Elf64_Sym *symbol = &image->symbols[ELF64_R_SYM(relocation->r_info)];
	uintptr_t *word = (uintptr_t *)(image->base + relocation->r_offset);
	uintptr_t address;

	if (ELF64_ST_BIND(symbol->st_info) != STB_WEAK || symbol->st_shndx != SHN_UNDEF ||
		__atomic_load_n(word, __ATOMIC_RELAXED) != (uintptr_t)relocation->r_addend)
		return;
	address = (uintptr_t)dlsym(library, image->names + symbol->st_name);
	if (address)
		__atomic_store_n(word, address + (uintptr_t)relocation->r_addend, __ATOMIC_RELAXED);
}

void measure_constants_bind(void *library)
{
	const struct elf_image image = image_of_adapter();

	if (!image.relocations || !image.symbols || !image.names)
		return;
	for (size_t i = 0; i < image.nr_relocations; i++)
		relocation_bind(&image, &image.relocations[i], library);
}
