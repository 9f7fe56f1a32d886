/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which MPI library answers this program. Handles and constants differ between libraries,
 * so this adapter is of use only to programs of the one it was built for. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "world.h"

/* DT_SONAME of a loaded object; NULL: it has none. */
static const char *soname_of(const struct link_map *object)
{
	const char *strings = NULL;
	const ElfW(Dyn) *soname = NULL;

	for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_STRTAB)
			strings = (const char *)entry->d_un.d_ptr;
		if (entry->d_tag == DT_SONAME)
			soname = entry;
	}
	return strings && soname ? strings + soname->d_un.d_val : NULL;
}

bool measure_library_is_ours(void)
{
	/* The next one behind us in the search order is the one that our PMPI calls reach. */
	void *answering = dlsym(RTLD_NEXT, "PMPI_Init");
	struct link_map *object = NULL;
	const char *soname = NULL;
	Dl_info info;

	if (answering && dladdr1(answering, &info, (void **)&object, RTLD_DL_LINKMAP) && object)
		soname = soname_of(object);
	if (!soname || strcmp(soname, MEASURE_MPI_SONAME) == 0)
		return true;
	fprintf(stderr, "measure: MPI is not recorded: built for %s, but the program uses %s\n",
		MEASURE_MPI_SONAME, soname);
	return false;
}
