/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting keepers; see guard.h. */
#include "config.h"

#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/ipc.h"
#include "cli/cli.h"
#include "cli/memory_limits.h"
#include "format/segment.h"
#include "base/posix.h"

#define MOST_RESTARTS 3 /* of a keeper that dies */

static int channel_for_lines = -1;

static void say_to_measure(const char *line)
{
	measure_ipc_send(channel_for_lines, MEASURE_MSG_TEXT, 0, -1, line);
}

static int compare_descriptors(const void *left, const void *right)
{
	int *const *a = left, *const *b = right;

	return **a - **b;
}

/* Our descriptors to 3, 4, ..., all others closed: nothing that we hold may keep a pipe of the
 * job open. From the lowest on, so that none is in the way, and no further one is needed: the
 * limit may be low. */
static void keep_descriptors(struct measure_keeper *keeper)
{
	int *ours[] = {&keeper->channel, &keeper->lines, &keeper->listen_fd, &keeper->part_fd,
		&keeper->rundir->fd, &keeper->rundir->parts_fd, &keeper->connection,
		&keeper->memory_fd, &keeper->pidfd};
	int *kept[sizeof(ours) / sizeof(ours[0])];
	int nr = 0;

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (*ours[i] >= 0)
			kept[nr++] = ours[i];
	qsort(kept, (size_t)nr, sizeof(kept[0]), compare_descriptors);
	for (int i = 0; i < nr; i++)
		if (*kept[i] != 3 + i)
			*kept[i] = dup3(*kept[i], 3 + i, O_CLOEXEC);
	closefrom(3 + nr);

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close(null);
}

static void raise_limit(int resource)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(resource, &limit);
	}
}

/* A session of our own: signals to the job's process group do not come here, and no signal at
 * all ends us or a keeper early but KILL. */
static void leave_the_job(struct measure_keeper *keeper)
{
	sigset_t all;

	keeper->address_space = measure_address_space();
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	raise_limit(RLIMIT_FSIZE);
	raise_limit(RLIMIT_AS);
	raise_limit(RLIMIT_NOFILE);
}

static void guard_begin(struct measure_keeper *keeper)
{
	prctl(PR_SET_NAME, MEASURE_GUARD_NAME);
	signal(SIGCHLD, SIG_DFL); /* a keeper has it ignored, and we may come from one */
	if (keeper->followed)
		keeper->pidfd = measure_pidfd_open(keeper->followed);
	else
		leave_the_job(keeper);
	keeper->memory_fd = measure_segment_memory();
	keeper->known = measure_keeper_state_make();
	keep_descriptors(keeper);
	channel_for_lines = keeper->lines;
	measure_cli_redirect(say_to_measure);
	if (chdir("/") != 0)
		return;
}

/* Where no process can be had we are the keeper ourselves, and the last one. */
static pid_t start_keeper(struct measure_keeper *keeper)
{
	pid_t guard = getpid(), child = fork();

	if (child > 0)
		return child;
	keeper->guard = child == 0 && keeper->nr_before < MOST_RESTARTS ? guard : 0;
	measure_keeper_run(keeper);
}

static bool is_done(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The part is ours meanwhile, so that nobody takes it for an abandoned one. */
static bool may_start_another(struct measure_keeper *keeper)
{
	const char *path = keeper->rundir->path;
	char process[64] = "this process";

	if (keeper->followed)
		snprintf(process, sizeof(process),
			keeper->generation > 1 ? "process %d (program %u)" : "process %d",
			(int)keeper->followed, keeper->generation);
	keeper->nr_before++;
	if (keeper->nr_before > MOST_RESTARTS) {
		measure_cli_say("%s: %u keepers of %s have died: not starting another: run "
				"measure-repair if events are missing",
			path, keeper->nr_before, process);
		return false;
	}
	if (measure_part_is_in_work(keeper->rundir->parts_fd, keeper->part))
		measure_part_own(keeper->part_fd);
	measure_cli_say("%s: the keeper of %s died: started another (%u of %u)", path, process,
		keeper->nr_before, MOST_RESTARTS);
	measure_ipc_send(keeper->channel, MEASURE_MSG_ANOTHER, 0, -1, NULL);
	return true;
}

void measure_guard_run(struct measure_keeper *keeper)
{
	guard_begin(keeper);
	do {
		if (is_done(start_keeper(keeper)))
			break;
	} while (may_start_another(keeper));
	_exit(0);
}
