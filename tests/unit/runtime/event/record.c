/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what the event path commits, keeps on the region stack and counts, up to the
 * point where no memory is left. The tests share one process and run in order. */
#include "config.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapter.h"
#include "runtime/event/transaction.h"
#include "runtime/memory/chunk_pool.h"
#include "format/event_chunk.h"
#include "t_recording.h"
#include "../../t_suite.h"

#define CHUNK (256 * 1024)

static measure_region_t outer, inner;

static measure_region_t t_define(const char *name)
{
	struct measure_region_info info = {.name = name};

	return measure_region_define(&info);
}

static void t_enter(measure_region_t region)
{
	struct measure_location *location = measure_record_begin();

	measure_write_enter(location, region);
	measure_record_end(location);
}

static void t_leave(measure_region_t region)
{
	struct measure_location *location = measure_record_begin();

	measure_write_leave(location, region);
	measure_record_end(location);
}

static int t_start(void)
{
	struct measure_segment_size size = {8 * CHUNK, CHUNK, 16, 1 << 20};

	return !t_make_segment(&size) || !t_record();
}

/* As from inside a bracket: deeper on the stack than what opened it. */
static __attribute__((noinline)) struct measure_location *t_begin_deeper(void)
{
	volatile char below[4096] = "";
	struct measure_location *location = measure_record_begin();

	return below[sizeof(below) - 1] ? NULL : location;
}

/* A file has one record, however often it is opened and by whatever path. */
static void test_files(void)
{
	char path[64];
	measure_io_file_t file = measure_io_file_define("/tmp");
	uint64_t used = atomic_load(&segment.header->journal_committed);

	CU_ASSERT_EQUAL(measure_io_file_define("/tmp/../tmp/."), file);
	CU_ASSERT_EQUAL(atomic_load(&segment.header->journal_committed), used);
	for (int i = 0; i < 2000; i++) {
		snprintf(path, sizeof(path), "/tmp/measure is not there %d", i);
		CU_ASSERT_EQUAL(measure_io_file_define(path), file + 1 + (uint32_t)i);
	}
	used = atomic_load(&segment.header->journal_committed);
	for (int i = 0; i < 2000; i++) {
		snprintf(path, sizeof(path), "/tmp/measure is not there %d", i);
		CU_ASSERT_EQUAL(measure_io_file_define(path), file + 1 + (uint32_t)i);
	}
	CU_ASSERT_EQUAL(atomic_load(&segment.header->journal_committed), used);
}

static void test_bracket(void)
{
	outer = t_define("outer");
	inner = t_define("inner");
	CU_ASSERT_NOT_EQUAL(outer, inner);

	struct measure_location *location = measure_record_begin();
	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	CU_ASSERT_PTR_NULL(t_begin_deeper());
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_NESTED), 1);
	measure_write_enter(location, outer);
	CU_ASSERT_EQUAL(t_events(0), 1);
	measure_write_mpi_send(location, 1, 0, 42, 16);
	measure_record_end(location);
	CU_ASSERT_EQUAL(t_events(0), 2);
	CU_ASSERT_EQUAL(t_depth(0), 1);
	t_leave(outer);
	CU_ASSERT_EQUAL(t_events(0), 3);
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

/* A bracket may carry a time of the past, but none before the last record. */
static void test_time(void)
{
	uint64_t past = measure_clock_now(), clamped = t_count(MEASURE_COUNT_TIME_CLAMPED);
	struct measure_location *location = measure_record_begin_at(past);

	CU_ASSERT_EQUAL(measure_record_time(location), past);
	measure_write_enter(location, outer);
	measure_record_end(location);
	location = measure_record_begin_at(past - 1000);
	CU_ASSERT_EQUAL(measure_record_time(location), past);
	measure_write_leave(location, outer);
	measure_record_end(location);
	location = measure_record_begin();
	CU_ASSERT(measure_record_time(location) > past);
	measure_record_end(location);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_TIME_CLAMPED), clamped);
}

/* The thread waited for memory, and recorded nothing since. */
static void t_stall(uint64_t begin, uint64_t end)
{
	measure_location_self->stall = (struct measure_stall){begin, end};
	measure_location_self->flags |= MEASURE_LOCATION_STALLED;
}

/* What has a time of the past comes behind a stall before it, and no later than that ended. */
static void test_time_behind_stall(void)
{
	const uint64_t past = measure_clock_now(), nr_events = t_events(0);
	struct measure_location *location;

	t_stall(past + 1, past + 3);
	location = measure_record_begin_at(past);
	CU_ASSERT_EQUAL(measure_record_time(location), past + 3);
	measure_record_end(location);
	CU_ASSERT_EQUAL(t_events(0), nr_events + 1);
	t_stall(past + 4, past + 5);
	location = measure_record_begin_at(past + 7);
	CU_ASSERT_EQUAL(measure_record_time(location), past + 7);
	measure_record_end(location);
	CU_ASSERT_EQUAL(t_events(0), nr_events + 2);
}

static void t_leave_outer(void *data)
{
	(void)data;
	t_leave(outer);
}

/* What is put off comes behind the exits of functions in it, and before all else. */
static void test_later(void)
{
	const void *function = (const void *)(uintptr_t)t_leave_outer;
	uint64_t made_up = t_count(MEASURE_COUNT_LEAVE_SYNTHESISED);
	uint64_t dropped = t_count(MEASURE_COUNT_LEAVE_DROPPED);

	t_enter(inner);
	t_enter(outer);
	measure_function_enter(function, NULL, __builtin_frame_address(0), NULL);
	measure_record_later(t_leave_outer, NULL);
	CU_ASSERT_EQUAL(t_depth(0), 3);
	measure_function_leave(function, NULL, __builtin_frame_address(0), NULL);
	CU_ASSERT_EQUAL(t_depth(0), 2);
	t_enter(inner);
	CU_ASSERT_EQUAL(t_depth(0), 2);
	t_leave(inner);
	t_leave(inner);
	CU_ASSERT_EQUAL(t_depth(0), 0);

	measure_function_enter(function, NULL, __builtin_frame_address(0), NULL);
	t_enter(outer);
	measure_record_later(t_leave_outer, NULL);
	measure_function_leave(function, NULL, __builtin_frame_address(0), NULL);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_SYNTHESISED), made_up);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_DROPPED), dropped);
}

static void test_unseen_leaves(void)
{
	uint64_t before = t_events(0);

	t_leave(inner);
	CU_ASSERT_EQUAL(t_events(0), before);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_DROPPED), 1);
	t_enter(outer);
	t_enter(inner);
	t_enter(inner);
	t_leave(outer);
	CU_ASSERT_EQUAL(t_events(0), before + 6);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_SYNTHESISED), 2);
}

/* Deeper than one stack block, than all of them, and back. */
static void test_recursion(void)
{
	uint32_t nr_blocks = segment.layout.nr_stack_blocks - segment.layout.max_locations + 1;
	uint32_t capacity = nr_blocks * MEASURE_STACK_ENTRIES;
	uint64_t before = t_events(0);

	for (uint32_t i = 0; i < 1000; i++)
		t_enter(i % 2 ? inner : outer);
	CU_ASSERT_EQUAL(t_depth(0), 1000);
	for (uint32_t i = 1000; i-- > 0;)
		t_leave(i % 2 ? inner : outer);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_events(0), before + 2000);

	uint64_t dropped = t_count(MEASURE_COUNT_LEAVE_DROPPED);
	for (uint32_t i = 0; i < capacity; i++)
		t_enter(outer);
	for (uint32_t i = 0; i < 50; i++) /* each is looked for in the whole stack */
		t_leave(inner);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_DROPPED), dropped + 50);
	for (uint32_t i = 0; i < 500; i++)
		t_enter(outer);
	CU_ASSERT_EQUAL(t_depth(0), capacity);
	for (uint32_t i = 0; i < capacity + 500; i++)
		t_leave(outer);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_events(0), before + 2000 + 2 * capacity);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_DROPPED), dropped + 50);
}

/* Frames that lie below the new one were left by longjmp; one that lies elsewhere was not. */
static void test_unwinding(void)
{
	char frames[3] = "";
	char *elsewhere = malloc(1);
	uint64_t made_up = t_count(MEASURE_COUNT_LEAVE_SYNTHESISED);

	measure_function_enter((void *)test_bracket, NULL, &frames[2], NULL);
	measure_function_enter((void *)test_unwinding, NULL, &frames[0], NULL);
	measure_function_enter((void *)test_recursion, NULL, &frames[1], NULL);
	CU_ASSERT_EQUAL(t_depth(0), 2);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_SYNTHESISED), made_up + 1);
	measure_function_enter((void *)test_unwinding, NULL, elsewhere, NULL);
	measure_function_enter((void *)test_unwinding, NULL, &frames[0], NULL);
	CU_ASSERT_EQUAL(t_depth(0), 4);
	measure_function_leave((void *)test_bracket, NULL, &frames[2], NULL);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	free(elsewhere);
}

/* At one address: inlined into the one on top, or called after longjmp has left that. */
static void test_same_frame(void)
{
	char frame = 0;
	uint64_t made_up = t_count(MEASURE_COUNT_LEAVE_SYNTHESISED);

	measure_function_enter((void *)test_bracket, (void *)0x1000, &frame, NULL);
	measure_function_enter((void *)test_unwinding, (void *)0x1000, &frame, NULL);
	CU_ASSERT_EQUAL(t_depth(0), 2);
	measure_function_enter((void *)test_recursion, (void *)0x1010, &frame, NULL);
	CU_ASSERT_EQUAL(t_depth(0), 1);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LEAVE_SYNTHESISED), made_up + 2);
	measure_function_leave((void *)test_recursion, NULL, &frame, NULL);
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

static void *t_thread(void *region)
{
	t_enter(*(measure_region_t *)region);
	return (void *)(uintptr_t)measure_location_index();
}

/* A thread that ends closes what it left open, and the next one takes its location over. */
/* A process may die between taking a chunk and beginning it: what another location left there
 * must not look like this one's. */
static void test_recycled_chunk(void)
{
	struct measure_stall stall;
	size_t populated;
	uint32_t next = measure_pool_next(15, MEASURE_CHUNK_NONE, &populated, &stall);
	struct measure_chunk_header header;

	CU_ASSERT_NOT_EQUAL_FATAL(next, MEASURE_CHUNK_NONE);
	measure_chunk_begin(measure_segment_chunk_memory(&segment, next), 1);
	atomic_store(&segment.chunks[next].state, MEASURE_CHUNK_FREE);
	CU_ASSERT_EQUAL(measure_pool_next(14, MEASURE_CHUNK_NONE, &populated, &stall), next);
	CU_ASSERT_NOT_EQUAL(measure_chunk_header_read(measure_segment_chunk_memory(&segment, next),
				    CHUNK, &header),
		MEASURE_OK);
}

static void test_threads(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		void *index;

		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, t_thread, &outer), 0);
		pthread_join(thread, &index);
		CU_ASSERT_EQUAL((uintptr_t)index, 1);
		CU_ASSERT_EQUAL(t_depth(1), 0);
		CU_ASSERT_EQUAL(t_events(1), 2 * (uint64_t)(i + 1));
	}
	CU_ASSERT_EQUAL(atomic_load(&segment.header->nr_locations), 2);
}

static void test_fork(void)
{
	uint64_t before = t_events(0);
	int status;

	pid_t child = fork();
	if (child == 0) {
		measure_function_enter((void *)test_fork, NULL, NULL, NULL);
		_exit(measure_is_recording() || measure_record_begin() != NULL);
	}
	waitpid(child, &status, 0);
	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_EQUAL(t_events(0), before);
	CU_ASSERT_TRUE(measure_is_recording());
}

/* A handler of a signal forks where a region is left by half: off the stack, and not committed. */
static void test_fork_inside(void)
{
	t_enter(outer);
	struct measure_location *location = measure_record_begin();
	location->top--;
	CU_ASSERT_FALSE(measure_locations_prepare_fork());
	location->top++;
	measure_record_end(location);
	CU_ASSERT_TRUE(measure_locations_prepare_fork());
	CU_ASSERT_EQUAL(measure_locations_inherited(), t_depth(location->index));
	t_leave(outer);
}

static void t_function(void)
{
	char frame = 0;

	measure_function_enter((void *)t_function, NULL, &frame, NULL);
	measure_function_leave((void *)t_function, NULL, &frame, NULL);
}

/* A thread that left its bracket goes on in another location; what is called from inside one
 * does not. */
static void *t_abandon(void *argument)
{
	(void)argument;
	t_enter(outer);
	uint32_t index = measure_location_index();
	uint64_t before = t_events(index);
	CU_ASSERT_PTR_NOT_NULL_FATAL(measure_record_begin());
	CU_ASSERT_PTR_NULL(t_begin_deeper());
	CU_ASSERT_EQUAL(index, measure_location_index());
	CU_ASSERT_EQUAL(atomic_load(&segment.locations[index].ended), 0);

	struct measure_location *location = measure_record_begin();
	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	CU_ASSERT_NOT_EQUAL(index, measure_location_index());
	CU_ASSERT_EQUAL(atomic_load(&segment.locations[index].ended), 1);
	CU_ASSERT_EQUAL(t_events(index), before);
	measure_record_end(location);
	t_enter(outer);
	t_leave(outer);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_ABANDONED), 1);
	return NULL;
}

static void test_abandon(void)
{
	pthread_t thread;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, t_abandon, NULL), 0);
	pthread_join(thread, NULL);
}

/* Writes a record with an attribute where `room` bytes are left in the chunk. Where is it? */
static uint32_t t_write_attributed(ptrdiff_t room)
{
	struct measure_location *location = measure_record_begin();

	location->writer.limit = location->writer.position + room;
	location->timing.limit = location->writer.limit;
	measure_write_attribute_uint64(location, 1, UINT64_MAX / 3);
	measure_write_io_destroy_handle(location, 2);
	measure_record_end(location);
	return location->chunk;
}

/* An attribute lies in the chunk of the record that it belongs to: a chunk begins with both. */
static void test_attribute_at_edge(void)
{
	const uint32_t before = t_write_attributed(MEASURE_ATTRIBUTE_SIZE(1));
	const uint32_t chunk = t_write_attributed(MEASURE_ATTRIBUTE_SIZE(1) - 1);
	const uint8_t *memory = measure_segment_chunk_memory(&segment, chunk);
	struct measure_chunk_walk walk;

	CU_ASSERT_NOT_EQUAL(chunk, before);
	CU_ASSERT_EQUAL(
		measure_chunk_walk(memory, CHUNK, t_events(0), NULL, NULL, &walk), MEASURE_OK);
	CU_ASSERT_EQUAL(
		memory[MEASURE_CHUNK_HEADER + 1 + sizeof(uint64_t)], MEASURE_OTF2_ATTRIBUTES);
	memory = measure_segment_chunk_memory(&segment, before);
	CU_ASSERT_EQUAL(
		measure_chunk_walk(memory, CHUNK, UINT64_MAX, NULL, NULL, &walk), MEASURE_OK);
	CU_ASSERT_EQUAL(walk.last_event, t_events(0) - 1);
}

static struct measure_attribute_list list;
static const uint64_t value[] = {UINT64_MAX / 3};

static uint32_t t_enter_at(ptrdiff_t room)
{
	struct measure_location *location = measure_location_self;

	location->writer.limit = location->writer.position + room;
	location->timing.limit = location->writer.limit;
	CU_ASSERT_TRUE(measure_record_enter(1, &list, value, NULL));
	return location->chunk;
}

/* One more than there may be in a chunk begins the next one. */
static void test_whole_at_edge(void)
{
	const measure_attribute_t attribute = 7;
	const uint64_t events = t_events(0);

	CU_ASSERT_TRUE_FATAL(measure_attribute_list_make(&list, &attribute, 1));
	const uint32_t before = t_enter_at(0), chunk = t_enter_at(-1);
	const uint8_t *memory = measure_segment_chunk_memory(&segment, chunk);
	struct measure_chunk_walk walk;

	measure_record_leave(1, &list, value, NULL);
	measure_record_leave(1, NULL, NULL, NULL);
	CU_ASSERT_NOT_EQUAL(chunk, before);
	CU_ASSERT_EQUAL(t_events(0), events + 4);
	CU_ASSERT_EQUAL(
		measure_chunk_walk(memory, CHUNK, t_events(0), NULL, NULL, &walk), MEASURE_OK);
	CU_ASSERT_EQUAL(
		memory[MEASURE_CHUNK_HEADER + 1 + sizeof(uint64_t)], MEASURE_OTF2_ATTRIBUTES);
	memory = measure_segment_chunk_memory(&segment, before);
	CU_ASSERT_EQUAL(
		measure_chunk_walk(memory, CHUNK, UINT64_MAX, NULL, NULL, &walk), MEASURE_OK);
	CU_ASSERT_EQUAL(walk.last_event, events + 1);
}

/* Through several blocks of the region stack and back; and what is left that is not on top. */
static void test_whole_and_stack(void)
{
	const uint32_t depth = t_depth(0);
	const uint64_t repairs = t_repairs(), events = t_events(0);

	for (int i = 0; i < 3 * MEASURE_STACK_ENTRIES; i++)
		CU_ASSERT_TRUE(measure_record_enter(1, &list, value, NULL));
	CU_ASSERT_EQUAL(t_depth(0), depth + 3 * MEASURE_STACK_ENTRIES);
	for (int i = 0; i < 3 * MEASURE_STACK_ENTRIES; i++)
		measure_record_leave(1, &list, value, NULL);
	CU_ASSERT_EQUAL(t_depth(0), depth);
	CU_ASSERT_EQUAL(t_repairs(), repairs);
	CU_ASSERT_EQUAL(t_events(0), events + 6 * MEASURE_STACK_ENTRIES);
	measure_record_enter(1, NULL, NULL, NULL);
	measure_record_enter(2, NULL, NULL, NULL);
	measure_record_leave(1, &list, value, NULL);
	CU_ASSERT_EQUAL(t_depth(0), depth);
	CU_ASSERT_EQUAL(t_repairs(), repairs + 1);
}

/* As from a signal handler: its frame has room that a compiler cannot leave out. */
static __attribute__((noinline)) bool t_whole_deeper(void)
{
	char room[4096];
	bool is_entered;

	__asm__ volatile("" : : "r"(room) : "memory");
	is_entered = measure_record_enter(1, &list, value, NULL);
	measure_record_leave(1, &list, value, NULL);
	__asm__ volatile("" : : "r"(room) : "memory");
	return is_entered;
}

/* Not in a bracket, where another flag is set it is looked at, and time does not go back. */
static void test_whole_and_flags(void)
{
	struct measure_location *location = measure_record_begin();
	const uint64_t nested = t_count(MEASURE_COUNT_LOST_NESTED), events = t_events(0);
	const uint64_t clamped = t_count(MEASURE_COUNT_TIME_CLAMPED), later = location->time << 1;

	CU_ASSERT_FALSE(t_whole_deeper());
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_NESTED), nested + 2);
	CU_ASSERT_EQUAL(location->flags, MEASURE_LOCATION_BUSY);
	measure_record_end(location);
	CU_ASSERT_EQUAL(t_events(0), events);

	location->flags = MEASURE_LOCATION_CHOSEN;
	CU_ASSERT_TRUE(measure_record_enter(1, &list, value, NULL));
	CU_ASSERT_EQUAL(location->flags, 0);
	const uint64_t time = location->time;
	location->time = later;
	measure_record_leave(1, &list, value, NULL);
	CU_ASSERT_EQUAL(location->time, later);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_TIME_CLAMPED), clamped + 1);
	CU_ASSERT_EQUAL(t_events(0), events + 2);
	location->time = time;
}

/* With a keeper that is dead, though nobody has waited for it yet, the chunks end; then events
 * are counted and nothing else happens. */
static void test_out_of_memory(void)
{
	siginfo_t end;
	pid_t keeper = fork();

	if (keeper == 0)
		_exit(0);
	waitid(P_PID, (id_t)keeper, &end, WEXITED | WNOWAIT);
	atomic_store(&segment.header->keeper_pid, keeper);
	for (int i = 0; i < 200000; i++)
		t_function();
	CU_ASSERT(t_count(MEASURE_COUNT_LOST_MEMORY) > 1000);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_DROP_INTERVALS), 1);
	uint64_t before = t_events(0);
	t_function();
	CU_ASSERT_EQUAL(t_events(0), before);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"bracket", test_bracket},
		{"files", test_files},
		{"time", test_time},
		{"time behind a stall", test_time_behind_stall},
		{"later", test_later},
		{"unseen leaves", test_unseen_leaves},
		{"recursion", test_recursion},
		{"unwinding", test_unwinding},
		{"same frame", test_same_frame},
		{"recycled chunk", test_recycled_chunk},
		{"threads", test_threads},
		{"fork", test_fork},
		{"fork inside", test_fork_inside},
		{"abandon", test_abandon},
		{"attribute at an edge", test_attribute_at_edge},
		{"whole at an edge", test_whole_at_edge},
		{"whole and stack", test_whole_and_stack},
		{"whole and flags", test_whole_and_flags},
		{"out of memory", test_out_of_memory},
		CU_TEST_INFO_NULL,
	};

	return t_suite("record", t_start, NULL, tests);
}
