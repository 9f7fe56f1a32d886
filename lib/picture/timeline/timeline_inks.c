/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which call path has which colour; see timeline_inks.h. */
#include "config.h"

#include "timeline_inks.h"

#include <string.h>

#include "analysis/pyramid/state_classes.h"

static const struct {
	enum measure_ink ink;
	const char *text; /* of all classes that have this ink */
} class_inks[MEASURE_NR_STATE_CLASSES] = {
	[MEASURE_STATE_COMPUTATION] = {MEASURE_INK_FUNCTION_REST, "other functions"},
	[MEASURE_STATE_MPI_SETUP] = {MEASURE_INK_MPI_OTHER, "MPI: other calls"},
	[MEASURE_STATE_MPI_P2P] = {MEASURE_INK_MPI, "MPI: messages"},
	[MEASURE_STATE_MPI_TEST] = {MEASURE_INK_MPI_OTHER, "MPI: other calls"},
	[MEASURE_STATE_MPI_COLLECTIVE] = {MEASURE_INK_COLLECTIVE, "MPI: collectives"},
	[MEASURE_STATE_MPI_RMA] = {MEASURE_INK_MPI, "MPI: messages"},
	[MEASURE_STATE_MPI_IO] = {MEASURE_INK_IO, "files"},
	[MEASURE_STATE_OPENMP_SYNC] = {MEASURE_INK_OPENMP, "OpenMP: synchronization"},
	[MEASURE_STATE_OPENMP_MANAGEMENT] = {MEASURE_INK_OPENMP_OTHER, "OpenMP: threads and tasks"},
	[MEASURE_STATE_THREADS] = {MEASURE_INK_THREADS, "threads"},
	[MEASURE_STATE_IO] = {MEASURE_INK_IO, "files"},
	[MEASURE_STATE_DEVICE] = {MEASURE_INK_DEVICE, "devices: calls and transfers"},
	[MEASURE_STATE_MEASUREMENT] = {MEASURE_INK_MEASUREMENT, "measurement"},
	[MEASURE_STATE_IDLE] = {MEASURE_INK_IDLE, "idle"},
	[MEASURE_STATE_OUTSIDE] = {MEASURE_INK_OUTSIDE, "outside of all calls"},
};

static bool region_computes(void *data, const struct measure_profile *profile, uint32_t region)
{
	return measure_state_class_of(data, &profile->trace->definitions, region) ==
	       MEASURE_STATE_COMPUTATION;
}

static void inks_choose_functions(
	struct timeline_inks *inks, const struct measure_profile *profile, uint8_t *classes)
{
	const unsigned nr_most = MEASURE_INK_FUNCTION_REST - MEASURE_INK_FUNCTION_1;
	const struct measure_view_options options = {.by = MEASURE_BY_REGION,
		.sort = MEASURE_SORT_EXCLUSIVE,
		.nr_most = nr_most,
		.is_shown = region_computes,
		.data = classes};
	struct measure_view view;

	measure_view_make(&view, profile, &options);
	for (size_t i = 0; i < view.nr_rows; i++)
		if (view.rows[i].exclusive > 0)
			inks->functions[MEASURE_INK_FUNCTION_1 + i] = view.rows[i].subject;
	measure_view_free(&view);
}

static enum measure_ink ink_of_region(
	const struct timeline_inks *inks, enum measure_state_class class, uint32_t region)
{
	if (class == MEASURE_STATE_COMPUTATION)
		for (unsigned i = MEASURE_INK_FUNCTION_1; i < MEASURE_INK_FUNCTION_REST; i++)
			if (inks->functions[i] == region)
				return (enum measure_ink)i;
	return class_inks[class].ink;
}

void timeline_inks_make(struct timeline_inks *inks, const struct measure_profile *profile)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	uint8_t *classes = measure_state_classes_find(definitions);

	*inks = (struct timeline_inks){.nr_paths = profile->nr_paths};
	memset(inks->functions, 0xff, sizeof(inks->functions));
	for (unsigned i = 0; i < MEASURE_NR_STATE_CLASSES; i++)
		inks->classes[class_inks[i].ink] = class_inks[i].text;
	inks_choose_functions(inks, profile, classes);
	inks->of_paths = measure_zeroed(profile->nr_paths, sizeof(*inks->of_paths));
	inks->of_paths[0] = MEASURE_INK_OUTSIDE;
	for (size_t i = 1; i < profile->nr_paths; i++) {
		const uint32_t region = profile->paths[i].region;

		inks->of_paths[i] = ink_of_region(
			inks, measure_state_class_of(classes, definitions, region), region);
	}
	measure_free(classes);
}

void timeline_inks_free(struct timeline_inks *inks)
{
	measure_free(inks->of_paths);
}
