/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers for people; see figures.h. */
#include "config.h"

#include "figures.h"

#include <stddef.h>
#include <stdio.h>

const char *measure_figure(uint64_t value)
{
	static char texts[4][32];
	static unsigned next;
	char *place = texts[next = (next + 1) % 4] + 31;

	*place = '\0';
	for (int digits = 0; value || digits == 0; digits++, value /= 10) {
		if (digits && digits % 3 == 0)
			*--place = ',';
		*--place = (char)('0' + value % 10);
	}
	return place;
}

const char *measure_figure_size(uint64_t bytes, char text[MEASURE_FIGURE_TEXT])
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		snprintf(text, MEASURE_FIGURE_TEXT, "%u bytes", (unsigned)bytes);
		return text;
	}
	for (; unit < 3 && value >= 999.5; unit++)
		value /= 1024;
	snprintf(text, MEASURE_FIGURE_TEXT, value < 9.95 ? "%.1f %s" : "%.0f %s", value,
		units[unit]);
	return text;
}

const char *measure_figure_seconds(double seconds, char text[MEASURE_FIGURE_TEXT])
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	size_t unit = 0;
	double value = seconds * 1e9;

	if (seconds < 0)
		return "-";
	if (seconds == 0)
		return "0 s";
	for (; unit < 3 && value >= 999.5; unit++)
		value /= 1000;
	snprintf(text, MEASURE_FIGURE_TEXT, value < 9.95 ? "%.1f %s" : "%.0f %s", value,
		units[unit]);
	return text;
}

const char *measure_figure_percent(double ratio, char text[MEASURE_FIGURE_TEXT])
{
	const double percent = 100 * ratio;

	if (percent < 9.95)
		snprintf(text, MEASURE_FIGURE_TEXT, "%.1f %%", percent);
	else
		snprintf(text, MEASURE_FIGURE_TEXT, "%s %%",
			measure_figure((uint64_t)(percent + 0.5)));
	return text;
}
