/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an archive consists of by size, and what a filter would save of it: for those who know
 * scorep-score. */
#include "config.h"

#include "summary_internal.h"

#include <limits.h>

#include "analysis/archive/profile_archive.h"
#include "analysis/report/profile_view.h"
#include "base/figures.h"
#include "base/printable.h"
#include "format/run_layout.h"
#include "trace/common/containers.h"

#define ROWS 30 /* regions */

/* Events of a group of regions, or of all. */
struct score {
	uint64_t events, bytes, visits, exclusive;
};

static void add_score(struct score *sum, const struct score *score)
{
	sum->events += score->events;
	sum->bytes += score->bytes;
	sum->visits += score->visits;
	sum->exclusive += score->exclusive;
}

/* Records that belong to no region: messages, metrics of threads, and so on. */
static struct score score_of_others(const struct measure_summary *summary, const struct score *regions)
{
	struct score all = {.events = 0};

	for (size_t i = 0; i < SUMMARY_KINDS; i++) {
		all.events += summary->events.kinds[i].events;
		all.bytes += summary->events.kinds[i].bytes;
	}
	all.events -= regions->events < all.events ? regions->events : all.events;
	all.bytes -= regions->bytes < all.bytes ? regions->bytes : all.bytes;
	return all;
}

static void print_score(const struct measure_summary *summary, const struct score *score,
	const struct score *all, char mark, const char *name)
{
	char size[MEASURE_FIGURE_TEXT], time[MEASURE_FIGURE_TEXT], each[MEASURE_FIGURE_TEXT];
	const double seconds = summary_seconds(summary, score->exclusive);

	fprintf(summary->out, "%c %9s %5.1f %13s %9s %5.1f %8s  %s\n", mark,
		measure_figure_size(score->bytes, size),
		all->bytes ? 100 * (double)score->bytes / (double)all->bytes : 0,
		measure_figure(score->visits), measure_figure_seconds(seconds, time),
		all->exclusive ? 100 * (double)score->exclusive / (double)all->exclusive : 0,
		score->visits ? measure_figure_seconds(seconds / (double)score->visits, each) : "-",
		MEASURE_PRINTABLE(name));
}

/* Bytes of event files of the process that has most of them. */
static uint64_t most_of_process(const struct measure_summary *summary)
{
	const struct measure_definitions *definitions = summary->definitions;
	struct measure_event_file_size *files = measure_profile_event_files(summary->trace);
	uint64_t *sums = measure_zeroed(definitions->nr_location_groups + 1, sizeof(*sums));
	uint64_t most = 0;

	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t group = definitions->locations[i].group;
		uint64_t *sum =
			&sums[group == MEASURE_NONE ? definitions->nr_location_groups : group];

		*sum += files[i].nr_bytes;
		most = *sum > most ? *sum : most;
	}
	measure_free(files);
	measure_free(sums);
	return most;
}

static void print_saved(const struct measure_summary *summary, const struct score *saved,
	const struct score *all, const char *filter)
{
	char size[MEASURE_FIGURE_TEXT], left[MEASURE_FIGURE_TEXT];

	fprintf(summary->out, "\nWith %s: %s in %s events, %.1f %% fewer bytes (%s)\n", filter,
		measure_figure_size(all->bytes - saved->bytes, left),
		measure_figure(all->events - saved->events),
		all->bytes ? 100 * (double)saved->bytes / (double)all->bytes : 0,
		measure_figure_size(saved->bytes, size));
}

static void print_suggested(const struct measure_summary *summary, const struct score *all)
{
	const struct score saved = {summary->saved.events, summary->saved.bytes, 0, 0};
	char path[PATH_MAX];

	if (summary->suggested.nr == 0) {
		fprintf(summary->out,
			"\nNo filter is suggested: no function is both short and called often.\n");
		return;
	}
	snprintf(path, sizeof(path), "%s/" MEASURE_SUGGESTION_NAME, summary->directory);
	print_saved(summary, &saved, all, MEASURE_PRINTABLE(path));
	fprintf(summary->out,
		"  write it: measure-profile --write %s\n  record with it: measure --filter=%s ...\n",
		MEASURE_PRINTABLE(summary->directory), MEASURE_PRINTABLE(path));
}

/* -------------------------------------------------------------------------- sums --- */

struct scoring {
	struct measure_summary *summary;
	const struct measure_score_filter *filter;
	uint64_t *exclusive; /* by region */
	struct score all, saved, others, groups[MEASURE_NR_GROUPS];
};

static bool is_kept(const struct scoring *scoring, uint32_t region)
{
	const struct measure_score_filter *filter = scoring->filter;

	return !filter || filter->is_kept(filter->data, &scoring->summary->profile, region);
}

static struct score score_of(const struct scoring *scoring, const struct summary_region *region)
{
	return (struct score){region->events, region->bytes, region->visits,
		scoring->exclusive[region->region]};
}

/* Time of pseudo regions has no events, but is part of all time: shares are as in the profile. */
static void take_times(struct scoring *scoring)
{
	const struct measure_profile *profile = &scoring->summary->profile;
	const struct measure_view_options options = {.by = MEASURE_BY_REGION};
	struct measure_view view;

	measure_view_make(&view, profile, &options);
	scoring->exclusive = measure_zeroed(
		scoring->summary->definitions->nr_regions, sizeof(*scoring->exclusive));
	for (size_t i = 0; i < view.nr_rows; i++) {
		const struct score time = {.exclusive = view.rows[i].exclusive};

		if (measure_profile_region(profile, view.rows[i].subject)) {
			scoring->exclusive[view.rows[i].subject] = view.rows[i].exclusive;
			continue;
		}
		add_score(&scoring->all, &time);
		add_score(&scoring->groups[measure_group_of(profile, view.rows[i].subject)], &time);
	}
	measure_view_free(&view);
}

static void sum_up(struct scoring *scoring)
{
	const struct measure_summary *summary = scoring->summary;

	for (size_t i = 0; i < summary->regions.nr; i++) {
		const struct summary_region *region = &summary->regions.items[i];
		const struct score score = score_of(scoring, region);

		add_score(&scoring->all, &score);
		add_score(&scoring->groups[measure_group_of(&summary->profile, region->region)],
			&score);
		if (!is_kept(scoring, region->region))
			add_score(&scoring->saved, &score);
	}
	scoring->others = score_of_others(summary, &scoring->all);
	add_score(&scoring->all, &scoring->others);
}

/* -------------------------------------------------------------------------- table --- */

static void print_head(const struct scoring *scoring)
{
	const struct measure_summary *summary = scoring->summary;
	char total[MEASURE_FIGURE_TEXT], most[MEASURE_FIGURE_TEXT];

	fprintf(summary->out, "%s events in %s%s\n", measure_figure(scoring->all.events),
		measure_figure_size(scoring->all.bytes, total),
		summary_is_estimated(summary) ? ", estimated from a part of them" : "");
	if (summary->nr_kept == summary->nr_events) /* else sizes of processes are not known */
		fprintf(summary->out,
			"largest process: %s, the event memory (--buffer) for a run without "
			"writing\n",
			measure_figure_size(most_of_process(summary), most));
	fputc('\n', summary->out);
	fprintf(summary->out,
		"       size     %%        visits      self     %%   /visit  region\n");
}

static void print_groups(const struct scoring *scoring)
{
	const struct measure_summary *summary = scoring->summary;

	print_score(summary, &scoring->all, &scoring->all, ' ', "(all)");
	for (int group = 0; group < MEASURE_NR_GROUPS; group++)
		if (scoring->groups[group].events || scoring->groups[group].exclusive)
			print_score(summary, &scoring->groups[group], &scoring->all, ' ',
				measure_group_words[group]);
	if (scoring->others.events)
		print_score(summary, &scoring->others, &scoring->all, ' ',
			"(messages and other records)");
	fputc('\n', summary->out);
}

static void print_score_regions(const struct scoring *scoring)
{
	const struct measure_summary *summary = scoring->summary;

	for (size_t i = 0; i < summary->regions.nr && i < ROWS; i++) {
		const struct summary_region *region = &summary->regions.items[i];
		const struct score score = score_of(scoring, region);

		print_score(summary, &score, &scoring->all,
			is_kept(scoring, region->region) ? ' ' : '-',
			measure_name_of_region(summary->definitions, region->region));
	}
	if (summary->regions.nr > ROWS)
		fprintf(summary->out, "  (%zu more)\n", summary->regions.nr - ROWS);
}

void measure_summary_print_score(struct measure_summary *summary,
	const struct measure_score_filter *filter, FILE *out)
{
	struct scoring scoring = {.summary = summary, .filter = filter};

	summary->out = out;
	take_times(&scoring);
	sum_up(&scoring);
	print_head(&scoring);
	print_groups(&scoring);
	print_score_regions(&scoring);
	if (filter)
		print_saved(summary, &scoring.saved, &scoring.all, MEASURE_PRINTABLE(filter->name));
	else
		print_suggested(summary, &scoring.all);
	measure_free(scoring.exclusive);
}
