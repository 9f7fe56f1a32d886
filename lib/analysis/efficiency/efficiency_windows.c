/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies of windows as a table of 80 columns, and as JSON. Of many windows the table has the
 * worst ones only, and the mean and the minimum of all. */
#include "config.h"

#include <inttypes.h>

#include "analysis/report/profile_report.h"
#include "analysis/waits/waits_figures.h"
#include "cli/json_text.h"
#include "efficiency_report.h"

#define MOST_WINDOWS 12
#define NAME_COLUMNS 28

/* ----------------------------------------------------------------------------- table --- */

static void print_row(const char *length, const struct measure_factors *factors, FILE *out)
{
	fprintf(out, " %8s  %7.1f %9.1f %9.1f %9.1f\n", length, 100 * factors->parallel,
		100 * factors->balance, 100 * factors->serialisation, 100 * factors->transfer);
}

static void print_padded(const char *name, FILE *out)
{
	fprintf(out, "%-*.*s", NAME_COLUMNS, NAME_COLUMNS, name);
}

static void print_name_of_window(
	const struct measure_waits *waits, const struct measure_part_of_run *window, FILE *out)
{
	char name[NAME_COLUMNS + 1];

	snprintf(name, sizeof(name), "%zu, from %.6f s", window->number + 1,
		measure_trace_seconds(waits->profile.trace, window->interval.from));
	print_padded(name, out);
}

static void print_window_row(
	const struct measure_waits *waits, const struct measure_part_of_run *window, FILE *out)
{
	const uint64_t ticks = window->interval.until - window->interval.from;
	char text[MEASURE_FIGURE_TEXT];

	print_name_of_window(waits, window, out);
	print_row(measure_waits_seconds(waits, ticks, text), &window->factors, out);
}

static void add_factors(struct measure_factors *sum, const struct measure_factors *factors)
{
	sum->parallel += factors->parallel;
	sum->balance += factors->balance;
	sum->serialisation += factors->serialisation;
	sum->transfer += factors->transfer;
}

static double less(double a, double b)
{
	return a < b ? a : b;
}

static void lower_factors(struct measure_factors *least, const struct measure_factors *factors)
{
	least->parallel = less(least->parallel, factors->parallel);
	least->balance = less(least->balance, factors->balance);
	least->serialisation = less(least->serialisation, factors->serialisation);
	least->transfer = less(least->transfer, factors->transfer);
}

static void print_mean_and_least(
	const struct measure_efficiency *efficiency, size_t first, size_t end, FILE *out)
{
	const double nr = (double)(end - first);
	struct measure_factors sum = {.parallel = 0}, least = efficiency->windows[first].factors;

	for (size_t i = first; i < end; i++) {
		add_factors(&sum, &efficiency->windows[i].factors);
		lower_factors(&least, &efficiency->windows[i].factors);
	}
	sum.parallel /= nr;
	sum.balance /= nr;
	sum.serialisation /= nr;
	sum.transfer /= nr;
	print_padded("mean", out);
	print_row("", &sum, out);
	print_padded("minimum", out);
	print_row("", &least, out);
}

/* Is it among the worst ones, so that it has a row? Of equal ones the first. */
static bool is_shown(
	const struct measure_efficiency *efficiency, size_t first, size_t end, size_t window)
{
	const double own = efficiency->windows[window].factors.parallel;
	size_t nr_worse = 0;

	if (end - first <= MOST_WINDOWS)
		return true;
	for (size_t i = first; i < end && nr_worse < MOST_WINDOWS; i++) {
		const double other = efficiency->windows[i].factors.parallel;

		nr_worse += other < own || (other == own && i < window);
	}
	return nr_worse < MOST_WINDOWS;
}

/* ---------------------------------------------------------------------------- worst --- */

static const char *weakest_factor(const struct measure_factors *factors, double *least)
{
	const char *name = "load balance";

	*least = factors->balance;
	if (factors->serialisation < *least) {
		*least = factors->serialisation;
		name = "serialisation efficiency";
	}
	if (factors->transfer < *least) {
		*least = factors->transfer;
		name = "transfer efficiency";
	}
	return name;
}

static void print_worst(const struct measure_waits *waits,
	const struct measure_efficiency *efficiency, size_t worst, FILE *out)
{
	const struct measure_part_of_run *window = &efficiency->windows[worst];
	const uint32_t location = efficiency->processes[window->most].location;
	char more[MEASURE_FIGURE_TEXT];
	double least;
	const char *name = weakest_factor(&window->factors, &least);

	if (window->factors.parallel <= 0)
		return;
	fprintf(out, "Number %zu is the worst: %s %.1f %%", window->number + 1, name, 100 * least);
	if (least == window->factors.balance && window->nr_processes > 1) {
		fputs(";\n", out);
		measure_report_name(out, measure_efficiency_process_name(waits, location), 30);
		fprintf(out, " computes %s longer than the mean",
			measure_figure_percent(1 / window->factors.balance - 1, more));
	}
	fputs(".\n", out);
}

static void print_series(const struct measure_waits *waits,
	const struct measure_efficiency *efficiency, size_t first, size_t end, FILE *out)
{
	const uint32_t region = efficiency->windows[first].region;

	fprintf(out, "\n%s ", measure_figure(end - first));
	if (region == MEASURE_NONE) {
		fputs("equal windows, efficiencies in %", out);
	} else {
		fputs("x ", out);
		measure_report_functions(
			out, measure_profile_region_name(&waits->profile, region), 45);
		fputs(", efficiencies in %", out);
	}
	fprintf(out, "\n%*s   length parallel   balance   serial.  transfer\n", NAME_COLUMNS, "");
	for (size_t i = first; i < end; i++)
		if (is_shown(efficiency, first, end, i))
			print_window_row(waits, &efficiency->windows[i], out);
	if (end - first > 1)
		print_mean_and_least(efficiency, first, end, out);
	print_worst(waits, efficiency, measure_windows_worst(efficiency, first, end), out);
}

void measure_efficiency_print_windows(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	for (size_t first = 0; first < efficiency->nr_windows;) {
		const size_t end = measure_windows_end(efficiency, first);

		print_series(waits, efficiency, first, end, out);
		first = end;
	}
	if (efficiency->lacks_phases)
		fputs("\nNo process has a phase or an iteration: mark them (doc/user-api.md), or "
		      "give\n--windows N.\n",
			out);
}

/* ------------------------------------------------------------------------------ JSON --- */

void measure_efficiency_print_windows_json(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	fputs(", \"windows\": [", out);
	for (size_t i = 0; i < efficiency->nr_windows; i++) {
		const struct measure_part_of_run *window = &efficiency->windows[i];

		fprintf(out, "%s\n  {\"region\": ", i > 0 ? "," : "");
		if (window->region == MEASURE_NONE)
			fputs("null", out);
		else
			measure_json_text(
				out, measure_profile_region_name(&waits->profile, window->region));
		fprintf(out, ", \"number\": %zu, \"processes\": %" PRIu32, window->number,
			window->nr_processes);
		measure_efficiency_json_interval(waits, &window->interval, out);
		measure_waits_json_ticks(waits, out, "ideal_ns", window->ideal_ticks);
		measure_efficiency_json_factors(&window->factors, out);
		fprintf(out, ", \"most_location\": %" PRIu32 "}",
			efficiency->processes[window->most].location);
	}
	fputc(']', out);
}
