/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handing out chunks; see pool.h. A chunk's state word decides who owns it. */
#include "config.h"

#include "memory/pool.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/futex.h"
#include "base/likely.h"
#include "base/procfs.h"
#include "clock/clock.h"
#include "clock/clock_inline.h"
#include "config/settings.h"
#include "memory/homes.h"

#define PIECE		(64 * 1024) /* populated at once: some 0.05 ms */
#define MANY_LOCATIONS	128 /* from this one on they come with less memory */
#define LEAST_POPULATED (4 * 1024)
#define AHEAD		4   /* chunks the helper populates in one go, ... */
#define REST_NS		200000 /* ... before it rests, or looks for work again */
#define FEW		4   /* free ones: time to call it */
#define IDLE_RESTS	250 /* the helper ends after so many without work: 50 ms */
#define WAIT_MS		100 /* between looks at whether the spooler still lives */
#define BETWEEN_S       10  /* without a keeper, where there should soon be another one */
#define NOWHERE		UINT64_MAX

#define CLOSE_RANGE            436 /* of all processors; older headers do not have it */
#define CLOSE_RANGE_OF_OUR_OWN 2U

static struct measure_segment pool;

/* No chunk below this one is untouched: they are taken from the low end and never return. */
static _Atomic uint32_t untouched_from;

/* All chunks below this one were taken; where they are kept until the end, for good. */
static _Atomic uint32_t kept_below;

/* The helper's doorbell and whether it runs; private to this process. */
static _Atomic uint32_t helper_wanted;
static _Atomic uint32_t helper_runs;

/* Bits: homes of those who rang since it looked last. */
static _Atomic uint64_t wanted_homes;

/* What measure_pool_news() was when a thread's patience ran out; until it changes, nobody waits. */
static _Atomic uint64_t hopeless_at = NOWHERE;

/* Where the helper may run: wherever the process could when recording began. It must not
 * inherit the core of a thread that has pinned itself, and that it is to work ahead of. */
static cpu_set_t cores;
static bool has_cores;

void measure_pool_start(const struct measure_segment *segment)
{
	pool = *segment;
	/* a forked child begins anew, without its parent's helper */
	atomic_store(&untouched_from, 0);
	atomic_store(&kept_below, 0);
	atomic_store(&helper_wanted, 0);
	atomic_store(&helper_runs, 0);
	atomic_store(&wanted_homes, 0);
	measure_homes_stop();
	has_cores = sched_getaffinity(0, sizeof(cores), &cores) == 0;
}

/* Below Linux 5.14: touch one word a page. The chunk is nobody else's, and the bytes are
 * rewritten before they are read. */
static void populate_piece(volatile uint8_t *memory, size_t bytes)
{
	if (madvise((void *)memory, bytes, MADV_POPULATE_WRITE) == 0)
		return;
	for (size_t i = 0; i < bytes; i += 4096)
		memory[i] = 0;
}

/* In pieces for the program's sake as well: meanwhile the kernel lets nobody map memory. */
void measure_pool_populate(uint32_t chunk, size_t from, size_t to)
{
	uint8_t *memory = measure_segment_chunk_memory(&pool, chunk);

	for (; from < to; from += PIECE)
		populate_piece(memory + from, to - from < PIECE ? to - from : PIECE);
}

static bool change(uint32_t chunk, uint32_t from, uint32_t to)
{
	return atomic_compare_exchange_strong_explicit(&pool.chunks[chunk].state, &from, to,
		memory_order_acquire, memory_order_relaxed);
}

/* A chunk is free. */
static void tell(void)
{
	atomic_fetch_add(&pool.header->freed_events, 1);
	if (atomic_load(&pool.header->nr_waiting) > 0)
		measure_futex_wake(&pool.header->freed_events, INT_MAX);
}

/* A location that is being made has a chunk to itself already: it need not wait for others. */
static uint32_t usable_chunks(bool is_first)
{
	uint32_t nr_chunks = measure_segment_usable_chunks(&pool);

	return nr_chunks + (is_first && nr_chunks < pool.layout.nr_chunks);
}

/* The lowest untouched chunk of these, now in state `to`. */
static uint32_t take_untouched(uint32_t nr_chunks, uint32_t to)
{
	uint32_t chunk = atomic_load_explicit(&untouched_from, memory_order_relaxed);

	while (chunk < nr_chunks && !change(chunk, MEASURE_CHUNK_UNTOUCHED, to))
		chunk++;
	atomic_store_explicit(&untouched_from, chunk, memory_order_relaxed);
	return chunk < nr_chunks ? chunk : MEASURE_CHUNK_NONE;
}

/* Populates up to AHEAD untouched chunks. */
static void populate_ahead(uint32_t home)
{
	for (int done = 0; done < AHEAD; done++) {
		uint32_t chunk = take_untouched(usable_chunks(false), MEASURE_CHUNK_POPULATING);
		if (chunk == MEASURE_CHUNK_NONE)
			break;
		measure_pool_populate(chunk, 0, pool.layout.chunk_size);
		measure_homes_set(chunk, home);
		atomic_store_explicit(&pool.chunks[chunk].state, MEASURE_CHUNK_FREE,
			memory_order_release);
		tell();
	}
}

/* For each home that wants some. */
static void populate_homes(void)
{
	uint64_t wanted = atomic_exchange(&wanted_homes, 0);

	if (wanted == 0)
		populate_ahead(MEASURE_HOME_UNKNOWN);
	for (uint32_t home = 1; home <= MEASURE_HOMES; home++) {
		if (!(wanted >> (home - 1) & 1))
			continue;
		measure_homes_prefer(home);
		populate_ahead(home);
	}
}

/* Not to be given the processor of a thread of the program the moment it is woken, which is when
 * that thread records, but with the next tick, or when it rests. Real-time and idle threads stay
 * what they are. */
static void step_back(void)
{
	const struct sched_param none = {0};

	if (sched_getscheduler(0) == SCHED_OTHER)
		sched_setscheduler(0, SCHED_BATCH, &none);
}

/* Nothing of the program's descriptors is ours any more: what is opened takes no number from it,
 * and where this thread ends, no file is closed once more. Linux 5.9. */
static bool leave_descriptors(void)
{
	return syscall(CLOSE_RANGE, 0U, ~0U, CLOSE_RANGE_OF_OUR_OWN) == 0;
}

/* Where the program's only thread left by the system call itself, the kernel takes the status of
 * the thread that leaves last, which is the helper. pthread_exit() leaves with 0, and the C library
 * does the rest. */
static void leave_as_the_program(void)
{
	int status;

	if (leave_descriptors() && measure_process_first_left(&status) && WIFEXITED(status) &&
		WEXITSTATUS(status) != 0)
		syscall(SYS_exit, WEXITSTATUS(status));
}

/* Looks for work by itself: to be woken would cost a thread of the program more than this costs.
 * Ends when nobody wanted anything for a while: a thread that stayed would keep a process
 * alive whose main thread has left by pthread_exit. */
static void *help(void *unused)
{
	const struct timespec rest = {0, REST_NS};
	uint32_t seen = 0;

	(void)unused;
	step_back();
	measure_homes_start(pool.layout.nr_chunks);
	for (int idle = 0; idle < IDLE_RESTS; idle++) {
		uint32_t wanted = atomic_load(&helper_wanted);
		if (wanted != seen) {
			seen = wanted;
			idle = 0;
			populate_homes();
		}
		nanosleep(&rest, NULL);
	}
	atomic_store(&helper_runs, 0);
	leave_as_the_program();
	return NULL;
}

static void start_helper(void)
{
	sigset_t all, old;
	pthread_attr_t attributes;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	if (has_cores)
		pthread_attr_setaffinity_np(&attributes, sizeof(cores), &cores);
	if (pthread_create(&thread, &attributes, help, NULL) != 0)
		atomic_store(&helper_runs, 0);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void want_helper(uint32_t home)
{
	uint32_t stopped = 0;

	if (home != MEASURE_HOME_UNKNOWN)
		atomic_fetch_or(&wanted_homes, UINT64_C(1) << (home - 1));
	atomic_fetch_add(&helper_wanted, 1);
	if (atomic_compare_exchange_strong(&helper_runs, &stopped, 1))
		start_helper();
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
struct search {
	uint32_t home;
	uint32_t near, far; /* the lowest free one of that home; of others */
	uint32_t nr_near;
};

/* Few: of that home, besides the one that is taken. */
static void search_free(struct search *search, uint32_t nr_chunks)
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
		bool is_near = measure_homes_get(chunk) == search->home;
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
	struct search search = {.home = home};

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

static uint32_t try_take(uint32_t location, bool is_first, size_t *populated)
{
	bool are_few;
	uint32_t home = measure_homes_mine();
	uint32_t nr_chunks = usable_chunks(is_first);
	uint32_t chunk = take_free(home, nr_chunks, &are_few);

	*populated = pool.layout.chunk_size;
	if (chunk == MEASURE_CHUNK_NONE) {
		chunk = take_untouched(nr_chunks, MEASURE_CHUNK_CURRENT);
		if (chunk != MEASURE_CHUNK_NONE) {
			*populated = first_bytes(location, is_first);
			measure_pool_populate(chunk, 0, *populated);
			measure_homes_set(chunk, home);
		}
	}
	if (are_few && !is_first && chunk != MEASURE_CHUNK_NONE &&
		atomic_load_explicit(&untouched_from, memory_order_relaxed) < nr_chunks)
		want_helper(home);
	return chunk;
}

/* The spooler looks by itself soon enough, but where memory fills faster than that: to wake another
 * thread may hold this one up for most of a millisecond where the machine is virtual. */
static void declare_full(uint32_t chunk)
{
	struct measure_segment_header *header = pool.header;

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

/* A chunk can come back only from the spooler, or from the helper that is just making it. */
static bool can_wait(uint32_t news)
{
	uint32_t nr_chunks = measure_segment_usable_chunks(&pool);
	bool is_spooler_worth_it =
		pool.layout.full_policy == MEASURE_FULL_WAIT && is_spooler_alive(news);

	for (uint32_t chunk = 0; chunk < nr_chunks; chunk++) {
		uint32_t state = atomic_load(&pool.chunks[chunk].state);
		if (state == MEASURE_CHUNK_POPULATING ||
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
