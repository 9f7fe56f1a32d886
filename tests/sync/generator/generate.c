/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes an OTF2 archive of a job that never ran, whose clocks may be wrong, and the true times:
 *
 *	generate [OPTION VALUE]... DIRECTORY
 *	generate --program halo,collectives --ranks 8 --clock offset=500,drift=20 --samples ends \
 *		--truth TRUTH DIRECTORY
 *
 * For tests and benchmarks of clock correction. `generate --help` names the steps a program may
 * take, the errors a clock may have and all options. The archive is as Measure itself writes it:
 * sound, but for what wrong clocks and faults that were asked for do to it. Its ticks are
 * nanoseconds. The truth is a folder with a file <location id>.time per location: the true times
 * of its events in order, 64-bit little-endian, in the same ticks; with clocks that are true
 * they equal the recorded ones. --waits writes what calls have waited for, and whose: see
 * gen_waits.c. --cost makes it the archive of a measured run: see gen_cost.c. The same options give
 *the same bytes, but for the identifier in the anchor. */
#include "config.h"

#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void (*step_fn)(struct gen *gen);

static const struct step {
	const char *name;
	step_fn function;
	uint64_t min_ranks, min_threads;
	bool is_mixed;
	const char *text;
} steps[] = {
#define STEP(name, function, min_ranks, min_threads, is_mixed, text)                               \
	{name, function, min_ranks, min_threads, is_mixed, text},
#include "gen_steps.def"
#undef STEP
};
#define NR_STEPS (sizeof(steps) / sizeof(steps[0]))

static void print_help(void)
{
	puts("Usage: generate [OPTION VALUE]... DIRECTORY\n"
	     "Write an OTF2 archive with known true times.\n");
#define WORD(field, name, value, argument, text)                                                   \
	printf("  %-15s %-20s %s [%s]\n", name, argument, text, value);
#define NUMBER(field, name, value, argument, text)                                                 \
	printf("  %-15s %-20s %s [%d]\n", name, argument, text, value);
#include "gen_options.def"
#undef WORD
#undef NUMBER
	puts("\nSteps of a program, and the ranks and threads they need:");
	for (size_t i = 0; i < NR_STEPS; i++)
		printf("  %-15s %" PRIu64 " %" PRIu64 "  %s\n", steps[i].name, steps[i].min_ranks,
			steps[i].min_threads, steps[i].text);
	puts("\nErrors of clocks:");
#define ERROR(field, text) printf("  %-15s %s\n", #field, text);
#include "gen_clock.def"
#undef ERROR
}

static uint64_t number_of(const char *name, const char *text)
{
	char *end;
	const uint64_t value = strtoull(text, &end, 10);

	if (*end || end == text || *text == '-')
		gen_fail("not a number: ", name);
	return value;
}

static void read_option(struct gen_options *options, const char *option, const char *value)
{
#define WORD(field, name, default_value, argument, text)                                           \
	if (!strcmp(option, name)) {                                                               \
		options->field = value;                                                            \
		return;                                                                            \
	}
#define NUMBER(field, name, default_value, argument, text)                                         \
	if (!strcmp(option, name)) {                                                               \
		options->field = number_of(name, value);                                           \
		return;                                                                            \
	}
#include "gen_options.def"
#undef WORD
#undef NUMBER
	gen_fail("unknown option ", option);
}

static void read_options(struct gen_options *options, int argc, char **argv)
{
	*options = (struct gen_options){
#define WORD(field, name, value, argument, text)   .field = value,
#define NUMBER(field, name, value, argument, text) .field = value,
#include "gen_options.def"
#undef WORD
#undef NUMBER
	};
	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--", 2) && i + 1 < argc) {
			read_option(options, argv[i], argv[i + 1]);
			i++;
		} else if (!options->directory) {
			options->directory = argv[i];
		} else {
			gen_fail("too many arguments: ", argv[i]);
		}
	}
	if (!options->directory)
		gen_fail("where to? See ", "generate --help");
}

static void check_options(struct gen_options *options)
{
	if (!options->nr_nodes)
		options->nr_nodes = options->nr_ranks;
	if (!options->nr_ranks || !options->nr_threads || options->nr_threads > 256 ||
		options->nr_ranks % options->nr_nodes || options->nr_spawned > options->nr_ranks)
		gen_fail("--ranks, --threads, --nodes, --spawned: ",
			"these numbers do not go together");
	if (options->local_percent > 99 || !options->sample_every)
		gen_fail("out of range: ", "--local or --sample-every");
	if (strcmp(options->samples, "none") != 0 && strcmp(options->samples, "ends") != 0 &&
		strcmp(options->samples, "periodic") != 0)
		gen_fail("--samples: ", options->samples);
	if (*options->cost && (!options->is_exact || *options->waits))
		gen_fail("--cost: ", "only with --exact 1, and not with --waits");
	if (options->is_exact && (options->nr_spawned || options->nr_created))
		gen_fail("--exact: ", "not with --spawned and --created");
	if (strcmp(options->clock_of, "process") != 0 && strcmp(options->clock_of, "node") != 0)
		gen_fail("--clock-of: ", options->clock_of);
}

static bool is_possible(const struct gen *gen, const struct step *step)
{
	return gen->options.nr_ranks >= step->min_ranks &&
	       gen->options.nr_threads >= step->min_threads;
}

static const struct step *find_step(const struct gen *gen, const char *name)
{
	for (size_t i = 0; i < NR_STEPS; i++) {
		if (strcmp(steps[i].name, name) != 0)
			continue;
		if (!is_possible(gen, &steps[i]))
			gen_fail("too few ranks or threads for ", name);
		return &steps[i];
	}
	gen_fail("no such step: ", name);
	return NULL;
}

static bool has_pthreads(const struct step *step)
{
	return step->function == gen_pthread || step->function == gen_condition;
}

/* The steps of --program into `program`, which has room for them. */
static size_t read_program(struct gen *gen, const struct step *program[])
{
	char *copy = strdup(gen->options.program), *rest = copy, *word;
	size_t nr = 0;

	while ((word = strsep(&rest, ",")) != NULL) {
		const bool is_mixed = !strcmp(word, "mixed");

		for (size_t i = 0; i < NR_STEPS && is_mixed; i++)
			if (steps[i].is_mixed && is_possible(gen, &steps[i]) && nr < NR_STEPS)
				program[nr++] = &steps[i];
		if (!is_mixed && nr < NR_STEPS)
			program[nr++] = find_step(gen, word);
	}
	free(copy);
	for (size_t i = 0; i < nr; i++)
		gen->has_pthreads |= has_pthreads(program[i]);
	for (size_t i = 0; i < nr && gen->has_pthreads; i++)
		if (program[i]->min_threads > 1 && !has_pthreads(program[i]))
			gen_fail("not together with pthread: ", program[i]->name);
	return nr;
}

static void make_locations(struct gen *gen)
{
	const uint64_t nr_threads = gen->options.nr_threads;

	gen->nr_locations = gen_nr_processes(gen) * nr_threads;
	gen->nr_all_locations = gen->nr_locations + gen->options.nr_empty;
	gen->locations = gen_zeroed(gen->nr_all_locations, sizeof(*gen->locations));
	gen->processes = gen_zeroed(gen_nr_processes(gen), sizeof(*gen->processes));
	for (size_t i = 0; i < gen->nr_all_locations; i++) {
		struct gen_location *location = &gen->locations[i];

		if (i < gen->nr_locations) {
			location->process = i / nr_threads;
			location->thread = i % nr_threads;
		} else {
			location->thread = nr_threads + (i - gen->nr_locations);
		}
		location->id = gen->options.is_renumbered
				       ? gen->nr_all_locations - 1 - i
				       : (uint64_t)location->thread << 32 | location->process;
		location->now = GEN_START;
	}
}

static void run_program(struct gen *gen, const struct step *const program[], size_t nr)
{
	const uint64_t nr_events = gen->options.nr_events;

	gen_begin_job(gen);
	for (uint64_t i = 0;
		nr_events ? gen->nr_events < nr_events : i < gen->options.nr_iterations; i++)
		if (nr) {
			const struct step *step = program[gen_below(&gen->random, nr)];

			gen_waits_begin_step(gen);
			step->function(gen);
			gen_waits_end_step(gen);
		}
	gen_end_job(gen);
}

/* From the last rank on; half a file is what is left of it otherwise. */
static void damage(const struct gen *gen)
{
	for (uint64_t i = 0; i < gen->options.nr_missing + gen->options.nr_truncated; i++) {
		char path[4096];
		struct stat status;

		if (i >= gen->options.nr_ranks)
			return;
		snprintf(path, sizeof(path), "%s/traces/%" PRIu64 ".evt", gen->options.directory,
			gen_master(gen, gen->options.nr_ranks - 1 - i)->id);
		if (i < gen->options.nr_missing ? unlink(path) != 0
						: stat(path, &status) != 0 ||
							  truncate(path, status.st_size / 2) != 0)
			gen_fail("cannot damage ", path);
	}
}

int main(int argc, char **argv)
{
	static struct gen gen;
	const struct step *program[NR_STEPS];
	size_t nr;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		print_help();
		return 0;
	}
	read_options(&gen.options, argc, argv);
	check_options(&gen.options);
	gen.random.state = gen.options.seed;
	gen.message_bytes = GEN_MESSAGE_BYTES;
	nr = read_program(&gen, program);
	make_locations(&gen);
	gen_clocks_start(&gen);
	gen_truth_start(&gen);
	gen_waits_start(&gen);
	gen_costs_start(&gen);
	gen_archive_open(&gen);
	run_program(&gen, program, nr);
	gen_archive_close(&gen);
	damage(&gen);
	gen_clocks_free(&gen);
	free(gen.comms);
	free(gen.costs);
	free(gen.processes);
	free(gen.locations);
	return 0;
}
