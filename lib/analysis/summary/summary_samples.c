/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of samples: where the program is, and what to compile with hooks to see
 * that as calls. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/figures.h"
#include "base/printable.h"
#include "filter/names.h"
#include "sample_statistics.h"

#define TOLD          12   /* functions, and libraries */
#define SHARE_UNNAMED 0.05 /* of all samples */
#define LONGEST_NAME  100

static const struct measure_region *region_of(
	const struct measure_summary *summary, const struct sample_function *function)
{
	return &summary->definitions->regions[function->region];
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Seconds; a generator without a base of 10 is none of ours. */
static double period_of(const struct measure_interrupt_generator *generator)
{
	return (double)generator->period *
	       pow(generator->base == OTF2_BASE_BINARY ? 2 : 10, (double)generator->exponent);
}

static uint64_t nr_lost(const struct measure_summary *summary)
{
	return summary_number(summary, "MEASURE::NOTE::SAMPLES_BUSY") +
	       summary_number(summary, "MEASURE::NOTE::SAMPLES_IDLE") +
	       summary_number(summary, "MEASURE::NOTE::SAMPLES_HOMELESS") +
	       summary_number(summary, "MEASURE::NOTE::SAMPLES_UNDEFINED");
}

static void print_how(const struct measure_summary *summary)
{
	const struct measure_definitions *definitions = summary->definitions;
	const uint64_t nr_late = summary_number(summary, "MEASURE::NOTE::SAMPLES_MISSED");

	fprintf(summary->out, "\nSamples\n  %s samples of call stacks",
		measure_figure(summary_number(summary, "MEASURE::NOTE::SAMPLES")));
	for (size_t i = 0; i < definitions->nr_interrupt_generators; i++) {
		const struct measure_interrupt_generator *generator =
			&definitions->interrupt_generators[i];
		fprintf(summary->out, "%s by %s, every %.3f ms", i ? " and" : ",",
			summary_string(summary, generator->name), period_of(generator) * 1e3);
	}
	fputc('\n', summary->out);
	if (nr_late)
		fprintf(summary->out,
			"  %s more were missed: the kernel checks processor time only at its timer "
			"tick\n  (CONFIG_HZ), or threads blocked signals\n",
			measure_figure(nr_late));
	if (nr_lost(summary))
		fprintf(summary->out,
			"  %s were dropped: during the recording of an event, while an OpenMP "
			"thread waited for\n  work, or in a thread without a location\n",
			measure_figure(nr_lost(summary)));
}

/* Names of templates may have thousands of characters. */
static void print_name(
	const struct measure_summary *summary, const struct sample_function *function)
{
	const char *name = summary_string(summary, region_of(summary, function)->name);
	size_t length = strlen(name);
	char cut[LONGEST_NAME + 1];

	if (length > LONGEST_NAME) {
		for (length = LONGEST_NAME; ((unsigned char)name[length] & 0xc0) == 0x80; length--)
			continue; /* in a character of UTF-8 */
		memcpy(cut, name, length);
		cut[length] = '\0';
	}
	fprintf(summary->out, "  %s%s", MEASURE_PRINTABLE(name[length] ? cut : name),
		name[length] ? "..." : "");
}

/* Its source file, and the library that it is in; the program is not worth a word. */
static void print_place(const struct measure_summary *summary,
	const struct sample_statistics *statistics, const struct sample_function *function)
{
	const struct measure_region *region = region_of(summary, function);
	const char *file = base_name(summary_string(summary, region->file));
	const char *module = summary_string(summary, region->description);

	if (*file)
		fprintf(summary->out, "  %s:%u", MEASURE_PRINTABLE(file), region->begin_line);
	if (!*file || !sample_module_is_program(statistics, module))
		fprintf(summary->out, "%s in %s", *file ? "" : " ",
			MEASURE_PRINTABLE(base_name(module)));
	fprintf(summary->out, "%s\n",
		sample_function_is_recorded(summary, function) ? ", recorded" : "");
}

static void print_modules(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	fprintf(summary->out, "\n  time in the code of the program and of each library:\n");
	for (size_t i = 0; i < statistics->modules.nr && i < TOLD; i++) {
		const char *path = summary_string(summary, statistics->modules.items[i].path);
		fprintf(summary->out, "  %6.1f %%  %s%s\n",
			percent(statistics->modules.items[i].self, statistics->nr),
			*path ? MEASURE_PRINTABLE(base_name(path)) : "unknown code",
			sample_module_is_program(statistics, path) ? ", the program" : "");
	}
	if (statistics->modules.nr > TOLD)
		fprintf(summary->out, "            and %zu more\n", statistics->modules.nr - TOLD);
}

static void print_hottest(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	fprintf(summary->out, "\n  functions by their own time: own, including callees:\n");
	for (size_t i = 0; i < statistics->hottest.nr && i < TOLD; i++) {
		const struct sample_function *function = &statistics->hottest.items[i];
		fprintf(summary->out, "  %6.1f %% %6.1f %%",
			percent(function->self, statistics->nr),
			percent(function->whole, statistics->nr));
		print_name(summary, function);
		print_place(summary, statistics, function);
	}
	if (statistics->hottest.nr > TOLD)
		fprintf(summary->out, "                     and %zu more\n",
			statistics->hottest.nr - TOLD);
}

static void print_function(const struct measure_summary *summary,
	const struct sample_statistics *statistics, const struct sample_function *function)
{
	fprintf(summary->out, "  %6.1f %% %6.1f %% %6.1f %%",
		percent(function->inner, statistics->nr), percent(function->self, statistics->nr),
		percent(function->whole, statistics->nr));
	print_name(summary, function);
	print_place(summary, statistics, function);
}

static void print_functions(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	uint64_t nr_other = statistics->nr - statistics->nr_inner;

	if (statistics->functions.nr == 0)
		return;
	fprintf(summary->out,
		"\n  functions of the program and its own libraries: including the run-time "
		"libraries that they\n  call (C, MPI, BLAS, ...), own, including all callees:\n");
	for (size_t i = 0; i < statistics->functions.nr && i < TOLD; i++)
		print_function(summary, statistics, &statistics->functions.items[i]);
	if (statistics->functions.nr > TOLD)
		fprintf(summary->out, "            and %zu more\n",
			statistics->functions.nr - TOLD);
	if (nr_other)
		fprintf(summary->out, "  %6.1f %%                    outside these functions\n",
			percent(nr_other, statistics->nr));
}

/* The functions that are worth it, as --include has them: by the linker's names, in quotes. With
 * hooks there may be no clone, or another one. */
static void print_includes(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	for (size_t i = 0; i < statistics->worth.nr; i++) {
		const struct measure_region *region =
			region_of(summary, &statistics->worth.items[i]);
		const char *name = summary_string(summary, region->canonical_name);
		const char *key = region->name == region->canonical_name ? "" : "mangled=";
		const char *mark = measure_filter_clone_mark(name);
		char *function = strndup(name, (size_t)(mark - name));
		if (!function)
			continue;
		fprintf(summary->out, " \\\n    --include '%s%s", key, MEASURE_PRINTABLE(function));
		if (*key && *mark)
			fprintf(summary->out, " %s%s.*", key, MEASURE_PRINTABLE(function));
		fputc('\'', summary->out);
		free(function);
	}
}

/* Its source file; where that is not known, the program or library. */
static uint32_t source_of(
	const struct measure_summary *summary, const struct sample_function *function)
{
	const struct measure_region *region = region_of(summary, function);

	return *summary_string(summary, region->file) ? region->file : region->description;
}

static bool is_first_of_source(const struct measure_summary *summary,
	const struct sample_statistics *statistics, size_t place)
{
	uint32_t source = source_of(summary, &statistics->worth.items[place]);

	for (size_t i = 0; i < place; i++)
		if (source_of(summary, &statistics->worth.items[i]) == source)
			return false;
	return true;
}

static void print_sources(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	fprintf(summary->out, "    -g -finstrument-functions  for");
	for (size_t i = 0; i < statistics->worth.nr; i++) {
		uint32_t source = source_of(summary, &statistics->worth.items[i]);
		bool is_file = source == region_of(summary, &statistics->worth.items[i])->file;
		if (is_first_of_source(summary, statistics, i))
			fprintf(summary->out, "%s%s %s", i ? "," : "",
				is_file ? "" : " the sources of",
				MEASURE_PRINTABLE(base_name(summary_string(summary, source))));
	}
	fputc('\n', summary->out);
}

/* A library, or a program, that came with the system has to be built first. */
static void print_installed(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	for (size_t i = 0; i < statistics->worth.nr; i++) {
		uint32_t module = region_of(summary, &statistics->worth.items[i])->description;
		const char *path = summary_string(summary, module);
		bool is_first = sample_module_is_system(path);
		for (size_t k = 0; k < i; k++)
			is_first &= region_of(summary, &statistics->worth.items[k])->description !=
				    module;
		if (is_first)
			fprintf(summary->out,
				"    (%s belongs to the system: build your own copy)\n",
				MEASURE_PRINTABLE(path));
	}
}

static void print_advice(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	uint64_t samples = 0;

	if (statistics->worth.nr == 0)
		return;
	for (size_t i = 0; i < statistics->worth.nr; i++)
		samples += statistics->worth.items[i].inner;
	fprintf(summary->out,
		"\n  Worth recompiling to see each call of %zu function%s with %.0f %% of the "
		"samples:\n",
		statistics->worth.nr, statistics->worth.nr == 1 ? "" : "s",
		percent(samples, statistics->nr));
	print_sources(summary, statistics);
	print_installed(summary, statistics);
	fprintf(summary->out, "  and then, to record calls of these functions only:\n"
			      "    measure --overhead=5 --exclude paradigm=compiler");
	print_includes(summary, statistics);
	fprintf(summary->out, " ...\n");
}

static void print_unnamed(
	const struct measure_summary *summary, const struct sample_statistics *statistics)
{
	if ((double)statistics->nr_unnamed >= SHARE_UNNAMED * (double)statistics->nr)
		fprintf(summary->out,
			"\n  %.0f %% of the samples are in functions without a name, "
			"FILE+0xADDRESS "
			"above: these files\n  are stripped. Build them without -s and strip, or "
			"install their debug files below\n  /usr/lib/debug, to see which functions "
			"they are.\n",
			percent(statistics->nr_unnamed, statistics->nr));
}

void summary_print_samples(struct measure_summary *summary)
{
	struct sample_statistics statistics;

	if (summary->definitions->nr_interrupt_generators == 0)
		return;
	print_how(summary);
	if (sample_statistics_make(summary, &statistics) == MEASURE_OK && statistics.nr > 0) {
		print_modules(summary, &statistics);
		print_hottest(summary, &statistics);
		print_functions(summary, &statistics);
		print_advice(summary, &statistics);
		print_unnamed(summary, &statistics);
	}
	sample_statistics_free(&statistics);
}
