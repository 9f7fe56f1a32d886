/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of Kokkos; see kokkos_names.h. A label that the program has not given is the type of the
 * functor, mangled, and that of its tag: both are written as C++ has them. */
#define _GNU_SOURCE
#include "config.h"

#include "kokkos_names.h"

#include <dlfcn.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/texts.h"
#include "../common/tool_variable.h"

#define LONGEST_NAME  1024
#define LONGEST_LABEL 960

static const struct {
	const char *word; /* follows the label */
	uint8_t role;
} kinds[NR_KOKKOS_KINDS] = {
	[KOKKOS_FOR] = {"parallel_for", OTF2_REGION_ROLE_LOOP},
	[KOKKOS_REDUCE] = {"parallel_reduce", OTF2_REGION_ROLE_LOOP},
	[KOKKOS_SCAN] = {"parallel_scan", OTF2_REGION_ROLE_LOOP},
	[KOKKOS_FENCE] = {"fence", OTF2_REGION_ROLE_BARRIER},
	[KOKKOS_REGION] = {NULL, OTF2_REGION_ROLE_CODE},
	[KOKKOS_DEEP_COPY] = {NULL, OTF2_REGION_ROLE_DATA_TRANSFER},
	[KOKKOS_ALLOCATE] = {NULL, OTF2_REGION_ROLE_ALLOCATE},
	[KOKKOS_DEALLOCATE] = {NULL, OTF2_REGION_ROLE_DEALLOCATE},
	[KOKKOS_STRAY_POP] = {NULL, OTF2_REGION_ROLE_CODE},
};

/* By the numbers of Kokkos 4; Kokkos 3 has no type 8. NULL: a host. */
static const char *const accelerators[] = {
	NULL, /* Serial */
	NULL, /* OpenMP */
	"Cuda",
	"HIP",
	"OpenMPTarget",
	NULL, /* HPX */
	NULL, /* Threads */
	"SYCL",
	"OpenACC",
};
#define NR_ACCELERATORS (sizeof(accelerators) / sizeof(accelerators[0]))

uint32_t kokkos_accelerator(uint32_t device)
{
	const uint32_t type = device >> 24;

	return type < NR_ACCELERATORS && accelerators[type] ? type : KOKKOS_HOST;
}

/* ------------------------------------------------------------------------- demangling --- */

typedef char *(*kokkos_demangle_fn)(const char *name, char *out, size_t *size, int *status);

/* Types that are not the program's own have one letter, as labels may have ("i", "d"); and a label
 * may begin with a small number ("2nd"). */
static bool may_be_mangled(const char *name)
{
	const long length = strtol(name, NULL, 10);

	return name[0] == 'N' || name[0] == 'Z' || length > 3;
}

/* The C++ library is the program's; that of a plug-in is found by its name only. */
static kokkos_demangle_fn find_demangler(void)
{
	static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
	void *found = dlsym(RTLD_DEFAULT, "__cxa_demangle");

	for (size_t i = 0; !found && i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		found = library ? dlsym(library, "__cxa_demangle") : NULL;
	}
	return (kokkos_demangle_fn)found;
}

/* By malloc(); NULL: it is none. */
static char *kokkos_demangle(const char *name)
{
	kokkos_demangle_fn demangle = may_be_mangled(name) ? find_demangler() : NULL;
	int status;

	return demangle ? demangle(name, NULL, NULL, &status) : NULL;
}

/* "functor", or "functor/tag"; by malloc(), NULL: it is none. What is too long is cut off. */
static char *kokkos_demangle_label(const char *label)
{
	const char *slash = strchr(label, '/');
	char *functor = strndup(label, slash ? (size_t)(slash - label) : strlen(label));
	char *result = functor ? kokkos_demangle(functor) : NULL;
	char *tag = slash && result ? kokkos_demangle(slash + 1) : NULL, *both = NULL;

	if (slash && result && asprintf(&both, "%s/%s", result, tag ? tag : slash + 1) >= 0) {
		free(result);
		result = both;
	}
	free(functor);
	free(tag);
	return result;
}

/* ---------------------------------------------------------------------------- regions --- */

static uint32_t kokkos_define_region(struct measure_site *site)
{
	const uint32_t kind = site->kind & 0xff, accelerator = site->kind >> 8;
	char name[LONGEST_NAME], *type;
	const struct measure_region_info info = {
		.name = kinds[kind].word ? name : site->name,
		.canonical_name = site->name,
		.role = kinds[kind].role,
		.paradigm = OTF2_PARADIGM_KOKKOS,
	};

	if (kinds[kind].word) {
		type = kokkos_demangle_label(site->name);
		snprintf(name, sizeof(name), "%.*s [%s%s%s]", LONGEST_LABEL,
			type ? type : site->name, kinds[kind].word, accelerator ? ", " : "",
			accelerator ? accelerators[accelerator] : "");
		free(type);
	}
	return measure_region_define(&info);
}

bool measure_sites_are_on(void)
{
	return measure_tool_is_on();
}

/* Not in a forked child that is not recorded: another thread of the parent may have had the lock.
 */
measure_region_t kokkos_region(enum kokkos_kind kind, uint32_t accelerator, const char *label)
{
	static struct measure_site others = {.name = "(beyond the limit of labels)"};
	struct measure_text *text;

	if (!measure_is_recording_followed())
		return MEASURE_UNDEFINED;
	text = measure_text_find(label ? label : "", (uint32_t)kind | accelerator << 8);
	return measure_site_id(text ? &text->site : &others, kokkos_define_region) - 1;
}
