/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Least times and relations: see min_latency.h. */
#include "config.h"

#include "min_latency.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/suggest.h"
#include "decay.h"

#define MOST_LATENCY  1e9
#define NS_PER_SECOND 1000000000

const struct measure_sync_latencies measure_min_latencies_usual = {
	.process = 0, .node = 50, .network = 500};

/* -1: it is none. */
static int64_t nanoseconds(const char *text)
{
	static const struct {
		const char *word;
		double factor;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	char *end;
	double value = strtod(text, &end);

	if (end == text || !(value >= 0))
		return -1;
	if (*end == '\0' && value == 0)
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i].word) && value * units[i].factor <= MOST_LATENCY)
			return (int64_t)llround(value * units[i].factor);
	return -1;
}

int measure_min_latencies_parse(const char *list, struct measure_sync_latencies *latencies)
{
	char *copy = strdup(list), *rest = copy;
	int result = copy ? -1 : MEASURE_EXIT_CANNOT;

	for (char *item; copy && result < 0 && (item = strsep(&rest, ","));) {
		char *value = strchr(item, '=');
		int64_t *latency = NULL;

		if (value)
			*value++ = '\0';
		if (!strcmp(item, "process"))
			latency = &latencies->process;
		else if (!strcmp(item, "node"))
			latency = &latencies->node;
		else if (!strcmp(item, "network"))
			latency = &latencies->network;
		if (latency && value)
			*latency = nanoseconds(value);
		if (!latency || !value || *latency < 0)
			result = measure_cli_usage(
				"--lmin: '%s' is not a list like process=0,node=50ns,network=1us",
				list);
	}
	free(copy);
	return result;
}

/* Names as users write them, with commas. */
static void list_relations(char *names, size_t size)
{
	size_t used = 0;

	for (int i = 0; i < MEASURE_NR_RELATIONS && used < size; i++)
		used += (size_t)snprintf(
			names + used, size - used, "%s%s", i ? "," : "", measure_relations[i].word);
	for (char *c = names; *c; c++)
		*c = *c == ' ' ? '-' : (char)tolower((unsigned char)*c);
}

int measure_relations_parse(const char *list, struct measure_selection *selection)
{
	char names[2048] = "", name[64], guess[128];
	const char *wrong;

	if (measure_selection_parse(selection, list, &wrong))
		return -1;
	if (*wrong != '+' && *wrong != '-')
		return measure_cli_usage("--relations: '%s' is not a list like +NAME,-NAME", wrong);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(wrong + 1, ","), wrong + 1);
	list_relations(names, sizeof(names));
	measure_suggest_word(names, ",", name, guess, sizeof(guess));
	measure_cli_say("--relations: unknown relation '%s'%s", name,
		*guess ? guess : ": see measure-check(1)");
	return MEASURE_EXIT_CANNOT;
}

static int64_t ticks_of(const struct measure_trace *trace, int64_t nanoseconds)
{
	const uint64_t resolution = trace->definitions.clock.resolution;

	return (int64_t)((measure_wide_t)nanoseconds *
			 (int64_t)(resolution ? resolution : NS_PER_SECOND) / NS_PER_SECOND);
}

struct measure_sync_latencies measure_min_latencies_in_ticks(
	const struct measure_sync_latencies *latencies, const struct measure_trace *trace)
{
	return (struct measure_sync_latencies){.process = ticks_of(trace, latencies->process),
		.node = ticks_of(trace, latencies->node),
		.network = ticks_of(trace, latencies->network)};
}
