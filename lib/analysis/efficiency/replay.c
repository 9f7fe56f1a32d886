/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process is replayed until a call depends on one of another process that has not come so far;
 * then the other one goes on first. Where calls of zero length at one time depend on each other in
 * a circle, the first of them goes on without what is missing. */
#include "config.h"

#include "replay.h"

#include <math.h>

static void find_processes(struct measure_replay *replay)
{
	const struct measure_definitions *definitions = &replay->waits->profile.trace->definitions;
	const struct measure_location_definition *locations = definitions->locations;
	uint32_t *by_group = measure_zeroed(definitions->nr_location_groups, sizeof(*by_group));

	replay->processes = measure_zeroed(definitions->nr_locations, sizeof(*replay->processes));
	for (uint32_t i = 0; i < replay->nr_processes; i++)
		by_group[locations[replay->masters[i]].group] = i + 1;
	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t group = locations[i].group;

		replay->processes[i] = group < definitions->nr_location_groups ? by_group[group] - 1
									       : MEASURE_NONE;
	}
	measure_free(by_group);
}

void measure_replay_start(struct measure_replay *replay, const struct measure_waits *waits,
	const uint32_t *masters, uint32_t nr_processes)
{
	*replay = (struct measure_replay){.waits = waits, .nr_processes = nr_processes};
	replay->masters = measure_zeroed(nr_processes, sizeof(*replay->masters));
	for (uint32_t i = 0; i < nr_processes; i++)
		replay->masters[i] = masters[i];
	find_processes(replay);
	measure_replay_make_steps(replay);
	replay->leaves =
		measure_uncleared(replay->first_steps[nr_processes], sizeof(*replay->leaves));
	replay->gatherings =
		measure_zeroed(waits->dependencies.nr_instances, sizeof(*replay->gatherings));
	replay->cursors = measure_zeroed(nr_processes, sizeof(*replay->cursors));
	replay->ready = measure_zeroed(nr_processes, sizeof(*replay->ready));
}

void measure_replay_free(struct measure_replay *replay)
{
	measure_free(replay->masters);
	measure_free(replay->processes);
	measure_free(replay->steps);
	measure_free(replay->first_steps);
	measure_free(replay->leaves);
	measure_free(replay->gatherings);
	measure_free(replay->cursors);
	measure_free(replay->ready);
	*replay = (struct measure_replay){.nr_processes = 0};
}

/* ----------------------------------------------------------------------------- times --- */

/* When a time of a process is reached that is between the step before `step` and it. */
static uint64_t replay_time(const struct measure_replay *replay,
	const struct measure_replay_rules *rules, uint32_t process, size_t step, uint64_t time)
{
	const struct measure_cursor *cursor = &replay->cursors[process];
	const struct measure_interval gap =
		measure_replay_recorded_gap(replay, process, step, &rules->windows[process]);
	const uint64_t ticks = time > gap.from ? time - gap.from : 0;
	const uint64_t begin =
		step > cursor->first ? replay->leaves[step - 1] : gap.from - replay->origin;
	uint64_t now;

	if (!rules->gaps || gap.until == gap.from)
		return begin + ticks;
	now = rules->gaps[measure_replay_gap(process, step)];
	return begin + (time == gap.until ? now
					  : (uint64_t)llround((double)ticks * (double)now /
							      (double)(gap.until - gap.from)));
}

/* The step that a call is, or lies in; else `end`. Sends are mostly looked for not far before what
 * their process comes to next: the search begins there, with steps that double. */
static size_t step_of_call(const struct measure_replay *replay, uint32_t process, uint32_t call)
{
	const struct measure_cursor *cursor = &replay->cursors[process];
	size_t first = cursor->first, end = cursor->end;

	if (cursor->next > first && replay->steps[cursor->next - 1] >= call)
		end = cursor->next;
	else
		first = cursor->next;
	for (size_t distance = 1; end == cursor->next && distance < end - first; distance *= 2)
		if (replay->steps[end - distance] <= call) {
			first = end - distance;
			break;
		}
	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (replay->steps[middle] <= call)
			first = middle + 1;
		else
			end = middle;
	}
	return first > cursor->first && call < measure_replay_step(replay, process, first - 1).end
		       ? first - 1
		       : cursor->end;
}

/* The step before which a send takes place. */
static size_t step_of_send(
	const struct measure_replay *replay, uint32_t process, const struct measure_send_side *side)
{
	const struct measure_cursor *cursor = &replay->cursors[process];
	size_t step = cursor->end;

	if (side->call != MEASURE_NONE && side->location == replay->masters[process])
		step = step_of_call(replay, process, side->call);
	return step < cursor->end ? step
				  : measure_replay_count_over(replay, process, cursor->first,
					    cursor->end, side->begin);
}

/* In an ideal network, a call that begins inside of another one does so at once. */
static uint64_t begin_of_send(const struct measure_replay *replay,
	const struct measure_replay_rules *rules, uint32_t process, size_t step,
	const struct measure_send_side *side)
{
	return rules->rests || side->call == MEASURE_NONE || step == replay->cursors[process].end
		       ? side->begin
		       : measure_earlier(
				 side->begin, measure_replay_call_of(replay, process, step)->enter);
}

enum send_state { SEND_KNOWN, SEND_BEFORE, SEND_MISSING };

/* When a send is replayed to begin. SEND_BEFORE: the window; SEND_MISSING: its process, *blocked,
 * has to come to *needed first. */
static enum send_state replay_send(const struct measure_replay *replay,
	const struct measure_replay_rules *rules, uint32_t own,
	const struct measure_send_side *side, uint64_t *time, uint32_t *blocked, size_t *needed)
{
	const uint32_t process = replay->processes[side->location];

	if (process == MEASURE_NONE) {
		*time = side->begin > replay->origin ? side->begin - replay->origin : 0;
		return SEND_KNOWN;
	}
	if (side->begin < rules->windows[process].from)
		return SEND_BEFORE;
	*blocked = process;
	*needed = step_of_send(replay, process, side);
	if (process == own)
		*needed = measure_earlier(*needed, replay->cursors[process].next);
	if (*needed > replay->cursors[process].next)
		return SEND_MISSING;
	*time = replay_time(replay, rules, process, *needed,
		begin_of_send(replay, rules, process, *needed, side));
	return SEND_KNOWN;
}

/* ------------------------------------------------------------------------ candidates --- */

/* What a call is replayed to go on at the earliest. */
struct replay_bound {
	const struct measure_replay_rules *rules;
	uint32_t process, location; /* of the call */
	bool is_forced;             /* without what is missing */
	uint64_t time;
	uint32_t blocked; /* if something is missing: the process, else MEASURE_NONE */
	size_t needed;
	uint32_t instance; /* that it is missing in, where all wait for the same */
};

static void make_ready(struct measure_replay *replay, uint32_t process)
{
	struct measure_cursor *cursor = &replay->cursors[process];

	cursor->blocked_on = cursor->blocked_in = MEASURE_NONE;
	replay->ready[replay->nr_ready++] = process;
}

/* All sends of an instance are known, or its leader goes on without them. */
static void release(struct measure_replay *replay, struct measure_gathering *gathering)
{
	if (gathering->leader != MEASURE_NONE)
		replay->cursors[gathering->leader].leads = MEASURE_NONE;
	gathering->leader = MEASURE_NONE;
	while (gathering->waiting != MEASURE_NONE) {
		const uint32_t process = gathering->waiting;

		gathering->waiting = replay->cursors[process].behind;
		make_ready(replay, process);
	}
}

static void gather(struct measure_gathering *gathering, uint32_t location, uint64_t time)
{
	int place = 1;

	if (gathering->location[0] == location) {
		place = 0;
	} else if (gathering->location[0] == MEASURE_NONE || time > gathering->time[0]) {
		gathering->location[1] = gathering->location[0];
		gathering->time[1] = gathering->time[0];
		gathering->location[0] = MEASURE_NONE;
		place = 0;
	}
	if (gathering->location[place] == MEASURE_NONE || time > gathering->time[place]) {
		gathering->location[place] = location;
		gathering->time[place] = time;
	}
}

/* Goes through the sends of an instance, from where one has stopped. False: one is missing. */
static bool gather_sends(const struct measure_replay *replay, struct replay_bound *bound,
	const struct measure_send_side *sides, uint32_t nr, struct measure_gathering *gathering)
{
	for (; gathering->next < nr; gathering->next++) {
		const struct measure_send_side *side = &sides[gathering->next];
		uint64_t time = 0;
		uint32_t blocked;
		size_t needed;

		switch (replay_send(
			replay, bound->rules, bound->process, side, &time, &blocked, &needed)) {
		case SEND_KNOWN:
			gather(gathering, side->location, time);
			break;
		case SEND_MISSING:
			if (bound->is_forced)
				break;
			bound->blocked = blocked;
			bound->needed = needed;
			return false;
		default:
			break;
		}
	}
	return true;
}

/* The last of the sends that a candidate needs; false: not known yet. 0: none in the window. */
static bool replay_candidate(struct measure_replay *replay, struct replay_bound *bound,
	const struct measure_candidate *candidate, uint64_t *time)
{
	const struct measure_dependencies *dependencies = &replay->waits->dependencies;
	struct measure_gathering own = {.location = {MEASURE_NONE, MEASURE_NONE}},
				 *gathering = &own;
	const struct measure_send_side last = {
		candidate->until, candidate->cause, candidate->cause_call};
	const struct measure_send_side *sides = &last;
	uint32_t nr = 1;

	if (candidate->instance != MEASURE_NONE) {
		const struct measure_wait_instance *instance =
			&dependencies->instances[candidate->instance];

		sides = dependencies->sides + instance->first;
		nr = candidate->nr_sends;
		if (nr == instance->nr_sends && !bound->is_forced)
			gathering = &replay->gatherings[candidate->instance];
		if (gathering != &own && gathering->round != replay->round)
			*gathering = (struct measure_gathering){
				.location = {MEASURE_NONE, MEASURE_NONE},
				.round = replay->round,
				.leader = MEASURE_NONE,
				.waiting = MEASURE_NONE};
	}
	if (!gather_sends(replay, bound, sides, nr, gathering)) {
		bound->instance = gathering == &own ? MEASURE_NONE : candidate->instance;
		return false;
	}
	if (gathering != &own)
		release(replay, gathering);
	const int place = gathering->location[0] == bound->location;

	*time = gathering->location[place] == MEASURE_NONE ? 0 : gathering->time[place];
	return true;
}

const struct measure_candidate *measure_replay_candidates(const struct measure_replay *replay,
	uint32_t location, uint32_t call, const struct measure_candidate **end)
{
	const struct measure_dependencies *dependencies = &replay->waits->dependencies;
	const struct measure_candidate *candidates = dependencies->candidates[location];
	size_t low = 0, high = dependencies->nr_candidates[location];

	*end = candidates + high;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (candidates[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return candidates + low;
}

static size_t count_candidates(
	const struct measure_candidate *candidates, const struct measure_candidate *end)
{
	size_t nr = 0;

	while (candidates + nr < end && candidates[nr].call == candidates->call)
		nr++;
	return nr;
}

/* Does a call return at the first of these, and is one of its requests completed at once? */
static bool is_any(const struct measure_sync_call *call)
{
	return call->kind == MEASURE_REGION_KIND_MPI_ANY;
}

/* bound->time: the last of the candidates of one call, or of MPI_Waitany the first. */
static bool bound_call(struct measure_replay *replay, struct replay_bound *bound,
	const struct measure_sync_call *call, const struct measure_candidate *candidates, size_t nr)
{
	const uint64_t leave =
		measure_earlier(call->leave, bound->rules->windows[bound->process].until);
	uint64_t first = UINT64_MAX;

	if (is_any(call) && nr < call->completed)
		return true;
	for (size_t i = 0; i < nr; i++) {
		uint64_t time;

		if (candidates[i].until > leave)
			continue;
		if (!replay_candidate(replay, bound, &candidates[i], &time))
			return false;
		if (is_any(call))
			first = measure_earlier(first, time);
		else
			bound->time = measure_later(bound->time, time);
	}
	if (first != UINT64_MAX)
		bound->time = measure_later(bound->time, first);
	return true;
}

static bool bound_step(struct measure_replay *replay, struct replay_bound *bound,
	const struct measure_replay_call *step)
{
	const struct measure_dependencies *dependencies = &replay->waits->dependencies;
	const struct measure_call_table *table = &dependencies->tables[bound->location];
	const struct measure_candidate *all = dependencies->candidates[bound->location];
	const struct measure_candidate *end = all + dependencies->nr_candidates[bound->location];
	struct measure_cursor *cursor = &replay->cursors[bound->process];
	const struct measure_candidate *candidates;

	while (all + cursor->candidate < end && all[cursor->candidate].call < step->call)
		cursor->candidate++;
	candidates = all + cursor->candidate;
	while (candidates < end && candidates->call < step->end) {
		const size_t nr = count_candidates(candidates, end);

		if (!bound_call(replay, bound, &table->calls[candidates->call], candidates, nr))
			return false;
		candidates += nr;
	}
	return true;
}

/* ----------------------------------------------------------------------------- replay --- */

/* Those that are blocked on a process that has come far enough. */
static void wake(struct measure_replay *replay, uint32_t process)
{
	struct measure_cursor *cursor = &replay->cursors[process];
	uint32_t *place = &cursor->waiting;

	while (*place != MEASURE_NONE) {
		struct measure_cursor *other = &replay->cursors[*place];
		const uint32_t number = *place;

		if (other->needed > cursor->next) {
			place = &other->behind;
			continue;
		}
		*place = other->behind;
		make_ready(replay, number);
	}
}

/* Of those that lack the same send of one instance, which may be all processes, only the first waits
 * for it: woken one by one each time that one comes, they would take quadratic time. */
static void block(struct measure_replay *replay, uint32_t process, const struct replay_bound *bound)
{
	struct measure_cursor *cursor = &replay->cursors[process];
	uint32_t *first = &replay->cursors[bound->blocked].waiting;
	struct measure_gathering *gathering =
		bound->instance == MEASURE_NONE ? NULL : &replay->gatherings[bound->instance];

	if (gathering && gathering->leader == MEASURE_NONE) {
		gathering->leader = process;
		cursor->leads = bound->instance;
	}
	if (gathering && gathering->leader != process) {
		cursor->blocked_in = bound->instance;
		first = &gathering->waiting;
	} else {
		cursor->blocked_on = bound->blocked;
		cursor->needed = bound->needed;
	}
	cursor->behind = *first;
	*first = process;
}

static void unblock(struct measure_replay *replay, uint32_t process)
{
	struct measure_cursor *cursor = &replay->cursors[process];
	uint32_t *place = cursor->blocked_in == MEASURE_NONE
				  ? &replay->cursors[cursor->blocked_on].waiting
				  : &replay->gatherings[cursor->blocked_in].waiting;

	while (*place != process)
		place = &replay->cursors[*place].behind;
	*place = cursor->behind;
	cursor->blocked_on = cursor->blocked_in = MEASURE_NONE;
	if (cursor->leads != MEASURE_NONE)
		release(replay, &replay->gatherings[cursor->leads]);
}

/* The next call of a process. False: something is missing. */
static bool replay_step(struct measure_replay *replay, const struct measure_replay_rules *rules,
	uint32_t process, bool is_forced)
{
	struct measure_cursor *cursor = &replay->cursors[process];
	const size_t index = cursor->next;
	const struct measure_replay_call step = measure_replay_step(replay, process, index);
	struct replay_bound bound = {.rules = rules,
		.process = process,
		.location = replay->masters[process],
		.is_forced = is_forced,
		.blocked = MEASURE_NONE,
		.instance = MEASURE_NONE};

	if (!bound_step(replay, &bound, &step)) {
		block(replay, process, &bound);
		return false;
	}
	bound.time = measure_later(
		bound.time, replay_time(replay, rules, process, index,
				    measure_later(step.enter, rules->windows[process].from)));
	replay->leaves[index] = bound.time + (rules->rests ? rules->rests[index] : 0);
	cursor->next++;
	return true;
}

static void replay_process(
	struct measure_replay *replay, const struct measure_replay_rules *rules, uint32_t process)
{
	struct measure_cursor *cursor = &replay->cursors[process];

	while (cursor->next < cursor->end && replay_step(replay, rules, process, false))
		if (cursor->waiting != MEASURE_NONE)
			wake(replay, process);
}

/* All are blocked: the one whose call was over first, or MEASURE_NONE: all are done. */
static uint32_t find_stuck(const struct measure_replay *replay)
{
	uint32_t found = MEASURE_NONE;
	uint64_t leave = UINT64_MAX;

	for (uint32_t i = 0; i < replay->nr_processes; i++) {
		const struct measure_cursor *cursor = &replay->cursors[i];

		uint64_t own;

		if (cursor->next == cursor->end)
			continue;
		own = measure_replay_call_of(replay, i, cursor->next)->leave;
		if (own >= leave)
			continue;
		found = i;
		leave = own;
	}
	return found;
}

static void replay_ready(struct measure_replay *replay, const struct measure_replay_rules *rules)
{
	uint32_t stuck;

	do {
		while (replay->nr_ready > 0)
			replay_process(replay, rules, replay->ready[--replay->nr_ready]);
		stuck = find_stuck(replay);
		if (stuck == MEASURE_NONE)
			continue;
		replay->nr_forced++;
		unblock(replay, stuck);
		replay_step(replay, rules, stuck, true);
		wake(replay, stuck);
		make_ready(replay, stuck);
	} while (stuck != MEASURE_NONE);
}

static void start_replay(struct measure_replay *replay, const struct measure_interval *windows)
{
	replay->round++;
	replay->nr_forced = 0;
	replay->nr_ready = 0;
	replay->origin = UINT64_MAX;
	for (uint32_t i = replay->nr_processes; i-- > 0;) {
		struct measure_cursor *cursor = &replay->cursors[i];

		measure_replay_window(replay, i, &windows[i], &cursor->first, &cursor->end);
		cursor->next = cursor->first;
		cursor->candidate = 0;
		cursor->waiting = cursor->leads = MEASURE_NONE;
		replay->origin = measure_earlier(replay->origin, windows[i].from);
		make_ready(replay, i);
	}
}

uint64_t measure_replay_run(
	struct measure_replay *replay, const struct measure_replay_rules *rules, uint64_t *ends)
{
	uint64_t last = 0;

	start_replay(replay, rules->windows);
	replay_ready(replay, rules);
	for (uint32_t i = 0; i < replay->nr_processes; i++) {
		const uint64_t end = replay_time(
			replay, rules, i, replay->cursors[i].end, rules->windows[i].until);

		if (ends)
			ends[i] = end;
		last = measure_later(last, end);
	}
	return last;
}

/* ------------------------------------------------------------------------ as recorded --- */

/* Of the candidates of a call, as they were recorded. */
static uint64_t recorded_bound(const struct measure_sync_call *call,
	const struct measure_candidate *candidates, size_t nr, uint64_t leave)
{
	uint64_t last = 0, first = UINT64_MAX;

	if (is_any(call) && nr < call->completed)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		if (candidates[i].until > leave)
			continue;
		last = measure_later(last, candidates[i].until);
		first = measure_earlier(first, candidates[i].until);
	}
	return is_any(call) && first != UINT64_MAX ? first : last;
}

uint64_t measure_replay_rest(const struct measure_replay *replay, uint32_t process,
	const struct measure_replay_call *step, const struct measure_interval *window,
	bool *has_waited)
{
	const uint32_t location = replay->masters[process];
	const struct measure_call_table *table = &replay->waits->dependencies.tables[location];
	const uint64_t leave = measure_earlier(step->leave, window->until);
	const struct measure_candidate *end;
	const struct measure_candidate *candidates =
		measure_replay_candidates(replay, location, step->call, &end);
	uint64_t from = measure_later(step->enter, window->from), bound = 0;

	while (candidates < end && candidates->call < step->end) {
		const size_t nr = count_candidates(candidates, end);

		bound = measure_later(bound,
			recorded_bound(&table->calls[candidates->call], candidates, nr, leave));
		candidates += nr;
	}
	*has_waited = bound > from;
	from = measure_later(from, bound);
	return leave > from ? leave - from : 0;
}
