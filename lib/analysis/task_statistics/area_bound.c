/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The area bound; see area_bound.h. Where no type has a choice of classes it is a division. */
#include "config.h"

#include "area_bound.h"

#include "area_program.h"
#include "trace/common/containers.h"

void measure_area_start(struct measure_area *area, size_t nr_types, size_t nr_classes)
{
	area->nr_types = nr_types;
	area->nr_classes = nr_classes;
	area->counts = measure_zeroed(nr_types, sizeof(*area->counts));
	area->durations = measure_zeroed(nr_types * nr_classes, sizeof(*area->durations));
	area->workers = measure_zeroed(nr_classes, sizeof(*area->workers));
	for (size_t i = 0; i < nr_types * nr_classes; i++)
		area->durations[i] = MEASURE_AREA_NEVER;
}

void measure_area_free(struct measure_area *area)
{
	measure_free(area->counts);
	measure_free(area->durations);
	measure_free(area->workers);
}

static bool area_can_execute(const struct measure_area *area, size_t type, size_t class)
{
	return area->workers[class] > 0 && area->durations[type * area->nr_classes + class] >= 0;
}

/* How many classes a type has; *only is the last one of them. */
static size_t area_count_classes(const struct measure_area *area, size_t type, size_t *only)
{
	size_t nr = 0;

	for (size_t class = 0; class < area->nr_classes; class ++) {
		if (!area_can_execute(area, type, class))
			continue;
		nr++;
		*only = class;
	}
	return nr;
}

/* Each type has one class. */
static double area_divide(const struct measure_area *area, double *shares)
{
	double *work = measure_zeroed(area->nr_classes, sizeof(*work));
	double bound = 0;

	for (size_t type = 0; type < area->nr_types; type++) {
		size_t class;

		if (area->counts[type] <= 0 || area_count_classes(area, type, &class) != 1)
			continue;
		work[class] +=
			area->counts[type] * area->durations[type * area->nr_classes + class];
		if (shares)
			shares[type * area->nr_classes + class] = area->counts[type];
	}
	for (size_t class = 0; class < area->nr_classes; class ++)
		if (work[class] > bound * area->workers[class])
			bound = work[class] / area->workers[class];
	measure_free(work);
	return bound;
}

bool measure_area_bound(const struct measure_area *area, double *bound, double *shares)
{
	bool has_choice = false;

	for (size_t i = 0; shares && i < area->nr_types * area->nr_classes; i++)
		shares[i] = 0;
	for (size_t type = 0; type < area->nr_types; type++) {
		size_t only;
		const size_t nr = area_count_classes(area, type, &only);

		if (area->counts[type] > 0 && nr == 0)
			return false;
		has_choice = has_choice || (area->counts[type] > 0 && nr > 1);
	}
	if (has_choice)
		return measure_area_program(area, bound, shares);
	*bound = area_divide(area, shares);
	return true;
}
