/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child process that reads; see read_in_child.h. */
#include "config.h"

#include "read_in_child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

int measure_cli_read_in_child(int (*work)(void *data), void *data, const char *name)
{
	const struct rlimit no_core = {0, 0};
	const pid_t parent = getpid();
	int status = 0;
	pid_t child;

	signal(SIGCHLD, SIG_DFL); /* a parent that ignores it leaves nothing to wait for */
	child = fork();
	if (child < 0)
		return work(data);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(MEASURE_EXIT_CANNOT);
		setrlimit(RLIMIT_CORE, &no_core);
		_exit(work(data));
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
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
