/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes and speed of work; see work.h. */
#include "config.h"

#include "work.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ticks.h"

#define USUAL_L1 ((size_t)32 << 10)
#define USUAL_L2 ((size_t)1 << 20)
#define LEAST_L3 ((size_t)8 << 20)

#define TRIES 20
#define STEPS 100000

static size_t cache(int name, size_t usual)
{
	const long size = sysconf(name);

	return size > 0 ? (size_t)size : usual;
}

/* Half of a cache, so that the rest of the program has room beside it. What does not fit into the
 * second one is four times as large. */
static size_t size_of(enum measure_working_set set)
{
	const size_t l2 = cache(_SC_LEVEL2_CACHE_SIZE, USUAL_L2);
	size_t most = 0, size = 1;

	if (set == MEASURE_WORKING_SET_L1)
		most = cache(_SC_LEVEL1_DCACHE_SIZE, USUAL_L1) / 2;
	else if (set == MEASURE_WORKING_SET_L2)
		most = l2 / 2;
	else if (set == MEASURE_WORKING_SET_LLC)
		most = 4 * l2 > LEAST_L3 ? 4 * l2 : LEAST_L3;
	while (2 * size <= most)
		size *= 2;
	return most ? size : 0;
}

static double time_steps(struct event_work *work)
{
	const uint64_t begin = measure_ticks();

	measure_work_do(work, STEPS);
	return measure_ticks_ns(measure_ticks() - begin) / STEPS;
}

bool measure_work_start(struct event_work *work, enum measure_working_set set)
{
	char *memory = NULL;

	*work = (struct event_work){
		.size = size_of(set), .value = 1, .varies = set > MEASURE_WORKING_SET_L1};
	if (work->size) {
		memory = aligned_alloc(4096, work->size);
		if (!memory)
			return false;
		memset(memory, 1, work->size);
		work->memory = memory;
	}
	time_steps(work);
	work->unit = time_steps(work);
	for (unsigned i = 0; i < TRIES; i++) {
		const double unit = time_steps(work);
		work->unit = unit < work->unit ? unit : work->unit;
	}
	return work->unit > 0;
}

void measure_work_end(struct event_work *work)
{
	free((void *)work->memory);
}
