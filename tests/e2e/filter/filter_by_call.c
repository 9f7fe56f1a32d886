/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls for filters that look at each: repeated, recursive, nested, left by longjmp, with alloca.
 * One takes SLOW_MS, of the environment.
 *
 *	filtered_calls kill MICROSECONDS FILE	kills itself in the middle of short calls; the first
 *						eight bytes of FILE are the number of calls of
 *						tick() then
 *	filtered_calls loop N [FILE]		calls solve() so often, and removes FILE half-way
 *	filtered_calls fork			forks in the middle of recurse() and goes on in both
 */
#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf place;
static volatile int sink;
static volatile uint64_t unshared, *nr_ticks = &unshared;
static int fork_at = -1;

static void tick(int n)
{
	++*nr_ticks;
	sink += n;
}

static int recurse(int n)
{
	tick(n);
	if (n == fork_at && fork() > 0)
		wait(NULL);
	return n ? recurse(n - 1) + 1 : 0;
}

static void stack(int n)
{
	char *bytes = alloca((size_t)n);

	bytes[0] = 1;
	tick(bytes[0]);
}

static void jump(int n)
{
	if (n == 0)
		longjmp(place, 1);
	jump(n - 1);
}

static void slow(void)
{
	const char *milliseconds = getenv("SLOW_MS");

	if (milliseconds)
		usleep((useconds_t)strtoul(milliseconds, NULL, 10) * 1000);
	tick(1);
}

static void solve(void)
{
	recurse(2);
	tick(3);
}

#define UNSEEN static __attribute__((no_instrument_function))

UNSEEN void *kill_later(void *microseconds)
{
	usleep((useconds_t)strtoul(microseconds, NULL, 10));
	kill(getpid(), SIGKILL);
	return NULL;
}

UNSEEN void count_in(const char *file)
{
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	void *page = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, 4096) == 0)
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		exit(2);
	nr_ticks = page;
}

UNSEEN void run(char **arguments)
{
	pthread_t thread;

	if (strcmp(arguments[0], "kill") == 0) {
		count_in(arguments[2]);
		pthread_create(&thread, NULL, kill_later, arguments[1]);
		for (;;)
			solve();
	}
	for (int i = 0; strcmp(arguments[0], "loop") == 0 && i < atoi(arguments[1]); i++) {
		if (arguments[2] && i == atoi(arguments[1]) / 2)
			unlink(arguments[2]);
		solve();
	}
	fork_at = strcmp(arguments[0], "fork") == 0 ? 1 : -1;
	solve();
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		run(argv + 1);
		return 0;
	}
	for (int i = 0; i < 6; i++)
		tick(i);
	solve();
	recurse(3);
	slow();
	stack(100);
	for (int i = 0; i < 3; i++)
		if (!setjmp(place))
			jump(2);
	solve();
	tick(9);
	return 0;
}
