/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the scheduler has put the calling thread: its processor, as the kernel numbers them. No
 * system call. It holds until the next value, so it is recorded where it has changed. */
#define _GNU_SOURCE
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <sched.h>
#include <string.h>

#include "base/likely.h"
#include "list.h"
#include "pages.h"

static const struct measure_metric_info processor = {"processor",
	"processor that the thread runs on until the next value", "#", OTF2_METRIC_TYPE_OTHER,
	OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0};

static measure_status_t sched_find(
	const char *metric, struct measure_metric_info *info, const char **why)
{
	(void)why;
	if (strcmp(metric, processor.name) != 0)
		return MEASURE_ERROR_NOT_FOUND;
	*info = processor;
	return MEASURE_OK;
}

static const char *sched_name_of(uint32_t number)
{
	return number == 0 ? processor.name : NULL;
}

/* A thread's. */
struct seen {
	uint32_t nr; /* how often it was asked for */
	int last;    /* that was told; -1: none */
};

static void *sched_begin(const char *const *metrics, uint32_t nr, pid_t pid)
{
	struct seen *seen = measure_pages_get(sizeof(*seen));

	(void)metrics;
	(void)pid;
	if (seen)
		*seen = (struct seen){nr, -1};
	return seen;
}

static bool sched_read_values(void *thread, union measure_metric_value *values)
{
	struct seen *seen = thread;
	const int now = sched_getcpu();

	if (likely(now == seen->last || now < 0))
		return false;
	seen->last = now;
	for (uint32_t i = 0; i < seen->nr; i++)
		values[i].unsigned_int = (uint64_t)now;
	return true;
}

static void sched_end(void *thread)
{
	measure_pages_return(thread, sizeof(struct seen));
}

const struct measure_metric_source measure_metric_sched = {MEASURE_METRIC_ABI,
	MEASURE_METRIC_THREAD, "sched", sched_find, sched_name_of, sched_begin, sched_read_values,
	sched_end, NULL};

const struct measure_metric_source *const measure_metric_sources[] = {
	&measure_metric_rusage,
	&measure_metric_perf,
	&measure_metric_sched,
	NULL,
};
