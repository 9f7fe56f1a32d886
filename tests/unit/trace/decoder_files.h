/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Archives of nothing but events, of every kind and with any values, for the test of the decoder; and
 * what becomes of their files. */
#ifndef TESTS_UNIT_TRACE_DECODER_FILES_H
#define TESTS_UNIT_TRACE_DECODER_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Locations 0, 1, ...: with dense mapping tables, with sparse ones, with none. */
#define T_NR_FILES 3

/* Makes an archive of so many records in each location. */
bool t_files_make(const char *directory, uint64_t nr);

off_t t_file_size(const char *path);

struct t_rewriting {
	bool is_big;   /* numbers have their highest byte first */
	bool has_more; /* records of kinds that nobody knows, and fields behind the known ones */
};

void t_file_rewrite(const char *path, const struct t_rewriting *rewriting);

/* Damages one event file, or table of local definitions, in a way that `seed` tells. */
void t_files_damage(const char *directory, uint64_t seed);
void t_files_restore(const char *directory);

#endif
