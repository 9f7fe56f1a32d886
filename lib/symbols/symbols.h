/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names, files and lines of code addresses, from the symbol table and the DWARF data of the
 * program's files. For many addresses: what is read of a file is read once and kept sorted. */
#ifndef MEASURE_SYMBOLS_SYMBOLS_H
#define MEASURE_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* All strings live as long as the symbols, and are never NULL. */
struct measure_symbol {
	const char *name;      /* readable: "solve(grid&)", "heat::sweep" */
	const char *canonical; /* as the linker knows it */
	const char *file;      /* "": unknown */
	uint32_t begin_line;   /* 0: unknown */
	uint32_t end_line;
};

struct measure_symbols;

/* One loaded object: `path` and the build id it had when it ran, as records.def has it ("": it is
 * not known). */
struct measure_symbols *measure_symbols_open(const char *path, const char *build_id);
void measure_symbols_close(struct measure_symbols *symbols);

/* Why names of this object are unknown; NULL: they are known. */
const char *measure_symbols_trouble(const struct measure_symbols *symbols);

/* The function at an address of the ELF file (run-time address - load bias). Where nothing is
 * known of it, the name is "<object>+0x<address>". */
measure_status_t measure_symbols_function(struct measure_symbols *symbols, uint64_t address,
	struct measure_symbol *symbol);

/* The source line at an address; what is unknown stays as it was. */
void measure_symbols_source(
	struct measure_symbols *symbols, uint64_t address, const char **file, uint32_t *line);

/* Visits all functions in the order of their addresses, with the names that
 * measure_symbols_function() gives; lines are not told, and files only if they are wanted. Stops
 * where `visit` returns no MEASURE_OK. MEASURE_ERROR_NOT_FOUND: nothing is known of the file. */
typedef measure_status_t (*measure_symbol_fn)(
	void *context, uint64_t address, uint64_t size, const struct measure_symbol *symbol);
measure_status_t measure_symbols_visit(
	struct measure_symbols *symbols, bool wants_files, measure_symbol_fn visit, void *context);

/* The source line at an address, for constructs that have no name of their own: name is
 * "<prefix> @<file's base name>:<line>", or "<prefix> @<object>+0x<address>". */
measure_status_t measure_symbols_line(struct measure_symbols *symbols, uint64_t address,
	const char *prefix, struct measure_symbol *symbol);

/* False: the compiler has added the call with this address in it; see debug_lines.h. */
bool measure_symbols_is_lone_call(struct measure_symbols *symbols, uint64_t address);

#endif
