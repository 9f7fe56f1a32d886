/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Archives of task programs for tests; see t_tasks.h. */
#include "config.h"

#include "t_tasks.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "../analysis/t_otf2.h"
#include "base/hash.h"

OTF2_EvtWriter *t_on[T_NR_LOCATIONS];
struct measure_trace *t_trace;
struct measure_tasks t_tasks;

static OTF2_Archive *archive;
static struct measure_findings findings;
static bool is_read, has_workers;
static uint64_t random_state;

static const uint32_t processes[T_NR_LOCATIONS] = {0, 0, 0, 0, 1, 1, 1};
static const char *const classes[T_NR_LOCATIONS] = {
	[T_CPU0] = "CPU", [T_CPU1] = "CPU", [T_DEVICE] = "OpenCL", [T_CPU2] = "CPU"};

static const char *const codelets[T_FIRST_STATE] = {
	"potrf", "gemm", "trsm", "own", "function", "taskwait"};

static const char *const parameters[T_NR_PARAMETERS] = {
#define TASK_FACT(NAME, parameter) parameter,
#include "task_vocabulary.def"
#define DATA_FACT(NAME, parameter) parameter,
#define DATA_TEXT(NAME, parameter) parameter,
#include "task_vocabulary.def"
	"other"};

enum {
#define TASK_ATTRIBUTE(NAME, ...) ATTRIBUTE_##NAME,
#include "task_vocabulary.def"
	NR_ATTRIBUTES
};

static const struct {
	const char *name;
	OTF2_Type type;
} attributes[NR_ATTRIBUTES] = {
#define TASK_ATTRIBUTE(NAME, attribute, description, type) {attribute, OTF2_TYPE_##type},
#include "task_vocabulary.def"
};

static const struct {
	const char *canonical, *name;
} states[MEASURE_NR_WORKER_STATES] = {
#define WORKER_STATE(NAME, state, role, region) {"task.state." state, region},
#include "task_vocabulary.def"
};

/* -------------------------------------------------------------------- definitions --- */

static uint32_t nr_strings;

static uint32_t define_string(OTF2_GlobalDefWriter *writer, const char *text)
{
	OTF2_GlobalDefWriter_WriteString(writer, nr_strings, text);
	return nr_strings++;
}

static void define_property(OTF2_GlobalDefWriter *writer, uint32_t location, const char *name,
	OTF2_Type type, OTF2_AttributeValue value)
{
	OTF2_GlobalDefWriter_WriteLocationProperty(
		writer, location, define_string(writer, name), type, value);
}

static void define_worker(OTF2_GlobalDefWriter *writer, uint32_t location, uint32_t number)
{
	const uint32_t node = location == T_DEVICE;

	define_property(writer, location, "MEASURE::WORKER", OTF2_TYPE_UINT32,
		(OTF2_AttributeValue){.uint32 = number});
	define_property(writer, location, "MEASURE::WORKER_CLASS", OTF2_TYPE_STRING,
		(OTF2_AttributeValue){.stringRef = define_string(writer, classes[location])});
	define_property(writer, location, "MEASURE::MEMORY_NODE", OTF2_TYPE_UINT32,
		(OTF2_AttributeValue){.uint32 = node});
	define_property(writer, location, "MEASURE::WORKER_CORE", OTF2_TYPE_UINT32,
		(OTF2_AttributeValue){.uint32 = 10 + number});
}

static void define_locations(OTF2_GlobalDefWriter *writer, const uint64_t *nr_events)
{
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t host = define_string(writer, i ? "host 1" : "host 0");

		OTF2_GlobalDefWriter_WriteSystemTreeNode(
			writer, i, host, host, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
		OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, host,
			OTF2_LOCATION_GROUP_TYPE_PROCESS, i, OTF2_UNDEFINED_LOCATION_GROUP);
	}
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		OTF2_GlobalDefWriter_WriteLocation(writer, i, define_string(writer, "thread"),
			OTF2_LOCATION_TYPE_CPU_THREAD, nr_events[i], processes[i]);
	for (uint32_t i = 0, number = 0; has_workers && i < T_NR_LOCATIONS; i++)
		if (classes[i])
			define_worker(writer, i, number++);
}

static void define_comms(OTF2_GlobalDefWriter *writer)
{
	static const uint64_t ranks[] = {T_SUBMITTER, T_SUBMITTER1}, members[] = {0, 1};
	const uint32_t name = define_string(writer, "team");

	OTF2_GlobalDefWriter_WriteGroup(writer, 0, name, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, ranks);
	OTF2_GlobalDefWriter_WriteGroup(writer, 1, name, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, members);
	for (uint32_t i = 0; i < T_NR_COMMS; i++)
		OTF2_GlobalDefWriter_WriteComm(
			writer, i, name, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void define_regions(OTF2_GlobalDefWriter *writer)
{
	const uint32_t nothing = define_string(writer, "");

	for (uint32_t i = 0; i < T_FIRST_STATE + MEASURE_NR_WORKER_STATES; i++) {
		const bool is_state = i >= T_FIRST_STATE;
		const uint32_t name = define_string(
			writer, is_state ? states[i - T_FIRST_STATE].name : codelets[i]);
		const uint32_t canonical =
			is_state ? define_string(writer, states[i - T_FIRST_STATE].canonical)
				 : name;

		OTF2_GlobalDefWriter_WriteRegion(writer, i, name, canonical, nothing,
			i == T_OWN        ? OTF2_REGION_ROLE_ARTIFICIAL
			: i == T_TASKWAIT ? OTF2_REGION_ROLE_TASK_WAIT
			: i >= T_FUNCTION ? OTF2_REGION_ROLE_FUNCTION
					  : OTF2_REGION_ROLE_TASK,
			OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, nothing, 0, 0);
	}
}

static void define_words(OTF2_GlobalDefWriter *writer)
{
	for (uint32_t i = 0; i < T_NR_PARAMETERS; i++)
		OTF2_GlobalDefWriter_WriteParameter(writer, i, define_string(writer, parameters[i]),
			i == T_DATA_NAME ? OTF2_PARAMETER_TYPE_STRING : OTF2_PARAMETER_TYPE_UINT64);
	for (uint32_t i = 0; i < NR_ATTRIBUTES; i++)
		OTF2_GlobalDefWriter_WriteAttribute(writer, i,
			define_string(writer, attributes[i].name), 0, attributes[i].type);
}

/* ------------------------------------------------------------------ write and read --- */

void t_begin(void)
{
	has_workers = true;
	t_otf2_chunk_size = OTF2_CHUNK_SIZE_MIN; /* there are many archives */
	archive = t_otf2_begin(T_NR_LOCATIONS, t_on);
}

void t_begin_without_workers(void)
{
	t_begin();
	has_workers = false;
}

void t_write(void)
{
	uint64_t nr_events[T_NR_LOCATIONS];
	OTF2_GlobalDefWriter *writer;

	t_otf2_end_events(archive, T_NR_LOCATIONS, t_on, nr_events);
	OTF2_Archive_OpenDefFiles(archive);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
	OTF2_Archive_CloseDefFiles(archive);
	writer = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, UINT64_C(1) << 40, 0);
	nr_strings = 0;
	define_words(writer);
	define_locations(writer, nr_events);
	define_comms(writer);
	define_regions(writer);
	OTF2_Archive_CloseGlobalDefWriter(archive, writer);
	CU_ASSERT_EQUAL(OTF2_Archive_Close(archive), OTF2_SUCCESS);
	archive = NULL;
}

static void forget(void)
{
	if (!is_read)
		return;
	measure_tasks_free(&t_tasks);
	measure_trace_close(t_trace);
	measure_findings_free(&findings);
	is_read = false;
}

measure_status_t t_read_with(unsigned threads, bool is_as_declared)
{
	const struct measure_tasks_options options = {
		.nr_threads = threads, .is_as_declared = is_as_declared};

	if (archive)
		t_write();
	forget();
	findings = (struct measure_findings){.nr_kept_per_check = 1};
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(t_directory(), &findings, &t_trace), MEASURE_OK);
	is_read = true;
	return measure_tasks_read(t_trace, &options, &t_tasks);
}

void t_read(void)
{
	CU_ASSERT_EQUAL(t_read_with(1, false), MEASURE_OK);
}

void t_end(void)
{
	forget();
	t_otf2_remove();
}

const char *t_directory(void)
{
	return t_otf2_directory();
}

/* ------------------------------------------------------------------------- events --- */

uint32_t t_team(uint32_t location)
{
	return processes[location] ? T_TEAM1 : T_TEAM;
}

#define T_WRITE(Name, location, list, ...)                                                         \
	CU_ASSERT_EQUAL(OTF2_EvtWriter_##Name(t_on[location], list, __VA_ARGS__), OTF2_SUCCESS)

void t_create_with(uint32_t location, uint64_t time, uint32_t number, uint64_t codelet,
	uint64_t iteration, uint64_t tag, double flops)
{
	OTF2_AttributeList *list = OTF2_AttributeList_New();

	if (codelet != UINT64_MAX)
		OTF2_AttributeList_AddRegionRef(list, ATTRIBUTE_CODELET, (uint32_t)codelet);
	if (iteration != UINT64_MAX)
		OTF2_AttributeList_AddUint64(list, ATTRIBUTE_ITERATION, iteration);
	if (tag != UINT64_MAX)
		OTF2_AttributeList_AddUint64(list, ATTRIBUTE_TAG, tag);
	if (flops > 0)
		OTF2_AttributeList_AddDouble(list, ATTRIBUTE_FLOPS, flops);
	T_WRITE(ThreadTaskCreate, location, list, time, t_team(location), 0, number);
	OTF2_AttributeList_Delete(list);
}

void t_create(uint32_t location, uint64_t time, uint32_t number)
{
	T_WRITE(ThreadTaskCreate, location, NULL, time, t_team(location), 0, number);
}

void t_fact(uint32_t location, uint64_t time, enum t_parameter fact, uint64_t value)
{
	T_WRITE(ParameterUnsignedInt, location, NULL, time, fact, value);
}

void t_switch(uint32_t location, uint64_t time, uint32_t number)
{
	T_WRITE(ThreadTaskSwitch, location, NULL, time, t_team(location), 0, number);
}

void t_complete(uint32_t location, uint64_t time, uint32_t number)
{
	T_WRITE(ThreadTaskComplete, location, NULL, time, t_team(location), 0, number);
}

void t_enter(uint32_t location, uint64_t time, uint32_t region)
{
	T_WRITE(Enter, location, NULL, time, region);
}

void t_leave(uint32_t location, uint64_t time, uint32_t region)
{
	T_WRITE(Leave, location, NULL, time, region);
}

void t_run_region(uint32_t location, uint64_t start, uint64_t end, uint32_t number, uint32_t region)
{
	t_switch(location, start, number);
	t_enter(location, start, region);
	t_leave(location, end, region);
	t_complete(location, end, number);
	t_switch(location, end, 0);
}

void t_run(uint32_t location, uint64_t start, uint64_t end, uint32_t number)
{
	t_run_region(location, start, end, number, T_GEMM);
}

/* ------------------------------------------------------------------------ look at --- */

uint32_t t_task(uint32_t team, uint32_t number)
{
	const uint32_t index = measure_tasks_find(&t_tasks, team, 0, number);

	CU_ASSERT_NOT_EQUAL_FATAL(index, MEASURE_NONE);
	return index;
}

struct measure_task *t_find(uint32_t number)
{
	return &t_tasks.tasks[T_TASK(number)];
}

const struct measure_task_edge *t_edge(uint32_t task, uint32_t before)
{
	for (uint64_t e = t_tasks.first_edges[task]; e < t_tasks.first_edges[task + 1]; e++)
		if (t_tasks.edges[e].task == before)
			return &t_tasks.edges[e];
	return NULL;
}

uint64_t t_nr_edges(uint32_t task)
{
	return t_tasks.first_edges[task + 1] - t_tasks.first_edges[task];
}

void t_seed(uint64_t seed)
{
	random_state = seed;
}

uint64_t t_random(uint64_t limit)
{
	return measure_random(&random_state) % limit;
}
