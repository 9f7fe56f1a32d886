/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a summary says of events, from the profile of the archive: kinds of records, regions with
 * their visits, samples. Of large archives a part of the chunks is read, and scaled up to all
 * events. */
#include "config.h"

#include "summary_internal.h"

#include "analysis/report/profile_view.h"
#include "format/otf2_records.h"
#include "trace/common/containers.h"
#include "trace/stream/record.h"

uint64_t summary_scale(const struct measure_summary *summary, uint64_t number)
{
	return summary_is_estimated(summary)
		       ? (uint64_t)((double)number * summary->events.factor + 0.5)
		       : number;
}

static void take_kinds(struct measure_summary *summary)
{
	const struct measure_profile_table *table = &summary->profile.tables[MEASURE_TABLE_RECORDS];
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_RECORDS);

	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t kind = table->keys[i].high;
		const uint64_t *row = &table->values[i * width];

		if (kind >= MEASURE_EVENT_UNKNOWN)
			continue;
		summary->events.kinds[measure_record_formats[kind].number] = (struct summary_kind){
			summary_scale(summary, measure_cell(row, RECORDS, COUNT)),
			summary_scale(summary, measure_cell(row, RECORDS, BYTES))};
	}
}

static void take_samples(struct measure_summary *summary)
{
	const struct measure_profile_table *table = &summary->profile.tables[MEASURE_TABLE_SAMPLES];
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_SAMPLES);

	for (size_t i = 0; i < table->nr; i++)
		summary->events.contexts[table->keys[i].high] += summary_scale(
			summary, measure_cell(&table->values[i * width], SAMPLES, COUNT));
}

/* Calls that have no Leave in what was read. */
static uint64_t nr_unended(const struct measure_profile *profile, uint32_t path)
{
	const uint64_t *values = measure_profile_table_find(&profile->tables[MEASURE_TABLE_VALUES],
		MEASURE_TABLE_VALUES, measure_key_pair(path, 0));

	return values ? measure_cell(values, VALUES, CUT_CALLS) : 0;
}

/* Enters and Leaves inside the calls of each path, which come before those that they call. */
static uint64_t *count_nested(const struct measure_profile *profile)
{
	uint64_t *nested = measure_zeroed(profile->nr_paths, sizeof(*nested));

	for (size_t i = profile->nr_paths; i-- > 1;)
		nested[profile->paths[i].parent] += nested[i] + 2 * profile->paths[i].visits;
	return nested;
}

/* Events of regions; what is inside of those that call themselves counts for the outer call, too.
 */
static void take_events(struct measure_summary *summary)
{
	const struct measure_profile *profile = &summary->profile;
	uint64_t *nested = count_nested(profile);

	for (uint32_t i = 0; i < profile->nr_paths; i++) {
		const struct measure_profile_path *path = &profile->paths[i];
		struct summary_region *region;

		if (!measure_profile_region(profile, path->region))
			continue;
		region = &summary->events.regions[path->region];
		region->events += summary_scale(summary, 2 * path->visits - nr_unended(profile, i));
		region->bytes += summary_scale(summary, path->bytes);
		region->nested += nested[i];
	}
	measure_free(nested);
}

static void take_visits(struct measure_summary *summary)
{
	const struct measure_view_options options = {.by = MEASURE_BY_REGION};
	struct measure_view view;

	measure_view_make(&view, &summary->profile, &options);
	for (size_t i = 0; i < view.nr_rows; i++) {
		const struct measure_view_row *row = &view.rows[i];
		struct summary_region *region;

		if (!measure_profile_region(&summary->profile, row->subject))
			continue;
		region = &summary->events.regions[row->subject];
		region->visits = summary_scale(summary, row->visits);
		region->measured = row->complete;
		region->ticks = row->complete_ticks;
		region->typical = measure_view_quantile(row, 0.5);
	}
	measure_view_free(&view);
}

measure_status_t summary_events_count(
	struct measure_summary *summary, unsigned nr_threads, uint64_t most)
{
	const struct measure_definitions *definitions = summary->definitions;
	const struct measure_profile_options options = {
		.nr_threads = nr_threads, .most_bytes = most};
	struct measure_profile *profile = &summary->profile;
	struct summary_events *events = &summary->events;

	const measure_status_t status = measure_profile_read(summary->trace, &options, profile);

	if (status != MEASURE_OK && status != MEASURE_ERROR_FORMAT)
		return status;
	events->is_damaged = status != MEASURE_OK;
	events->regions = measure_zeroed(definitions->nr_regions, sizeof(*events->regions));
	events->contexts =
		measure_zeroed(definitions->nr_calling_contexts, sizeof(*events->contexts));
	if (profile->nr_events > 0)
		events->factor = (double)summary->nr_events / (double)profile->nr_events;
	take_kinds(summary);
	take_samples(summary);
	take_events(summary);
	take_visits(summary);
	return MEASURE_OK;
}

void summary_events_free(struct measure_summary *summary)
{
	measure_free(summary->events.regions);
	measure_free(summary->events.contexts);
	measure_profile_free(&summary->profile);
}
