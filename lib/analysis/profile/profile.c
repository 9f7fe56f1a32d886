/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tree of call paths, and how two profiles become one. */
#include "config.h"

#include "profile.h"

#include "translation.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- paths --- */

static uint32_t add_path(struct measure_profile *profile, uint32_t parent, uint32_t region)
{
	profile->paths = measure_grow(
		profile->paths, profile->nr_paths, &profile->room_paths, sizeof(*profile->paths));
	profile->paths[profile->nr_paths] = (struct measure_profile_path){
		.parent = parent, .region = region, .min = UINT64_MAX};
	return (uint32_t)profile->nr_paths++;
}

uint32_t measure_profile_child_slowly(
	struct measure_profile *profile, uint32_t parent, uint32_t region)
{
	const uint32_t before = profile->paths[parent].last;
	const uint32_t child = measure_map_intern(
		&profile->children, measure_key_pair(parent, region), (uint32_t)profile->nr_paths);

	if (child == profile->nr_paths)
		add_path(profile, parent, region);
	profile->paths[parent].last = child;
	if (before != 0)
		profile->paths[before].follow = child;
	return child;
}

void measure_profile_start(struct measure_profile *profile, const struct measure_trace *trace)
{
	*profile = (struct measure_profile){.trace = trace, .first = UINT64_MAX};
	add_path(profile, MEASURE_NONE, MEASURE_PSEUDO_NO_REGION);
}

void measure_profile_free(struct measure_profile *profile)
{
	for (size_t i = 0; i < profile->nr_paths; i++) {
		measure_histogram_free(profile->paths[i].calls);
		measure_free(profile->paths[i].calls);
	}
	measure_free(profile->paths);
	measure_map_free(&profile->children);
	measure_free(profile->same_regions);
	measure_free(profile->rows);
	measure_free(profile->metrics);
	measure_free(profile->waits);
	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		measure_profile_table_free(&profile->tables[name]);
	*profile = (struct measure_profile){.nr_paths = 0};
}

/* ------------------------------------------------------------------------- regions --- */

const struct measure_region *measure_profile_region(
	const struct measure_profile *profile, uint32_t region)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;

	return region < definitions->nr_regions ? &definitions->regions[region] : NULL;
}

struct region_name {
	const struct measure_definitions *definitions;
	uint32_t index;
};

static int compare_texts(const struct measure_definitions *definitions, uint32_t a, uint32_t b)
{
	return a == b ? 0 : strcmp(measure_text(definitions, a), measure_text(definitions, b));
}

static int compare_meanings(const struct region_name *left, const struct region_name *right)
{
	const struct measure_definitions *definitions = left->definitions;
	const struct measure_region *a = &definitions->regions[left->index];
	const struct measure_region *b = &definitions->regions[right->index];
	int order = compare_texts(definitions, a->canonical_name, b->canonical_name);

	if (order == 0)
		order = compare_texts(definitions, a->name, b->name);
	if (order == 0)
		order = compare_texts(definitions, a->file, b->file);
	if (order == 0)
		order = (a->begin_line > b->begin_line) - (a->begin_line < b->begin_line);
	if (order == 0)
		order = (a->paradigm > b->paradigm) - (a->paradigm < b->paradigm);
	return order ? order : (a->role > b->role) - (a->role < b->role);
}

static int compare_regions(const void *left, const void *right)
{
	const struct region_name *a = left, *b = right;
	const int order = compare_meanings(a, b);

	return order ? order : (a->index > b->index) - (a->index < b->index);
}

void measure_profile_unify_regions(struct measure_profile *profile)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	const size_t nr = definitions->nr_regions;
	struct region_name *names = measure_zeroed(nr, sizeof(*names));
	uint32_t *same = measure_zeroed(nr, sizeof(*same));

	for (uint32_t i = 0; i < nr; i++)
		names[i] = (struct region_name){definitions, i};
	if (nr > 0)
		qsort(names, nr, sizeof(*names), compare_regions);
	for (size_t i = 0; i < nr; i++)
		same[names[i].index] = i > 0 && compare_meanings(&names[i - 1], &names[i]) == 0
					       ? same[names[i - 1].index]
					       : names[i].index;
	measure_free(names);
	profile->same_regions = same;
}

const char *measure_profile_region_name(const struct measure_profile *profile, uint32_t region)
{
	static const char *const names[] = {
#define PSEUDO_REGION(NAME, text) text,
#include "pseudo_regions.def"
#undef PSEUDO_REGION
	};

	if (region > MEASURE_PSEUDO_BEFORE && region < MEASURE_PSEUDO_END)
		return names[region - MEASURE_PSEUDO_BEFORE - 1];
	return measure_name_of_region(&profile->trace->definitions, region);
}

/* --------------------------------------------------------------------------- merge --- */

static void merge_path(struct measure_profile_path *sum, struct measure_profile_path *path)
{
	sum->visits += path->visits;
	sum->inclusive += path->inclusive;
	sum->bytes += path->bytes;
	if (path->min < sum->min)
		sum->min = path->min;
	if (path->max > sum->max)
		sum->max = path->max;
	if (!sum->calls) {
		sum->calls = path->calls;
		path->calls = NULL;
	} else {
		measure_histogram_merge(sum->calls, path->calls);
	}
}

static uint32_t merged_region(const struct measure_profile *profile,
	const struct measure_translation *translation, uint32_t region)
{
	if (translation)
		region = measure_translate_region(translation, region);
	return profile->same_regions && region < profile->trace->definitions.nr_regions
		       ? profile->same_regions[region]
		       : region;
}

/* Numbers of the paths of `part` in `profile`. */
static uint32_t *merge_paths(struct measure_profile *profile, struct measure_profile *part,
	const struct measure_translation *translation)
{
	uint32_t *numbers = measure_zeroed(part->nr_paths, sizeof(*numbers));

	for (size_t i = 0; i < part->nr_paths; i++) {
		struct measure_profile_path *path = &part->paths[i];

		if (i > 0)
			numbers[i] = measure_profile_child(profile, numbers[path->parent],
				merged_region(profile, translation, path->region));
		merge_path(&profile->paths[numbers[i]], path);
	}
	return numbers;
}

static uint64_t merged_word(enum measure_key_kind kind, uint64_t word, const uint32_t *paths)
{
	return kind == MEASURE_KEY_PATH ? paths[word] : word;
}

/* Of something outside the window, or that has been taken back. */
static bool is_row_empty(enum measure_table_name name, const uint64_t *values)
{
	const struct measure_column_info *columns =
		&measure_columns[measure_tables[name].first_column];

	for (uint32_t i = 0; i < measure_profile_table_width(name); i++)
		if (columns[i].how == MEASURE_COMBINE_SUM && values[i] != 0)
			return false;
	return true;
}

static void merge_table(struct measure_profile *profile, const struct measure_profile *part,
	enum measure_table_name name, const uint32_t *paths,
	const struct measure_translation *translation)
{
	const struct measure_table_info *info = &measure_tables[name];
	const struct measure_profile_table *table = &part->tables[name];

	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t *values = &table->values[i * measure_profile_table_width(name)];
		struct measure_key key = table->keys[i];

		if (is_row_empty(name, values))
			continue;
		if (translation)
			key = measure_translate_key(translation, name, key);
		key.high = merged_word(info->kinds[0], key.high, paths);
		key.low = merged_word(info->kinds[1], key.low, paths);
		measure_profile_table_add(&profile->tables[name], name, key, values);
	}
}

static void merge_rows(
	struct measure_profile *profile, const struct measure_profile *part, const uint32_t *paths)
{
	for (size_t i = 0; i < part->nr_rows; i++) {
		profile->rows = measure_grow(profile->rows, profile->nr_rows, &profile->room_rows,
			sizeof(*profile->rows));
		profile->rows[profile->nr_rows] = part->rows[i];
		profile->rows[profile->nr_rows++].path = paths[part->rows[i].path];
	}
}

static void merge_metric(
	struct measure_profile_metric *sum, const struct measure_profile_metric *metric)
{
	sum->is_spread |= metric->is_spread;
	sum->count += metric->count;
	sum->ticks += metric->ticks;
	sum->integer = (int64_t)((uint64_t)sum->integer + (uint64_t)metric->integer);
	sum->real += metric->real;
	if (metric->min < sum->min)
		sum->min = metric->min;
	if (metric->max > sum->max)
		sum->max = metric->max;
}

/* Regions that become one have had a row each. What is in the profile already is of other
 * locations. */
static void merge_metrics(struct measure_profile *profile, const struct measure_profile *part,
	const uint32_t *paths, const struct measure_translation *translation)
{
	const size_t first = profile->nr_metrics;
	struct measure_map rows = {.nr_slots = 0}; /* from the first one on */

	for (size_t i = 0; i < part->nr_metrics; i++) {
		struct measure_profile_metric metric = part->metrics[i];
		struct measure_key key;
		size_t at;

		metric.path = paths[metric.path];
		if (translation) {
			metric.location = translation->location;
			metric.member = measure_translate_member(translation, metric.member);
		}
		if (metric.member == MEASURE_NONE)
			continue;
		key = measure_key_pair(
			(uint64_t)metric.location << 32 | metric.path, metric.member);
		at = first +
		     measure_map_intern(&rows, key, (uint32_t)(profile->nr_metrics - first));
		if (at < profile->nr_metrics) {
			merge_metric(&profile->metrics[at], &metric);
			continue;
		}
		profile->metrics = measure_grow(profile->metrics, profile->nr_metrics,
			&profile->room_metrics, sizeof(*profile->metrics));
		profile->metrics[profile->nr_metrics++] = metric;
	}
	measure_map_free(&rows);
}

void measure_profile_merge(struct measure_profile *profile, struct measure_profile *part,
	const struct measure_translation *translation)
{
	uint32_t *paths = merge_paths(profile, part, translation);

	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		merge_table(profile, part, name, paths, translation);
	merge_rows(profile, part, paths);
	merge_metrics(profile, part, paths, translation);
	measure_free(paths);
	profile->faults.unopened += part->faults.unopened;
	profile->faults.repaired += part->faults.repaired;
	profile->faults.cut += part->faults.cut;
	profile->faults.backward += part->faults.backward;
	profile->nr_events += part->nr_events;
	profile->nr_chunks_read += part->nr_chunks_read;
	profile->nr_tasks_created += part->nr_tasks_created;
	profile->nr_tasks_completed += part->nr_tasks_completed;
	profile->nr_locations += part->nr_locations;
	profile->nr_broken += part->nr_broken;
	if (part->first < profile->first)
		profile->first = part->first;
	if (part->last > profile->last)
		profile->last = part->last;
	measure_profile_free(part);
}
