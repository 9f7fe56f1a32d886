/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties of the archive; see properties.h. Names are ASCII capitals, as OTF2 wants them. */
#include "config.h"

#include "properties.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble/close/self_timing_costs.h"
#include "assemble/close/truncation.h"

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

static void write_seconds(struct measure_archive *archive, const char *name, double seconds)
{
	if (seconds > 0)
		write_text(archive, name, "%.9g", seconds);
}

/* What tells of time: of what processes used, if it is known of each of them. */
static void write_times(struct measure_archive *archive, const struct measure_job *job, double tick)
{
	double processor = 0, keeper = 0, memory = 0, threads = 0;
	bool is_missing = false;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		if (!part || part->locations.nr == 0)
			continue;
		processor += (double)part->end.processor_time * 1e-9;
		is_missing |= part->end.processor_time == 0;
		keeper += (double)part->end.keeper_time * 1e-9;
		memory += (double)measure_part_count(part, "memory_time_ns") * 1e-9;
		for (size_t k = 0; k < part->locations.nr; k++) {
			const struct measure_location_summary *events =
				&part->locations.items[k].events;
			threads += (double)(events->last_time - events->first_time) * tick;
		}
	}
	write_seconds(archive, "MEASURE::COST_OF_MEMORY", memory);
	write_seconds(archive, "MEASURE::THREAD_TIME", threads);
	write_seconds(archive, "MEASURE::PROCESSOR_TIME", is_missing ? 0 : processor);
	write_seconds(archive, "MEASURE::KEEPER_TIME", keeper);
}

static void write_self_timings(struct measure_archive *archive, const struct measure_job *job)
{
	struct measure_cost costs[MEASURE_TIMING_KINDS] = {{0}};
	char name[64], text[MEASURE_TIMING_TEXT];

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		for (size_t k = 0; part && k < part->self_timings.nr; k++)
			if (part->self_timings.items[k].kind < MEASURE_TIMING_KINDS)
				measure_cost_add(&costs[part->self_timings.items[k].kind],
					&part->self_timings.items[k]);
	}
	for (uint32_t kind = 0; kind < MEASURE_TIMING_KINDS; kind++) {
		if (costs[kind].samples == 0)
			continue;
		snprintf(name, sizeof(name), "MEASURE::SELF_TIMING::%s", measure_cost_name(kind));
		measure_cost_print(&costs[kind], text);
		measure_archive_property(archive, name, text);
	}
}

static void write_filtered_calls(
	struct measure_archive *archive, const struct measure_filtered_calls *filtered)
{
	char name[64];

	write_number(archive, "MEASURE::CALLS_LEFT_OUT", filtered->calls);
	for (size_t i = 0; i < filtered->regions.nr; i++) {
		snprintf(name, sizeof(name), "MEASURE::LEFT_OUT::%zu", i + 1);
		write_text(archive, name, "%u %llu", filtered->regions.items[i].region,
			(unsigned long long)filtered->regions.items[i].calls);
	}
	for (size_t i = 0, nr = 0; i < filtered->regions.nr; i++) {
		const struct measure_filtered_calls_region *region = &filtered->regions.items[i];
		if (region->polls == 0)
			continue;
		snprintf(name, sizeof(name), "MEASURE::POLLS::%zu", ++nr);
		write_text(archive, name, "%u %llu %.0f", region->region,
			(unsigned long long)region->polls, region->poll_seconds * 1e9);
	}
}

static void write_throttled(
	struct measure_archive *archive, const measure_throttled_list_t *throttled)
{
	char name[64];

	for (size_t i = 0; i < throttled->nr; i++) {
		const struct measure_throttled *one = &throttled->items[i];
		snprintf(name, sizeof(name), "MEASURE::THROTTLED::%zu", i + 1);
		write_text(archive, name, "%u %llu %.1f %.6f %u", one->region,
			(unsigned long long)one->looked_at, measure_throttled_mean(one) * 1e9,
			isfinite(one->after) ? one->after : 0, one->nr_processes);
	}
}

/* ------------------------------------------------------------------------ the whole --- */

static void write_command(struct measure_archive *archive, const struct measure_job *job)
{
	char *command;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		if (!part || !part->has_process)
			continue;
		const struct measure_def_process *process = &part->process;
		if (asprintf(&command, "%s%s%s", process->program, process->arguments[0] ? " " : "",
			    process->arguments) < 0)
			return;
		measure_archive_property(archive, "MEASURE::COMMAND", command);
		free(command);
		return;
	}
}

/* How many processes have their time from where. */
static void write_clocks(struct measure_archive *archive, const struct measure_job *job,
	const struct measure_clock_correction *timeline)
{
	static const char *const names[] = {
		[MEASURE_OFFSET_SAME_CLOCK] = "MEASURE::CLOCKS::SAME",
		[MEASURE_OFFSET_MEASURED] = "MEASURE::CLOCKS::MEASURED",
		[MEASURE_OFFSET_ONE_SAMPLE] = "MEASURE::CLOCKS::MEASURED_ONCE",
		[MEASURE_OFFSET_WALL_CLOCK] = "MEASURE::CLOCKS::WALL_CLOCK",
		[MEASURE_OFFSET_UNKNOWN] = "MEASURE::CLOCKS::UNKNOWN",
	};

	for (uint32_t source = 0; source < sizeof(names) / sizeof(*names); source++) {
		uint64_t nr = 0;
		for (size_t i = 0; i < timeline->corrections.nr; i++)
			nr += job->processes.items[i].part &&
			      timeline->corrections.items[i].source == source;
		write_number(archive, names[source], nr);
	}
	write_number(archive, "MEASURE::RESOLUTION_ASSUMED", !timeline->is_resolution_known);
	write_number(archive, "MEASURE::OFFSET_BOUND_TICKS", timeline->bound);
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
#include "format/recording_counts.def"
#undef COUNT
}

/* "1,3-5": ranks of the main world that have no part; as many as have room. */
static void write_missing_ranks(struct measure_archive *archive, const struct measure_job *job)
{
	const size_t nr = job->processes.nr;
	char text[512] = "";
	size_t used = 0;

	for (size_t i = 0, end; i < nr; i = end) {
		const struct measure_process *first = &job->processes.items[i];

		end = i + 1;
		if (first->part || first->world != 0)
			continue;
		while (end < nr && !job->processes.items[end].part &&
			job->processes.items[end].world == 0)
			end++;
		used += (size_t)snprintf(text + used, sizeof(text) - used,
			end - i > 1 ? "%s%u-%u" : "%s%u", used ? "," : "", first->rank,
			job->processes.items[end - 1].rank);
		if (used > sizeof(text) - 32) {
			strcpy(text + used, ",...");
			break;
		}
	}
	if (used)
		write_text(archive, "MEASURE::MISSING_RANKS::NUMBERS", "%s", text);
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
	const struct measure_assemble_report *report, const struct measure_filtered_calls *filtered,
	const measure_throttled_list_t *throttled)
{
	write_command(archive, unified->job);
	write_clocks(archive, unified->job, timeline);
	write_number(archive, "MEASURE::NODES", unified->nr_nodes);
	write_number(archive, "MEASURE::LOCATIONS", report->nr_locations);
	write_number(archive, "MEASURE::EVENTS", report->nr_events);
	write_number(archive, "MEASURE::EVENT_BYTES", report->nr_bytes);
	if (report->kept != MEASURE_KEPT_ALL) {
		write_number(archive, "MEASURE::EVENTS_RECORDED", report->nr_recorded);
		write_text(archive, MEASURE_KEPT_PROPERTY, "%s",
			report->kept == MEASURE_KEPT_NONE ? MEASURE_KEPT_NOTHING
							  : MEASURE_KEPT_LAST_ONES);
		write_number(archive, MEASURE_ALIGNED_PROPERTY,
			report->kept == MEASURE_KEPT_LAST && report->nr_unaligned == 0);
		write_number(archive, "MEASURE::REMOVED_AT_CUT", report->nr_removed);
		write_number(archive, "MEASURE::UNALIGNED_AT_CUT", report->nr_unaligned);
	}
	write_number(archive, "MEASURE::MISSING_RANKS", report->nr_missing);
	write_missing_ranks(archive, unified->job);
	write_number(archive, "MEASURE::RESCUED_PARTS", report->nr_rescued);
	write_number(archive, "MEASURE::DAMAGED_PARTS", report->nr_damaged);
	write_number(archive, "MEASURE::UNFINISHED_PARTS", report->nr_unfinished);
	write_number(archive, "MEASURE::UNNAMED_MODULES", unified->nr_unnamed_modules);
	write_number(archive, "MEASURE::PROCESSES_CUT", nr_cut(unified->job));
	write_number(archive, "MEASURE::EVENTS_LOST", report->nr_lost);
	write_counts(archive, unified->job);
	write_filtered_calls(archive, filtered);
	write_throttled(archive, throttled);
	write_self_timings(archive, unified->job);
	write_times(archive, unified->job, 1 / (double)timeline->resolution);
	measure_properties_write_event_costs(archive);
	measure_properties_write_filtered(archive, unified);
	measure_properties_write_unmatched(archive, unified);
	measure_properties_write_unbalanced(archive, unified);
	measure_properties_write_unrecorded(archive, unified);
}
