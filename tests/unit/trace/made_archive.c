/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is in a test archive: the sound one, and what becomes of it; and how it is written. */
#include "config.h"

#include "made_archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "made_archive_internal.h"
#include "trace/common/containers.h"

static char root[64];
static int nr_directories;

const char *t_directory(void)
{
	static char path[96];

	if (!root[0]) {
		strcpy(root, "/tmp/measure-trace-XXXXXX");
		if (!mkdtemp(root))
			abort();
	}
	snprintf(path, sizeof(path), "%s/%d", root, nr_directories++);
	return path;
}

void t_clean(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (root[0] && system(command) != 0)
		abort();
	root[0] = '\0';
}

struct measure_event *t_add(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint32_t ref)
{
	size_t at = archive->nr_events;

	archive->events = measure_grow(archive->events, archive->nr_events, &archive->room_events,
		sizeof(*archive->events));
	while (at && (archive->events[at - 1].location != location ||
			     archive->events[at - 1].event.time > time)) {
		archive->events[at] = archive->events[at - 1];
		at--;
	}
	archive->events[at] = (struct t_event){location, {.time = time, .kind = kind, .ref = ref}};
	archive->nr_events++;
	return &archive->events[at].event;
}

void t_add_lock(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint64_t order)
{
	struct measure_event *event = t_add(archive, location, time, kind, 0);

	event->op = OTF2_PARADIGM_OPENMP;
	event->peer = 1;
	event->number = order;
}

static size_t find(const struct t_archive *archive, uint32_t location, enum measure_event_kind kind,
	size_t nth)
{
	for (size_t i = 0; i < archive->nr_events; i++)
		if (archive->events[i].location == location &&
			archive->events[i].event.kind == kind && nth-- == 0)
			return i;
	fprintf(stderr, "no such event in the test archive\n");
	abort();
}

struct measure_event *t_find(
	struct t_archive *archive, uint32_t location, enum measure_event_kind kind, size_t nth)
{
	return &archive->events[find(archive, location, kind, nth)].event;
}

static void drop_at(struct t_archive *archive, size_t at)
{
	archive->nr_events--;
	memmove(archive->events + at, archive->events + at + 1,
		(archive->nr_events - at) * sizeof(*archive->events));
}

void t_drop(struct t_archive *archive, uint32_t location, enum measure_event_kind kind, size_t nth)
{
	drop_at(archive, find(archive, location, kind, nth));
}

void t_drop_all(struct t_archive *archive, uint32_t location)
{
	for (size_t i = archive->nr_events; i > 0; i--)
		if (archive->events[i - 1].location == location)
			drop_at(archive, i - 1);
}

/* ---------------------------------------------------------------- the sound one --- */

static void region(
	struct t_archive *archive, uint32_t location, uint32_t id, uint64_t enter, uint64_t leave)
{
	t_add(archive, location, enter, MEASURE_EVENT_ENTER, id);
	t_add(archive, location, leave, MEASURE_EVENT_LEAVE, id);
}

/* Enter and Leave around what is added in between: call the halves with the inner events
 * between them. */
static void enter(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t id)
{
	t_add(archive, location, time, MEASURE_EVENT_ENTER, id);
}

static void leave(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t id)
{
	t_add(archive, location, time, MEASURE_EVENT_LEAVE, id);
}

static void collective(struct t_archive *archive, uint32_t location, uint64_t begin, uint64_t end)
{
	struct measure_event *event;

	enter(archive, location, begin, T_COLLECTIVE);
	t_add(archive, location, begin, MEASURE_EVENT_MPI_COLLECTIVE_BEGIN, 0);
	event = t_add(archive, location, end, MEASURE_EVENT_MPI_COLLECTIVE_END, T_WORLD);
	event->op = OTF2_COLLECTIVE_OP_ALLREDUCE;
	event->peer = OTF2_COLLECTIVE_ROOT_NONE;
	event->sent = event->received = 8;
	leave(archive, location, end, T_COLLECTIVE);
}

void t_fence(
	struct t_archive *archive, uint32_t location, uint64_t begin, uint64_t end, uint32_t level)
{
	struct measure_event *event;

	t_add(archive, location, begin, MEASURE_EVENT_RMA_COLLECTIVE_BEGIN, 0);
	event = t_add(archive, location, end, MEASURE_EVENT_RMA_COLLECTIVE_END, T_WINDOW_BEFORE);
	event->op = OTF2_COLLECTIVE_OP_BARRIER;
	event->tag = level;
	event->peer = OTF2_COLLECTIVE_ROOT_NONE;
}

void t_epoch(struct t_archive *archive, uint32_t location, uint32_t region, uint64_t begin,
	uint64_t end, uint32_t group)
{
	enter(archive, location, begin, region);
	t_add(archive, location, end, MEASURE_EVENT_RMA_GROUP_SYNC, T_WINDOW_BEFORE)->number =
		group;
	leave(archive, location, end, region);
}

void t_file_begin(struct t_archive *archive, uint64_t time, uint32_t flags)
{
	t_add(archive, T_RANK0, time, MEASURE_EVENT_IO_OPERATION_BEGIN, T_STANDARD_FILE)->tag =
		flags;
}

static struct measure_event *message(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint32_t peer, uint32_t tag)
{
	struct measure_event *event = t_add(archive, location, time, kind, T_WORLD);

	event->peer = peer;
	event->tag = tag;
	event->sent = event->received = 8;
	return event;
}

static void team(struct t_archive *archive, uint32_t location, uint64_t begin, uint64_t end)
{
	t_add(archive, location, begin, MEASURE_EVENT_THREAD_TEAM_BEGIN, T_TEAM);
	enter(archive, location, begin + 1, T_PARALLEL);
	region(archive, location, T_BARRIER, begin + 2, end - 2);
	leave(archive, location, end - 1, T_PARALLEL);
	t_add(archive, location, end, MEASURE_EVENT_THREAD_TEAM_END, T_TEAM);
}

static void make_rank0(struct t_archive *archive)
{
	t_add(archive, T_RANK0, 100, MEASURE_EVENT_PROGRAM_BEGIN, T_NAME);
	enter(archive, T_RANK0, 110, T_MAIN);
	region(archive, T_RANK0, T_INIT, 120, 140);
	enter(archive, T_RANK0, 150, T_SEND);
	message(archive, T_RANK0, 150, MEASURE_EVENT_MPI_SEND, 1, 7);
	leave(archive, T_RANK0, 160, T_SEND);
	enter(archive, T_RANK0, 170, T_SEND);
	message(archive, T_RANK0, 170, MEASURE_EVENT_MPI_ISEND, 1, 8)->number = 1;
	leave(archive, T_RANK0, 175, T_SEND);
	enter(archive, T_RANK0, 180, T_WAIT);
	t_add(archive, T_RANK0, 190, MEASURE_EVENT_MPI_ISEND_COMPLETE, 0)->number = 1;
	leave(archive, T_RANK0, 190, T_WAIT);
	collective(archive, T_RANK0, 200, 230);
	t_add(archive, T_RANK0, 240, MEASURE_EVENT_THREAD_FORK, 0)->op = OTF2_PARADIGM_OPENMP;
	team(archive, T_RANK0, 245, 265);
	t_add(archive, T_RANK0, 270, MEASURE_EVENT_THREAD_JOIN, 0)->op = OTF2_PARADIGM_OPENMP;
	region(archive, T_RANK0, T_FINALIZE, 300, 330);
	leave(archive, T_RANK0, 340, T_MAIN);
	t_add(archive, T_RANK0, 350, MEASURE_EVENT_PROGRAM_END, 0);
}

static void make_rank1(struct t_archive *archive)
{
	t_add(archive, T_RANK1, 105, MEASURE_EVENT_PROGRAM_BEGIN, T_NAME);
	enter(archive, T_RANK1, 110, T_MAIN);
	region(archive, T_RANK1, T_INIT, 125, 145);
	enter(archive, T_RANK1, 155, T_RECEIVE);
	message(archive, T_RANK1, 165, MEASURE_EVENT_MPI_RECV, 0, 7);
	leave(archive, T_RANK1, 165, T_RECEIVE);
	enter(archive, T_RANK1, 172, T_RECEIVE);
	t_add(archive, T_RANK1, 173, MEASURE_EVENT_MPI_IRECV_REQUEST, 0)->number = 5;
	leave(archive, T_RANK1, 174, T_RECEIVE);
	enter(archive, T_RANK1, 180, T_WAIT);
	message(archive, T_RANK1, 188, MEASURE_EVENT_MPI_IRECV, 0, 8)->number = 5;
	leave(archive, T_RANK1, 188, T_WAIT);
	collective(archive, T_RANK1, 210, 228);
	region(archive, T_RANK1, T_FINALIZE, 310, 331);
	leave(archive, T_RANK1, 341, T_MAIN);
	t_add(archive, T_RANK1, 351, MEASURE_EVENT_PROGRAM_END, 0);
}

void t_archive_make(struct t_archive *archive)
{
	*archive = (struct t_archive){.clock_offset = 100,
		.clock_length = 300,
		.mpi_location_of_rank1 = T_RANK1,
		.local_definitions = (1u << T_NR_LOCATIONS) - 1,
		.realtime = 1700000000000000000u,
		.creator = "measure tests",
		.string_zero = ""};
	make_rank0(archive);
	team(archive, T_THREAD, 246, 264);
	make_rank1(archive);
}

void t_archive_free(struct t_archive *archive)
{
	measure_free(archive->events);
	archive->events = NULL;
}

/* --------------------------------------------------------------------- writing --- */

static OTF2_FlushType pre_flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data;
	(void)type;
	(void)location;
	(void)caller;
	(void)is_final;
	return OTF2_FLUSH;
}

bool t_archive_write(const struct t_archive *archive, const char *directory)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
	OTF2_Archive *otf2 = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE,
		1024 * 1024, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
		OTF2_COMPRESSION_NONE);
	bool is_fine;

	if (!otf2)
		return false;
	OTF2_Archive_SetFlushCallbacks(otf2, &flush, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(otf2);
	OTF2_Archive_SetCreator(otf2, archive->creator);
	is_fine = t_write_events(archive, otf2);
	if (archive->local_definitions)
		t_write_local(archive, otf2);
	t_write_global(archive, otf2);
	return OTF2_Archive_Close(otf2) == OTF2_SUCCESS && is_fine;
}
