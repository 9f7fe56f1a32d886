/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks a loader that is not ours; see own_loader.h. */
#include "config.h"

#include "own_loader.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_ours(const char *interpreter)
{
	struct measure_elf own;
	struct stat ours, theirs;

	if (measure_elf_read("/proc/self/exe", &own) != MEASURE_OK)
		return true;
	if (strcmp(own.interpreter, interpreter) == 0)
		return true;
	return stat(own.interpreter, &ours) == 0 && stat(interpreter, &theirs) == 0 &&
	       ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

/* "libc.so.6: version `GLIBC_2.34' not found (required by libmeasure.so)", of libraries of two C
 * libraries "undefined symbol: ..., version GLIBC_PRIVATE", and of an object that needs one which
 * this loader does not find "cannot be preloaded". */
static bool is_refusal(const char *text)
{
	static const char *const words[] = {
		"not found (required by", "GLIBC_PRIVATE", "cannot be preloaded"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

const char *measure_own_loader_obstacle(const struct measure_preload *preload)
{
	static char text[MEASURE_ELF_TEXT];
	char preloaded[sizeof(preload->list) + 16];
	const struct measure_program *program = preload->program;

	if (program->loaded || is_ours(program->elf.interpreter))
		return NULL;
	snprintf(preloaded, sizeof(preloaded), "LD_PRELOAD=%s", preload->list);
	measure_elf_try(program->image, &program->elf, preloaded, text, sizeof(text));
	return is_refusal(text) ? "has a C library of its own, which cannot load this Measure: "
				  "build Measure with that one"
				: NULL;
}
