/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions and source lines of one file's DWARF data. Compilation units are found through an
 * index of their address ranges (not all compilers write .debug_aranges), and the functions of
 * a unit are indexed when the first of its addresses is asked for. */
#ifndef MEASURE_ASSEMBLE_DEBUG_LINES_H
#define MEASURE_ASSEMBLE_DEBUG_LINES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

struct measure_debug_lines;

struct measure_debug_function {
	const char *name; /* as declared; NULL: unknown */
	const char *file; /* "": unknown */
	uint32_t begin_line;
	uint32_t end_line;
	bool is_fortran;
};

struct measure_debug_line {
	const char *file; /* "": unknown */
	uint32_t line;	  /* 0: unknown */
};

/* NULL: the file has no debug data, or there is no memory. `elf` must live longer. */
struct measure_debug_lines *measure_debug_lines_open(Elf *elf);
void measure_debug_lines_close(struct measure_debug_lines *lines);

/* What is unknown stays as it was in the result. Strings live as long as `lines`. */
void measure_debug_lines_function(struct measure_debug_lines *lines, uint64_t address,
	struct measure_debug_function *function);
void measure_debug_lines_line(struct measure_debug_lines *lines, uint64_t address,
	struct measure_debug_line *line);

#endif
