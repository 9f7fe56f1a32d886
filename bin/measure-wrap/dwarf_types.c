/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading types from DWARF; see dwarf_types.h. */
#include "config.h"

#include "dwarf_types.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

struct types {
	struct wrap_module *module;
	bool has_names; /* the headers will be there, so that types may be called by their names */
};

/* -------------------------------------------------------------------- declarations --- */

/* False: the type has no name of its own that C knows. */
static bool type_declare(const struct types *types, Dwarf_Die *die, char **before, char **after);

static bool die_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, type);
}

/* Of the type that `die` refers to; without one it is void. */
static bool target_declare(const struct types *types, Dwarf_Die *die, char **before, char **after)
{
	Dwarf_Die type;

	if (die_type(die, &type))
		return type_declare(types, &type, before, after);
	*before = wrap_format("void ");
	*after = wrap_format("%s", "");
	return true;
}

static int target_tag(Dwarf_Die *die)
{
	Dwarf_Die type;

	return die_type(die, &type) ? dwarf_tag(&type) : 0;
}

/* const, volatile and the like stand behind the star of a pointer, and before all else. */
static bool qualified_declare(const struct types *types, Dwarf_Die *die, const char *qualifier,
	char **before, char **after)
{
	if (!target_declare(types, die, before, after))
		return false;
	if (target_tag(die) == DW_TAG_pointer_type)
		*before = wrap_format("%s%s ", *before, qualifier);
	else if (strcmp(qualifier, "restrict") != 0)
		*before = wrap_format("%s %s", qualifier, *before);
	return true;
}

/* The list of a variable number of arguments is a type of the compiler. */
static bool is_va_list(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name && (strcmp(name, "__va_list_tag") == 0 || strcmp(name, "__va_list") == 0);
}

static bool pointer_declare(const struct types *types, Dwarf_Die *die, char **before, char **after)
{
	Dwarf_Die type;

	if (die_type(die, &type) && is_va_list(&type)) {
		*before = wrap_format("__builtin_va_list ");
		*after = wrap_format("%s", "");
		return true;
	}
	if (!target_declare(types, die, before, after)) {
		*before = wrap_format("void *");
		*after = wrap_format("%s", "");
	} else if (target_tag(die) == DW_TAG_subroutine_type ||
		   target_tag(die) == DW_TAG_array_type) {
		*before = wrap_format("%s(*", *before);
		*after = wrap_format(")%s", *after);
	} else {
		*before = wrap_format("%s*", *before);
	}
	return true;
}

static bool routine_declare(const struct types *types, Dwarf_Die *die, char **before, char **after)
{
	char *list = wrap_format("%s", ""), *first, *rest;
	const char *comma = "";
	Dwarf_Die child;

	if (!target_declare(types, die, before, after))
		return false;
	for (bool has = dwarf_child(die, &child) == 0; has;
		has = dwarf_siblingof(&child, &child) == 0) {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters) {
			list = *list ? wrap_format("%s, ...", list) : list;
			continue;
		}
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (!target_declare(types, &child, &first, &rest))
			return false;
		list = wrap_format("%s%s%s%s", list, comma, first, rest);
		comma = ", ";
	}
	*after = wrap_format(
		"(%s)%s", *list || !dwarf_hasattr(die, DW_AT_prototyped) ? list : "void", *after);
	return true;
}

static bool array_declare(const struct types *types, Dwarf_Die *die, char **before, char **after)
{
	char *sizes = wrap_format("%s", "");
	Dwarf_Die child;
	Dwarf_Attribute attribute;
	Dwarf_Word bound;

	if (!target_declare(types, die, before, after))
		return false;
	for (bool has = dwarf_child(die, &child) == 0; has;
		has = dwarf_siblingof(&child, &child) == 0) {
		if (dwarf_attr(&child, DW_AT_upper_bound, &attribute) &&
			dwarf_formudata(&attribute, &bound) == 0)
			sizes = wrap_format("%s[%llu]", sizes, (unsigned long long)bound + 1);
		else
			sizes = wrap_format("%s[]", sizes);
	}
	*after = wrap_format("%s%s", sizes, *after);
	return true;
}

static bool base_declare(Dwarf_Die *die, char **before)
{
	const char *name = dwarf_diename(die);

	if (!name)
		return false;
	*before = strncmp(name, "complex ", 8) == 0 ? wrap_format("_Complex %s ", name + 8)
						    : wrap_format("%s ", name);
	return true;
}

static bool type_declare(const struct types *types, Dwarf_Die *die, char **before, char **after)
{
	const char *name = dwarf_diename(die);
	const char *keyword = NULL;

	*after = wrap_format("%s", "");
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return base_declare(die, before);
	case DW_TAG_typedef:
		*before = wrap_format("%s ", name ? name : "");
		return name;
	case DW_TAG_structure_type:
		keyword = "struct";
		break;
	case DW_TAG_union_type:
		keyword = "union";
		break;
	case DW_TAG_enumeration_type:
		keyword = "enum";
		break;
	case DW_TAG_const_type:
		return qualified_declare(types, die, "const", before, after);
	case DW_TAG_volatile_type:
		return qualified_declare(types, die, "volatile", before, after);
	case DW_TAG_atomic_type:
		return qualified_declare(types, die, "_Atomic", before, after);
	case DW_TAG_restrict_type:
		return qualified_declare(types, die, "restrict", before, after);
	case DW_TAG_pointer_type:
		return pointer_declare(types, die, before, after);
	case DW_TAG_subroutine_type:
		return routine_declare(types, die, before, after);
	case DW_TAG_array_type:
		return array_declare(types, die, before, after);
	default:
		return false;
	}
	if (is_va_list(die))
		*before = wrap_format("__builtin_va_list ");
	else if (name)
		*before = wrap_format("%s %s ", keyword, name);
	return name;
}

/* ------------------------------------------------------------------------- classes --- */

/* Typedefs and qualifiers taken off. False: it is void. */
static bool type_peel(Dwarf_Die *die, Dwarf_Die *bare)
{
	*bare = *die;
	for (;;)
		switch (dwarf_tag(bare)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!die_type(bare, bare))
				return false;
			break;
		case DW_TAG_unspecified_type:
			return false;
		default:
			return true;
		}
}

static Dwarf_Word die_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;

	if (dwarf_attr(die, name, &attribute))
		dwarf_formudata(&attribute, &value);
	return value;
}

static enum wrap_class base_class(Dwarf_Die *die, unsigned int size)
{
	switch (die_number(die, DW_AT_encoding)) {
	case DW_ATE_boolean:
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		return size <= 8 ? WRAP_UNSIGNED : WRAP_OTHER;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		return size <= 8 ? WRAP_SIGNED : WRAP_OTHER;
	case DW_ATE_float:
		return WRAP_DOUBLE;
	default:
		return WRAP_OTHER;
	}
}

static int enumeration_read(const struct types *types, Dwarf_Die *die)
{
	struct wrap_module *module = types->module;
	const uint64_t key = dwarf_dieoffset(die);
	struct wrap_enumeration enumeration = {.key = key};
	Dwarf_Attribute attribute;
	Dwarf_Sword value;
	Dwarf_Die child;

	for (size_t i = 0; i < module->enumerations.nr; i++)
		if (module->enumerations.items[i].key == key)
			return (int)i;
	for (bool has = dwarf_child(die, &child) == 0; has;
		has = dwarf_siblingof(&child, &child) == 0)
		if (dwarf_attr(&child, DW_AT_const_value, &attribute) &&
			dwarf_formsdata(&attribute, &value) == 0 && dwarf_diename(&child))
			wrap_push(&enumeration.items,
				(struct wrap_enumerator){
					wrap_format("%s", dwarf_diename(&child)), value});
	wrap_push(&module->enumerations, enumeration);
	return (int)module->enumerations.nr - 1;
}

/* What a pointer points to: `const char` is taken for text. */
static enum wrap_class pointer_class(
	const struct types *types, Dwarf_Die *die, struct wrap_type *type)
{
	Dwarf_Die target, bare;
	char *before, *after;

	type->pointee = WRAP_VOID;
	if (!die_type(die, &target) || !type_peel(&target, &bare))
		return WRAP_POINTER;
	type->pointee = WRAP_OTHER;
	const char *name = dwarf_diename(&bare);
	if (dwarf_tag(&bare) == DW_TAG_base_type)
		type->pointee = base_class(&bare, (unsigned int)dwarf_bytesize(&bare));
	else if (dwarf_tag(&bare) == DW_TAG_pointer_type)
		type->pointee = WRAP_POINTER;
	else if (dwarf_tag(&bare) == DW_TAG_enumeration_type)
		type->enumeration = enumeration_read(types, &bare), type->pointee = WRAP_ENUM;
	if (!name || strcmp(name, "char") != 0 || dwarf_tag(&bare) != DW_TAG_base_type)
		return WRAP_POINTER;
	const struct types plain = {types->module, true};
	bool is_const = dwarf_tag(&target) == DW_TAG_const_type ||
			(type_declare(&plain, &target, &before, &after) &&
				strncmp(before, "const ", 6) == 0);
	return is_const ? WRAP_TEXT : WRAP_POINTER;
}

/* How C calls it where there are no headers. */
static bool plain_declare(struct wrap_type *type)
{
	static const char *const integers[] = {
		[1] = "char ", [2] = "short ", [4] = "int ", [8] = "long "};

	type->after = wrap_format("%s", "");
	switch (type->class) {
	case WRAP_VOID:
		type->before = wrap_format("void ");
		return true;
	case WRAP_UNSIGNED:
	case WRAP_SIGNED:
	case WRAP_ENUM:
		if (type->size > 8 || !integers[type->size])
			return false;
		type->before =
			wrap_format("%s%s", type->class == WRAP_UNSIGNED ? "unsigned " : "signed ",
				integers[type->size]);
		return true;
	case WRAP_DOUBLE:
		type->before = wrap_format("%s", type->size == 4   ? "float "
						 : type->size == 8 ? "double "
								   : "long double ");
		return type->size <= 8;
	case WRAP_TEXT:
		type->before = wrap_format("const char *");
		return true;
	case WRAP_POINTER:
		type->before = wrap_format("void *");
		return true;
	default:
		return false;
	}
}

/* The type that `die` refers to. False: a value of it cannot be passed on. */
static bool type_read(const struct types *types, Dwarf_Die *die, struct wrap_type *type)
{
	Dwarf_Die target, bare;

	*type = (struct wrap_type){.class = WRAP_VOID, .enumeration = -1};
	if (!die_type(die, &target) || !type_peel(&target, &bare))
		return plain_declare(type);
	int size = dwarf_bytesize(&bare);
	type->size = size > 0 ? (unsigned int)size : 0;
	switch (dwarf_tag(&bare)) {
	case DW_TAG_base_type:
		type->class = base_class(&bare, type->size);
		break;
	case DW_TAG_enumeration_type:
		type->class = WRAP_ENUM;
		type->enumeration = enumeration_read(types, &bare);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		type->size = sizeof(void *);
		type->class = pointer_class(types, &bare, type);
		break;
	case DW_TAG_array_type: /* a parameter of C is none, but that of a typedef may seem so */
		type->class = WRAP_POINTER;
		break;
	default:
		type->class = WRAP_OTHER;
	}
	return types->has_names ? type_declare(types, &target, &type->before, &type->after) ||
					  plain_declare(type)
				: plain_declare(type);
}

/* ----------------------------------------------------------------------- functions --- */

/* Result and parameters of a function, or of the type of one. Names that are known already stay. */
static bool function_read(const struct types *types, Dwarf_Die *die, struct wrap_function *function)
{
	Dwarf_Die child;
	size_t nr = 0;

	if (!type_read(types, die, &function->result))
		return false;
	for (bool has = dwarf_child(die, &child) == 0; has;
		has = dwarf_siblingof(&child, &child) == 0) {
		struct wrap_parameter parameter = {0};
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			function->is_variadic = true;
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (!type_read(types, &child, &parameter.type))
			return false;
		const char *name = dwarf_diename(&child);
		if (nr < function->parameters.nr) {
			function->parameters.items[nr++].type = parameter.type;
			continue;
		}
		parameter.name = name ? wrap_format("%s", name) : NULL;
		wrap_push(&function->parameters, parameter);
		nr++;
	}
	function->parameters.nr = nr;
	return true;
}

struct search {
	struct types types;
	size_t nr_found;
};

static void search_probe(struct search *search, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die pointer, routine;
	unsigned int number;

	if (!name || strncmp(name, WRAP_PROBE, strlen(WRAP_PROBE)) != 0 ||
		sscanf(name + strlen(WRAP_PROBE), "%u", &number) != 1 ||
		number >= search->types.module->functions.nr || !die_type(die, &pointer) ||
		!die_type(&pointer, &routine))
		return;
	struct wrap_function *function = &search->types.module->functions.items[number];
	function->is_stub = !function_read(&search->types, &routine, function) ||
			    !dwarf_hasattr(&routine, DW_AT_prototyped);
	search->nr_found++;
}

static const char *die_symbol(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}

/* The symbol of a function may be another one than its name: __asm__("NAME"), or C++. */
static void search_declaration(struct search *search, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	struct wrap_module *module = search->types.module;
	const char *name = dwarf_diename(die), *symbol;

	if (!name || !dwarf_attr(die, DW_AT_linkage_name, &attribute))
		return;
	symbol = dwarf_formstring(&attribute);
	for (size_t i = 0; symbol && i < module->functions.nr; i++)
		if (strcmp(module->functions.items[i].name, name) == 0)
			module->functions.items[i].symbol = wrap_format("%s", symbol);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct wrap_function *first = a, *second = b;

	return strcmp(first->symbol, second->symbol);
}

/* The functions are sorted by their symbols then. */
static void search_definition(struct search *search, Dwarf_Die *die)
{
	struct wrap_module *module = search->types.module;
	struct wrap_function wanted = {.symbol = (char *)die_symbol(die)}, *found;

	if (!wanted.symbol || dwarf_hasattr(die, DW_AT_declaration) || module->functions.nr == 0)
		return;
	found = bsearch(&wanted, module->functions.items, module->functions.nr, sizeof(wanted),
		compare_symbols);
	for (; found && found > module->functions.items &&
		strcmp(found[-1].symbol, wanted.symbol) == 0;)
		found--;
	for (; found && found < module->functions.items + module->functions.nr &&
		strcmp(found->symbol, wanted.symbol) == 0;
		found++) {
		if (!found->is_stub || found->parameters.nr > 0)
			continue;
		found->is_stub = !function_read(&search->types, die, found);
		if (found->is_stub)
			found->parameters.nr = 0;
	}
}

static void search_in(struct search *search, Dwarf_Die *parent)
{
	Dwarf_Die die;

	for (bool has = dwarf_child(parent, &die) == 0; has; has = dwarf_siblingof(&die, &die) == 0)
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			if (search->types.has_names)
				search_probe(search, &die);
			break;
		case DW_TAG_subprogram:
			if (search->types.has_names)
				search_declaration(search, &die);
			else
				search_definition(search, &die);
			break;
		case DW_TAG_namespace:
			search_in(search, &die);
			break;
		default:
			break;
		}
}

/* All units of a file, or of the file with its debug information. */
static bool search_file(struct search *search, const char *path)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &debug_path};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *file = dwfl ? dwfl_report_offline(dwfl, "", path, -1) : NULL;
	Dwarf_Addr bias;
	Dwarf_Die *unit = NULL;

	if (!file)
		return false;
	dwfl_report_end(dwfl, NULL, NULL);
	bool is_there = dwfl_module_getdwarf(file, &bias);
	while (is_there && (unit = dwfl_module_nextcu(file, unit, &bias)))
		search_in(search, unit);
	dwfl_end(dwfl);
	return is_there;
}

bool wrap_types_of_probes(struct wrap_module *module, const char *object)
{
	struct search search = {.types = {module, true}};

	if (search_file(&search, object) && search.nr_found == module->functions.nr)
		return true;
	measure_cli_say(
		"the compiler has written no debug information that can be read: use gcc or "
		"clang: set CC");
	return false;
}

void wrap_types_of_library(struct wrap_module *module)
{
	struct search search = {.types = {module, false}};

	measure_array_sort(&module->functions, compare_symbols);
	search_file(&search, module->library);
}
