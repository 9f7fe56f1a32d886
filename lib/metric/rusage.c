/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of getrusage(2), of the calling thread: rusage.def. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>
#include <sys/resource.h>

#include "base/pages.h"
#include "metric/sources.h"

static uint64_t measure_microseconds(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

typedef uint64_t field_fn(const struct rusage *usage);

#define RUSAGE(field, value, mode, unit, base, exponent, description)                              \
	static uint64_t field_##field(const struct rusage *usage)                                  \
	{                                                                                          \
		return value;                                                                      \
	}
#include "metric/rusage.def"
#undef RUSAGE

static const struct field {
	struct measure_metric_info info;
	field_fn *value;
} fields[] = {
#define RUSAGE(field, value, mode, unit, base, exponent, description)                              \
	{{#field, description, unit, OTF2_METRIC_TYPE_RUSAGE, OTF2_METRIC_##mode,                  \
		 OTF2_TYPE_UINT64, OTF2_BASE_##base, exponent},                                    \
		field_##field},
#include "metric/rusage.def"
#undef RUSAGE
};
#define NR_FIELDS (sizeof(fields) / sizeof(*fields))

/* What a thread reads, in order. */
struct reading {
	uint32_t nr;
	field_fn *values[MEASURE_MOST_METRICS];
};

static const struct field *field_of(const char *name)
{
	for (size_t i = 0; i < NR_FIELDS; i++)
		if (strcmp(fields[i].info.name, name) == 0)
			return &fields[i];
	return NULL;
}

static measure_status_t find(const char *metric, struct measure_metric_info *info, const char **why)
{
	const struct field *field = field_of(metric);

	(void)why;
	if (!field)
		return MEASURE_ERROR_NOT_FOUND;
	*info = field->info;
	return MEASURE_OK;
}

static const char *name_of(uint32_t number)
{
	return number < NR_FIELDS ? fields[number].info.name : NULL;
}

static void *begin(const char *const *metrics, uint32_t nr)
{
	struct reading *reading = measure_pages_get(sizeof(*reading));

	for (uint32_t i = 0; reading && i < nr; i++)
		reading->values[reading->nr++] = field_of(metrics[i])->value;
	return reading;
}

static bool read_values(void *thread, union measure_metric_value *values)
{
	const struct reading *reading = thread;
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage) != 0)
		return false;
	for (uint32_t i = 0; i < reading->nr; i++)
		values[i].unsigned_int = reading->values[i](&usage);
	return true;
}

static void end(void *thread)
{
	measure_pages_return(thread, sizeof(struct reading));
}

const struct measure_metric_source measure_metric_rusage = {
	MEASURE_METRIC_ABI, "rusage", find, name_of, begin, read_values, end, NULL};
