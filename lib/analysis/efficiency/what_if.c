/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From changes to a replay: what calls take on the other network, and by how much less or more each
 * process computes. Changes of regions come first, then those of processes. */
#include "config.h"

#include "what_if.h"

#include <fnmatch.h>

#include "analysis/waits/path_kinds.h"
#include "trace/archive/ranks.h"
#include "trace/common/containers.h"

/* What processes compute, as it changes. */
struct changed_work {
	const struct measure_replay *replay;
	struct measure_path_kind *paths;
	double *left;       /* by row of the profile: ticks */
	double *total;      /* by process */
	uint64_t *gaps;     /* for measure_replay_rules */
	size_t *rows;       /* those that count, of a process together */
	size_t *first_rows; /* by process, and the end */
};

/* ---------------------------------------------------------------------------- paths --- */

/* By path: in a region of that name? */
static bool *find_paths_of(const struct measure_profile *profile, const char *name)
{
	bool *is_there = measure_zeroed(profile->nr_paths, sizeof(*is_there));

	for (size_t i = 1; i < profile->nr_paths; i++) {
		const struct measure_profile_path *path = &profile->paths[i];

		is_there[i] =
			is_there[path->parent] ||
			fnmatch(name, measure_profile_region_name(profile, path->region), 0) == 0;
	}
	return is_there;
}

/* -------------------------------------------------------------------------- regions --- */

/* The process that a row counts for, or MEASURE_NONE. */
static uint32_t process_of_row(
	const struct changed_work *work, const struct measure_profile_row *row)
{
	const uint32_t process = work->replay->processes[row->location];

	return process != MEASURE_NONE && work->replay->masters[process] == row->location &&
			       work->paths[row->path].is_useful
		       ? process
		       : MEASURE_NONE;
}

/* By process: ticks that are left in some paths. */
static double *sum_paths(const struct changed_work *work, const bool *is_there)
{
	const struct measure_profile *profile = &work->replay->waits->profile;
	double *sums = measure_zeroed(work->replay->nr_processes, sizeof(*sums));

	for (size_t i = 0; i < profile->nr_rows; i++) {
		const uint32_t process = process_of_row(work, &profile->rows[i]);

		if (process != MEASURE_NONE && is_there[profile->rows[i].path])
			sums[process] += work->left[i];
	}
	return sums;
}

static double mean_of(const double *values, uint32_t nr)
{
	double sum = 0;

	for (uint32_t i = 0; i < nr; i++)
		sum += values[i];
	return nr > 0 ? sum / nr : 0;
}

static void change_region(struct changed_work *work, const struct measure_run_change *change)
{
	const struct measure_profile *profile = &work->replay->waits->profile;
	bool *is_there = find_paths_of(profile, change->name);
	double *sums = sum_paths(work, is_there);
	const double mean = mean_of(sums, work->replay->nr_processes);

	for (size_t i = 0; i < profile->nr_rows; i++) {
		const uint32_t process = process_of_row(work, &profile->rows[i]);

		if (process == MEASURE_NONE || !is_there[profile->rows[i].path])
			continue;
		if (!change->is_balanced)
			work->left[i] *= change->value;
		else if (sums[process] > 0)
			work->left[i] *= mean / sums[process];
	}
	measure_free(sums);
	measure_free(is_there);
}

/* ----------------------------------------------------------------------------- gaps --- */

/* Where a process is in the spans of its master. */
struct span_cursor {
	const struct measure_segments *segments;
	size_t next;
};

static uint64_t begin_of_span(const struct span_cursor *cursor)
{
	return cursor->next > 0 ? cursor->segments->spans[cursor->next - 1].until
				: cursor->segments->begin;
}

/* Ticks of a gap that are taken away. Gaps come in order. */
static double removed_from_gap(
	struct span_cursor *cursor, const struct measure_interval *gap, const double *weights)
{
	double removed = 0;

	for (; cursor->next < cursor->segments->nr_spans; cursor->next++) {
		const struct measure_span *span = &cursor->segments->spans[cursor->next];
		const uint64_t begin = begin_of_span(cursor);
		const uint64_t from = begin > gap->from ? begin : gap->from;
		const uint64_t until = span->until < gap->until ? span->until : gap->until;

		if (begin >= gap->until)
			break;
		if (until > from)
			removed += (double)(until - from) * (1 - weights[span->path]);
		if (span->until > gap->until)
			break;
	}
	return removed;
}

/* Gaps of a process, where its regions have changed; what that takes away. */
static double change_gaps(struct changed_work *work, uint32_t process,
	const struct measure_interval *window, const double *weights)
{
	const struct measure_replay *replay = work->replay;
	struct span_cursor cursor = {
		&replay->waits->dependencies.tables[replay->masters[process]].segments, 0};
	double removed = 0;
	size_t first, end;

	measure_replay_window(replay, process, window, &first, &end);
	for (size_t i = first; i <= end; i++) {
		const struct measure_interval gap =
			measure_replay_recorded_gap(replay, process, i, window);
		const double less = removed_from_gap(&cursor, &gap, weights);
		const double left = (double)(gap.until - gap.from) - less;

		work->gaps[measure_replay_gap(process, i)] = left > 0 ? (uint64_t)(left + 0.5) : 0;
		removed += less;
	}
	return removed;
}

/* Once all regions have been changed. Weights are those of one process after the other. */
static void change_all_gaps(struct changed_work *work, const struct measure_interval *windows)
{
	const struct measure_profile *profile = &work->replay->waits->profile;
	double *weights = measure_zeroed(profile->nr_paths, sizeof(*weights));

	for (size_t i = 0; i < profile->nr_paths; i++)
		weights[i] = 1;
	for (uint32_t process = 0; process < work->replay->nr_processes; process++) {
		const size_t *rows = work->rows + work->first_rows[process];
		const size_t nr = work->first_rows[process + 1] - work->first_rows[process];

		for (size_t i = 0; i < nr; i++) {
			const struct measure_profile_row *row = &profile->rows[rows[i]];

			if (row->exclusive > 0)
				weights[row->path] = work->left[rows[i]] / (double)row->exclusive;
		}
		work->total[process] -= change_gaps(work, process, &windows[process], weights);
		work->total[process] = work->total[process] > 0 ? work->total[process] : 0;
		for (size_t i = 0; i < nr; i++)
			weights[profile->rows[rows[i]].path] = 1;
	}
	measure_free(weights);
}

/* Rows that count, by process. */
static void group_rows(struct changed_work *work)
{
	const struct measure_profile *profile = &work->replay->waits->profile;
	const uint32_t nr = work->replay->nr_processes;
	size_t *places;

	work->first_rows = measure_zeroed((size_t)nr + 1, sizeof(*work->first_rows));
	for (size_t i = 0; i < profile->nr_rows; i++) {
		const uint32_t process = process_of_row(work, &profile->rows[i]);

		if (process != MEASURE_NONE)
			work->first_rows[process + 1]++;
	}
	for (uint32_t i = 0; i < nr; i++)
		work->first_rows[i + 1] += work->first_rows[i];
	work->rows = measure_zeroed(work->first_rows[nr], sizeof(*work->rows));
	places = measure_zeroed(nr, sizeof(*places));
	for (size_t i = 0; i < profile->nr_rows; i++) {
		const uint32_t process = process_of_row(work, &profile->rows[i]);

		if (process != MEASURE_NONE)
			work->rows[work->first_rows[process] + places[process]++] = i;
	}
	measure_free(places);
}

/* -------------------------------------------------------------------------- balance --- */

/* Where processes come to in the program: the call path of a call of MPI, and which of its visits.
 * The gap is what leads there. */
struct balance_place {
	uint64_t ticks;
	uint32_t nr; /* processes that come there */
};

struct balance_places {
	struct measure_map numbers; /* by path and visit */
	MEASURE_GROWING(struct balance_place, items);
	uint32_t *of_gaps;
	uint32_t *visits; /* by path: of the process that is gone through */
};

static struct measure_key key_of_step(struct balance_places *places,
	const struct measure_replay *replay, uint32_t process, size_t step)
{
	const uint32_t path = measure_replay_call_of(replay, process, step)->path;

	return measure_key_pair(path, places->visits[path]++);
}

/* The last gap leads to no call. */
static void add_gaps(struct balance_places *places, const struct measure_replay *replay,
	uint32_t process, const struct measure_interval *window, const uint64_t *gaps)
{
	const size_t nr_paths = replay->waits->profile.nr_paths;
	size_t first, end;

	measure_replay_window(replay, process, window, &first, &end);
	places->visits = measure_zeroed(nr_paths, sizeof(*places->visits));
	for (size_t i = first; i <= end; i++) {
		const size_t gap = measure_replay_gap(process, i);
		const struct measure_key key = i == end ? measure_key_pair(MEASURE_NONE, 0)
							: key_of_step(places, replay, process, i);
		const uint32_t place =
			measure_map_intern(&places->numbers, key, (uint32_t)places->nr_items);

		if (place == places->nr_items)
			*measure_append(places, items) = (struct balance_place){.nr = 0};
		places->items[place].ticks += gaps[gap];
		places->items[place].nr++;
		places->of_gaps[gap] = place;
	}
	measure_free(places->visits);
	places->visits = NULL;
}

static bool is_shared(
	const struct balance_places *places, const struct measure_replay *replay, size_t gap)
{
	return places->items[places->of_gaps[gap]].nr == replay->nr_processes;
}

/* Places to which all come; ticks of the others. */
static double set_shared_gaps(const struct balance_places *places,
	const struct measure_replay *replay, uint32_t process, size_t first, size_t end,
	uint64_t *gaps, double *total)
{
	double others = 0;

	for (size_t i = first; i <= end; i++) {
		uint64_t *gap = &gaps[measure_replay_gap(process, i)];
		const size_t place = places->of_gaps[gap - gaps];

		if (!is_shared(places, replay, (size_t)(gap - gaps))) {
			others += (double)*gap;
			continue;
		}
		*total -= (double)*gap;
		*gap = places->items[place].ticks / replay->nr_processes;
		*total += (double)*gap;
	}
	return others;
}

static void set_gaps(const struct balance_places *places, const struct measure_replay *replay,
	uint32_t process, const struct measure_interval *window, double mean, uint64_t *gaps,
	double *total)
{
	double others, factor;
	size_t first, end;

	measure_replay_window(replay, process, window, &first, &end);
	others = set_shared_gaps(places, replay, process, first, end, gaps, total);
	if (others <= 0)
		return;
	factor = (others + mean - *total) / others;
	factor = factor > 0 ? factor : 0;
	*total += others * (factor - 1);
	for (size_t i = first; i <= end; i++) {
		const size_t gap = measure_replay_gap(process, i);

		if (!is_shared(places, replay, gap))
			gaps[gap] = (uint64_t)((double)gaps[gap] * factor + 0.5);
	}
}

/* Changes the gaps of a process, or MEASURE_NONE: of all, and adds to their totals. Gaps at places
 * to which not all processes come are scaled, so that a total becomes the mean if it can. */
static void balance_gaps(const struct measure_replay *replay,
	const struct measure_interval *windows, uint32_t process, uint64_t *gaps, double *totals)
{
	struct balance_places places = {
		.of_gaps = measure_zeroed(measure_replay_nr_gaps(replay), sizeof(*places.of_gaps))};
	const double mean = mean_of(totals, replay->nr_processes);

	for (uint32_t i = 0; i < replay->nr_processes; i++)
		add_gaps(&places, replay, i, &windows[i], gaps);
	for (uint32_t i = 0; i < replay->nr_processes; i++)
		if (process == MEASURE_NONE || process == i)
			set_gaps(&places, replay, i, &windows[i], mean, gaps, &totals[i]);
	measure_map_free(&places.numbers);
	measure_free(places.items);
	measure_free(places.of_gaps);
}

/* ------------------------------------------------------------------------- processes --- */

/* As MPI has them; without it, the place among processes. */
static uint32_t process_of_rank(const struct measure_replay *replay, uint32_t rank)
{
	const struct measure_definitions *definitions = &replay->waits->profile.trace->definitions;
	const uint32_t location = measure_group_location(
		definitions, definitions->comm_locations[OTF2_PARADIGM_MPI], rank);

	if (location != MEASURE_NONE)
		return replay->processes[location];
	return rank < replay->nr_processes ? rank : MEASURE_NONE;
}

/* Scales what is left of the gaps of a process, so that it computes `more` ticks more. */
static void scale_gaps(struct changed_work *work, uint32_t process,
	const struct measure_interval *window, double more)
{
	double sum = 0, factor;
	size_t first, end;

	measure_replay_window(work->replay, process, window, &first, &end);
	for (size_t i = first; i <= end; i++)
		sum += (double)work->gaps[measure_replay_gap(process, i)];
	if (sum <= 0 || more == 0)
		return;
	factor = sum + more > 0 ? (sum + more) / sum : 0;
	for (size_t i = first; i <= end; i++) {
		uint64_t *gap = &work->gaps[measure_replay_gap(process, i)];

		*gap = (uint64_t)((double)*gap * factor + 0.5);
	}
	work->total[process] += more;
}

static void change_processes(struct changed_work *work, const struct measure_run_change *change,
	const struct measure_interval *windows)
{
	const uint32_t process = change->rank == MEASURE_NONE
					 ? MEASURE_NONE
					 : process_of_rank(work->replay, change->rank);

	if (change->is_balanced) {
		balance_gaps(work->replay, windows, process, work->gaps, work->total);
		return;
	}
	for (uint32_t i = 0; i < work->replay->nr_processes; i++)
		if (change->rank == MEASURE_NONE || i == process)
			scale_gaps(work, i, &windows[i], work->total[i] * (change->value - 1));
}

static void change_work(struct changed_work *work, const struct measure_what_if *what_if,
	const struct measure_interval *windows)
{
	for (size_t i = 0; i < what_if->nr_changes; i++)
		if (what_if->changes[i].what == MEASURE_CHANGED_REGION)
			change_region(work, &what_if->changes[i]);
	change_all_gaps(work, windows);
	for (size_t i = 0; i < what_if->nr_changes; i++)
		if (what_if->changes[i].what == MEASURE_CHANGED_RANK ||
			what_if->changes[i].what == MEASURE_CHANGED_COMPUTE)
			change_processes(work, &what_if->changes[i], windows);
}

static struct changed_work start_work(const struct measure_replay *replay, const uint64_t *useful)
{
	const struct measure_profile *profile = &replay->waits->profile;
	struct changed_work work = {.replay = replay,
		.left = measure_zeroed(profile->nr_rows, sizeof(*work.left)),
		.total = measure_zeroed(replay->nr_processes, sizeof(*work.total))};

	for (size_t i = 0; i < profile->nr_rows; i++)
		work.left[i] = (double)profile->rows[i].exclusive;
	for (uint32_t i = 0; i < replay->nr_processes; i++)
		work.total[i] = (double)useful[i];
	work.paths = measure_path_kinds_find(replay->waits);
	work.gaps = measure_zeroed(measure_replay_nr_gaps(replay), sizeof(*work.gaps));
	group_rows(&work);
	return work;
}

static void free_work(struct changed_work *work)
{
	measure_free(work->paths);
	measure_free(work->left);
	measure_free(work->total);
	measure_free(work->gaps);
	measure_free(work->rows);
	measure_free(work->first_rows);
}

/* ---------------------------------------------------------------------------- replay --- */

static bool change_network(
	const struct measure_what_if *what_if, struct measure_network_change *network)
{
	bool is_ideal = false;

	*network = (struct measure_network_change){.latency = 1, .bandwidth = 1};
	for (size_t i = 0; i < what_if->nr_changes; i++) {
		const struct measure_run_change *change = &what_if->changes[i];

		if (change->what == MEASURE_CHANGED_LATENCY) {
			network->latency = change->value;
			network->has_latency = change->is_absolute;
		} else if (change->what == MEASURE_CHANGED_BANDWIDTH) {
			network->bandwidth = change->value;
			network->has_bandwidth = change->is_absolute;
		}
		is_ideal |= change->what == MEASURE_CHANGED_NETWORK;
	}
	return is_ideal;
}

static void predict_factors(const struct changed_work *work, struct measure_prediction *prediction)
{
	const uint32_t nr = work->replay->nr_processes;
	uint64_t *useful = measure_zeroed(nr, sizeof(*useful));

	for (uint32_t i = 0; i < nr; i++)
		useful[i] = (uint64_t)(work->total[i] + 0.5);
	prediction->factors =
		measure_factors_of(useful, nr, prediction->run_ticks, prediction->ideal_ticks);
	measure_free(useful);
}

void measure_what_if_predict(const struct measure_what_if *what_if, struct measure_replay *replay,
	const struct measure_interval *windows, const uint64_t *useful,
	struct measure_prediction *prediction)
{
	struct changed_work work = start_work(replay, useful);
	struct measure_network_change change;
	const bool is_ideal = change_network(what_if, &change);
	struct measure_replay_rules rules = {.windows = windows};
	uint64_t *rests;

	*prediction = (struct measure_prediction){.run_ticks = 0};
	change_work(&work, what_if, windows);
	rests = measure_network_rests(replay, windows, &change, &prediction->network);
	rules.gaps = work.gaps;
	prediction->ideal_ticks = measure_replay_run(replay, &rules, NULL);
	rules.rests = is_ideal ? NULL : rests;
	prediction->run_ticks = measure_replay_run(replay, &rules, NULL);
	predict_factors(&work, prediction);
	measure_free(rests);
	free_work(&work);
}
