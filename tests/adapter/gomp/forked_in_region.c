/* SPDX-License-Identifier: BSD-3-Clause
 * Description: a forked child runs regions of its own and exits inside of one: it works as ever,
 * and leaves no record among its parent's. */
#include <sys/wait.h>
#include <unistd.h>

#include "t_omp.h"

static int region(int size)
{
	int came = 0;

#pragma omp parallel num_threads(size) reduction(+ : came)
	came++;
	return came;
}

static void child_run(void)
{
	t_check(region(3) == 3, "team in the child");
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			_exit(7);
	}
}

int main(void)
{
	int status = 0;
	pid_t child;

	t_check(region(1) == 1, "team of one");
	child = fork(); /* libgomp has no threads yet that the child would miss */
	if (child == 0)
		child_run();
	t_check(child > 0 && waitpid(child, &status, 0) == child, "fork");
	t_check(WIFEXITED(status) && WEXITSTATUS(status) == 7, "exit status of the child");
	t_check(region(3) == 3, "team in the parent");
	return t_expect(2, 4, 0);
}
