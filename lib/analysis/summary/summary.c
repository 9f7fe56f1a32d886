/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an archive for its summary, and writes that; see summary.h. */
#include "config.h"

#include "summary_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "base/file.h"
#include "analysis/report/profile_report.h"
#include "format/run_layout.h"
#include "trace/common/containers.h"

/* Of more bytes of events than this in each process, and in all, every n-th chunk is looked at: so
 * many take 0.2 s of one processor, and four times that. */
#define BYTES_OF_PROCESS (UINT64_C(256) << 20)
#define BYTES_OF_ALL     (UINT64_C(1) << 30)

/* ------------------------------------------------------------------- of properties --- */

static measure_status_t read_filtered_calls(struct measure_summary *summary)
{
	measure_status_t status = MEASURE_OK;
	const char *text;
	uint64_t id;

	for (size_t n = 1; !status && (text = summary_listed(summary, "LEFT_OUT", n)); n++) {
		struct summary_filtered region = {0};
		if (sscanf(text, "%" SCNu64 " %" SCNu64, &id, &region.calls) != 2)
			continue;
		region.region = summary_region_index(summary, id);
		summary->nr_filtered += region.calls;
		if (region.region != MEASURE_NONE)
			status = measure_array_push(&summary->filtered, region);
	}
	return status;
}

static void read_polls(struct measure_summary *summary)
{
	uint64_t id, polls;
	const char *text;
	double ns;

	for (size_t n = 1; (text = summary_listed(summary, "POLLS", n)); n++) {
		if (sscanf(text, "%" SCNu64 " %" SCNu64 " %lf", &id, &polls, &ns) != 3)
			continue;
		for (size_t i = 0; i < summary->filtered.nr; i++) {
			struct summary_filtered *region = &summary->filtered.items[i];
			if (region->region != summary_region_index(summary, id))
				continue;
			region->polls = polls < region->calls ? polls : region->calls;
			region->poll_seconds = ns * 1e-9;
			summary->nr_polls += region->polls;
		}
	}
}

static measure_status_t read_throttled(struct measure_summary *summary)
{
	measure_status_t status = MEASURE_OK;
	const char *text;
	uint64_t id;

	for (size_t n = 1; !status && (text = summary_listed(summary, "THROTTLED", n)); n++) {
		struct summary_throttled throttled;
		if (sscanf(text, "%" SCNu64 " %" SCNu64 " %lf %lf %" SCNu32, &id, &throttled.calls,
			    &throttled.mean, &throttled.after, &throttled.nr_processes) != 5)
			continue;
		throttled.region = summary_region_index(summary, id);
		throttled.mean = throttled.mean < 0 ? -1 : throttled.mean * 1e-9;
		if (throttled.region != MEASURE_NONE)
			status = measure_array_push(&summary->throttled, throttled);
	}
	return status;
}

static void read_timings(struct measure_summary *summary)
{
	static const char *const names[] = {
#define SELF_TIMING(KIND, words) "MEASURE::SELF_TIMING::" #KIND,
#include "format/self_timings.def"
#undef SELF_TIMING
	};

	for (uint32_t kind = 0; kind < MEASURE_TIMING_KINDS; kind++) {
		const char *text = summary_text(summary, names[kind]);
		if (text)
			summary_timing_parse(&summary->timings[kind], text);
	}
}

/* Of other tools' archives, by the definitions. */
static void read_sizes(struct measure_summary *summary)
{
	const struct measure_definitions *definitions = summary->definitions;
	struct measure_event_file_size *files = measure_profile_event_files(summary->trace);
	uint64_t nr_events = 0, nr_threads = 0, nr_nodes = 0;

	for (size_t i = 0; i < definitions->nr_locations; i++) {
		nr_events += files[i].nr_events;
		nr_threads += definitions->locations[i].type != OTF2_LOCATION_TYPE_METRIC;
	}
	measure_free(files);
	for (size_t i = 0; i < definitions->nr_tree_nodes; i++)
		nr_nodes += definitions->tree_nodes[i].has_shared_memory;
	summary->nr_bytes = summary_number(summary, "MEASURE::EVENT_BYTES");
	summary->nr_kept = summary_text(summary, "MEASURE::EVENTS")
				   ? summary_number(summary, "MEASURE::EVENTS")
				   : nr_events;
	summary->nr_events = summary_text(summary, "MEASURE::EVENTS_RECORDED")
				     ? summary_number(summary, "MEASURE::EVENTS_RECORDED")
				     : summary->nr_kept;
	summary->nr_locations = summary_number(summary, "MEASURE::LOCATIONS");
	summary->nr_nodes = summary_number(summary, "MEASURE::NODES");
	if (!summary_text(summary, "MEASURE::NODES")) {
		summary->nr_nodes = nr_nodes;
		summary->nr_locations = nr_threads;
	}
}

static measure_status_t read_properties(struct measure_summary *summary)
{
	measure_trace_properties_read(summary->trace, &summary->archive);
	measure_group_properties_make(summary->definitions, &summary->processes);
	read_sizes(summary);
	read_timings(summary);
	measure_status_t status = read_filtered_calls(summary);
	read_polls(summary);
	return status == MEASURE_OK ? read_throttled(summary) : status;
}

/* The directory of the anchor. */
static void find_run(struct measure_summary *summary)
{
	char *slash;
	int fd;

	summary->directory = measure_copy_text(summary->trace->anchor);
	slash = strrchr(summary->directory, '/');
	if (slash)
		*slash = '\0';
	else
		strcpy(summary->directory, ".");
	fd = open(summary->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	measure_run_read(fd, summary->directory, &summary->run);
	if (fd >= 0)
		close(fd);
}

static uint64_t bytes_to_count(const struct measure_summary *summary)
{
	const uint64_t nr = summary->definitions->nr_location_groups;

	return nr < BYTES_OF_ALL / BYTES_OF_PROCESS ? nr * BYTES_OF_PROCESS : BYTES_OF_ALL;
}

measure_status_t measure_summary_open(
	const char *path, unsigned nr_threads, struct measure_summary **result)
{
	struct measure_summary *summary = measure_zeroed(1, sizeof(*summary));
	measure_status_t status = measure_trace_open(path, &summary->findings, &summary->trace);

	if (status == MEASURE_OK) {
		const uint64_t resolution = summary->trace->definitions.clock.resolution;
		summary->definitions = &summary->trace->definitions;
		summary->tick = resolution ? 1 / (double)resolution : 0;
		find_run(summary);
		status = read_properties(summary);
	}
	if (status == MEASURE_OK)
		status = summary_events_count(summary, nr_threads, bytes_to_count(summary));
	if (status == MEASURE_OK)
		status = summary_add_up(summary);
	if (status == MEASURE_OK)
		*result = summary;
	else
		measure_summary_close(summary);
	return status;
}

const struct measure_definitions *measure_summary_definitions(const struct measure_summary *summary)
{
	return summary->definitions;
}

bool measure_summary_is_whole(const struct measure_summary *summary)
{
	return !summary->events.is_damaged;
}

void measure_summary_close(struct measure_summary *summary)
{
	summary_events_free(summary);
	free(summary->filtered.items);
	free(summary->throttled.items);
	free(summary->regions.items);
	free(summary->suggested.items);
	measure_trace_properties_free(&summary->archive);
	measure_group_properties_free(&summary->processes);
	measure_trace_close(summary->trace);
	measure_findings_free(&summary->findings);
	measure_free(summary->directory);
	measure_free(summary);
}

/* ------------------------------------------------------------------------ writing --- */

typedef void (*print_fn)(struct measure_summary *summary, FILE *out);

/* Under another name first: a file that is there is whole. */
static measure_status_t write_file(
	struct measure_summary *summary, int directory, const char *name, print_fn print)
{
	char unfinished[64], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	measure_status_t status = out ? MEASURE_OK : MEASURE_ERROR_MEMORY;

	if (!out)
		return status;
	print(summary, out);
	if (fclose(out) != 0)
		status = MEASURE_ERROR_MEMORY;
	snprintf(unfinished, sizeof(unfinished), ".%s.new", name);
	if (status == MEASURE_OK)
		status = measure_file_store(directory, unfinished, text, size);
	if (status == MEASURE_OK && renameat(directory, unfinished, directory, name) != 0)
		status = MEASURE_ERROR_IO;
	int error = errno;
	if (status != MEASURE_OK)
		unlinkat(directory, unfinished, 0);
	errno = error;
	free(text);
	return status;
}

static void print_profile(struct measure_summary *summary, FILE *out)
{
	measure_profile_print_json(&summary->profile, out);
}

measure_status_t measure_summary_write(struct measure_summary *summary)
{
	int directory = open(summary->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	measure_status_t status = MEASURE_OK;

	if (directory < 0)
		return MEASURE_ERROR_IO;
	if (summary->suggested.nr)
		status = write_file(
			summary, directory, MEASURE_SUGGESTION_NAME, summary_print_filter);
	else if (unlinkat(directory, MEASURE_SUGGESTION_NAME, 0) != 0 && errno != ENOENT)
		status = MEASURE_ERROR_IO;
	if (status == MEASURE_OK)
		status =
			write_file(summary, directory, MEASURE_SUMMARY_NAME, measure_summary_print);
	if (status == MEASURE_OK && summary_text(summary, MEASURE_KEPT_PROPERTY))
		status = write_file(summary, directory, MEASURE_PROFILE_NAME, print_profile);
	if (status == MEASURE_OK)
		status = summary_replace_trace(summary, directory);
	close(directory);
	return status;
}
