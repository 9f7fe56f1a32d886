/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Samples of a profile by function: in how many it is the innermost one, and in how many it is
 * anywhere in the stack. */
#include "config.h"

#include "profile_samples.h"

#include <stdlib.h>

struct samples_counting {
	const struct measure_profile *profile;
	struct measure_sampled_function *functions; /* by region */
	size_t *seen; /* by region: the last row of the table that it was seen in, + 1 */
};

static uint32_t region_of_context(const struct samples_counting *counting, uint32_t context)
{
	const struct measure_definitions *definitions = &counting->profile->trace->definitions;
	const uint32_t region = definitions->calling_contexts[context].region;

	if (region < definitions->nr_regions && counting->profile->same_regions)
		return counting->profile->same_regions[region];
	return region;
}

/* Damaged archives may have contexts that go round: no more steps than contexts. */
static void count_stack(
	struct samples_counting *counting, size_t row, uint64_t context, uint64_t nr_samples)
{
	const struct measure_definitions *definitions = &counting->profile->trace->definitions;
	bool is_innermost = true;

	for (size_t i = 0;
		i < definitions->nr_calling_contexts && context < definitions->nr_calling_contexts;
		i++) {
		const uint32_t region = region_of_context(counting, (uint32_t)context);

		context = definitions->calling_contexts[context].parent;
		if (region >= definitions->nr_regions)
			continue;
		if (is_innermost)
			counting->functions[region].self += nr_samples;
		if (counting->seen[region] != row + 1)
			counting->functions[region].whole += nr_samples;
		counting->seen[region] = row + 1;
		is_innermost = false;
	}
}

static int compare_functions(const void *left, const void *right)
{
	const struct measure_sampled_function *a = left, *b = right;

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	if (a->whole != b->whole)
		return a->whole < b->whole ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

struct measure_sampled_function *measure_profile_sampled_functions(
	const struct measure_profile *profile, size_t *nr)
{
	const struct measure_profile_table *table = &profile->tables[MEASURE_TABLE_SAMPLES];
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_SAMPLES);
	const size_t nr_regions = profile->trace->definitions.nr_regions;
	struct samples_counting counting = {.profile = profile,
		.functions = measure_zeroed(nr_regions, sizeof(*counting.functions)),
		.seen = measure_zeroed(nr_regions, sizeof(*counting.seen))};

	for (size_t i = 0; i < table->nr; i++)
		count_stack(&counting, i, table->keys[i].high,
			measure_cell(&table->values[i * width], SAMPLES, COUNT));
	measure_free(counting.seen);
	*nr = 0;
	for (uint32_t region = 0; region < nr_regions; region++) {
		counting.functions[region].region = region;
		if (counting.functions[region].whole > 0)
			counting.functions[(*nr)++] = counting.functions[region];
	}
	if (*nr > 0)
		qsort(counting.functions, *nr, sizeof(*counting.functions), compare_functions);
	return counting.functions;
}
