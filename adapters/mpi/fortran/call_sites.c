/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells by the names of the calling function and of its file whose call it is. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "call_sites.h"

/* What is known of call sites: open addressing, nothing is ever removed; a site is its address << 1
 * | the answer. There are about 400 sites in Open MPI's Fortran bindings. */
#define NR_SITES  4096u
#define NR_PROBES 16u
struct site_answers {
	_Atomic uintptr_t sites[NR_SITES];
};
typedef bool site_find_out_fn(enum measure_call call, const void *site);

static inline bool site_answer(struct site_answers *answers, site_find_out_fn *find_out,
	enum measure_call call, const void *site)
{
	const uintptr_t address = (uintptr_t)site;
	const uintptr_t home = (address * 0x9e3779b97f4a7c15u) >> 32;
	bool answer;

	for (uintptr_t i = 0; i < NR_PROBES; i++) {
		_Atomic uintptr_t *slot = &answers->sites[(home + i) % NR_SITES];
		uintptr_t known = atomic_load_explicit(slot, memory_order_relaxed);

		if (known >> 1 == address)
			return known & 1;
		if (known)
			continue;
		answer = find_out(call, site);
		atomic_compare_exchange_strong_explicit(slot, &known, address << 1 | answer,
			memory_order_relaxed, memory_order_relaxed);
		return answer;
	}
	return find_out(call, site);
}

/* -------------------------------------------------------------------- Fortran --- */

/* What bindings append to the name: compilers' manglings, and Open MPI's and MPICH's marks. */
static const char *const endings[] = {"", "_", "__", "_f", "_f08", "_f08_", "_f08ts_"};
static const char *const large_endings[] = {"_f08_large_", "_f08ts_large_"};
#define NR_ENDINGS       (sizeof(endings) / sizeof(endings[0]))
#define NR_LARGE_ENDINGS (sizeof(large_endings) / sizeof(large_endings[0]))

static bool is_one_of(const char *text, const char *const *list, size_t nr_list)
{
	for (size_t i = 0; i < nr_list; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

/* Whether `symbol` (ompi_send_f, mpi_send__, MPI_SEND, mpi_send_f08_) is a binding of `name`
 * (MPI_Send). The large-count call MPI_Send_c is a variant of MPI_Send in Fortran. */
static bool is_binding(const char *symbol, const char *name)
{
	const size_t length = strlen(name);
	const bool is_large = length > 2 && strcmp(name + length - 2, "_c") == 0;
	const size_t stem = is_large ? length - 2 : length;

	symbol += strspn(symbol, "opOP");
	if (strncasecmp(symbol, name, stem) != 0)
		return false;
	return is_large ? is_one_of(symbol + stem, large_endings, NR_LARGE_ENDINGS)
			: is_one_of(symbol + stem, endings, NR_ENDINGS);
}

static bool site_is_binding(enum measure_call call, const void *site)
{
	Dl_info info;

	/* A call may be the last instruction of its function. */
	return dladdr((const char *)site - 1, &info) && info.dli_sname &&
	       is_binding(info.dli_sname, measure_call_name(call));
}

bool measure_fortran_calls(enum measure_call call, const void *site)
{
	static struct site_answers answers;

	return site_answer(&answers, site_is_binding, call, site);
}

/* ------------------------------------------------------------- internal calls --- */

static bool site_is_component(enum measure_call call, const void *site)
{
	const char *name;
	Dl_info info;

	(void)call;
	if (!dladdr((const char *)site - 1, &info) || !info.dli_fname)
		return false;
	name = strrchr(info.dli_fname, '/');
	return strncmp(name ? name + 1 : info.dli_fname, "mca_", 4) == 0;
}

bool measure_internal_calls(const void *site)
{
	static struct site_answers answers;

	return site_answer(&answers, site_is_component, NR_CALLS, site);
}
