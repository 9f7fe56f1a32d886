/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A metric plug-in: the stack size that a thread uses, at each Enter and Leave. Compile it, and
 * give its path:
 *
 *	cc -O2 -fPIC -shared $(otf2-config --cflags) -o libstack.so stack.c
 *	measure --metrics ./libstack.so:used ./app
 *
 * For metrics of a process or node, use MEASURE_METRIC_PROCESS or MEASURE_METRIC_NODE instead of
 * MEASURE_METRIC_THREAD; the keeper then reads them every --metric-interval. */
#define _GNU_SOURCE
#include <measure/metric.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <pthread.h>
#include <string.h>

static const struct measure_metric_info used = {.name = "used",
	.description = "bytes of the stack in use, including those of the hooks",
	.unit = "bytes",
	.type = OTF2_METRIC_TYPE_OTHER,
	.mode = OTF2_METRIC_ABSOLUTE_POINT,
	.value_type = OTF2_TYPE_UINT64,
	.base = OTF2_BASE_DECIMAL};

static measure_status_t find(const char *metric, struct measure_metric_info *info, const char **why)
{
	(void)why; /* the reason, for MEASURE_ERROR_UNSUPPORTED */
	if (strcmp(metric, used.name) != 0)
		return MEASURE_ERROR_NOT_FOUND;
	*info = used;
	return MEASURE_OK;
}

static const char *name_of(uint32_t number)
{
	return number == 0 ? used.name : NULL;
}

/* The state for read() is the end of the calling thread's stack. */
static void *begin(const char *const *metrics, uint32_t nr, pid_t pid)
{
	pthread_attr_t attributes;
	size_t size = 0;
	void *lowest = NULL;

	(void)metrics, (void)nr, (void)pid;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return NULL;
	pthread_attr_getstack(&attributes, &lowest, &size);
	pthread_attr_destroy(&attributes);
	return (char *)lowest + size;
}

/* Called at each event, so it must be fast. There is only one metric. */
static bool read_value(void *end, union measure_metric_value *values)
{
	values[0].unsigned_int = (uint64_t)((char *)end - (char *)__builtin_frame_address(0));
	return true;
}

static void end(void *state)
{
	(void)state;
}

static const struct measure_metric_source stack = {MEASURE_METRIC_ABI, MEASURE_METRIC_THREAD,
	"stack", find, name_of, begin, read_value, end, NULL};
MEASURE_METRIC_SOURCE(stack)
