/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses and files of the OpenMP run-time library; see ompt_library.h. */
#include "config.h"

#include "ompt_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "adapter.h"

static struct {
	uintptr_t inside; /* an address in it */
	uintptr_t begin, end;
} runtime_library;

bool measure_ompt_is_runtime(const void *address)
{
	return (uintptr_t)address >= runtime_library.begin &&
	       (uintptr_t)address < runtime_library.end;
}

static int look_at_module(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
			runtime_library.inside < begin ||
			runtime_library.inside >= begin + segment->p_memsz)
			continue;
		runtime_library.begin = begin;
		runtime_library.end = begin + segment->p_memsz;
		return 1;
	}
	return 0;
}

void measure_ompt_library_note(ompt_set_callback_t function)
{
	memcpy(&runtime_library.inside, &function, sizeof(function));
	dl_iterate_phdr(look_at_module, NULL);
}

/* Says in which file an address lies. */
static void library_define(const char *property, const void *address)
{
	Dl_info info;

	if (address && dladdr(address, &info) && info.dli_fname)
		measure_property_define(property, info.dli_fname);
}

/* GCC's library is there too. */
static int other_library_define(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *slash = strrchr(info->dlpi_name, '/');

	(void)size;
	(void)data;
	if (!slash || strncmp(slash, "/libgomp.so", strlen("/libgomp.so")) != 0)
		return 0;
	measure_property_define("OPENMP_OTHER_LIBRARY", info->dlpi_name);
	return 1;
}

void measure_ompt_library_describe(const void *address)
{
	library_define("OPENMP_LIBRARY", address);
	dl_iterate_phdr(other_library_define, NULL);
}

static bool is_for_gcc;

bool measure_ompt_is_for_gcc(void)
{
	return is_for_gcc;
}

void measure_ompt_library_is_linked(void)
{
	is_for_gcc = dlsym(RTLD_DEFAULT, "measure_openmp_stand_in") != NULL;
	if (is_for_gcc)
		library_define("OPENMP_STAND_IN", dlsym(RTLD_DEFAULT, "GOMP_parallel"));
}
