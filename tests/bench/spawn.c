/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a command many times and prints the median of its wall time, start to end: "wall_ms MEDIAN".
 * Usage: spawn COUNT COMMAND ARGS...; an argument "{}" becomes the number of the run. */
#include "config.h"

#include <spawn.h>
#include <sys/wait.h>

#include "bench.h"

extern char **environ;

/* Wall milliseconds of one run; negative if it fails. */
static double run_once(char **arguments)
{
	uint64_t begin = bench_now();
	pid_t pid;
	int status;

	if (posix_spawnp(&pid, arguments[0], NULL, NULL, arguments, environ) != 0)
		return -1;
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return -1;
	return (double)(bench_now() - begin) / 1e6;
}

/* Puts the run's number into all "{}" arguments; the text lives until the next call. */
static void number_arguments(int nr, char **from, char **to, int run)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", run);
	for (int i = 0; i < nr; i++)
		to[i] = strcmp(from[i], "{}") == 0 ? text : from[i];
	to[nr] = NULL;
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[1]) : 0;
	char **arguments = calloc((size_t)argc, sizeof(*arguments));
	double *values = calloc((size_t)count + 1, sizeof(*values));

	if (count < 1 || !arguments || !values) {
		fputs("usage: spawn COUNT COMMAND ARGS...\n", stderr);
		return 2;
	}
	for (int i = 0; i < count; i++) {
		number_arguments(argc - 2, argv + 2, arguments, i);
		values[i] = run_once(arguments);
		if (values[i] < 0) {
			fprintf(stderr, "spawn: %s fails\n", argv[2]);
			return 1;
		}
	}
	printf("wall_ms %.2f\n", bench_median(values, (size_t)count));
	free(arguments);
	free(values);
	return 0;
}
