/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes test archives with the OTF2 library. */
#include "config.h"

#include "archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/store.h"

static const uint64_t location_ids[T_NR_LOCATIONS] = {0, (uint64_t)1 << 32, 1};
static const uint32_t location_groups[T_NR_LOCATIONS] = {0, 0, 1};
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

/* ----------------------------------------------------------------- definitions --- */

static void write_strings(const struct t_archive *archive, OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteString(writer, T_EMPTY_STRING, archive->string_zero);
	OTF2_GlobalDefWriter_WriteString(writer, T_NAME, "a name");
	OTF2_GlobalDefWriter_WriteString(writer, 10, "MPI_Init");
	OTF2_GlobalDefWriter_WriteString(writer, 11, "MPI_Finalize");
	OTF2_GlobalDefWriter_WriteString(writer, 12, "Master thread");
	OTF2_GlobalDefWriter_WriteString(writer, 13, "MPI_Win_post");
	OTF2_GlobalDefWriter_WriteString(writer, 14, "MPI_Win_complete");
	OTF2_GlobalDefWriter_WriteString(writer, 15, "MPI_Win_wait");
	OTF2_GlobalDefWriter_WriteString(writer, 16, "Refused");
}

static void write_places(const struct t_archive *archive, OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteSystemTreeNode(
		writer, 0, T_NAME, T_NAME, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t group = 0; group < 2; group++)
		OTF2_GlobalDefWriter_WriteLocationGroup(writer, group, T_NAME,
			OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
			group == 1 && archive->is_rank1_created ? 0
								: OTF2_UNDEFINED_LOCATION_GROUP);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++) {
		uint64_t nr_events = archive->wrong_counts[i];

		for (size_t e = 0; e < archive->nr_events; e++)
			nr_events += archive->events[e].location == i;
		OTF2_GlobalDefWriter_WriteLocation(writer, location_ids[i], 12,
			OTF2_LOCATION_TYPE_CPU_THREAD, nr_events, location_groups[i]);
	}
}

static uint32_t name_of_region(uint32_t id)
{
	static const uint32_t names[T_NR_REGIONS] = {[T_INIT] = 10,
		[T_FINALIZE] = 11,
		[T_WIN_POST] = 13,
		[T_WIN_COMPLETE] = 14,
		[T_WIN_WAIT] = 15};

	return names[id] ? names[id] : T_NAME;
}

static OTF2_RegionRole role_of_region(uint32_t id)
{
	if (id >= T_WIN_POST)
		return OTF2_REGION_ROLE_RMA;
	return id == T_BARRIER ? OTF2_REGION_ROLE_IMPLICIT_BARRIER : OTF2_REGION_ROLE_FUNCTION;
}

static void write_regions(OTF2_GlobalDefWriter *writer)
{
	for (uint32_t id = 0; id < T_NR_REGIONS; id++) {
		bool is_openmp = id == T_PARALLEL || id == T_BARRIER;
		bool is_mpi = id >= T_INIT && !is_openmp;

		OTF2_GlobalDefWriter_WriteRegion(writer, id, name_of_region(id), T_NAME,
			T_EMPTY_STRING, role_of_region(id),
			is_openmp ? OTF2_PARADIGM_OPENMP
			: is_mpi  ? OTF2_PARADIGM_MPI
				  : OTF2_PARADIGM_COMPILER,
			OTF2_REGION_FLAG_NONE, T_EMPTY_STRING, 10, 20);
	}
}

static void write_group(OTF2_GlobalDefWriter *writer, uint32_t id, OTF2_GroupType type,
	OTF2_Paradigm paradigm, uint32_t nr, const uint64_t *members)
{
	OTF2_GlobalDefWriter_WriteGroup(
		writer, id, T_EMPTY_STRING, type, paradigm, OTF2_GROUP_FLAG_NONE, nr, members);
}

static void write_comms(const struct t_archive *archive, OTF2_GlobalDefWriter *writer)
{
	const uint64_t ranks[] = {
		location_ids[T_RANK0], location_ids[archive->mpi_location_of_rank1]};
	const uint64_t both[] = {0, 1};

	OTF2_GlobalDefWriter_WriteParadigm(
		writer, OTF2_PARADIGM_MPI, T_NAME, OTF2_PARADIGM_CLASS_PROCESS);
	OTF2_GlobalDefWriter_WriteParadigm(
		writer, OTF2_PARADIGM_OPENMP, T_NAME, OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
	write_group(writer, T_MPI_LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 2,
		ranks);
	write_group(writer, T_WORLD_GROUP, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 2, both);
	write_group(writer, T_SELF_GROUP, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, 0, NULL);
	write_group(writer, T_OMP_LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
		3, location_ids);
	write_group(
		writer, T_TEAM_GROUP, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, 2, both);
	write_group(writer, T_ONLY_RANK0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 1, both);
	write_group(
		writer, T_ONLY_RANK1, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 1, both + 1);
	OTF2_GlobalDefWriter_WriteComm(
		writer, T_WORLD, T_NAME, T_WORLD_GROUP, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteComm(
		writer, T_SELF, T_NAME, T_SELF_GROUP, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteComm(
		writer, T_TEAM, T_NAME, T_TEAM_GROUP, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteInterComm(
		writer, T_INTER, T_NAME, T_ONLY_RANK0, T_ONLY_RANK1, T_WORLD, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteRmaWin(
		writer, T_WINDOW, T_NAME, T_WORLD, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
	OTF2_GlobalDefWriter_WriteRmaWin(
		writer, T_WINDOW_BEFORE, T_NAME, T_WORLD, OTF2_RMA_WIN_FLAG_NONE);
}

static void write_file(
	OTF2_GlobalDefWriter *writer, uint32_t id, OTF2_IoHandleFlag flags, OTF2_CommRef comm)
{
	OTF2_GlobalDefWriter_WriteIoHandle(
		writer, id, T_NAME, 0, 0, flags, comm, OTF2_UNDEFINED_IO_HANDLE);
}

static void write_files(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteIoParadigm(writer, 0, T_NAME, T_NAME,
		OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
	OTF2_GlobalDefWriter_WriteIoRegularFile(writer, 0, T_NAME, 0);
	write_file(writer, T_FILE, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM);
	write_file(writer, T_STANDARD_FILE, OTF2_IO_HANDLE_FLAG_PRE_CREATED, OTF2_UNDEFINED_COMM);
	write_file(writer, T_FILE_TOGETHER, OTF2_IO_HANDLE_FLAG_NONE, T_WORLD);
}

static void write_values(OTF2_GlobalDefWriter *writer)
{
	const OTF2_MetricMemberRef members[] = {0};

	OTF2_GlobalDefWriter_WriteAttribute(
		writer, T_ATTRIBUTE, T_NAME, T_EMPTY_STRING, OTF2_TYPE_UINT64);
	OTF2_GlobalDefWriter_WriteAttribute(
		writer, T_REFUSED, 16, T_EMPTY_STRING, OTF2_TYPE_UINT64);
	OTF2_GlobalDefWriter_WriteMetricMember(writer, 0, T_NAME, T_EMPTY_STRING,
		OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
		OTF2_BASE_DECIMAL, 0, T_EMPTY_STRING);
	OTF2_GlobalDefWriter_WriteMetricClass(
		writer, T_METRIC, 1, members, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
}

static void write_global(const struct t_archive *archive, OTF2_Archive *otf2)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(otf2);

	if (!archive->has_no_clock)
		OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, archive->clock_offset,
			archive->clock_length, archive->realtime);
	write_strings(archive, writer);
	write_places(archive, writer);
	write_regions(writer);
	write_comms(archive, writer);
	write_files(writer);
	write_values(writer);
	if (archive->define_more)
		archive->define_more(writer);
	OTF2_Archive_CloseGlobalDefWriter(otf2, writer);
}

static void write_local(const struct t_archive *archive, OTF2_Archive *otf2)
{
	OTF2_Archive_OpenDefFiles(otf2);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++) {
		OTF2_DefWriter *writer;

		if (!(archive->local_definitions & 1u << i))
			continue;
		writer = OTF2_Archive_GetDefWriter(otf2, location_ids[i]);
		for (size_t o = 0; o < archive->nr_offsets; o++)
			if (archive->offsets[o].location == i)
				OTF2_DefWriter_WriteClockOffset(writer, archive->offsets[o].time,
					archive->offsets[o].offset, 0);
		OTF2_Archive_CloseDefWriter(otf2, writer);
	}
	OTF2_Archive_CloseDefFiles(otf2);
}

/* ---------------------------------------------------------------------- events --- */

static OTF2_ErrorCode write_message(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_MPI_SEND:
		return OTF2_EvtWriter_MpiSend(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->sent);
	case MEASURE_EVENT_MPI_ISEND:
		return OTF2_EvtWriter_MpiIsend(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->sent, e->number);
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
		return OTF2_EvtWriter_MpiIsendComplete(writer, NULL, e->time, e->number);
	case MEASURE_EVENT_MPI_RECV:
		return OTF2_EvtWriter_MpiRecv(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->received);
	case MEASURE_EVENT_MPI_IRECV_REQUEST:
		return OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, e->time, e->number);
	case MEASURE_EVENT_MPI_IRECV:
		return OTF2_EvtWriter_MpiIrecv(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->received, e->number);
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
		return OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, e->time, e->number);
	default:
		return OTF2_ERROR_INVALID_ARGUMENT;
	}
}

static OTF2_ErrorCode write_collective(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_MPI_COLLECTIVE_BEGIN:
		return OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, e->time);
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
		return OTF2_EvtWriter_MpiCollectiveEnd(
			writer, NULL, e->time, e->op, e->ref, e->peer, e->sent, e->received);
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST:
		return OTF2_EvtWriter_NonBlockingCollectiveRequest(
			writer, NULL, e->time, e->number);
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL, e->time, e->op,
			e->ref, e->peer, e->sent, e->received, e->number);
	case MEASURE_EVENT_COMM_CREATE:
		return OTF2_EvtWriter_CommCreate(writer, NULL, e->time, e->ref);
	default:
		return write_message(writer, e);
	}
}

static OTF2_ErrorCode write_file_event(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_IO_CREATE_HANDLE:
		return OTF2_EvtWriter_IoCreateHandle(writer, NULL, e->time, e->ref, e->op, 0, 0);
	case MEASURE_EVENT_IO_DESTROY_HANDLE:
		return OTF2_EvtWriter_IoDestroyHandle(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_IO_DUPLICATE_HANDLE:
		return OTF2_EvtWriter_IoDuplicateHandle(
			writer, NULL, e->time, e->ref, (uint32_t)e->number, 0);
	case MEASURE_EVENT_IO_SEEK:
		return OTF2_EvtWriter_IoSeek(writer, NULL, e->time, e->ref, 0, e->op, 0);
	case MEASURE_EVENT_IO_OPERATION_BEGIN:
		return OTF2_EvtWriter_IoOperationBegin(
			writer, NULL, e->time, e->ref, e->op, e->tag, e->sent, e->number);
	case MEASURE_EVENT_IO_OPERATION_ISSUED:
		return OTF2_EvtWriter_IoOperationIssued(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_IO_OPERATION_COMPLETE:
		return OTF2_EvtWriter_IoOperationComplete(
			writer, NULL, e->time, e->ref, e->received, e->number);
	default:
		return write_collective(writer, e);
	}
}

static OTF2_ErrorCode write_operation(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_RMA_PUT:
		return OTF2_EvtWriter_RmaPut(
			writer, NULL, e->time, e->ref, e->peer, e->sent, e->number);
	case MEASURE_EVENT_RMA_GET:
		return OTF2_EvtWriter_RmaGet(
			writer, NULL, e->time, e->ref, e->peer, e->received, e->number);
	case MEASURE_EVENT_RMA_ATOMIC:
		return OTF2_EvtWriter_RmaAtomic(writer, NULL, e->time, e->ref, e->peer, e->op,
			e->sent, e->received, e->number);
	case MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING:
		return OTF2_EvtWriter_RmaOpCompleteBlocking(
			writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING:
		return OTF2_EvtWriter_RmaOpCompleteNonBlocking(
			writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE:
		return OTF2_EvtWriter_RmaOpCompleteRemote(writer, NULL, e->time, e->ref, e->number);
	default:
		return write_file_event(writer, e);
	}
}

static OTF2_ErrorCode write_window(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_RMA_WIN_CREATE:
		return OTF2_EvtWriter_RmaWinCreate(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_RMA_WIN_DESTROY:
		return OTF2_EvtWriter_RmaWinDestroy(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_RMA_COLLECTIVE_BEGIN:
		return OTF2_EvtWriter_RmaCollectiveBegin(writer, NULL, e->time);
	case MEASURE_EVENT_RMA_COLLECTIVE_END:
		return OTF2_EvtWriter_RmaCollectiveEnd(writer, NULL, e->time, e->op, e->tag, e->ref,
			e->peer, e->sent, e->received);
	case MEASURE_EVENT_RMA_GROUP_SYNC:
		return OTF2_EvtWriter_RmaGroupSync(
			writer, NULL, e->time, e->tag, e->ref, (OTF2_GroupRef)e->number);
	case MEASURE_EVENT_RMA_REQUEST_LOCK:
		return OTF2_EvtWriter_RmaRequestLock(
			writer, NULL, e->time, e->ref, e->peer, e->number, e->op);
	case MEASURE_EVENT_RMA_ACQUIRE_LOCK:
		return OTF2_EvtWriter_RmaAcquireLock(
			writer, NULL, e->time, e->ref, e->peer, e->number, e->op);
	case MEASURE_EVENT_RMA_RELEASE_LOCK:
		return OTF2_EvtWriter_RmaReleaseLock(
			writer, NULL, e->time, e->ref, e->peer, e->number);
	default:
		return write_operation(writer, e);
	}
}

static OTF2_ErrorCode write_thread(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_THREAD_FORK:
		return OTF2_EvtWriter_ThreadFork(writer, NULL, e->time, e->op, 2);
	case MEASURE_EVENT_THREAD_JOIN:
		return OTF2_EvtWriter_ThreadJoin(writer, NULL, e->time, e->op);
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
		return OTF2_EvtWriter_ThreadTeamBegin(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_THREAD_TEAM_END:
		return OTF2_EvtWriter_ThreadTeamEnd(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_THREAD_TASK_CREATE:
		return OTF2_EvtWriter_ThreadTaskCreate(
			writer, NULL, e->time, e->ref, e->peer, e->tag);
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
		return OTF2_EvtWriter_ThreadTaskSwitch(
			writer, NULL, e->time, e->ref, e->peer, e->tag);
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		return OTF2_EvtWriter_ThreadTaskComplete(
			writer, NULL, e->time, e->ref, e->peer, e->tag);
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
		return OTF2_EvtWriter_ThreadAcquireLock(
			writer, NULL, e->time, e->op, e->peer, (uint32_t)e->number);
	case MEASURE_EVENT_THREAD_RELEASE_LOCK:
		return OTF2_EvtWriter_ThreadReleaseLock(
			writer, NULL, e->time, e->op, e->peer, (uint32_t)e->number);
	case MEASURE_EVENT_THREAD_CREATE:
		return OTF2_EvtWriter_ThreadCreate(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_THREAD_WAIT:
		return OTF2_EvtWriter_ThreadWait(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_THREAD_BEGIN:
		return OTF2_EvtWriter_ThreadBegin(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_THREAD_END:
		return OTF2_EvtWriter_ThreadEnd(writer, NULL, e->time, e->ref, e->number);
	default:
		return write_window(writer, e);
	}
}

static OTF2_ErrorCode write_metric(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	const OTF2_MetricValue values[] = {{.unsigned_int = 1}, {.unsigned_int = 2}};

	return OTF2_EvtWriter_Metric(writer, NULL, e->time, e->ref, e->peer, types, values);
}

static OTF2_ErrorCode write_event(
	OTF2_EvtWriter *writer, const struct measure_event *e, OTF2_AttributeList *attributes)
{
	switch (e->kind) {
	case MEASURE_EVENT_ENTER:
		return OTF2_EvtWriter_Enter(writer, attributes, e->time, e->ref);
	case MEASURE_EVENT_LEAVE:
		return OTF2_EvtWriter_Leave(writer, attributes, e->time, e->ref);
	case MEASURE_EVENT_CALLING_CONTEXT_ENTER:
		return OTF2_EvtWriter_CallingContextEnter(writer, NULL, e->time, e->ref, 1);
	case MEASURE_EVENT_CALLING_CONTEXT_LEAVE:
		return OTF2_EvtWriter_CallingContextLeave(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_METRIC:
		return write_metric(writer, e);
	case MEASURE_EVENT_MEASUREMENT_ON_OFF:
		return OTF2_EvtWriter_MeasurementOnOff(writer, NULL, e->time, OTF2_MEASUREMENT_OFF);
	case MEASURE_EVENT_PROGRAM_BEGIN:
		return OTF2_EvtWriter_ProgramBegin(writer, NULL, e->time, e->ref, 0, NULL);
	case MEASURE_EVENT_PROGRAM_END:
		return OTF2_EvtWriter_ProgramEnd(writer, NULL, e->time, (int64_t)e->number);
	default:
		return write_thread(writer, e);
	}
}

/* Attributes hold a value of a type that is not the defined one when asked to. */
static bool write_events(const struct t_archive *archive, OTF2_Archive *otf2)
{
	OTF2_EvtWriter *writers[T_NR_LOCATIONS];
	OTF2_AttributeList *attributes = OTF2_AttributeList_New();
	bool is_fine = true;

	OTF2_Archive_OpenEvtFiles(otf2);
	for (int i = 0; i < T_NR_LOCATIONS; i++)
		writers[i] = OTF2_Archive_GetEvtWriter(otf2, location_ids[i]);
	for (size_t i = 0; i < archive->nr_events; i++) {
		if (archive->has_attribute && archive->events[i].event.kind == MEASURE_EVENT_ENTER)
			OTF2_AttributeList_AddInt8(attributes, T_ATTRIBUTE, 1);
		if (archive->events[i].event.is_refused)
			OTF2_AttributeList_AddUint64(attributes, T_REFUSED, 2);
		is_fine &= write_event(writers[archive->events[i].location],
				   &archive->events[i].event, attributes) == OTF2_SUCCESS;
	}
	for (int i = 0; i < T_NR_LOCATIONS; i++)
		OTF2_Archive_CloseEvtWriter(otf2, writers[i]);
	OTF2_Archive_CloseEvtFiles(otf2);
	OTF2_AttributeList_Delete(attributes);
	return is_fine;
}

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
	is_fine = write_events(archive, otf2);
	if (archive->local_definitions)
		write_local(archive, otf2);
	write_global(archive, otf2);
	return OTF2_Archive_Close(otf2) == OTF2_SUCCESS && is_fine;
}
