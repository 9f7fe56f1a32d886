/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding out what the node consists of; see topology_probe.h. Who makes the file has the task;
 * what is in it counts only when it is whole. */
#include "config.h"

#include "topology_probe.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "format/run_layout.h"
#include "base/procfs.h"
#include "launch/plan/libdir.h"
#include "base/posix.h"

#define HELPER   "measure-topology"
#define DELAY_MS 20   /* programs that are shorter do not pay for it */
#define AWAIT_MS 1000 /* for one that was started and lasts longer than the program */

#define STACK          (256 * 1024)
#define MOST_VARIABLES 64

extern char **environ;

static int claim(int parts_fd)
{
	char name[sizeof(MEASURE_TOPOLOGY_PREFIX) + MEASURE_NODE_TEXT] = MEASURE_TOPOLOGY_PREFIX;
	char *node = name + strlen(name);

	measure_node_read(node);
	for (; *node; node++)
		if (*node == '/' || *node == ' ')
			*node = '_';
	return openat(parts_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* What is meant for hwloc, and for the loader; no preloaded object, ours of another run least of
 * all. */
static void choose_environment(char *variables[MOST_VARIABLES])
{
	size_t nr = 0;

	for (char **variable = environ; *variable && nr < MOST_VARIABLES - 1; variable++)
		if (strncmp(*variable, "HWLOC_", 6) == 0 ||
			strncmp(*variable, "LD_LIBRARY_PATH=", 16) == 0)
			variables[nr++] = *variable;
	variables[nr] = NULL;
}

static pid_t spawn(const char *path, int output)
{
	char *arguments[] = {(char *)HELPER, NULL}, *variables[MOST_VARIABLES];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, alone;
	pid_t pid;

	sigemptyset(&none);
	sigemptyset(&alone);
	sigaddset(&alone, SIGALRM); /* it ends itself by that */
	choose_environment(variables);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &alone);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, path, &actions, &attributes, arguments, variables) != 0)
		pid = 0;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return pid;
}

static pid_t topology_probe_start(const struct measure_keeper *keeper)
{
	char path[PATH_MAX + 32];
	pid_t pid;

	if (!measure_libdir_locate(path, sizeof(path), HELPER))
		return 0;
	int fd = claim(keeper->rundir->parts_fd);
	if (fd < 0)
		return 0;
	pid = spawn(path, fd);
	close(fd);
	return pid;
}

static void *topology_probe_run(void *context)
{
	struct measure_topology_probe *discovery = context;

	atomic_store(&discovery->pid, topology_probe_start(discovery->keeper));
	atomic_store(&discovery->is_starting, 0);
	return NULL;
}

/* Who watches the program does not wait for a disk. */
static void topology_probe_begin(void *context)
{
	struct measure_topology_probe *discovery = context;
	pthread_t thread;

	atomic_store(&discovery->is_starting, 1);
	if (measure_thread_start(&thread, STACK, topology_probe_run, discovery) == 0)
		pthread_detach(thread);
	else
		atomic_store(&discovery->is_starting, 0);
}

static int64_t delay(const struct measure_settings *settings)
{
	switch ((enum measure_topology_mode)settings->topology) {
	case MEASURE_TOPOLOGY_ALWAYS:
		return 0;
	case MEASURE_TOPOLOGY_NO:
		return -1;
	default:
		return DELAY_MS;
	}
}

void measure_topology_probe_plan(struct measure_topology_probe *discovery,
	const struct measure_keeper *keeper, struct measure_monitor *watch)
{
	discovery->keeper = keeper;
	atomic_store(&discovery->is_starting, 0);
	atomic_store(&discovery->pid, 0);
	watch->deferred_task = topology_probe_begin;
	watch->errand_context = discovery;
	watch->errand_after = delay(keeper->settings);
}

/* Nobody has to wait for children here: once it is gone, there is no such child. */
static bool topology_probe_is_there(const struct measure_topology_probe *discovery)
{
	const pid_t pid = atomic_load(&discovery->pid);

	return pid != 0 && waitpid(pid, NULL, WNOHANG) == 0;
}

void measure_topology_probe_await(const struct measure_topology_probe *discovery)
{
	const struct timespec pause = {0, 500 * 1000};
	const int64_t deadline = measure_now_ms() + AWAIT_MS;

	while ((atomic_load(&discovery->is_starting) || topology_probe_is_there(discovery)) &&
		measure_now_ms() < deadline)
		nanosleep(&pause, NULL);
	if (topology_probe_is_there(discovery))
		kill(atomic_load(&discovery->pid), SIGKILL);
}
