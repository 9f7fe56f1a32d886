/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of samples: where the program is, and what to compile with hooks to see
 * that as calls. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "filter/names.h"
#include "summary.h"

#define TOLD          12   /* functions, and libraries */
#define SHARE_UNNAMED 0.05 /* of all samples */
#define LONGEST_NAME  100

static const char *text_of(const struct measure_unified *unified, uint32_t string)
{
	return measure_intern_key(&unified->definitions.strings, string);
}

static const struct measure_otf2_region *region_of(const struct measure_unified *unified,
	const struct measure_sample_statistics_function *function)
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

static bool is_program(const struct measure_unified *unified, const char *module)
{
	const struct measure_job *job = unified->job;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		if (part && part->has_process && strcmp(part->process.program, module) == 0)
			return true;
	}
	return false;
}

static void print_how(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	const struct measure_archive_definitions *definitions = &unified->definitions;

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

/* Names of templates may have thousands of characters. */
static void print_name(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics_function *function)
{
	const char *name = text_of(unified, region_of(unified, function)->name);
	size_t length = strlen(name);
	char cut[LONGEST_NAME + 1];

	if (length > LONGEST_NAME) {
		for (length = LONGEST_NAME; ((unsigned char)name[length] & 0xc0) == 0x80; length--)
			continue; /* in a character of UTF-8 */
		memcpy(cut, name, length);
		cut[length] = '\0';
	}
	fprintf(out, "  %s%s", MEASURE_PRINTABLE(name[length] ? cut : name),
		name[length] ? "..." : "");
}

/* Its source file, and the library that it is in; the program is not worth a word. */
static void print_place(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics_function *function)
{
	const struct measure_otf2_region *region = region_of(unified, function);
	const char *file = base_name(text_of(unified, region->file));
	const char *module = text_of(unified, region->module);

	if (*file)
		fprintf(out, "  %s:%u", MEASURE_PRINTABLE(file), region->begin_line);
	if (!*file || !is_program(unified, module))
		fprintf(out, "%s in %s", *file ? "" : " ", MEASURE_PRINTABLE(base_name(module)));
	fprintf(out, "%s\n",
		measure_sample_statistics_is_recorded(unified, function) ? ", recorded" : "");
}

static void print_modules(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	fprintf(out, "\n  time in the code of the program and of each library:\n");
	for (size_t i = 0; i < stacks->modules.nr && i < TOLD; i++) {
		const char *path = text_of(unified, stacks->modules.items[i].path);
		fprintf(out, "  %6.1f %%  %s%s\n",
			percent(stacks->modules.items[i].self, stacks->nr),
			*path ? MEASURE_PRINTABLE(base_name(path)) : "unknown code",
			is_program(unified, path) ? ", the program" : "");
	}
	if (stacks->modules.nr > TOLD)
		fprintf(out, "            and %zu more\n", stacks->modules.nr - TOLD);
}

static void print_hottest(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	fprintf(out,
		"\n  functions with the most time of their own: by themselves, with all that they "
		"call:\n");
	for (size_t i = 0; i < stacks->hottest.nr && i < TOLD; i++) {
		const struct measure_sample_statistics_function *function =
			&stacks->hottest.items[i];
		fprintf(out, "  %6.1f %% %6.1f %%", percent(function->self, stacks->nr),
			percent(function->whole, stacks->nr));
		print_name(out, unified, function);
		print_place(out, unified, function);
	}
	if (stacks->hottest.nr > TOLD)
		fprintf(out, "                     and %zu more\n", stacks->hottest.nr - TOLD);
}

static void print_function(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks,
	const struct measure_sample_statistics_function *function)
{
	fprintf(out, "  %6.1f %% %6.1f %% %6.1f %%", percent(function->inner, stacks->nr),
		percent(function->self, stacks->nr), percent(function->whole, stacks->nr));
	print_name(out, unified, function);
	print_place(out, unified, function);
}

static void print_functions(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	uint64_t nr_other = stacks->nr - stacks->nr_inner;

	if (stacks->functions.nr == 0)
		return;
	fprintf(out,
		"\n  functions of the program and its own libraries: with the run-time libraries "
		"that they\n  call (C, MPI, BLAS, ...), by themselves, with all that they call:\n");
	for (size_t i = 0; i < stacks->functions.nr && i < TOLD; i++)
		print_function(out, unified, stacks, &stacks->functions.items[i]);
	if (stacks->functions.nr > TOLD)
		fprintf(out, "            and %zu more\n", stacks->functions.nr - TOLD);
	if (nr_other)
		fprintf(out, "  %6.1f %%                    in none of them\n",
			percent(nr_other, stacks->nr));
}

/* The functions that are worth it, as --include has them: by the linker's names, in quotes. With
 * hooks there may be no clone, or another one. */
static void print_includes(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	for (size_t i = 0; i < stacks->worth.nr; i++) {
		const struct measure_otf2_region *region =
			region_of(unified, &stacks->worth.items[i]);
		const char *name = text_of(unified, region->canonical);
		const char *key = region->name == region->canonical ? "" : "mangled=";
		const char *mark = measure_filter_clone_mark(name);
		char *function = strndup(name, (size_t)(mark - name));
		if (!function)
			continue;
		fprintf(out, " \\\n    --include '%s%s", key, MEASURE_PRINTABLE(function));
		if (*key && *mark)
			fprintf(out, " %s%s.*", key, MEASURE_PRINTABLE(function));
		fputc('\'', out);
		free(function);
	}
}

/* Its source file; where that is not known, the program or library. */
static uint32_t source_of(const struct measure_unified *unified,
	const struct measure_sample_statistics_function *function)
{
	const struct measure_otf2_region *region = region_of(unified, function);

	return *text_of(unified, region->file) ? region->file : region->module;
}

static bool is_first_of_source(const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks, size_t place)
{
	uint32_t source = source_of(unified, &stacks->worth.items[place]);

	for (size_t i = 0; i < place; i++)
		if (source_of(unified, &stacks->worth.items[i]) == source)
			return false;
	return true;
}

static void print_sources(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	fprintf(out, "    -g -finstrument-functions  for");
	for (size_t i = 0; i < stacks->worth.nr; i++) {
		uint32_t source = source_of(unified, &stacks->worth.items[i]);
		bool is_file = source == region_of(unified, &stacks->worth.items[i])->file;
		if (is_first_of_source(unified, stacks, i))
			fprintf(out, "%s%s %s", i ? "," : "", is_file ? "" : " the sources of",
				MEASURE_PRINTABLE(base_name(text_of(unified, source))));
	}
	fputc('\n', out);
}

/* A library, or a program, that came with the system has to be built first. */
static void print_installed(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	for (size_t i = 0; i < stacks->worth.nr; i++) {
		uint32_t module = region_of(unified, &stacks->worth.items[i])->module;
		const char *path = text_of(unified, module);
		bool is_first = measure_sample_statistics_is_system(path);
		for (size_t k = 0; k < i; k++)
			is_first &= region_of(unified, &stacks->worth.items[k])->module != module;
		if (is_first)
			fprintf(out, "    (%s is the system's: build one of your own)\n",
				MEASURE_PRINTABLE(path));
	}
}

static void print_advice(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	uint64_t samples = 0;

	if (stacks->worth.nr == 0)
		return;
	for (size_t i = 0; i < stacks->worth.nr; i++)
		samples += stacks->worth.items[i].inner;
	fprintf(out,
		"\n  Worth recompiling to see each call of %zu function%s with %.0f %% of the "
		"samples:\n",
		stacks->worth.nr, stacks->worth.nr == 1 ? "" : "s", percent(samples, stacks->nr));
	print_sources(out, unified, stacks);
	print_installed(out, unified, stacks);
	fprintf(out, "  and then, to record calls of these functions only:\n"
		     "    measure --overhead=5 --exclude paradigm=compiler");
	print_includes(out, unified, stacks);
	fprintf(out, " ...\n");
}

static void print_unnamed(FILE *out, const struct measure_sample_statistics *stacks)
{
	if ((double)stacks->nr_unnamed >= SHARE_UNNAMED * (double)stacks->nr)
		fprintf(out,
			"\n  %.0f %% of the samples are in functions without a name, "
			"FILE+0xADDRESS "
			"above: these files\n  are stripped. Build them without -s and strip, or "
			"install their debug files below\n  /usr/lib/debug, to see which functions "
			"they are.\n",
			percent(stacks->nr_unnamed, stacks->nr));
}

void measure_summary_print_stacks(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks)
{
	if (unified->definitions.generators.nr == 0)
		return;
	print_how(out, unified, stacks);
	if (stacks->nr == 0)
		return;
	print_modules(out, unified, stacks);
	print_hottest(out, unified, stacks);
	print_functions(out, unified, stacks);
	print_advice(out, unified, stacks);
	print_unnamed(out, stacks);
}
