/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asking a metric plug-in of Score-P; see plugin_probe.h. */
#include "config.h"

#include "plugin_probe.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 30 /* seconds */

/* What the process that asks shares with us. */
struct asked {
	_Atomic uint32_t has_started, has_answered, nr;
};

/* Nothing is recorded yet. */
static uint64_t some_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What it prints is none of the program's output. */
__attribute__((noreturn)) static void ask(
	const struct measure_scorep *plugin, const char *word, struct asked *asked)
{
	sigset_t alone;

	sigemptyset(&alone);
	sigaddset(&alone, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &alone, NULL);
	alarm(PATIENCE);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (!measure_scorep_start(plugin, some_clock))
		_exit(0);
	atomic_store(&asked->has_started, 1);
	atomic_store(&asked->nr, measure_scorep_metrics(plugin, word, NULL, 0));
	atomic_store(&asked->has_answered, 1);
	fflush(NULL);
	_exit(0);
}

static void interpret(const struct asked *asked, int status, struct measure_plugin_answer *answer)
{
	answer->nr = atomic_load(&asked->nr);
	if (atomic_load(&asked->has_answered))
		return;
	answer->nr = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(answer->why, sizeof(answer->why), "the plug-in does not answer");
	else if (WIFSIGNALED(status))
		snprintf(answer->why, sizeof(answer->why), "the plug-in crashes when queried (%s)",
			strsignal(WTERMSIG(status)));
	else if (!atomic_load(&asked->has_started))
		snprintf(answer->why, sizeof(answer->why),
			"the plug-in reports that it cannot run here");
	else
		snprintf(
			answer->why, sizeof(answer->why), "the plug-in exits instead of answering");
}

void measure_plugin_probe(
	const struct measure_scorep *plugin, const char *word, struct measure_plugin_answer *answer)
{
	struct asked *asked = mmap(
		NULL, sizeof(*asked), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;

	memset(answer, 0, sizeof(*answer));
	fflush(NULL); /* or it is printed twice */
	pid_t child = asked != MAP_FAILED ? fork() : -1;
	if (child == 0)
		ask(plugin, word, asked);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child > 0)
		interpret(asked, status, answer);
	else
		snprintf(answer->why, sizeof(answer->why),
			"cannot start a process to query the plug-in");
	if (asked != MAP_FAILED)
		munmap(asked, sizeof(*asked));
}
