/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loaded objects; see loaded_object.h. */
#define _GNU_SOURCE
#include "config.h"

#include "runtime/linkage/loaded_object.h"

#include <string.h>

#define PAGE ((uintptr_t)4096)

#define OURS   "libmeasure"
#define LOADER "ld-linux"

#if defined(__x86_64__)
enum { RELOCATION_FUNCTION = R_X86_64_JUMP_SLOT, RELOCATION_ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { RELOCATION_FUNCTION = R_AARCH64_JUMP_SLOT, RELOCATION_ADDRESS = R_AARCH64_GLOB_DAT };
#else /* to attach to a process is for none of them */
enum { RELOCATION_FUNCTION = 0, RELOCATION_ADDRESS = 0 };
#endif

#define VERSION_HIDDEN 0x8000 /* another one is the default */

/* The loader has made addresses of most of these offsets. */
static const void *object_address(const struct measure_loaded_object *object, const ElfW(Dyn) *entry)
{
	const uintptr_t value = entry->d_un.d_ptr;

	return (const void *)(value < object->bias ? value + object->bias : value);
}

static void object_take(struct measure_loaded_object *object, const ElfW(Dyn) *entry)
{
	const size_t nr = entry->d_un.d_val / sizeof(ElfW(Rela));

	switch (entry->d_tag) {
	case DT_STRTAB:
		object->strings = object_address(object, entry);
		break;
	case DT_SYMTAB:
		object->symbols = object_address(object, entry);
		break;
	case DT_VERSYM:
		object->versions = object_address(object, entry);
		break;
	case DT_GNU_HASH:
		object->gnu_hash = object_address(object, entry);
		break;
	case DT_RELA:
		object->tables[0] = object_address(object, entry);
		break;
	case DT_RELASZ:
		object->nr_relocations[0] = nr;
		break;
	case DT_JMPREL:
		object->tables[1] = object_address(object, entry);
		break;
	case DT_PLTRELSZ:
		object->nr_relocations[1] = nr;
		break;
	default:
		break;
	}
}

static void object_take_part(struct measure_loaded_object *object, const ElfW(Phdr) *part)
{
	const uintptr_t begin = object->bias + part->p_vaddr, end = begin + part->p_memsz;

	if (part->p_type == PT_LOAD) {
		object->begin = begin < object->begin ? begin : object->begin;
		object->end = end > object->end ? end : object->end;
	} else if (part->p_type == PT_GNU_RELRO) {
		object->relro_begin = begin & ~(PAGE - 1);
		object->relro_end = end & ~(PAGE - 1);
	}
}

bool measure_object_read(struct measure_loaded_object *object, const struct dl_phdr_info *info)
{
	const char *path = info->dlpi_name ? info->dlpi_name : "", *slash = strrchr(path, '/');
	const ElfW(Dyn) *dynamic = NULL;

	*object = (struct measure_loaded_object){.path = path,
		.name = slash ? slash + 1 : path,
		.bias = info->dlpi_addr,
		.begin = UINTPTR_MAX};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		object_take_part(object, &info->dlpi_phdr[i]);
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(object->bias + info->dlpi_phdr[i].p_vaddr);
	}
	if (!dynamic || strncmp(path, "linux-vdso", strlen("linux-vdso")) == 0)
		return false;
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		object_take(object, dynamic);
	return object->strings && object->symbols;
}

bool measure_object_is_ours(const struct measure_loaded_object *object)
{
	return strncmp(object->name, OURS, strlen(OURS)) == 0;
}

bool measure_object_is_loader(const struct measure_loaded_object *object)
{
	return strncmp(object->name, LOADER, strlen(LOADER)) == 0;
}

/* -------------------------------------------------------------------- symbols --- */

static uint32_t gnu_hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (uint8_t)*name;
	return hash;
}

static bool symbol_is(const struct measure_loaded_object *object, uint32_t number, const char *name)
{
	const ElfW(Sym) *symbol = &object->symbols[number];

	return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
	       !(object->versions && object->versions[number] & VERSION_HIDDEN) &&
	       strcmp(object->strings + symbol->st_name, name) == 0;
}

/* The table: numbers of buckets, of the first symbol in them, of words of the filter, and a shift;
 * the filter; the buckets; the hashes of all symbols from the first one on, whose lowest bit ends a
 * bucket. */
uintptr_t measure_object_find(const struct measure_loaded_object *object, const char *name)
{
	const uint32_t hash = gnu_hash_of(name), *table = object->gnu_hash;

	if (!table || table[0] == 0)
		return 0;
	const uint64_t *filter = (const uint64_t *)&table[4];
	const uint32_t *buckets = (const uint32_t *)&filter[table[2]];
	const uint32_t *hashes = &buckets[table[0]];
	const uint64_t word = filter[hash / 64 % table[2]];
	uint32_t number = buckets[hash % table[0]];

	if (!(word >> hash % 64 & word >> (hash >> table[3]) % 64 & 1) || number < table[1])
		return 0;
	for (;; number++) {
		const uint32_t found = hashes[number - table[1]];
		if ((found | 1) == (hash | 1) && symbol_is(object, number, name))
			return object->bias + object->symbols[number].st_value;
		if (found & 1)
			return 0;
	}
}

uintptr_t *measure_object_slot(
	const struct measure_loaded_object *object, const ElfW(Rela) *relocation, const char **name)
{
	const uint32_t type = (uint32_t)ELF64_R_TYPE(relocation->r_info);
	const uint32_t symbol = (uint32_t)ELF64_R_SYM(relocation->r_info);

	if ((type != RELOCATION_FUNCTION && type != RELOCATION_ADDRESS) || symbol == 0)
		return NULL;
	*name = object->strings + object->symbols[symbol].st_name;
	return (uintptr_t *)(object->bias + relocation->r_offset);
}
