/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One formula for all relations: a call could not go on before the last of the sends that it needs
 * had begun. Inside a process only those candidates are kept that lie in their call, and may be
 * waits. Of calls of MPI all are: in another network others would be the last ones, and a call that
 * returns at the first of several has to know all. */
#include "config.h"

#include "analysis/candidates/candidates_internal.h"

#include <stdlib.h>
#include <string.h>

/* The last one of some, and what the clocks say. */
struct last_sends {
	struct wait_send last, other; /* the last one; the last one of any other location */
	bool is_any, is_other;
	uint64_t time[2];     /* the latest sends of two locations, as recorded */
	uint32_t location[2]; /* MEASURE_NONE: there is none */
};

/* ------------------------------------------------------------------------- sends --- */

/* The release of a lock, or the end of a task or of a thread, is what others wait for, wherever it
 * lies. */
static bool is_moment(enum measure_relation relation)
{
	switch (relation) {
	case MEASURE_RELATION_LOCK:
	case MEASURE_RELATION_THREAD_WAIT:
	case MEASURE_RELATION_TASK_WAIT:
	case MEASURE_RELATION_TASK_GROUP:
	case MEASURE_RELATION_TASK_BARRIER:
		return true;
	default:
		return false;
	}
}

struct wait_send candidates_send_of(const struct measure_candidates *candidates,
	enum measure_relation relation, const struct measure_point *point)
{
	struct measure_call_table *table = &candidates->tables[point->location];
	struct wait_send send = {.begin = point->time,
		.location = point->location,
		.call = measure_call_table_find(table, point->position),
		.rank = point->rank,
		.position = point->position};

	if (send.call != MEASURE_NONE && !is_moment(relation))
		send.begin = table->calls[send.call].enter;
	return send;
}

bool candidates_is_later(const struct wait_send *a, const struct wait_send *b)
{
	if (a->begin != b->begin)
		return a->begin > b->begin;
	return a->location != b->location ? a->location < b->location : a->position < b->position;
}

/* Two of them, as a location does not wait for its own. */
static void keep_latest(struct last_sends *sends, uint32_t location, uint64_t time)
{
	int place = 1;

	if (sends->location[0] == location) {
		place = 0;
	} else if (sends->location[0] == MEASURE_NONE || time > sends->time[0]) {
		sends->location[1] = sends->location[0];
		sends->time[1] = sends->time[0];
		sends->location[0] = MEASURE_NONE;
		place = 0;
	}
	if (sends->location[place] == MEASURE_NONE || time > sends->time[place]) {
		sends->location[place] = location;
		sends->time[place] = time;
	}
}

static void last_sends_add(struct last_sends *sends, const struct measure_candidates *candidates,
	enum measure_relation relation, const struct measure_point *point)
{
	const struct wait_send send = candidates_send_of(candidates, relation, point);

	if (!sends->is_any || candidates_is_later(&send, &sends->last)) {
		if (sends->is_any && sends->last.location != send.location) {
			sends->other = sends->last;
			sends->is_other = true;
		}
		sends->last = send;
	} else if (send.location != sends->last.location &&
		   (!sends->is_other || candidates_is_later(&send, &sends->other))) {
		sends->other = send;
		sends->is_other = true;
	}
	sends->is_any = true;
	keep_latest(sends, point->location, point->time);
}

/* What the receive waits for; NULL: nothing. For its own tasks a thread does not wait. */
static const struct wait_send *awaited_send(const struct last_sends *sends,
	enum measure_relation relation, const struct measure_point *receive)
{
	if (relation != MEASURE_RELATION_TASK_BARRIER || sends->last.location != receive->location)
		return &sends->last;
	return sends->is_other ? &sends->other : NULL;
}

static const struct last_sends no_sends = {.location = {MEASURE_NONE, MEASURE_NONE}};

/* Ticks by which a receive is before a send that it needs; 0: it is not. */
static uint64_t excess_of(const struct last_sends *sends, const struct measure_point *receive)
{
	const int place = sends->location[0] == receive->location;

	return sends->location[place] != MEASURE_NONE && sends->time[place] > receive->time
		       ? sends->time[place] - receive->time
		       : 0;
}

/* ----------------------------------------------------------------------- patterns --- */

static bool is_mpi(uint8_t kind)
{
	return kind >= MEASURE_REGION_KIND_MPI && kind <= MEASURE_REGION_KIND_MPI_ALL_TO_ONE;
}

/* Of a nonblocking collective: what has started it says, and where MPI_Start did, who sends. */
static enum measure_wait_pattern nonblocking_pattern(
	const struct measure_candidates *candidates, const struct measure_instance *instance)
{
	const struct measure_point *send = &instance->sends[0];
	struct measure_call_table *table = &candidates->tables[send->location];
	const uint32_t call = measure_call_table_find(table, send->position);

	switch (call == MEASURE_NONE ? MEASURE_REGION_KIND_MPI : table->calls[call].kind) {
	case MEASURE_REGION_KIND_MPI_BARRIER:
		return MEASURE_WAIT_NONBLOCKING_BARRIER;
	case MEASURE_REGION_KIND_MPI_ONE_TO_ALL:
		return MEASURE_WAIT_NONBLOCKING_BROADCAST;
	case MEASURE_REGION_KIND_MPI_ALL_TO_ONE:
		return MEASURE_WAIT_NONBLOCKING_REDUCE;
	case MEASURE_REGION_KIND_MPI_ALL_TO_ALL: /* even if only one sends */
		return MEASURE_WAIT_NONBLOCKING_ALL_TO_ALL;
	default:
		break;
	}
	if (instance->nr_sends == 1 && instance->nr_receives > 1)
		return MEASURE_WAIT_NONBLOCKING_BROADCAST;
	if (instance->nr_sends > 1 && instance->nr_receives == 1)
		return MEASURE_WAIT_NONBLOCKING_REDUCE;
	return MEASURE_WAIT_NONBLOCKING_ALL_TO_ALL;
}

static enum measure_wait_pattern lock_pattern(uint8_t kind)
{
	switch (kind) {
	case MEASURE_REGION_KIND_OPENMP_CRITICAL:
		return MEASURE_WAIT_CRITICAL;
	case MEASURE_REGION_KIND_OPENMP_ORDERED:
		return MEASURE_WAIT_ORDERED;
	case MEASURE_REGION_KIND_THREAD:
		return MEASURE_WAIT_MUTEX;
	case MEASURE_REGION_KIND_THREAD_CONDITION:
		return MEASURE_WAIT_CONDITION;
	default:
		return MEASURE_WAIT_OPENMP_LOCK;
	}
}

/* MEASURE_NR_WAIT_PATTERNS: nobody waits there, or there is no telling. */
static enum measure_wait_pattern pattern_of_relation(enum measure_relation relation)
{
	static const uint8_t patterns[MEASURE_NR_RELATIONS] = {
#define PATTERN(RELATION, PATTERN) [MEASURE_RELATION_##RELATION] = 1 + MEASURE_WAIT_##PATTERN,
#include "relation_patterns.def"
#undef PATTERN
	};

	return patterns[relation] ? (enum measure_wait_pattern)(patterns[relation] - 1)
				  : MEASURE_NR_WAIT_PATTERNS;
}

/* The calls that complete requests. */
static bool is_completion(uint8_t kind)
{
	return kind == MEASURE_REGION_KIND_MPI_WAIT || kind == MEASURE_REGION_KIND_MPI_ANY ||
	       kind == MEASURE_REGION_KIND_MPI_TEST;
}

static enum measure_wait_pattern pattern_of(const struct measure_candidates *candidates,
	const struct measure_instance *instance, uint8_t kind)
{
	const enum measure_wait_pattern pattern = pattern_of_relation(instance->relation);

	if (pattern == MEASURE_WAIT_NONBLOCKING_ALL_TO_ALL)
		return nonblocking_pattern(candidates, instance);
	if (pattern == MEASURE_WAIT_ALL_TO_ALL && is_completion(kind))
		return MEASURE_WAIT_NONBLOCKING_ALL_TO_ALL; /* alltoallv: one relation for both */
	if (pattern == MEASURE_WAIT_OPENMP_LOCK)
		return lock_pattern(kind);
	if (pattern == MEASURE_WAIT_OPENMP_BARRIER &&
		kind == MEASURE_REGION_KIND_OPENMP_IMPLICIT_BARRIER)
		return MEASURE_WAIT_OPENMP_IMPLICIT_BARRIER;
	return pattern;
}

/* ----------------------------------------------------------------------- receives --- */

const struct measure_sync_call *candidates_call_of(const struct measure_candidates *candidates,
	const struct measure_point *point, uint32_t *index)
{
	struct measure_call_table *table = &candidates->tables[point->location];

	*index = measure_call_table_find(table, point->position);
	return *index == MEASURE_NONE ? NULL : &table->calls[*index];
}

struct measure_candidate candidates_make(const struct measure_sync_call *call, uint32_t index,
	const struct measure_instance *instance, const struct measure_point *receive,
	const struct wait_send *send)
{
	return (struct measure_candidate){.until = send->begin,
		.limit = instance->relation == MEASURE_RELATION_LOCK ? receive->time : call->leave,
		.position = receive->position,
		.relation = (uint8_t)instance->relation,
		.pattern = (uint8_t)pattern_of_relation(instance->relation),
		.location = receive->location,
		.call = index,
		.cause = send->location,
		.cause_call = send->call,
		.instance = MEASURE_NONE,
		.nr_sends = 1};
}

void candidates_add(
	struct measure_candidates *candidates, const struct measure_candidate *candidate)
{
	*measure_append_item(&candidates->lists[candidate->location]) = *candidate;
}

/* True: it is one. */
static bool add_candidate(struct measure_candidates *candidates,
	const struct measure_instance *instance, const struct measure_point *point,
	const struct wait_send *last, uint32_t nr_sends)
{
	uint32_t index;
	const struct measure_sync_call *call = candidates_call_of(candidates, point, &index);
	struct measure_candidate candidate;

	if (!call || call->is_cut || (last->begin <= call->enter && !is_mpi(call->kind)))
		return false;
	candidate = candidates_make(call, index, instance, point, last);
	candidate.pattern = (uint8_t)pattern_of(candidates, instance, call->kind);
	candidate.nr_sends = nr_sends;
	if (instance->nr_sends > 1)
		candidate.instance = (uint32_t)candidates->nr_instances;
	candidates_add(candidates, &candidate);
	return true;
}

/* Some candidates of it have been added: it is kept with its sends. */
void candidates_add_instance(struct measure_candidates *candidates,
	const struct measure_instance *instance, const struct measure_point *sends)
{
	if (instance->nr_sends < 2)
		return;
	*measure_append(candidates, instances) =
		(struct measure_wait_instance){.first = candidates->nr_sides,
			.nr_sends = (uint32_t)instance->nr_sends,
			.comm = instance->comm,
			.relation = (uint8_t)instance->relation};
	for (size_t i = 0; i < instance->nr_sends; i++) {
		const struct wait_send send =
			candidates_send_of(candidates, instance->relation, &sends[i]);

		*measure_append(candidates, sides) =
			(struct measure_send_side){send.begin, send.location, send.call};
	}
}

/* The first end of a call of the instance. */
uint64_t candidates_first_leave(
	const struct measure_candidates *candidates, const struct measure_instance *instance)
{
	uint64_t first = UINT64_MAX;
	uint32_t index;

	for (size_t i = 0; i < instance->nr_receives; i++) {
		const struct measure_sync_call *call =
			candidates_call_of(candidates, &instance->receives[i], &index);

		if (call && call->leave < first)
			first = call->leave;
	}
	return first;
}

/* ---------------------------------------------------------------------- instances --- */

static void count_violation(
	struct measure_candidates *candidates, enum measure_relation relation, uint64_t excess)
{
	struct measure_wait_faults *faults = &candidates->faults[relation];

	faults->violations++;
	if (excess > faults->worst_violation)
		faults->worst_violation = excess;
}

static void take_all(struct measure_candidates *candidates, const struct measure_instance *instance)
{
	const enum measure_relation relation = instance->relation;
	struct last_sends sends = no_sends;
	bool is_any = false;
	uint64_t worst = 0;

	for (size_t i = 0; i < instance->nr_sends; i++)
		last_sends_add(&sends, candidates, relation, &instance->sends[i]);
	for (size_t i = 0; i < instance->nr_receives; i++) {
		const uint64_t excess = excess_of(&sends, &instance->receives[i]);

		worst = excess > worst ? excess : worst;
	}
	if (measure_relations[relation].is_certain && worst > 0) {
		count_violation(candidates, relation, worst);
		return;
	}
	if (!measure_relations[relation].is_certain &&
		candidates_first_leave(candidates, instance) < sends.last.begin) {
		candidates->faults[relation].disproved++;
		return;
	}
	for (size_t i = 0; i < instance->nr_receives; i++) {
		const struct measure_point *receive = &instance->receives[i];
		const struct wait_send *awaited = awaited_send(&sends, relation, receive);

		is_any |= awaited && add_candidate(candidates, instance, receive, awaited,
					     (uint32_t)instance->nr_sends);
	}
	if (is_any)
		candidates_add_instance(candidates, instance, instance->sends);
	if (relation == MEASURE_RELATION_MESSAGE ||
		relation == MEASURE_RELATION_MESSAGE_NONBLOCKING)
		candidates_take_probe(candidates, instance, &sends.last);
	if (relation == MEASURE_RELATION_BARRIER)
		candidates_add_completions(
			candidates, instance, sends.last.begin, MEASURE_WAIT_BARRIER_COMPLETION);
	else if (relation == MEASURE_RELATION_ALL_TO_ALL)
		candidates_add_completions(
			candidates, instance, sends.last.begin, MEASURE_WAIT_ALL_TO_ALL_COMPLETION);
}

static int compare_ranks(const void *left, const void *right)
{
	const struct measure_point *a = left, *b = right;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

static struct measure_point *sorted_points(const struct measure_point *points, size_t nr)
{
	struct measure_point *sorted = measure_zeroed(nr, sizeof(*sorted));

	memcpy(sorted, points, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare_ranks);
	return sorted;
}

/* Receives need the sends of lower ranks only: both are gone through in order of ranks, once to see
 * whether clocks agree, once for the candidates. */
static uint64_t go_through_prefix(struct measure_candidates *candidates,
	const struct measure_instance *instance, const struct measure_point *from,
	const struct measure_point *to, bool is_check)
{
	struct last_sends sends = no_sends;
	uint64_t worst = 0;
	size_t next = 0;

	for (size_t i = 0; i < instance->nr_receives; i++) {
		uint64_t excess;

		for (; next < instance->nr_sends && from[next].rank < to[i].rank; next++)
			last_sends_add(&sends, candidates, instance->relation, &from[next]);
		excess = excess_of(&sends, &to[i]);
		worst = excess > worst ? excess : worst;
		if (!is_check && sends.is_any)
			add_candidate(candidates, instance, &to[i], &sends.last, (uint32_t)next);
	}
	return worst;
}

static void take_prefix(
	struct measure_candidates *candidates, const struct measure_instance *instance)
{
	struct measure_point *from = sorted_points(instance->sends, instance->nr_sends);
	struct measure_point *to = sorted_points(instance->receives, instance->nr_receives);
	const uint64_t worst = go_through_prefix(candidates, instance, from, to, true);

	if (worst > 0) {
		count_violation(candidates, instance->relation, worst);
	} else {
		go_through_prefix(candidates, instance, from, to, false);
		candidates_add_instance(candidates, instance, from);
	}
	measure_free(from);
	measure_free(to);
}

void measure_candidates_instance(void *data, const struct measure_instance *instance)
{
	struct measure_candidates *candidates = data;

	if (pattern_of_relation(instance->relation) == MEASURE_NR_WAIT_PATTERNS)
		return;
	if (instance->relation == MEASURE_RELATION_RENDEZVOUS)
		candidates_take_reply(candidates, instance);
	else if (instance->relation == MEASURE_RELATION_RMA_POST)
		candidates_take_post(candidates, instance);
	else if (instance->relation == MEASURE_RELATION_FORK ||
		 instance->relation == MEASURE_RELATION_JOIN)
		candidates_take_team(candidates, instance);
	else if (measure_relations[instance->relation].pattern == MEASURE_PATTERN_PREFIX)
		take_prefix(candidates, instance);
	else
		take_all(candidates, instance);
}

/* ------------------------------------------------------------------------- memory --- */

void measure_candidates_start(struct measure_candidates *candidates,
	struct measure_call_table *tables, size_t nr_locations)
{
	*candidates = (struct measure_candidates){.tables = tables,
		.nr_locations = nr_locations,
		.lists = measure_zeroed(nr_locations, sizeof(*candidates->lists))};
}

static void append_instances(
	struct measure_candidates *candidates, const struct measure_candidates *later)
{
	for (size_t i = 0; i < later->nr_instances; i++) {
		struct measure_wait_instance *instance = measure_append(candidates, instances);

		*instance = later->instances[i];
		instance->first += candidates->nr_sides;
	}
	for (size_t i = 0; i < later->nr_sides; i++)
		*measure_append(candidates, sides) = later->sides[i];
}

/* Of other locations. */
static void append_rows(
	struct measure_candidates *candidates, const struct measure_candidates *later)
{
	for (size_t i = 0; i < later->nr_teams; i++)
		*measure_append(candidates, teams) = later->teams[i];
	for (size_t i = 0; i < later->nr_rows; i++)
		*measure_append(candidates, rows) = later->rows[i];
}

/* Those of a process have all been read together: where there are some, there are no others yet. */
static void append_list(
	struct measure_candidates *candidates, struct measure_candidates *later, size_t location)
{
	struct measure_candidate_list *list = &candidates->lists[location];

	if (later->lists[location].nr == 0)
		return;
	measure_free(list->items);
	*list = later->lists[location];
	later->lists[location] = (struct measure_candidate_list){.nr = 0};
	for (size_t i = 0; i < list->nr; i++)
		if (list->items[i].instance != MEASURE_NONE)
			list->items[i].instance += (uint32_t)candidates->nr_instances;
}

void measure_candidates_append(
	struct measure_candidates *candidates, struct measure_candidates *later)
{
	for (size_t i = 0; i < later->nr_locations; i++)
		append_list(candidates, later, i);
	append_instances(candidates, later);
	candidates_append_replies(candidates, later);
	append_rows(candidates, later);
	for (size_t i = 0; i < later->nr_completions; i++)
		*measure_append(candidates, completions) = later->completions[i];
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		struct measure_wait_faults *faults = &candidates->faults[i];

		faults->violations += later->faults[i].violations;
		faults->disproved += later->faults[i].disproved;
		if (later->faults[i].worst_violation > faults->worst_violation)
			faults->worst_violation = later->faults[i].worst_violation;
	}
	measure_candidates_free(later);
}

void measure_candidates_free(struct measure_candidates *candidates)
{
	for (size_t i = 0; i < candidates->nr_locations; i++)
		measure_free(candidates->lists[i].items);
	measure_free(candidates->lists);
	measure_free(candidates->instances);
	measure_free(candidates->sides);
	measure_free(candidates->completions);
	measure_free(candidates->replies);
	measure_free(candidates->teams);
	measure_free(candidates->rows);
	measure_map_free(&candidates->row_numbers);
	*candidates = (struct measure_candidates){.nr_locations = 0};
}
