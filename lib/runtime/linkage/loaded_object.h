/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symbols and relocations of an object that the loader has loaded, as they are in memory. */
#ifndef MEASURE_RUNTIME_LINKAGE_LOADED_OBJECT_H
#define MEASURE_RUNTIME_LINKAGE_LOADED_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Valid as long as the object is loaded. */
struct measure_loaded_object {
	const char *path; /* "": the program */
	const char *name; /* the last part of the path */
	uintptr_t bias;
	uintptr_t begin, end; /* of all its segments */
	uintptr_t relro_begin, relro_end; /* whole pages that the loader has made read-only */
	const char *strings;
	const ElfW(Sym) *symbols;
	const uint16_t *versions;   /* of the symbols; NULL: it has none */
	const uint32_t *gnu_hash;   /* NULL: it has none, and its symbols are not found */
	const ElfW(Rela) *tables[2]; /* of data; of functions */
	size_t nr_relocations[2];
};

/* From what dl_iterate_phdr() tells. False: it has no dynamic section, or is the kernel's. */
bool measure_object_read(struct measure_loaded_object *object, const struct dl_phdr_info *info);

/* It is of Measure, with anything that its name begins with libmeasure. */
bool measure_object_is_ours(const struct measure_loaded_object *object);

/* The loader itself. */
bool measure_object_is_loader(const struct measure_loaded_object *object);

/* The address of a function that the object defines, of its default version; 0: it does not, or
 * only its resolver knows. */
uintptr_t measure_object_find(const struct measure_loaded_object *object, const char *name);

/* A word that the loader has filled, or will fill when it is first used, with the address of a
 * function; `name`: that one's. NULL: this relocation is another one. */
uintptr_t *measure_object_slot(
	const struct measure_loaded_object *object, const ElfW(Rela) *relocation, const char **name);

#endif
