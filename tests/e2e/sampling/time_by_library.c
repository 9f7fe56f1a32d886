/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program whose processor time is spent in itself, in three libraries and in the C library, in
 * given shares. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void plain_entry(long n);
void mini_entry(long n);
void split_entry(long n);

static volatile double sink;
static char *memory;
enum { MEMORY = 1 << 20 };

static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) static void own(long n)
{
	for (long i = 0; i < n; i++)
		sink += (double)i;
}

__attribute__((noinline)) static void fill(long n)
{
	for (long i = 0; i < n / 100000 + 1; i++)
		memset(memory, (int)i, MEMORY);
	sink += memory[MEMORY / 2];
}

static void spend(void (*work)(long), double seconds)
{
	double end = used() + seconds;

	while (used() < end)
		work(1000000);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	memory = malloc(MEMORY);
	if (!memory)
		return 1;
	spend(plain_entry, 0.3 * seconds);
	spend(mini_entry, 0.2 * seconds);
	spend(split_entry, 0.2 * seconds);
	spend(fill, 0.2 * seconds);
	spend(own, 0.1 * seconds);
	return 0;
}
