/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes 64 MiB of memory and stays until its keeper has sampled that twice: sampled RUN [FILE]
 * [kill]. Makes FILE, and waits until it is gone. `kill`: dies. */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE (64 << 20)

char *volatile memory; /* or the compiler leaves it out */

static void take(void)
{
	memory = malloc(SIZE);
	memset(memory, 1, SIZE);
}

/* Of all files of samples of processes. */
static long size_of_files(const char *run)
{
	char pattern[4096];
	struct stat stat_of;
	glob_t found;
	long size = 0;

	snprintf(pattern, sizeof(pattern), "%s/.parts/*/process.evt", run);
	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (stat(found.gl_pathv[i], &stat_of) == 0)
			size += stat_of.st_size;
	globfree(&found);
	return size;
}

static void stay(const char *run)
{
	long begin = size_of_files(run);

	for (int i = 0; i < 3000 && size_of_files(run) < begin + 100; i++)
		usleep(10000);
}

static void await(const char *name)
{
	close(open(name, O_CREAT | O_WRONLY, 0600));
	for (int i = 0; i < 3000 && access(name, F_OK) == 0; i++)
		usleep(10000);
}

int main(int count, char **arguments)
{
	take();
	stay(arguments[1]);
	if (count > 2)
		await(arguments[2]);
	stay(arguments[1]);
	if (count > 3)
		raise(SIGKILL);
	return 0;
}
