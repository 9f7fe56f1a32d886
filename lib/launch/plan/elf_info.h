/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interpreter, machine and needed libraries of an ELF file. */
#ifndef MEASURE_LAUNCH_PLAN_ELF_INFO_H
#define MEASURE_LAUNCH_PLAN_ELF_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

#define MEASURE_ELF_NAMES 8192
#define MEASURE_ELF_TEXT  65536 /* of the loader */

struct measure_elf {
	bool is_ours; /* same machine and word size as this tool */
	char interpreter[256];		/* the loader; "" for a static program */
	char needed[MEASURE_ELF_NAMES]; /* library names, each with a line break behind it */
};

/* MEASURE_ERROR_FORMAT: not an ELF file. MEASURE_ERROR_IO: cannot be read. */
measure_status_t measure_elf_read(const char *path, struct measure_elf *elf);

/* Why nothing can be preloaded into such a program, and what to do; NULL: it can. */
const char *measure_elf_obstacle(const struct measure_elf *elf);

/* Replaces elf->needed by all that the loader would load, as it says itself. Where the loader
 * cannot be asked, elf->needed stays as it is. */
void measure_elf_ask_loader(const char *path, struct measure_elf *elf);

/* What the loader says (at most size bytes; "": cannot be asked) where it loads a program and binds
 * all functions, with `preload` ("LD_PRELOAD=..."): libraries, and what is missing. */
void measure_elf_try(
	const char *path, const struct measure_elf *elf, char *preload, char *text, size_t size);

/* Does the file itself call one of these functions of other libraries? `functions`: names with
 * blanks between them, one that ends in * stands for all that begin so. Which, into name (at most
 * size bytes). */
bool measure_elf_calls(const char *path, const char *functions, char *name, size_t size);

/* Does the file itself have this function, for others? */
bool measure_elf_defines(const char *path, const char *function);

/* First name in a list of lines that starts with `prefix`, into name (at most size bytes). */
bool measure_elf_find(const char *names, const char *prefix, char *name, size_t size);

#endif
