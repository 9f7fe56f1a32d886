/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs whose functions are called where little may be called: held CASE [ROUNDS]. Each says in
 * lines "EXPECT function calls" what must be in the archive.
 *	handler    a handler that has interrupted malloc() fills event memory
 *	altstack   the same on a signal stack, above the thread's
 *	first      a handler is the first function of a thread, which is in malloc()
 *	cached     free() under the C library's lock of stacks that it keeps
 *	callback   functions met first in a callback of dl_iterate_phdr(), beside dlopen() and dlclose()
 *	cancelled  threads that are cancelled at any moment of the first calls that they make
 *	namespace  unshare(CLONE_NEWUSER), which a process with a second thread must not call */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PLAIN	     __attribute__((no_instrument_function))
#define SIGNAL_STACK (64 * 1024)

static _Atomic long nr_leaf, nr_handler;
static _Atomic int is_over, has_begun;

__attribute__((noinline)) void leaf(void)
{
	nr_leaf++;
}

/* Instrumented: fills a chunk every now and then. */
void handler(int signal)
{
	(void)signal;
	nr_handler++;
	for (int i = 0; i < 300; i++)
		leaf();
}

PLAIN static void churn(void)
{
	void *volatile pieces[16];

	for (int i = 0; i < 16; i++)
		pieces[i] = malloc(100 + (size_t)i * 3000);
	for (int i = 0; i < 16; i++)
		free(pieces[i]);
}

PLAIN static void catch(int signal, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | flags};

	sigaction(signal, &action, NULL);
}

PLAIN static void mask(int how, int signal)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, signal);
	pthread_sigmask(how, &signals, NULL);
}

PLAIN static void rest(long ns)
{
	struct timespec time = {0, ns};

	nanosleep(&time, NULL);
}

PLAIN static void in_handler(int rounds)
{
	struct itimerval timer = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};

	catch(SIGALRM, 0);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (nr_handler < rounds)
		churn();
	setitimer(ITIMER_REAL, &none, NULL);
}

PLAIN static void *churn_on(void *signal_stack)
{
	stack_t stack = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK};

	if (signal_stack)
		sigaltstack(&stack, NULL);
	mask(SIG_UNBLOCK, SIGUSR1);
	has_begun = 1;
	while (!is_over)
		churn();
	return NULL;
}

/* One thread for all signals, or a new one for each. */
PLAIN static void in_thread(int rounds, int nr_threads, int flags)
{
	char *stack = flags & SA_ONSTACK ? mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE,
						   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
					 : NULL;
	pthread_t thread;

	catch(SIGUSR1, flags);
	mask(SIG_BLOCK, SIGUSR1);
	for (int i = 0; i < nr_threads; i++) {
		has_begun = is_over = 0;
		pthread_create(&thread, NULL, churn_on, stack);
		while (!has_begun)
			rest(10000);
		for (int k = 0; k < rounds / nr_threads; k++) {
			rest((i + k) * 7919L % 90000);
			pthread_kill(thread, SIGUSR1);
		}
		is_over = 1;
		pthread_join(thread, NULL);
	}
}

PLAIN static void *call_once(void *unused)
{
	leaf();
	return unused;
}

/* More than 40 MB of stacks: the C library gives some back, under its lock. The threads record too
 * little to fill a chunk: the first one that is full is the main thread's, much of which is recorded
 * under the lock. */
PLAIN static void with_cached_stacks(int rounds)
{
	pthread_t threads[10];

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < 10; i++)
			pthread_create(&threads[i], NULL, call_once, NULL);
		for (int i = 0; i < 10; i++)
			pthread_join(threads[i], NULL);
	}
}

#define F1(n)	  __attribute__((noinline)) void met_##n(void) { nr_leaf++; leaf(); nr_leaf--; }
#define ADDRESS(n) met_##n,
#define TEN(F, n)  F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define HUNDRED(F, n)                                                                              \
	TEN(F, n##0) TEN(F, n##1) TEN(F, n##2) TEN(F, n##3) TEN(F, n##4) TEN(F, n##5)              \
	TEN(F, n##6) TEN(F, n##7) TEN(F, n##8) TEN(F, n##9)
HUNDRED(F1, 1)
HUNDRED(F1, 2)
HUNDRED(F1, 3)
static void (*const met[])(void) = {
	HUNDRED(ADDRESS, 1) HUNDRED(ADDRESS, 2) HUNDRED(ADDRESS, 3)};
#define NR_MET (int)(sizeof(met) / sizeof(met[0]))

static int nr_met;

PLAIN static int meet(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info, (void)size, (void)data;
	if (nr_met < NR_MET)
		met[nr_met++]();
	return 0;
}

PLAIN static void *load(void *path)
{
	while (!is_over) {
		void *plugin = dlopen(path, RTLD_NOW);
		void (*called)(void) = plugin ? (void (*)(void))dlsym(plugin, "called") : NULL;
		if (called)
			called();
		if (plugin)
			dlclose(plugin);
	}
	return NULL;
}

PLAIN static void in_callback(char *path)
{
	pthread_t loader;

	pthread_create(&loader, NULL, load, path);
	while (nr_met < NR_MET)
		dl_iterate_phdr(meet, NULL);
	is_over = 1;
	pthread_join(loader, NULL);
}

__attribute__((noinline)) void spun(void)
{
	__asm__ volatile("");
}

PLAIN static void *spin(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	has_begun = 1;
	for (;;)
		spun();
	return unused;
}

PLAIN static long ns_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin->tv_sec) * 1000000000L + now.tv_nsec - begin->tv_nsec;
}

PLAIN static void cancel(int rounds)
{
	struct timespec begin;
	pthread_t thread;

	for (int i = 0; i < rounds; i++) {
		has_begun = 0;
		pthread_create(&thread, NULL, spin, NULL);
		while (!has_begun)
			sched_yield(); /* so that the thread gets a processor soon on a busy machine */
		clock_gettime(CLOCK_MONOTONIC, &begin);
		while (ns_since(&begin) < i * 7919L % 20000)
			;
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
}

PLAIN static void unshare_alone(int rounds)
{
	for (int i = 0; i < rounds * 1000; i++)
		leaf();
	printf("unshare %d\n", unshare(CLONE_NEWUSER));
}

PLAIN int main(int count, char **arguments)
{
	const char *what = count > 1 ? arguments[1] : "";
	int rounds = count > 2 ? atoi(arguments[2]) : 200;

	if (strcmp(what, "handler") == 0)
		in_handler(rounds);
	else if (strcmp(what, "altstack") == 0)
		in_thread(rounds, 1, SA_ONSTACK);
	else if (strcmp(what, "first") == 0)
		in_thread(rounds, rounds, 0);
	else if (strcmp(what, "cached") == 0)
		with_cached_stacks(rounds);
	else if (strcmp(what, "callback") == 0 && count > 3)
		in_callback(arguments[3]);
	else if (strcmp(what, "cancelled") == 0)
		cancel(rounds);
	else if (strcmp(what, "namespace") == 0)
		unshare_alone(rounds);
	else
		return 2;
	printf("EXPECT leaf %ld\n", (long)nr_leaf);
	if (nr_handler)
		printf("EXPECT handler %ld\n", (long)nr_handler);
	return 0;
}
