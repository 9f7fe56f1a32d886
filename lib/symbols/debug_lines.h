/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions and source lines of one file's DWARF data. Compilation units are found through an
 * index of their address ranges (not all compilers write .debug_aranges), and the functions of
 * a unit are indexed when the first of its addresses is asked for. debug_file.c finds the data of
 * stripped files. */
#ifndef MEASURE_SYMBOLS_DEBUG_LINES_H
#define MEASURE_SYMBOLS_DEBUG_LINES_H

#include <elfutils/libdwfl.h>
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

/* Of the file, or of its separate debug file. NULL: there is no debug data, or no memory. The
 * module must live longer, and have the addresses that its file says. */
struct measure_debug_lines *measure_debug_lines_open(Dwfl_Module *module);
void measure_debug_lines_close(struct measure_debug_lines *lines);

/* What is unknown stays as it was in the result. Strings live as long as `lines`. */
void measure_debug_lines_function(struct measure_debug_lines *lines, uint64_t address,
	struct measure_debug_function *function);
void measure_debug_lines_line(struct measure_debug_lines *lines, uint64_t address,
	struct measure_debug_line *line);

/* The find_debuginfo callback of libdwfl: separate debug files below /usr/lib/debug, by build id or
 * .gnu_debuglink, and what debuginfod's client has once fetched. Nothing is fetched here, while
 * dwfl_standard_find_debuginfo() would ask servers. */
int measure_debug_file_find(Dwfl_Module *module, void **userdata, const char *module_name,
	Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found);

/* False: the line of the call without arguments that this address is in has other code, too. True
 * also where nothing is known. */
bool measure_debug_lines_is_lone_call(struct measure_debug_lines *lines, uint64_t address);

#endif
