/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A running process that is to be recorded, or not any more: what /proc says of it, and why it
 * cannot be. */
#ifndef MEASURE_LAUNCH_ATTACH_TARGET_H
#define MEASURE_LAUNCH_ATTACH_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "launch/plan/elf_info.h"

struct measure_target {
	pid_t pid;
	char program[PATH_MAX]; /* its file */
	char libc[PATH_MAX];
	uint64_t libc_base;        /* where the beginning of that file lies */
	char library[PATH_MAX];    /* libmeasure.so, once it is loaded; "": it is not */
	uint64_t library_base;
	bool is_recorded;          /* it has event memory */
	struct measure_elf elf;    /* elf.needed: names of all that it has loaded */
};

/* Finds out all of it. False: it cannot be attached to, for the reason that was said in one line.
 * `is_attaching`: not to be recorded yet; else to be. */
bool measure_target_inspect(struct measure_target *target, pid_t pid, bool is_attaching);

/* Looks for the library again. */
bool measure_target_find_library(struct measure_target *target);

/* PTRACE_SEIZE has failed with this errno: says why. */
void measure_target_say_refused(const struct measure_target *target, int error);

/* The address of a function in the process; 0: the file does not have it. */
uint64_t measure_target_function(const char *path, uint64_t base, const char *name);

/* Code of the C library that a function returns to: it loads an argument for raise(), and then does
 * what signal handlers return to, rt_sigreturn(). */
struct measure_way_back {
	uint64_t pop; /* the argument, and return; the last byte is a return by itself */
	uint64_t raise;
	uint64_t sigreturn;
};
bool measure_target_way_back(const struct measure_target *target, struct measure_way_back *way);

#endif
