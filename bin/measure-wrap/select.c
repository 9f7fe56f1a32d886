/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Choosing the functions that are wrapped; see select.h. */
#include "config.h"

#include "select.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "base/file.h"
#include "cli/cli.h"
#include "compiler.h"
#include "declarations.h"
#include "dwarf_types.h"
#include "exported.h"
#include "symbols/demangle.h"

/* ------------------------------------------------------------------------- by headers --- */

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? wrap_copy(path, (size_t)(slash - path)) : wrap_format(".");
}

/* Where headers of many libraries lie side by side. */
static bool directory_is_shared(const char *directory)
{
	static const char *const ends[] = {"/include", "-linux-gnu", "-linux-gnueabihf"};
	size_t length = strlen(directory);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (length >= strlen(ends[i]) &&
			strcmp(directory + length - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* The path of a header, by the first line marker of the preprocessor that ends in its name; NULL:
 * it was not included. */
static char *header_path(const char *text, const char *header)
{
	const size_t length = strlen(header);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *quote = *line == '#' ? strchr(line, '"') : NULL;
		const char *end = quote ? strchr(quote + 1, '"') : NULL;
		if (!end || (size_t)(end - quote - 1) < length ||
			strncmp(end - length, header, length) != 0)
			continue;
		if (end - length == quote + 1 || end[-(ptrdiff_t)length - 1] == '/')
			return wrap_copy(quote + 1, (size_t)(end - quote - 1));
	}
	return NULL;
}

/* With a library, all that is declared may be its functions; otherwise what the header declares,
 * and its neighbours where they all belong to one library. */
static bool is_of_header(const struct wrap_declaration *one, const char *path)
{
	if (!path)
		return false;
	const char *directory = directory_of(path);
	const size_t length = strlen(directory);

	return strcmp(one->file, path) == 0 ||
	       (!directory_is_shared(directory) && strncmp(one->file, directory, length) == 0 &&
		       one->file[length] == '/');
}

static bool is_of_headers(const struct wrap_module *module, char *const *paths,
	const wrap_exports_t *exports, const struct wrap_declaration *one)
{
	for (size_t i = 0; i < module->headers.nr; i++)
		if (exports || is_of_header(one, paths[i]))
			return true;
	return false;
}

static bool is_matched(const struct wrap_module *module, const char *name)
{
	for (size_t i = 0; i < module->statements.nr; i++) {
		const char *list = module->statements.items[i].functions;
		if (!module->statements.items[i].is_patterns)
			continue;
		for (char *word; (word = wrap_word_next(&list));)
			if (fnmatch(word, name, 0) == 0)
				return true;
	}
	return false;
}

/* Has the user written its prototype? It may be in a header as well. */
static bool is_own(const struct wrap_module *module, const struct wrap_declaration *one)
{
	if (*module->main_file && strcmp(one->file, module->main_file) == 0)
		return true;
	for (size_t i = 0; i < module->statements.nr; i++)
		if (!module->statements.items[i].is_patterns &&
			strcmp(module->statements.items[i].functions, one->name) == 0)
			return true;
	return false;
}

static void function_add(struct wrap_module *module, const struct wrap_declaration *one)
{
	struct wrap_function function = {.name = one->name, .symbol = one->name};

	for (size_t i = 0; i < one->parameters.nr; i++)
		wrap_push(&function.parameters,
			(struct wrap_parameter){.name = one->parameters.items[i]});
	wrap_push(&module->functions, function);
}

/* False: a prototype of the user's own is of a function that the library lacks. */
static bool functions_choose(struct wrap_module *module, const wrap_declarations_t *declarations,
	const char *text, const wrap_exports_t *exports)
{
	char **paths = calloc(module->headers.nr + 1, sizeof(*paths));

	wrap_need(paths);
	for (size_t i = 0; i < module->headers.nr; i++)
		paths[i] = header_path(text, module->headers.items[i]);
	for (size_t i = 0; i < declarations->nr; i++) {
		const struct wrap_declaration *one = &declarations->items[i];
		if (wrap_symbol_is_special(one->name) ||
			(!is_own(module, one) && !is_matched(module, one->name) &&
				!is_of_headers(module, paths, exports, one)))
			continue;
		if (!exports || wrap_export_find(exports, one->name)) {
			function_add(module, one);
		} else if (is_own(module, one)) {
			measure_cli_say(
				"%s: %s: %s has no such function: correct the prototype or the "
				"name of the library",
				module->main_file, one->name, module->library);
			return false;
		}
	}
	return true;
}

/* ---------------------------------------------------------------------------- types --- */

static bool file_store(const char *path, const char *begin, const char *end)
{
	FILE *file = fopen(path, "w");
	bool is_fine = file && fputs(begin, file) >= 0 && fputs(end, file) >= 0;

	is_fine = file && fclose(file) == 0 && is_fine;
	if (!is_fine)
		measure_cli_say(
			"%s: cannot write: make room in the directory for temporary files", path);
	return is_fine;
}

static char *preprocess(const struct wrap_module *module, const char *directory)
{
	char *source = wrap_format("%s/" WRAP_PRELUDE, directory);
	char *output = wrap_format("%s/prelude.i", directory);
	const char *const arguments[] = {"-E", "-o", output, source, NULL};

	if (!file_store(source, module->prelude, "") ||
		!wrap_compile(module, arguments,
			*module->main_file ? "the compiler rejects the prototypes"
					   : "the compiler rejects the header",
			"correct that, or add flags after the sources: -- -I DIR"))
		return NULL;
	return wrap_file_load(output);
}

/* A pointer of each function's type, in an object that nothing is ever done with but to read what
 * the compiler says of it. */
static bool probe_types(struct wrap_module *module, const char *text, const char *directory)
{
	char *source = wrap_format("%s/probe.i", directory);
	char *object = wrap_format("%s/probe.so", directory);
	char *probes = wrap_format("%s", "\n");
	const char *const arguments[] = {"-x", "cpp-output", "-g", "-fPIC", "-shared", "-nostdlib",
		"-o", object, source, NULL};

	for (size_t i = 0; i < module->functions.nr; i++) {
		const char *name = module->functions.items[i].name;
		probes = wrap_format(
			"%s__typeof__(%s) *" WRAP_PROBE "%zu = %s;\n", probes, name, i, name);
	}
	return file_store(source, text, probes) &&
	       wrap_compile(
		       module, arguments, "the compiler rejects the prototypes", "correct them") &&
	       wrap_types_of_probes(module, object);
}

static bool select_by_declarations(
	struct wrap_module *module, const wrap_exports_t *exports, const char *directory)
{
	wrap_declarations_t declarations = {0};
	char *text = preprocess(module, directory);

	if (!text)
		return false;
	wrap_declarations_read(text, &declarations);
	return functions_choose(module, &declarations, text, exports) &&
	       (module->functions.nr == 0 || probe_types(module, text, directory));
}

/* ----------------------------------------------------------------------- by library --- */

/* What Measure itself uses, and what unwinds the stack. */
static bool library_is_own(const char *path)
{
	static const char *const stems[] = {
		"libc.so", "libc-", "ld-linux", "libpthread", "libdl.", "libmeasure", "libgcc_s"};
	const char *name = measure_base_name(path);

	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		if (strncmp(name, stems[i], strlen(stems[i])) == 0)
			return true;
	return false;
}

static bool select_by_library(struct wrap_module *module, const wrap_exports_t *exports)
{
	if (library_is_own(module->library)) {
		measure_cli_say(
			"%s: Measure itself uses this library: name the functions by prototypes",
			module->library);
		return false;
	}
	for (size_t i = 0; i < exports->nr; i++) {
		const struct wrap_export *one = &exports->items[i];
		bool is_known = i > 0 && strcmp(one[-1].symbol, one->symbol) == 0;
		if (is_known || wrap_symbol_is_special(one->symbol))
			continue;
		wrap_push(&module->functions,
			(struct wrap_function){.name = wrap_format("%s", one->symbol),
				.symbol = wrap_format("%s", one->symbol),
				.is_stub = true});
	}
	wrap_types_of_library(module);
	return true;
}

/* ------------------------------------------------------------------------------ all --- */

/* Functions of which the library has several versions: one wrapper for each, as a program may have
 * been linked to an old one. */
static void versions_add(struct wrap_module *module, const wrap_exports_t *exports)
{
	const size_t nr = module->functions.nr;

	for (size_t i = 0; i < nr; i++) {
		const struct wrap_export *first =
			wrap_export_find(exports, module->functions.items[i].symbol);
		const struct wrap_export *end = exports->items + exports->nr, *next = first;
		if (!first || first + 1 == end || strcmp(first[1].symbol, first->symbol) != 0)
			continue;
		module->functions.items[i].version =
			wrap_format("%s", first->version ? first->version : "");
		module->functions.items[i].is_default_version = first->is_default;
		while (++next < end && strcmp(next->symbol, first->symbol) == 0) {
			struct wrap_function copy;
			memcpy(&copy, &module->functions.items[i], sizeof(copy));
			copy.version = wrap_format("%s", next->version ? next->version : "");
			copy.is_default_version = next->is_default;
			wrap_push(&module->functions, copy);
		}
	}
}

static void functions_name(struct wrap_module *module)
{
	for (size_t i = 0; i < module->functions.nr; i++) {
		struct wrap_function *one = &module->functions.items[i];
		char *readable = measure_demangle(one->symbol);
		one->region = readable ? readable : one->name;
		for (size_t k = 0; k < one->parameters.nr; k++)
			if (!one->parameters.items[k].name)
				one->parameters.items[k].name = wrap_format("arg%zu", k + 1);
	}
}

/* @skip and @region. */
static void functions_settle(struct wrap_module *module)
{
	size_t nr = 0;

	for (size_t i = 0; i < module->functions.nr; i++) {
		struct wrap_function *one = &module->functions.items[i];
		const struct wrap_annotation *region = wrap_annotation_find(one, "region");
		if (wrap_annotation_find(one, "skip"))
			continue;
		if (region)
			one->region = region->arguments + strspn(region->arguments, " \t");
		module->functions.items[nr++] = *one;
	}
	module->functions.nr = nr;
}

bool wrap_select(struct wrap_module *module, const char *directory)
{
	wrap_exports_t exports = {0};
	const bool is_declared = module->headers.nr > 0 || *module->main_file;

	if (module->library && !wrap_exports_read(module->library, &exports))
		return false;
	if (is_declared &&
		!select_by_declarations(module, module->library ? &exports : NULL, directory))
		return false;
	if (module->functions.nr == 0 && module->library && module->headers.nr == 0 &&
		!select_by_library(module, &exports))
		return false;
	functions_name(module);
	if (!wrap_annotations_apply(module))
		return false;
	functions_settle(module);
	if (module->functions.nr == 0) {
		measure_cli_say(
			"%s: there is no function to wrap: name the library by -l, or write "
			"prototypes",
			module->name);
		return false;
	}
	versions_add(module, &exports);
	return true;
}
