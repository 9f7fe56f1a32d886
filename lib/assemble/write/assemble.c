/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assembly; see assemble.h. Everything is built in .parts/.archive: definitions by OTF2, event
 * files as hard links to the parts' own. Then it is moved into place, the anchor last. */
#include "config.h"

#include "assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "archive_writer.h"
#include "assemble/close/truncation.h"
#include "assemble/shared/part_workers.h"
#include "assemble_internal.h"
#include "base/file.h"
#include "properties.h"

#define ASSEMBLER_NAME ".assembler" /* in .parts: who does it, "PID START HOST" */

#define MARKERS_NAME "traces.marker"

#define LARGE_ALLOCATION (128 * 1024)

measure_status_t measure_assembly_fail(
	struct measure_assembly *assembly, measure_status_t status, const char *format, ...)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of threads that place events */
	va_list arguments;

	pthread_mutex_lock(&lock);
	va_start(arguments, format);
	if (!assembly->report->trouble[0])
		vsnprintf(assembly->report->trouble, sizeof(assembly->report->trouble), format,
			arguments);
	va_end(arguments);
	pthread_mutex_unlock(&lock);
	return status;
}

/* ------------------------------------------------------------------ one at a time --- */

static bool another_assembles(struct measure_assembly *assembly)
{
	struct measure_owner owner = {.pid = 0};
	uint8_t *text;
	size_t size;

	if (measure_file_load(assembly->parts_fd, ASSEMBLER_NAME, MEASURE_OWNER_MOST, &text,
		    &size) != MEASURE_OK)
		return false;
	bool is_named = measure_owner_parse((char *)text, &owner);
	free(text);
	return is_named && owner.pid != getpid() &&
	       measure_owner_look(&owner) == MEASURE_OWNER_ALIVE;
}

/* A mark that a dead process left, or one of another host, is taken over: whoever comes here
 * was chosen by the keepers, or is a user's measure-repair. */
static measure_status_t mark(struct measure_assembly *assembly)
{
	char text[MEASURE_OWNER_MOST];

	if (another_assembles(assembly))
		return measure_assembly_fail(assembly, MEASURE_ERROR_EXISTS,
			"%s: another process is assembling this run: wait for it", assembly->directory);
	if (measure_file_store(assembly->parts_fd, ASSEMBLER_NAME, text,
		    (size_t)measure_owner_write(text)) != MEASURE_OK)
		return measure_assembly_fail(assembly, MEASURE_ERROR_IO,
			"%s/.parts: cannot write: %s", assembly->directory, strerror(errno));
	return MEASURE_OK;
}

/* ------------------------------------------------------------------------- report --- */

/* By what the part says, not by who finished it: that may have been a repair that was killed. */
static bool is_rescued(const struct measure_part *part)
{
	return part->end.cut == MEASURE_TRUNCATION_KEEPER ||
	       (part->end.cut == MEASURE_TRUNCATION_DISK && part->end.how == MEASURE_END_UNKNOWN);
}

static void fill_report(struct measure_assembly *assembly)
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
			report->nr_recorded += part->locations.items[k].events.nr_recorded;
			report->nr_bytes += part->locations.items[k].events.nr_bytes;
		}
		for (uint32_t k = 0; k < MEASURE_SERIES; k++) {
			report->nr_events += part->sampled[k].events.nr_events;
			report->nr_recorded += part->sampled[k].events.nr_events;
			report->nr_bytes += part->sampled[k].events.nr_bytes;
		}
		report->nr_lost += measure_part_losses(part);
		if (part->keeper.kept != MEASURE_KEPT_ALL)
			report->kept = (enum measure_kept)part->keeper.kept;
		report->nr_rescued += is_rescued(part);
	}
	report->nr_throttled = (uint32_t)assembly->throttled.nr;
	report->nr_polls = assembly->filtered.polls;
	report->nr_removed = assembly->alignment.nr_removed;
	report->nr_unaligned = assembly->alignment.nr_unknown;
}

/* ------------------------------------------------------------------------- output --- */

static measure_status_t make_work(struct measure_assembly *assembly)
{
	if (measure_file_remove_tree(assembly->parts_fd, MEASURE_WORK_NAME) != MEASURE_OK ||
		mkdirat(assembly->parts_fd, MEASURE_WORK_NAME, 0777) != 0)
		return measure_assembly_fail(assembly, MEASURE_ERROR_IO,
			"%s/.parts: cannot write: %s", assembly->directory, strerror(errno));
	return MEASURE_OK;
}

/* Complete: nothing that belongs to a communication can be missing. */
static bool is_complete(const struct measure_assembly *assembly)
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

static void write_properties(struct measure_assembly *assembly, struct measure_archive *archive)
{
	const struct measure_archive_definitions *definitions = &assembly->unified.definitions;

	measure_archive_creator(archive, "Measure " PACKAGE_VERSION);
	for (size_t i = 0; i < definitions->paradigms.nr; i++)
		measure_archive_complete(archive, definitions->paradigms.items[i].class,
			is_complete(assembly));
	measure_properties_write(archive, &assembly->unified, &assembly->timeline, assembly->report,
		&assembly->filtered, &assembly->throttled);
}

static measure_status_t write_definitions(struct measure_assembly *assembly)
{
	char path[PATH_MAX];
	struct measure_archive *archive = NULL;

	snprintf(path, sizeof(path), "%s/" MEASURE_PARTS_NAME "/" MEASURE_WORK_NAME,
		assembly->directory);
	measure_status_t status = measure_archive_create(path, assembly->chunk_size,
		assembly->unified.largest, &archive);
	if (status != MEASURE_OK)
		return measure_assembly_fail(assembly, status, "%s: cannot write: %s", path,
			measure_status_text(status));
	write_properties(assembly, archive);
	status = measure_archive_global(archive, &assembly->unified.definitions);
	measure_status_t closed = measure_archive_close(archive);
	if (status == MEASURE_OK)
		status = closed;
	return status == MEASURE_OK ? status
				    : measure_assembly_fail(assembly, status,
					      "%s: cannot write definitions: %s", path,
					      measure_status_text(status));
}

static bool may_lack(const char *name)
{
	return strcmp(name, MARKERS_NAME) == 0 || strcmp(name, MEASURE_SUGGESTION_NAME) == 0 ||
	       strcmp(name, MEASURE_SUMMARY_NAME) == 0 || strcmp(name, MEASURE_PROFILE_NAME) == 0;
}

/* What may be there is of an assembly that did not come to its end, or of one that parts were
 * left out of; with a summary of that. The anchor goes first and comes last. */
static measure_status_t move_into_place(struct measure_assembly *assembly)
{
	static const char *const names[] = {"traces", "traces.def", MARKERS_NAME,
		MEASURE_SUGGESTION_NAME, MEASURE_SUMMARY_NAME, MEASURE_PROFILE_NAME,
		MEASURE_ANCHOR_NAME};
	size_t nr = sizeof(names) / sizeof(*names);

	for (size_t i = nr; i-- > 0;)
		if (measure_file_remove_tree(assembly->directory_fd, names[i]) != MEASURE_OK)
			return measure_assembly_fail(assembly, MEASURE_ERROR_IO,
				"%s/%s: cannot remove: %s", assembly->directory, names[i],
				strerror(errno));
	for (size_t i = 0; i < nr; i++) {
		char from[64];
		snprintf(from, sizeof(from), MEASURE_WORK_NAME "/%s", names[i]);
		if (renameat(assembly->parts_fd, from, assembly->directory_fd, names[i]) != 0 &&
			(errno != ENOENT || !may_lack(names[i])))
			return measure_assembly_fail(assembly, MEASURE_ERROR_IO,
				"%s/%s: cannot create: %s", assembly->directory, names[i],
				strerror(errno));
	}
	return MEASURE_OK;
}

static measure_status_t build(struct measure_assembly *assembly)
{
	measure_status_t status = make_work(assembly);

	if (status == MEASURE_OK)
		status = write_definitions(assembly);
	if (status == MEASURE_OK)
		status = measure_assembly_place_events(assembly);
	return status == MEASURE_OK ? move_into_place(assembly) : status;
}

static measure_status_t make_model(struct measure_assembly *assembly)
{
	measure_status_t status =
		measure_job_make(assembly->parts.items, assembly->parts.nr, &assembly->job);

	assembly->job.topologies = &assembly->topologies;
	if (status == MEASURE_OK)
		status = measure_clock_correction_make(&assembly->job, &assembly->timeline);
	if (status == MEASURE_OK)
		status = measure_unify(&assembly->job, &assembly->timeline, &assembly->unified);
	if (status == MEASURE_OK)
		status = measure_throttled_make(
			&assembly->unified, &assembly->timeline, &assembly->throttled);
	if (status == MEASURE_OK)
		status = measure_filtered_calls_make(&assembly->unified,
			1 / (double)assembly->timeline.resolution, &assembly->filtered);
	return status;
}

static void remove_part(void *data, size_t index)
{
	const struct measure_assembly *assembly = data;

	measure_file_remove_tree(assembly->parts_fd, assembly->list.items[index].name);
}

/* What is renamed has no parts that count. The parts' own files are most of it: by threads. */
static void remove_parts(struct measure_assembly *assembly)
{
	if (renameat(assembly->directory_fd, MEASURE_PARTS_NAME, assembly->directory_fd,
		    ".parts.old") == 0) {
		measure_part_workers_share(assembly->list.nr, remove_part, assembly);
		measure_file_remove_tree(assembly->directory_fd, ".parts.old");
	}
	measure_file_remove_tree(assembly->directory_fd, MEASURE_REPLACEMENT_NAME);
}

/* Removing .parts is the last step; one that stays half removed has no parts that count. */
static void clean_up(struct measure_assembly *assembly)
{
	if (assembly->report->nr_unfinished) {
		measure_file_remove_tree(assembly->parts_fd, MEASURE_WORK_NAME);
		measure_file_remove_tree(assembly->parts_fd, MEASURE_ASSEMBLING_NAME);
		return;
	}
	remove_parts(assembly);
}

static measure_status_t open_directories(struct measure_assembly *assembly)
{
	struct stat stat;

	assembly->directory_fd = open(assembly->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (assembly->directory_fd < 0)
		return measure_assembly_fail(assembly, MEASURE_ERROR_NOT_FOUND,
			"%s: cannot open: %s: name a run directory", assembly->directory,
			strerror(errno));
	measure_file_remove_tree(assembly->directory_fd, ".parts.old");
	if (measure_profile_archive_put(assembly->directory_fd) == MEASURE_OK)
		remove_parts(assembly);
	assembly->parts_fd =
		measure_file_open_directory(assembly->directory_fd, MEASURE_PARTS_NAME);
	if (assembly->parts_fd >= 0)
		return MEASURE_OK;
	if (fstatat(assembly->directory_fd, MEASURE_ANCHOR_NAME, &stat, 0) == 0) {
		assembly->report->was_complete = true;
		return MEASURE_OK;
	}
	return measure_assembly_fail(assembly, MEASURE_ERROR_NOT_FOUND,
		"%s: not a run directory: it contains no recording",
		assembly->directory);
}

static void assemble_free_all(struct measure_assembly *assembly)
{
	measure_filtered_calls_free(&assembly->filtered);
	free(assembly->throttled.items);
	measure_align_free(&assembly->alignment);
	measure_unified_free(&assembly->unified);
	measure_clock_correction_free(&assembly->timeline);
	measure_job_free(&assembly->job);
	measure_topologies_free(&assembly->topologies);
	for (size_t i = 0; i < assembly->parts.nr; i++)
		measure_part_free(&assembly->parts.items[i]);
	free(assembly->parts.items);
	measure_record_pool_close(assembly->pool);
	measure_parts_list_free(&assembly->list);
	if (assembly->work_fd >= 0)
		close(assembly->work_fd);
	if (assembly->parts_fd >= 0)
		close(assembly->parts_fd);
	if (assembly->directory_fd >= 0)
		close(assembly->directory_fd);
}

static measure_status_t assemble_parts(struct measure_assembly *assembly)
{
	measure_status_t status = measure_assembly_read_parts(assembly);

	if (status == MEASURE_OK)
		status = measure_topologies_read(assembly->parts_fd, &assembly->topologies);
	if (status == MEASURE_OK)
		status = make_model(assembly);
	if (status == MEASURE_OK)
		status = measure_assembly_align(assembly);
	if (status != MEASURE_OK)
		return status;
	fill_report(assembly);
	return build(assembly);
}

static measure_status_t assemble_alone(struct measure_assembly *assembly)
{
	measure_status_t status = mark(assembly);

	if (status != MEASURE_OK)
		return status;
	status = assemble_parts(assembly);
	if (status == MEASURE_OK && assembly->then)
		assembly->then(assembly->data, assembly->report);
	if (status == MEASURE_OK)
		clean_up(assembly);
	/* the last: until the parts are gone, a repair would begin anew and take the archive away
	 */
	unlinkat(assembly->parts_fd, ASSEMBLER_NAME, 0);
	return status;
}

measure_status_t measure_assemble_then(const char *directory,
	struct measure_assemble_report *report, measure_assembled_fn then, void *data)
{
	struct measure_assembly assembly = {.directory = directory,
		.directory_fd = -1,
		.parts_fd = -1,
		.work_fd = -1,
		.report = report,
		.then = then,
		.data = data};

	/* Chunks that are looked at come and go between what stays: in pages of their own, or the
	 * heap would be twice as large. */
	mallopt(M_MMAP_THRESHOLD, LARGE_ALLOCATION);
	memset(report, 0, sizeof(*report));
	measure_status_t status = open_directories(&assembly);
	if (status == MEASURE_OK && !report->was_complete)
		status = assemble_alone(&assembly);
	if (status != MEASURE_OK)
		measure_assembly_fail(
			&assembly, status, "%s: %s", directory, measure_status_text(status));
	assemble_free_all(&assembly);
	return status;
}

measure_status_t measure_assemble(const char *directory, struct measure_assemble_report *report)
{
	return measure_assemble_then(directory, report, NULL, NULL);
}
