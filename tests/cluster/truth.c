/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How wrong an archive's times are that was recorded on simulated clocks (see truth.awk, which
 * prepares the input): `truth SPECIFICATION FREQUENCY` reads lines "origin RANK TICKS" and "knot
 * RANK TICKS OFFSET BOUND", both in any order of ranks, knots in order of time. Prints one line per
 * rank and one for all: microseconds that the corrected time is wrong, over the whole run, by
 * median, root mean square and at most; the greatest bound that a knot states; knots; knots wrong
 * by more than their bound. The real clock under the simulated ones has to be the same on all
 * hosts. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock_function.h"
#include "clock/simulated.h"

#define MAX_RANKS 64
#define MAX_KNOTS 10000
#define NR_PROBES 2000

struct rank {
	struct measure_simulated clock;
	struct measure_clock_knot knots[MAX_KNOTS];
	size_t nr;
	bool is_known;
};

struct score {
	double errors[MAX_RANKS * NR_PROBES];
	double squares, bound;
	size_t nr_probes, nr_knots, nr_missed;
};

static struct rank *ranks[MAX_RANKS];

static struct rank *find(unsigned int number)
{
	if (number >= MAX_RANKS)
		exit(2);
	if (!ranks[number])
		ranks[number] = calloc(1, sizeof(struct rank));
	if (!ranks[number])
		exit(2);
	return ranks[number];
}

static void read_line(const char *line, const char *specification, double frequency)
{
	unsigned int number;
	uint64_t ticks;
	int64_t offset;
	double bound;
	struct rank *rank;

	if (sscanf(line, "origin %u %" SCNu64, &number, &ticks) == 2) {
		rank = find(number);
		if (measure_simulated_parse(&rank->clock, specification, number) != MEASURE_OK)
			exit(2);
		rank->clock.origin = ticks;
		rank->clock.frequency = frequency;
		rank->is_known = true;
	} else if (sscanf(line, "knot %u %" SCNu64 " %" SCNd64 " %lf", &number, &ticks, &offset,
			   &bound) == 4) {
		rank = find(number);
		if (rank->nr == MAX_KNOTS)
			exit(2);
		rank->knots[rank->nr++] = (struct measure_clock_knot){ticks, offset, bound};
	}
}

/* The real time at which a rank's clock showed `ticks`: its clock goes forward. */
static uint64_t real_time(const struct rank *rank, uint64_t ticks)
{
	uint64_t from = rank->clock.origin - (uint64_t)(10 * rank->clock.frequency);
	uint64_t to = ticks + (uint64_t)(10 * rank->clock.frequency);

	while (to - from > 1) {
		const uint64_t middle = from + (to - from) / 2;

		if (measure_simulated_bend(&rank->clock, middle) <= ticks)
			from = middle;
		else
			to = middle;
	}
	return from;
}

static void check_knots(const struct rank *rank, struct score *score)
{
	for (size_t i = 0; i < rank->nr; i++) {
		const struct measure_clock_knot *knot = &rank->knots[i];
		const double error = (double)(int64_t)(knot->time + (uint64_t)knot->offset -
						       real_time(rank, knot->time));

		/* Two ticks for the rounding of the simulation and of its reversal. */
		score->nr_missed += fabs(error) > knot->bound + 2;
		score->bound = fmax(score->bound, knot->bound);
	}
	score->nr_knots += rank->nr;
}

static void probe(const struct rank *rank, struct score *score)
{
	const struct measure_clock_function offsets = {
		(struct measure_clock_knot *)(uintptr_t)rank->knots, rank->nr, rank->nr};
	const uint64_t from = real_time(rank, rank->knots[0].time);
	const uint64_t to = real_time(rank, rank->knots[rank->nr - 1].time);
	struct measure_clock_reading reading = {.number = 0};

	for (int i = 0; i < NR_PROBES; i++) {
		const uint64_t real = from + (to - from) / NR_PROBES * (uint64_t)i;
		const uint64_t local = measure_simulated_bend(&rank->clock, real);
		const double error =
			(double)(int64_t)(measure_clock_function_read(&offsets, &reading, local) -
					  real);

		score->squares += error * error;
		score->errors[score->nr_probes++] = fabs(error);
	}
}

static int compare_errors(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static void print(const char *who, struct score *score, double frequency)
{
	const double us = 1e6 / frequency;
	const size_t nr = score->nr_probes;

	qsort(score->errors, nr, sizeof(*score->errors), compare_errors);
	printf("%s: median %.3f us, rms %.3f us, worst %.3f us, bound %.3f us, %zu knots, %zu missed\n",
		who, score->errors[nr / 2] * us, sqrt(score->squares / (double)nr) * us,
		score->errors[nr - 1] * us, score->bound * us, score->nr_knots, score->nr_missed);
}

static void add(const struct score *one, struct score *all)
{
	memcpy(all->errors + all->nr_probes, one->errors, one->nr_probes * sizeof(*one->errors));
	all->nr_probes += one->nr_probes;
	all->squares += one->squares;
	all->bound = fmax(all->bound, one->bound);
	all->nr_knots += one->nr_knots;
	all->nr_missed += one->nr_missed;
}

int main(int argc, char **argv)
{
	const double frequency = argc > 2 ? strtod(argv[2], NULL) : 0;
	static struct score score, all;
	char line[256];

	if (frequency <= 0)
		return 2;
	while (fgets(line, sizeof(line), stdin))
		read_line(line, argv[1], frequency);
	for (unsigned int i = 1; i < MAX_RANKS && ranks[i]; i++) {
		char who[16];

		if (!ranks[i]->is_known || ranks[i]->nr < 2)
			return 2;
		memset(&score, 0, sizeof(score));
		check_knots(ranks[i], &score);
		probe(ranks[i], &score);
		snprintf(who, sizeof(who), "rank %u", i);
		print(who, &score, frequency);
		add(&score, &all);
	}
	print("all", &all, frequency);
	return 0;
}
