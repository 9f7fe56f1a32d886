/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps with windows: fences, epochs between even and odd ranks, locks, windows made and freed.
 * Data is put and completed as Measure's MPI adapter records it. */
#include "config.h"

#include "generate.h"

#include <stdlib.h>

/* The first window was there before the trace; windows made are definitions. */
enum { WINDOW, MAX_WINDOWS = 16, PUT_BYTES = 512, NO_ROOT = OTF2_COLLECTIVE_ROOT_NONE };

#define EXCLUSIVE OTF2_LOCK_EXCLUSIVE

static uint32_t nr_ranks(const struct gen *gen)
{
	return (uint32_t)gen->options.nr_ranks;
}

/* --------------------------------------------------------------------------- data --- */

static void begin_put(struct gen *gen, uint32_t rank, uint32_t target, uint32_t window)
{
	struct gen_location *location = gen_master(gen, rank);
	const uint64_t number = gen->processes[rank].next_request++;

	gen->processes[rank].requests[0] = number;
	gen_pass(gen, location);
	gen_enter(gen, location, GEN_PUT);
	OTF2_EvtWriter_RmaPut(location->writer, NULL, gen_stamp(gen, location), window, target,
		PUT_BYTES, number);
	gen_pass(gen, location);
}

static void put(struct gen *gen, uint32_t rank, uint32_t target, uint32_t window)
{
	begin_put(gen, rank, target, window);
	gen_leave(gen, gen_master(gen, rank), GEN_PUT);
}

static void complete_put(struct gen *gen, uint32_t rank, uint32_t window)
{
	struct gen_location *location = gen_master(gen, rank);
	const uint64_t number = gen->processes[rank].requests[0];

	OTF2_EvtWriter_RmaOpCompleteNonBlocking(
		location->writer, NULL, gen_stamp(gen, location), window, number);
	OTF2_EvtWriter_RmaOpCompleteRemote(
		location->writer, NULL, gen_stamp(gen, location), window, number);
}

/* -------------------------------------------------------------------- all together --- */

/* Latest begin. */
static struct gen_moment begin_all(struct gen *gen, uint32_t region)
{
	struct gen_moment last = {.time = 0};

	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++) {
		struct gen_location *location = gen_master(gen, rank);

		gen_work(gen, location, gen->options.work);
		gen_enter(gen, location, region);
		OTF2_EvtWriter_RmaCollectiveBegin(location->writer, NULL, gen_stamp(gen, location));
		location->begun[0] = gen_entered(gen, location);
		gen_later(gen, &last, location->begun[0]);
	}
	return last;
}

static void end(struct gen *gen, struct gen_location *location, uint32_t region, uint32_t window,
	OTF2_CollectiveOp op, OTF2_RmaSyncLevel level)
{
	OTF2_EvtWriter_RmaCollectiveEnd(
		location->writer, NULL, gen_stamp(gen, location), op, level, window, NO_ROOT, 0, 0);
	gen_leave(gen, location, region);
}

/* Each puts to its neighbour, and a fence ends that; it may also be one that waits for nobody. */
static void fence(struct gen *gen, uint32_t window)
{
	const bool is_waiting = gen_below(&gen->random, 4) > 0;
	const OTF2_RmaSyncLevel level =
		is_waiting ? OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY
			   : OTF2_RMA_SYNC_LEVEL_NONE;
	struct gen_moment last;

	for (uint32_t rank = 0; is_waiting && rank < nr_ranks(gen); rank++)
		put(gen, rank, (rank + 1) % nr_ranks(gen), window);
	last = begin_all(gen, GEN_WIN_FENCE);
	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++) {
		struct gen_location *location = gen_master(gen, rank);

		if (is_waiting)
			gen_await_ranks(gen, location, 0, 1);
		if (is_waiting)
			gen_wait(gen, location, last.time, gen_lmin_all(gen));
		else
			gen_pass(gen, location);
		if (is_waiting)
			gen_expect(gen, location, "fence", last);
		if (is_waiting)
			complete_put(gen, rank, window);
		end(gen, location, GEN_WIN_FENCE, window, OTF2_COLLECTIVE_OP_BARRIER, level);
	}
}

static void make_or_free(struct gen *gen, uint32_t region, uint32_t window, bool is_made)
{
	const struct gen_moment last = begin_all(gen, region);

	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++) {
		struct gen_location *location = gen_master(gen, rank);

		gen_await_ranks(gen, location, 0, 1);
		gen_wait(gen, location, last.time, gen_lmin_all(gen));
		gen_expect(gen, location, "window", last);
		if (is_made)
			OTF2_EvtWriter_RmaWinCreate(
				location->writer, NULL, gen_stamp(gen, location), window);
		else
			OTF2_EvtWriter_RmaWinDestroy(
				location->writer, NULL, gen_stamp(gen, location), window);
		end(gen, location, region, window,
			is_made ? OTF2_COLLECTIVE_OP_CREATE_HANDLE
				: OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
			OTF2_RMA_SYNC_LEVEL_PROCESS);
	}
}

/* -------------------------------------------------------------------------- epochs --- */

/* One call of a rank, by which it records a group: the other side. It waits for `time`, where that
 * is not 0. */
static void sync_call(
	struct gen *gen, uint32_t rank, uint32_t region, uint64_t time, OTF2_RmaSyncLevel level)
{
	struct gen_location *location = gen_master(gen, rank);

	if (time)
		gen_wait(gen, location, time, gen_lmin_all(gen));
	else
		gen_pass(gen, location);
	if (region == GEN_WIN_COMPLETE)
		complete_put(gen, rank, WINDOW);
	OTF2_EvtWriter_RmaGroupSync(location->writer, NULL, gen_stamp(gen, location), level, WINDOW,
		rank % 2 ? GEN_GROUP_EVEN : GEN_GROUP_ODD);
}

static struct gen_location *enter_sync(struct gen *gen, uint32_t rank, uint32_t region)
{
	struct gen_location *location = gen_master(gen, rank);

	gen_work(gen, location, gen->options.work / 2);
	gen_enter(gen, location, region);
	return location;
}

/* Each origin waits for all targets, in the call of its epoch that is running when they post. */
static void expect_posts(struct gen *gen, uint32_t origin, const struct gen_moment posts[])
{
	struct gen_location *location = gen_master(gen, origin);

	for (uint32_t rank = 1 - origin % 2; rank < nr_ranks(gen); rank += 2)
		if (posts[rank].time < location->now)
			gen_expect(gen, location, "late_post", posts[rank]);
}

static struct gen_moment last_of(
	const struct gen *gen, const struct gen_moment moments[], uint32_t side)
{
	struct gen_moment last = {.time = 0};

	for (uint32_t rank = side; rank < nr_ranks(gen); rank += 2)
		gen_later(gen, &last, moments[rank]);
	return last;
}

static void await_side(struct gen *gen, struct gen_location *location,
	const struct gen_moment moments[], uint32_t side)
{
	for (uint32_t rank = side; rank < nr_ranks(gen); rank += 2)
		gen_await(gen, location, rank, moments[rank]);
}

/* What the last origin did between its last operation and MPI_Win_complete is part of the wait. */
static void expect_completes(struct gen *gen, struct gen_location *location,
	const struct gen_moment completes[], const uint64_t done[], uint32_t origins)
{
	uint32_t last = origins;

	for (uint32_t rank = origins; rank < nr_ranks(gen); rank += 2)
		if (completes[rank].time > completes[last].time)
			last = rank;
	gen_expect(gen, location, "early_wait", completes[last]);
	gen_expect_part(gen, location, "late_complete", done[last]);
}

/* Posts and completes of all ranks, by rank. */
static void run_access(struct gen *gen, uint32_t origin, const struct gen_moment posts[],
	struct gen_moment completes[], uint64_t done[])
{
	const uint32_t target = 1 - origin % 2;
	struct gen_location *location = enter_sync(gen, origin, GEN_WIN_START);

	sync_call(gen, origin, GEN_WIN_START, 0, OTF2_RMA_SYNC_LEVEL_NONE);
	expect_posts(gen, origin, posts);
	gen_leave(gen, location, GEN_WIN_START);
	begin_put(gen, origin, target, WINDOW);
	expect_posts(gen, origin, posts);
	gen_leave(gen, location, GEN_PUT);
	done[origin] = location->now;
	enter_sync(gen, origin, GEN_WIN_COMPLETE);
	completes[origin] = gen_entered(gen, location);
	await_side(gen, location, posts, target);
	sync_call(gen, origin, GEN_WIN_COMPLETE, last_of(gen, posts, target).time,
		OTF2_RMA_SYNC_LEVEL_MEMORY);
	expect_posts(gen, origin, posts);
	gen_leave(gen, location, GEN_WIN_COMPLETE);
}

/* The even ranks put to the odd ones, or the other way round. */
static void epoch(struct gen *gen)
{
	const uint32_t origins = gen_below(&gen->random, 2), targets = 1 - origins;
	struct gen_moment *posts = gen_zeroed(nr_ranks(gen), sizeof(*posts));
	struct gen_moment *completes = gen_zeroed(nr_ranks(gen), sizeof(*completes));
	uint64_t *done = gen_zeroed(nr_ranks(gen), sizeof(*done));
	struct gen_moment last;

	for (uint32_t rank = targets; rank < nr_ranks(gen); rank += 2) {
		struct gen_location *location = enter_sync(gen, rank, GEN_WIN_POST);

		posts[rank] = gen_entered(gen, location);
		sync_call(gen, rank, GEN_WIN_POST, 0, OTF2_RMA_SYNC_LEVEL_NONE);
		gen_leave(gen, location, GEN_WIN_POST);
	}
	for (uint32_t rank = origins; rank < nr_ranks(gen); rank += 2)
		run_access(gen, rank, posts, completes, done);
	last = last_of(gen, completes, origins);
	for (uint32_t rank = targets; rank < nr_ranks(gen); rank += 2) {
		struct gen_location *location = enter_sync(gen, rank, GEN_WIN_WAIT);

		await_side(gen, location, completes, origins);
		sync_call(gen, rank, GEN_WIN_WAIT, last.time, OTF2_RMA_SYNC_LEVEL_MEMORY);
		expect_completes(gen, location, completes, done, origins);
		gen_leave(gen, location, GEN_WIN_WAIT);
	}
	free(posts);
	free(completes);
	free(done);
}

/* --------------------------------------------------------------------------- locks --- */

/* Some rank's window, whoever has its lock. */
static void lock(struct gen *gen)
{
	const uint32_t rank = gen_below(&gen->random, nr_ranks(gen));
	const uint32_t target = gen_below(&gen->random, nr_ranks(gen));
	struct gen_location *location = gen_master(gen, rank);

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_WIN_LOCK);
	OTF2_EvtWriter_RmaRequestLock(
		location->writer, NULL, gen_stamp(gen, location), WINDOW, target, 0, EXCLUSIVE);
	gen_pass(gen, location);
	gen_leave(gen, location, GEN_WIN_LOCK);
	put(gen, rank, target, WINDOW);
	gen_enter(gen, location, GEN_WIN_UNLOCK);
	gen_pass(gen, location);
	complete_put(gen, rank, WINDOW);
	OTF2_EvtWriter_RmaReleaseLock(
		location->writer, NULL, gen_stamp(gen, location), WINDOW, target, 0);
	gen_leave(gen, location, GEN_WIN_UNLOCK);
}

/* --------------------------------------------------------------------------- steps --- */

void gen_windows(struct gen *gen)
{
	const uint64_t kind = gen_below(&gen->random, 8);
	uint32_t window;

	if (!gen->nr_windows)
		gen->nr_windows = WINDOW + 1;
	if (kind < 3) {
		fence(gen, WINDOW);
	} else if (kind < 6) {
		epoch(gen);
	} else if (kind < 7 || gen->nr_windows >= MAX_WINDOWS) {
		lock(gen);
	} else {
		window = gen->nr_windows++;
		make_or_free(gen, GEN_WIN_CREATE, window, true);
		fence(gen, window);
		make_or_free(gen, GEN_WIN_FREE, window, false);
	}
}
