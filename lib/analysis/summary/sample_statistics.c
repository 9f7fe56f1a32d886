/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adding up samples by function; see sample_statistics.h. */
#include "config.h"

#include "sample_statistics.h"

#include <fnmatch.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>
#include <string.h>

/* Enough for a picture: more functions are not worth the trouble, smaller ones neither. */
#define MOST_WORTH  8
#define SHARE_WORTH 0.03 /* of all samples */

struct sample_statistics_adding {
	const struct measure_unified *unified;
	struct measure_sample_statistics *stacks;
	uint64_t *contexts;                        /* samples, by context of the archive */
	struct measure_sample_statistics_function *functions; /* by region of the archive */
	uint32_t *seen;    /* by region: the last context that it was seen in, + 1 */
	uint64_t *modules; /* samples, by string */
	bool is_installed; /* the program is the system's, and so its libraries are the user's code
			    */
};

static const char *const run_times[] = {
#define RUN_TIME(pattern) pattern,
#include "runtime_libraries.def"
#undef RUN_TIME
};

static uint64_t losses_of(const struct measure_part *part)
{
	static const char *const names[] = {
		"samples_busy", "samples_idle", "samples_homeless", "samples_undefined"};
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		sum += measure_part_count(part, names[i]);
	return sum;
}

static void add_part(struct sample_statistics_adding *adding, size_t process)
{
	const struct measure_part *part = adding->unified->job->processes.items[process].part;
	const measure_id_map_t *map = &adding->unified->locals.items[process].contexts;
	struct measure_sample_statistics *stacks = adding->stacks;

	if (!part)
		return;
	for (size_t i = 0; i < part->context_tallies.nr; i++) {
		const struct measure_def_context_tally *tally = &part->context_tallies.items[i];
		if (tally->context >= map->nr)
			continue;
		adding->contexts[map->items[tally->context]] += tally->samples;
		stacks->nr += tally->samples;
	}
	stacks->nr_taken += measure_part_count(part, "samples");
	stacks->nr_late += measure_part_count(part, "samples_missed");
	stacks->nr_lost += losses_of(part);
}

static const char *text_of(const struct sample_statistics_adding *adding, uint32_t string)
{
	return measure_intern_key(&adding->unified->definitions.strings, string);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_run_time(const char *path)
{
	for (size_t i = 0; i < sizeof(run_times) / sizeof(*run_times); i++)
		if (fnmatch(run_times[i], *run_times[i] == '*' ? path : base_name(path), 0) == 0)
			return true;
	return false;
}

bool measure_sample_statistics_is_system(const char *path)
{
	static const char *const folders[] = {"/lib/", "/lib32/", "/lib64/", "/bin/", "/sbin/",
		"/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/libexec/", "/usr/bin/",
		"/usr/sbin/", "/usr/games/"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

static void find_program(struct sample_statistics_adding *adding)
{
	const struct measure_job *job = adding->unified->job;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		const char *program = part && part->has_process ? part->process.program : NULL;
		if (program && !is_run_time(program))
			adding->is_installed |= measure_sample_statistics_is_system(program);
	}
}

/* What the user may be able to compile anew, and gain from. */
static bool is_own(const struct sample_statistics_adding *adding, uint32_t id)
{
	const struct measure_otf2_region *region = &adding->unified->definitions.regions.items[id];
	const char *module = text_of(adding, region->module);

	return strchr(module, '/') && !is_run_time(module) &&
	       (adding->is_installed || !measure_sample_statistics_is_system(module));
}

/* Not one that is called by its place, "<file>+0x<address>". */
static bool is_named(const struct sample_statistics_adding *adding, uint32_t id)
{
	const struct measure_otf2_region *region = &adding->unified->definitions.regions.items[id];
	const char *file = base_name(text_of(adding, region->module));
	const char *name = text_of(adding, region->canonical);

	return strncmp(name, file, strlen(file)) != 0 ||
	       strncmp(name + strlen(file), "+0x", 3) != 0;
}

static void add_context(struct sample_statistics_adding *adding, uint32_t leaf)
{
	const struct measure_archive_definitions *definitions = &adding->unified->definitions;
	uint64_t samples = adding->contexts[leaf];
	bool has_inner = false;

	for (uint32_t id = leaf; id != UINT32_MAX; id = definitions->contexts.items[id].parent) {
		uint32_t region = definitions->contexts.items[id].region;
		struct measure_sample_statistics_function *function = &adding->functions[region];
		if (id == leaf) {
			function->self += samples;
			adding->modules[definitions->regions.items[region].module] += samples;
		}
		if (adding->seen[region] == leaf + 1)
			continue;
		adding->seen[region] = leaf + 1;
		function->whole += samples;
		if (has_inner || !is_own(adding, region))
			continue;
		has_inner = true;
		function->inner += samples;
		adding->stacks->nr_inner += samples;
		if (!is_named(adding, region))
			adding->stacks->nr_unnamed += samples;
	}
}

static int compare_counts(uint64_t left, uint64_t right, uint32_t left_id, uint32_t right_id)
{
	if (left != right)
		return left < right ? 1 : -1;
	return (left_id > right_id) - (left_id < right_id);
}

static int compare_inner(const void *left, const void *right)
{
	const struct measure_sample_statistics_function *a = left, *b = right;

	return compare_counts(a->inner, b->inner, a->region, b->region);
}

static int compare_self(const void *left, const void *right)
{
	const struct measure_sample_statistics_function *a = left, *b = right;

	return compare_counts(a->self, b->self, a->region, b->region);
}

static int compare_modules(const void *left, const void *right)
{
	const struct measure_sample_statistics_module *a = left, *b = right;

	return compare_counts(a->self, b->self, a->path, b->path);
}

#define SORT(array, compare)                                                                       \
	do {                                                                                       \
		if ((array).nr)                                                                    \
			qsort((array).items, (array).nr, sizeof(*(array).items), compare);         \
	} while (0)

static measure_status_t list_modules(struct sample_statistics_adding *adding)
{
	struct measure_sample_statistics *stacks = adding->stacks;
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < adding->unified->definitions.strings.entries.nr && !status; i++) {
		const struct measure_sample_statistics_module module = {i, adding->modules[i]};
		if (module.self)
			status = measure_array_push(&stacks->modules, module);
	}
	SORT(stacks->modules, compare_modules);
	return status;
}

static measure_status_t list_functions(struct sample_statistics_adding *adding)
{
	struct measure_sample_statistics *stacks = adding->stacks;
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < adding->unified->definitions.regions.nr && !status; i++) {
		adding->functions[i].region = i;
		if (adding->functions[i].self)
			status = measure_array_push(&stacks->hottest, adding->functions[i]);
		if (adding->functions[i].inner && !status)
			status = measure_array_push(&stacks->functions, adding->functions[i]);
	}
	SORT(stacks->hottest, compare_self);
	SORT(stacks->functions, compare_inner);
	return status;
}

/* Those with a name have nearly all samples of those that have no hooks yet, and each has many. */
static measure_status_t list_worth(struct sample_statistics_adding *adding)
{
	struct measure_sample_statistics *stacks = adding->stacks;
	measure_status_t status = MEASURE_OK;
	bool is_any_new = false;

	for (size_t i = 0; i < stacks->functions.nr && !status; i++) {
		const struct measure_sample_statistics_function *function =
			&stacks->functions.items[i];
		if (stacks->worth.nr == MOST_WORTH ||
			(double)function->inner < SHARE_WORTH * (double)stacks->nr)
			break;
		if (!is_named(adding, function->region))
			continue;
		is_any_new |= !measure_sample_statistics_is_recorded(adding->unified, function);
		status = measure_array_push(&stacks->worth, *function);
	}
	if (!is_any_new)
		stacks->worth.nr = 0;
	return status;
}

static measure_status_t add_all(struct sample_statistics_adding *adding)
{
	const struct measure_archive_definitions *definitions = &adding->unified->definitions;
	measure_status_t status;

	find_program(adding);
	for (size_t i = 0; i < adding->unified->job->processes.nr; i++)
		add_part(adding, i);
	for (uint32_t i = 0; i < definitions->contexts.nr; i++)
		if (adding->contexts[i])
			add_context(adding, i);
	status = list_modules(adding);
	if (status == MEASURE_OK)
		status = list_functions(adding);
	return status == MEASURE_OK ? list_worth(adding) : status;
}

measure_status_t measure_sample_statistics_make(
	const struct measure_unified *unified, struct measure_sample_statistics *stacks)
{
	size_t nr_regions = unified->definitions.regions.nr;
	struct sample_statistics_adding adding = {unified, stacks,
		calloc(unified->definitions.contexts.nr + 1, sizeof(*adding.contexts)),
		calloc(nr_regions + 1, sizeof(*adding.functions)),
		calloc(nr_regions + 1, sizeof(*adding.seen)),
		calloc(unified->definitions.strings.entries.nr + 1, sizeof(*adding.modules)),
		false};
	measure_status_t status = MEASURE_ERROR_MEMORY;

	if (adding.contexts && adding.functions && adding.seen && adding.modules)
		status = add_all(&adding);
	free(adding.contexts);
	free(adding.functions);
	free(adding.seen);
	free(adding.modules);
	return status;
}

void measure_sample_statistics_free(struct measure_sample_statistics *stacks)
{
	free(stacks->modules.items);
	free(stacks->hottest.items);
	free(stacks->functions.items);
	free(stacks->worth.items);
	memset(stacks, 0, sizeof(*stacks));
}

bool measure_sample_statistics_is_recorded(const struct measure_unified *unified,
	const struct measure_sample_statistics_function *function)
{
	return unified->definitions.regions.items[function->region].paradigm !=
	       OTF2_PARADIGM_SAMPLING;
}
