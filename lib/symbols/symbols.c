/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Code addresses to names; see symbols.h. ELF symbols give the names (they know clones and
 * static functions, and are there without debug data), DWARF gives files and lines, and the
 * names of Fortran procedures. Both may lie in a separate debug file: libdwfl decides from where
 * they are taken. */
#include "config.h"

#include "symbols.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debug_lines.h"
#include "demangle.h"
#include "base/array.h"
#include "base/file.h"
#include "base/fingerprint.h"

struct elf_symbol {
	uint64_t address;
	uint64_t size;
	const char *name;
	uint8_t rank; /* of several names of one address the lowest wins */
};

struct measure_symbols {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	const char *trouble;
	MEASURE_ARRAY(struct elf_symbol) table;
	struct measure_debug_lines *lines; /* NULL: no debug data, or nobody has asked yet */
	bool has_lines;
	MEASURE_ARRAY(char *) made;	   /* strings to free */
};

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = measure_debug_file_find,
	.section_address = dwfl_offline_section_address,
};

static const char *symbols_keep(struct measure_symbols *symbols, char *text)
{
	if (text && measure_array_push(&symbols->made, text) != MEASURE_OK) {
		free(text);
		return NULL;
	}
	return text;
}

/* ------------------------------------------------------------------ ELF symbols --- */

static bool has_fingerprint(Elf *elf, const char *expected)
{
	char text[MEASURE_FINGERPRINT_ROOM];
	size_t size;
	const char *file = elf_rawfile(elf, &size);

	return file && measure_fingerprint(file, size, text) && strcmp(text, expected) == 0;
}

static bool has_build_id(Elf *elf, const char *expected)
{
	const void *bytes;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
	const uint8_t *id = bytes;

	if (size <= 0)
		return expected[0] == '\0' || has_fingerprint(elf, expected);
	if (strlen(expected) != 2 * (size_t)size)
		return false;
	for (ssize_t i = 0; i < size; i++) {
		char text[3];
		snprintf(text, sizeof(text), "%02x", id[i]);
		if (memcmp(text, expected + 2 * i, 2) != 0)
			return false;
	}
	return true;
}

static uint8_t rank_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
		return 0;
	case STB_WEAK:
		return 1;
	default:
		return 2;
	}
}

static bool is_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

static int symbols_compare(const void *left, const void *right)
{
	const struct elf_symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Full tables have "dlopen@@GLIBC_2.34". */
static const char *without_version(struct measure_symbols *symbols, const char *name)
{
	const char *mark = strchr(name, '@'), *kept = NULL;

	if (mark && mark > name)
		kept = symbols_keep(symbols, strndup(name, (size_t)(mark - name)));
	return kept ? kept : name;
}

/* The full table, of the file itself or of its separate debug file; where there is none, the
 * dynamic symbols and those in .gnu_debugdata. */
static measure_status_t read_table(struct measure_symbols *symbols)
{
	int nr = dwfl_module_getsymtab(symbols->module);

	for (int i = 0; i < nr; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(
			symbols->module, i, &symbol, &address, NULL, NULL, NULL);
		if (!name || !name[0] || !is_function(&symbol))
			continue;
		name = without_version(symbols, name);
		struct elf_symbol entry = {address, symbol.st_size, name, rank_of(&symbol)};
		measure_status_t status = measure_array_push(&symbols->table, entry);
		if (status != MEASURE_OK)
			return status;
	}
	measure_array_sort(&symbols->table, symbols_compare);
	return MEASURE_OK;
}

/* The symbol whose range holds the address. Ranges may lie in each other: of those that begin
 * nearest, the first one in order. */
static const struct elf_symbol *find_symbol(const struct measure_symbols *symbols,
	uint64_t address)
{
	const struct elf_symbol *items = symbols->table.items;
	size_t nr = measure_count_first(symbols->table.nr, i, items[i].address <= address);

	if (nr == 0)
		return NULL;
	size_t found = nr - 1;
	while (found > 0 && items[found - 1].address == items[found].address)
		found--;
	const struct elf_symbol *symbol = &items[found];
	bool holds = address == symbol->address || address < symbol->address + symbol->size;
	return holds ? symbol : NULL;
}

/* ------------------------------------------------------------------- life cycle --- */

/* The path is what the part says: it may be anything by now, a pipe, a device. */
static int open_regular(const char *path)
{
	struct stat stat_;

	if (stat(path, &stat_) != 0 || !S_ISREG(stat_.st_mode))
		return -1;
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* At the addresses that it says itself. The descriptor is the module's, once there is one. */
static Dwfl_Module *symbols_report(struct measure_symbols *symbols, int fd)
{
	Dwfl_Module *module;

	symbols->dwfl = dwfl_begin(&callbacks);
	module = symbols->dwfl ? dwfl_report_elf(symbols->dwfl, measure_base_name(symbols->path),
					 symbols->path, fd, 0, true)
			       : NULL;
	if (!module)
		close(fd);
	else
		dwfl_report_end(symbols->dwfl, NULL, NULL);
	return module;
}

static const char *open_file(struct measure_symbols *symbols, const char *build_id)
{
	int fd = open_regular(symbols->path);
	GElf_Addr bias;
	Elf *elf;

	if (fd < 0)
		return "the file cannot be opened";
	symbols->module = symbols_report(symbols, fd);
	elf = symbols->module ? dwfl_module_getelf(symbols->module, &bias) : NULL;
	if (!elf || bias != 0)
		return "the file is not an ELF file";
	if (!has_build_id(elf, build_id))
		return "the file has changed since the program ran";
	if (read_table(symbols) != MEASURE_OK)
		return "there is not enough memory for its symbols";
	return NULL;
}

struct measure_symbols *measure_symbols_open(const char *path, const char *build_id)
{
	struct measure_symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols)
		return NULL;
	symbols->path = strdup(path);
	if (!symbols->path) {
		free(symbols);
		return NULL;
	}
	symbols->trouble = open_file(symbols, build_id);
	return symbols;
}

void measure_symbols_close(struct measure_symbols *symbols)
{
	if (!symbols)
		return;
	measure_debug_lines_close(symbols->lines);
	dwfl_end(symbols->dwfl);
	for (size_t i = 0; i < symbols->made.nr; i++)
		free(symbols->made.items[i]);
	free(symbols->made.items);
	free(symbols->table.items);
	free(symbols->path);
	free(symbols);
}

const char *measure_symbols_trouble(const struct measure_symbols *symbols)
{
	return symbols->trouble;
}

/* ---------------------------------------------------------------------- look-ups --- */

/* To read debug data takes far longer than to read symbols. */
static struct measure_debug_lines *lines_of(struct measure_symbols *symbols)
{
	if (!symbols->has_lines && !symbols->trouble)
		symbols->lines = measure_debug_lines_open(symbols->module);
	symbols->has_lines = true;
	return symbols->lines;
}

static const char *print_place(struct measure_symbols *symbols, uint64_t address)
{
	char *text = NULL;

	if (asprintf(&text, "%s+0x%llx", measure_base_name(symbols->path),
		    (unsigned long long)address) < 0)
		return NULL;
	return symbols_keep(symbols, text);
}

/* "__grid_MOD_sweep" of procedure sweep: "grid::sweep". Other Fortran names: as declared. */
static const char *print_fortran(struct measure_symbols *symbols, const char *linkage,
	const char *declared)
{
	const char *mark = strncmp(linkage, "__", 2) == 0 ? strstr(linkage, "_MOD_") : NULL;
	char *text = NULL;

	if (!mark)
		return declared;
	if (asprintf(&text, "%.*s::%s", (int)(mark - linkage - 2), linkage + 2, declared) < 0)
		return NULL;
	return symbols_keep(symbols, text);
}

/* "sweep.constprop.0" is a clone; "show.0" the contained procedure show of some other one. */
static bool is_clone(const char *linkage)
{
	const char *dot = strchr(linkage, '.');

	return dot && dot[1 + strspn(dot + 1, "0123456789")] != '\0';
}

/* Clones keep the linker's name: the declared one would hide them. */
static const char *print_name(struct measure_symbols *symbols, const char *linkage,
	const struct measure_debug_function *function)
{
	char *readable = measure_demangle(linkage);

	if (readable)
		return symbols_keep(symbols, readable);
	if (function->is_fortran && function->name && !is_clone(linkage))
		return print_fortran(symbols, linkage, function->name);
	return linkage;
}

measure_status_t measure_symbols_function(struct measure_symbols *symbols, uint64_t address,
	struct measure_symbol *symbol)
{
	const struct elf_symbol *found = symbols->trouble ? NULL : find_symbol(symbols, address);
	struct measure_debug_function function = {.file = ""};

	if (lines_of(symbols))
		measure_debug_lines_function(symbols->lines, address, &function);
	*symbol = (struct measure_symbol){.file = function.file,
		.begin_line = function.begin_line, .end_line = function.end_line};
	if (found)
		symbol->canonical = found->name;
	else if (function.name)
		symbol->canonical = function.name;
	else
		symbol->canonical = print_place(symbols, address);
	symbol->name = symbol->canonical ? print_name(symbols, symbol->canonical, &function) : NULL;
	return symbol->name ? MEASURE_OK : MEASURE_ERROR_MEMORY;
}

void measure_symbols_source(
	struct measure_symbols *symbols, uint64_t address, const char **file, uint32_t *line)
{
	struct measure_debug_line found = {.file = ""};

	if (lines_of(symbols))
		measure_debug_lines_line(symbols->lines, address, &found);
	if (found.line == 0)
		return;
	*file = found.file;
	*line = found.line;
}

bool measure_symbols_is_lone_call(struct measure_symbols *symbols, uint64_t address)
{
	return !lines_of(symbols) || measure_debug_lines_is_lone_call(symbols->lines, address);
}

measure_status_t measure_symbols_line(struct measure_symbols *symbols, uint64_t address,
	const char *prefix, struct measure_symbol *symbol)
{
	struct measure_debug_line line = {.file = ""};
	char *text = NULL;
	int length;

	if (lines_of(symbols))
		measure_debug_lines_line(symbols->lines, address, &line);
	if (line.line > 0)
		length = asprintf(
			&text, "%s @%s:%u", prefix, measure_base_name(line.file), line.line);
	else
		length = asprintf(&text, "%s @%s+0x%llx", prefix, measure_base_name(symbols->path),
			(unsigned long long)address);
	*symbol = (struct measure_symbol){.file = line.file, .begin_line = line.line,
		.end_line = line.line};
	symbol->name = symbol->canonical = length < 0 ? NULL : symbols_keep(symbols, text);
	return symbol->name ? MEASURE_OK : MEASURE_ERROR_MEMORY;
}

/* Its readable name is not in the symbol itself: Fortran's. */
static bool needs_debug_data(const char *linkage)
{
	size_t length = strlen(linkage);

	return strncmp(linkage, "_Z", 2) != 0 && length > 0 &&
	       (linkage[length - 1] == '_' || strstr(linkage, "_MOD_") || strchr(linkage, '.') ||
		       strcmp(linkage, "MAIN__") == 0);
}

static measure_status_t symbols_describe(struct measure_symbols *symbols,
	const struct elf_symbol *found, bool wants_files, struct measure_symbol *symbol)
{
	struct measure_debug_function function = {.file = ""};

	if ((wants_files || needs_debug_data(found->name)) && lines_of(symbols))
		measure_debug_lines_function(symbols->lines, found->address, &function);
	*symbol = (struct measure_symbol){.canonical = found->name, .file = function.file};
	symbol->name = print_name(symbols, found->name, &function);
	return symbol->name ? MEASURE_OK : MEASURE_ERROR_MEMORY;
}

measure_status_t measure_symbols_visit(
	struct measure_symbols *symbols, bool wants_files, measure_symbol_fn visit, void *context)
{
	const struct elf_symbol *items = symbols->table.items;
	measure_status_t status = symbols->trouble ? MEASURE_ERROR_NOT_FOUND : MEASURE_OK;

	for (size_t i = 0; i < symbols->table.nr && status == MEASURE_OK; i++) {
		struct measure_symbol symbol;
		if (i > 0 && items[i - 1].address == items[i].address)
			continue;
		status = symbols_describe(symbols, &items[i], wants_files, &symbol);
		if (status == MEASURE_OK)
			status = visit(context, items[i].address, items[i].size, &symbol);
	}
	return status;
}
