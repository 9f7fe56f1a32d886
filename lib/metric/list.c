/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading --metrics; see list.h. */
#include "config.h"

#include "metric/list.h"

#include <stdio.h>
#include <string.h>

/* A path alone is a plug-in. Else what has no source in front is PAPI's. So is what has two colons
 * behind a word or three: its native events have the name of their component there
 * ("perf::TASK-CLOCK", "sde:::lib::count"). */
static void split(const char *item, int length, struct measure_metric_choice *choice)
{
	const char *colon = memchr(item, ':', (size_t)length);
	int before = colon ? (int)(colon - item) : 0;

	if (!colon && memchr(item, '/', (size_t)length)) {
		snprintf(choice->source, sizeof(choice->source), "%.*s", length, item);
		*choice->metric = '\0';
		return;
	}
	if (!colon || before == 0 || before + 1 == length || colon[1] == ':') {
		snprintf(choice->source, sizeof(choice->source), "papi");
		snprintf(choice->metric, sizeof(choice->metric), "%.*s", length, item);
		return;
	}
	snprintf(choice->source, sizeof(choice->source), "%.*s", before, item);
	snprintf(choice->metric, sizeof(choice->metric), "%.*s", length - before - 1, colon + 1);
}

bool measure_metric_list_next(const char **text, struct measure_metric_choice *choice)
{
	*text += strspn(*text, ", \t");
	int length = (int)strcspn(*text, ", \t");

	if (length == 0)
		return false;
	split(*text, length, choice);
	*text += length;
	return true;
}

bool measure_metric_is_of_plugin(const struct measure_metric_choice *choice)
{
	return strchr(choice->source, '/');
}

bool measure_metric_is_of(const struct measure_metric_choice *choice, const char *source)
{
	const char *file = strrchr(choice->source, '/');
	size_t length = strlen(source);

	if (!file)
		return strcmp(choice->source, source) == 0;
	file++;
	if (strncmp(file, "lib", 3) == 0 && strncmp(source, "lib", 3) != 0)
		file += 3;
	return strncmp(file, source, length) == 0 && strncmp(file + length, ".so", 3) == 0;
}

bool measure_metric_list_has(const char *text, const char *source)
{
	struct measure_metric_choice choice;

	while (measure_metric_list_next(&text, &choice))
		if (strcmp(choice.source, source) == 0)
			return true;
	return false;
}
