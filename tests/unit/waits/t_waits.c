/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small archives for tests of waits: how they are written, read and looked at. */
#include "config.h"

#include "t_waits.h"

#include "../analysis/t_otf2.h"

OTF2_EvtWriter *t_on[T_NR_LOCATIONS];
struct measure_waits t_waits;
struct measure_efficiency t_efficiency;

static struct measure_findings findings;
static struct measure_trace *trace;
static OTF2_Archive *archive;
static const char *directory;
static bool is_read;

void t_begin(void)
{
	is_read = false;
	archive = t_otf2_begin(T_NR_LOCATIONS, t_on);
	directory = t_otf2_directory();
}

/* --------------------------------------------------------------------- definitions --- */

static const char *const region_names[] = {
#define REGION(NAME, text, role, paradigm) text,
#include "t_regions.def"
#undef REGION
};

/* Names are string 0, the regions' ones, then one for all else, and that of a pipe. */
#define NAME_OF_REST (1 + T_NR_REGIONS)
#define NAME_OF_PIPE (2 + T_NR_REGIONS)

static void write_strings_and_regions(OTF2_GlobalDefWriter *writer)
{
	static const OTF2_RegionRole roles[] = {
#define REGION(NAME, text, role, paradigm) OTF2_REGION_ROLE_##role,
#include "t_regions.def"
#undef REGION
	};
	static const OTF2_Paradigm paradigms[] = {
#define REGION(NAME, text, role, paradigm) OTF2_PARADIGM_##paradigm,
#include "t_regions.def"
#undef REGION
	};

	OTF2_GlobalDefWriter_WriteString(writer, 0, "");
	for (uint32_t i = 0; i < T_NR_REGIONS; i++)
		OTF2_GlobalDefWriter_WriteString(writer, 1 + i, region_names[i]);
	OTF2_GlobalDefWriter_WriteString(writer, NAME_OF_REST, "rest");
	OTF2_GlobalDefWriter_WriteString(writer, NAME_OF_PIPE, "pipe:[4711]");
	for (uint32_t i = 0; i < T_NR_REGIONS; i++)
		OTF2_GlobalDefWriter_WriteRegion(writer, i, 1 + i, 1 + i, 0, roles[i], paradigms[i],
			i == T_PHASE ? OTF2_REGION_FLAG_PHASE : OTF2_REGION_FLAG_NONE, 0, 0, 0);
}

static void write_comms(OTF2_GlobalDefWriter *writer)
{
	static const uint32_t groups[T_NR_COMMS] = {1, 3, 4};
	static const uint64_t ranks[] = {0, 1, 2, 3}, threads[] = {T_A, T_B, T_A + 2, T_A + 3};

	OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 4, ranks);
	OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
		OTF2_GROUP_FLAG_NONE, 4, ranks);
	OTF2_GlobalDefWriter_WriteGroup(writer, 2, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 4, threads);
	OTF2_GlobalDefWriter_WriteGroup(writer, 3, 0, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, ranks);
	OTF2_GlobalDefWriter_WriteGroup(writer, 4, 0, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 4, ranks);
	for (uint32_t i = 0; i < 4; i++)
		OTF2_GlobalDefWriter_WriteGroup(writer, T_ALONE + i, 0, OTF2_GROUP_TYPE_COMM_GROUP,
			OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, &ranks[i]);
	for (uint32_t i = T_WORLD; i < T_NR_COMMS; i++)
		OTF2_GlobalDefWriter_WriteComm(writer, i, NAME_OF_REST, groups[i],
			OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteRmaWin(
		writer, T_WINDOW, NAME_OF_REST, T_WORLD, OTF2_RMA_WIN_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteRmaWin(writer, T_MADE_WINDOW, NAME_OF_REST, T_WORLD,
		OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
}

static void write_files(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteIoParadigm(writer, 0, NAME_OF_REST, NAME_OF_REST,
		OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
	OTF2_GlobalDefWriter_WriteIoRegularFile(writer, 0, NAME_OF_REST, 0);
	OTF2_GlobalDefWriter_WriteIoHandle(writer, T_FILE, NAME_OF_REST, 0, 0,
		OTF2_IO_HANDLE_FLAG_NONE, T_WORLD, OTF2_UNDEFINED_IO_HANDLE);
	for (uint32_t i = T_PIPE_READ; i <= T_PIPE_WRITE; i++)
		OTF2_GlobalDefWriter_WriteIoHandle(writer, i, NAME_OF_PIPE, OTF2_UNDEFINED_IO_FILE,
			0, OTF2_IO_HANDLE_FLAG_PRE_CREATED, OTF2_UNDEFINED_COMM,
			OTF2_UNDEFINED_IO_HANDLE);
	OTF2_GlobalDefWriter_WriteIoHandle(writer, T_OWN_FILE, NAME_OF_REST, 0, 0,
		OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
}

static void write_metrics_and_contexts(OTF2_GlobalDefWriter *writer)
{
	static const OTF2_MetricMemberRef members[] = {0};

	OTF2_GlobalDefWriter_WriteMetricMember(writer, 0, NAME_OF_REST, NAME_OF_REST,
		OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
		OTF2_BASE_DECIMAL, 0, NAME_OF_REST);
	OTF2_GlobalDefWriter_WriteMetricClass(
		writer, T_METRIC, 1, members, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
	OTF2_GlobalDefWriter_WriteCallingContext(writer, T_CONTEXT_MAIN, T_MAIN,
		OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT);
	OTF2_GlobalDefWriter_WriteCallingContext(writer, T_CONTEXT_WORK, T_WORK,
		OTF2_UNDEFINED_SOURCE_CODE_LOCATION, T_CONTEXT_MAIN);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(writer, 0, NAME_OF_REST,
		OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -9, 1000000);
}

static void write_definitions(const uint64_t nr_events[T_NR_LOCATIONS])
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);

	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, T_START, 10000, 0);
	write_strings_and_regions(writer);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(
		writer, 0, NAME_OF_REST, NAME_OF_REST, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t i = 0; i <= T_A; i++)
		OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, NAME_OF_REST,
			OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		OTF2_GlobalDefWriter_WriteLocation(writer, i, NAME_OF_REST,
			OTF2_LOCATION_TYPE_CPU_THREAD, nr_events[i], i < T_A ? i : T_A);
	write_comms(writer);
	write_files(writer);
	write_metrics_and_contexts(writer);
	OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

/* ------------------------------------------------------------------- write and read --- */

static void write_archive(void)
{
	uint64_t nr_events[T_NR_LOCATIONS];

	t_otf2_end_events(archive, T_NR_LOCATIONS, t_on, nr_events);
	OTF2_Archive_OpenDefFiles(archive);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
	OTF2_Archive_CloseDefFiles(archive);
	write_definitions(nr_events);
	CU_ASSERT_EQUAL(OTF2_Archive_Close(archive), OTF2_SUCCESS);
	archive = NULL;
}

static void forget(void)
{
	if (!is_read)
		return;
	measure_efficiency_free(&t_efficiency);
	measure_waits_free(&t_waits);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	is_read = false;
}

static void read_archive(const struct measure_waits_options *options)
{
	if (archive)
		write_archive();
	forget();
	findings = (struct measure_findings){.nr_kept_per_check = 0};
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(directory, &findings, &trace), MEASURE_OK);
	is_read = true;
	CU_ASSERT_EQUAL(measure_waits_read(trace, options, &t_waits), MEASURE_OK);
	measure_efficiency_find(&t_efficiency, &t_waits, NULL);
}

void t_read_with(unsigned threads)
{
	read_archive(&(struct measure_waits_options){.nr_threads = threads});
}

void t_read_declared(uint64_t bytes)
{
	read_archive(&(struct measure_waits_options){
		.nr_threads = 1, .has_rendezvous = true, .rendezvous = bytes});
}

void t_read(void)
{
	t_read_with(1);
}

void t_find_efficiency(const struct measure_efficiency_options *options)
{
	measure_efficiency_free(&t_efficiency);
	measure_efficiency_find(&t_efficiency, &t_waits, options);
}

void t_end(void)
{
	forget();
	t_otf2_remove();
}

/* ------------------------------------------------------------------------ look at it --- */

uint64_t t_ticks(enum measure_wait_pattern pattern, uint32_t location)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < t_waits.nr_rows; i++)
		if (t_waits.rows[i].pattern == pattern && t_waits.rows[i].location == location)
			ticks += t_waits.rows[i].ticks;
	return ticks;
}

uint64_t t_count(enum measure_wait_pattern pattern, uint32_t location)
{
	uint64_t count = 0;

	for (size_t i = 0; i < t_waits.nr_rows; i++)
		if (t_waits.rows[i].pattern == pattern && t_waits.rows[i].location == location)
			count += t_waits.rows[i].count;
	return count;
}

uint64_t t_total(void)
{
	return measure_waits_total(&t_waits);
}

const struct measure_wait_row *t_row(enum measure_wait_pattern pattern, uint32_t location)
{
	const struct measure_wait_row *found = NULL;

	for (size_t i = 0; i < t_waits.nr_rows; i++)
		if (t_waits.rows[i].pattern == pattern && t_waits.rows[i].location == location)
			found = &t_waits.rows[i];
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	return found;
}

/* --------------------------------------------------------------------------- calls --- */

void t_send(uint32_t location, uint64_t enter, uint64_t record, uint64_t leave, uint32_t receiver)
{
	T_ENTER(location, enter, T_SEND);
	T_EVENT(MpiSend, location, record, receiver, T_WORLD, 0, 8);
	T_LEAVE(location, leave, T_SEND);
}

void t_receive(uint32_t location, uint64_t enter, uint64_t record, uint64_t leave, uint32_t sender)
{
	T_ENTER(location, enter, T_RECEIVE);
	T_EVENT(MpiRecv, location, record, sender, T_WORLD, 0, 8);
	T_LEAVE(location, leave, T_RECEIVE);
}

void t_collective(uint32_t location, uint64_t enter, uint64_t leave, uint32_t region,
	OTF2_CollectiveOp op, uint32_t root, uint64_t sent, uint64_t received)
{
	T_ENTER(location, enter, region);
	CU_ASSERT_EQUAL(OTF2_EvtWriter_MpiCollectiveBegin(t_on[location], NULL, T_START + enter),
		OTF2_SUCCESS);
	T_EVENT(MpiCollectiveEnd, location, leave, op, T_WORLD, root, sent, received);
	T_LEAVE(location, leave, region);
}
