/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adding up samples by function; see sample_statistics.h. */
#include "config.h"

#include "sample_statistics.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "trace/common/containers.h"

/* Enough for a picture: more functions are not worth the trouble, smaller ones neither. */
#define MOST_WORTH  8
#define SHARE_WORTH 0.03 /* of all samples */

struct sample_counting {
	const struct measure_summary *summary;
	const struct measure_definitions *definitions;
	struct sample_statistics *statistics;
	struct sample_function *functions; /* by region */
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

static const char *text_of(const struct sample_counting *counting, uint32_t string)
{
	return measure_text(counting->definitions, string);
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

bool sample_module_is_system(const char *path)
{
	static const char *const folders[] = {"/lib/", "/lib32/", "/lib64/", "/bin/", "/sbin/",
		"/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/libexec/", "/usr/bin/",
		"/usr/sbin/", "/usr/games/"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

/* The program's region is called by its base name, and canonically by what was typed: the path, and
 * its arguments behind it. */
static size_t length_of_path(const char *command, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = command; (at = strstr(at, name)); at++)
		if ((at == command || at[-1] == '/') && (at[length] == ' ' || !at[length]))
			return (size_t)(at - command) + length;
	return strlen(command);
}

static measure_status_t list_programs(struct sample_counting *counting)
{
	const struct measure_definitions *definitions = counting->definitions;
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < definitions->nr_regions && status == MEASURE_OK; i++) {
		const struct measure_region *region = &definitions->regions[i];
		const char *command = text_of(counting, region->canonical_name);
		if (region->role != OTF2_REGION_ROLE_ARTIFICIAL ||
			region->paradigm != OTF2_PARADIGM_MEASUREMENT_SYSTEM ||
			!strchr(command, '/'))
			continue;
		char *path =
			strndup(command, length_of_path(command, text_of(counting, region->name)));
		if (!path)
			return MEASURE_ERROR_MEMORY;
		counting->is_installed |= !is_run_time(path) && sample_module_is_system(path);
		status = measure_array_push(&counting->statistics->programs, path);
	}
	return status;
}

bool sample_module_is_program(const struct sample_statistics *statistics, const char *path)
{
	for (size_t i = 0; i < statistics->programs.nr; i++)
		if (strcmp(statistics->programs.items[i], path) == 0)
			return true;
	return false;
}

/* What the user may be able to compile anew, and gain from. */
static bool is_own(const struct sample_counting *counting, uint32_t id)
{
	const struct measure_region *region = &counting->definitions->regions[id];
	const char *module = text_of(counting, region->description);

	return strchr(module, '/') && !is_run_time(module) &&
	       (counting->is_installed || !sample_module_is_system(module));
}

/* Not one that is called by its place, "<file>+0x<address>". */
static bool is_named(const struct sample_counting *counting, uint32_t id)
{
	const struct measure_region *region = &counting->definitions->regions[id];
	const char *file = base_name(text_of(counting, region->description));
	const char *name = text_of(counting, region->canonical_name);

	return strncmp(name, file, strlen(file)) != 0 ||
	       strncmp(name + strlen(file), "+0x", 3) != 0;
}

/* Damaged archives may have contexts that go round: no more steps than contexts. */
static void add_context(struct sample_counting *counting, uint32_t leaf)
{
	const struct measure_definitions *definitions = counting->definitions;
	uint64_t samples = counting->summary->events.contexts[leaf];
	bool has_inner = false;
	uint32_t id = leaf;

	counting->statistics->nr += samples;
	for (size_t i = 0; id != MEASURE_NONE && i < definitions->nr_calling_contexts;
		id = definitions->calling_contexts[id].parent, i++) {
		uint32_t region = definitions->calling_contexts[id].region;
		if (region == MEASURE_NONE)
			continue;
		struct sample_function *function = &counting->functions[region];
		uint32_t module = definitions->regions[region].description;
		if (id == leaf) {
			function->self += samples;
			counting->modules[module == MEASURE_NONE ? 0 : module] += samples;
		}
		if (counting->seen[region] == leaf + 1)
			continue;
		counting->seen[region] = leaf + 1;
		function->whole += samples;
		if (has_inner || !is_own(counting, region))
			continue;
		has_inner = true;
		function->inner += samples;
		counting->statistics->nr_inner += samples;
		if (!is_named(counting, region))
			counting->statistics->nr_unnamed += samples;
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
	const struct sample_function *a = left, *b = right;

	return compare_counts(a->inner, b->inner, a->region, b->region);
}

static int compare_self(const void *left, const void *right)
{
	const struct sample_function *a = left, *b = right;

	return compare_counts(a->self, b->self, a->region, b->region);
}

static int compare_modules(const void *left, const void *right)
{
	const struct sample_module *a = left, *b = right;

	return compare_counts(a->self, b->self, a->path, b->path);
}

#define SORT(array, compare)                                                                       \
	do {                                                                                       \
		if ((array).nr)                                                                    \
			qsort((array).items, (array).nr, sizeof(*(array).items), compare);         \
	} while (0)

static measure_status_t list_modules(struct sample_counting *counting)
{
	struct sample_statistics *statistics = counting->statistics;
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < counting->definitions->nr_strings && !status; i++) {
		const struct sample_module module = {i, counting->modules[i]};
		if (module.self)
			status = measure_array_push(&statistics->modules, module);
	}
	SORT(statistics->modules, compare_modules);
	return status;
}

static measure_status_t list_functions(struct sample_counting *counting)
{
	struct sample_statistics *statistics = counting->statistics;
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < counting->definitions->nr_regions && !status; i++) {
		counting->functions[i].region = i;
		if (counting->functions[i].self)
			status = measure_array_push(&statistics->hottest, counting->functions[i]);
		if (counting->functions[i].inner && !status)
			status = measure_array_push(&statistics->functions, counting->functions[i]);
	}
	SORT(statistics->hottest, compare_self);
	SORT(statistics->functions, compare_inner);
	return status;
}

/* Those with a name have nearly all samples of those that have no hooks yet, and each has many. */
static measure_status_t list_worth(struct sample_counting *counting)
{
	struct sample_statistics *statistics = counting->statistics;
	measure_status_t status = MEASURE_OK;
	bool is_any_new = false;

	for (size_t i = 0; i < statistics->functions.nr && !status; i++) {
		const struct sample_function *function = &statistics->functions.items[i];
		if (statistics->worth.nr == MOST_WORTH ||
			(double)function->inner < SHARE_WORTH * (double)statistics->nr)
			break;
		if (!is_named(counting, function->region))
			continue;
		is_any_new |= !sample_function_is_recorded(counting->summary, function);
		status = measure_array_push(&statistics->worth, *function);
	}
	if (!is_any_new)
		statistics->worth.nr = 0;
	return status;
}

static measure_status_t add_all(struct sample_counting *counting)
{
	measure_status_t status = list_programs(counting);

	for (uint32_t i = 0; i < counting->definitions->nr_calling_contexts; i++)
		if (counting->summary->events.contexts[i])
			add_context(counting, i);
	if (status == MEASURE_OK)
		status = list_modules(counting);
	if (status == MEASURE_OK)
		status = list_functions(counting);
	return status == MEASURE_OK ? list_worth(counting) : status;
}

measure_status_t sample_statistics_make(
	const struct measure_summary *summary, struct sample_statistics *statistics)
{
	const struct measure_definitions *definitions = summary->definitions;
	struct sample_counting counting = {summary, definitions, statistics,
		measure_zeroed(definitions->nr_regions, sizeof(*counting.functions)),
		measure_zeroed(definitions->nr_regions, sizeof(*counting.seen)),
		measure_zeroed(definitions->nr_strings + 1, sizeof(*counting.modules)), false};

	memset(statistics, 0, sizeof(*statistics));
	measure_status_t status = add_all(&counting);
	measure_free(counting.functions);
	measure_free(counting.seen);
	measure_free(counting.modules);
	return status;
}

void sample_statistics_free(struct sample_statistics *statistics)
{
	for (size_t i = 0; i < statistics->programs.nr; i++)
		free(statistics->programs.items[i]);
	free(statistics->programs.items);
	free(statistics->modules.items);
	free(statistics->hottest.items);
	free(statistics->functions.items);
	free(statistics->worth.items);
}

bool sample_function_is_recorded(
	const struct measure_summary *summary, const struct sample_function *function)
{
	return summary->definitions->regions[function->region].paradigm != OTF2_PARADIGM_SAMPLING;
}
