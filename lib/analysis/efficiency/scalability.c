/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios of sums. Counters come from the profile of the whole run: before MPI_Init and after
 * MPI_Finalize there is little of them. */
#include "config.h"

#include "scalability.h"

#include <string.h>

#include "analysis/report/profile_view.h"
#include "analysis/waits/path_kinds.h"

static double value_of(const struct measure_profile_metric *metric)
{
	return metric->integer != 0 ? (double)metric->integer : metric->real;
}

struct measure_work measure_work_find(const struct measure_waits *waits, uint64_t useful,
	uint32_t nr_processes, const bool *is_master)
{
	const struct measure_profile *profile = &waits->profile;
	const struct measure_definitions *definitions = &profile->trace->definitions;
	struct measure_path_kind *kinds = measure_path_kinds_find(waits);
	struct measure_work work = {
		.nr_processes = nr_processes, .seconds = measure_profile_seconds(profile, useful)};

	for (size_t i = 0; i < profile->nr_metrics; i++) {
		const struct measure_profile_metric *metric = &profile->metrics[i];
		const char *name;

		if (!is_master[metric->location] || !kinds[metric->path].is_useful)
			continue;
		name = measure_text(definitions, definitions->metric_members[metric->member].name);
		if (strcmp(name, "PAPI_TOT_INS") == 0)
			work.instructions += value_of(metric);
		else if (strcmp(name, "PAPI_TOT_CYC") == 0)
			work.cycles += value_of(metric);
	}
	measure_free(kinds);
	return work;
}

static bool has_counters(const struct measure_work *work)
{
	return work->instructions > 0 && work->cycles > 0;
}

struct measure_scalability measure_scalability_of(const struct measure_work *reference,
	const struct measure_work *work, bool is_weak, double parallel)
{
	struct measure_scalability scalability = {
		.is_weak = is_weak, .reference = *reference, .work = *work};
	const double growth =
		is_weak ? (double)work->nr_processes / (double)reference->nr_processes : 1;

	if (work->seconds <= 0 || reference->seconds <= 0 || reference->nr_processes == 0)
		return scalability;
	scalability.is_known = true;
	scalability.computation = growth * reference->seconds / work->seconds;
	scalability.global = parallel * scalability.computation;
	if (!has_counters(work) || !has_counters(reference))
		return scalability;
	scalability.instructions = growth * reference->instructions / work->instructions;
	scalability.ipc =
		(work->instructions / work->cycles) / (reference->instructions / reference->cycles);
	scalability.frequency =
		(work->cycles / work->seconds) / (reference->cycles / reference->seconds);
	return scalability;
}
