/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order of things: the archive with its properties, local definitions, event files, global
 * definitions, the anchor last, then what else was in the directory. */
#include "config.h"

#include "emit_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "sync/parallel/status_reduction.h"
#include "trace/common/trace_error.h"
#include "trace/common/containers.h"

static OTF2_FlushType always_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

#define LOCATIONS_APART 512

/* Locations, from `first` on. */
struct run {
	uint32_t first, end;
};

static const OTF2_FlushCallbacks flush_callbacks = {always_flush, NULL};

/* "traces" of ".../traces.otf2"; measure_free() it. */
static char *emit_name_of(const char *anchor)
{
	char *name = measure_copy_text(measure_base_name(anchor));

	name[strlen(name) - strlen(".otf2")] = '\0';
	return name;
}

static char *directory_of(const char *anchor)
{
	const char *slash = strrchr(anchor, '/');
	char *directory = measure_copy_text(slash ? anchor : ".");

	if (slash)
		directory[slash == anchor ? 1 : slash - anchor] = '\0';
	return directory;
}

/* ---------------------------------------------------------------------- anchors --- */

static void copy_text(struct emitting *emitting,
	OTF2_ErrorCode (*get)(OTF2_Reader *, char **),
	OTF2_ErrorCode (*set)(OTF2_Archive *, const char *))
{
	char *text = NULL;

	if (get(emitting->reader, &text) == OTF2_SUCCESS && text)
		emit_note(emitting, set(emitting->archive, text));
	measure_free(text);
}

static bool open_input(struct emitting *emitting)
{
	const struct measure_trace *trace = emitting->emission->graph->trace;

	emitting->reader = OTF2_Reader_Open(trace->anchor);
	if (!emitting->reader) {
		emit_note_input(emitting, OTF2_ERROR_FILE_INTERACTION);
		return false;
	}
	emit_note_input(emitting, OTF2_Reader_SetSerialCollectiveCallbacks(emitting->reader));
	emit_note_input(
		emitting, measure_id_remapping_read(&emitting->numbering, emitting->reader));
	return emitting->code == OTF2_SUCCESS;
}

/* Readers do not need the sizes of an archive that could not have been written with these. */
static uint64_t within_limits(uint64_t size, uint64_t otherwise)
{
	return size >= OTF2_CHUNK_SIZE_MIN && size <= OTF2_CHUNK_SIZE_MAX ? size : otherwise;
}

static bool create_archive(struct emitting *emitting, const char *directory, const char *name)
{
	OTF2_Compression compression = OTF2_COMPRESSION_NONE;
	uint64_t events = 0, definitions = 0;

	emit_note_input(
		emitting, OTF2_Reader_GetChunkSize(emitting->reader, &events, &definitions));
	emit_note_input(emitting, OTF2_Reader_GetCompression(emitting->reader, &compression));
	if (emitting->code != OTF2_SUCCESS)
		return false;
	emitting->archive = OTF2_Archive_Open(directory, name, OTF2_FILEMODE_WRITE,
		within_limits(events, OTF2_CHUNK_SIZE_EVENTS_DEFAULT),
		within_limits(definitions, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT),
		OTF2_SUBSTRATE_POSIX, compression);
	if (!emitting->archive)
		return false;
	emit_note(emitting,
		OTF2_Archive_SetFlushCallbacks(emitting->archive, &flush_callbacks, NULL));
	emit_note(emitting, OTF2_Archive_SetSerialCollectiveCallbacks(emitting->archive));
	return emitting->code == OTF2_SUCCESS;
}

static bool open_output(struct emitting *emitting, const char *directory, const char *name)
{
	if (!create_archive(emitting, directory, name))
		return false;
	copy_text(emitting, OTF2_Reader_GetCreator, OTF2_Archive_SetCreator);
	copy_text(emitting, OTF2_Reader_GetDescription, OTF2_Archive_SetDescription);
	copy_text(emitting, OTF2_Reader_GetMachineName, OTF2_Archive_SetMachineName);
	emit_properties(emitting);
	return emitting->code == OTF2_SUCCESS;
}

struct emit_names {
	const char *directory; /* of the new archive */
	char *name, *from;
	char own[PATH_MAX]; /* where OTF2 writes for this rank: only one can open the archive */
	bool is_first;
};

static void close_archive(struct emitting *emitting)
{
	if (emitting->archive)
		emit_note(emitting, OTF2_Archive_Close(emitting->archive));
	emitting->archive = NULL;
}

/* ------------------------------------------------------------------------ files --- */

static void count_sharing(struct emitting *emitting, enum emit_sharing sharing)
{
	struct measure_sync_emission *emission = emitting->emission;

	emission->nr_reflinked += sharing == EMIT_REFLINKED;
	emission->nr_linked += sharing == EMIT_LINKED;
	emission->nr_copied += sharing == EMIT_COPIED;
	if (sharing == EMIT_FAILED)
		emit_note_file(emitting);
}

static void emit_location(struct emitting *emitting, uint32_t location, int from, int to)
{
	const struct measure_sync_emission *emission = emitting->emission;
	char file[32];

	if (emit_is_rewritten(emitting, location)) {
		if (emission->slicing)
			emit_slice_events(emitting, location);
		else
			emit_events(emitting, location);
		emitting->emission->nr_rewritten++;
		emitting->emission->nr_forced += emit_is_forced(emitting, location);
		return;
	}
	snprintf(file, sizeof(file), "%" PRIu64 ".evt",
		emission->graph->trace->definitions.locations[location].id);
	count_sharing(emitting, emit_share(from, file, to, file));
}

/* From an archive of their own, which is then removed, to where they belong. `suffixes`: NULL ends
 * them. */
static bool move_files(const struct emitting *emitting, const char *directory, const char *name,
	int to, struct run run, const char *const *suffixes)
{
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	int own = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int from = openat(own, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_done = own >= 0 && from >= 0;
	char file[32];

	for (uint32_t i = run.first; is_done && i < run.end; i++) {
		if (!emit_is_mine(emitting, i))
			continue;
		for (size_t k = 0; is_done && suffixes[k]; k++) {
			snprintf(file, sizeof(file), "%" PRIu64 "%s", definitions->locations[i].id,
				suffixes[k]);
			is_done = renameat(from, file, to, file) == 0 || errno == ENOENT;
		}
	}
	if (from >= 0)
		close(from);
	if (own >= 0)
		close(own);
	measure_file_remove_tree(AT_FDCWD, directory);
	return is_done;
}

static void emit_local_run(struct emitting *emitting, OTF2_Reader *reader, struct run run)
{
	for (uint32_t i = run.first; i < run.end; i++)
		if (emit_is_mine(emitting, i))
			emit_note_input(emitting, OTF2_Reader_SelectLocation(reader,
				emit_definitions_of(emitting)->locations[i].id));
	if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS)
		return;
	for (uint32_t i = run.first; i < run.end; i++)
		if (emit_is_mine(emitting, i))
			emit_local_definitions(emitting, reader, i);
	OTF2_Reader_CloseDefFiles(reader);
}

/* Nothing else of the locations is read or written by the library, and they are many: it takes the
 * longer for one the more its reader and its archive know. */
static bool is_apart(const struct emitting *emitting)
{
	const uint32_t nr = (uint32_t)emit_definitions_of(emitting)->nr_locations;
	uint32_t nr_snapshots = 0;

	OTF2_Reader_GetNumberOfSnapshots(emitting->reader, &nr_snapshots);
	if (nr <= LOCATIONS_APART || nr_snapshots > 0)
		return false;
	for (uint32_t i = 0; i < nr; i++)
		if (emit_is_rewritten(emitting, i))
			return false;
	return true;
}

static void emit_local_files(struct emitting *emitting, OTF2_Reader *reader, struct run run)
{
	emit_note(emitting, OTF2_Archive_OpenDefFiles(emitting->archive));
	emit_local_run(emitting, reader, run);
	emit_note(emitting, OTF2_Archive_CloseDefFiles(emitting->archive));
}

/* By an archive of which only the files of these locations are kept. */
static void emit_local_apart(
	struct emitting *emitting, const struct emit_names *names, int to, struct run run)
{
	static const char *const suffixes[] = {".def", NULL};
	OTF2_Reader *reader = OTF2_Reader_Open(emitting->emission->graph->trace->anchor);
	OTF2_Archive *const whole = emitting->archive;
	char apart[PATH_MAX + 16];

	snprintf(apart, sizeof(apart), "%s/.definitions", names->own);
	if (!reader) {
		emit_note_input(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	emit_note_input(emitting, OTF2_Reader_SetSerialCollectiveCallbacks(reader));
	if (mkdir(apart, 0777) == 0 && create_archive(emitting, apart, names->name)) {
		emit_local_files(emitting, reader, run);
		close_archive(emitting);
		if (!move_files(emitting, apart, names->name, to, run, suffixes))
			emit_note_file(emitting);
	} else {
		emit_note_file(emitting);
	}
	emitting->archive = whole;
	OTF2_Reader_Close(reader);
}

static void emit_all_local(struct emitting *emitting, const struct emit_names *names, int to)
{
	const uint32_t nr = (uint32_t)emit_definitions_of(emitting)->nr_locations;

	if (!is_apart(emitting))
		emit_local_files(emitting, emitting->reader, (struct run){0, nr});
	else
		for (uint32_t i = 0; i < nr && emitting->code == OTF2_SUCCESS;
			i += LOCATIONS_APART)
			emit_local_apart(emitting, names, to,
				(struct run){i,
					nr - i < LOCATIONS_APART ? nr : i + LOCATIONS_APART});
}

static void emit_locations(
	struct emitting *emitting, const struct emit_names *names, int from, int to)
{
	size_t nr = emit_definitions_of(emitting)->nr_locations;

	emit_all_local(emitting, names, to);
	emit_note(emitting, OTF2_Archive_OpenEvtFiles(emitting->archive));
	emit_note_input(emitting, OTF2_Reader_OpenEvtFiles(emitting->reader));
	for (uint32_t i = 0; i < nr && emitting->code == OTF2_SUCCESS; i++)
		if (emit_is_mine(emitting, i))
			emit_location(emitting, i, from, to);
	OTF2_Reader_CloseEvtFiles(emitting->reader);
	emit_note(emitting, OTF2_Archive_CloseEvtFiles(emitting->archive));
}

static bool emit_is_there(int directory, const char *name)
{
	return faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void emit_others(struct emitting *emitting, int from, int to, bool with_others)
{
	static const char *const measures_own[] = {"measure.cfg", "summary.txt"};
	static const char *const times_of_their_own[] = {".snap", ".thumb", ".marker", NULL};

	if (emitting->filter && !emit_summary(from, to, emitting->emission->nr_filtered))
		emit_note_file(emitting);
	if (with_others) {
		if (!emit_share_all(from, to, times_of_their_own))
			emit_note_file(emitting);
		return;
	}
	for (size_t i = 0; i < sizeof(measures_own) / sizeof(*measures_own); i++)
		if (!emit_is_there(to, measures_own[i]) &&
			emit_share(from, measures_own[i], to, measures_own[i]) == EMIT_FAILED)
			emit_note_file(emitting);
}

/* Both directories, and in each the one with the files of the locations. */
struct places {
	int from, to, events_from, events_to;
};

static bool open_places(struct places *places, const char *from, const char *to, const char *name)
{
	*places = (struct places){-1, -1, -1, -1};
	places->from = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	places->to = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (places->from < 0 || places->to < 0)
		return false;
	mkdirat(places->to, name, 0777);
	places->events_from = openat(places->from, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	places->events_to = openat(places->to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return places->events_from >= 0 && places->events_to >= 0;
}

static void close_places(const struct places *places)
{
	const int fds[] = {places->from, places->to, places->events_from, places->events_to};

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static void set_error(const struct emitting *emitting, const char *directory)
{
	if (emitting->has_unknown)
		measure_error_set("%s: cannot copy: it contains records that this version of OTF2 "
				  "does not know; copy the archive again or use a newer OTF2",
			emitting->emission->graph->trace->anchor);
	else if (emitting->is_unreadable)
		measure_error_set("%s: cannot copy: %s; copy the archive again",
			emitting->emission->graph->trace->anchor, measure_error_cause());
	else if (emitting->error)
		measure_error_set("%s: cannot write: %s", directory, strerror(emitting->error));
	else
		measure_error_set("%s: cannot write: %s; is the disk full?", directory,
			measure_error_cause());
}

/* ----------------------------------------------------------------------- phases --- */

static void start_names(
	struct emit_names *names, const struct measure_sync_graph *graph, const char *directory)
{
	names->directory = directory;
	names->name = emit_name_of(graph->trace->anchor);
	names->from = directory_of(graph->trace->anchor);
	names->is_first = graph->job->rank == 0;
	if (names->is_first)
		snprintf(names->own, sizeof(names->own), "%s", directory);
	else
		snprintf(names->own, sizeof(names->own), "%s/.rank-%" PRIu32, directory,
			graph->job->rank);
}

static measure_status_t agree(const struct emitting *emitting, const struct emit_names *names)
{
	measure_status_t status = MEASURE_OK;

	if (emitting->code != OTF2_SUCCESS) {
		set_error(emitting, names->directory);
		status = MEASURE_ERROR_IO;
	}
	return measure_sync_job_reduce_status(emitting->emission->graph->job, status, 0);
}

static bool open_own(struct emitting *emitting, const struct emit_names *names)
{
	return (names->is_first || mkdir(names->own, 0777) == 0) &&
	       open_output(emitting, names->own, names->name);
}

static void write_locations(
	struct emitting *emitting, const struct emit_names *names, struct places *places)
{
	if (!names->is_first && !open_own(emitting, names)) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	if (!open_places(places, names->from, names->directory, names->name)) {
		emit_note_file(emitting);
		return;
	}
	emit_locations(emitting, names, places->events_from, places->events_to);
}

/* Collective: what all ranks have written and left out. */
static void share_filtered(struct emitting *emitting)
{
	struct measure_sync_emission *emission = emitting->emission;
	const struct measure_sync_job *job = emission->graph->job;
	const struct measure_definitions *definitions = &emission->graph->trace->definitions;

	if (emitting->nr_written)
		job->ops->combine(
			emitting->nr_written, definitions->nr_locations, MEASURE_SYNC_JOB_SUM);
	if (!emitting->filter)
		return;
	job->ops->combine(measure_sync_filter_counts(emitting->filter), definitions->nr_regions,
		MEASURE_SYNC_JOB_SUM);
	for (size_t i = 0; i < definitions->nr_locations; i++)
		emission->nr_filtered +=
			definitions->locations[i].nr_found - emitting->nr_written[i];
}

static void write_archive(
	struct emitting *emitting, const struct emit_names *names, struct places *places)
{
	static const char *const suffixes[] = {".def", ".evt", ".snap", NULL};
	const struct run all = {0, (uint32_t)emit_definitions_of(emitting)->nr_locations};

	if (emitting->code != OTF2_SUCCESS)
		return;
	/* Snapshots tell of calls, and where in event files they are. */
	if (!emit_has_other_events(emitting))
		emit_snapshots(emitting);
	if (names->is_first && emit_has_other_events(emitting))
		emit_changed_properties(emitting);
	if (names->is_first) {
		emit_global_definitions(emitting);
		emit_thumbnails(emitting);
		emit_markers(emitting, places->from, names->name);
	}
	close_archive(emitting);
	if (emitting->code == OTF2_SUCCESS && !names->is_first &&
		!move_files(emitting, names->own, names->name, places->events_to, all, suffixes))
		emit_note_file(emitting);
}

static void start_filter(struct emitting *emitting)
{
	const struct measure_sync_emission *emission = emitting->emission;
	const size_t nr = emission->graph->trace->definitions.nr_locations;

	if (emit_has_other_events(emitting))
		emitting->nr_written = measure_zeroed(nr, sizeof(*emitting->nr_written));
	if (!emission->filter)
		return;
	emitting->filter = measure_sync_filter_new(emission->filter, emission->graph);
	emitting->tables = measure_zeroed(nr, sizeof(*emitting->tables));
}

/* The id of the class that is added, until a mapping table has it. */
static void start_additions(struct emitting *emitting)
{
	const size_t nr = emit_definitions_of(emitting)->nr_locations;
	uint32_t id;

	if (!emitting->emission->additions)
		return;
	id = emit_added_metric(emitting);
	emitting->added_metrics = measure_zeroed(nr, sizeof(*emitting->added_metrics));
	for (size_t i = 0; i < nr; i++)
		emitting->added_metrics[i] = id;
}

/* OTF2 wants to make the directories: the first rank comes first. What else is in the input's
 * directory comes last: it must not stand in for a file of the archive. */
measure_status_t measure_sync_emit(
	struct measure_sync_emission *emission, const char *directory, bool with_others)
{
	struct emitting emitting = {.emission = emission};
	struct places places = {-1, -1, -1, -1};
	struct emit_names names;
	measure_status_t status;

	start_names(&names, emission->graph, directory);
	start_filter(&emitting);
	measure_error_start();
	emit_find_span(emission);
	if (open_input(&emitting) && names.is_first && !open_own(&emitting, &names))
		emit_note(&emitting, OTF2_ERROR_FILE_INTERACTION);
	status = agree(&emitting, &names);
	if (status == MEASURE_OK) {
		start_additions(&emitting);
		emit_slice_start(&emitting);
		write_locations(&emitting, &names, &places);
		share_filtered(&emitting);
		write_archive(&emitting, &names, &places);
		status = agree(&emitting, &names);
	}
	emission->nr_repeated = emitting.numbering.nr_repeated;
	emission->nr_conflicts = emitting.numbering.nr_conflicts;
	emission->nr_lost = emitting.numbering.nr_lost;
	if (status == MEASURE_OK) {
		if (names.is_first)
			emit_verify(&emitting, directory, names.name);
		if (names.is_first && emitting.code == OTF2_SUCCESS)
			emit_thumbnail_files(&emitting, places.from, places.to, names.name);
		if (names.is_first && emitting.code == OTF2_SUCCESS)
			emit_others(&emitting, places.from, places.to, with_others);
		status = agree(&emitting, &names);
	}
	close_archive(&emitting);
	if (emitting.reader)
		OTF2_Reader_Close(emitting.reader);
	measure_id_remapping_free(&emitting.numbering);
	measure_sync_filter_free(emitting.filter);
	measure_free(emitting.tables);
	measure_free(emitting.nr_written);
	measure_free(emitting.added_metrics);
	close_places(&places);
	measure_free(names.name);
	measure_free(names.from);
	return status;
}
