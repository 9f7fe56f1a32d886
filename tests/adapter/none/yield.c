/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls what the template adapter records, in the program and in a forked child. */
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status = 0;
	pid_t child;

	for (int i = 0; i < 3; i++)
		if (sched_yield() != 0)
			return 1;
	child = fork();
	if (child == 0)
		_exit(sched_yield() == 0 ? 7 : 1);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
