/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In which call of an access epoch the wait for a target, or for the lock of its window, lies, MPI
 * leaves open. It is the one that was running when that was over. */
#include "config.h"

#include "candidates_internal.h"

#include <stdlib.h>

static bool is_rma(const struct measure_sync_call *call)
{
	return call->kind == MEASURE_REGION_KIND_MPI_RMA ||
	       call->kind == MEASURE_REGION_KIND_MPI_RMA_START;
}

/* The call before another one that was running at a time; MEASURE_NONE: there was none. */
static uint32_t call_at(const struct measure_call_table *table, uint32_t end, uint64_t time)
{
	uint32_t low = 0, call;

	while (low < end) {
		const uint32_t middle = low + (end - low) / 2;

		if (table->calls[middle].enter <= time)
			low = middle + 1;
		else
			end = middle;
	}
	call = low > 0 ? low - 1 : MEASURE_NONE;
	while (call != MEASURE_NONE && table->calls[call].leave <= time)
		call = table->calls[call].outer;
	return call;
}

/* The call of the access epoch that is over with `complete` that was running at a time;
 * MEASURE_NONE: none of it was. */
static uint32_t access_at(const struct measure_call_table *table, uint32_t complete, uint64_t time)
{
	const uint32_t call = call_at(table, complete, time);

	if (call == MEASURE_NONE || !is_rma(&table->calls[call]))
		return MEASURE_NONE;
	for (uint32_t i = call + 1; i < complete; i++)
		if (table->calls[i].kind == MEASURE_REGION_KIND_MPI_RMA_START)
			return MEASURE_NONE;
	return call;
}

void candidates_take_post(
	struct measure_candidates *candidates, const struct measure_instance *instance)
{
	const struct wait_send post =
		candidates_send_of(candidates, instance->relation, &instance->sends[0]);
	struct measure_point over = instance->receives[0];
	const struct measure_call_table *table = &candidates->tables[over.location];
	uint32_t index, other = MEASURE_NONE;
	const struct measure_sync_call *call = candidates_call_of(candidates, &over, &index);
	struct measure_candidate candidate;

	if (!call || call->is_cut)
		return;
	if (call->leave < post.begin) {
		candidates->faults[instance->relation].disproved++;
		return;
	}
	if (post.begin < call->enter)
		other = access_at(table, index, post.begin);
	if (other != MEASURE_NONE) {
		index = other;
		call = &table->calls[index];
		over.position = call->last;
	}
	candidate = candidates_make(call, index, instance, &over, &post);
	candidates_add(candidates, &candidate);
}

/* ------------------------------------------------------------------ late completes --- */

uint64_t measure_access_end(const struct measure_call_table *table, uint32_t complete)
{
	for (uint32_t i = complete; i > 0; i--)
		if (is_rma(&table->calls[i - 1]))
			return table->calls[i - 1].leave;
	return 0;
}

/* ---------------------------------------------------------------- locks of windows --- */

/* A lock that an origin held. */
struct locked {
	const struct measure_window_lock *lock;
	uint32_t location;
	uint64_t from, until; /* Enter of its first call, Leave of its last one */
};

struct locks {
	MEASURE_GROWING_ITEMS(struct locked);
};

/* Owners before may leave MPI_Win_unlock after the next one: of so many. */
#define MOST_LATER_LOCKS 16

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* By target, of each as they were given back. */
static int compare_locked(const void *left, const void *right)
{
	const struct locked *a = left, *b = right;
	int order = COMPARE(a->lock->window, b->lock->window);

	if (order == 0)
		order = COMPARE(a->lock->target, b->lock->target);
	if (order == 0)
		order = COMPARE(a->until, b->until);
	if (order == 0)
		order = COMPARE(a->location, b->location);
	return order ? order : COMPARE(a->lock->last, b->lock->last);
}

static void collect_locks(const struct measure_candidates *candidates, struct locks *locks)
{
	for (size_t location = 0; location < candidates->nr_locations; location++) {
		const struct measure_call_table *table = &candidates->tables[location];

		for (size_t i = 0; i < table->nr_window_locks; i++) {
			const struct measure_window_lock *lock = &table->window_locks[i];

			*measure_append_item(locks) = (struct locked){lock, (uint32_t)location,
				table->calls[lock->first].enter, table->calls[lock->last].leave};
		}
	}
	if (locks->nr > 1)
		qsort(locks->items, locks->nr, sizeof(*locks->items), compare_locked);
}

/* Who holds a lock first is not recorded: that it has waited is a suspicion, where somebody gave it
 * back while a call of the epoch was running. */
static bool wait_until(struct measure_candidates *candidates, const struct locked *own,
	const struct locked *other, uint64_t until)
{
	const struct measure_call_table *table = &candidates->tables[own->location];
	const uint32_t index = call_at(table, own->lock->last + 1, until);

	if (index == MEASURE_NONE || index < own->lock->first || !is_rma(&table->calls[index]) ||
		table->calls[index].is_cut)
		return false;
	candidates_add(candidates, &(struct measure_candidate){.until = until,
					   .limit = table->calls[index].leave,
					   .position = table->calls[index].last,
					   .relation = MEASURE_RELATION_LOCK,
					   .pattern = MEASURE_WAIT_WINDOW_LOCK,
					   .location = own->location,
					   .call = index,
					   .cause = other->location,
					   .cause_call = other->lock->last,
					   .instance = MEASURE_NONE,
					   .nr_sends = 1});
	return true;
}

/* The lock is free when its owner leaves MPI_Win_unlock at the latest, and not before it has
 * entered that. */
static bool wait_for_lock(
	struct measure_candidates *candidates, const struct locked *own, const struct locked *other)
{
	const struct measure_call_table *table = &candidates->tables[other->location];

	if (other->location == own->location ||
		(!own->lock->is_exclusive && !other->lock->is_exclusive))
		return false;
	return wait_until(candidates, own, other, other->until) ||
	       wait_until(candidates, own, other, table->calls[other->lock->last].enter);
}

static bool is_same_target(const struct locked *a, const struct locked *b)
{
	return a->lock->window == b->lock->window && a->lock->target == b->lock->target;
}

static void find_owner_before(
	struct measure_candidates *candidates, const struct locks *locks, size_t index)
{
	const struct locked *own = &locks->items[index];
	const size_t end =
		index + MOST_LATER_LOCKS < locks->nr ? index + MOST_LATER_LOCKS : locks->nr;

	for (size_t next = end; next > 0; next--) {
		const struct locked *other = &locks->items[next - 1];

		if (next - 1 < index && (!is_same_target(own, other) || other->until <= own->from))
			break;
		if (is_same_target(own, other) && other->from < own->from &&
			wait_for_lock(candidates, own, other))
			break;
	}
}

/* ------------------------------------------------------------------------ progress --- */

/* Unlocks that the target may have kept waiting, as it was in no call of MPI. Where one was over
 * before the target came back to MPI, the library needs no help of it, and none has waited. */
struct progress {
	struct {
		MEASURE_GROWING_ITEMS(struct measure_candidate);
	} pending[MEASURE_WAIT_NR_NEARNESSES];
	bool is_needless[MEASURE_WAIT_NR_NEARNESSES];
};

static bool is_of_mpi(const struct measure_sync_call *call)
{
	return call->kind >= MEASURE_REGION_KIND_MPI &&
	       call->kind <= MEASURE_REGION_KIND_MPI_ALL_TO_ONE;
}

/* The first call of MPI that begins at a time or later; MEASURE_NONE: there is none, or one is
 * running then. */
static uint32_t next_mpi_call(const struct measure_call_table *table, uint64_t time)
{
	const uint32_t nr = (uint32_t)table->nr_calls;
	uint32_t call = call_at(table, nr, time), low = 0, high = nr;

	for (; call != MEASURE_NONE; call = table->calls[call].outer)
		if (is_of_mpi(&table->calls[call]) && table->calls[call].leave > time)
			return MEASURE_NONE;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (table->calls[middle].enter < time)
			low = middle + 1;
		else
			high = middle;
	}
	while (low < nr && !is_of_mpi(&table->calls[low]))
		low++;
	return low < nr ? low : MEASURE_NONE;
}

static uint32_t location_of_target(
	const struct measure_candidates *candidates, const struct measure_window_lock *lock)
{
	const struct measure_definitions *definitions = candidates->definitions;
	const uint32_t comm = definitions->windows[lock->window].comm;

	return comm == MEASURE_NONE || definitions->comms[comm].is_inter
		       ? MEASURE_NONE
		       : measure_group_location(
				 definitions, definitions->comms[comm].groups[0], lock->target);
}

static void look_at_unlock(const struct measure_candidates *candidates, const struct locked *own,
	struct progress *progress)
{
	const uint32_t target = location_of_target(candidates, own->lock);
	const struct measure_sync_call *unlock =
		&candidates->tables[own->location].calls[own->lock->last];
	enum measure_wait_nearness nearness;
	uint32_t next;

	if (target == MEASURE_NONE || target == own->location || unlock->is_cut)
		return;
	nearness = candidates_nearness(candidates, target, own->location);
	next = next_mpi_call(&candidates->tables[target], unlock->enter);
	if (next == MEASURE_NONE)
		return;
	const uint64_t until = candidates->tables[target].calls[next].enter;

	if (until >= unlock->leave) {
		progress->is_needless[nearness] = true;
		return;
	}
	*measure_append_item(&progress->pending[nearness]) =
		(struct measure_candidate){.until = until,
			.limit = unlock->leave,
			.position = unlock->last,
			.relation = MEASURE_RELATION_SYNCHRONOUS,
			.pattern = MEASURE_WAIT_PROGRESS,
			.location = own->location,
			.call = own->lock->last,
			.cause = target,
			.cause_call = next,
			.instance = MEASURE_NONE,
			.nr_sends = 1};
}

static void add_progress(struct measure_candidates *candidates, const struct locks *locks)
{
	struct progress progress = {.is_needless = {false}};

	for (size_t i = 0; i < locks->nr; i++)
		look_at_unlock(candidates, &locks->items[i], &progress);
	for (int i = 0; i < MEASURE_WAIT_NR_NEARNESSES; i++) {
		for (size_t k = 0; k < progress.pending[i].nr && !progress.is_needless[i]; k++)
			candidates_add(candidates, &progress.pending[i].items[k]);
		measure_free(progress.pending[i].items);
	}
}

void measure_candidates_add_locks(struct measure_candidates *candidates)
{
	struct locks locks = {.nr = 0};

	collect_locks(candidates, &locks);
	for (size_t i = 0; i < locks.nr; i++)
		find_owner_before(candidates, &locks, i);
	add_progress(candidates, &locks);
	measure_free(locks.items);
}
