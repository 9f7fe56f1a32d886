/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of a region's name that patterns are matched with. */
#ifndef MEASURE_FILTER_NAMES_H
#define MEASURE_FILTER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Of "void grid::solve<2>(int) [clone .part.0]": "grid::solve<2>" and "grid::solve<2>(int)". A
 * name without parameters (C, Fortran, regions of the user) is all three; only `bare` lacks what
 * compilers append to clones ("step" of "step.constprop.0"). */
struct measure_filter_name {
	const char *whole;
	const char *bare;      /* the qualified name, with its template arguments */
	const char *signature; /* with parameters and qualifiers, without the return type */
	size_t begin;          /* where the qualified name begins in `whole` */
	bool has_parameters;
	char *allocated;
	char buffer[1024];
};

/* Where a compiler's name of a clone is longer than that of the function: "step.constprop.0",
 * "step.part.0.cold". Outlined bodies and contained procedures are functions of their own. */
static inline const char *measure_filter_clone_mark(const char *name)
{
	static const char *const marks[] = {
		".constprop", ".isra", ".part", ".cold", ".lto_priv", ".localalias"};

	for (; *name; name++)
		for (size_t i = 0; *name == '.' && i < sizeof(marks) / sizeof(*marks); i++)
			if (strncmp(name, marks[i], strlen(marks[i])) == 0)
				return name;
	return name;
}

/* Where there is no memory all three are the whole name. */
void measure_filter_name_make(struct measure_filter_name *name, const char *whole);
void measure_filter_name_free(struct measure_filter_name *name);

#endif
