/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which version of the lock functions an object was linked to. The loader does not tell a function
 * without versions which one was asked for, but the object says what it needs: one that calls the
 * functions of OpenMP 3.0 names them. */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "libgomp_compat.h"

#define BITS 6

/* What is known of places that call: address << 1 | is old. */
static _Atomic uint64_t known[1 << BITS];

static const ElfW(Dyn) * dynamic_find(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag)
{
	while (dynamic->d_tag != DT_NULL && dynamic->d_tag != tag)
		dynamic++;
	return dynamic->d_tag == tag ? dynamic : NULL;
}

static bool needs_version(const ElfW(Verneed) * need, const char *strings, const char *version)
{
	const ElfW(Vernaux) *one = (const void *)((const char *)need + need->vn_aux);

	for (unsigned i = 0; i < need->vn_cnt; i++) {
		if (strcmp(strings + one->vna_name, version) == 0)
			return true;
		one = (const void *)((const char *)one + one->vna_next);
	}
	return false;
}

/* The C library relocates some of the addresses in the dynamic section. */
static const char *address_of(const struct link_map *object, const ElfW(Dyn) * entry)
{
	ElfW(Addr) address = entry->d_un.d_ptr;

	return (const char *)(address < object->l_addr ? address + object->l_addr : address);
}

static bool object_is_old(const struct link_map *object)
{
	const ElfW(Dyn) *strings = dynamic_find(object->l_ld, DT_STRTAB);
	const ElfW(Dyn) *needs = dynamic_find(object->l_ld, DT_VERNEED);
	const ElfW(Dyn) *nr_needs = dynamic_find(object->l_ld, DT_VERNEEDNUM);
	const ElfW(Verneed) * need;
	bool has_old = false;

	if (!strings || !needs || !nr_needs)
		return false;
	need = (const void *)address_of(object, needs);
	for (unsigned i = 0; i < nr_needs->d_un.d_val; i++) {
		const char *names = address_of(object, strings);
		if (needs_version(need, names, "OMP_3.0"))
			return false;
		has_old |= needs_version(need, names, "OMP_1.0");
		need = (const void *)((const char *)need + need->vn_next);
	}
	return has_old;
}

static __attribute__((noinline)) bool site_look_up(const void *address)
{
	int saved_errno = errno;
	struct link_map *object = NULL;
	Dl_info info;
	bool is_old = dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) && object &&
		      object_is_old(object);

	errno = saved_errno;
	return is_old;
}

bool measure_gomp_has_old_locks(const void *return_address)
{
	uint64_t address = (uintptr_t)return_address;
	_Atomic uint64_t *place = &known[address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS)];
	uint64_t word = atomic_load_explicit(place, memory_order_relaxed);
	bool is_old;

	if (word >> 1 == address)
		return word & 1;
	is_old = site_look_up(return_address);
	atomic_store_explicit(place, address << 1 | is_old, memory_order_relaxed);
	return is_old;
}
