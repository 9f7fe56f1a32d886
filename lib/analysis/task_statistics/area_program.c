/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The area bound by lp_solve; see area_program.h. Column 1 is the time T, the others are a(type,
 * class), the share of a type that a class executes. Minimise T where
 *
 *	the sum over classes of a(type, class) is 1, for each type,
 *	the sum over types of a(type, class) * tasks * duration is at most workers * T, for each
 *class.
 *
 * T is counted in a time near the bound: whatever the durations, what matters is near 1, as
 *lp_solve wants it. */
#include "config.h"

#include "area_program.h"

#include <lpsolve/lp_lib.h>
#include <math.h>

#include "trace/common/containers.h"

/* Less of the unit is nothing: such types are left out, as lp_solve fails where numbers are too
 * different. */
#define LEAST_WORK 1e-8

/* The class that needs least time for a type with all its workers; *time is that of all tasks. */
static size_t area_fastest(const struct measure_area *area, size_t type, double *time)
{
	size_t fastest = 0;

	*time = INFINITY;
	for (size_t class = 0; class < area->nr_classes; class ++) {
		const double duration = area->durations[type * area->nr_classes + class];
		const double work = area->counts[type] * duration;

		if (area->workers[class] <= 0 || duration < 0 ||
			!(work < *time * area->workers[class]))
			continue;
		*time = work / area->workers[class];
		fastest = class;
	}
	return fastest;
}

/* Were each type executed by its fastest class, and by nobody else; never 0. */
static double area_unit(const struct measure_area *area)
{
	double unit = 0;

	for (size_t type = 0; type < area->nr_types; type++) {
		double time;

		area_fastest(area, type, &time);
		unit += area->counts[type] > 0 ? time : 0;
	}
	return unit > 0 ? unit : 1;
}

static bool area_is_small(const struct measure_area *area, size_t type, double unit)
{
	double time;

	area_fastest(area, type, &time);
	return area->counts[type] <= 0 || time < LEAST_WORK * unit;
}

static int area_column(const struct measure_area *area, size_t type, size_t class)
{
	return (int)(2 + type * area->nr_classes + class);
}

static bool add_rows_of_types(
	lprec *program, const struct measure_area *area, double unit, double *row, int *columns)
{
	for (size_t type = 0; type < area->nr_types; type++) {
		int nr = 0;

		for (size_t class = 0; class < area->nr_classes; class ++) {
			if (area->workers[class] <= 0 ||
				area->durations[type * area->nr_classes + class] < 0)
				continue;
			columns[nr] = area_column(area, type, class);
			row[nr++] = 1;
		}
		if (!area_is_small(area, type, unit) &&
			!add_constraintex(program, nr, row, columns, EQ, 1))
			return false;
	}
	return true;
}

static bool add_rows_of_classes(
	lprec *program, const struct measure_area *area, double unit, double *row, int *columns)
{
	for (size_t class = 0; class < area->nr_classes; class ++) {
		int nr = 0;

		if (area->workers[class] <= 0)
			continue;
		columns[nr] = 1;
		row[nr++] = -area->workers[class];
		for (size_t type = 0; type < area->nr_types; type++) {
			const double of_type = area->durations[type * area->nr_classes + class];

			if (of_type < 0 || area_is_small(area, type, unit))
				continue;
			columns[nr] = area_column(area, type, class);
			row[nr++] = area->counts[type] * of_type / unit;
		}
		if (!add_constraintex(program, nr, row, columns, LE, 0))
			return false;
	}
	return true;
}

static bool fill(lprec *program, const struct measure_area *area, double unit)
{
	const size_t most = 1 + area->nr_types + area->nr_classes;
	double *row = measure_zeroed(most, sizeof(*row));
	int *columns = measure_zeroed(most, sizeof(*columns));
	bool is_filled;

	set_verbose(program, NEUTRAL);
	set_add_rowmode(program, TRUE);
	columns[0] = 1;
	row[0] = 1;
	is_filled = set_obj_fnex(program, 1, row, columns) &&
		    add_rows_of_types(program, area, unit, row, columns) &&
		    add_rows_of_classes(program, area, unit, row, columns);
	set_add_rowmode(program, FALSE);
	measure_free(row);
	measure_free(columns);
	return is_filled;
}

static void take_shares(
	lprec *program, const struct measure_area *area, double unit, double *shares)
{
	double *variables;

	if (!get_ptr_variables(program, &variables))
		return;
	for (size_t type = 0; type < area->nr_types; type++) {
		double *of_type = &shares[type * area->nr_classes], time;

		for (size_t class = 0; class < area->nr_classes; class ++)
			of_type[class] =
				area->counts[type] * variables[1 + type * area->nr_classes + class];
		if (area_is_small(area, type, unit))
			of_type[area_fastest(area, type, &time)] = area->counts[type];
	}
}

bool measure_area_program(const struct measure_area *area, double *bound, double *shares)
{
	const double unit = area_unit(area);
	lprec *program = make_lp(0, (int)(1 + area->nr_types * area->nr_classes));
	bool is_solved;

	if (!program)
		return false;
	is_solved = fill(program, area, unit) && solve(program) == OPTIMAL;
	if (is_solved) {
		*bound = get_objective(program) * unit;
		if (shares)
			take_shares(program, area, unit, shares);
	}
	delete_lp(program);
	return is_solved;
}
