/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of two threads that counts what it does in a file, and ends as its argument says:
 *
 *	faults FAULT COUNTS
 *
 * COUNTS is an array of numbers, one for each thread: how often its function was entered and
 * left. Counted is what is over, so a trace that has less has lost something. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define QUIET       __attribute__((no_instrument_function))
#define NR_STEPS    4000
#define LONG_ROUNDS 60000 /* a minute at least */

static volatile uint64_t *counts;
static volatile int is_worker_done;

__attribute__((noinline)) static int step_0(int n)
{
	return n + 1;
}

__attribute__((noinline)) static int step_1(int n)
{
	return n + 2;
}

QUIET static int work(int thread, int nr)
{
	int sum = 0;

	for (int i = 0; i < nr; i++) {
		sum += thread ? step_1(i) : step_0(i);
		counts[thread]++;
	}
	return sum;
}

static void *worker(void *how)
{
	work(1, NR_STEPS);
	is_worker_done = 1;
	if (strcmp(how, "thread-exit") == 0)
		exit(5);
	if (strcmp(how, "thread-segv") == 0)
		*(volatile int *)0 = 0;
	for (;;)
		pause();
}

/* For others to end: goes on counting in both threads. */
static void *long_worker(void *unused)
{
	const struct timespec pause = {0, 1000000};

	for (int i = 0; i < LONG_ROUNDS; i++) {
		work(1, 50);
		nanosleep(&pause, NULL);
	}
	return unused;
}

static void go_on(void)
{
	const struct timespec pause = {0, 1000000};
	pthread_t thread;

	pthread_create(&thread, NULL, long_worker, NULL);
	work(0, 10 * NR_STEPS); /* a chunk is full */
	printf("ready\n");
	fflush(stdout);
	for (int i = 0; i < LONG_ROUNDS; i++) {
		work(0, 50);
		nanosleep(&pause, NULL);
	}
}

static void use_up_descriptors(void)
{
	while (open("/dev/null", O_RDONLY) >= 0 || dup(0) >= 0)
		;
}

/* Ours too, if we had any; and their numbers are somebody else's from now on. */
static void close_all(void)
{
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	for (int i = 0; i < 100; i++)
		if (open("/dev/full", O_RDWR) < 0)
			return;
}

/* Of the calls of the system hardly any are left. */
static void refuse(void)
{
	const int calls[] = {SYS_read, SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn};
	const unsigned int nr = sizeof(calls) / sizeof(calls[0]);
	struct sock_filter filter[2 * sizeof(calls) / sizeof(calls[0]) + 2];
	struct sock_fprog program = {2 * nr + 2, filter};

	filter[0] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (unsigned int i = 0; i < nr; i++) {
		filter[1 + 2 * i] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)calls[i], 0, 1);
		filter[2 + 2 * i] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	filter[1 + 2 * nr] =
		(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void limit(int resource, rlim_t value)
{
	struct rlimit limit = {value, value};

	setrlimit(resource, &limit);
}

static void burn(void)
{
	struct rlimit second = {1, 10};

	setrlimit(RLIMIT_CPU, &second);
	for (volatile uint64_t i = 0;; i++)
		if (i % 100000 == 0)
			work(0, 1);
}

/* Also where it came ignored, as to all that a shell starts in the background. */
static void raise_for_real(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void end(const char *how)
{
	if (strcmp(how, "exit") == 0)
		exit(3);
	if (strcmp(how, "_exit") == 0)
		_exit(3);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(3);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "segv") == 0)
		*(volatile int *)0 = 0;
	if (strcmp(how, "xcpu") == 0)
		burn();
	if (strncmp(how, "signal-", 7) == 0)
		raise_for_real(atoi(how + 7));
	for (;;) /* a thread will end us */
		pause();
}

/* Before all threads but the first one. */
static void provoke(const char *how)
{
	if (strcmp(how, "descriptors") == 0)
		use_up_descriptors();
	if (strcmp(how, "closed") == 0)
		close_all();
	if (strcmp(how, "refused") == 0)
		refuse();
	if (strcmp(how, "address-space") == 0)
		limit(RLIMIT_AS, 0);
	if (strcmp(how, "limits") == 0) {
		limit(RLIMIT_FSIZE, 0);
		limit(RLIMIT_MEMLOCK, 0);
		limit(RLIMIT_NOFILE, 3);
		limit(RLIMIT_NPROC, 8);
		limit(RLIMIT_CORE, 0);
	}
}

/* Then it ends as others do. */
static int is_provoked(const char *how)
{
	return strcmp(how, "descriptors") == 0 || strcmp(how, "limits") == 0 ||
	       strcmp(how, "closed") == 0 || strcmp(how, "refused") == 0 ||
	       strcmp(how, "address-space") == 0;
}

int main(int count, char **arguments)
{
	const char *how = count > 2 ? arguments[1] : "";
	pthread_t thread;

	int fd = count > 2 ? open(arguments[2], O_RDWR | O_CREAT, 0666) : -1;
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return 99;
	counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		return 99;
	close(fd);
	if (strcmp(how, "long") == 0) {
		go_on();
		return 0;
	}
	if (strcmp(how, "plain") == 0)
		return work(0, 100 * NR_STEPS) == 0 ? 99 : 3; /* 2 MB of events at least */
	provoke(how);
	if (strcmp(how, "address-space") != 0 &&
		pthread_create(&thread, NULL, worker, (void *)how) == 0)
		while (!is_worker_done)
			usleep(1000);
	work(0, NR_STEPS);
	if (strcmp(how, "sleep") == 0) {
		printf("ready\n");
		fflush(stdout);
		sleep(60);
	}
	end(is_provoked(how) ? "exit" : how);
	return 98;
}
