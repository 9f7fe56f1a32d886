/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program to run: its path, whether objects can be preloaded into it, and what it is linked to.
 */
#ifndef MEASURE_LAUNCH_PLAN_PROGRAM_H
#define MEASURE_LAUNCH_PLAN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

#include "elf_info.h"

struct measure_program {
	char path[PATH_MAX];   /* as found on PATH */
	char image[PATH_MAX];  /* what the kernel loads: the program or its script's interpreter */
	const char *name;      /* last part of path */
	const char *loaded; /* it runs already, and has loaded these (as elf.needed); NULL: it is to
			       be started */
	struct measure_elf elf; /* of the image */
	const char *obstacle;  /* why it cannot be recorded, NULL if it can; "": no need to say */
};

/* Looks for a program as execvp does. 0, ENOENT or EACCES; on error program->path is what was
 * looked for. */
int measure_program_find(struct measure_program *program, const char *name);

/* Is it a script that begins with "#!/usr/bin/env PROGRAM"? */
bool measure_program_is_started_by_env(const struct measure_program *program);

/* Reads the image: obstacle and what it needs. */
void measure_program_inspect(struct measure_program *program);

#endif
