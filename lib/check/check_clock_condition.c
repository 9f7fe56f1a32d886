/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock condition: no receive earlier than a send it depends on. Counts (send, receive)
 * pairs on different locations without looking at every pair: an instance whose latest send
 * is not after any receive is done in linear time. */
#include "config.h"

#include "check_internal.h"

#include <stdlib.h>

#include "base/array.h"

void condition_start(struct condition *condition, struct check *check)
{
	size_t nr_locations = check->trace->definitions.nr_locations;

	*condition = (struct condition){.check = check,
		.stamps = measure_zeroed(nr_locations, sizeof(*condition->stamps)),
		.send_of = measure_zeroed(nr_locations, sizeof(*condition->send_of))};
}

void condition_end(struct condition *condition)
{
	measure_free(condition->stamps);
	measure_free(condition->send_of);
	measure_free(condition->times);
}

/* The send of the receive's own location, or NULL. */
static const struct measure_point *own_send(const struct condition *condition,
	const struct measure_instance *instance, const struct measure_point *receive)
{
	if (condition->stamps[receive->location] != condition->nr_instances)
		return NULL;
	return &instance->sends[condition->send_of[receive->location]];
}

/* Where a process was cut short, Leaves after which nothing began are those of what was open: made
 * up, at the time of the last event that is left, when others may have just begun to wait. */
static bool may_be_made_up(const struct condition *condition, const struct measure_point *receive)
{
	const uint32_t process =
		condition->check->trace->definitions.locations[receive->location].group;

	return !measure_match_has_ended(condition->match, process) &&
	       measure_match_only_ends(condition->match, receive);
}

static void clock_condition_report(struct condition *condition,
	const struct measure_instance *instance, const struct measure_point *receive,
	const struct measure_point *send)
{
	struct check *check = condition->check;
	const struct measure_relation_info *relation = &measure_relations[instance->relation];
	struct measure_place place = {receive->location, receive->time, receive->position};
	uint64_t early = send->time - receive->time;

	if (early > check->relations[instance->relation].worst)
		check->relations[instance->relation].worst = early;
	measure_report_excused(&check->findings, MEASURE_CHECK_CLOCK_CONDITION,
		!relation->is_certain || may_be_made_up(condition, receive), place, "%s: %.9f s before %s, record %llu", relation->word,
		measure_trace_span(check->trace, early),
		measure_name_of_location(&check->trace->definitions, send->location),
		(unsigned long long)send->position);
}

static int compare_times(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void sort_times(struct condition *condition, const struct measure_instance *instance)
{
	condition->nr_times = 0;
	for (size_t i = 0; i < instance->nr_sends; i++)
		*measure_append(condition, times) = instance->sends[i].time;

	qsort(condition->times, condition->nr_times, sizeof(*condition->times), compare_times);
}

static size_t nr_later(const struct condition *condition, uint64_t time)
{
	return condition->nr_times -
	       measure_count_first(condition->nr_times, i, condition->times[i] <= time);
}

/* The latest sends of two different locations: one of them is not the receiver's own. */
static void find_latest(
	const struct measure_instance *instance, const struct measure_point *latest[2])
{
	latest[0] = latest[1] = NULL;
	for (size_t i = 0; i < instance->nr_sends; i++) {
		const struct measure_point *send = &instance->sends[i];

		if (!latest[0] || send->time > latest[0]->time) {
			if (latest[0] && latest[0]->location != send->location)
				latest[1] = latest[0];
			latest[0] = send;
		} else if (send->location != latest[0]->location &&
			   (!latest[1] || send->time > latest[1]->time)) {
			latest[1] = send;
		}
	}
}

static void check_all(struct condition *condition, const struct measure_instance *instance)
{
	struct check_relation *counts = &condition->check->relations[instance->relation];
	const struct measure_point *latest[2];
	bool is_sorted = false;

	find_latest(instance, latest);
	for (size_t i = 0; i < instance->nr_receives; i++) {
		const struct measure_point *receive = &instance->receives[i];
		const struct measure_point *own = own_send(condition, instance, receive);
		const struct measure_point *last = latest[latest[0]->location == receive->location];

		counts->nr_edges += instance->nr_sends - (own != NULL);
		if (!last || last->time <= receive->time)
			continue;
		if (!is_sorted)
			sort_times(condition, instance);
		is_sorted = true;
		counts->nr_reversed +=
			nr_later(condition, receive->time) - (own && own->time > receive->time);
		clock_condition_report(condition, instance, receive, last);
	}
}

/* Few ranks of few scans: every pair is looked at only where something is wrong. */
static void check_prefix(struct condition *condition, const struct measure_instance *instance)
{
	struct check_relation *counts = &condition->check->relations[instance->relation];

	for (size_t i = 0; i < instance->nr_receives; i++) {
		const struct measure_point *receive = &instance->receives[i], *last = NULL;

		for (size_t j = 0; j < instance->nr_sends; j++) {
			const struct measure_point *send = &instance->sends[j];

			if (send->rank >= receive->rank || send->location == receive->location)
				continue;
			counts->nr_edges++;
			if (send->time <= receive->time)
				continue;
			counts->nr_reversed++;
			if (!last || send->time > last->time)
				last = send;
		}
		if (last)
			clock_condition_report(condition, instance, receive, last);
	}
}

void condition_instance(void *data, const struct measure_instance *instance)
{
	struct condition *condition = data;

	condition->nr_instances++;
	condition->check->relations[instance->relation].nr_instances++;
	for (size_t i = 0; i < instance->nr_sends; i++) {
		condition->stamps[instance->sends[i].location] = condition->nr_instances;
		condition->send_of[instance->sends[i].location] = i;
	}
	if (measure_relations[instance->relation].pattern == MEASURE_PATTERN_PREFIX)
		check_prefix(condition, instance);
	else
		check_all(condition, instance);
}
