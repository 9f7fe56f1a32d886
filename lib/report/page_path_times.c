/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The block of times by call path: of each location the calls and the exclusive time of each path,
 * as the profile has them. It is left out where it is too large. */
#include "config.h"

#include <stdlib.h>

#include "page_bytes.h"
#include "page_run.h"

#define SHARE 10 /* per cent of the room */

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct measure_page_run *run = data;
	const struct measure_profile_row *a = *(const struct measure_profile_row *const *)left,
					 *b = *(const struct measure_profile_row *const *)right;

	if (a->location != b->location)
		return run->rows[a->location] < run->rows[b->location] ? -1 : 1;
	return (a->path > b->path) - (a->path < b->path);
}

/* By row of the page, then by path, nr of them; to be freed. Tasks that ran inside of a path have
 * paths of their own, which have their time. */
static const struct measure_profile_row **sort_rows(const struct measure_page_run *run, size_t *nr)
{
	const struct measure_profile *profile = run->profile;
	const struct measure_profile_row **order =
		measure_uncleared(profile->nr_rows, sizeof(*order));

	*nr = 0;
	for (size_t i = 0; i < profile->nr_rows; i++)
		if (profile->paths[profile->rows[i].path].region != MEASURE_PSEUDO_RUNNING_TASKS)
			order[(*nr)++] = &profile->rows[i];
	if (*nr > 0)
		qsort_r(order, *nr, sizeof(*order), compare_rows, (void *)(uintptr_t)run);
	return order;
}

/* The rows of one location: nr of them. */
static void add_rows(const struct measure_page_run *run, struct measure_page_bytes *bytes,
	const struct measure_profile_row *const *rows, size_t nr)
{
	uint32_t path = 0;

	measure_page_bytes_number(bytes, nr);
	for (size_t i = 0; i < nr; i++) {
		measure_page_bytes_number(bytes, rows[i]->path - path);
		measure_page_bytes_number(bytes, rows[i]->visits);
		measure_page_bytes_number(bytes, rows[i]->exclusive >> run->pyramid.shift);
		path = rows[i]->path;
	}
}

void measure_page_write_path_times(struct measure_page_run *run)
{
	const uint64_t before = run->page->size, most = run->room / 100 * SHARE;
	size_t nr;
	const struct measure_profile_row **rows = sort_rows(run, &nr);
	struct measure_page_block *block = measure_page_open(run->page, run->number, "path_times");
	struct measure_page_bytes bytes = {.nr_bytes = 0};

	for (size_t row = 0, i = 0; row < run->trace->definitions.nr_locations; row++) {
		const size_t first = i;

		while (i < nr && run->rows[rows[i]->location] == row)
			i++;
		bytes.nr_bytes = 0;
		add_rows(run, &bytes, rows + first, i - first);
		measure_page_bytes_write(&bytes, block);
	}
	measure_page_bytes_free(&bytes);
	measure_free(rows);
	measure_page_close(run->page);
	run->shares[MEASURE_PAGE_PATH_TIMES].is_there = run->page->size - before <= most;
	if (!run->shares[MEASURE_PAGE_PATH_TIMES].is_there)
		measure_page_drop(run->page);
}
