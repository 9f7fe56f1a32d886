/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an archive says of itself, and what its summary adds, as names and values. */
#include "config.h"

#include "summary_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "format/event_chunk.h"

/* "MpiSend" behind a prefix: "MEASURE::RECORDS::MPI_SEND". */
static void print_kind(FILE *out, uint32_t number, const struct summary_kind *kind)
{
	const char *name = measure_chunk_type_name(number);

	fprintf(out, "MEASURE::RECORDS::");
	if (!name)
		fprintf(out, "NUMBER_%u", number);
	for (size_t i = 0; name && name[i]; i++)
		fprintf(out, "%s%c", i > 0 && isupper((unsigned char)name[i]) ? "_" : "",
			toupper((unsigned char)name[i]));
	fprintf(out, " %" PRIu64 " %" PRIu64 "\n", kind->events, kind->bytes);
}

static void print_region_property(const struct measure_summary *summary, FILE *out,
	const char *list, size_t number, const struct summary_region *region)
{
	fprintf(out, "MEASURE::%s::%zu %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %.0f %.0f\n", list,
		number, summary->definitions->regions[region->region].id, region->visits,
		region->events, region->bytes, summary_mean_visit(summary, region) * 1e9,
		summary_typical_visit(summary, region) * 1e9);
}

static void print_seconds(FILE *out, const char *name, double seconds)
{
	if (seconds > 0)
		fprintf(out, "MEASURE::%s %.9g\n", name, seconds);
}

/* Names that the archive has as well are here with what the summary says. */
static void print_found(const struct measure_summary *summary, FILE *out)
{
	const struct summary_overhead *overhead = &summary->overhead;

	fprintf(out, "MEASURE::COUNTED %s\n",
		summary_is_estimated(summary) ? "estimated" : "exactly");
	for (uint32_t i = 0; i < SUMMARY_KINDS; i++)
		if (summary->events.kinds[i].events)
			print_kind(out, i, &summary->events.kinds[i]);
	for (size_t i = 0; i < summary->regions.nr && i < SUMMARY_TOP; i++)
		if (summary->regions.items[i].events)
			print_region_property(
				summary, out, "TOP_REGION", i + 1, &summary->regions.items[i]);
	for (size_t i = 0; i < summary->suggested.nr; i++)
		print_region_property(
			summary, out, "SUGGESTED_FILTER", i + 1, &summary->suggested.items[i]);
	for (size_t i = 0; i < summary->throttled.nr; i++) {
		const struct summary_throttled *throttled = &summary->throttled.items[i];
		fprintf(out, "MEASURE::THROTTLED::%zu %u %" PRIu64 " %.1f %.6f %u\n", i + 1,
			summary->definitions->regions[throttled->region].id, throttled->calls,
			throttled->mean < 0 ? -1 : throttled->mean * 1e9, throttled->after,
			throttled->nr_processes);
	}
	print_seconds(out, "COST_OF_FUNCTION_EVENT", overhead->function_event);
	print_seconds(out, "COST_OF_OTHER_EVENT", overhead->other_event);
	print_seconds(out, "COST_OF_ALL_EVENTS", overhead->all_events);
	print_seconds(out, "COST_OF_MEMORY", overhead->memory);
	print_seconds(out, "COST_OF_HOOKS", overhead->hooks);
	print_seconds(out, "COST_OF_DECISIONS", overhead->deciding);
}

static bool is_found_anew(const char *name)
{
	return strncmp(name, "MEASURE::THROTTLED::", 20) == 0 ||
	       strcmp(name, "MEASURE::COST_OF_MEMORY") == 0;
}

void measure_summary_print_properties(struct measure_summary *summary, FILE *out)
{
	for (uint32_t i = 0; i < summary->archive.nr; i++)
		if (!is_found_anew(summary->archive.names[i]))
			fprintf(out, "%s %s\n", summary->archive.names[i],
				MEASURE_PRINTABLE(summary->archive.values[i]));
	if (summary->profile.nr_events)
		print_found(summary, out);
}
