/* SPDX-License-Identifier: BSD-3-Clause
 * Description: a region that ends long before the program does, however that ends. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "t_omp.h"

int main(int nr_arguments, char **arguments)
{
	int count = 0;

#pragma omp parallel num_threads(3) reduction(+ : count)
	count++;
#pragma omp parallel num_threads(1)
	usleep(300000);
	t_check(count == 3, "everybody came");
	if (nr_arguments > 1 && strcmp(arguments[1], "killed") == 0)
		raise(SIGKILL);
	if (nr_arguments > 1)
		_exit(0);
	return 0;
}
