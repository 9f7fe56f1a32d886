/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The archive of the job, as assembly would make it of the parts: for jobs so large that assembly is
 * not worth waiting for where only readers are of interest. Local ids are global ones, but for the
 * communicators. */
#include "config.h"

#include "make_parts.h"

#include <fcntl.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

struct archive {
	const struct job *job;
	OTF2_Archive *otf2;
	OTF2_GlobalDefWriter *writer;
	uint32_t nr_strings;
	uint64_t *nr_events; /* by rank */
	uint64_t last_time;
	bool is_failed;
};

static OTF2_FlushType always_flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static void note(struct archive *archive, OTF2_ErrorCode code)
{
	archive->is_failed |= code != OTF2_SUCCESS;
}

/* ----------------------------------------------------------------------------- locations --- */

static uint32_t comm_of(const struct job *job, uint32_t rank)
{
	uint32_t comm = 0;

	while (comm < job->nr_comms && !job_is_member(job, comm, rank))
		comm++;
	return FIRST_COMM + comm;
}

static void write_local(struct archive *archive, uint32_t rank, uint64_t end)
{
	const uint64_t shift = job_clock(archive->job, rank, 0);
	const uint32_t comms[] = {0, 1,
		archive->job->nr_comms ? comm_of(archive->job, rank) : FIRST_COMM};
	OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->otf2, rank);

	if (comms[2] != FIRST_COMM) { /* the library refuses a map that changes nothing */
		OTF2_IdMap *map = OTF2_IdMap_CreateFromUint32Array(3, comms, true);

		note(archive, OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_COMM, map));
		OTF2_IdMap_Free(map);
	}
	note(archive, OTF2_DefWriter_WriteClockOffset(writer, shift, -(int64_t)shift, 500));
	note(archive, OTF2_DefWriter_WriteClockOffset(writer, end, -(int64_t)shift, 500));
	note(archive, OTF2_Archive_CloseDefWriter(archive->otf2, writer));
	archive->last_time = end - shift > archive->last_time ? end - shift : archive->last_time;
}

static void write_locations(struct archive *archive, int events_fd)
{
	struct event_file events = {.bytes = NULL};
	char name[32];

	for (uint32_t i = 0; i < archive->job->nr_ranks; i++) {
		make_events(archive->job, i, false, &events);
		snprintf(name, sizeof(name), "%u.evt", i);
		if (measure_file_store(events_fd, name, events.bytes, events.size) != MEASURE_OK)
			fail("cannot write ", name);
		archive->nr_events[i] = events.nr_events;
		write_local(archive, i, events.last_time + 1000);
	}
	free(events.bytes);
}

/* ---------------------------------------------------------------------------- definitions --- */

static uint32_t write_string(struct archive *archive, const char *text)
{
	note(archive, OTF2_GlobalDefWriter_WriteString(
			      archive->writer, archive->nr_strings, text));
	return archive->nr_strings++;
}

static void write_paradigm(struct archive *archive, OTF2_Paradigm paradigm,
	OTF2_ParadigmClass class, const char *name)
{
	note(archive, OTF2_GlobalDefWriter_WriteParadigm(
			      archive->writer, paradigm, write_string(archive, name), class));
}

static void write_region(struct archive *archive, uint32_t id, const char *name,
	OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
	const uint32_t string = write_string(archive, name);

	note(archive, OTF2_GlobalDefWriter_WriteRegion(archive->writer, id, string, string, 0, role,
			      paradigm, OTF2_REGION_FLAG_NONE, 0, 0, 0));
}

static void write_regions(struct archive *archive)
{
	char name[32];

#define REGION(NAME, name, role, paradigm)                                                         \
	write_region(archive, REGION_##NAME, name, OTF2_REGION_ROLE_##role, OTF2_PARADIGM_##paradigm);
#include "make_parts_regions.def"
#undef REGION
	for (uint32_t i = 0; i < archive->job->nr_functions; i++) {
		snprintf(name, sizeof(name), "function_%u", i);
		write_region(archive, NR_REGIONS + i, name, OTF2_REGION_ROLE_FUNCTION,
			OTF2_PARADIGM_COMPILER);
	}
}

static void write_nodes(struct archive *archive)
{
	const uint32_t class = write_string(archive, "node");
	const uint32_t machine = write_string(archive, "machine");
	const struct job *job = archive->job;
	char name[32];

	note(archive, OTF2_GlobalDefWriter_WriteSystemTreeNode(archive->writer, 0, machine, machine,
			      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t i = 0; i * job->ranks_per_node < job->nr_ranks; i++) {
		snprintf(name, sizeof(name), "node%06u", i);
		note(archive, OTF2_GlobalDefWriter_WriteSystemTreeNode(archive->writer, i + 1,
				      write_string(archive, name), class, 0));
		note(archive, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(archive->writer, i + 1,
				      OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
	}
}

static void write_ranks(struct archive *archive)
{
	const uint32_t thread = write_string(archive, "Master thread");
	const struct job *job = archive->job;
	char name[32];

	for (uint32_t i = 0; i < job->nr_ranks; i++) {
		snprintf(name, sizeof(name), "MPI Rank %u", i);
		note(archive, OTF2_GlobalDefWriter_WriteLocationGroup(archive->writer, i,
				      write_string(archive, name),
				      OTF2_LOCATION_GROUP_TYPE_PROCESS, i / job->ranks_per_node + 1,
				      OTF2_UNDEFINED_LOCATION_GROUP));
		note(archive, OTF2_GlobalDefWriter_WriteLocation(archive->writer, i, thread,
				      OTF2_LOCATION_TYPE_CPU_THREAD, archive->nr_events[i], i));
	}
}

static void write_group(struct archive *archive, uint32_t id, OTF2_GroupType type, uint32_t nr,
	const uint64_t *members)
{
	note(archive, OTF2_GlobalDefWriter_WriteGroup(archive->writer, id, 0, type,
			      OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, nr, members));
}

/* Groups: locations, those of the communicators. */
static void write_comms(struct archive *archive)
{
	const struct job *job = archive->job;
	uint64_t *members = malloc(((size_t)job->nr_ranks + 1) * sizeof(*members));
	const uint32_t world = write_string(archive, "MPI_COMM_WORLD");
	const uint32_t self = write_string(archive, "MPI_COMM_SELF");

	if (!members)
		fail("out of memory", "");
	for (uint32_t i = 0; i < job->nr_ranks; i++)
		members[i] = i;
	write_group(archive, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, job->nr_ranks, members);
	write_group(archive, 1, OTF2_GROUP_TYPE_COMM_GROUP, job->nr_ranks, members);
	write_group(archive, 2, OTF2_GROUP_TYPE_COMM_SELF, 0, NULL);
	note(archive, OTF2_GlobalDefWriter_WriteComm(archive->writer, 0, world, 1,
			      OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	note(archive, OTF2_GlobalDefWriter_WriteComm(archive->writer, 1, self, 2,
			      OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	for (uint32_t i = 0; i < job->nr_comms; i++) {
		const uint32_t nr = job_comm_size(job, i);

		for (uint32_t k = 0; k < nr; k++)
			members[k] = job_comm_member(job, i, k);
		write_group(archive, 3 + i, OTF2_GROUP_TYPE_COMM_GROUP, nr, members);
		note(archive, OTF2_GlobalDefWriter_WriteComm(archive->writer, FIRST_COMM + i, 0,
				      3 + i, 0, OTF2_COMM_FLAG_NONE));
	}
	free(members);
}

static void write_definitions(struct archive *archive)
{
	archive->writer = OTF2_Archive_GetGlobalDefWriter(archive->otf2);
	note(archive, OTF2_GlobalDefWriter_WriteClockProperties(archive->writer, TICKS_PER_SECOND, 0,
			      archive->last_time + 1, OTF2_UNDEFINED_TIMESTAMP));
	write_string(archive, "");
	write_paradigm(archive, OTF2_PARADIGM_MPI, OTF2_PARADIGM_CLASS_PROCESS, "MPI");
	write_regions(archive);
	write_nodes(archive);
	write_ranks(archive);
	write_comms(archive);
}

/* Room for the largest record, a group of all ranks; readers allocate it for each location. */
static uint64_t definition_chunk(const struct job *job)
{
	uint64_t size = OTF2_CHUNK_SIZE_MIN;

	while (size < OTF2_CHUNK_SIZE_MAX && size < 65536 + 8 * (uint64_t)job->nr_ranks)
		size *= 2;
	return size;
}

void make_archive(const struct job *job)
{
	static const OTF2_FlushCallbacks flush = {always_flush, NULL};
	struct archive archive = {.job = job, .nr_events = calloc(job->nr_ranks, sizeof(uint64_t))};
	int fd, events_fd;

	archive.otf2 = OTF2_Archive_Open(job->directory, "traces", OTF2_FILEMODE_WRITE,
		job->chunk_size, definition_chunk(job), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!archive.otf2 || !archive.nr_events)
		fail("cannot make ", job->directory);
	note(&archive, OTF2_Archive_SetFlushCallbacks(archive.otf2, &flush, NULL));
	note(&archive, OTF2_Archive_SetSerialCollectiveCallbacks(archive.otf2));
	note(&archive, OTF2_Archive_OpenDefFiles(archive.otf2));
	fd = open(job->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	mkdirat(fd, "traces", 0777);
	events_fd = measure_file_open_directory(fd, "traces");
	write_locations(&archive, events_fd);
	note(&archive, OTF2_Archive_CloseDefFiles(archive.otf2));
	write_definitions(&archive);
	note(&archive, OTF2_Archive_Close(archive.otf2));
	if (archive.is_failed)
		fail("OTF2 cannot write ", job->directory);
	close(events_fd);
	close(fd);
	free(archive.nr_events);
}
