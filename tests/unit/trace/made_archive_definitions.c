/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the definitions of a test archive. */
#include "config.h"

#include "made_archive_internal.h"

const uint64_t t_location_ids[T_NR_LOCATIONS] = {0, (uint64_t)1 << 32, 1};
static const uint32_t location_groups[T_NR_LOCATIONS] = {0, 0, 1};

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
		OTF2_GlobalDefWriter_WriteLocation(writer, t_location_ids[i], 12,
			archive->metric_locations & 1u << i ? OTF2_LOCATION_TYPE_METRIC
							    : OTF2_LOCATION_TYPE_CPU_THREAD,
			nr_events, location_groups[i]);
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
		t_location_ids[T_RANK0], t_location_ids[archive->mpi_location_of_rank1]};
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
		3, t_location_ids);
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

void t_write_global(const struct t_archive *archive, OTF2_Archive *otf2)
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

void t_write_local(const struct t_archive *archive, OTF2_Archive *otf2)
{
	OTF2_Archive_OpenDefFiles(otf2);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++) {
		OTF2_DefWriter *writer;

		if (!(archive->local_definitions & 1u << i))
			continue;
		writer = OTF2_Archive_GetDefWriter(otf2, t_location_ids[i]);
		for (size_t o = 0; o < archive->nr_offsets; o++)
			if (archive->offsets[o].location == i)
				OTF2_DefWriter_WriteClockOffset(writer, archive->offsets[o].time,
					archive->offsets[o].offset, 0);
		OTF2_Archive_CloseDefWriter(otf2, writer);
	}
	OTF2_Archive_CloseDefFiles(otf2);
}
