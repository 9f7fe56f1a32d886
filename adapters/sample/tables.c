/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the unwind tables of loaded code are; see cfi.h. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>

#include "cfi.h"

#ifdef HAVE__DL_FIND_OBJECT
bool measure_cfi_tables(uint64_t address, struct measure_cfi_tables *tables)
{
	struct dl_find_object object;

	if (_dl_find_object((void *)(uintptr_t)address, &object) != 0 || !object.dlfo_eh_frame)
		return false;
	tables->header = object.dlfo_eh_frame;
	tables->begin = object.dlfo_map_start;
	tables->end = object.dlfo_map_end;
	return true;
}
#else
bool measure_cfi_tables(uint64_t address, struct measure_cfi_tables *tables)
{
	(void)address, (void)tables;
	return false;
}
#endif
