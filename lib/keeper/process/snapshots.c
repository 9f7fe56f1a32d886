/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Archives while the program runs; see snapshots.h. */
#include "config.h"

#include "snapshots.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/posix.h"
#include "base/procfs.h"
#include "cli/cli.h"
#include "cli/run_tool.h"
#include "format/run_layout.h"
#include "config/run_config.h"

#define TOOL    "measure-repair"
#define STACK   (256 * 1024)
#define WAIT_MS 60000 /* a wake-up ends it */
#define LOOK_MS 100
#define LEFT_MS 5000 /* for one that is being made when the program ends */
#define NEAR_S  1    /* between requests of one time */

struct snapshot_order {
	char node[MEASURE_NODE_TEXT]; /* as it is part of a name */
	char path[PATH_MAX];          /* of the archive */
	char name[PATH_MAX];          /* the same for people */
	char text[512];               /* what was said about it */
	size_t used;
};

/* ---------------------------------------------------------------------- whose it is --- */

static void snapshots_name_node(char node[MEASURE_NODE_TEXT])
{
	measure_node_read(node);
	for (; *node; node++)
		if (*node == '/' || *node == ' ')
			*node = '_';
}

/* False: there is one of that number. *is_near: of the same time as this. */
static bool claim(int parts_fd, const char *node, uint32_t number, bool *is_near)
{
	char name[sizeof(MEASURE_SNAPSHOT_FORMAT) + MEASURE_NODE_TEXT + 16];
	struct timespec now;
	struct stat stat;

	*is_near = false;
	snprintf(name, sizeof(name), MEASURE_SNAPSHOT_FORMAT, node, number);
	int fd = openat(parts_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0) {
		close(fd);
		return true;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	*is_near = errno != EEXIST || fstatat(parts_fd, name, &stat, AT_SYMLINK_NOFOLLOW) != 0 ||
		   now.tv_sec - stat.st_mtim.tv_sec <= NEAR_S;
	return false;
}

/* The first number that is not used yet, and ours to make. False: somebody else has just begun one.
 */
static bool take_number(struct measure_snapshots *snapshots, const struct snapshot_order *order)
{
	const int parts_fd = snapshots->keeper->rundir->parts_fd;
	bool is_near = false, is_ours = false;

	while (!is_near && !is_ours)
		is_ours = claim(parts_fd, order->node, ++snapshots->number, &is_near);
	return is_ours;
}

/* ---------------------------------------------------------------------- making it --- */

/* Only processes of this node are in it. */
static void name_archive(const struct measure_snapshots *snapshots, struct snapshot_order *order)
{
	const struct measure_settings *settings = snapshots->keeper->settings;
	const char *directory = snapshots->keeper->rundir->path;
	char end[MEASURE_NODE_TEXT + 32];

	snprintf(end, sizeof(end), "snapshot-%u%s%s", snapshots->number,
		settings->size > settings->local_size ? "-" : "",
		settings->size > settings->local_size ? order->node : "");
	snprintf(order->path, sizeof(order->path), "%.*s/%s",
		(int)(sizeof(order->path) - sizeof(end) - 1), directory, end);
	snprintf(order->name, sizeof(order->name), "%.*s/%s",
		(int)(sizeof(order->name) - sizeof(end) - 1),
		measure_run_name(directory, settings->output), end);
}

/* False: there is no more. */
static bool read_text(struct snapshot_order *order, int fd)
{
	char rest[256];
	const bool fits = order->used + 1 < sizeof(order->text);
	ssize_t got =
		fits ? read(fd, order->text + order->used, sizeof(order->text) - 1 - order->used)
		     : read(fd, rest, sizeof(rest));

	if (fits && got > 0)
		order->used += (size_t)got;
	return got > 0 || (got < 0 && errno == EINTR);
}

/* Its end is seen by its outputs: nobody waits for children of a keeper. False: it took too long.
 */
static bool await_tool(struct measure_snapshots *snapshots, struct snapshot_order *order, int fd)
{
	int64_t deadline = INT64_MAX;

	for (;;) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		if (poll(&ready, 1, LOOK_MS) > 0 && !read_text(order, fd))
			return true;
		if (deadline == INT64_MAX && atomic_load(&snapshots->is_over))
			deadline = measure_now_ms() + LEFT_MS;
		if (measure_now_ms() >= deadline)
			return false;
	}
}

static int start_tool(const struct measure_snapshots *snapshots, struct snapshot_order *order,
	struct measure_tool_run *tool)
{
	const char *arguments[] = {TOOL, "--live", "--quiet", "--output", order->path, "--",
		snapshots->keeper->rundir->path, NULL};
	char path[PATH_MAX];
	int error = measure_tool_start(TOOL, arguments, path, tool);

	if (error != 0)
		snprintf(order->text, sizeof(order->text), "%.256s cannot be started: %s", path,
			strerror(error));
	return error;
}

static bool run_tool(struct measure_snapshots *snapshots, struct snapshot_order *order)
{
	char anchor[PATH_MAX + sizeof(MEASURE_ANCHOR_NAME)];
	struct measure_tool_run tool;

	if (start_tool(snapshots, order, &tool) != 0)
		return false;
	if (!await_tool(snapshots, order, tool.output)) {
		kill(tool.pid, SIGKILL);
		measure_file_remove_tree(AT_FDCWD, order->path);
		snprintf(order->text, sizeof(order->text), "the run has ended meanwhile");
	}
	close(tool.output);
	order->text[strcspn(order->text, "\n")] = '\0';
	snprintf(anchor, sizeof(anchor), "%s/" MEASURE_ANCHOR_NAME, order->path);
	return access(anchor, F_OK) == 0;
}

static void make(struct measure_snapshots *snapshots)
{
	struct snapshot_order order = {.used = 0};

	snapshots_name_node(order.node);
	if (!take_number(snapshots, &order))
		return;
	name_archive(snapshots, &order);
	if (!run_tool(snapshots, &order))
		measure_cli_say("%s: no snapshot: %s", order.name, order.text);
	else if (!snapshots->keeper->settings->quiet)
		measure_cli_say(
			"%s/" MEASURE_ANCHOR_NAME ": snapshot of the run so far", order.name);
}

/* -------------------------------------------------------------------- the thread --- */

static void *snapshots_run(void *argument)
{
	struct measure_snapshots *snapshots = argument;
	struct measure_segment_header *header = snapshots->header;

	while (!atomic_load(&snapshots->is_over)) {
		uint32_t wanted = atomic_load(&header->snapshots_wanted);

		if (wanted == snapshots->served) {
			measure_futex_wait(&header->snapshots_wanted, wanted, WAIT_MS);
			continue;
		}
		snapshots->served = wanted;
		make(snapshots);
	}
	return NULL;
}

void measure_snapshots_start(struct measure_snapshots *snapshots,
	const struct measure_keeper *keeper, struct measure_segment_header *header, bool is_second)
{
	memset(snapshots, 0, sizeof(*snapshots));
	snapshots->keeper = keeper;
	snapshots->header = header;
	if (is_second)
		snapshots->served = atomic_load(&header->snapshots_wanted);
	snapshots->is_running =
		measure_thread_start(&snapshots->thread, STACK, snapshots_run, snapshots) == 0;
}

void measure_snapshots_stop(struct measure_snapshots *snapshots)
{
	if (!snapshots->is_running)
		return;
	atomic_store(&snapshots->is_over, true);
	measure_segment_want_snapshot(snapshots->header);
	pthread_join(snapshots->thread, NULL);
}
