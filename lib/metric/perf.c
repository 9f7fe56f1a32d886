/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of perf_event_open(2), of the calling thread: perf.def. All of a thread are one group,
 * read by one system call. Each costs a descriptor, far above those that programs use. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/likely.h"
#include "list.h"
#include "pages.h"

static const struct perf_event {
	struct measure_metric_info info;
	uint32_t type;
	uint64_t config;
} events[] = {
#define PERF(name, type, config, unit, exponent, description)                                      \
	{{name, description, unit, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START,          \
		 OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, exponent},                                   \
		PERF_TYPE_##type, PERF_COUNT_##config},
#include "metric/perf.def"
#undef PERF
};
#define NR_EVENTS (sizeof(events) / sizeof(*events))

struct perf_group {
	_Alignas(64)
		uint64_t read[1 + MEASURE_MOST_METRICS]; /* the kernel's: how many, and values */
	uint32_t nr;
	int descriptors[MEASURE_MOST_METRICS]; /* the first one leads */
};

static const struct perf_event *event_of(const char *name)
{
	for (size_t i = 0; i < NR_EVENTS; i++)
		if (strcmp(events[i].info.name, name) == 0)
			return &events[i];
	return NULL;
}

static int open_event(const struct perf_event *event, int leader, bool is_user_only)
{
	struct perf_event_attr attributes = {
		.type = event->type,
		.size = sizeof(attributes),
		.config = event->config,
		.read_format = PERF_FORMAT_GROUP,
		.disabled = leader < 0, /* until its group is whole */
		.exclude_kernel = is_user_only,
		.exclude_hv = is_user_only,
	};

	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* Users who may not look into the kernel get what happens outside of it; the kernel's own events
 * happen in it. */
static int open_allowed(const struct perf_event *event, int leader)
{
	int fd = open_event(event, leader, false);

	if (fd < 0 && errno == EACCES && event->type == PERF_TYPE_HARDWARE)
		fd = open_event(event, leader, true);
	return fd;
}

static int move_up(int fd)
{
	struct rlimit limit;
	int moved = -1;

	if (fd >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0)
		moved = fcntl(fd, F_DUPFD_CLOEXEC, (int)(limit.rlim_cur / 4 * 3));
	if (moved < 0)
		return fd;
	close(fd);
	return moved;
}

static measure_status_t perf_find(
	const char *metric, struct measure_metric_info *info, const char **why)
{
	const struct perf_event *event = event_of(metric);
	int saved = errno, fd;

	if (!event)
		return MEASURE_ERROR_NOT_FOUND;
	fd = open_allowed(event, -1);
	if (fd < 0)
		*why = errno == EACCES || errno == EPERM ? "the kernel does not allow it "
							   "(/proc/sys/kernel/perf_event_paranoid)"
							 : "not available on this machine";
	else
		close(fd);
	errno = saved;
	if (fd < 0)
		return MEASURE_ERROR_UNSUPPORTED;
	*info = event->info;
	return MEASURE_OK;
}

static const char *perf_name_of(uint32_t number)
{
	return number < NR_EVENTS ? events[number].info.name : NULL;
}

static void perf_end(void *thread)
{
	struct perf_group *group = thread;

	for (uint32_t i = 0; i < group->nr; i++)
		close(group->descriptors[i]);
	measure_pages_return(group, sizeof(*group));
}

static void *perf_begin(const char *const *metrics, uint32_t nr, pid_t pid)
{
	struct perf_group *group = measure_pages_get(sizeof(*group));
	int leader = -1;

	(void)pid;
	if (!group)
		return NULL;
	for (uint32_t i = 0; i < nr; i++) {
		int fd = move_up(open_allowed(event_of(metrics[i]), leader));
		if (fd < 0) {
			perf_end(group);
			return NULL;
		}
		group->descriptors[group->nr++] = fd;
		leader = group->descriptors[0];
	}
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	return group;
}

static long read_quietly(int fd, void *buffer, size_t size)
{
	int saved = errno;
	long got = syscall(SYS_read, fd, buffer, size);

	errno = saved;
	return got;
}

/* Not by read(), where a thread may be cancelled. */
static bool perf_read_values(void *thread, union measure_metric_value *values)
{
	struct perf_group *group = thread;
	size_t size = (1 + group->nr) * sizeof(*group->read);

	if (unlikely(read_quietly(group->descriptors[0], group->read, size) != (long)size ||
		     group->read[0] != group->nr))
		return false;
	for (uint32_t i = 0; i < group->nr; i++)
		values[i].unsigned_int = group->read[1 + i];
	return true;
}

const struct measure_metric_source measure_metric_perf = {MEASURE_METRIC_ABI, MEASURE_METRIC_THREAD,
	"perf", perf_find, perf_name_of, perf_begin, perf_read_values, perf_end, NULL};
