/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four fifths of the time in one function and a fifth in another one, by the clock, until a file is
 * there. An outer function is never left. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void spend(long milliseconds)
{
	struct timespec now;
	long end;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end = now.tv_sec * 1000 + now.tv_nsec / 1000000 + milliseconds;
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < end);
}

__attribute__((noinline)) void fourfifths(void)
{
	spend(40);
}

__attribute__((noinline)) void fifth(void)
{
	spend(10);
}

__attribute__((noinline)) void outer(const char *stop)
{
	puts("ready");
	fflush(stdout);
	while (access(stop, F_OK) != 0) {
		fourfifths();
		fifth();
	}
}

int main(int argc, char **argv)
{
	outer(argc > 1 ? argv[1] : "stop");
	return 0;
}
