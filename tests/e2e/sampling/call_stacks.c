/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that spends its time in functions that tests know, and does to signals, stacks, threads
 * and processes what sampling must not disturb. Not compiled with hooks. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) static void heavy(long n)
{
	for (long i = 0; i < n; i++)
		sink = sink * 0.5 + (double)i;
}

__attribute__((noinline)) static void light(long n)
{
	for (long i = 0; i < n; i++)
		sink = sink * 0.5 + (double)i;
}

/* Seven parts of ten in the one, three in the other. */
__attribute__((noinline)) static void burn(double how_long)
{
	double end = seconds() + how_long;

	while (seconds() < end) {
		heavy(70000);
		light(30000);
	}
}

__attribute__((noinline)) static long dive(long depth)
{
	long below = 0;

	if (depth > 0)
		below = dive(depth - 1);
	else
		burn(0.3);
	sink = (double)below;
	return below + 1;
}

static jmp_buf place;

__attribute__((noinline)) static void leap(long depth)
{
	volatile char room[256];

	room[0] = (char)depth;
	if (depth > 0)
		leap(depth - 1);
	heavy(2000);
	longjmp(place, 1 + room[0]);
}

static int leaps(void)
{
	volatile long nr = 0;
	double end = seconds() + 0.4;

	setjmp(place);
	while (seconds() < end) {
		nr++;
		leap(nr % 20);
	}
	puts(nr > 100 ? "leapt" : "has not leapt");
	return 0;
}

/* ------------------------------------------------------------------------- signals --- */

static volatile sig_atomic_t nr_profiled, nr_alarms, nr_queued, sum_queued;

static void on_profile(int number)
{
	(void)number;
	nr_profiled++;
}

static void on_alarm(int number)
{
	(void)number;
	nr_alarms++;
	heavy(10000);
}

static void on_queued(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	nr_queued++;
	sum_queued += info->si_value.sival_int;
}

/* Timers of its own, and each real-time signal in turn. */
static int signals(void)
{
	const struct itimerval often = {{0, 2000}, {0, 2000}};
	const struct itimerval off = {{0, 0}, {0, 0}};
	struct sigaction queued = {.sa_flags = SA_SIGINFO}, old;
	int expected = 0, wrong = 0;

	signal(SIGPROF, on_profile);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_PROF, &often, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	burn(0.5);
	queued.sa_sigaction = on_queued;
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++) {
		wrong += sigaction(i, &queued, &old) != 0 || old.sa_handler != SIG_DFL;
		sigqueue(getpid(), i, (union sigval){.sival_int = i});
		expected += i;
		heavy(1000000);
		wrong += sigaction(i, NULL, &old) != 0 || old.sa_sigaction != on_queued;
	}
	setitimer(ITIMER_PROF, &off, NULL);
	setitimer(ITIMER_REAL, &off, NULL);
	printf("%s profiled, %s woken, %d wrong, %s\n", nr_profiled > 10 ? "was" : "was not",
		nr_alarms > 10 ? "was" : "was not", wrong,
		nr_queued == SIGRTMAX - SIGRTMIN + 1 && sum_queued == expected ? "all came"
									       : "lost some");
	return 0;
}

static _Atomic int nr_waited;

/* A thread that takes no signals but by waiting for them, all there are. */
static void *wait_for_all(void *data)
{
	sigset_t all;
	int number;

	(void)data;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < 50; i++) {
		heavy(3000000);
		if (sigwait(&all, &number) != 0 || number != SIGUSR1)
			printf("signal %d came\n", number);
		nr_waited++;
	}
	return NULL;
}

static int waits(void)
{
	pthread_t thread;
	sigset_t user;

	sigemptyset(&user);
	sigaddset(&user, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &user, NULL);
	pthread_create(&thread, NULL, wait_for_all, NULL);
	burn(0.1);
	for (int i = 0; i < 50; i++) {
		pthread_kill(thread, SIGUSR1);
		while (nr_waited == i)
			usleep(1000);
	}
	pthread_join(thread, NULL);
	puts("waited");
	return 0;
}

/* Calls that a handler interrupts. */
static int sleeps(void)
{
	const struct timespec a_while = {0, 2000000};
	int nr_interrupted = 0;

	for (int i = 0; i < 100; i++) {
		heavy(1000000);
		nr_interrupted += nanosleep(&a_while, NULL) != 0;
		nr_interrupted += poll(NULL, 0, 1) != 0;
	}
	printf("%d interrupted\n", nr_interrupted);
	return 0;
}

static int on_other_stack(void)
{
	const struct itimerval often = {{0, 5000}, {0, 5000}};
	struct sigaction action = {.sa_flags = SA_ONSTACK | SA_RESTART};
	stack_t stack = {.ss_size = 32768, .ss_sp = malloc(32768)};

	action.sa_handler = on_alarm;
	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	burn(0.5);
	puts(nr_alarms > 10 ? "was woken" : "was not woken");
	return 0;
}

/* ------------------------------------------------------------- threads, processes --- */

static void *run(void *data)
{
	burn(*(double *)data);
	return NULL;
}

static int threads(void)
{
	double how_long[3] = {0.3, 0.6, 0.9};
	pthread_t handles[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&handles[i], NULL, run, &how_long[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(handles[i], NULL);
	return 0;
}

static void *leave_early(void *data)
{
	burn(0.004);
	if (data)
		pthread_exit(data);
	for (;;) {
		heavy(1000);
		pthread_testcancel();
	}
}

static int ends(void)
{
	pthread_t handle;

	for (long i = 0; i < 60; i++) {
		pthread_create(&handle, NULL, leave_early, (void *)(i & 1));
		if (!(i & 1))
			pthread_cancel(handle);
		pthread_join(handle, NULL);
	}
	puts("all ended");
	return 0;
}

static int children(void)
{
	int status, nr_well = 0;

	for (int i = 0; i < 5; i++) {
		burn(0.02);
		if (fork() == 0) {
			burn(0.05);
			_exit(7);
		}
		wait(&status);
		nr_well += WIFEXITED(status) && WEXITSTATUS(status) == 7;
	}
	printf("%d children\n", nr_well);
	return 0;
}

/* As soon as it is there, it becomes another one. */
static int images(const char *self, int nr)
{
	char text[16];

	if (nr == 0) {
		puts("last image");
		return 0;
	}
	execl("/no/such/program", self, NULL);
	burn(0.005);
	snprintf(text, sizeof(text), "%d", nr - 1);
	execl(self, self, "images", text, NULL);
	return 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "split";

	if (strcmp(what, "deep") == 0)
		return dive(20000) != 20001;
	if (strcmp(what, "leaps") == 0)
		return leaps();
	if (strcmp(what, "signals") == 0)
		return signals();
	if (strcmp(what, "waits") == 0)
		return waits();
	if (strcmp(what, "sleeps") == 0)
		return sleeps();
	if (strcmp(what, "stack") == 0)
		return on_other_stack();
	if (strcmp(what, "threads") == 0)
		return threads();
	if (strcmp(what, "ends") == 0)
		return ends();
	if (strcmp(what, "children") == 0)
		return children();
	if (strcmp(what, "images") == 0)
		return images(argv[0], atoi(argv[2]));
	burn(argc > 2 ? atof(argv[2]) : 2);
	if (strcmp(what, "killed") == 0)
		raise(SIGKILL);
	return 0;
}
