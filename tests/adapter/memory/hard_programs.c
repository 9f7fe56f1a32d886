/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that allocators and recording find hard. Usage: strange MODE
 *
 *	double, bad    frees what is free already; what was never allocated
 *	threads        four threads free what others have allocated, all of it
 *	signals        a handler maps memory, whatever it interrupts
 *	fork           a child allocates and frees, also what its parent has allocated
 *	loader         looks for what is not there: the loader allocates for its words
 *	blocks         blocks of 10, 1000 and 100000 bytes, ten each; frees them all
 *	large          blocks below and above the sizes that need more room in a table, 4 GiB too */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int free_twice(void)
{
	void *volatile memory = malloc(40);

	free(memory);
	free(memory);
	return 0;
}

static int free_nothing(void)
{
	char *volatile memory = malloc(400);

	free(memory + 16);
	return 0;
}

/* ------------------------------------------------------------------------ threads --- */

enum { NR_THREADS = 4, NR_SLOTS = 64, NR_TURNS = 2000 };
static _Atomic(void *) slots[NR_SLOTS];

static void *exchange(void *data)
{
	unsigned int seed = (unsigned int)(uintptr_t)data;

	for (int i = 0; i < NR_TURNS; i++) {
		void *mine = malloc((size_t)rand_r(&seed) % 3000);
		free(atomic_exchange(&slots[rand_r(&seed) % NR_SLOTS], mine));
	}
	return NULL;
}

static int run_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (uintptr_t i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, exchange, (void *)(i + 1)) != 0)
			return 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NR_SLOTS; i++)
		free(slots[i]);
	free(malloc(1000000));
	return 0;
}

/* ------------------------------------------------------------------------- others --- */

static void map(int signal)
{
	void *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)signal;
	if (memory != MAP_FAILED)
		munmap(memory, 4096);
}

static int interrupt(void)
{
	const struct itimerval interval = {{0, 50}, {0, 50}};
	const struct sigaction action = {.sa_handler = map};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &interval, NULL);
	for (int i = 0; i < 30000; i++) {
		void *volatile memory = malloc((size_t)i % 3000);
		free(memory);
	}
	return 0;
}

static int fork_child(void)
{
	char *volatile memory = malloc(1234);
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		void *volatile other = malloc(77);

		free(memory);
		free(other);
		_exit(0);
	}
	waitpid(child, &status, 0);
	free(memory);
	return status;
}

static int ask_loader(void)
{
	for (int i = 0; i < 3; i++) {
		if (dlopen("./there/is/no.so", RTLD_NOW) || !dlerror() ||
			dlsym(RTLD_DEFAULT, "there_is_none_of_this_name") || !dlerror())
			return 1;
	}
	return 0;
}

static int allocate_blocks(void)
{
	static const size_t sizes[] = {10, 1000, 100000};
	void *volatile blocks[30];

	for (int i = 0; i < 30; i++)
		blocks[i] = malloc(sizes[i / 10]);
	for (int i = 0; i < 30; i++)
		free(blocks[i]);
	return 0;
}

static int allocate_large(void)
{
	static const size_t sizes[] = {65532, 65533, 65534, 65535, 65536, (size_t)5 << 30};

	for (int i = 0; i < 6; i++) {
		void *volatile block = malloc(sizes[i]);
		if (!block)
			return 77;
		free(block);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} modes[] = {{"double", free_twice}, {"bad", free_nothing}, {"threads", run_threads},
		{"signals", interrupt}, {"fork", fork_child}, {"loader", ask_loader},
		{"blocks", allocate_blocks}, {"large", allocate_large}};

	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			return modes[i].run();
	fputs("usage: strange MODE\n", stderr);
	return 2;
}
