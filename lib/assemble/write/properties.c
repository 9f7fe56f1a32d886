/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties of the archive; see properties.h. Names are ASCII capitals, as OTF2 wants them. */
#include "config.h"

#include "properties.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "assemble/close/truncation.h"
#include "format/event_chunk.h"

__attribute__((format(printf, 3, 4))) static void write_text(
	struct measure_archive *archive, const char *name, const char *format, ...)
{
	char value[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(value, sizeof(value), format, arguments);
	va_end(arguments);
	measure_archive_property(archive, name, value);
}

static void write_number(struct measure_archive *archive, const char *name, uint64_t value)
{
	if (value)
		write_text(archive, name, "%llu", (unsigned long long)value);
}

/* "MpiSend" behind a prefix: "MEASURE::RECORDS::MPI_SEND". */
static void kind_property(uint32_t kind, char name[128])
{
	const char *from = measure_chunk_type_name(kind);
	size_t nr = (size_t)snprintf(name, 128, "MEASURE::RECORDS::");

	if (!from) {
		snprintf(name + nr, 128 - nr, "NUMBER_%u", kind);
		return;
	}
	for (size_t i = 0; from[i] && nr < 126; i++) {
		if (i > 0 && isupper((unsigned char)from[i]))
			name[nr++] = '_';
		name[nr++] = (char)toupper((unsigned char)from[i]);
	}
	name[nr] = '\0';
}

static void write_kinds(
	struct measure_archive *archive, const struct measure_trace_statistics *account)
{
	char name[128];

	for (uint32_t i = 0; i < MEASURE_TALLY_KINDS; i++) {
		const struct measure_record_statistics_kind *kind = &account->kinds[i];
		if (kind->events == 0)
			continue;
		kind_property(i, name);
		write_text(archive, name, "%llu %llu", (unsigned long long)kind->events,
			(unsigned long long)kind->bytes);
	}
}

static void write_region(struct measure_archive *archive, const char *prefix, uint32_t number,
	const struct measure_trace_statistics_region *region)
{
	char name[64];

	snprintf(name, sizeof(name), "MEASURE::%s::%u", prefix, number);
	write_text(archive, name, "%u %llu %llu %llu %.0f %.0f", region->region,
		(unsigned long long)region->visits, (unsigned long long)region->events,
		(unsigned long long)region->bytes, measure_trace_statistics_mean(region) * 1e9,
		measure_trace_statistics_typical(region) * 1e9);
}

static void write_seconds(struct measure_archive *archive, const char *name, double seconds)
{
	if (seconds > 0)
		write_text(archive, name, "%.4g", seconds);
}

static void write_costs(
	struct measure_archive *archive, const struct measure_trace_statistics *account)
{
	char name[64], text[MEASURE_PROBE_TEXT];

	for (uint32_t kind = 0; kind < MEASURE_PROBE_KINDS; kind++) {
		if (account->costs[kind].samples == 0)
			continue;
		snprintf(name, sizeof(name), "MEASURE::PROBES::%s", measure_cost_name(kind));
		measure_cost_print(&account->costs[kind], text);
		measure_archive_property(archive, name, text);
	}
	write_seconds(archive, "MEASURE::COST_OF_FUNCTION_EVENT", account->function_seconds);
	write_seconds(archive, "MEASURE::COST_OF_OTHER_EVENT", account->other_seconds);
	write_seconds(archive, "MEASURE::COST_OF_ALL_EVENTS", account->recording_seconds);
	write_seconds(archive, "MEASURE::COST_OF_MEMORY", account->memory_seconds);
	write_seconds(archive, "MEASURE::COST_OF_HOOKS", account->hook_seconds);
	write_seconds(archive, "MEASURE::COST_OF_DECISIONS", account->deciding_seconds);
	write_seconds(archive, "MEASURE::THREAD_TIME", account->thread_seconds);
	write_seconds(archive, "MEASURE::PROCESSOR_TIME", account->processor_seconds);
	write_seconds(archive, "MEASURE::KEEPER_TIME", account->keeper_seconds);
}

static void write_left_out(
	struct measure_archive *archive, const struct measure_filtered_calls *left_out)
{
	char name[64];

	write_number(archive, "MEASURE::CALLS_LEFT_OUT", left_out->calls);
	for (size_t i = 0; i < left_out->regions.nr; i++) {
		snprintf(name, sizeof(name), "MEASURE::LEFT_OUT::%zu", i + 1);
		write_text(archive, name, "%u %llu", left_out->regions.items[i].region,
			(unsigned long long)left_out->regions.items[i].calls);
	}
}

static void write_account(
	struct measure_archive *archive, const struct measure_trace_statistics *account)
{
	if (!account->is_known)
		return;
	write_text(
		archive, "MEASURE::COUNTED", "%s", account->is_estimated ? "estimated" : "exactly");
	write_kinds(archive, account);
	for (uint32_t i = 0; i < account->nr_top; i++)
		write_region(archive, "TOP_REGION", i + 1, &account->top[i]);
	for (uint32_t i = 0; i < account->suggested.nr; i++)
		write_region(archive, "SUGGESTED_FILTER", i + 1, &account->suggested.items[i]);
	write_costs(archive, account);
}

static void write_throttled(
	struct measure_archive *archive, const measure_throttled_list_t *throttled)
{
	char name[64];

	for (size_t i = 0; i < throttled->nr; i++) {
		const struct measure_throttled *one = &throttled->items[i];
		snprintf(name, sizeof(name), "MEASURE::THROTTLED::%zu", i + 1);
		write_text(archive, name, "%u %llu %.0f %.6f %u", one->region,
			(unsigned long long)one->calls, measure_throttled_mean(one) * 1e9,
			isfinite(one->after) ? one->after : 0, one->nr_processes);
	}
}

static uint64_t total(const struct measure_job *job, const char *name)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < job->processes.nr; i++)
		if (job->processes.items[i].part)
			sum += measure_part_count(job->processes.items[i].part, name);
	return sum;
}

static void write_counts(struct measure_archive *archive, const struct measure_job *job)
{
#define COUNT(KIND, name, kind, words)                                                             \
	write_number(archive, "MEASURE::" #kind "::" #KIND, total(job, #name));
#include "assemble/close/recording_counts.def"
#undef COUNT
}

static uint64_t nr_cut(const struct measure_job *job)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < job->processes.nr; i++)
		nr += measure_part_truncation(job->processes.items[i].part) !=
		      MEASURE_TRUNCATION_NONE;
	return nr;
}

void measure_properties_write(struct measure_archive *archive,
	const struct measure_unified *unified, const struct measure_clock_correction *timeline,
	const struct measure_assemble_report *report,
	const struct measure_trace_statistics *account)
{
	write_number(archive, "MEASURE::OFFSET_BOUND_TICKS", timeline->bound);
	write_number(archive, "MEASURE::EVENTS", report->nr_events);
	write_number(archive, "MEASURE::EVENT_BYTES", report->nr_bytes);
	write_number(archive, "MEASURE::MISSING_RANKS", report->nr_missing);
	write_number(archive, "MEASURE::RESCUED_PARTS", report->nr_rescued);
	write_number(archive, "MEASURE::DAMAGED_PARTS", report->nr_damaged);
	write_number(archive, "MEASURE::UNFINISHED_PARTS", report->nr_unfinished);
	write_number(archive, "MEASURE::PROCESSES_CUT", nr_cut(unified->job));
	write_number(archive, "MEASURE::EVENTS_LOST", report->nr_lost);
	write_counts(archive, unified->job);
	write_left_out(archive, &account->left_out);
	write_account(archive, account);
	write_throttled(archive, &account->throttled);
}
