/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-event-costs FILE BLOCKS: the program that `measure --calibrate-events` records. Writes a
 * table of what events cost; measure-mpi-event-costs, which is the same with other subjects, adds
 * to it. For each kind of event, working set and rate, it times blocks of operations with the event
 * and without it by turns; what differs is the cost. Where events are rare, the time between them
 * varies more than an event takes: there only the operations are timed, each by itself. */
#include "config.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bootstrap.h"
#include "costs/event_costs.h"
#include "format/self_timings.h"
#include "passage.h"
#include "subjects.h"
#include "ticks.h"
#include "work.h"

#define HOOK_NS     2.0 /* the call of what records an event, until it begins */
#define WARM_NS     300000.0 /* of work before a block: a processor that slept is slow */
#define BLOCK_NS    400000.0 /* how long a block of rare events takes, about */
#define WARM_OPS    2
#define MOST_OPS    500
#define LEAST_OPS   6
#define CLOCK_READS 1000

#define MOST_REFERENCES 10000

/* Events per second that are aimed at; 0: one behind the other. */
static const double rates[] = {0, 1e7, 1e6, 1e5, 1e4};

/* Above this rate whole blocks are timed: the time of computing, and of reading memory. */
#define SHORT_RATE        2e5
#define SHORT_RATE_MEMORY 2e6

#define NR_RATES (sizeof(rates) / sizeof(rates[0]))

#define MOST_SETTINGS (MOST_SUBJECTS * NR_RATES)

/* One for each turn. */
struct samples {
	double differences[MOST_VALUES]; /* ns for one operation, with the event and without it */
	double wholes[MOST_VALUES];      /* ns for one with the event and the work before it */
	double enters[MOST_VALUES];      /* ticks of one block, likewise, of a function's Enters */
	double leaves[MOST_VALUES];
};

struct setting {
	const struct subject *subject;
	struct event_work *work;
	unsigned long steps; /* of work before each operation */
	unsigned nr_ops;     /* of a block */
	bool is_short;       /* whole blocks are timed */
	struct samples *samples;
};

static unsigned nr_blocks;
static double clock_ns; /* one clock read */

/* Ticks of reference events, beside each pair of blocks. */
static double references[MOST_REFERENCES];
static unsigned nr_references;

/* --------------------------------------------------------------------------- blocks --- */

/* Without events for a while, so that the keeper has written those that there were. What that has
 * left cold is not the cost at this rate. */
static void rest(const struct setting *setting, void (*operation)(void))
{
	measure_work_do(setting->work, (unsigned long)(WARM_NS / setting->work->unit));
	for (unsigned i = 0; i < WARM_OPS; i++) {
		measure_work_do(setting->work, setting->steps);
		operation();
	}
}

static double time_whole(const struct setting *setting, void (*operation)(void))
{
	const uint64_t begin = measure_ticks();

	for (unsigned i = 0; i < setting->nr_ops; i++) {
		measure_work_do(setting->work, setting->steps);
		operation();
	}
	return measure_ticks_ns(measure_ticks() - begin) / setting->nr_ops;
}

static double time_each(const struct setting *setting, void (*operation)(void), double *whole)
{
	const uint64_t first = measure_ticks();
	uint64_t sum = 0;

	for (unsigned i = 0; i < setting->nr_ops; i++) {
		measure_work_do(setting->work, setting->steps);
		const uint64_t begin = measure_ticks();
		operation();
		sum += measure_ticks() - begin;
	}
	*whole = measure_ticks_ns(measure_ticks() - first) / setting->nr_ops;
	return measure_ticks_ns(sum) / setting->nr_ops;
}

/* ns that the operation takes, with or without the work before it; *whole: with it. */
static double time_block(const struct setting *setting, void (*operation)(void), double *whole)
{
	rest(setting, operation);
	if (!setting->is_short)
		return time_each(setting, operation, whole);
	*whole = time_whole(setting, operation);
	return *whole;
}

static void compare_blocks(const struct setting *setting, unsigned turn)
{
	const struct subject *subject = setting->subject;
	const bool is_plain_first = turn % 2;
	double plain = 0, ignored;

	if (is_plain_first)
		plain = time_block(setting, subject->plain, &ignored);
	const double recorded =
		time_block(setting, subject->recorded, &setting->samples->wholes[turn]);
	if (!is_plain_first)
		plain = time_block(setting, subject->plain, &ignored);
	setting->samples->differences[turn] = recorded - plain;
}

/* ------------------------------------------------------------------ enter and leave --- */

static struct passage sum_passages(const struct setting *setting, bool is_recorded)
{
	struct passage sum = {0, 0};

	rest(setting, is_recorded ? setting->subject->recorded : setting->subject->plain);
	for (unsigned i = 0; i < setting->nr_ops; i++) {
		measure_work_do(setting->work, setting->steps);
		const struct passage one =
			is_recorded ? measure_pass_recorded() : measure_pass_plain();
		sum.enter += one.enter;
		sum.leave += one.leave;
	}
	return sum;
}

static void compare_passages(const struct setting *setting, unsigned turn)
{
	const struct passage with = sum_passages(setting, true);
	const struct passage without = sum_passages(setting, false);

	setting->samples->enters[turn] = (double)with.enter - (double)without.enter;
	setting->samples->leaves[turn] = (double)with.leave - (double)without.leave;
}

/* Which part of the cost of both is that of the Enter. */
static double enter_share(struct samples *samples)
{
	const double enter = fmax(measure_median(samples->enters, nr_blocks), 0);
	const double leave = fmax(measure_median(samples->leaves, nr_blocks), 0);

	return enter + leave > 0 ? fmin(fmax(enter / (enter + leave), 0.1), 0.9) : 0.5;
}

/* --------------------------------------------------------------------------- table --- */

/* Hundredths of ns are enough. */
static double rounded(double ns)
{
	return round(100 * fmax(ns, 0)) / 100;
}

/* Part of an estimate as the cost of one event: it begins with the call and the first half of the
 * clock read, and the rest comes after its timestamp; so does all of a record that has none. */
static struct measure_event_cost_point make_point(
	const struct estimate *estimate, double rate, double share, bool has_timestamp)
{
	const double cost = rounded(share * estimate->median);
	const double before =
		has_timestamp ? fmin(rounded(HOOK_NS + clock_ns / 2), rounded(cost / 2)) : 0;

	return (struct measure_event_cost_point){round(rate), before, rounded(cost - before),
		rounded(share * estimate->low), rounded(share * estimate->high)};
}

/* Rates come in descending order; one that is not lower than the one before it is left out. */
static void put_point(
	struct measure_event_cost_curve *curve, const struct measure_event_cost_point *point)
{
	if (curve->nr > 0 && point->rate >= curve->points[0].rate)
		return;
	memmove(curve->points + 1, curve->points, curve->nr * sizeof(*point));
	curve->points[0] = *point;
	curve->nr++;
}

static bool is_pair(const struct subject *subject)
{
	return subject->kind != subject->other_kind;
}

static void put_setting(struct measure_event_costs *costs, enum measure_working_set set,
	const struct setting *setting)
{
	const struct subject *subject = setting->subject;
	struct samples *samples = setting->samples;
	const double whole = measure_median(samples->wholes, nr_blocks);
	const struct estimate estimate = measure_bootstrap(samples->differences, nr_blocks);
	const double share = is_pair(subject) ? enter_share(samples) : 1.0 / subject->nr_events;
	const double rate = subject->nr_transactions * 1e9 / whole;

	struct measure_event_cost_point point =
		make_point(&estimate, rate, share, subject->has_timestamp);
	put_point(&costs->curves[subject->kind][set], &point);
	if (!is_pair(subject))
		return;
	point = make_point(&estimate, rate, 1 - share, subject->has_timestamp);
	put_point(&costs->curves[subject->other_kind][set], &point);
}

/* The work before each operation makes events as rare as is wished, but for their own time. */
static struct setting make_setting(
	const struct subject *subject, struct event_work *work, double rate)
{
	const double period = rate > 0 ? subject->nr_transactions * 1e9 / rate : 0;
	const double nr_ops = period > 0 ? BLOCK_NS / period : MOST_OPS;

	return (struct setting){
		.subject = subject,
		.work = work,
		.steps = (unsigned long)(period / work->unit),
		.nr_ops = (unsigned)fmin(fmax(nr_ops, LEAST_OPS), MOST_OPS),
		.is_short = rate == 0 || rate > (work->varies ? SHORT_RATE_MEMORY : SHORT_RATE),
	};
}

static void note_reference(void)
{
	const uint64_t ticks = nr_references < MOST_REFERENCES ? measure_pass_reference() : 0;

	if (ticks > 0)
		references[nr_references++] = (double)ticks;
}

/* In each turn all of them: what disturbs for a while disturbs a few blocks of each. */
static void take_turns(const struct setting *settings, unsigned nr)
{
	for (unsigned turn = 0; turn < nr_blocks; turn++)
		for (unsigned i = 0; i < nr; i++) {
			compare_blocks(&settings[i], turn);
			note_reference();
			if (is_pair(settings[i].subject))
				compare_passages(&settings[i], turn);
		}
}

static bool measure_set(struct measure_event_costs *costs, enum measure_working_set set)
{
	static struct setting settings[MOST_SETTINGS];
	static struct samples samples[MOST_SETTINGS];
	const unsigned nr = measure_nr_subjects * NR_RATES;
	struct event_work work;

	if (!measure_work_start(&work, set))
		return false;
	for (unsigned i = 0; i < nr; i++) {
		settings[i] =
			make_setting(&measure_subjects[i / NR_RATES], &work, rates[i % NR_RATES]);
		settings[i].samples = &samples[i];
	}
	take_turns(settings, nr);
	for (unsigned i = 0; i < nr; i++)
		put_setting(costs, set, &settings[i]);
	measure_work_end(&work);
	return true;
}

/* --------------------------------------------------------------------------- begin --- */

static void time_clock(void)
{
	const uint64_t begin = measure_ticks();

	for (unsigned i = 0; i < CLOCK_READS; i++)
		measure_ticks();
	clock_ns = measure_ticks_ns(measure_ticks() - begin) / CLOCK_READS;
}

/* The last one that may be used: interrupts prefer the first one. */
static void pin(void)
{
	cpu_set_t set;
	int processor = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	while (processor > 0 && !CPU_ISSET(processor, &set))
		processor--;
	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* All that happens once: definitions, threads of adapters, which must not inherit the pin. */
static void warm_up(void)
{
	const struct timespec pause = {0, 100 * 1000 * 1000};

	for (unsigned i = 0; i < measure_nr_subjects; i++)
		for (unsigned k = 0; k < MOST_OPS; k++) {
			measure_subjects[i].recorded();
			measure_subjects[i].plain();
			measure_pass_recorded();
		}
	nanosleep(&pause, NULL);
	pin();
	measure_ticks_start();
	time_clock();
}

/* Into the costs that are in the file already, which were measured at another moment. */
static void merge(struct measure_event_costs *costs, struct measure_event_costs *measured)
{
	if (costs->reference > 0 && measured->reference > 0)
		measure_event_costs_scale(measured, costs->reference / measured->reference);
	else
		costs->reference = measured->reference;
	for (unsigned kind = 0; kind < MEASURE_NR_EVENT_COSTS; kind++)
		for (unsigned set = 0; set < MEASURE_NR_WORKING_SETS; set++)
			if (measured->curves[kind][set].nr > 0)
				costs->curves[kind][set] = measured->curves[kind][set];
}

static int complain(const char *about, const char *what)
{
	fprintf(stderr, "measure-event-costs: %s%s\n", about, what);
	return 2;
}

int main(int count, char **arguments)
{
	static struct measure_event_costs costs, measured;
	char error[MEASURE_EVENT_COSTS_ERROR];

	if (count != 3 || (nr_blocks = (unsigned)atoi(arguments[2])) < 2 || nr_blocks > MOST_VALUES)
		return complain("usage: ", "measure measure-event-costs FILE BLOCKS");
	if (!measure_passages_start() || !measure_subjects_start())
		return complain("not recorded: ", "start it with measure --calibrate-events");
	measure_event_costs_read_file(arguments[1], &costs, error);
	measure_event_costs_processor(costs.processor);
	warm_up();
	for (unsigned set = 0; set < MEASURE_NR_WORKING_SETS; set++)
		if (!measure_set(&measured, set))
			return complain("no memory", "");
	if (nr_references > 0)
		measured.reference =
			rounded(measure_tick_ns * measure_median(references, nr_references) /
				MEASURE_REFERENCE_EVENTS);
	measure_subjects_end();
	merge(&costs, &measured);
	if (measure_event_costs_write_file(arguments[1], &costs, error) == MEASURE_OK)
		return 0;
	return complain("cannot write: ", error);
}
