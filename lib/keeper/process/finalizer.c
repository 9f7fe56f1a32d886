/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who assembles, and when; see finalizer.h. */
#include "config.h"

#include "finalizer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "assemble/part/part_hosts.h"
#include "assemble/write/assemble.h"
#include "format/ipc.h"
#include "cli/cli.h"
#include "launch/run/last_words.h"
#include "base/posix.h"

#define LOOK_MS	     50
#define GRACE_MS     3000  /* for parts on this host that are dead or did not come */
#define GRACE_FAR_MS 10000 /* where the job has other hosts */
#define GRACE_HOST_MS 2500 /* of these, for a host whose keepers have not ended */
#define CHILDREN_MS  10000 /* for keepers of children that have ended */
#define ARCHIVE_MS   60000 /* for the keeper of a child that assembles */

enum decision {
	DECISION_ASSEMBLE,
	DECISION_WAIT, /* parts are missing */
	DECISION_LEAVE /* another keeper will see to it */
};

static enum decision finalizer_decide(
	const struct measure_settings *settings, const struct measure_parts *parts)
{
	if (parts->is_assembling || parts->nr_alive > 0)
		return DECISION_LEAVE;
	if (parts->nr_dead + parts->nr_elsewhere == 0 &&
		parts->nr_done - parts->nr_done_children + parts->nr_off +
				parts->nr_unrecorded >=
			settings->size)
		return DECISION_ASSEMBLE;
	return DECISION_WAIT;
}

/* Where the run directory is now: it may have been moved. */
static void find_path(struct measure_rundir *rundir)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", rundir->fd);
	ssize_t length = readlink(link, rundir->path, sizeof(rundir->path) - 1);
	if (length > 0)
		rundir->path[length] = '\0';
}

/* Before others of the job take their leave, and `measure` with them, as the archive is there. */
static void say_last_words(void *data, const struct measure_assemble_report *report)
{
	const struct measure_keeper *keeper = data;

	signal(SIGCHLD, SIG_DFL); /* how measure-profile ends is to be known */
	measure_ipc_send(keeper->channel, MEASURE_MSG_DOES, 0, -1, "its summary to be written");
	measure_last_words(keeper->run, keeper->rundir->path, report);
}

static void assemble(struct measure_keeper *keeper)
{
	struct measure_rundir *rundir = keeper->rundir;
	struct measure_assemble_report report;

	find_path(rundir);
	measure_ipc_send(keeper->channel, MEASURE_MSG_DOES, 0, -1, "the archive to be assembled");
	measure_status_t status =
		measure_assemble_then(rundir->path, &report, say_last_words, keeper);
	if (status != MEASURE_OK) {
		measure_cli_say("%s; then run measure-repair %s", report.trouble, rundir->path);
		measure_parts_end_assembly(rundir->parts_fd);
		return;
	}
	measure_rundir_forget(rundir);
}

/* mkdir decides between keepers that come here at the same time. Parts of dead keepers are
 * finished by the assembly. */
static void assemble_once(struct measure_keeper *keeper, const struct measure_parts *parts)
{
	if (!measure_parts_begin_assembly(keeper->rundir->parts_fd)) {
		if (errno != EEXIST && errno != ENOENT) /* nor are others done with all */
			measure_cli_say("%s: cannot write: %s: free space and run measure-repair",
				keeper->rundir->path, strerror(errno));
		return;
	}
	if (parts->nr_done + parts->nr_dead + parts->nr_elsewhere > 0)
		assemble(keeper);
	else
		measure_rundir_remove(keeper->rundir);
}

/* Other hosts' processes cannot be seen, but their keepers' journals grow while they live. */
static enum decision look_again(struct measure_keeper *keeper, int64_t bytes_elsewhere,
	struct measure_parts *parts)
{
	if (measure_parts_count(keeper->rundir->parts_fd, parts) != MEASURE_OK)
		return DECISION_LEAVE;
	if (parts->is_empty || parts->bytes_elsewhere > bytes_elsewhere)
		return DECISION_LEAVE;
	return finalizer_decide(keeper->run, parts);
}

/* Whose last keeper will decide later than this one, unless it is dead. False: it takes too long. */
static bool await_host(const struct measure_keeper *keeper, const char *host)
{
	const struct timespec pause = {0, LOOK_MS * 1000000L};

	for (int left = GRACE_HOST_MS; left > 0; left -= LOOK_MS) {
		nanosleep(&pause, NULL);
		if (!measure_hosts_is_open(keeper->rundir->parts_fd, host))
			return true;
	}
	return false;
}

/* `host`: one that is not finished, or "". */
static void wait_for_others(
	struct measure_keeper *keeper, const char *host, struct measure_parts *parts)
{
	struct timespec pause = {0, LOOK_MS * 1000000L};
	bool is_far = keeper->run->local_size < keeper->run->size;
	int left = is_far ? GRACE_FAR_MS : GRACE_MS;
	enum decision decision = DECISION_WAIT;

	if (host[0] && (await_host(keeper, host) ||
			       measure_parts_count(keeper->rundir->parts_fd, parts) != MEASURE_OK))
		return;
	if (host[0])
		left -= GRACE_HOST_MS;

	int64_t bytes_elsewhere = parts->bytes_elsewhere;
	for (; left > 0 && decision == DECISION_WAIT; left -= LOOK_MS) {
		nanosleep(&pause, NULL);
		decision = look_again(keeper, bytes_elsewhere, parts);
	}
	if (decision != DECISION_LEAVE)
		assemble_once(keeper, parts);
}

/* --------------------------------------------------------------------- children --- */

static bool is_followed(const struct measure_keeper *keeper)
{
	return keeper->settings->children == MEASURE_CHILDREN_FOLLOW || keeper->settings->exec;
}

static void pause_longer(struct timespec *pause)
{
	nanosleep(pause, NULL);
	if (pause->tv_nsec < LOOK_MS * 1000000L)
		pause->tv_nsec *= 2;
}

/* Children that are gone have keepers that soon will be, and so has what this process was before:
 * what they recorded belongs into the archive that is there when `measure` returns. */
static void await_ended_children(const struct measure_keeper *keeper)
{
	struct timespec pause = {0, 500 * 1000};
	int64_t deadline = measure_now_ms() + CHILDREN_MS;

	struct measure_parts parts;

	measure_ipc_send(keeper->channel, MEASURE_MSG_DOES, 0, -1,
		"the events of its children to be written");

	while (measure_parts_count(keeper->rundir->parts_fd, &parts) == MEASURE_OK &&
		parts.nr_ending > 0 && measure_now_ms() < deadline)
		pause_longer(&pause);
	while (keeper->generation > 1 &&
		measure_part_is_kept(keeper->rundir->parts_fd, keeper->settings->creator) &&
		measure_now_ms() < deadline)
		pause_longer(&pause);
}

/* Another keeper, which was later than this one, may be at it. */
static void await_archive(const struct measure_keeper *keeper)
{
	struct timespec pause = {0, 500 * 1000};
	int64_t deadline = measure_now_ms() + ARCHIVE_MS;
	struct measure_parts parts;

	while (measure_parts_count(keeper->rundir->parts_fd, &parts) == MEASURE_OK &&
		parts.is_assembling && parts.nr_lingering > 1 && measure_now_ms() < deadline)
		pause_longer(&pause);
	if (parts.nr_alive_children > 0 && !keeper->settings->quiet)
		measure_cli_say("%s: %u child%s of the program still run%s: the archive will be "
				"assembled when all have ended",
			keeper->rundir->path, parts.nr_alive_children,
			parts.nr_alive_children == 1 ? "" : "ren",
			parts.nr_alive_children == 1 ? "s" : "");
}

/* ------------------------------------------------------------------------- last --- */

/* A keeper has died while it assembled: who takes its place begins anew. */
static void take_over_assembly(const struct measure_keeper *keeper, struct measure_parts *parts)
{
	int parts_fd = keeper->rundir->parts_fd;

	if (keeper->nr_before == 0 || !measure_parts_assembler_is_dead(parts_fd))
		return;
	measure_parts_end_assembly(parts_fd);
	parts->is_assembling = false;
}

/* In a large job all but the last keepers find out with a few looks that it is not up to them. */
static enum decision decide_by_hosts(const struct measure_keeper *keeper, char host[256])
{
	const int parts_fd = keeper->rundir->parts_fd;

	if (measure_hosts_has_kept(parts_fd))
		return DECISION_LEAVE;
	measure_hosts_finish(parts_fd);
	return measure_hosts_find_open(parts_fd, host) ? DECISION_WAIT : DECISION_ASSEMBLE;
}

/* DECISION_WAIT: host is one to wait for, or "". */
static enum decision decide_first(
	const struct measure_keeper *keeper, char host[256], struct measure_parts *parts)
{
	const enum decision decision = decide_by_hosts(keeper, host);

	if (decision != DECISION_ASSEMBLE && keeper->nr_before == 0)
		return decision;
	host[0] = '\0';
	if (measure_parts_count(keeper->rundir->parts_fd, parts) != MEASURE_OK)
		return DECISION_LEAVE;
	take_over_assembly(keeper, parts);
	return finalizer_decide(keeper->run, parts);
}

void measure_finalizer_run(struct measure_keeper *keeper)
{
	struct measure_parts parts;
	char host[256];

	if (is_followed(keeper))
		await_ended_children(keeper);
	enum decision decision = decide_first(keeper, host, &parts);
	if (decision == DECISION_ASSEMBLE)
		assemble_once(keeper, &parts);
	if (is_followed(keeper) && keeper->channel >= 0)
		await_archive(keeper);
	measure_ipc_send(keeper->channel, MEASURE_MSG_SAFE, 0, -1, NULL);
	if (decision == DECISION_WAIT)
		wait_for_others(keeper, host, &parts);
}

void measure_finalizer_withdraw(
	const struct measure_settings *settings, const struct measure_rundir *rundir)
{
	struct measure_parts parts;

	if (measure_parts_count(rundir->parts_fd, &parts) == MEASURE_OK && parts.nr_done == 0 &&
		finalizer_decide(settings, &parts) == DECISION_ASSEMBLE)
		measure_rundir_remove(rundir);
}
