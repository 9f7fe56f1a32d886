/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clocks that are wrong in known ways. The error is a function of true time alone: computed at
 * points of a grid, with straight lines in between; steps happen at points of the grid. What is
 * a walk is drawn point after point from a stream of random numbers of the clock's own, so it
 * does not matter who reads the clock when. */
#include "config.h"

#include "generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRID 1000000ULL /* ns */

static void draw(struct gen_clock *clock, const struct gen_errors *errors)
{
	struct gen_random *random = &clock->random;

	clock->errors = *errors;
	clock->errors.offset *= 1e3 * gen_uniform(random);
	clock->errors.drift *= 1e-6 * gen_uniform(random);
	clock->errors.walk *= 1e-6;
	clock->errors.sine *= 1e-6 * gen_uniform(random);
	clock->errors.socket *= gen_uniform(random);
	clock->phase = M_PI * gen_uniform(random);
	if (clock->errors.period <= 0)
		clock->errors.period = 60;
	if (clock->errors.every <= 0)
		clock->errors.every = 10;
}

static void read_error(struct gen_errors *errors, const char *name, const char *value)
{
	char *end;
	const double number = strtod(value, &end);

	if (*end || end == value)
		gen_fail("--clock: not a number: ", value);
#define ERROR(field, text)                                                                         \
	if (!strcmp(name, #field)) {                                                               \
		errors->field = number;                                                            \
		return;                                                                            \
	}
#include "gen_clock.def"
#undef ERROR
	gen_fail("--clock: no such error: ", name);
}

static void read_errors(struct gen_errors *errors, const char *list)
{
	char *copy = strdup(list), *rest = copy, *word;

	while ((word = strsep(&rest, ",")) != NULL) {
		char *value = strchr(word, '=');

		if (!*word)
			continue;
		if (!value)
			gen_fail("--clock: NAME=VALUE wanted: ", word);
		*value++ = '\0';
		read_error(errors, word, value);
	}
	free(copy);
}

void gen_clocks_start(struct gen *gen)
{
	read_errors(&gen->errors, gen->options.clock);
	gen->clocks = gen_zeroed(gen_nr_processes(gen), sizeof(*gen->clocks));
	for (uint64_t i = 0; i < gen_nr_processes(gen); i++) {
		gen->clocks[i].random.state = gen->options.seed * 1000003 + i;
		draw(&gen->clocks[i], &gen->errors);
	}
	if (gen->options.is_first_right)
		draw(&gen->clocks[0], &(struct gen_errors){.offset = 0});
}

void gen_clocks_free(struct gen *gen)
{
	for (uint64_t i = 0; i < gen_nr_processes(gen); i++)
		free(gen->clocks[i].walked);
	free(gen->clocks);
}

/* The first process of a node lends its clock to the others. */
struct gen_clock *gen_clock_of(const struct gen *gen, uint32_t process)
{
	const uint32_t size = (uint32_t)(gen->options.nr_ranks / gen->options.nr_nodes);

	if (!strcmp(gen->options.clock_of, "node"))
		process = gen_node(gen, process) * size;
	return &gen->clocks[process];
}

/* Another piece at -500, 0 or 500 ppm, of one and a half times the mean length at most. */
static void slew(struct gen_clock *clock)
{
	const double points = clock->errors.slew * 1e9 / GRID;

	clock->slew = 500e-6 * ((double)gen_below(&clock->random, 3) - 1);
	clock->slew_left =
		1 + (uint64_t)(points / 2) + gen_below(&clock->random, (uint64_t)points + 1);
}

static void walk_on(struct gen_clock *clock)
{
	const double last = clock->nr_walked ? clock->walked[clock->nr_walked - 1] : 0;
	double step = 0;

	if (clock->nr_walked == clock->room_walked) {
		clock->room_walked = 2 * clock->room_walked + 64;
		clock->walked = realloc(clock->walked, clock->room_walked * sizeof(*clock->walked));
		if (!clock->walked)
			gen_fail("no memory", "");
	}
	if (clock->nr_walked && clock->errors.walk > 0) {
		clock->rate += clock->errors.walk * sqrt(GRID * 1e-9) * gen_normal(&clock->random);
		step += clock->rate * GRID;
	}
	if (clock->nr_walked && clock->errors.slew > 0) {
		if (clock->slew_left == 0)
			slew(clock);
		clock->slew_left--;
		step += clock->slew * GRID;
	}
	clock->walked[clock->nr_walked++] = last + step;
}

static double walked(struct gen_clock *clock, uint64_t point)
{
	if (clock->errors.walk <= 0 && clock->errors.slew <= 0)
		return 0;
	while (clock->nr_walked <= point)
		walk_on(clock);
	return clock->walked[point];
}

/* The sum of the steps up to a point; each is drawn from its own number. */
static double stepped(const struct gen_clock *clock, uint64_t point)
{
	const uint64_t nr = (uint64_t)((double)point * GRID * 1e-9 / clock->errors.every);
	double sum = 0;

	if (clock->errors.step <= 0)
		return 0;
	for (uint64_t i = 1; i <= nr; i++) {
		struct gen_random random = {(uint64_t)(fabs(clock->phase) * 1e9) + 77 * i};
		sum += clock->errors.step * 1e3 * gen_uniform(&random);
	}
	return sum;
}

/* But for steps. */
static double error_at(struct gen_clock *clock, uint64_t point)
{
	const struct gen_errors *errors = &clock->errors;
	const double time = (double)point * GRID;
	double error = errors->offset + errors->drift * time + walked(clock, point);

	if (errors->sine != 0) {
		const double turn = 2 * M_PI / (errors->period * 1e9);
		error += errors->sine / turn * sin(turn * time + clock->phase);
	}
	return error;
}

static void take_piece(struct gen_clock *clock, struct gen_piece *piece, uint64_t point)
{
	const double from = error_at(clock, point), to = error_at(clock, point + 1);

	piece->start = GEN_START + point * GRID;
	piece->error = from + stepped(clock, point);
	piece->slope = (to - from) / GRID;
}

static bool is_last(const struct gen *gen, const struct gen_clock *clock)
{
	return clock == gen_clock_of(gen, (uint32_t)gen->options.nr_ranks - 1);
}

uint64_t gen_clock_read(struct gen *gen, struct gen_location *location, uint64_t now)
{
	struct gen_clock *clock = gen_clock_of(gen, location->process);
	struct gen_piece *piece = &location->piece;
	double error;
	uint64_t raw;

	if (now - piece->start >= GRID || !piece->start)
		take_piece(clock, piece, (now - GEN_START) / GRID);
	error = piece->error + piece->slope * (double)(now - piece->start);
	if (location->thread % 2)
		error += clock->errors.socket;
	raw = now + (uint64_t)(int64_t)floor(error);
	if (clock->errors.tick > 1)
		raw -= raw % (uint64_t)clock->errors.tick;
	raw += gen->options.later;
	return is_last(gen, clock) ? raw + gen->options.ahead : raw;
}
