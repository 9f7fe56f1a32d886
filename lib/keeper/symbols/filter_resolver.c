/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decides for functions, beside the program; see filter_resolver.h. Modules are resolved in the
 * order of their numbers, which is that of their records in the journal. */
#include "config.h"

#include "filter_resolver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/symbols.h"
#include "base/file.h"
#include "base/posix.h"
#include "format/filter_area.h"

#define IDLE_MS 1000
#define STACK   (2 * 1024 * 1024)

/* One module while it is read. */
struct filter_resolver_reading {
	struct measure_filter_resolver *resolver;
	const char *path;
	struct measure_filter_module *module;
	struct measure_filter_range last; /* not written yet; size 0: none */
};

static measure_filter_outcome_t resolve_function(
	const struct filter_resolver_reading *reading, const struct measure_symbol *symbol)
{
	const struct measure_filter_region region = {.name = symbol->name,
		.mangled = symbol->canonical,
		.file = symbol->file,
		.module = reading->path};

	return measure_filter_match_function(
		reading->resolver->filter, &region, reading->resolver->rank);
}

/* False: there is no room left. */
static bool write_last(struct filter_resolver_reading *reading)
{
	struct measure_filter_range *ranges = reading->resolver->segment->filter_ranges;

	if (reading->last.size == 0 || reading->last.outcome == reading->module->otherwise)
		return true;
	if (reading->resolver->nr_ranges >= MEASURE_FILTER_RANGES)
		return false;
	ranges[reading->resolver->nr_ranges++] = reading->last;
	reading->module->nr++;
	return true;
}

static measure_status_t add_function(
	void *context, uint64_t address, uint64_t size, const struct measure_symbol *symbol)
{
	struct filter_resolver_reading *reading = context;
	measure_filter_outcome_t outcome = resolve_function(reading, symbol);
	uint64_t all = address - reading->last.low + (size ? size : 1);

	if (atomic_load(&reading->resolver->is_over))
		return MEASURE_ERROR_OFF;
	if (reading->last.size && reading->last.outcome == outcome && all <= UINT32_MAX) {
		if (all > reading->last.size)
			reading->last.size = (uint32_t)all;
		return MEASURE_OK;
	}
	if (reading->last.low + reading->last.size > address)
		reading->last.size = (uint32_t)(address - reading->last.low);
	if (!write_last(reading))
		return MEASURE_ERROR_MEMORY;
	if (size > UINT32_MAX)
		size = UINT32_MAX;
	reading->last = (struct measure_filter_range){address, size ? (uint32_t)size : 1, outcome};
	return MEASURE_OK;
}

/* What is known of a function without a name: assembly calls it "<file>+0x<address>". */
static measure_filter_outcome_t resolve_unnamed(const struct filter_resolver_reading *reading)
{
	char name[512];

	snprintf(name, sizeof(name), "%s+0x0", measure_base_name(reading->path));
	return resolve_function(reading, &(struct measure_symbol){name, name, "", 0, 0});
}

static void resolve_module(
	struct measure_filter_resolver *resolver, const struct measure_def_module *def)
{
	struct measure_filter_area *area = resolver->segment->filter;
	struct measure_filter_module *module = &area->modules[def->id];
	struct filter_resolver_reading reading = {resolver, def->path, module, {0, 0, 0}};
	struct measure_symbols *symbols = measure_symbols_open(def->path, def->build_id);
	measure_status_t status = MEASURE_ERROR_MEMORY;

	module->first = resolver->nr_ranges;
	module->nr = 0;
	module->otherwise = resolve_unnamed(&reading);
	if (symbols)
		status = measure_symbols_visit(symbols,
			measure_filter_wants_files(resolver->filter), add_function, &reading);
	if (status == MEASURE_OK && !write_last(&reading))
		status = MEASURE_ERROR_MEMORY;
	if (status != MEASURE_OK)
		atomic_fetch_add(&area->nr_unread, 1);
	measure_symbols_close(symbols);
}

/* The next module's record: it is there, as the process asks for it. */
static bool next_module(struct measure_filter_resolver *resolver, struct measure_def_module *def)
{
	struct measure_decoder payload;
	uint32_t kind;

	while (measure_journal_tail_next(&resolver->journal, &kind, &payload))
		if (kind == MEASURE_RECORD_MODULE)
			return measure_def_module_decode(&payload, def) == MEASURE_OK &&
			       def->id < MEASURE_FILTER_MODULES;
	return false;
}

/* Release pairs with the acquire in lib/runtime/definitions/region_filter.c. */
static void filter_resolver_publish(struct measure_filter_area *area, uint32_t nr)
{
	atomic_store_explicit(&area->nr_decided, nr, memory_order_release);
	measure_futex_wake(&area->nr_decided, INT32_MAX);
}

/* How many modules were resolved by a keeper that has died since. */
static uint32_t resume(struct measure_filter_resolver *resolver)
{
	const struct measure_filter_area *area = resolver->segment->filter;
	uint32_t nr = atomic_load(&area->nr_decided), i = 0;
	struct measure_def_module def;

	for (; i < nr && next_module(resolver, &def) && def.id == i; i++)
		resolver->nr_ranges += area->modules[i].nr;
	return i;
}

static void *filter_resolver_run(void *argument)
{
	struct measure_filter_resolver *resolver = argument;
	struct measure_filter_area *area = resolver->segment->filter;
	struct measure_def_module def;
	uint32_t nr = resume(resolver);

	free(measure_demangle("_Z1av")); /* loads what it needs while the program starts */
	while (!atomic_load(&resolver->is_over)) {
		uint32_t asked = atomic_load(&area->asked);
		if (asked <= nr) {
			measure_futex_wait(&area->asked, asked, IDLE_MS);
			continue;
		}
		if (!next_module(resolver, &def) || def.id != nr)
			break;
		resolve_module(resolver, &def);
		filter_resolver_publish(area, ++nr);
	}
	atomic_store(&area->is_stopped, 1);
	measure_futex_wake(&area->nr_decided, INT32_MAX);
	return NULL;
}

void measure_filter_resolver_begin(struct measure_filter_resolver *resolver)
{
	if (!resolver->segment->filter)
		return;
	resolver->journal.segment = resolver->segment;
	resolver->is_running =
		measure_thread_start(&resolver->thread, STACK, filter_resolver_run, resolver) == 0;
	if (!resolver->is_running)
		atomic_store(&resolver->segment->filter->is_stopped, 1);
}

void measure_filter_resolver_end(struct measure_filter_resolver *resolver)
{
	if (!resolver->is_running)
		return;
	atomic_store(&resolver->is_over, true);
	measure_futex_wake(&resolver->segment->filter->asked, 1);
	pthread_join(resolver->thread, NULL);
}
