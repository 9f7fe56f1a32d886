/* SPDX-License-Identifier: BSD-3-Clause
 *
 * LLVM's OpenMP library in place of GCC's; see libgomp_shim.h. */
#include "config.h"

#include "libgomp_shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Asked for by these names, the loader looks where it would for the program. */
static const char *const names[] = {"libomp.so.5", "libomp.so"};
#define NR_NAMES (sizeof(names) / sizeof(names[0]))

/* What the loader says when it loads the program with this library and binds all functions. */
static void try_library(
	const struct measure_preload *preload, const char *library, char *text, size_t size)
{
	char preloaded[2 * PATH_MAX + 64];

	snprintf(preloaded, sizeof(preloaded), "LD_PRELOAD=%s:%s/" MEASURE_STAND_IN, library,
		preload->directory);
	measure_elf_try(preload->program->image, &preload->program->elf, preloaded, text, size);
}

/* Lines "\tlibomp.so.5 => /lib/libomp.so.5 (0x7f...)", or "\t/lib/libomp.so.5 (0x7f...)". */
static bool find_path(const char *text, const char *library, char *path)
{
	char before[PATH_MAX + 8];
	const char *line;

	snprintf(before, sizeof(before), "\t%s ", library);
	line = strstr(text, before);
	if (!line)
		return false;
	line += strlen(before);
	if (strncmp(line, "=> ", 3) != 0)
		snprintf(path, PATH_MAX, "%s", library);
	else
		snprintf(path, PATH_MAX, "%.*s", (int)strcspn(line + 3, " \n"), line + 3);
	return path[0] == '/' && !strpbrk(path, ": \t");
}

/* Lines "undefined symbol: GOMP_target_ext, version GOMP_4.5\t(./app)", of functions of the library
 * that is replaced. False: there are none. */
static bool find_missing(const char *text, char *function, size_t size)
{
	static const char before[] = "undefined symbol: ";

	while ((text = strstr(text, before))) {
		const char *name = text + strlen(before);
		int length = (int)strcspn(name, ",\t\n");
		text = name + length;
		if (strncmp(name, "GOMP_", 5) == 0 || strncmp(name, "omp_", 4) == 0 ||
			strncmp(name, "GOACC_", 6) == 0 || strncmp(name, "acc_", 4) == 0) {
			snprintf(function, size, "%.*s", length, name);
			return true;
		}
	}
	return false;
}

/* In LLVM's library up to 14 a pause ends the process, and threads of a program of GCC miss a
 * cancellation. */
static bool calls_what_fails(const char *image, char *function, size_t size)
{
	const char *cancellation = getenv("OMP_CANCELLATION");

	return measure_elf_calls(image, "omp_pause_resource*", function, size) ||
	       (cancellation && strcasecmp(cancellation, "true") == 0 &&
		       measure_elf_calls(image, "GOMP_cancel*", function, size));
}

/* True: it can be. */
static bool check_library(struct measure_preload *preload, const char *text, char *why, size_t size)
{
	char function[64];
	bool is_complete = false;

	if (calls_what_fails(preload->program->image, function, sizeof(function)))
		snprintf(why, size,
			"the program calls %s, which LLVM's library does not implement correctly",
			function);
	else if (strstr(text, "not found (required by"))
		snprintf(why, size, "the program needs a newer libgomp than this Measure knows");
	else if (find_missing(text, function, sizeof(function)))
		snprintf(why, size, "the program needs %s, which LLVM's %s lacks", function,
			strrchr(preload->openmp_library, '/') + 1);
	else
		is_complete = true;
	if (!is_complete)
		preload->openmp_library[0] = '\0';
	return is_complete;
}

static bool has_stand_in(const struct measure_preload *preload)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/" MEASURE_STAND_IN, preload->directory);
	return access(path, R_OK) == 0;
}

bool measure_libgomp_shim_find(struct measure_preload *preload, char *why, size_t size)
{
	static char text[MEASURE_ELF_TEXT];
	const char *needed = preload->program->elf.needed;
	char library[64];

	if (!has_stand_in(preload)) {
		snprintf(why, size, "this Measure was built without adapter ompt");
		return false;
	}
	if (measure_elf_find(needed, "libomp.so", library, sizeof(library)) &&
		!measure_elf_find(needed, "libgomp.so.1", library, sizeof(library)))
		return true;
	for (size_t i = 0; i < NR_NAMES; i++) {
		try_library(preload, names[i], text, sizeof(text));
		if (find_path(text, names[i], preload->openmp_library))
			return check_library(preload, text, why, size);
	}
	snprintf(why, size,
		"libomp.so.5 of LLVM not found: install it, or add its directory to "
		"LD_LIBRARY_PATH");
	return false;
}

bool measure_libgomp_shim_is_linked(const char *needed)
{
	const char *llvm = strstr(needed, "libomp.so"), *gcc = strstr(needed, "libgomp.so.1");

	return llvm && gcc && llvm < gcc;
}
