/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of all processes: those defined by name, those known by their address, and the
 * artificial ones that analysis tools expect. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symbols.h"
#include "base/file.h"
#include "unify.h"

/* Files by path and build id, and code regions by file, address and use: every rank of a job
 * asks for the same ones. */
struct measure_code {
	struct measure_unified *unified;
	struct measure_intern modules;
	MEASURE_ARRAY(struct measure_symbols *) symbols; /* by id in `modules` */
	struct measure_intern places;
	MEASURE_ARRAY(uint32_t) regions; /* by id in `places` */
	bool is_off;                     /* the one that is being looked at, by the filter */
};

struct regions_place {
	uint64_t address;
	uint32_t module;
	uint32_t prefix;
	uint32_t role;
	uint32_t paradigm;
	uint64_t is_off;
};

/* NULL after a failure. */
static struct measure_symbols *symbols_of(
	struct measure_code *code, const struct measure_def_module *def, uint32_t *id)
{
	size_t size = strlen(def->path) + 1 + strlen(def->build_id) + 1;
	char *key = malloc(size);
	bool is_new;

	*id = 0;
	if (!key) {
		measure_unify_note(code->unified, MEASURE_ERROR_MEMORY);
		return NULL;
	}
	memcpy(key, def->path, strlen(def->path) + 1);
	memcpy(key + strlen(def->path) + 1, def->build_id, strlen(def->build_id) + 1);
	*id = measure_unify_intern(code->unified, &code->modules, key, size, &is_new);
	free(key);
	if (is_new) {
		struct measure_symbols *symbols = measure_symbols_open(def->path, def->build_id);
		measure_unify_note(
			code->unified, symbols ? measure_array_push(&code->symbols, symbols)
					       : MEASURE_ERROR_MEMORY);
		/* what the kernel gives a program (linux-vdso.so.1) has no path */
		if (symbols && measure_symbols_trouble(symbols) && strchr(def->path, '/'))
			code->unified->nr_unnamed_modules++;
	}
	return *id < code->symbols.nr ? code->symbols.items[*id] : NULL;
}

/* What the filter left out has no events: its name is for the summary only. */
static uint32_t note_filtered(
	struct measure_unified *unified, const char *name, const char *canonical, const char *file)
{
	char *known = NULL;
	uint32_t id;

	measure_unify_note(
		unified, measure_intern_put(&unified->filtered, name, strlen(name) + 1, &id, NULL));
	int size = asprintf(&known, "%s%c%s%c%s%c", name, 0, canonical, 0, file, 0);
	if (size < 0) {
		measure_unify_note(unified, MEASURE_ERROR_MEMORY);
		return 0;
	}
	measure_unify_note(unified,
		measure_intern_put(&unified->filtered_known, known, (size_t)size, &id, NULL));
	free(known);
	return 0;
}

/* A function that was sampled, and recorded as well, is one region. */
static void merge_sampled(struct measure_unified *unified, struct measure_otf2_region *region)
{
	struct measure_otf2_region key = *region;

	if (region->paradigm != OTF2_PARADIGM_SAMPLING)
		return;
	key.module = 0;
	key.paradigm = OTF2_PARADIGM_COMPILER;
	if (measure_intern_has(&unified->regions, &key, sizeof(key)))
		region->paradigm = OTF2_PARADIGM_COMPILER;
}

/* `module`: the file that a function is in, or "". */
static uint32_t make_region(struct measure_code *code, const struct measure_symbol *symbol,
	const struct regions_place *place, const char *module)
{
	if (code->is_off)
		return note_filtered(
			code->unified, symbol->name, symbol->canonical, symbol->file);

	struct measure_otf2_region region = {
		.name = measure_unify_string(code->unified, symbol->name),
		.canonical = measure_unify_string(code->unified, symbol->canonical),
		.file = measure_unify_string(code->unified, symbol->file),
		.begin_line = symbol->begin_line,
		.end_line = symbol->end_line,
		.role = place->role,
		.paradigm = place->paradigm,
		.module = measure_unify_string(code->unified, module)};

	merge_sampled(code->unified, &region);
	return measure_unify_region(code->unified, &region);
}

/* An address in no known file is its own name. */
static uint32_t make_nowhere(struct measure_code *code, const struct measure_def_code_region *def)
{
	struct regions_place place = {.role = def->role, .paradigm = def->paradigm};
	char text[1024];

	snprintf(text, sizeof(text), "%s%s0x%llx", def->prefix, def->prefix[0] ? " @" : "",
		(unsigned long long)def->address);
	struct measure_symbol symbol = {text, text, "", 0, 0};
	return make_region(code, &symbol, &place, "");
}

/* GCC calls one function for barriers that are written in the program and for those at the end of
 * some constructs: see doc/openmp.md. */
static void tell_barrier(
	struct measure_symbols *symbols, struct regions_place *place, const char **prefix)
{
	if (place->paradigm != OTF2_PARADIGM_OPENMP || place->role != OTF2_REGION_ROLE_BARRIER ||
		measure_symbols_is_lone_call(symbols, place->address))
		return;
	place->role = OTF2_REGION_ROLE_IMPLICIT_BARRIER;
	*prefix = "!$omp implicit barrier";
}

static uint32_t resolve(struct measure_code *code, struct measure_symbols *symbols,
	struct regions_place *place, const char *prefix, const char *path)
{
	struct measure_symbol symbol;

	tell_barrier(symbols, place, &prefix);
	measure_status_t status =
		prefix[0] ? measure_symbols_line(symbols, place->address, prefix, &symbol)
			  : measure_symbols_function(symbols, place->address, &symbol);

	measure_unify_note(code->unified, status);
	return status == MEASURE_OK ? make_region(code, &symbol, place, prefix[0] ? "" : path) : 0;
}

static uint32_t unify_code(struct measure_code *code, const struct measure_part *part,
	const struct measure_def_code_region *def)
{
	uint32_t id;

	if (def->module >= part->modules.nr || !part->modules.items[def->module].path)
		return make_nowhere(code, def);
	const struct measure_def_module *module = &part->modules.items[def->module];
	struct regions_place place = {.address = def->address - module->bias,
		.role = def->role,
		.paradigm = def->paradigm,
		.is_off = code->is_off};
	struct measure_symbols *symbols = symbols_of(code, module, &place.module);
	if (!symbols)
		return 0;
	place.prefix = measure_unify_string(code->unified, def->prefix);
	id = measure_unify_put(code->unified, &code->places, place, &code->regions,
		resolve(code, symbols, &place, def->prefix, module->path));
	return id < code->regions.nr ? code->regions.items[id] : 0;
}

static const struct measure_def_module *module_of(
	const struct measure_part *part, const struct measure_def_calling_context *def)
{
	return def->module < part->modules.nr && part->modules.items[def->module].path
		       ? &part->modules.items[def->module]
		       : NULL;
}

uint32_t measure_code_of_frame(struct measure_code *code, const struct measure_part *part,
	const struct measure_def_calling_context *def)
{
	const struct measure_def_code_region function = {
		.address = def->function ? def->function : def->address,
		.module = module_of(part, def) ? def->module : UINT32_MAX,
		.prefix = "",
		.role = OTF2_REGION_ROLE_FUNCTION,
		.paradigm = OTF2_PARADIGM_SAMPLING};

	code->is_off = false;
	return unify_code(code, part, &function);
}

uint32_t measure_code_source(struct measure_code *code, const struct measure_part *part,
	const struct measure_def_calling_context *def)
{
	const struct measure_def_module *module = module_of(part, def);
	struct measure_otf2_source source = {0, 0};
	struct measure_symbols *symbols;
	uint32_t id, line = 0;
	const char *file = "";

	symbols = module ? symbols_of(code, module, &id) : NULL;
	if (symbols)
		measure_symbols_source(symbols, def->address - module->bias, &file, &line);
	if (line == 0)
		return UINT32_MAX;
	source.file = measure_unify_string(code->unified, file);
	source.line = line;
	return measure_unify_put(code->unified, &code->unified->sources, source,
		&code->unified->definitions.sources, source);
}

static uint32_t unify_named(struct measure_unified *unified, const struct measure_def_region *def)
{
	struct measure_otf2_region region = {.name = measure_unify_string(unified, def->name),
		.canonical = measure_unify_string(unified, def->canonical_name),
		.file = measure_unify_string(unified, def->file),
		.begin_line = def->begin_line,
		.end_line = def->end_line,
		.flags = def->flags,
		.role = def->role,
		.paradigm = def->paradigm};

	return measure_unify_region(unified, &region);
}

static uint32_t make_artificial(struct measure_unified *unified, const char *name,
	const char *canonical, uint32_t paradigm)
{
	struct measure_otf2_region region = {.name = measure_unify_string(unified, name),
		.canonical = measure_unify_string(unified, canonical),
		.role = OTF2_REGION_ROLE_ARTIFICIAL,
		.paradigm = paradigm};

	return measure_unify_region(unified, &region);
}

/* An id that the journal does not describe: its record was lost. */
static uint32_t make_unknown(struct measure_unified *unified)
{
	return make_artificial(unified, "UNKNOWN REGION", "UNKNOWN REGION", OTF2_PARADIGM_UNKNOWN);
}

static void unify_part(
	struct measure_code *code, const struct measure_part *part, measure_id_map_t *map)
{
	for (size_t i = 0; i < part->regions.nr && code->unified->status == MEASURE_OK; i++) {
		const struct measure_part_region *region = &part->regions.items[i];
		uint32_t id;
		code->is_off = region->is_off;
		if (region->kind == MEASURE_PART_REGION_NAMED && region->is_off)
			id = note_filtered(code->unified, region->named.name,
				region->named.canonical_name, region->named.file);
		else if (region->kind == MEASURE_PART_REGION_NAMED)
			id = unify_named(code->unified, &region->named);
		else if (region->kind == MEASURE_PART_REGION_CODE)
			id = unify_code(code, part, &region->code);
		else
			id = make_unknown(code->unified);
		measure_unify_push(code->unified, map, id);
	}
}

/* The path, and each argument behind a blank: what ProgramBegin names. NULL: no memory. */
static char *command_of(const struct measure_part *part)
{
	char *command = strdup(part->process.program), *longer;

	for (uint32_t i = 1; command && i <= part->process.nr_arguments; i++) {
		const char *text = i < part->strings.nr ? part->strings.items[i].text : NULL;
		if (asprintf(&longer, "%s %s", command, text ? text : "") < 0)
			longer = NULL;
		free(command);
		command = longer;
	}
	return command;
}

/* The program as a region: the base name, and what was typed. Scalasca finds it by the names that
 * ProgramBegin has. */
static void add_program(struct measure_code *code, const struct measure_part *part)
{
	const struct measure_def_process *process = &part->process;
	char *canonical = command_of(part);

	if (!canonical) {
		measure_unify_note(code->unified, MEASURE_ERROR_MEMORY);
		return;
	}
	make_artificial(code->unified, measure_base_name(process->program), canonical,
		OTF2_PARADIGM_MEASUREMENT_SYSTEM);
	free(canonical);
}

void measure_unify_regions(struct measure_unified *unified)
{
	struct measure_code code = {.unified = unified};

	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_part *part = unified->job->processes.items[i].part;
		if (part)
			unify_part(&code, part, &unified->locals.items[i].regions);
	}
	measure_unify_contexts(unified, &code);
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_part *part = unified->job->processes.items[i].part;
		if (part && part->has_process)
			add_program(&code, part);
	}
	make_artificial(unified, "TRACE BUFFER FLUSH", "TRACE BUFFER FLUSH",
		OTF2_PARADIGM_MEASUREMENT_SYSTEM);
	make_artificial(unified, "MEASUREMENT OFF", "MEASUREMENT OFF", OTF2_PARADIGM_USER);

	for (size_t i = 0; i < code.symbols.nr; i++)
		measure_symbols_close(code.symbols.items[i]);
	free(code.symbols.items);
	free(code.regions.items);
	measure_intern_free(&code.modules);
	measure_intern_free(&code.places);
}
