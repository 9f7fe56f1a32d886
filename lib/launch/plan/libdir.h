/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the directory of Measure's shared objects. */
#ifndef MEASURE_LAUNCH_PLAN_LIBDIR_H
#define MEASURE_LAUNCH_PLAN_LIBDIR_H

#include <stdbool.h>
#include <stddef.h>

/* The directory that holds `file`: beside the tool in a build tree; where it was installed to, also
 * when moved; or where MEASURE_LIBDIR says. PATH_MAX bytes. False: not there, which is said, with
 * what it means where MEASURE_LIBDIR is wrong, else with the remedy. */
bool measure_libdir_find(
	char *directory, const char *file, const char *meaning, const char *remedy);

/* The path of a program that is there, in a build tree beside the tool; without a word where it is
 * not. */
bool measure_libdir_locate(char *path, size_t size, const char *program);

#endif
