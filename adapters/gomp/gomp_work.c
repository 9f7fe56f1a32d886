/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Worksharing: loops, sections, single and scope constructs. A loop with a static schedule and
 * without further clauses makes no call. */
#include "config.h"

#include <stdarg.h>

#include "gomp_construct.h"

static void work_begin(const void *address, const char *name, uint8_t role)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_location *location;
	measure_region_t region;

	if (!thread)
		return;
	region = measure_gomp_region(thread, address, name, role);
	location = measure_record_begin();
	if (!location)
		return;
	measure_gomp_leave_works(thread, location);
	measure_gomp_enter(thread, location, MEASURE_GOMP_WORK, region);
	measure_record_end(location);
}

/* Without a barrier. */
static void work_end(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	uint32_t index = thread ? measure_gomp_find(thread, MEASURE_GOMP_WORK) : UINT32_MAX;
	struct measure_location *location;

	location = index != UINT32_MAX ? measure_record_begin() : NULL;
	if (!location)
		return;
	measure_gomp_leave(thread, location, index);
	measure_record_end(location);
}

/* Numbers of libgomp's interface; the highest bit says `monotonic`. */
static const char *loop_name(long schedule)
{
	static const char *const names[] = {"!$omp for schedule(runtime)",
		"!$omp for schedule(static)", "!$omp for schedule(dynamic)",
		"!$omp for schedule(guided)", "!$omp for schedule(auto)"};
	unsigned kind = (unsigned)schedule & 0xff;

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "!$omp for";
}

/* ------------------------------------------------------------- begin of constructs --- */

static void doacross_begin(const void *address, const char *name, uint8_t role, unsigned nr_counts)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();

	if (thread)
		thread->nr_counts = nr_counts;
	work_begin(address, name, role);
}

#define WORK(type, name, version, work, role, parameters, arguments)                               \
	type name parameters                                                                       \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		work_begin(__builtin_return_address(0), work, OTF2_REGION_ROLE_##role);            \
		return measure_gomp_real.name arguments;                                           \
	}
#define WORK_SCHEDULED(type, name, version, role, parameters, arguments)                           \
	WORK(type, name, version, loop_name(schedule), role, parameters, arguments)
#define DOACROSS(type, name, version, work, role, parameters, arguments)                           \
	type name parameters                                                                       \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		doacross_begin(                                                                    \
			__builtin_return_address(0), work, OTF2_REGION_ROLE_##role, nr_counts);    \
		return measure_gomp_real.name arguments;                                           \
	}
#define DOACROSS_SCHEDULED(type, name, version, role, parameters, arguments)                       \
	DOACROSS(type, name, version, loop_name(schedule), role, parameters, arguments)
#include "gomp_calls.def"

void GOMP_scope_start(uintptr_t *reductions)
{
	measure_gomp_resolve();
	work_begin(__builtin_return_address(0), "!$omp scope", OTF2_REGION_ROLE_CODE);
	measure_gomp_real.GOMP_scope_start(reductions);
}

/* --------------------------------------------------------------- end of constructs --- */

static measure_region_t implicit_barrier_begin(const void *address, bool is_cancellable)
{
	uint8_t role = OTF2_REGION_ROLE_IMPLICIT_BARRIER;

	return measure_gomp_barrier_begin(address, "!$omp implicit barrier",
		is_cancellable ? measure_gomp_role_of_cancellable(role) : role);
}

MEASURE_GOMP_WAITS(GOMP_loop_end, (void), (), implicit_barrier_begin(address, false))
MEASURE_GOMP_WAITS_CANCEL(GOMP_loop_end_cancel, implicit_barrier_begin(address, true))

void GOMP_loop_end_nowait(void)
{
	measure_gomp_resolve();
	measure_gomp_real.GOMP_loop_end_nowait();
	work_end();
}

MEASURE_GOMP_WAITS(GOMP_sections_end, (void), (), implicit_barrier_begin(address, false))
MEASURE_GOMP_WAITS_CANCEL(GOMP_sections_end_cancel, implicit_barrier_begin(address, true))

void GOMP_sections_end_nowait(void)
{
	measure_gomp_resolve();
	measure_gomp_real.GOMP_sections_end_nowait();
	work_end();
}

/* At the end of a worksharing construct whose tasks take part in a reduction. */
MEASURE_GOMP_WAITS(GOMP_workshare_task_reduction_unregister, (bool is_cancelled), (is_cancelled),
	is_cancelled ? MEASURE_UNDEFINED : implicit_barrier_begin(address, false))

/* ------------------------------------------------------------------------- single --- */

/* The executing thread stays in the block until something follows that cannot lie in it: the
 * library does not say where it ends. */
bool GOMP_single_start(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	const void *address = __builtin_return_address(0);
	measure_region_t single = MEASURE_UNDEFINED, block = MEASURE_UNDEFINED;
	struct measure_location *location;
	bool is_executor;

	measure_gomp_resolve();
	is_executor = measure_gomp_real.GOMP_single_start();
	if (!thread)
		return is_executor;
	single = measure_gomp_region(thread, address, "!$omp single", OTF2_REGION_ROLE_SINGLE);
	if (is_executor)
		block = measure_gomp_region(
			thread, address, "!$omp single sblock", OTF2_REGION_ROLE_SINGLE_SBLOCK);
	location = measure_record_begin();
	if (!location)
		return is_executor;
	measure_gomp_leave_works(thread, location);
	if (is_executor) {
		measure_gomp_enter(thread, location, MEASURE_GOMP_SINGLE, single);
		measure_gomp_enter(thread, location, MEASURE_GOMP_SINGLE, block);
	} else {
		measure_write_enter(location, single);
		measure_write_leave(location, single);
	}
	measure_record_end(location);
	return is_executor;
}

/* With copyprivate: all but the executing thread wait in the call for what that will give them.
 * That they are not the one is known only afterwards. */
static void single_copied(struct measure_gomp_thread *thread, const void *address, uint64_t since)
{
	measure_region_t barrier = measure_gomp_region(
		thread, address, "!$omp implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER);
	struct measure_location *location = measure_record_begin_at(since);

	if (!location)
		return;
	measure_gomp_leave_works(thread, location);
	measure_write_enter(location, barrier);
	measure_record_end(location);
	measure_gomp_wait_end(barrier);
}

static void single_executes(struct measure_gomp_thread *thread, const void *address)
{
	measure_region_t block = measure_gomp_region(
		thread, address, "!$omp single sblock", OTF2_REGION_ROLE_SINGLE_SBLOCK);
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_gomp_enter(thread, location, MEASURE_GOMP_SINGLE, block);
	measure_record_end(location);
}

void *GOMP_single_copy_start(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	const void *address = __builtin_return_address(0);
	struct measure_location *location = NULL;
	measure_region_t single;
	uint64_t since = 0;
	void *data;

	measure_gomp_resolve();
	if (thread) {
		single = measure_gomp_region(
			thread, address, "!$omp single", OTF2_REGION_ROLE_SINGLE);
		location = measure_record_begin();
	}
	if (location) {
		measure_gomp_leave_works(thread, location);
		measure_gomp_enter(thread, location, MEASURE_GOMP_SINGLE, single);
		since = measure_record_time(location);
		measure_record_end(location);
	}
	data = measure_gomp_real.GOMP_single_copy_start();
	if (location && data)
		single_copied(thread, address, since);
	else if (location)
		single_executes(thread, address);
	return data;
}

MEASURE_GOMP_WAITS(
	GOMP_single_copy_end, (void *data), (data), implicit_barrier_begin(address, false))

/* ----------------------------------------------------------------------- doacross --- */

#define NR_COUNTS_USUAL 16
#define NR_COUNTS_MOST  64

#define COUNTS_8(c, i)  c[i], c[i + 1], c[i + 2], c[i + 3], c[i + 4], c[i + 5], c[i + 6], c[i + 7]
#define COUNTS_16(c, i) COUNTS_8(c, i), COUNTS_8(c, i + 8)
#define COUNTS_64(c)    COUNTS_16(c, 0), COUNTS_16(c, 16), COUNTS_16(c, 32), COUNTS_16(c, 48)

static bool has_usual_counts(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();

	return thread && thread->nr_counts > 0 && thread->nr_counts <= NR_COUNTS_USUAL;
}

/* libgomp knows how many arguments the loop nest has, and looks at no more than these: more are
 * passed on than there are, whatever they hold. */
#define DOACROSS_WAIT(name, type)                                                                  \
	void name(type first, ...)                                                                 \
	{                                                                                          \
		const int nr = has_usual_counts() ? NR_COUNTS_USUAL : NR_COUNTS_MOST;              \
		type counts[NR_COUNTS_MOST];                                                       \
		measure_region_t region;                                                           \
		va_list list;                                                                      \
                                                                                                   \
		counts[0] = first;                                                                 \
		va_start(list, first);                                                             \
		for (int i = 1; i < nr; i++)                                                       \
			counts[i] = va_arg(list, type);                                            \
		va_end(list);                                                                      \
		measure_gomp_resolve();                                                            \
		region = measure_gomp_wait_begin(__builtin_return_address(0),                      \
			"!$omp ordered depend(sink)", OTF2_REGION_ROLE_ORDERED);                   \
		if (nr == NR_COUNTS_USUAL)                                                         \
			measure_gomp_real.name(COUNTS_16(counts, 0));                              \
		else                                                                               \
			measure_gomp_real.name(COUNTS_64(counts));                                 \
		measure_gomp_wait_end(region);                                                     \
	}
DOACROSS_WAIT(GOMP_doacross_wait, long)
DOACROSS_WAIT(GOMP_doacross_ull_wait, unsigned long long)

void GOMP_doacross_post(long *counts)
{
	measure_gomp_resolve();
	measure_gomp_moment(__builtin_return_address(0), "!$omp ordered depend(source)",
		OTF2_REGION_ROLE_ORDERED);
	measure_gomp_real.GOMP_doacross_post(counts);
}

void GOMP_doacross_ull_post(unsigned long long *counts)
{
	measure_gomp_resolve();
	measure_gomp_moment(__builtin_return_address(0), "!$omp ordered depend(source)",
		OTF2_REGION_ROLE_ORDERED);
	measure_gomp_real.GOMP_doacross_ull_post(counts);
}
