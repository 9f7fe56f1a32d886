/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The environment of a program that this process, or a child that has borrowed its memory, is about
 * to start: what it was to be, and what the program needs to be recorded. In two steps, so that the
 * caller has the memory on its stack; async-signal-safe. */
#ifndef MEASURE_RUNTIME_CORE_EXEC_ENVIRONMENT_H
#define MEASURE_RUNTIME_CORE_EXEC_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <spawn.h>
#include <stdio.h>

struct measure_exec_environment {
	char *const *environment; /* as the caller of exec() has it; NULL: none */
	size_t nr;                /* of its variables */
	const char *preload;      /* LD_PRELOAD in it, NULL: is not there */
	int connection;           /* has the answer */
	size_t answer;            /* bytes of it */
	bool is_child;            /* the program runs in a child of the recorded process */
	bool is_expected;         /* it was told of as one that comes */
	bool is_missed;           /* ... as one that should be recorded, and cannot */
};

/* Asks for the program in this file. Returns how much memory is needed; 0: the program is not
 * recorded, and its environment stays as it is. */
size_t measure_exec_environment_ask(struct measure_exec_environment *image, const char *path,
	char *const *environment, bool is_child);

/* Once after that, unless it was 0. The environment lies in `memory`, and in ours. */
char *const *measure_exec_environment_make(struct measure_exec_environment *image, void *memory);

/* It is started without us: its environment has no room for more. */
void measure_exec_environment_leave(struct measure_exec_environment *image);

/* It was not started after all; also where it was not to be recorded. */
void measure_exec_environment_failed(struct measure_exec_environment *image);

/* The C library's functions behind those that are interposed to start programs. */
struct measure_starts {
#define START(result, name, parameters) result(*name) parameters;
#include "exec_calls.def"
#undef START
};

/* Found when the library is loaded: to look for them is not async-signal-safe. */
extern struct measure_starts measure_starts;

/* --- taking it out again, in the program -------------------------------------------------- */

#define MEASURE_PART_VARIABLE    "MEASURE_PART="
#define MEASURE_PRELOAD_VARIABLE "LD_PRELOAD="

/* Copies MEASURE_PART to `part` and removes it; removes our objects (libmeasure*.so) from
 * LD_PRELOAD, and the variable if nothing else is left. So the program and its children see
 * the environment that `measure` was given. False: there is no MEASURE_PART. */
bool measure_environment_take(char **environment, char *part, size_t size);

#endif
