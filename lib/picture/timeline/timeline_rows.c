/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of a time line; see timeline_rows.h. */
#include "config.h"

#include "timeline_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ROW  4.0
#define MOST_ROW   26.0
#define USUAL_ROOM 640.0 /* for all rows, if the user does not say */
#define FILLED     0.85  /* of a row is bar */

static bool location_is_shown(const struct measure_waits *waits, uint32_t location)
{
	const struct measure_call_table *table = &waits->dependencies.tables[location];

	return table->begin <= table->end &&
	       waits->profile.trace->definitions.locations[location].type !=
		       OTF2_LOCATION_TYPE_METRIC;
}

struct location_order {
	const struct measure_definitions *definitions;
};

static int compare_locations(const void *left, const void *right, void *data)
{
	const struct location_order *order = data;
	const struct measure_definitions *definitions = order->definitions;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint32_t first = definitions->locations[a].group;
	const uint32_t second = definitions->locations[b].group;

	if (first != second)
		return first < second ? -1 : 1;
	return (a > b) - (a < b);
}

static void rows_find_locations(struct timeline_rows *rows, const struct measure_waits *waits)
{
	struct location_order order = {&waits->profile.trace->definitions};
	const size_t nr = waits->dependencies.nr_locations;

	rows->order = measure_zeroed(nr, sizeof(*rows->order));
	for (uint32_t i = 0; i < nr; i++)
		if (location_is_shown(waits, i))
			rows->order[rows->nr_order++] = i;
	if (rows->nr_order > 0)
		qsort_r(rows->order, rows->nr_order, sizeof(*rows->order), compare_locations,
			&order);
}

/* Behind the locations of a process. */
static size_t process_end(const struct timeline_rows *rows,
	const struct measure_definitions *definitions, size_t first)
{
	const uint32_t group = definitions->locations[rows->order[first]].group;
	size_t end = first + 1;

	while (end < rows->nr_order && definitions->locations[rows->order[end]].group == group)
		end++;
	return end;
}

static const char *process_name(const struct measure_definitions *definitions, uint32_t location)
{
	const uint32_t group = definitions->locations[location].group;

	return group < definitions->nr_location_groups
		       ? measure_text(definitions, definitions->location_groups[group].name)
		       : "(no process)";
}

/* ------------------------------------------------------------------------------- rows --- */

static void rows_add_threads(
	struct timeline_rows *rows, const struct measure_definitions *definitions)
{
	for (size_t first = 0, end; first < rows->nr_order; first = end) {
		end = process_end(rows, definitions, first);
		for (size_t i = first; i < end; i++) {
			const uint32_t location = rows->order[i];
			struct timeline_row *row = measure_append(rows, rows);

			*row = (struct timeline_row){.first = i, .nr = 1};
			if (i == first)
				snprintf(row->process, sizeof(row->process), "%s",
					process_name(definitions, location));
			if (end > first + 1)
				snprintf(row->thread, sizeof(row->thread), "%s",
					measure_text(definitions,
						definitions->locations[location].name));
		}
	}
}

/* So many processes in each. */
static void rows_add_processes(
	struct timeline_rows *rows, const struct measure_definitions *definitions, size_t each)
{
	for (size_t first = 0, end; first < rows->nr_order; first = end) {
		struct timeline_row *row = measure_append(rows, rows);
		uint32_t last = rows->order[first];

		end = first;
		for (size_t i = 0; i < each && end < rows->nr_order; i++) {
			last = rows->order[end];
			end = process_end(rows, definitions, end);
		}
		*row = (struct timeline_row){.first = first, .nr = end - first};
		rows->are_merged |= row->nr > 1;
		snprintf(row->process, sizeof(row->process), "%s",
			process_name(definitions, rows->order[first]));
		if (each > 1 && last != rows->order[first])
			snprintf(row->thread, sizeof(row->thread), "to %s",
				process_name(definitions, last));
	}
}

static size_t count_processes(
	const struct timeline_rows *rows, const struct measure_definitions *definitions)
{
	size_t nr = 0;

	for (size_t first = 0; first < rows->nr_order;
		first = process_end(rows, definitions, first))
		nr++;
	return nr;
}

static void rows_add(
	struct timeline_rows *rows, const struct measure_definitions *definitions, double room)
{
	const size_t most = (size_t)fmax(1, room / LEAST_ROW);
	const size_t nr_processes = count_processes(rows, definitions);

	if (rows->nr_order <= most)
		rows_add_threads(rows, definitions);
	else
		rows_add_processes(rows, definitions, (nr_processes + most - 1) / most);
}

static void rows_place(struct timeline_rows *rows, double room)
{
	const double each = fmin(MOST_ROW, room / (double)rows->nr_rows);

	for (size_t i = 0; i < rows->nr_rows; i++) {
		struct timeline_row *row = &rows->rows[i];
		const double y = round((double)i * each);

		row->y = y;
		row->height = fmax(1, round(((double)i + 1) * each - y - each * (1 - FILLED)));
		for (size_t j = row->first; j < row->first + row->nr; j++)
			rows->of_location[rows->order[j]] = (uint32_t)i;
	}
	rows->height = ceil(each * (double)rows->nr_rows);
}

void timeline_rows_make(
	struct timeline_rows *rows, const struct measure_waits *waits, double height)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;
	const size_t nr = waits->dependencies.nr_locations;
	const double room = height > 0 ? height : USUAL_ROOM;

	*rows = (struct timeline_rows){.of_location = measure_zeroed(nr, sizeof(uint32_t))};
	memset(rows->of_location, 0xff, nr * sizeof(*rows->of_location));
	rows_find_locations(rows, waits);
	if (rows->nr_order == 0)
		return;
	rows_add(rows, definitions, room);
	rows_place(rows, room);
}

void timeline_rows_free(struct timeline_rows *rows)
{
	measure_free(rows->order);
	measure_free(rows->of_location);
	measure_free(rows->rows);
}
