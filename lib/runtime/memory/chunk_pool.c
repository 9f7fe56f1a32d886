/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handing out chunks; see chunk_pool.h. A chunk's state word decides who owns it. */
#include "config.h"

#include "chunk_pool.h"

#include <limits.h>
#include <sys/mman.h>

#include "base/posix.h"
#include "base/likely.h"
#include "clock/clock.h"
#include "clock/clock_inline.h"
#include "config/settings.h"
#include "format/numa_placement.h"

#define PIECE		(64 * 1024) /* mapped at once */
#define PAGE		4096
#define MANY_LOCATIONS	128 /* from this one on they come with less memory */
#define LEAST_POPULATED (4 * 1024)
#define FEW		4   /* free chunks with memory: time to ask the keeper for more */
#define WAIT_MS		100 /* between looks at whether the spooler still lives */
#define BETWEEN_S       10  /* without a keeper, where there should soon be another one */
#define NOWHERE		UINT64_MAX

static struct measure_segment pool;

/* No chunk below this one is untouched: they are taken from the low end and never return. */
static _Atomic uint32_t untouched_from;

/* All chunks below this one were taken; where they are kept until the end, for good. */
static _Atomic uint32_t kept_below;

/* What measure_pool_news() was when a thread's patience ran out; until it changes, nobody waits. */
static _Atomic uint64_t hopeless_at = NOWHERE;

/* Memory that the keeper allocates lies where this process wants it: nobody has chosen a memory
 * policy for it. */
static bool is_keeper_asked;

void measure_pool_start(const struct measure_segment *segment)
{
	pool = *segment;
	/* a forked child begins anew */
	atomic_store(&untouched_from, 0);
	atomic_store(&kept_below, 0);
	is_keeper_asked = measure_numa_are_free();
}

/* Reads, as that also maps the pages around that the keeper has allocated; they can be written to
 * at once, as the mapping is shared and in memory only. Below Linux 5.14: one word a page. */
static void populate_piece(const volatile uint8_t *memory, size_t bytes)
{
	if (madvise((void *)memory, bytes, MADV_POPULATE_READ) == 0)
		return;
	for (size_t i = 0; i < bytes; i += PAGE)
		(void)memory[i];
}

/* In pieces for the program's sake as well: meanwhile the kernel lets nobody map memory. */
void measure_pool_populate(uint32_t chunk, size_t from, size_t to)
{
	const uint8_t *memory = measure_segment_chunk_memory(&pool, chunk);

	for (; from < to; from += PIECE)
		populate_piece(memory + from, to - from < PIECE ? to - from : PIECE);
}

static bool change(uint32_t chunk, uint32_t from, uint32_t to)
{
	return atomic_compare_exchange_strong_explicit(&pool.chunks[chunk].state, &from, to,
		memory_order_acquire, memory_order_relaxed);
}

/* A location that is being made has a chunk to itself already: it need not wait for others. */
static uint32_t usable_chunks(bool is_first)
{
	uint32_t nr_chunks = measure_segment_usable_chunks(&pool);

	return nr_chunks + (is_first && nr_chunks < pool.layout.nr_chunks);
}

/* The lowest untouched chunk of these. */
static uint32_t take_untouched(uint32_t nr_chunks)
{
	uint32_t chunk = atomic_load_explicit(&untouched_from, memory_order_relaxed);

	while (chunk < nr_chunks && !change(chunk, MEASURE_CHUNK_UNTOUCHED, MEASURE_CHUNK_CURRENT))
		chunk++;
	atomic_store_explicit(&untouched_from, chunk, memory_order_relaxed);
	return chunk < nr_chunks ? chunk : MEASURE_CHUNK_NONE;
}

/* Sequentially consistent: pairs with sleep_until_wanted() of the keeper's populator. */
static void ask_keeper(uint32_t home)
{
	struct measure_segment_header *header = pool.header;

	if (!is_keeper_asked)
		return;
	if (home != MEASURE_HOME_UNKNOWN)
		atomic_fetch_or(&header->wanted_homes, UINT64_C(1) << (home - 1));
	atomic_fetch_add(&header->wanted, 1);
	if (atomic_load(&header->populator_sleeps) &&
		atomic_exchange(&header->populator_sleeps, 0))
		measure_futex_wake(&header->wanted, 1);
}

/* Where to look for free chunks from. Where all stay until the end, those below that were taken
 * once need not be looked at again: there may be 100,000 of them. */
static uint32_t first_to_look_at(uint32_t nr_chunks)
{
	uint32_t chunk = atomic_load_explicit(&kept_below, memory_order_relaxed);
	uint32_t state;

	if (!pool.layout.is_kept)
		return 0;
	for (; chunk < nr_chunks; chunk++) {
		state = atomic_load_explicit(&pool.chunks[chunk].state, memory_order_relaxed);
		if (state != MEASURE_CHUNK_CURRENT && state != MEASURE_CHUNK_FULL)
			break;
	}
	atomic_store_explicit(&kept_below, chunk, memory_order_relaxed);
	return chunk;
}

/* Looks for free chunks. */
struct chunk_pool_search {
	uint32_t home;
	uint32_t near, far; /* the lowest free one of that home; of others */
	uint32_t nr_near;
};

/* Few: of that home, besides the one that is taken. */
static void search_free(struct chunk_pool_search *search, uint32_t nr_chunks)
{
	search->near = search->far = MEASURE_CHUNK_NONE;
	search->nr_near = 0;
	for (uint32_t chunk = first_to_look_at(nr_chunks);
		chunk < nr_chunks && search->nr_near <= FEW; chunk++) {
		uint32_t state =
			atomic_load_explicit(&pool.chunks[chunk].state, memory_order_relaxed);
		if (state == MEASURE_CHUNK_UNTOUCHED)
			break; /* so are all above it */
		if (state != MEASURE_CHUNK_FREE)
			continue;
		bool is_near = atomic_load_explicit(&pool.chunks[chunk].home,
				       memory_order_relaxed) == search->home;
		uint32_t *lowest = is_near ? &search->near : &search->far;
		search->nr_near += is_near;
		if (*lowest == MEASURE_CHUNK_NONE)
			*lowest = chunk;
	}
}

/* The lowest free chunk, so that few are in use; one of that home if there is one. *are_few: there
 * are not many more of it. */
static uint32_t take_free(uint32_t home, uint32_t nr_chunks, bool *are_few)
{
	struct chunk_pool_search search = {.home = home};

	for (;;) {
		search_free(&search, nr_chunks);
		uint32_t chunk = search.near != MEASURE_CHUNK_NONE ? search.near : search.far;
		*are_few = search.nr_near <= FEW;
		if (chunk == MEASURE_CHUNK_NONE ||
			change(chunk, MEASURE_CHUNK_FREE, MEASURE_CHUNK_CURRENT))
			return chunk;
	}
}

/* How much of a chunk is populated by who takes it. */
static size_t first_bytes(uint32_t location, bool is_first)
{
	return is_first && location >= MANY_LOCATIONS ? LEAST_POPULATED : PIECE;
}

/* Bytes of a chunk just taken that have memory and are mapped. */
static size_t begin_chunk(uint32_t chunk, uint32_t location, bool is_first)
{
	size_t bytes = first_bytes(location, is_first);

	if (atomic_load_explicit(&pool.chunks[chunk].is_mapped, memory_order_relaxed))
		return pool.layout.chunk_size;
	measure_pool_populate(chunk, 0, bytes);
	return bytes;
}

static uint32_t try_take(uint32_t location, bool is_first, size_t *populated)
{
	bool are_few;
	uint32_t home = measure_numa_mine(pool.header);
	uint32_t nr_chunks = usable_chunks(is_first);
	uint32_t chunk = take_free(home, nr_chunks, &are_few);

	if (chunk == MEASURE_CHUNK_NONE) {
		chunk = take_untouched(nr_chunks);
		if (chunk == MEASURE_CHUNK_NONE)
			return chunk;
		atomic_store_explicit(&pool.chunks[chunk].home, home, memory_order_relaxed);
	}
	*populated = begin_chunk(chunk, location, is_first);
	if (are_few && !is_first &&
		atomic_load_explicit(&untouched_from, memory_order_relaxed) < nr_chunks)
		ask_keeper(home);
	return chunk;
}

/* The spooler looks by itself soon enough, but where memory fills faster than that: to wake another
 * thread may hold this one up for most of a millisecond where the machine is virtual. */
static void declare_full(uint32_t chunk)
{
	struct measure_segment_header *header = pool.header;

	atomic_store_explicit(&pool.chunks[chunk].is_mapped, 1, memory_order_relaxed);
	atomic_store_explicit(&pool.chunks[chunk].state, MEASURE_CHUNK_FULL, memory_order_release);
	atomic_fetch_add(&header->full_events, 1);
	uint32_t from = atomic_load(&header->wake_from);
	if (from != 0 && atomic_load(&header->nr_used) >= from &&
		atomic_exchange(&header->wake_from, 0) != 0)
		measure_futex_wake(&header->full_events, 1);
}

/* The spooler may write yet. `news`: as of now. */
static bool is_spooler_alive(uint32_t news)
{
	struct measure_segment_header *header = pool.header;

	if (pool.layout.is_kept || atomic_load(&header->keeper_stopped) ||
		atomic_load(&hopeless_at) == news)
		return false;
	return measure_segment_is_cared_for(header);
}

/* A chunk can come only from the keeper: from its spooler, or from its populator. */
static bool can_wait(uint32_t news)
{
	uint32_t nr_chunks = measure_segment_usable_chunks(&pool);
	bool is_spooler_worth_it =
		pool.layout.full_policy == MEASURE_FULL_WAIT && is_spooler_alive(news);
	bool is_cared_for = measure_segment_is_cared_for(pool.header);

	for (uint32_t chunk = 0; chunk < nr_chunks; chunk++) {
		uint32_t state = atomic_load(&pool.chunks[chunk].state);
		if ((state == MEASURE_CHUNK_POPULATING && is_cared_for) ||
			(is_spooler_worth_it && state != MEASURE_CHUNK_CURRENT))
			return true;
	}
	return false;
}

static void poke_spooler(struct measure_segment_header *header)
{
	atomic_fetch_add(&header->full_events, 1);
	measure_futex_wake(&header->full_events, 1);
}

static uint64_t ticks_of(uint32_t seconds)
{
	return (uint64_t)((double)seconds * measure_clock_frequency());
}

/* What a thread waits by: so long without news, not counting the time between two keepers. */
struct patience {
	uint64_t begin;
	uint64_t since; /* the last news */
	uint32_t news;
};

static struct patience take_heart(void)
{
	uint64_t now = measure_clock_read();

	return (struct patience){now, now, atomic_load(&pool.header->freed_events)};
}

static bool is_exhausted(struct patience *patience, uint32_t news)
{
	uint64_t now = measure_clock_read();

	if (news != patience->news)
		*patience = (struct patience){now, now, news};
	else if (now - patience->begin < ticks_of(BETWEEN_S) &&
		 measure_segment_is_orphan(pool.header))
		patience->since = now;
	return now - patience->since >= ticks_of(pool.layout.patience);
}

/* When it is exhausted there is no hope, until there are news. */
static uint32_t take_patiently(uint32_t location, bool is_first, size_t *populated)
{
	struct measure_segment_header *header = pool.header;
	struct patience patience = take_heart();

	for (;;) {
		uint32_t news = atomic_load(&header->freed_events);
		uint32_t chunk = try_take(location, is_first, populated);
		if (chunk != MEASURE_CHUNK_NONE || !can_wait(news))
			return chunk;
		if (is_exhausted(&patience, news)) {
			atomic_store(&hopeless_at, news);
			return MEASURE_CHUNK_NONE;
		}
		poke_spooler(header);
		measure_futex_wait(&header->freed_events, news, WAIT_MS);
	}
}

static void count_stall(const struct measure_stall *stall)
{
	struct measure_segment_header *header = pool.header;

	atomic_fetch_add(&header->counts[MEASURE_COUNT_STALLS], 1);
	atomic_fetch_add(&header->counts[MEASURE_COUNT_STALL_TICKS], stall->end - stall->begin);
}

static uint32_t wait_and_take(
	uint32_t location, bool is_first, size_t *populated, struct measure_stall *stall)
{
	struct measure_segment_header *header = pool.header;

	if (!can_wait(atomic_load(&header->freed_events)))
		return MEASURE_CHUNK_NONE;
	stall->begin = measure_clock_read();
	atomic_fetch_add(&header->nr_waiting, 1);
	uint32_t chunk = take_patiently(location, is_first, populated);
	atomic_fetch_sub(&header->nr_waiting, 1);
	stall->end = measure_clock_read();
	count_stall(stall);
	return chunk;
}

static bool is_written(uint32_t phase)
{
	return (int32_t)(atomic_load(&pool.header->phases_written) - phase) >= 0;
}

/* As with memory: as long as something is written now and then. */
static void await_phase(uint32_t phase)
{
	struct measure_segment_header *header = pool.header;
	struct patience patience = take_heart();

	for (;;) {
		uint32_t written = atomic_load(&header->phases_written);
		uint32_t news = atomic_load(&header->freed_events);
		if (is_written(phase) || !is_spooler_alive(news) || is_exhausted(&patience, news))
			return;
		measure_futex_wait(&header->phases_written, written, WAIT_MS);
	}
}

void measure_pool_flush(bool is_waited_for, struct measure_stall *stall)
{
	uint32_t phase = atomic_fetch_add(&pool.header->phases_ended, 1) + 1;

	*stall = (struct measure_stall){0, 0};
	poke_spooler(pool.header);
	if (!is_waited_for)
		return;
	stall->begin = measure_clock_read();
	await_phase(phase);
	stall->end = measure_clock_read();
}

void measure_pool_want_snapshot(void)
{
	measure_segment_want_snapshot(pool.header);
}

static void note_use(void)
{
	struct measure_segment_header *header = pool.header;
	uint32_t used = atomic_fetch_add(&header->nr_used, 1) + 1;
	uint32_t peak = atomic_load(&header->peak_used);

	while (used > peak && !atomic_compare_exchange_weak(&header->peak_used, &peak, used))
		;
}

uint32_t measure_pool_news(void)
{
	return atomic_load(&pool.header->freed_events);
}

bool measure_pool_is_over(void)
{
	return atomic_load(&pool.header->is_over);
}

bool measure_pool_give_up(void)
{
	if (pool.layout.full_policy == MEASURE_FULL_STOP)
		atomic_store(&pool.header->is_over, 1);
	return measure_pool_is_over() || atomic_load(&pool.header->keeper_stopped);
}

uint32_t measure_pool_next(
	uint32_t location, uint32_t current, size_t *populated, struct measure_stall *stall)
{
	struct measure_segment_location *shared = &pool.locations[location];
	uint32_t sequence = atomic_load_explicit(&shared->nr_chunks, memory_order_relaxed);
	bool is_first = sequence == 0;

	*stall = (struct measure_stall){0, 0};
	if (current != MEASURE_CHUNK_NONE)
		declare_full(current);

	if (atomic_load(&pool.header->is_over))
		return MEASURE_CHUNK_NONE;
	uint32_t chunk = try_take(location, is_first, populated);
	if (unlikely(chunk == MEASURE_CHUNK_NONE))
		chunk = wait_and_take(location, is_first, populated, stall);
	if (chunk == MEASURE_CHUNK_NONE)
		return chunk;
	note_use();

	/* What an earlier user left must not be taken for this location's by a keeper whose
	 * process dies before the chunk has a header of its own. */
	*measure_segment_chunk_memory(&pool, chunk) = 0;
	atomic_store_explicit(&pool.chunks[chunk].location, location, memory_order_release);
	atomic_store_explicit(&pool.chunks[chunk].sequence, sequence, memory_order_relaxed);
	atomic_store_explicit(&shared->nr_chunks, sequence + 1, memory_order_release);
	return chunk;
}
