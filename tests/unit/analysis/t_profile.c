/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small archives for tests of profiles: how they are written, read and looked at. */
#include "config.h"

#include "t_profile.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/archive/profile_archive.h"
#include "analysis/profile/profile_pack.h"
#include "t_otf2.h"

OTF2_EvtWriter *t_on[T_NR_LOCATIONS];
struct measure_profile t_profile;
struct measure_trace *t_trace;

static const uint32_t processes[T_NR_LOCATIONS] = {0, 0, 1};
static struct measure_findings findings;
static uint64_t events_said; /* of each location, by definitions; 0: as many as there are */
static struct measure_profile_options options;
static OTF2_Archive *archive;
static bool is_read;
static struct {
	uint32_t location;
	uint64_t time;
	int64_t offset;
} offsets[8];
static size_t nr_offsets;

void t_begin(void)
{
	options = (struct measure_profile_options){.nr_threads = 1};
	nr_offsets = 0;
	events_said = 0;
	is_read = false;
	archive = t_otf2_begin(T_NR_LOCATIONS, t_on);
}

void t_say_events(uint64_t nr_events)
{
	events_said = nr_events;
}

void t_set_window(uint64_t from, uint64_t until)
{
	options.has_window = true;
	options.from = from;
	options.until = until;
}

void t_add_offset(uint32_t location, uint64_t time, int64_t offset)
{
	offsets[nr_offsets].location = location;
	offsets[nr_offsets].time = time;
	offsets[nr_offsets++].offset = offset;
}

/* --------------------------------------------------------------------- definitions --- */

static const char *const names[] = {"", "main", "f", "g", "g", "parallel", "barrier", "task",
	"send", "wait", "lock", "phase", "host", "process 0", "process 1", "thread", "world",
	"data", "counter", "gauge", "iteration", "ALLOCATION_SIZE", "DEALLOCATION_SIZE", "Refused",
	"POSIX", "clock"};
enum { NAME_EMPTY, NAME_MAIN };

static uint32_t name_of(const char *text)
{
	uint32_t i = 0;

	while (strcmp(names[i], text) != 0)
		i++;
	return i;
}

static void write_regions(OTF2_GlobalDefWriter *writer)
{
	for (uint32_t i = 0; i < T_NR_REGIONS; i++) {
		const OTF2_Paradigm paradigm = i >= T_SEND && i <= T_WAIT ? OTF2_PARADIGM_MPI
					       : i >= T_PARALLEL && i <= T_TASK
						       ? OTF2_PARADIGM_OPENMP
						       : OTF2_PARADIGM_USER;

		OTF2_GlobalDefWriter_WriteRegion(writer, i, NAME_MAIN + i, NAME_MAIN + i,
			NAME_EMPTY, OTF2_REGION_ROLE_FUNCTION, paradigm,
			i == T_PHASE ? OTF2_REGION_FLAG_PHASE : OTF2_REGION_FLAG_NONE, NAME_EMPTY,
			0, 0);
	}
}

static void write_comms(OTF2_GlobalDefWriter *writer)
{
	static const uint64_t ranks[] = {0, 2}, threads[] = {0, 1}, both[] = {0, 1};
	const uint32_t name = name_of("world");

	OTF2_GlobalDefWriter_WriteGroup(writer, 0, NAME_EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, ranks);
	OTF2_GlobalDefWriter_WriteGroup(writer, 1, NAME_EMPTY, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, both);
	OTF2_GlobalDefWriter_WriteGroup(writer, 2, NAME_EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, threads);
	OTF2_GlobalDefWriter_WriteGroup(writer, 3, NAME_EMPTY, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, both);
	for (uint32_t i = T_WORLD; i <= T_INNER_TEAM; i++)
		OTF2_GlobalDefWriter_WriteComm(writer, i, name, i == T_WORLD ? 1 : 3,
			OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void write_metrics(OTF2_GlobalDefWriter *writer)
{
	static const OTF2_MetricMemberRef members[] = {0, 1};

	OTF2_GlobalDefWriter_WriteMetricMember(writer, 0, name_of("counter"), NAME_EMPTY,
		OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
		OTF2_BASE_DECIMAL, 0, NAME_EMPTY);
	OTF2_GlobalDefWriter_WriteMetricMember(writer, 1, name_of("gauge"), NAME_EMPTY,
		OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_UINT64,
		OTF2_BASE_DECIMAL, 0, NAME_EMPTY);
	OTF2_GlobalDefWriter_WriteMetricClass(writer, T_COUNTERS, 1, members,
		OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
	OTF2_GlobalDefWriter_WriteMetricClass(
		writer, T_FIELDS, 2, members, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
	OTF2_GlobalDefWriter_WriteMetricClass(writer, T_STRICT_GAUGES, 1, &members[1],
		OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
}

static void write_files(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteIoParadigm(writer, 0, name_of("POSIX"), name_of("POSIX"),
		OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_OS, 0, NULL, NULL, NULL);
	OTF2_GlobalDefWriter_WriteIoRegularFile(writer, 0, name_of("data"), 0);
	OTF2_GlobalDefWriter_WriteIoHandle(writer, T_DATA, NAME_EMPTY, 0, 0,
		OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
	OTF2_GlobalDefWriter_WriteIoHandle(writer, T_STANDARD, name_of("f"), OTF2_UNDEFINED_IO_FILE,
		0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
}

static void write_samples(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteCallingContext(writer, T_CONTEXT_MAIN, T_MAIN,
		OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT);
	OTF2_GlobalDefWriter_WriteCallingContext(
		writer, T_CONTEXT_F, T_F, OTF2_UNDEFINED_SOURCE_CODE_LOCATION, T_CONTEXT_MAIN);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(writer, 0, name_of("clock"),
		OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -9, 1000000);
}

static void write_definitions(const uint64_t nr_events[T_NR_LOCATIONS])
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);

	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, 1000, 0);
	for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		OTF2_GlobalDefWriter_WriteString(writer, i, names[i]);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(
		writer, 0, name_of("host"), name_of("host"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t i = 0; i < 2; i++)
		OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, name_of("process 0") + i,
			OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		OTF2_GlobalDefWriter_WriteLocation(writer, i, name_of("thread"),
			OTF2_LOCATION_TYPE_CPU_THREAD, events_said ? events_said : nr_events[i],
			processes[i]);
	OTF2_GlobalDefWriter_WriteParameter(
		writer, T_ITERATION, name_of("iteration"), OTF2_PARAMETER_TYPE_UINT64);
	OTF2_GlobalDefWriter_WriteParameter(
		writer, T_SIGNED_ITERATION, name_of("iteration"), OTF2_PARAMETER_TYPE_INT64);
	for (uint32_t i = 0; i < 3; i++)
		OTF2_GlobalDefWriter_WriteAttribute(
			writer, i, name_of("ALLOCATION_SIZE") + i, NAME_EMPTY, OTF2_TYPE_UINT64);
	write_regions(writer);
	write_comms(writer);
	write_metrics(writer);
	write_files(writer);
	write_samples(writer);
	OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

static void write_offsets(void)
{
	OTF2_Archive_OpenDefFiles(archive);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, i);

		for (size_t o = 0; o < nr_offsets; o++)
			if (offsets[o].location == i)
				OTF2_DefWriter_WriteClockOffset(
					writer, offsets[o].time, offsets[o].offset, 0);
		OTF2_Archive_CloseDefWriter(archive, writer);
	}
	OTF2_Archive_CloseDefFiles(archive);
}

/* ------------------------------------------------------------------- write and read --- */

const char *t_directory(void)
{
	return t_otf2_directory();
}

void t_write(void)
{
	uint64_t nr_events[T_NR_LOCATIONS];

	t_otf2_end_events(archive, T_NR_LOCATIONS, t_on, nr_events);
	write_offsets();
	write_definitions(nr_events);
	CU_ASSERT_EQUAL(OTF2_Archive_Close(archive), OTF2_SUCCESS);
	archive = NULL;
}

static void forget(void)
{
	if (!is_read)
		return;
	measure_profile_free(&t_profile);
	measure_trace_close(t_trace);
	measure_findings_free(&findings);
	is_read = false;
}

measure_status_t t_read_with(unsigned threads)
{
	if (archive)
		t_write();
	forget();
	findings = (struct measure_findings){0};
	options.nr_threads = threads;
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(t_directory(), &findings, &t_trace), MEASURE_OK);
	is_read = true;
	return measure_profile_read(t_trace, &options, &t_profile);
}

/* Every profile is the same once it has been an archive. */
static void save_and_compare(void)
{
	static const struct measure_profile_options all = {.nr_threads = 1};
	measure_profile_pack_t before = {.nr = 0}, after = {.nr = 0};
	struct measure_findings of_copy = {0};
	struct measure_profile copy;
	struct measure_trace *trace;
	char saved[96], command[128];

	snprintf(saved, sizeof(saved), "%s.saved", t_directory());
	snprintf(command, sizeof(command), "rm -rf '%s'", saved);
	CU_ASSERT_EQUAL(measure_profile_archive_write(&t_profile, saved), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_profile_archive_write(&t_profile, saved), MEASURE_ERROR_EXISTS);
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(saved, &of_copy, &trace), MEASURE_OK);
	CU_ASSERT_TRUE(measure_profile_archive_is_one(trace));
	CU_ASSERT_EQUAL(measure_profile_read(trace, &all, &copy), MEASURE_OK);
	measure_profile_pack(&t_profile, &before);
	measure_profile_pack(&copy, &after);
	CU_ASSERT_EQUAL_FATAL(before.nr, after.nr);
	CU_ASSERT_EQUAL(memcmp(before.items, after.items, before.nr), 0);
	free(before.items);
	free(after.items);
	measure_profile_free(&copy);
	measure_trace_close(trace);
	measure_findings_free(&of_copy);
	CU_ASSERT_EQUAL(system(command), 0);
}

void t_read(void)
{
	CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
	save_and_compare();
}

void t_end(void)
{
	forget();
	t_otf2_remove();
}

/* ------------------------------------------------------------------------ look at it --- */

static uint32_t find_child(uint32_t parent, const char *name, size_t length)
{
	for (uint32_t i = 1; i < t_profile.nr_paths; i++) {
		const char *text =
			measure_profile_region_name(&t_profile, t_profile.paths[i].region);

		if (t_profile.paths[i].parent == parent && strlen(text) == length &&
			strncmp(text, name, length) == 0)
			return i;
	}
	return MEASURE_NONE;
}

static uint32_t find_path(const char *text)
{
	uint32_t path = 0;

	while (path != MEASURE_NONE && *text) {
		const size_t length = strcspn(text, "/");

		path = find_child(path, text, length);
		text += length + (text[length] == '/');
	}
	return path;
}

bool t_has_path(const char *text)
{
	return find_path(text) != MEASURE_NONE;
}

uint32_t t_path(const char *text)
{
	const uint32_t path = find_path(text);

	if (path == MEASURE_NONE)
		fprintf(stderr, "no path %s\n", text);
	CU_ASSERT_NOT_EQUAL_FATAL(path, MEASURE_NONE);
	return path;
}

uint64_t t_exclusive(const char *text)
{
	const uint32_t path = t_path(text);
	uint64_t sum = 0;

	for (size_t i = 0; i < t_profile.nr_rows; i++)
		if (t_profile.rows[i].path == path)
			sum += t_profile.rows[i].exclusive;
	return sum;
}

uint64_t t_sum(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t_profile.nr_rows; i++)
		if (t_profile.paths[t_profile.rows[i].path].region != MEASURE_PSEUDO_RUNNING_TASKS)
			sum += t_profile.rows[i].exclusive;
	return sum;
}

uint64_t t_cell(enum measure_table_name name, uint64_t first, uint64_t second, size_t column)
{
	const uint64_t *row = measure_profile_table_find(
		&t_profile.tables[name], name, measure_key_pair(first, second));

	return row ? row[column] : 0;
}
