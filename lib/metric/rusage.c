/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of getrusage(2), of the calling thread: rusage.def. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/likely.h"
#include "list.h"
#include "pages.h"

/* A field of struct rusage: a number, or a time, of which the microseconds are the value. */
struct rusage_place {
	uint32_t offset;
	bool is_time;
};
_Static_assert(sizeof(((struct rusage *)NULL)->ru_maxrss) == sizeof(long), "numbers are long");

#define NUMBER(field)                                                                              \
	{                                                                                          \
		offsetof(struct rusage, field), false                                              \
	}
#define TIME(field)                                                                                \
	{                                                                                          \
		offsetof(struct rusage, field), true                                               \
	}

static const struct field {
	struct measure_metric_info info;
	struct rusage_place place;
} fields[] = {
#define RUSAGE(field, KIND, mode, unit, base, exponent, description)                               \
	{{#field, description, unit, OTF2_METRIC_TYPE_RUSAGE, OTF2_METRIC_##mode,                  \
		 OTF2_TYPE_UINT64, OTF2_BASE_##base, exponent},                                    \
		KIND(field)},
#include "metric/rusage.def"
#undef RUSAGE
};
#define NR_FIELDS (sizeof(fields) / sizeof(*fields))

/* What a thread reads, in order. The kernel copies to a line's begin 15 ns faster than to just
 * anywhere. */
struct rusage_reading {
	_Alignas(64) struct rusage usage;
	uint32_t nr;
	struct rusage_place places[MEASURE_MOST_METRICS];
};

static const struct field *field_of(const char *name)
{
	for (size_t i = 0; i < NR_FIELDS; i++)
		if (strcmp(fields[i].info.name, name) == 0)
			return &fields[i];
	return NULL;
}

static measure_status_t rusage_find(
	const char *metric, struct measure_metric_info *info, const char **why)
{
	const struct field *field = field_of(metric);

	(void)why;
	if (!field)
		return MEASURE_ERROR_NOT_FOUND;
	*info = field->info;
	return MEASURE_OK;
}

static const char *rusage_name_of(uint32_t number)
{
	return number < NR_FIELDS ? fields[number].info.name : NULL;
}

static void *rusage_begin(const char *const *metrics, uint32_t nr, pid_t pid)
{
	struct rusage_reading *reading = measure_pages_get(sizeof(*reading));

	(void)pid;
	for (uint32_t i = 0; reading && i < nr; i++)
		reading->places[reading->nr++] = field_of(metrics[i])->place;
	return reading;
}

static inline uint64_t value_of(const struct rusage *usage, struct rusage_place place)
{
	const char *field = (const char *)usage + place.offset;
	const struct timeval *time = (const struct timeval *)field;

	return likely(!place.is_time) ? (uint64_t) * (const long *)field
				      : (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

/* Without the C library where that can be done: to come back from one function less behind a system
 * call saves 6 ns, as processors foresee such returns badly. */
#if defined(__x86_64__) && !defined(__ILP32__)
static inline bool read_usage(struct rusage *usage)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"((long)SYS_getrusage), "D"((long)RUSAGE_THREAD), "S"(usage)
			 : "rcx", "r11", "memory");
	return result == 0;
}
#else
static inline bool read_usage(struct rusage *usage)
{
	return getrusage(RUSAGE_THREAD, usage) == 0;
}
#endif

static bool rusage_read_values(void *thread, union measure_metric_value *values)
{
	struct rusage_reading *reading = thread;

	if (unlikely(!read_usage(&reading->usage)))
		return false;
	for (uint32_t i = 0; i < reading->nr; i++)
		values[i].unsigned_int = value_of(&reading->usage, reading->places[i]);
	return true;
}

static void rusage_end(void *thread)
{
	measure_pages_return(thread, sizeof(struct rusage_reading));
}

const struct measure_metric_source measure_metric_rusage = {MEASURE_METRIC_ABI,
	MEASURE_METRIC_THREAD, "rusage", rusage_find, rusage_name_of, rusage_begin,
	rusage_read_values, rusage_end, NULL};
