/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DWARF look-ups; see debug_lines.h. */
#include "config.h"

#include "debug_lines.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct function {
	uint64_t low;
	uint64_t high;
	Dwarf_Die die;
};

struct debug_lines_unit {
	Dwarf_Die die;
	bool is_indexed;
	MEASURE_ARRAY(struct function) functions;
	uint64_t longest; /* of the functions */
};

struct debug_lines_range {
	uint64_t low;
	uint64_t high;
	size_t unit;
};

struct measure_debug_lines {
	Dwarf *dwarf;
	Dwarf_Addr bias; /* what is to be added to its addresses */
	MEASURE_ARRAY(struct debug_lines_unit) units;
	MEASURE_ARRAY(struct debug_lines_range) ranges;
};

static int compare_ranges(const void *left, const void *right)
{
	const struct debug_lines_range *a = left, *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

static int compare_functions(const void *left, const void *right)
{
	const struct function *a = left, *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

static void index_unit_ranges(struct measure_debug_lines *lines, size_t unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(&lines->units.items[unit].die, offset, &base, &low, &high)) >
		0) {
		struct debug_lines_range range = {low, high, unit};
		/* Functions dropped by the linker lie at 0. */
		if (low != 0 && low < high && measure_array_push(&lines->ranges, range))
			return;
	}
}

static void index_units(struct measure_debug_lines *lines)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	while (dwarf_get_units(lines->dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		struct debug_lines_unit unit = {.die = die};
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		if (measure_array_push(&lines->units, unit) != MEASURE_OK)
			break;
		index_unit_ranges(lines, lines->units.nr - 1);
	}
	measure_array_sort(&lines->ranges, compare_ranges);
}

struct measure_debug_lines *measure_debug_lines_open(Dwfl_Module *module)
{
	struct measure_debug_lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return NULL;
	lines->dwarf = dwfl_module_getdwarf(module, &lines->bias);
	if (!lines->dwarf) {
		free(lines);
		return NULL;
	}
	index_units(lines);
	return lines;
}

void measure_debug_lines_close(struct measure_debug_lines *lines)
{
	if (!lines)
		return;
	for (size_t i = 0; i < lines->units.nr; i++)
		free(lines->units.items[i].functions.items);
	free(lines->units.items);
	free(lines->ranges.items);
	free(lines);
}

/* Ranges of different units do not overlap. */
static struct debug_lines_unit *find_unit(struct measure_debug_lines *lines, uint64_t address)
{
	const struct debug_lines_range *ranges = lines->ranges.items;
	size_t nr = measure_count_first(lines->ranges.nr, i, ranges[i].low <= address);

	if (nr == 0 || address >= ranges[nr - 1].high)
		return NULL;
	return &lines->units.items[ranges[nr - 1].unit];
}

static int add_function(Dwarf_Die *die, void *context)
{
	struct debug_lines_unit *unit = context;
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
		struct function function = {low, high, *die};
		if (low >= high)
			continue;
		if (measure_array_push(&unit->functions, function) != MEASURE_OK)
			return DWARF_CB_ABORT;
		if (high - low > unit->longest)
			unit->longest = high - low;
	}
	return DWARF_CB_OK;
}

static void index_functions(struct debug_lines_unit *unit)
{
	if (unit->is_indexed)
		return;
	unit->is_indexed = true;
	dwarf_getfuncs(&unit->die, add_function, unit, 0);
	measure_array_sort(&unit->functions, compare_functions);
}

/* The innermost function: the last one that begins before the address and ends behind it. */
static struct function *find_function(struct debug_lines_unit *unit, uint64_t address)
{
	struct function *items = unit->functions.items;
	size_t nr = measure_count_first(unit->functions.nr, i, items[i].low <= address);

	while (nr-- > 0 && address - items[nr].low < unit->longest) {
		if (address < items[nr].high)
			return &items[nr];
	}
	return NULL;
}

/* Of the function's last instruction, where that is not one inlined from another file. */
static uint32_t last_line(
	struct debug_lines_unit *unit, const struct function *function, const char *file)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->die, function->high - 1);
	const char *source = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int number;

	if (!source || strcmp(source, file) != 0 || dwarf_lineno(line, &number) != 0)
		return 0;
	return number > 0 ? (uint32_t)number : 0;
}

static bool is_fortran(struct debug_lines_unit *unit)
{
	switch (dwarf_srclang(&unit->die)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

/* Where it was declared, or of one without a declaration (outlined bodies; file 0 of DWARF 5,
 * which libdw takes for none) where its code begins. */
static void find_place(struct debug_lines_unit *unit, struct function *found,
	struct measure_debug_function *function)
{
	const char *file = dwarf_decl_file(&found->die);
	int line = 0;

	if (!file) {
		Dwarf_Line *first = dwarf_getsrc_die(&unit->die, found->low);
		file = first ? dwarf_linesrc(first, NULL, NULL) : NULL;
		if (first)
			dwarf_lineno(first, &line);
	}
	dwarf_decl_line(&found->die, &line); /* leaves `line` where there is none */
	if (!file || line <= 0)
		return;
	function->file = file;
	function->begin_line = (uint32_t)line;
	uint32_t end = last_line(unit, found, file);
	function->end_line = end >= function->begin_line ? end : function->begin_line;
}

void measure_debug_lines_function(struct measure_debug_lines *lines, uint64_t address,
	struct measure_debug_function *function)
{
	struct debug_lines_unit *unit = find_unit(lines, address -= lines->bias);

	if (!unit)
		return;
	index_functions(unit);
	struct function *found = find_function(unit, address);
	if (!found)
		return;
	function->is_fortran = is_fortran(unit);
	function->name = dwarf_diename(&found->die);
	find_place(unit, found, function);
}

void measure_debug_lines_line(struct measure_debug_lines *lines, uint64_t address,
	struct measure_debug_line *line)
{
	struct debug_lines_unit *unit = find_unit(lines, address -= lines->bias);
	Dwarf_Line *found = unit ? dwarf_getsrc_die(&unit->die, address) : NULL;
	const char *file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
	int number;

	if (file && dwarf_lineno(found, &number) == 0 && number > 0) {
		line->file = file;
		line->line = (uint32_t)number;
	}
}

#define LONGEST_CALL 6 /* bytes */
#define LONGEST_JUMP 2 /* that may stand behind it */

static bool is_of_line(Dwarf_Line *row, const char *file, int number)
{
	const char *found = dwarf_linesrc(row, NULL, NULL);
	int line;

	return dwarf_lineno(row, &line) == 0 && line == number && found && strcmp(found, file) == 0;
}

static bool is_call(uint16_t machine, const uint8_t *bytes)
{
	if (machine == EM_AARCH64)
		return (bytes[3] & 0xfc) == 0x94;
	if (bytes[0] == 0x67) /* what the linker fills up with */
		bytes++;
	return bytes[0] == 0xe8 || bytes[0] == 0xe9 || (bytes[0] == 0xff && bytes[1] == 0x15);
}

/* True also where the code itself is not at hand. */
static bool may_be_call(struct measure_debug_lines *lines, uint64_t address)
{
	Elf *elf = dwarf_getelf(lines->dwarf);
	Elf_Scn *section = NULL;
	GElf_Ehdr header;
	GElf_Shdr place;

	if (!gelf_getehdr(elf, &header))
		return true;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &place) || place.sh_type != SHT_PROGBITS ||
			!(place.sh_flags & SHF_EXECINSTR) || address < place.sh_addr ||
			address - place.sh_addr + LONGEST_CALL > place.sh_size)
			continue;
		const Elf_Data *data = elf_rawdata(section, NULL);
		return !data || data->d_size < place.sh_size ||
		       is_call(header.e_machine,
			       (const uint8_t *)data->d_buf + (address - place.sh_addr));
	}
	return true;
}

/* The code between two rows of the table. */
static bool is_lone_call(struct measure_debug_lines *lines, Dwarf_Line *row, Dwarf_Line *next)
{
	Dwarf_Addr begin, end;

	return dwarf_lineaddr(row, &begin) != 0 || dwarf_lineaddr(next, &end) != 0 ||
	       end <= begin ||
	       (end - begin <= LONGEST_CALL + LONGEST_JUMP && may_be_call(lines, begin));
}

/* A call without arguments that somebody has written is all that its line has, as often as it was
 * copied. One that the compiler has added has no line: it is in that of the code before. */
bool measure_debug_lines_is_lone_call(struct measure_debug_lines *lines, uint64_t address)
{
	struct debug_lines_unit *unit = find_unit(lines, address);
	Dwarf_Line *call = unit ? dwarf_getsrc_die(&unit->die, address) : NULL;
	const char *file = call ? dwarf_linesrc(call, NULL, NULL) : NULL;
	Dwarf_Lines *rows;
	Dwarf_Addr begin;
	size_t nr_rows;
	int number;

	if (!file || dwarf_lineno(call, &number) != 0 || dwarf_lineaddr(call, &begin) != 0 ||
		dwarf_getsrclines(&unit->die, &rows, &nr_rows) != 0)
		return true;
	if (address - begin >= LONGEST_CALL)
		return false;
	for (size_t i = 0; i + 1 < nr_rows; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		if (is_of_line(row, file, number) &&
			!is_lone_call(lines, row, dwarf_onesrcline(rows, i + 1)))
			return false;
	}
	return true;
}
