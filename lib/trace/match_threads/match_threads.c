/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that create each other, and locks. The records of one thread have its number in its
 * contingent: created before it begins, ended before the wait for it is over. The records of one
 * acquisition of a lock have the lock's number and the acquisition's: a release comes before the
 * next acquisition. */
#include "config.h"

#include "trace/match/match_internal.h"

#include <stdlib.h>

#include "base/array.h"

/* Half a record: what it is about, which of them, what it says of it. */
static void threads_add(struct measure_match *match, struct halves_of *halves,
	const struct measure_event *event, uint64_t what, uint64_t ordinal)
{
	*measure_append_item(halves) =
		(struct keyed_half){what, ordinal, event->kind, point_of(match, event)};
}

void threads_event(struct measure_match *match, const struct measure_event *event)
{
	struct threads *threads = &match->threads;

	switch (event->kind) {
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
	case MEASURE_EVENT_THREAD_RELEASE_LOCK:
		if (event->number != 0) /* of a tool that does not count them */
			threads_add(match, &threads->locks, event,
				(uint64_t)event->op << 32 | event->peer, event->number);
		break;
	default:
		if (event->ref != MEASURE_NONE && event->number != OTF2_UNDEFINED_UINT64)
			threads_add(match, &threads->lives, event, event->ref, event->number);
		break;
	}
}

static int threads_compare(const void *left, const void *right)
{
	const struct keyed_half *a = left, *b = right;

	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	if (a->ordinal != b->ordinal)
		return a->ordinal < b->ordinal ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->point.time != b->point.time)
		return a->point.time < b->point.time ? -1 : 1;
	return (a->point.position > b->point.position) - (a->point.position < b->point.position);
}

static bool threads_is_same(const struct keyed_half *a, const struct keyed_half *b)
{
	return a->what == b->what && a->ordinal == b->ordinal;
}

static void sort(struct halves_of *halves)
{
	measure_array_sort(halves, threads_compare);
}

/* How many of a kind are among these; *first is the first of them. */
static size_t threads_count(const struct keyed_half *items, size_t nr, enum measure_event_kind kind,
	const struct keyed_half **first)
{
	size_t found = 0;

	for (size_t i = 0; i < nr; i++)
		if (items[i].kind == kind && found++ == 0)
			*first = &items[i];
	return found;
}

static void hand_out_pair(struct measure_match *match, enum measure_relation relation,
	const struct keyed_half *send, const struct keyed_half *receive, uint32_t comm)
{
	instance_add_send(match, &send->point);
	instance_add_receive(match, &receive->point);
	instance_hand_out(match, relation, comm, 0, receive->ordinal);
}

/* --------------------------------------------------------------------- threads --- */

/* Not complained of: a ThreadCreate alone. The call may have failed, and the process may end before
 * the thread begins. */
static void hand_out_thread(struct measure_match *match, const struct keyed_half *items, size_t nr)
{
	const struct keyed_half *create = NULL, *begin = NULL, *end = NULL;
	size_t nr_creates = threads_count(items, nr, MEASURE_EVENT_THREAD_CREATE, &create);
	size_t nr_begins = threads_count(items, nr, MEASURE_EVENT_THREAD_BEGIN, &begin);
	size_t nr_ends = threads_count(items, nr, MEASURE_EVENT_THREAD_END, &end);
	bool is_cut = measure_match_is_cut(match, match->process);
	unsigned long long number = items->ordinal;
	uint32_t comm = (uint32_t)items->what;

	if (nr_creates > 1 || nr_begins > 1 || (begin && !create))
		measure_report_excused(match->findings, MEASURE_CHECK_THREAD_CREATE, is_cut,
			place_of(&items->point),
			"thread %llu is created %zu times and begins %zu times", number, nr_creates,
			nr_begins);
	if (nr_ends != nr_begins)
		measure_report_excused(match->findings, MEASURE_CHECK_THREAD_END, is_cut,
			place_of(&items->point), "thread %llu begins %zu times and ends %zu times",
			number, nr_begins, nr_ends);
	if (create && begin)
		hand_out_pair(match, MEASURE_RELATION_THREAD_CREATE, create, begin, comm);
	for (size_t i = 0; i < nr; i++) {
		if (items[i].kind != MEASURE_EVENT_THREAD_WAIT)
			continue;
		if (end)
			hand_out_pair(match, MEASURE_RELATION_THREAD_WAIT, end, &items[i], comm);
		else
			measure_report_excused(match->findings, MEASURE_CHECK_THREAD_WAIT, is_cut,
				place_of(&items[i].point), "thread %llu never ends", number);
	}
}

/* ----------------------------------------------------------------------- locks --- */

static bool is_of_one_thread(const struct keyed_half *items, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (items[i].point.location != items[0].point.location)
			return false;
	return true;
}

/* An acquisition without a release is no fault: its thread kept the lock, or died with it. A lock
 * that can be nested may be acquired, and released, several times as one number. */
static void check_lock(struct measure_match *match, const struct keyed_half *items, size_t nr)
{
	const struct keyed_half *first;
	size_t nr_acquires = threads_count(items, nr, MEASURE_EVENT_THREAD_ACQUIRE_LOCK, &first);
	size_t nr_releases = threads_count(items, nr, MEASURE_EVENT_THREAD_RELEASE_LOCK, &first);

	if (nr_acquires > 0 && nr_releases <= nr_acquires && is_of_one_thread(items, nr))
		return;
	measure_report_excused(match->findings, MEASURE_CHECK_LOCK_PAIR,
		measure_match_is_cut(match, match->process), place_of(&items->point),
		"acquisition %llu of lock %u is recorded %zu times, its release %zu times, "
		"and not by one thread in this order",
		(unsigned long long)items->ordinal, (uint32_t)items->what, nr_acquires,
		nr_releases);
}

/* From the last release of one acquisition to the next one in order, whichever number that has:
 * some may not be recorded. */
static void hand_out_locks(struct measure_match *match)
{
	struct halves_of *locks = &match->threads.locks;
	const struct keyed_half *release = NULL;
	size_t end;

	for (size_t i = 0; i < locks->nr; i = end) {
		const struct keyed_half *items = locks->items + i, *acquire = NULL;

		for (end = i; end < locks->nr && threads_is_same(&locks->items[end], items); end++)
			;
		check_lock(match, items, end - i);
		if (release && release->what != items->what)
			release = NULL;
		if (threads_count(items, end - i, MEASURE_EVENT_THREAD_ACQUIRE_LOCK, &acquire) &&
			release)
			hand_out_pair(match, MEASURE_RELATION_LOCK, release, acquire, MEASURE_NONE);
		release = &items[end - i - 1]; /* sorted by kind, then time: the last release */
		if (release->kind != MEASURE_EVENT_THREAD_RELEASE_LOCK)
			release = NULL;
	}
}

void threads_end_process(struct measure_match *match)
{
	struct halves_of *lives = &match->threads.lives;
	size_t end;

	sort(lives);
	for (size_t i = 0; i < lives->nr; i = end) {
		for (end = i;
			end < lives->nr && threads_is_same(&lives->items[end], &lives->items[i]);
			end++)
			;
		hand_out_thread(match, lives->items + i, end - i);
	}
	sort(&match->threads.locks);
	hand_out_locks(match);
	lives->nr = 0;
	match->threads.locks.nr = 0;
}

void threads_free(struct threads *threads)
{
	measure_free(threads->lives.items);
	measure_free(threads->locks.items);
}
