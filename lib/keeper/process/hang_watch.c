/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Noticing that a job hangs; see hang_watch.h. */
#include "config.h"

#include "hang_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/posix.h"
#include "base/procfs.h"
#include "cli/cli.h"
#include "cli/run_tool.h"
#include "config/run_config.h"
#include "format/run_layout.h"

#define TOOL      "measure-repair"
#define STACK     (256 * 1024)
#define LOOKS     8 /* in the time that the user has given */
#define LEAST_MS  50
#define MOST_MS   60000
#define POLL_MS   100
#define TEXT_MOST (64 * 1024) /* bytes of a roll-call */

/* Of all its locations, but for samples: those go on in a loop that waits. */
static uint64_t count_events(const struct measure_segment *segment)
{
	bool is_changed;
	const uint32_t nr = measure_segment_nr_locations(segment, &is_changed);
	uint64_t sum = nr;

	for (uint32_t i = 0; i < nr; i++)
		sum += measure_committed_events(atomic_load_explicit(
			&segment->locations[i].committed, memory_order_relaxed));
	return sum - atomic_load(&segment->header->counts[MEASURE_COUNT_SAMPLES]);
}

static struct timespec read_stamp(const struct measure_hang_watch *watch)
{
	struct stat stat;

	return fstat(watch->fd, &stat) == 0 ? stat.st_mtim : watch->stamp;
}

/* ---------------------------------------------------------------------- printing --- */

/* One line after another, each with the time: equal lines are printed once. */
static void say_lines(char *text)
{
	const time_t now = time(NULL);
	struct tm local;
	char clock[16];

	localtime_r(&now, &local);
	strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	for (char *line = text, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (*line)
			measure_cli_say("[%s] %s", clock, line);
	}
}

/* All that the tool prints, or as much as there is room for. Its end is seen by that, as nobody
 * waits for children of a keeper. False: the program has ended meanwhile. */
static bool read_output(struct measure_hang_watch *watch, int fd, char *text, size_t room)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	char rest[256];
	size_t used = 0;
	ssize_t got = 1;

	while (got > 0 && !atomic_load(&watch->is_over)) {
		const bool fits = used + 1 < room;

		if (poll(&ready, 1, POLL_MS) <= 0)
			continue;
		got = fits ? read(fd, text + used, room - 1 - used) : read(fd, rest, sizeof(rest));
		if (fits && got > 0)
			used += (size_t)got;
	}
	text[used] = '\0';
	return got <= 0;
}

static void print_roll_call(struct measure_hang_watch *watch)
{
	const char *arguments[] = {
		TOOL, "--live", "--roll-call", "--", watch->keeper->rundir->path, NULL};
	static char text[TEXT_MOST];
	struct measure_tool_run tool;
	char path[PATH_MAX];
	int error = measure_tool_start(TOOL, arguments, path, &tool);

	if (error != 0) {
		measure_cli_say("%.256s cannot be started: %s", path, strerror(error));
		return;
	}
	if (read_output(watch, tool.output, text, sizeof(text))) {
		measure_cli_say(
			"no event in the whole job for %llu s: see measure-repair --live %s",
			(unsigned long long)watch->keeper->settings->hang_after,
			measure_run_name(
				watch->keeper->rundir->path, watch->keeper->settings->output));
		say_lines(text);
	} else {
		kill(tool.pid, SIGKILL);
	}
	close(tool.output);
}

/* False: another keeper of this node does it. The time of the last movement names the hang. */
static bool claim_hang(const struct measure_hang_watch *watch)
{
	char node[MEASURE_NODE_TEXT], name[MEASURE_NODE_TEXT + 64];
	int fd;

	measure_node_read(node);
	for (char *c = node; *c; c++)
		if (*c == '/' || *c == ' ')
			*c = '_';
	snprintf(name, sizeof(name), MEASURE_HANG_FORMAT, node, (long long)watch->stamp.tv_sec,
		watch->stamp.tv_nsec);
	fd = openat(watch->keeper->rundir->parts_fd, name,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* ----------------------------------------------------------------------- the thread --- */

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Whether this process, or another one of the job, has moved since the last look. */
static bool has_moved(struct measure_hang_watch *watch)
{
	const uint64_t nr_events = count_events(watch->segment);
	const struct timespec stamp = read_stamp(watch);
	const bool is_own = nr_events != watch->nr_events;
	const bool is_others = !is_same_time(stamp, watch->stamp);

	watch->nr_events = nr_events;
	watch->stamp = stamp;
	if (is_own && !is_others && futimens(watch->fd, NULL) == 0)
		watch->stamp = read_stamp(watch);
	return is_own || is_others;
}

static void hang_watch_look(struct measure_hang_watch *watch, int64_t patience)
{
	const int64_t now = measure_now_ms();

	if (has_moved(watch)) {
		watch->quiet_since = now;
		watch->is_said = false;
	}
	if (watch->is_said || watch->nr_events == 0 || now - watch->quiet_since < patience)
		return;
	watch->is_said = true;
	if (claim_hang(watch))
		print_roll_call(watch);
}

static void *hang_watch_run(void *argument)
{
	struct measure_hang_watch *watch = argument;
	const int64_t patience = (int64_t)watch->keeper->settings->hang_after * 1000;
	const int64_t period = patience / LOOKS;
	const int pause = (int)(period < LEAST_MS ? LEAST_MS : period > MOST_MS ? MOST_MS : period);

	watch->quiet_since = measure_now_ms();
	watch->stamp = read_stamp(watch);
	while (!atomic_load(&watch->is_over)) {
		measure_futex_wait(&watch->is_over, 0, pause);
		if (!atomic_load(&watch->is_over))
			hang_watch_look(watch, patience);
	}
	return NULL;
}

void measure_hang_watch_start(struct measure_hang_watch *watch, const struct measure_keeper *keeper,
	const struct measure_segment *segment)
{
	memset(watch, 0, sizeof(*watch));
	watch->keeper = keeper;
	watch->segment = segment;
	if (keeper->settings->hang_after == 0)
		return;
	watch->fd =
		measure_file_open(keeper->rundir->parts_fd, MEASURE_MOVED_NAME, O_RDWR | O_CREAT);
	if (watch->fd < 0)
		return;
	watch->is_running = measure_thread_start(&watch->thread, STACK, hang_watch_run, watch) == 0;
}

void measure_hang_watch_stop(struct measure_hang_watch *watch)
{
	if (!watch->is_running)
		return;
	atomic_store(&watch->is_over, 1);
	measure_futex_wake(&watch->is_over, 1);
	pthread_join(watch->thread, NULL);
	close(watch->fd);
}
