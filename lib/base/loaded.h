/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loaded object (program, library, plug-in) that holds a code address, found without the
 * loader's locks: a hook may be called under them, as by a callback of dl_iterate_phdr(). */
#ifndef MEASURE_BASE_LOADED_H
#define MEASURE_BASE_LOADED_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Valid as long as the object is loaded. */
struct measure_loaded {
	const char *name; /* as the loader has it; "": the program */
	uintptr_t bias;	  /* run-time address - ELF address */
	const ElfW(Phdr) *parts;
	size_t nr_parts;
};

/* False: nothing that is loaded. Async-signal-safe with glibc 2.35 and newer; an older one has no
 * such function, and dl_iterate_phdr() stands in for it. The object must not be unloaded
 * meanwhile: it is, as a rule, the one that calls. */
bool measure_loaded_find(uintptr_t address, struct measure_loaded *loaded);

/* What dl_iterate_phdr() tells, in the same words. */
struct measure_loaded measure_loaded_of(const struct dl_phdr_info *info);

/* The loadable part that holds an address; NULL: none. */
const ElfW(Phdr) *measure_loaded_part(const struct measure_loaded *loaded, uintptr_t address);

#endif
