/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Touches 16 pages in each call of touch(): metered THREADS CALLS. Of each thread as many, one
 * after the other; and in a child where the first argument is "fork"; or in one that cannot open
 * files where it is "starve". */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (16 * 4096)

static int nr_calls;
static volatile int total;

static void touch(volatile char *memory)
{
	for (int i = 0; i < SIZE; i += 4096)
		memory[i] = 1;
}

__attribute__((noinline)) static int tiny(int x)
{
	return total += x;
}

static void *work(void *argument)
{
	for (int i = 0; i < nr_calls; i++) {
		char *memory = mmap(
			NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		touch(memory);
		munmap(memory, SIZE);
		tiny(i);
	}
	return argument;
}

int main(int count, char **arguments)
{
	int nr_threads = count > 1 ? atoi(arguments[1]) : 0;
	pthread_t thread;

	nr_calls = count > 2 ? atoi(arguments[2]) : 10;
	if (count > 1 && strcmp(arguments[1], "fork") == 0) {
		pid_t child = fork();
		if (child == 0) {
			work(NULL);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	work(NULL);
	if (count > 1 && strcmp(arguments[1], "starve") == 0) {
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0});
		nr_threads = 1;
	}
	for (int i = 0; i < nr_threads; i++) {
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}
