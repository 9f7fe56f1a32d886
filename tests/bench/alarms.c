/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a timer's signal costs by itself: a loop without, and with an empty handler that is called
 * HZ times a second. */
#define _GNU_SOURCE
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STEPS 200000000

static volatile double sink;

static void on_alarm(int number)
{
	(void)number;
}

static double processor_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double loop(void)
{
	double begin = processor_ms();

	for (long i = 0; i < STEPS; i++)
		sink = sink * 0.5 + (double)i;
	return processor_ms() - begin;
}

int main(int argc, char **argv)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
	struct sigaction action = {.sa_flags = SA_RESTART};
	long period = argc > 1 ? 1000000000 / atol(argv[1]) : 1000000;
	const struct itimerspec times = {{0, period}, {0, period}};
	timer_t timer;
	double plain = loop();

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	action.sa_handler = on_alarm;
	if (sigaction(SIGRTMIN, &action, NULL) != 0 ||
		timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
		timer_settime(timer, 0, &times, NULL) != 0)
		return 1;
	printf("percent %.2f\n", 100 * (loop() / plain - 1));
	return 0;
}
