/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes archives of a kind that tools do write, if not Measure: odd KIND DIRECTORY.
 *	eztrace    two processes that exchange messages, as EZTrace 2.0 leaves them: an id defined
 *	           twice, ids that begin anew with each process, no count of events, clocks that
 *	           differ by 14 ms and no offsets; no mapping tables
 *	apart      the same, with clock offsets, markers, a snapshot, a thumbnail and a flush
 *	thumbnail  the same, but the processes have the ids of regions in common
 *	homeless   the same, whose locations belong to no process
 *	ticks      the same, whose clock has 0 ticks per second
 *	repeated   the same, with each definition twice and a string's id taken by another string */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#define NR_PROCESSES 2
#define FIRST_ID     1073741824u /* of the second process's definitions */
#define DISAGREEMENT 14000000u
#define NR_MESSAGES  20
#define NR_TICKS     100000u
#define OFFSET       5000

enum { NAME_RING, NAME_PROCESS, NAME_WORLD, NAME_WORKING, NAME_SEND, NAME_RECEIVE, NR_NAMES };
enum { REGION_WORKING, REGION_SEND, REGION_RECEIVE, NR_REGIONS };

static bool is_repeated, has_more, has_common_regions, is_homeless;
static uint64_t resolution = 1000000000;

static OTF2_FlushType always_flush(
	void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {always_flush, NULL};

static void need(OTF2_ErrorCode code)
{
	if (code == OTF2_SUCCESS)
		return;
	fprintf(stderr, "odd: %s\n", OTF2_Error_GetName(code));
	exit(2);
}

static uint32_t id_of(int process, uint32_t number)
{
	return (uint32_t)process * FIRST_ID + number;
}

static uint32_t region_of(int process, uint32_t number)
{
	return has_common_regions ? number : id_of(process, number);
}

/* ------------------------------------------------------------------ definitions --- */

static void define_names(OTF2_GlobalDefWriter *writer, int process)
{
	static const char *const names[NR_NAMES] = {
		"ring", "P", "MPI_COMM_WORLD", "Working", "MPI_Send", "MPI_Recv"};

	for (uint32_t i = 0; i < NR_NAMES; i++)
		need(OTF2_GlobalDefWriter_WriteString(writer, id_of(process, i), names[i]));
}

static void define_regions(OTF2_GlobalDefWriter *writer, int process)
{
	for (uint32_t i = 0; i < NR_REGIONS && (process == 0 || !has_common_regions); i++)
		need(OTF2_GlobalDefWriter_WriteRegion(writer, region_of(process, i),
			id_of(process, NAME_WORKING + i), id_of(process, NAME_WORKING + i),
			OTF2_UNDEFINED_STRING, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
			OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
}

/* The communicator's group has the id of the one that lists the locations. */
static void define_world(OTF2_GlobalDefWriter *writer)
{
	const uint64_t locations[NR_PROCESSES] = {0, FIRST_ID}, ranks[NR_PROCESSES] = {0, 1};

	need(OTF2_GlobalDefWriter_WriteGroup(writer, 0, NAME_WORLD, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, NR_PROCESSES, locations));
	need(OTF2_GlobalDefWriter_WriteGroup(writer, 0, NAME_WORLD, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, NR_PROCESSES, ranks));
	need(OTF2_GlobalDefWriter_WriteComm(
		writer, 0, NAME_WORLD, 0, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

static void define_process(OTF2_GlobalDefWriter *writer, int process)
{
	define_names(writer, process);
	if (process == 0)
		need(OTF2_GlobalDefWriter_WriteSystemTreeNode(
			writer, 0, NAME_RING, NAME_RING, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	need(OTF2_GlobalDefWriter_WriteLocationGroup(writer, (uint32_t)process, NAME_PROCESS,
		OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
	need(OTF2_GlobalDefWriter_WriteLocation(writer, id_of(process, 0), NAME_PROCESS,
		OTF2_LOCATION_TYPE_CPU_THREAD, 2,
		is_homeless ? OTF2_UNDEFINED_LOCATION_GROUP : (uint32_t)process));
	define_regions(writer, process);
}

static void define_all(OTF2_GlobalDefWriter *writer)
{
	for (int process = 0; process < NR_PROCESSES; process++)
		define_process(writer, process);
	define_world(writer);
	if (is_repeated)
		need(OTF2_GlobalDefWriter_WriteString(writer, NAME_RING, "circle"));
}

static void write_definitions(OTF2_Archive *archive)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);

	define_all(writer);
	if (is_repeated)
		define_all(writer);
	need(OTF2_GlobalDefWriter_WriteClockProperties(
		writer, resolution, 0, NR_TICKS, OTF2_UNDEFINED_TIMESTAMP));
	need(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
}

/* ----------------------------------------------------------------------- events --- */

static void write_message(OTF2_EvtWriter *writer, int process, uint64_t *time, uint32_t tag)
{
	const bool is_sender = (int)(tag % NR_PROCESSES) == process;
	const uint32_t region = region_of(process, is_sender ? REGION_SEND : REGION_RECEIVE);
	const uint32_t other = (uint32_t)(1 - process);

	need(OTF2_EvtWriter_Enter(writer, NULL, *time, region));
	if (is_sender)
		need(OTF2_EvtWriter_MpiSend(writer, NULL, *time + 10, other, 0, tag, 8));
	else
		need(OTF2_EvtWriter_MpiRecv(writer, NULL, *time + 1000, other, 0, tag, 8));
	need(OTF2_EvtWriter_Leave(writer, NULL, *time + 1010, region));
	*time += NR_TICKS / NR_MESSAGES / 2;
}

/* All times are OFFSET later for a reader. */
static void write_offsets(OTF2_DefWriter *local, int process)
{
	need(OTF2_DefWriter_WriteClockOffset(local, 0, OFFSET, 0));
	need(OTF2_DefWriter_WriteClockOffset(
		local, (uint64_t)process * DISAGREEMENT + 2 * NR_TICKS, OFFSET, 0));
}

static void write_process(OTF2_Archive *archive, int process)
{
	OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, id_of(process, 0));
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(archive, id_of(process, 0));
	uint64_t time = (uint64_t)process * DISAGREEMENT + 1;

	need(OTF2_EvtWriter_Enter(writer, NULL, time, region_of(process, REGION_WORKING)));
	for (uint32_t tag = 0; tag < NR_MESSAGES; tag++)
		write_message(writer, process, &time, tag);
	if (has_more) {
		need(OTF2_EvtWriter_BufferFlush(writer, NULL, time, time + 500));
		time += 1000;
		write_offsets(local, process);
	}
	need(OTF2_EvtWriter_Leave(writer, NULL, time, region_of(process, REGION_WORKING)));
	need(OTF2_Archive_CloseEvtWriter(archive, writer));
	need(OTF2_Archive_CloseDefWriter(archive, local));
}

static bool choose(const char *kind)
{
	is_repeated = strcmp(kind, "repeated") == 0;
	has_common_regions = strcmp(kind, "thumbnail") == 0;
	is_homeless = strcmp(kind, "homeless") == 0;
	has_more = has_common_regions || strcmp(kind, "apart") == 0;
	if (strcmp(kind, "ticks") == 0)
		resolution = 0;
	return is_repeated || has_more || is_homeless || resolution == 0 || strcmp(kind, "eztrace") == 0;
}

/* --------------------------------------------------------- what is beside events --- */

/* Of the first event of each process, and of the whole. */
static void write_markers(OTF2_Archive *archive)
{
	OTF2_MarkerWriter *writer = OTF2_Archive_GetMarkerWriter(archive);

	need(OTF2_MarkerWriter_WriteDefMarker(writer, 0, "odd", "start", OTF2_SEVERITY_NONE));
	for (int process = 0; process < NR_PROCESSES; process++)
		need(OTF2_MarkerWriter_WriteMarker(writer,
			(uint64_t)process * DISAGREEMENT + 1 + OFFSET, 0, 0,
			OTF2_MARKER_SCOPE_LOCATION, id_of(process, 0), "first event"));
	need(OTF2_MarkerWriter_WriteMarker(
		writer, OFFSET + 1, 1000, 0, OTF2_MARKER_SCOPE_GLOBAL, 0, "all"));
	need(OTF2_MarkerWriter_WriteMarker(
		writer, OFFSET + 1, 1000, 0, OTF2_MARKER_SCOPE_COMM, 0, "world"));
	need(OTF2_Archive_CloseMarkerWriter(archive, writer));
}

/* That each process works, since its first event. */
static void write_snapshots(OTF2_Archive *archive)
{
	need(OTF2_Archive_SetNumberOfSnapshots(archive, 1));
	need(OTF2_Archive_OpenSnapFiles(archive));
	for (int process = 0; process < NR_PROCESSES; process++) {
		OTF2_SnapWriter *writer = OTF2_Archive_GetSnapWriter(archive, id_of(process, 0));
		uint64_t first = (uint64_t)process * DISAGREEMENT + 1 + OFFSET;

		need(OTF2_SnapWriter_SnapshotStart(writer, NULL, first + 10, 1));
		need(OTF2_SnapWriter_Enter(
			writer, NULL, first + 10, first, region_of(process, REGION_WORKING)));
		need(OTF2_SnapWriter_SnapshotEnd(writer, NULL, first + 10, 1));
		need(OTF2_Archive_CloseSnapWriter(archive, writer));
	}
	need(OTF2_Archive_CloseSnapFiles(archive));
}

static void write_thumbnail(OTF2_Archive *archive)
{
	const uint64_t regions[] = {REGION_WORKING, region_of(1, REGION_SEND)};
	const uint64_t samples[][2] = {{1, 2}, {3, 4}, {5, 6}};
	OTF2_ThumbWriter *writer = OTF2_Archive_GetThumbWriter(
		archive, "odd", "nothing", OTF2_THUMBNAIL_TYPE_REGION, 3, 2, regions);

	for (int i = 0; i < 3; i++)
		need(OTF2_ThumbWriter_WriteSample(writer, 7, 2, samples[i]));
}

int main(int argc, char **argv)
{
	OTF2_Archive *archive;

	if (argc != 3 || !choose(argv[1])) {
		fprintf(stderr, "odd: odd eztrace|apart|thumbnail|homeless|ticks|repeated DIRECTORY\n");
		return 2;
	}
	archive = OTF2_Archive_Open(argv[2], "eztrace_log", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
		OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!archive)
		return 2;
	need(OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL));
	need(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	need(OTF2_Archive_OpenDefFiles(archive));
	need(OTF2_Archive_OpenEvtFiles(archive));
	for (int process = 0; process < NR_PROCESSES; process++)
		write_process(archive, process);
	need(OTF2_Archive_CloseDefFiles(archive));
	need(OTF2_Archive_CloseEvtFiles(archive));
	write_definitions(archive);
	if (has_more) {
		write_snapshots(archive);
		write_thumbnail(archive);
		write_markers(archive);
	}
	need(OTF2_Archive_Close(archive));
	return 0;
}
