/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of metrics, charged to the call paths in which they came about. A value belongs to an
 * instant, or to the time since the value before or until the next one: the mode of its member says
 * which. Values of strict classes come with each Enter and Leave, so that such a time lies in one
 * path. Those of other classes may come at any time: they are shared out between the paths that
 * were visited, by their times, so that the shares of an integer add up to it exactly. */
#include "config.h"

#include "fold_internal.h"

#include <stdlib.h>

#define NUMBERS_OF_STATE 10 /* that are saved, of a byte at least */

/* Time in a path since a value. */
struct metric_slice {
	uint32_t path;
	uint64_t ticks;
};

struct metric_state {
	struct measure_key key; /* class, member of the class */
	uint32_t member;        /* index of its definition */
	bool is_strict;
	bool has_value;
	OTF2_MetricMode mode;
	OTF2_Type type;
	uint64_t value; /* the last one, as it was recorded */
	uint64_t time;
	MEASURE_ARRAY(struct metric_slice) slices; /* of others than strict ones, by path */
};

struct fold_metrics {
	struct measure_map ids;
	MEASURE_ARRAY(struct metric_state) states;
	struct measure_map values; /* (path, member) -> profile->metrics */
	uint64_t passed;           /* slices are complete up to here */
};

struct fold_metrics *fold_metrics_new(void)
{
	return measure_zeroed(1, sizeof(struct fold_metrics));
}

void fold_metrics_free(struct fold_metrics *metrics)
{
	for (size_t i = 0; i < metrics->states.nr; i++)
		free(metrics->states.items[i].slices.items);
	free(metrics->states.items);
	measure_map_free(&metrics->ids);
	measure_map_free(&metrics->values);
	measure_free(metrics);
}

/* ------------------------------------------------------------------------- values --- */

static double as_double(OTF2_Type type, uint64_t value)
{
	const OTF2_MetricValue bits = {.unsigned_int = value};

	return type == OTF2_TYPE_DOUBLE  ? bits.floating_point
	       : type == OTF2_TYPE_INT64 ? (double)bits.signed_int
					 : (double)bits.unsigned_int;
}

static struct measure_profile_metric *value_of(
	struct measure_fold *fold, uint32_t path, const struct metric_state *state)
{
	struct measure_profile *profile = fold->profile;
	const struct measure_key key = measure_key_pair(path, state->member);
	const uint32_t index =
		measure_map_intern(&fold->metrics->values, key, (uint32_t)profile->nr_metrics);

	if (index == profile->nr_metrics) {
		profile->metrics = measure_grow(profile->metrics, profile->nr_metrics,
			&profile->room_metrics, sizeof(*profile->metrics));
		profile->metrics[profile->nr_metrics++] = (struct measure_profile_metric){
			.path = path, .location = fold->location, .member = state->member};
	}
	return &profile->metrics[index];
}

static bool is_gauge(const struct metric_state *state)
{
	return state->mode == OTF2_METRIC_ABSOLUTE_POINT ||
	       state->mode == OTF2_METRIC_ABSOLUTE_LAST || state->mode == OTF2_METRIC_ABSOLUTE_NEXT;
}

static void count_value(struct measure_profile_metric *metric, double value)
{
	metric->min = metric->count == 0 || value < metric->min ? value : metric->min;
	metric->max = metric->count == 0 || value > metric->max ? value : metric->max;
	metric->count++;
}

/* Any sum of damaged values is as good as another. */
static void add_integer(struct measure_profile_metric *metric, uint64_t amount)
{
	metric->integer = (int64_t)((uint64_t)metric->integer + amount);
}

/* An amount that belongs to one path. */
static void charge_amount(
	struct measure_fold *fold, uint32_t path, const struct metric_state *state, uint64_t amount)
{
	struct measure_profile_metric *metric;

	if (fold->is_outside)
		return;
	metric = value_of(fold, path, state);
	metric->count++;
	if (state->type == OTF2_TYPE_DOUBLE)
		metric->real += as_double(state->type, amount);
	else
		add_integer(metric, amount);
}

/* ------------------------------------------------------------------------- slices --- */

static void add_slice(struct metric_state *state, uint32_t path, uint64_t ticks)
{
	struct metric_slice slice = {path, ticks};
	const size_t at =
		measure_count_first(state->slices.nr, i, state->slices.items[i].path < path);

	if (at < state->slices.nr && state->slices.items[at].path == path) {
		state->slices.items[at].ticks += ticks;
		return;
	}
	if (measure_array_push(&state->slices, slice) != MEASURE_OK)
		measure_out_of_memory();
	for (size_t i = state->slices.nr - 1; i > at; i--)
		state->slices.items[i] = state->slices.items[i - 1];
	state->slices.items[at] = slice;
}

void fold_metrics_pass(struct measure_fold *fold, uint64_t time)
{
	struct fold_metrics *metrics = fold->metrics;
	const uint64_t ticks = time - metrics->passed;

	for (size_t i = 0; ticks > 0 && i < metrics->states.nr; i++)
		if (!metrics->states.items[i].is_strict && metrics->states.items[i].has_value)
			add_slice(&metrics->states.items[i], fold->path, ticks);
	metrics->passed = time;
}

static void charge_gauge(struct measure_fold *fold, const struct metric_slice *slice,
	const struct metric_state *state, uint64_t value)
{
	const double number = as_double(state->type, value);
	struct measure_profile_metric *metric;

	if (slice->ticks == 0 && fold->is_outside)
		return;
	metric = value_of(fold, slice->path, state);
	count_value(metric, number);
	metric->ticks += slice->ticks;
	metric->real += number * (double)slice->ticks;
}

/* The share of a slice is the amount times the ticks up to its end, rounded, less what was given
 * before: so the shares add up to the amount. */
static void share_amount(
	struct measure_fold *fold, const struct metric_state *state, uint64_t amount)
{
	const bool is_real = state->type == OTF2_TYPE_DOUBLE;
	__int128 given = 0, seen = 0, all = 0;

	for (size_t i = 0; i < state->slices.nr && !fold->is_outside; i++)
		all += state->slices.items[i].ticks;
	for (size_t i = 0; all > 0 && i < state->slices.nr; i++) {
		const struct metric_slice *slice = &state->slices.items[i];
		struct measure_profile_metric *metric = value_of(fold, slice->path, state);

		seen += slice->ticks;
		metric->count++;
		metric->is_spread |= state->slices.nr > 1;
		if (is_real) {
			metric->real +=
				as_double(state->type, amount) * (double)slice->ticks / (double)all;
		} else {
			const __int128 share = (__int128)(int64_t)amount * seen / all;
			add_integer(metric, (uint64_t)(share - given));
			given = share;
		}
	}
	if (all == 0)
		charge_amount(fold, fold->path, state, amount);
}

/* The value holds for the time since the one before. */
static void charge_interval(
	struct measure_fold *fold, struct metric_state *state, uint64_t value, uint64_t time)
{
	const struct metric_slice whole = {fold->path, time - state->time};

	if (is_gauge(state) && state->is_strict)
		charge_gauge(fold, &whole, state, value);
	else if (is_gauge(state))
		for (size_t i = 0; i < state->slices.nr; i++)
			charge_gauge(fold, &state->slices.items[i], state, value);
	else if (state->is_strict)
		charge_amount(fold, fold->path, state, value);
	else
		share_amount(fold, state, value);
}

/* ------------------------------------------------------------------------- events --- */

/* False: the counter was reset. */
static bool difference_of(const struct metric_state *state, uint64_t value, uint64_t *difference)
{
	const OTF2_MetricValue now = {.unsigned_int = value}, then = {.unsigned_int = state->value};
	OTF2_MetricValue less = {.unsigned_int = value - state->value};

	if (state->type == OTF2_TYPE_DOUBLE)
		less.floating_point = now.floating_point - then.floating_point;
	*difference = less.unsigned_int;
	return state->type == OTF2_TYPE_DOUBLE  ? now.floating_point >= then.floating_point
	       : state->type == OTF2_TYPE_INT64 ? now.signed_int >= then.signed_int
						: now.unsigned_int >= then.unsigned_int;
}

static void take_value(
	struct measure_fold *fold, struct metric_state *state, uint64_t value, uint64_t time)
{
	uint64_t difference;

	switch (state->mode) {
	case OTF2_METRIC_ACCUMULATED_START:
	case OTF2_METRIC_ACCUMULATED_POINT:
		if (state->has_value && difference_of(state, value, &difference))
			charge_interval(fold, state, difference, time);
		break;
	case OTF2_METRIC_ACCUMULATED_LAST:
	case OTF2_METRIC_RELATIVE_LAST:
	case OTF2_METRIC_ABSOLUTE_LAST:
		if (state->has_value)
			charge_interval(fold, state, value, time);
		break;
	case OTF2_METRIC_RELATIVE_POINT:
		charge_amount(fold, fold->path, state, value);
		break;
	default: /* the value before holds until now */
		if (state->has_value)
			charge_interval(fold, state, state->value, time);
	}
	state->has_value = true;
	state->value = value;
	state->time = time;
	state->slices.nr = 0;
}

static struct metric_state *state_of(
	struct measure_fold *fold, const struct measure_metric *metric, uint32_t index, uint8_t i)
{
	const struct measure_definitions *definitions = &fold->profile->trace->definitions;
	const struct measure_metric_member *member =
		&definitions->metric_members[metric->members[i]];
	const struct metric_state new = {.key = measure_key_pair(index, i),
		.member = metric->members[i],
		.is_strict = metric->is_strict,
		.mode = member->mode,
		.type = member->type};
	struct fold_metrics *metrics = fold->metrics;
	const uint32_t at =
		measure_map_intern(&metrics->ids, new.key, (uint32_t)metrics->states.nr);

	if (at == metrics->states.nr && measure_array_push(&metrics->states, new) != MEASURE_OK)
		measure_out_of_memory();
	return &metrics->states.items[at];
}

void fold_metrics_event(struct measure_fold *fold, const struct measure_event *event,
	const struct measure_record *record, uint64_t time)
{
	const struct measure_definitions *definitions = &fold->profile->trace->definitions;
	const struct measure_metric *metric;

	if (event->ref == MEASURE_NONE)
		return;
	metric = &definitions->metrics[event->ref];
	if (metric->instance_of != MEASURE_NONE)
		metric = &definitions->metrics[metric->instance_of];
	if (!metric->is_strict && !(fold->special & MEASURE_FOLD_METRICS)) {
		fold->special |= MEASURE_FOLD_METRICS;
		fold->metrics->passed = time;
	}
	for (uint8_t i = 0; i < metric->nr_members && i < event->peer; i++)
		if (metric->members[i] != MEASURE_NONE)
			take_value(fold, state_of(fold, metric, event->ref, i), record->items[i],
				time);
}

/* What holds until the next value holds until the end. */
void fold_metrics_end(struct measure_fold *fold, uint64_t time)
{
	struct fold_metrics *metrics = fold->metrics;

	for (size_t i = 0; i < metrics->states.nr; i++) {
		struct metric_state *state = &metrics->states.items[i];

		if (state->mode == OTF2_METRIC_ABSOLUTE_NEXT ||
			state->mode == OTF2_METRIC_ABSOLUTE_POINT)
			take_value(fold, state, state->value, time);
	}
}

/* --------------------------------------------------------------------------- state --- */

static void save_state(const struct metric_state *state, measure_profile_pack_t *pack)
{
	const uint64_t numbers[] = {state->key.high, state->key.low, state->member,
		state->is_strict, state->has_value, state->mode, state->type, state->value,
		state->time, state->slices.nr};

	measure_pack_put_all(pack, numbers, NUMBERS_OF_STATE);
	for (size_t i = 0; i < state->slices.nr; i++) {
		measure_pack_put(pack, state->slices.items[i].path);
		measure_pack_put(pack, state->slices.items[i].ticks);
	}
}

/* Paths go up, and the slices lie between the start of time and now. */
static void restore_slices(struct metric_state *state, const struct measure_profile *profile,
	uint64_t now, struct measure_pack_reader *reader)
{
	const size_t nr = measure_pack_take_length(reader, 2);
	uint32_t next = 0;

	for (size_t i = 0; i < nr && reader->is_good; i++) {
		const uint32_t path = measure_pack_take_index(reader, profile->nr_paths);
		const uint64_t ticks = measure_pack_take(reader);

		if (path < next || ticks > now)
			measure_pack_refuse(reader);
		add_slice(state, path, ticks);
		next = path + 1;
		now -= ticks;
	}
}

static void restore_state(struct metric_state *state, struct measure_pack_reader *reader)
{
	*state = (struct metric_state){.key.high = measure_pack_take(reader)};
	state->key.low = measure_pack_take(reader);
	state->member = measure_pack_take_word(reader);
	state->is_strict = measure_pack_take_index(reader, 2);
	state->has_value = measure_pack_take_index(reader, 2);
	state->mode = (OTF2_MetricMode)measure_pack_take_index(reader, UINT8_MAX + 1);
	state->type = (OTF2_Type)measure_pack_take_index(reader, UINT8_MAX + 1);
	state->value = measure_pack_take(reader);
	state->time = measure_pack_take(reader);
}

void fold_metrics_save(const struct measure_fold *fold, measure_profile_pack_t *pack)
{
	const struct fold_metrics *metrics = fold->metrics;

	measure_pack_put(pack, metrics->passed);
	measure_pack_put(pack, metrics->states.nr);
	for (size_t i = 0; i < metrics->states.nr; i++)
		save_state(&metrics->states.items[i], pack);
}

void fold_metrics_restore(struct measure_fold *fold, struct measure_pack_reader *reader)
{
	struct fold_metrics *metrics = fold->metrics;
	const struct measure_profile *profile = fold->profile;
	size_t nr;

	metrics->passed = measure_pack_take(reader);
	if (metrics->passed > fold->last && metrics->passed > fold->from)
		measure_pack_refuse(reader);
	nr = measure_pack_take_length(reader, NUMBERS_OF_STATE);
	for (uint32_t i = 0; i < nr && reader->is_good; i++) {
		struct metric_state state;

		restore_state(&state, reader);
		restore_slices(&state, profile, metrics->passed, reader);
		measure_map_set(&metrics->ids, state.key, i);
		if (measure_array_push(&metrics->states, state) != MEASURE_OK)
			measure_out_of_memory();
	}
	for (uint32_t i = 0; i < profile->nr_metrics; i++)
		measure_map_set(&metrics->values,
			measure_key_pair(profile->metrics[i].path, profile->metrics[i].member), i);
}
