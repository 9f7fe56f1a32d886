/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which MPI library answers this program. Handles and constants differ between libraries,
 * so this adapter is of use only to programs of the one it was built for.
 *
 * A program may be linked to it, or open it later, as an interpreter does. It may then be one
 * among several: what counts is whether somebody needs ours. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "next_function.h"
#include "pmpi.h"

#define STEM      "libmpi" /* names of MPI libraries begin so, and those of what is built on them */
#define NR_OTHERS 8
#define NAME_SIZE 512

struct library_search {
	bool is_needed; /* ours, by somebody else than this adapter */
	uint32_t nr_others;
	char others[NR_OTHERS][NAME_SIZE]; /* may have the functions of another one */
};

struct library_names {
	const char *strings;
	const char *soname; /* NULL: it has none */
};

/* The loader has made addresses of most of these offsets. */
static struct library_names library_names_of(const ElfW(Dyn) * dynamic, ElfW(Addr) base)
{
	struct library_names names = {NULL, NULL};
	const ElfW(Dyn) *soname = NULL;

	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		if (dynamic->d_tag == DT_STRTAB)
			names.strings = (const char *)(dynamic->d_un.d_ptr < base
							       ? dynamic->d_un.d_ptr + base
							       : dynamic->d_un.d_ptr);
		if (dynamic->d_tag == DT_SONAME)
			soname = dynamic;
	}
	if (names.strings && soname)
		names.soname = names.strings + soname->d_un.d_val;
	return names;
}

static bool object_needs_ours(const ElfW(Dyn) * dynamic, const char *strings)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == DT_NEEDED &&
			strcmp(strings + dynamic->d_un.d_val, MEASURE_MPI_SONAME) == 0)
			return true;
	return false;
}

static const ElfW(Dyn) * object_dynamic(const struct dl_phdr_info *object)
{
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
	return NULL;
}

static bool is_this_adapter(const ElfW(Dyn) * dynamic)
{
	return dynamic == _DYNAMIC;
}

static int object_look_at(struct dl_phdr_info *object, size_t size, void *context)
{
	const ElfW(Dyn) *dynamic = object_dynamic(object);
	struct library_search *search = context;
	struct library_names names;

	(void)size;
	if (!dynamic || is_this_adapter(dynamic))
		return 0;
	names = library_names_of(dynamic, object->dlpi_addr);
	if (names.strings && object_needs_ours(dynamic, names.strings))
		search->is_needed = true;
	if (names.soname && strncmp(names.soname, STEM, strlen(STEM)) == 0 &&
		strcmp(names.soname, MEASURE_MPI_SONAME) != 0 && search->nr_others < NR_OTHERS)
		snprintf(search->others[search->nr_others++], NAME_SIZE, "%s", object->dlpi_name);
	return 0;
}

static void *library_find_ours(void)
{
	void *ours = dlopen(MEASURE_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD);

	return ours ? ours : RTLD_NEXT;
}

void *measure_library_find(void)
{
	struct library_search search = {.nr_others = 0};

	dl_iterate_phdr(object_look_at, &search);
	for (uint32_t i = 0; !search.is_needed && i < search.nr_others; i++) {
		void *other = dlopen(search.others[i], RTLD_LAZY | RTLD_NOLOAD);

		if (other && dlsym(other, "PMPI_Init"))
			return other;
	}
	/* Behind us in the search order is the one that PMPI calls reach, unless the program has
	 * opened it for itself alone. */
	return !measure_is_attached() && dlsym(RTLD_NEXT, "PMPI_Init") ? RTLD_NEXT
								      : library_find_ours();
}

bool measure_library_is_ours(void)
{
	void *answering = dlsym(measure_library_find(), "PMPI_Init");
	struct link_map *object = NULL;
	const char *soname = NULL;
	Dl_info info;

	if (answering && dladdr1(answering, &info, (void **)&object, RTLD_DL_LINKMAP) && object)
		soname = library_names_of(object->l_ld, object->l_addr).soname;
	if (!soname || strcmp(soname, MEASURE_MPI_SONAME) == 0)
		return true;
	fprintf(stderr,
		"measure: MPI is not recorded: Measure was built for %s, but the program uses %s\n",
		MEASURE_MPI_SONAME, soname);
	return false;
}
