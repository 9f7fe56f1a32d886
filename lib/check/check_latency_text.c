/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long messages take, for people: a column for each way, the worst ones of the network. */
#include "config.h"

#include "check_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

#define COLUMNS 5 /* of a table */

static const char *const decade_words[CHECK_NR_DECADES] = {"before the send", "below 100 ns",
	"below 1 us", "below 10 us", "below 100 us", "below 1 ms", "below 10 ms", "below 100 ms",
	"below 1 s", "1 s and more"};

/* Inside processes and nodes first; then those with most that cannot be. */
static int compare_rows(const void *left, const void *right)
{
	const struct check_time_row *a = *(const struct check_time_row *const *)left;
	const struct check_time_row *b = *(const struct check_time_row *const *)right;

	if (a->way != b->way)
		return a->way < b->way ? -1 : 1;
	if (a->decades[0] != b->decades[0])
		return a->decades[0] > b->decades[0] ? -1 : 1;
	if (a->nr_below != b->nr_below)
		return a->nr_below > b->nr_below ? -1 : 1;
	return a < b ? -1 : 1;
}

static void print_names(const struct check *check, const struct check_time_row **rows, size_t nr)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	printf("\n  %-18s", "messages take");
	for (size_t i = 0; i < nr; i++)
		printf(" %11.11s", rows[i]->way == CHECK_WAY_NETWORK
					   ? MEASURE_PRINTABLE(measure_name_of_host(
						     definitions, rows[i]->from))
					   : "inside a");
	printf("\n  %-18s", "");
	for (size_t i = 0; i < nr; i++) {
		char to[12];

		if (rows[i]->way == CHECK_WAY_NETWORK)
			snprintf(to, sizeof(to), "> %.9s",
				MEASURE_PRINTABLE(measure_name_of_host(definitions, rows[i]->to)));
		else
			strcpy(to, rows[i]->way == CHECK_WAY_PROCESS ? "process" : "node");
		printf(" %11s", to);
	}
	putchar('\n');
}

static void print_counts(const char *word, const struct check_time_row **rows, size_t nr,
	uint64_t (*count)(const struct check_time_row *row, int index), int index)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += count(rows[i], index);
	if (sum == 0)
		return;
	printf("  %-18s", word);
	for (size_t i = 0; i < nr; i++)
		printf(" %11llu", (unsigned long long)count(rows[i], index));
	putchar('\n');
}

static uint64_t in_decade(const struct check_time_row *row, int index)
{
	return row->decades[index];
}

static uint64_t below_least(const struct check_time_row *row, int index)
{
	(void)index;
	return row->nr_below;
}

static void print_micros(const struct check *check, const char *word,
	const struct check_time_row **rows, size_t nr,
	double (*value)(const struct check_time_row *row))
{
	printf("  %-18s", word);
	for (size_t i = 0; i < nr; i++)
		printf(" %11.3f", 1e6 * value(rows[i]) * measure_trace_span(check->trace, 1));
	putchar('\n');
}

static double latency_text_least(const struct check_time_row *row)
{
	return (double)row->least;
}

static double mean(const struct check_time_row *row)
{
	return (double)row->sum / (double)row->nr;
}

static double most(const struct check_time_row *row)
{
	return (double)row->most;
}

static void print_table(const struct check *check, const struct check_time_row **rows, size_t nr)
{
	print_names(check, rows, nr);
	for (int i = 0; i < CHECK_NR_DECADES; i++)
		print_counts(decade_words[i], rows, nr, in_decade, i);
	print_counts("below minimum", rows, nr, below_least, 0);
	print_micros(check, "minimum, us", rows, nr, latency_text_least);
	print_micros(check, "mean, us", rows, nr, mean);
	print_micros(check, "maximum, us", rows, nr, most);
}

static void print_verdict(const struct check_time_row **rows, size_t nr)
{
	uint64_t nr_before = 0, nr_below = 0;

	for (size_t i = 0; i < nr; i++) {
		nr_before += rows[i]->decades[0];
		nr_below += rows[i]->nr_below;
	}
	if (nr_before)
		printf("  ! %llu arrive before they are sent: clocks disagree\n",
			(unsigned long long)nr_before);
	if (nr_below)
		printf("  ! %llu take less than the minimum time: clocks disagree, or --lmin is "
		       "too long\n",
			(unsigned long long)nr_below);
}

void check_print_times_text(const struct check *check, bool is_verbose)
{
	const struct check_times *times = &check->times;
	const struct check_time_row **rows = measure_zeroed(times->nr, sizeof(*rows));
	size_t nr = 0, nr_shown;

	for (size_t i = 0; i < times->nr; i++)
		if (times->rows[i].nr)
			rows[nr++] = &times->rows[i];
	qsort(rows, nr, sizeof(*rows), compare_rows);
	nr_shown = is_verbose || nr < COLUMNS ? nr : COLUMNS;
	for (size_t i = 0; i < nr_shown; i += COLUMNS)
		print_table(check, rows + i, nr_shown - i < COLUMNS ? nr_shown - i : COLUMNS);
	if (nr_shown < nr)
		printf("  and %zu more pairs of nodes with smaller errors (--verbose shows them)\n",
			nr - nr_shown);
	print_verdict(rows, nr);
	measure_free(rows);
}
