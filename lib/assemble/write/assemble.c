/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assembly; see assemble.h. Everything is built in .parts/.archive: definitions by OTF2, event
 * files as hard links to the parts' own. Then it is moved into place, the anchor last. */
#include "config.h"

#include "assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/summary/trace_statistics.h"
#include "assemble/part/chunk_size.h"
#include "assemble/close/truncation.h"
#include "assemble/close/part_close.h"
#include "assemble/part/parts.h"
#include "properties.h"
#include "run_config.h"
#include "analysis/summary/summary.h"
#include "assemble/clocks/clock_correction.h"
#include "assemble/unify/node_topology.h"
#include "assemble/unify/unify.h"
#include "base/file.h"
#include "base/procfs.h"
#include "archive_writer.h"
#include "assemble/close/tail.h"

#define WORK_NAME      ".archive"   /* in .parts: the archive in work */
#define ASSEMBLER_NAME ".assembler" /* in .parts: who does it, "PID START HOST" */

#define MARKERS_NAME "traces.marker"

#define BARE_EVENTS 2 /* ProgramBegin and ProgramEnd of a process */

/* OTF2's smallest; used where no process wrote events. */
#define DEFAULT_CHUNK (256 * 1024)

struct assembly {
	const char *directory;
	int directory_fd;
	int parts_fd;
	int work_fd;
	measure_part_list_t list;
	MEASURE_ARRAY(struct measure_part) parts;
	uint32_t chunk_size;
	struct measure_topologies topologies;
	struct measure_job job;
	struct measure_clock_correction timeline;
	struct measure_unified unified;
	struct measure_trace_statistics account;
	struct measure_run run;
	struct measure_assemble_report *report;
	measure_assembled_fn say; /* NULL: nobody wants to */
	void *data;
};

__attribute__((format(printf, 3, 4))) static measure_status_t fail(struct assembly *assembly,
	measure_status_t status, const char *format, ...)
{
	va_list arguments;

	if (assembly->report->trouble[0])
		return status;
	va_start(arguments, format);
	vsnprintf(assembly->report->trouble, sizeof(assembly->report->trouble), format, arguments);
	va_end(arguments);
	return status;
}

/* ------------------------------------------------------------------ one at a time --- */

static bool another_assembles(struct assembly *assembly)
{
	uint8_t *data;
	size_t size;
	long long pid = 0;
	unsigned long long start = 0;
	char host[256] = "", own[256] = "";

	if (measure_file_load(assembly->parts_fd, ASSEMBLER_NAME, MEASURE_OWNER_MOST, &data,
		    &size) != MEASURE_OK)
		return false;
	int nr = sscanf((char *)data, "%lld %llu %255s", &pid, &start, host);
	free(data);
	gethostname(own, sizeof(own) - 1);
	if (nr != 3 || strcmp(host, own) != 0 || pid == getpid())
		return false;
	return measure_process_lives(pid, start);
}

/* A mark that a dead process left, or one of another host, is taken over: whoever comes here
 * was chosen by the keepers, or is a user's measure-repair. */
static measure_status_t mark(struct assembly *assembly)
{
	char host[256] = "", text[512];

	if (another_assembles(assembly))
		return fail(assembly, MEASURE_ERROR_EXISTS,
			"%s: another process is assembling this run: wait for it",
			assembly->directory);
	gethostname(host, sizeof(host) - 1);
	int length = snprintf(text, sizeof(text), "%lld %llu %s\n", (long long)getpid(),
		(unsigned long long)measure_process_start(getpid()), host);
	if (measure_file_store(assembly->parts_fd, ASSEMBLER_NAME, text, (size_t)length) !=
		MEASURE_OK)
		return fail(assembly, MEASURE_ERROR_IO, "%s/.parts: cannot write: %s",
			assembly->directory, strerror(errno));
	return MEASURE_OK;
}

/* -------------------------------------------------------------------------- input --- */

/* Parts whose keeper was killed are finished from their files. Of one that is too damaged for that
 * nothing can be had, and that is counted. */
static measure_status_t finish_dead_parts(struct assembly *assembly)
{
	for (size_t i = 0; i < assembly->list.nr; i++) {
		struct measure_part_entry *entry = &assembly->list.items[i];
		if (entry->is_finished || entry->is_alive)
			continue;
		int fd = measure_file_open_directory(assembly->parts_fd, entry->name);
		measure_status_t status =
			fd < 0 ? MEASURE_ERROR_IO : measure_part_close(NULL, fd, NULL);
		int error = errno;
		if (fd >= 0)
			close(fd);
		if (status == MEASURE_ERROR_IO)
			return fail(assembly, status, "%s/.parts/%s: cannot write: %s",
				assembly->directory, entry->name, strerror(error));
		if (status == MEASURE_ERROR_MEMORY)
			return fail(assembly, status, "%s/.parts/%s: cannot finish: %s",
				assembly->directory, entry->name, measure_status_text(status));
		entry->is_finished = status == MEASURE_OK;
		assembly->report->nr_damaged += status != MEASURE_OK;
	}
	return MEASURE_OK;
}

static measure_status_t read_part(struct assembly *assembly, const char *name)
{
	struct measure_part part = {.fd = -1};
	measure_status_t status = measure_part_read(assembly->parts_fd, name, &part);

	if (status == MEASURE_OK && part.is_damaged)
		assembly->report->nr_damaged++;
	if (status == MEASURE_OK && (part.has_process || part.locations.nr)) {
		status = measure_array_push(&assembly->parts, part);
		if (status == MEASURE_OK)
			return status;
	}
	measure_part_free(&part);
	if (status == MEASURE_OK || status == MEASURE_ERROR_NOT_FOUND)
		return MEASURE_OK; /* nothing was recorded there */
	return fail(assembly, status, "%s/.parts/%s: cannot read: %s", assembly->directory, name,
		measure_status_text(status));
}

static measure_status_t check_chunk_sizes(struct assembly *assembly)
{
	for (size_t i = 0; i < assembly->parts.nr; i++) {
		const struct measure_part *part = &assembly->parts.items[i];
		uint32_t size = (uint32_t)part->keeper.chunk_size;
		if (part->locations.nr == 0 || measure_part_has_lost_keeper(part))
			continue;
		if (assembly->chunk_size && size != assembly->chunk_size)
			return fail(assembly, MEASURE_ERROR_FORMAT,
				"%s/.parts/%s: chunk size differs from the other parts: use the "
				"same --chunk for all processes",
				assembly->directory, part->name);
		assembly->chunk_size = size;
	}
	measure_chunk_size_adapt(assembly->parts.items, assembly->parts.nr, &assembly->chunk_size);
	if (!assembly->chunk_size)
		assembly->chunk_size = DEFAULT_CHUNK;
	return MEASURE_OK;
}

static measure_status_t read_parts(struct assembly *assembly)
{
	measure_status_t status = measure_parts_list(assembly->parts_fd, &assembly->list);

	if (status == MEASURE_OK)
		status = finish_dead_parts(assembly);
	for (size_t i = 0; i < assembly->list.nr && status == MEASURE_OK; i++) {
		if (assembly->list.items[i].is_finished)
			status = read_part(assembly, assembly->list.items[i].name);
		else
			assembly->report->nr_unfinished += assembly->list.items[i].is_alive;
	}
	if (status == MEASURE_OK && assembly->parts.nr == 0)
		return fail(assembly, MEASURE_ERROR_NOT_FOUND, "%s: nothing was recorded%s",
			assembly->directory, assembly->report->nr_unfinished ? " so far" : "");
	return status == MEASURE_OK ? check_chunk_sizes(assembly) : status;
}

/* By what the part says, not by who finished it: that may have been a repair that was killed. */
static bool is_rescued(const struct measure_part *part)
{
	return part->end.cut == MEASURE_TRUNCATION_KEEPER ||
	       (part->end.cut == MEASURE_TRUNCATION_DISK && part->end.how == MEASURE_END_UNKNOWN);
}

static void fill_report(struct assembly *assembly)
{
	struct measure_assemble_report *report = assembly->report;

	report->nr_missing = assembly->job.nr_missing;
	report->nr_processes = (uint32_t)assembly->job.processes.nr;
	for (size_t i = 0; i < assembly->job.processes.nr; i++) {
		const struct measure_part *part = assembly->job.processes.items[i].part;
		if (!part)
			continue;
		report->nr_locations += (uint32_t)part->locations.nr;
		for (size_t k = 0; k < part->locations.nr; k++) {
			report->nr_events += part->locations.items[k].events.nr_events;
			report->nr_bytes += part->locations.items[k].events.nr_bytes;
		}
		for (uint32_t k = 0; k < MEASURE_SERIES; k++) {
			report->nr_events += part->sampled[k].events.nr_events;
			report->nr_bytes += part->sampled[k].events.nr_bytes;
		}
		report->nr_lost += measure_part_losses(part);
		report->nr_rescued += is_rescued(part);
	}
	report->nr_throttled = (uint32_t)assembly->account.throttled.nr;
	report->nr_polls = assembly->account.left_out.polls;
	report->nr_to_save = assembly->account.saved.events;
	report->nr_unfollowed = measure_job_nr_unfollowed(&assembly->job);
	report->is_bare = report->nr_events &&
			  report->nr_events <= BARE_EVENTS * (uint64_t)report->nr_processes;
}

/* ------------------------------------------------------------------------- output --- */

static measure_status_t make_work(struct assembly *assembly)
{
	if (measure_file_remove_tree(assembly->parts_fd, WORK_NAME) != MEASURE_OK ||
		mkdirat(assembly->parts_fd, WORK_NAME, 0777) != 0)
		return fail(assembly, MEASURE_ERROR_IO, "%s/.parts: cannot write: %s",
			assembly->directory, strerror(errno));
	return MEASURE_OK;
}

/* File systems without hard links get a copy: the part must stay whole until the end. */
static measure_status_t take_event_file(struct assembly *assembly, const struct measure_part *part,
	const char *from, uint64_t location)
{
	char to[32];

	snprintf(to, sizeof(to), "%llu.evt", (unsigned long long)location);
	if (linkat(part->fd, from, assembly->work_fd, to, 0) == 0)
		return MEASURE_OK;
	if (measure_file_copy(part->fd, from, assembly->work_fd, to) == MEASURE_OK)
		return MEASURE_OK;
	return fail(assembly, MEASURE_ERROR_IO, "%s/.parts/%s/%s: cannot move: %s",
		assembly->directory, part->name, from, strerror(errno));
}

static measure_status_t take_sampled(struct assembly *assembly)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < assembly->unified.sampled.nr && status == MEASURE_OK; i++) {
		const struct measure_sampled_location *location =
			&assembly->unified.sampled.items[i];
		status = take_event_file(assembly,
			assembly->job.processes.items[location->process].part,
			measure_sample_file_name(location->series), location->id);
	}
	return status;
}

static measure_status_t take_locations(
	struct assembly *assembly, const struct measure_process *process)
{
	size_t nr = process->part ? process->part->locations.nr : 0;
	measure_status_t status = MEASURE_OK;
	char name[32];

	for (size_t i = 0; i < nr && status == MEASURE_OK; i++) {
		measure_location_file_name((uint32_t)i, name);
		status = take_event_file(
			assembly, process->part, name, measure_location_id(process, i));
	}
	return status;
}

/* Readers want an event file for each location. */
static measure_status_t make_empty_event_file(struct assembly *assembly, uint64_t location)
{
	struct measure_tail nothing = {.nr_regions = 0};
	struct measure_tail_writer *writer;
	struct measure_tail_chunks chunks;
	char name[32];
	measure_status_t status = measure_tail_open(assembly->chunk_size, &writer);

	if (status != MEASURE_OK)
		return status;
	snprintf(name, sizeof(name), "%llu.evt", (unsigned long long)location);
	status = measure_tail_write(writer, &nothing, &chunks);
	if (status == MEASURE_OK)
		status = measure_file_store(assembly->work_fd, name, chunks.chunks[0],
			MEASURE_TAIL_EMPTY);
	measure_tail_close(writer);
	return status;
}

/* After the definitions: OTF2 wants to make the folder `traces` itself. */
static measure_status_t place_event_files(struct assembly *assembly)
{
	measure_status_t status = MEASURE_OK;

	assembly->work_fd = openat(assembly->parts_fd, WORK_NAME "/traces",
		O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (assembly->work_fd < 0)
		return MEASURE_ERROR_IO;
	for (size_t i = 0; i < assembly->job.processes.nr; i++) {
		const struct measure_process *process = &assembly->job.processes.items[i];
		if (status == MEASURE_OK)
			status = take_locations(assembly, process);
		if (status == MEASURE_OK && (!process->part || process->part->locations.nr == 0))
			status = make_empty_event_file(assembly, measure_location_id(process, 0));
	}
	return status == MEASURE_OK ? take_sampled(assembly) : status;
}

/* Complete: nothing that belongs to a communication can be missing. */
static bool is_complete(const struct assembly *assembly)
{
	const struct measure_assemble_report *report = assembly->report;

	if (report->nr_lost || report->nr_missing || report->nr_damaged || report->nr_unfinished)
		return false;
	for (size_t i = 0; i < assembly->job.processes.nr; i++) {
		const struct measure_part *part = assembly->job.processes.items[i].part;
		if (measure_part_count(part, "switched_off"))
			return false;
		if (part->has_end && part->end.how == MEASURE_END_REPLACED)
			continue;
		if (!part->has_end || part->end.how != MEASURE_END_EXITED ||
			(part->has_world && part->end.status != 0))
			return false;
	}
	return true;
}

static void write_properties(struct assembly *assembly, struct measure_archive *archive)
{
	const struct measure_archive_definitions *definitions = &assembly->unified.definitions;

	measure_archive_creator(archive, "Measure " PACKAGE_VERSION);
	for (size_t i = 0; i < definitions->paradigms.nr; i++)
		measure_archive_complete(archive, definitions->paradigms.items[i].class,
			is_complete(assembly));
	measure_properties_write(archive, &assembly->unified, &assembly->timeline, assembly->report,
		&assembly->account);
}

static void write_local_definitions(struct assembly *assembly, struct measure_archive *archive)
{
	for (size_t i = 0; i < assembly->job.processes.nr; i++) {
		const struct measure_process *process = &assembly->job.processes.items[i];
		for (size_t k = 0; k < measure_process_nr_locations(process); k++)
			measure_archive_local(archive, measure_location_id(process, k),
				&assembly->unified.locals.items[i]);
	}
	for (size_t i = 0; i < assembly->unified.sampled.nr; i++) {
		struct measure_sampled_location *location = &assembly->unified.sampled.items[i];
		const struct measure_local_definitions *of_process =
			&assembly->unified.locals.items[location->process];
		const struct measure_local_definitions local = {
			.metric_classes = location->metric_classes, .clock = of_process->clock};
		measure_archive_local(archive, location->id, &local);
	}
}

static measure_status_t write_definitions(struct assembly *assembly)
{
	char path[PATH_MAX];
	struct measure_archive *archive;

	snprintf(path, sizeof(path), "%s/" MEASURE_PARTS_NAME "/" WORK_NAME,
		assembly->directory);
	measure_status_t status = measure_archive_create(path, assembly->chunk_size,
		assembly->unified.largest, &archive);
	if (status != MEASURE_OK)
		return fail(assembly, status, "%s: cannot write: %s", path,
			measure_status_text(status));
	write_properties(assembly, archive);
	write_local_definitions(assembly, archive);
	status = measure_archive_global(archive, &assembly->unified.definitions);
	measure_status_t closed = measure_archive_close(archive);
	if (status == MEASURE_OK)
		status = closed;
	return status == MEASURE_OK ? status
				    : fail(assembly, status, "%s: cannot write definitions: %s",
					      path, measure_status_text(status));
}

/* Takes the text. */
static measure_status_t store_text(struct assembly *assembly, const char *name, char *text)
{
	char path[64];

	snprintf(path, sizeof(path), WORK_NAME "/%s", name);
	measure_status_t status = measure_file_store(assembly->parts_fd, path, text, strlen(text));
	free(text);
	return status;
}

static measure_status_t write_summary(struct assembly *assembly)
{
	char *text;
	measure_status_t status = measure_summary_make(&assembly->unified, &assembly->timeline,
		assembly->report, &assembly->account, &assembly->run, &text);

	return status == MEASURE_OK ? store_text(assembly, MEASURE_SUMMARY_NAME, text) : status;
}

static measure_status_t write_suggestion(struct assembly *assembly)
{
	char *text;
	measure_status_t status;

	if (assembly->account.suggested.nr == 0)
		return MEASURE_OK;
	status = measure_trace_statistics_filter(&assembly->unified, &assembly->account, &text);
	return status == MEASURE_OK ? store_text(assembly, MEASURE_SUGGESTION_NAME, text) : status;
}

static bool may_lack(const char *name)
{
	return strcmp(name, MEASURE_SUGGESTION_NAME) == 0 || strcmp(name, MARKERS_NAME) == 0;
}

/* What may be there is of an assembly that did not come to its end, or of one that parts were
 * left out of. The anchor goes first and comes last. */
static measure_status_t move_into_place(struct assembly *assembly)
{
	static const char *const names[] = {"traces", "traces.def", MARKERS_NAME,
		MEASURE_SUGGESTION_NAME, MEASURE_SUMMARY_NAME, MEASURE_ANCHOR_NAME};
	size_t nr = sizeof(names) / sizeof(*names);

	for (size_t i = nr; i-- > 0;)
		if (measure_file_remove_tree(assembly->directory_fd, names[i]) != MEASURE_OK)
			return fail(assembly, MEASURE_ERROR_IO, "%s/%s: cannot remove: %s",
				assembly->directory, names[i], strerror(errno));
	for (size_t i = 0; i < nr; i++) {
		char from[64];
		snprintf(from, sizeof(from), WORK_NAME "/%s", names[i]);
		if (renameat(assembly->parts_fd, from, assembly->directory_fd, names[i]) != 0 &&
			(errno != ENOENT || !may_lack(names[i])))
			return fail(assembly, MEASURE_ERROR_IO, "%s/%s: cannot create: %s",
				assembly->directory, names[i], strerror(errno));
	}
	return MEASURE_OK;
}

static measure_status_t build(struct assembly *assembly)
{
	measure_status_t status = make_work(assembly);

	if (status == MEASURE_OK)
		status = write_definitions(assembly);
	if (status == MEASURE_OK)
		status = place_event_files(assembly);
	if (status == MEASURE_OK)
		status = write_summary(assembly);
	if (status == MEASURE_OK)
		status = write_suggestion(assembly);
	return status == MEASURE_OK ? move_into_place(assembly) : status;
}

static measure_status_t make_model(struct assembly *assembly)
{
	measure_status_t status =
		measure_job_make(assembly->parts.items, assembly->parts.nr, &assembly->job);

	assembly->job.topologies = &assembly->topologies;
	if (status == MEASURE_OK)
		status = measure_clock_correction_make(&assembly->job, &assembly->timeline);
	if (status == MEASURE_OK)
		status = measure_unify(&assembly->job, &assembly->timeline, &assembly->unified);
	if (status == MEASURE_OK)
		status = measure_trace_statistics_make(
			&assembly->unified, &assembly->timeline, &assembly->account);
	return status;
}

/* Removing .parts is the last step; one that stays half removed has no parts that count. */
static void clean_up(struct assembly *assembly)
{
	if (assembly->report->nr_unfinished) {
		measure_file_remove_tree(assembly->parts_fd, WORK_NAME);
		measure_file_remove_tree(assembly->parts_fd, MEASURE_ASSEMBLING_NAME);
		return;
	}
	if (renameat(assembly->directory_fd, MEASURE_PARTS_NAME, assembly->directory_fd,
		    ".parts.old") == 0)
		measure_file_remove_tree(assembly->directory_fd, ".parts.old");
}

static measure_status_t open_directories(struct assembly *assembly)
{
	struct stat stat;

	assembly->directory_fd = open(assembly->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (assembly->directory_fd < 0)
		return fail(assembly, MEASURE_ERROR_NOT_FOUND,
			"%s: cannot open: %s: name a run directory", assembly->directory,
			strerror(errno));
	measure_file_remove_tree(assembly->directory_fd, ".parts.old");
	assembly->parts_fd =
		measure_file_open_directory(assembly->directory_fd, MEASURE_PARTS_NAME);
	if (assembly->parts_fd >= 0)
		return MEASURE_OK;
	if (fstatat(assembly->directory_fd, MEASURE_ANCHOR_NAME, &stat, 0) == 0) {
		assembly->report->was_complete = true;
		return MEASURE_OK;
	}
	return fail(assembly, MEASURE_ERROR_NOT_FOUND,
		"%s: not a run directory: it contains no recording", assembly->directory);
}

static void assemble_free_all(struct assembly *assembly)
{
	measure_trace_statistics_free(&assembly->account);
	measure_unified_free(&assembly->unified);
	measure_clock_correction_free(&assembly->timeline);
	measure_job_free(&assembly->job);
	measure_topologies_free(&assembly->topologies);
	for (size_t i = 0; i < assembly->parts.nr; i++)
		measure_part_free(&assembly->parts.items[i]);
	free(assembly->parts.items);
	measure_parts_list_free(&assembly->list);
	if (assembly->work_fd >= 0)
		close(assembly->work_fd);
	if (assembly->parts_fd >= 0)
		close(assembly->parts_fd);
	if (assembly->directory_fd >= 0)
		close(assembly->directory_fd);
}

static measure_status_t assemble_parts(struct assembly *assembly)
{
	measure_status_t status = read_parts(assembly);

	if (status == MEASURE_OK)
		status = measure_topologies_read(assembly->parts_fd, &assembly->topologies);
	if (status == MEASURE_OK)
		status = make_model(assembly);
	if (status != MEASURE_OK)
		return status;
	measure_run_read(assembly->directory_fd, assembly->directory, &assembly->run);
	fill_report(assembly);
	return build(assembly);
}

static measure_status_t assemble_alone(struct assembly *assembly)
{
	measure_status_t status = mark(assembly);

	if (status != MEASURE_OK)
		return status;
	status = assemble_parts(assembly);
	unlinkat(assembly->parts_fd, ASSEMBLER_NAME, 0);
	if (status == MEASURE_OK && assembly->say)
		assembly->say(assembly->data, assembly->report);
	if (status == MEASURE_OK)
		clean_up(assembly);
	return status;
}

measure_status_t measure_assemble_and_say(const char *directory,
	struct measure_assemble_report *report, measure_assembled_fn say, void *data)
{
	struct assembly assembly = {.directory = directory,
		.directory_fd = -1,
		.parts_fd = -1,
		.work_fd = -1,
		.report = report,
		.say = say,
		.data = data};

	memset(report, 0, sizeof(*report));
	measure_status_t status = open_directories(&assembly);
	if (status == MEASURE_OK && !report->was_complete)
		status = assemble_alone(&assembly);
	if (status != MEASURE_OK)
		fail(&assembly, status, "%s: %s", directory, measure_status_text(status));
	assemble_free_all(&assembly);
	return status;
}

measure_status_t measure_assemble(const char *directory, struct measure_assemble_report *report)
{
	return measure_assemble_and_say(directory, report, NULL, NULL);
}
