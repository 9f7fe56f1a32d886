/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A metric plug-in of Score-P's kind, compiled with -DNAME=... -DSCOPE=... -DTIMING=..., and
 * perhaps -DINTERVAL=... (ticks) or -DVERSION=...: its metrics "count" (an integer), "half" (a
 * double, half of that), which the word "all" stands for both; and "die", "exit" and "never", which
 * break what asks for them or reads them. A value tells how many there are up to it, of the metric
 * (and thread). Where values have times of their own there are four at a time, of the time since
 * the last ones; and one that is too early (with -DOWN_CLOCK all are; with -DFUTURE all are of a
 * time that does not come; with -DLATE those of "half" come one time later). With
 * -DHANG it does not come back from being stopped. It appends a line to the file $SCOREP_LOG for
 * what it is told, and starts only where there is no file $SCOREP_ONCE, which it makes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "metric/scorep_abi.h"

#ifndef INTERVAL
#define INTERVAL 0
#endif
#ifndef VERSION
#define VERSION 1
#endif
#ifndef LATE
#define LATE 0
#endif
#ifndef HANG
#define HANG 0
#endif
#ifdef OWN_CLOCK
#define TIME 1000
#elif defined(FUTURE)
#define TIME (UINT64_MAX / 4)
#else
#define TIME now()
#endif
#define PASTE_OF(a, b, c) a##b##c
#define PASTE(a, b, c)    PASTE_OF(a, b, c)
#define ENTRY             PASTE(SCOREP_MetricPlugin_, NAME, _get_info)

#define MOST  3
#define BURST 4

enum { COUNT, HALF, NEVER };
static const char *const names[MOST] = {"count", "half", "never"};

static volatile int *nothing;
static uint64_t (*now)(void);
static uint64_t last[MOST], asked[MOST];
static __thread uint64_t nr_read[MOST], nr_asked[MOST];

static void log_line(const char *what, const char *which)
{
	const char *path = getenv("SCOREP_LOG");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	char line[128];

	if (file < 0)
		return;
	int length = snprintf(line, sizeof(line), "%d %s %s\n", (int)getpid(), what, which);
	if (write(file, line, (size_t)length) != length)
		abort();
	close(file);
}

static bool is_first(void)
{
	const char *path = getenv("SCOREP_ONCE");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;

	if (file >= 0)
		close(file);
	return !path || file >= 0;
}

static int32_t start(void)
{
	log_line("start", now ? "with a clock" : "without a clock");
	return getenv("SCOREP_REFUSE") || !is_first() ? -1 : 0;
}

static void stop(void)
{
	log_line("stop", "");
	while (HANG)
		pause();
}

static void describe(struct measure_scorep_metric *metric, int which)
{
	*metric = (struct measure_scorep_metric){.name = strdup(names[which]),
		.description = strdup("how many there are"),
		.mode = 0,
		.value_type = which == HALF ? MEASURE_SCOREP_DOUBLE : MEASURE_SCOREP_INT64,
		.base = MEASURE_SCOREP_DECIMAL,
		.exponent = 3,
		.unit = which == HALF ? NULL : strdup("B")};
}

static struct measure_scorep_metric *metrics_of(char *word)
{
	struct measure_scorep_metric *metrics = calloc(MOST + 1, sizeof(*metrics));
	int nr = 0;

	log_line("metrics_of", word);
	if (strcmp(word, "die") == 0)
		*nothing = 0;
	if (strcmp(word, "exit") == 0)
		_exit(0);
	for (int i = 0; i < MOST; i++)
		if (strcmp(word, names[i]) == 0 || (strcmp(word, "all") == 0 && i != NEVER))
			describe(&metrics[nr++], i);
	if (nr > 0)
		return metrics;
	free(metrics);
	return NULL;
}

/* Values are asked for in hooks, where nothing may be allocated: a thread's memory for variables of
 * its own is, when it first uses one. */
static int32_t add(char *metric)
{
	memset(nr_asked, 0, sizeof(nr_asked));
	log_line("add", metric);
	for (int i = 0; i < MOST; i++)
		if (strcmp(metric, names[i]) == 0)
			return i;
	return -1;
}

static uint64_t next_of(int32_t number)
{
	double half = (double)++nr_read[number] / 2;
	uint64_t bits;

	if (number == NEVER)
		*nothing = 0;
	memcpy(&bits, &half, sizeof(bits));
	return number == HALF ? bits : nr_read[number];
}

static uint64_t value(int32_t number)
{
	return next_of(number);
}

/* Every other time. */
static bool new_value(int32_t number, uint64_t *place)
{
	if (nr_asked[number]++ % 2)
		return false;
	*place = next_of(number);
	return true;
}

static void take_clock(uint64_t (*clock)(void))
{
	now = clock;
}

static uint64_t values(int32_t number, struct measure_scorep_value **list)
{
	uint64_t time = TIME, to = LATE && number == HALF ? asked[number] : time;
	uint64_t step = (to - last[number]) / (BURST + 1);

	asked[number] = time;
	*list = calloc(BURST + 1, sizeof(**list));
	(*list)[0].time = 1;
	(*list)[0].value = 12345;
	for (int i = 1; i <= BURST; i++) {
		(*list)[i].time = last[number] + (uint64_t)i * step;
		(*list)[i].value = next_of(number);
	}
	last[number] = to;
	return BURST + 1;
}

static void synchronize(bool is_reading, uint32_t moment)
{
	log_line(moment == MEASURE_SCOREP_END ? "end" : "begin", is_reading ? "reading" : "not");
	for (int i = 0; i < MOST && moment != MEASURE_SCOREP_END && now; i++)
		last[i] = asked[i] = TIME;
}

struct measure_scorep_info ENTRY(void);
struct measure_scorep_info ENTRY(void) {
	return (struct measure_scorep_info){.version = VERSION,
		.scope = SCOPE,
		.timing = TIMING,
		.interval = INTERVAL,
		.start = start,
		.stop = stop,
		.metrics_of = metrics_of,
		.add = add,
		.value = value,
		.new_value = new_value,
		.take_clock = take_clock,
		.values = values,
		.synchronize = synchronize};
}
