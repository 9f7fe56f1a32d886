/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of samples: where the program is, and what to compile with hooks to see
 * that as calls. */
#include "config.h"

#include <string.h>

#include "base/printable.h"
#include "summary.h"

#define TOLD 12 /* functions */

static const char *text_of(const struct measure_unified *unified, uint32_t string)
{
	return measure_intern_key(&unified->definitions.strings, string);
}

static const struct measure_otf2_region *region_of(
	const struct measure_unified *unified, const struct measure_stacks_function *function)
{
	return &unified->definitions.regions.items[function->region];
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

static void print_how(
	FILE *out, const struct measure_unified *unified, const struct measure_stacks *stacks)
{
	const struct measure_definitions *definitions = &unified->definitions;

	fprintf(out, "\nSamples\n  %s samples of call stacks",
		measure_summary_number(stacks->nr_taken));
	for (size_t i = 0; i < definitions->generators.nr; i++)
		fprintf(out, "%s by %s, every %.3f ms", i ? " and" : ",",
			text_of(unified, definitions->generators.items[i].name),
			(double)definitions->generators.items[i].period * 1e-6);
	fputc('\n', out);
	if (stacks->nr_late)
		fprintf(out,
			"  %s more were due before the one before had come: the kernel looks at "
			"processor time\n  only so often (CONFIG_HZ), or threads had signals "
			"blocked\n",
			measure_summary_number(stacks->nr_late));
	if (stacks->nr_lost)
		fprintf(out,
			"  %s fell into the recording of events, into waits of OpenMP threads for "
			"work, or into\n  threads without a location, and are left out\n",
			measure_summary_number(stacks->nr_lost));
}

static void print_function(FILE *out, const struct measure_unified *unified,
	const struct measure_stacks *stacks, const struct measure_stacks_function *function)
{
	const struct measure_otf2_region *region = region_of(unified, function);
	const char *file = base_name(text_of(unified, region->file));

	fprintf(out, "  %6.1f %% %6.1f %% %6.1f %%  %s", percent(function->inner, stacks->nr),
		percent(function->self, stacks->nr), percent(function->whole, stacks->nr),
		MEASURE_PRINTABLE(text_of(unified, region->name)));
	if (*file)
		fprintf(out, "  %s:%u", MEASURE_PRINTABLE(file), region->begin_line);
	else
		fprintf(out, "  in %s",
			MEASURE_PRINTABLE(base_name(text_of(unified, region->module))));
	fprintf(out, "%s\n", measure_stacks_is_recorded(unified, function) ? ", recorded" : "");
}

static void print_functions(
	FILE *out, const struct measure_unified *unified, const struct measure_stacks *stacks)
{
	uint64_t nr_other = stacks->nr - stacks->nr_inner;

	fprintf(out,
		"\n  functions of the program: in them and the libraries that they call, in them "
		"alone,\n  in them and all that they call:\n");
	for (size_t i = 0; i < stacks->functions.nr && i < TOLD; i++)
		print_function(out, unified, stacks, &stacks->functions.items[i]);
	if (stacks->functions.nr > TOLD)
		fprintf(out, "            and %zu more\n", stacks->functions.nr - TOLD);
	if (nr_other)
		fprintf(out, "  %6.1f %%                    in none of them\n",
			percent(nr_other, stacks->nr));
}

/* The functions that are worth it, as --include has them: by the linker's names, in quotes. */
static void print_includes(FILE *out, const struct measure_unified *unified,
	const struct measure_stacks *stacks, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		const struct measure_otf2_region *region =
			region_of(unified, &stacks->functions.items[i]);
		fprintf(out, " \\\n    --include '%s%s'",
			region->name == region->canonical ? "" : "mangled=",
			MEASURE_PRINTABLE(text_of(unified, region->canonical)));
	}
}

static bool is_first_of_file(
	const struct measure_unified *unified, const struct measure_stacks *stacks, uint32_t place)
{
	uint32_t file = region_of(unified, &stacks->functions.items[place])->file;

	for (uint32_t i = 0; i < place; i++)
		if (region_of(unified, &stacks->functions.items[i])->file == file)
			return false;
	return *text_of(unified, file) != '\0';
}

static void print_files(FILE *out, const struct measure_unified *unified,
	const struct measure_stacks *stacks, uint32_t nr)
{
	bool has_file = false;

	for (uint32_t i = 0; i < nr; i++) {
		if (!is_first_of_file(unified, stacks, i))
			continue;
		fprintf(out, "%s %s", has_file ? "" : ":\n    -g -finstrument-functions  for",
			MEASURE_PRINTABLE(base_name(text_of(
				unified, region_of(unified, &stacks->functions.items[i])->file))));
		has_file = true;
	}
	if (!has_file)
		fprintf(out, ";\n  which files they are in, -g tells");
	fputc('\n', out);
}

static void print_advice(
	FILE *out, const struct measure_unified *unified, const struct measure_stacks *stacks)
{
	uint32_t nr = measure_stacks_worth(unified, stacks);
	uint64_t samples = 0;

	if (nr == 0)
		return;
	for (uint32_t i = 0; i < nr; i++)
		samples += stacks->functions.items[i].inner;
	fprintf(out, "\n  Worth recompiling to see each call: %s, %.0f %% of the samples",
		nr == 1 ? "the first one" : "the first ones", percent(samples, stacks->nr));
	print_files(out, unified, stacks, nr);
	fprintf(out, "  and then, to record calls of these functions only:\n"
		     "    measure --overhead=5 --exclude paradigm=compiler");
	print_includes(out, unified, stacks, nr);
	fprintf(out, " ...\n");
}

void measure_summary_print_stacks(
	FILE *out, const struct measure_unified *unified, const struct measure_stacks *stacks)
{
	if (unified->definitions.generators.nr == 0)
		return;
	print_how(out, unified, stacks);
	if (stacks->nr == 0)
		return;
	print_functions(out, unified, stacks);
	print_advice(out, unified, stacks);
}
