/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child process that reads; see read_in_child.h. */
#include "config.h"

#include "read_in_child.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* As fork() does; the child does not return. */
static pid_t start_reading(int (*work)(void *data), void *data)
{
	const struct rlimit no_core = {0, 0};
	const pid_t parent = getpid();
	pid_t child;

	signal(SIGCHLD, SIG_DFL); /* a parent that ignores it leaves nothing to wait for */
	child = fork();
	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(MEASURE_EXIT_CANNOT);
	setrlimit(RLIMIT_CORE, &no_core);
	_exit(work(data));
}

static int await_end(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* What the tool returns. */
static int tell_end(int status, const char *name)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGPIPE)
		raise(SIGPIPE); /* who reads the output wants no more of it */
	measure_cli_say(
		"%s: reading it ended with signal %d (%s): the archive is damaged, or memory "
		"ran out; copy it again",
		name, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return MEASURE_EXIT_CANNOT;
}

int measure_cli_read_in_child(int (*work)(void *data), void *data, const char *name)
{
	const pid_t child = start_reading(work, data);

	return child < 0 ? work(data) : tell_end(await_end(child), name);
}

/* --------------------------------------------------------------------------- clearing --- */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t reader, ended_by;

static void end_reader(int signal)
{
	ended_by = signal;
	if (reader > 0)
		kill((pid_t)reader, SIGKILL);
}

/* Those that are ignored remain so. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = end_reader, .sa_flags = SA_RESTART}, before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

struct unblocking {
	int (*work)(void *data);
	void *data;
	sigset_t before;
};

static int work_unblocked(void *data)
{
	const struct unblocking *unblocking = data;

	sigprocmask(SIG_SETMASK, &unblocking->before, NULL);
	return unblocking->work(unblocking->data);
}

int measure_cli_read_in_child_and_clear(
	int (*work)(void *data), void (*clear)(void *data), void *data, const char *name)
{
	struct unblocking unblocking = {work, data, {{0}}};
	sigset_t all;
	int status;
	pid_t child;

	sigfillset(&all);
	sigprocmask(
		SIG_BLOCK, &all, &unblocking.before); /* it must not be ended before the child */
	child = start_reading(work_unblocked, &unblocking);
	reader = child;
	catch_signals();
	sigprocmask(SIG_SETMASK, &unblocking.before, NULL);
	if (child < 0) {
		measure_cli_say("cannot start a process: %s", strerror(errno));
		clear(data);
		return MEASURE_EXIT_CANNOT;
	}
	status = await_end(child);
	clear(data);
	if (ended_by != 0) {
		signal(ended_by, SIG_DFL);
		raise(ended_by);
	}
	return tell_end(status, name);
}
