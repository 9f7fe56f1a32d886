/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process's side of a filter; see region_filter.h. Names of regions that adapters define are
 * decided here; functions by the keeper (format/filter_area.h). */
#include "config.h"

#include "region_filter.h"

#include <errno.h>
#include <string.h>

#include "base/posix.h"
#include "base/likely.h"
#include "base/array.h"
#include "code_region.h"
#include "code_region_inline.h"
#include "define.h"
#include "filter/filter.h"
#include "format/filter_area.h"
#include "format/segment.h"
#include "pages.h"

#define WAIT_MS    20
#define FIRST_ROOM 1024
#define PATIENCE_S 30 /* with a keeper that lives but does not answer */

static struct measure_segment shared;
static struct measure_filter_area *area; /* of it */
static struct measure_filter *filter;
static uint32_t rank;
static uint32_t nr_regions; /* of which calls may be left out; under the definition lock */

/* Judgements by region, where some are not 0. Pairs with the load in measure_filter_outcome(). */
struct region_filter_table {
	uint32_t nr;
	struct measure_filter_outcome items[];
};

static _Atomic(struct region_filter_table *) outcomes;

static bool parse(const char *text)
{
	const char *exclude = text + strlen(text) + 1, *include = exclude + strlen(exclude) + 1;
	struct measure_filter_error error = {.say = NULL};

	filter = measure_filter_new();
	return filter && measure_filter_add(filter, "", text, &error) == MEASURE_OK &&
	       measure_filter_add_option(filter, "", false, exclude, &error) == MEASURE_OK &&
	       measure_filter_add_option(filter, "", true, include, &error) == MEASURE_OK;
}

static bool is_function_recorded(uint32_t region, const void *function, uint32_t module);

void measure_region_filter_start(const struct measure_segment *segment, uint32_t own_rank)
{
	int saved = errno;

	if (!segment->filter)
		return;
	shared = *segment;
	area = segment->filter;
	rank = own_rank;
	if (parse(area->text)) {
		measure_code_verdict = is_function_recorded;
	} else {
		measure_filter_free(filter);
		filter = NULL;
	}
	errno = saved;
}

void measure_region_filter_restart(const struct measure_segment *segment)
{
	shared = *segment;
	area = segment->filter;
	if (area)
		atomic_store(&area->nr_regions, nr_regions);
}

/* What is remembered of regions by the old one's outcomes means nothing to the new one. */
void measure_region_filter_again(const struct measure_segment *segment, uint32_t own_rank)
{
	struct region_filter_table *table = atomic_load(&outcomes);

	measure_code_verdict = NULL;
	measure_filter_free(filter);
	filter = NULL;
	area = NULL;
	nr_regions = 0;
	if (table)
		memset(table->items, 0, table->nr * sizeof(table->items[0]));
	measure_region_filter_start(segment, own_rank);
}

void measure_region_filter_describe(void)
{
	static const char *const names[] = {
		"MEASURE::FILTER", "MEASURE::FILTER_EXCLUDE", "MEASURE::FILTER_INCLUDE"};
	struct measure_signals saved;
	const char *text = filter ? area->text : "";

	for (int i = 0; filter && i < 3; i++, text += strlen(text) + 1) {
		struct measure_def_property def = {names[i], text};
		if (!*text)
			continue;
		measure_define_lock(&saved);
		MEASURE_JOURNAL(property, &def);
		measure_define_unlock(&saved);
	}
}

/* ------------------------------------------------------------------- functions --- */

static bool can_wait(void)
{
	return !atomic_load(&area->is_stopped) && measure_segment_is_cared_for(shared.header);
}

/* Pairs with the release store in lib/keeper/symbols/filter_resolver.c. */
static bool is_decided(uint32_t module)
{
	return atomic_load_explicit(&area->nr_decided, memory_order_acquire) > module;
}

static bool await(uint32_t module)
{
	if (is_decided(module))
		return true;
	if (module >= MEASURE_FILTER_MODULES)
		return false;
	if (atomic_load(&area->asked) <= module)
		atomic_store(&area->asked, module + 1);
	measure_futex_wake(&area->asked, 1);
	for (int i = 0; i < PATIENCE_S * 1000 / WAIT_MS && !is_decided(module) && can_wait(); i++) {
		uint32_t seen = atomic_load(&area->nr_decided);
		if (seen <= module)
			measure_futex_wait(&area->nr_decided, seen, WAIT_MS);
	}
	return is_decided(module);
}

static uint32_t look_up(const struct measure_filter_module *module, uint64_t address)
{
	const struct measure_filter_range *ranges = shared.filter_ranges + module->first;
	const size_t nr = measure_count_first(module->nr, i, ranges[i].low <= address);

	if (nr == 0 || address - ranges[nr - 1].low >= ranges[nr - 1].size)
		return module->otherwise;
	return ranges[nr - 1].outcome;
}

static measure_filter_outcome_t match_function(const void *function, uint32_t module)
{
	if (module == UINT32_MAX || !await(module))
		return 0;
	return look_up(&area->modules[module], (uintptr_t)function - measure_module_bias(module));
}

/* Without memory, or room to count them, all calls of the region are recorded. Old tables stay:
 * somebody may look. */
static void remember(uint32_t region, measure_filter_outcome_t outcome)
{
	struct region_filter_table *table = atomic_load(&outcomes), *larger;
	uint32_t nr = table ? table->nr : FIRST_ROOM;

	if (region >= MEASURE_FILTER_REGIONS)
		return;
	while (nr <= region)
		nr *= 2;
	if (!table || nr > table->nr) {
		larger = measure_pages_get(sizeof(*larger) + nr * sizeof(larger->items[0]));
		if (!larger)
			return;
		if (table)
			memcpy(larger->items, table->items, table->nr * sizeof(table->items[0]));
		larger->nr = nr;
		table = larger;
	}
	table->items[region] =
		(struct measure_filter_outcome){outcome, measure_filter_needs(filter, outcome)};
	nr_regions = region + 1 > nr_regions ? region + 1 : nr_regions;
	atomic_store(&area->nr_regions, nr_regions);
	atomic_store_explicit(&outcomes, table, memory_order_release);
}

const struct measure_filter_outcome *measure_filter_outcome(uint32_t region)
{
	static const struct measure_filter_outcome nothing;
	const struct region_filter_table *table =
		atomic_load_explicit(&outcomes, memory_order_acquire);

	return likely(table && region < table->nr) ? &table->items[region] : &nothing;
}

const struct measure_filter *measure_region_filter_filter(void)
{
	return filter;
}

_Atomic uint64_t *measure_region_filter_counters(uint32_t row)
{
	return measure_filter_counters(&shared, row);
}

static bool is_recorded(uint32_t region, measure_filter_outcome_t outcome)
{
	struct measure_def_region_off def = {region};

	if (outcome != 0 && outcome != MEASURE_FILTER_OFF)
		remember(region, outcome);
	if (outcome != MEASURE_FILTER_OFF)
		return true;
	MEASURE_JOURNAL(region_off, &def);
	return false;
}

static bool is_function_recorded(uint32_t region, const void *function, uint32_t module)
{
	return is_recorded(region, match_function(function, module));
}

uint32_t measure_region_filter_mark(uint32_t region)
{
	return region | (measure_filter_outcome(region)->outcome ? MEASURE_CODE_ASK : 0);
}

uint32_t measure_region_filter_region(uint32_t region, const struct measure_region_info *info)
{
	const struct measure_filter_region matched = {.name = info->name,
		.mangled = info->canonical_name ? info->canonical_name : info->name,
		.file = info->file,
		.role = info->role,
		.paradigm = info->paradigm};

	if (!filter || is_recorded(region, measure_filter_match(filter, &matched, rank)))
		return measure_region_filter_mark(region);
	return region | MEASURE_CODE_OFF;
}
