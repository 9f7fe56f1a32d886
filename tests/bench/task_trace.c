/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the archive of a program of tasks that read three tiles of a matrix and update a fourth
 * one, as its run-time would record it: each begins when its tiles are free, on the worker that is
 * free first. Usage: task_trace DIRECTORY TASKS WORKERS. */
#include "config.h"

#include <otf2/otf2.h>

#include "base/hash.h"
#include "bench.h"

#define NR_TILES     20000
#define MOST_WORKERS 64
#define NR_CODELETS  4
#define CREATION     300 /* nanoseconds between two of them */

enum parameter {
#define TASK_FACT(NAME, parameter) P_##NAME,
#include "task_vocabulary.def"
#define DATA_FACT(NAME, parameter) P_DATA_##NAME,
#define DATA_TEXT(NAME, parameter) P_DATA_##NAME,
#include "task_vocabulary.def"
	NR_PARAMETERS
};

enum attribute {
#define TASK_ATTRIBUTE(NAME, ...) A_##NAME,
#include "task_vocabulary.def"
	NR_ATTRIBUTES
};

static const char *const parameters[NR_PARAMETERS] = {
#define TASK_FACT(NAME, parameter) parameter,
#include "task_vocabulary.def"
#define DATA_FACT(NAME, parameter) parameter,
#define DATA_TEXT(NAME, parameter) parameter,
#include "task_vocabulary.def"
};

static const struct {
	const char *name;
	OTF2_Type type;
} attributes[NR_ATTRIBUTES] = {
#define TASK_ATTRIBUTE(NAME, attribute, description, type) {attribute, OTF2_TYPE_##type},
#include "task_vocabulary.def"
};

/* When the last task that wrote it, and the last one that read it, have ended. */
static struct tile {
	uint64_t written, read;
} tiles[NR_TILES];

static struct worker {
	OTF2_EvtWriter *writer;
	uint64_t time;
} workers[MOST_WORKERS];
static uint32_t nr_workers, nr_strings;
static OTF2_EvtWriter *submitter;
static uint64_t random_state = 1;

/* -------------------------------------------------------------------------- tasks --- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void create(uint64_t time, uint32_t number, uint32_t codelet, const uint32_t used[4])
{
	OTF2_AttributeList *list = OTF2_AttributeList_New();

	OTF2_AttributeList_AddRegionRef(list, A_CODELET, codelet);
	OTF2_AttributeList_AddUint64(list, A_ITERATION, number / 100000);
	OTF2_AttributeList_AddDouble(list, A_FLOPS, 1e6);
	OTF2_EvtWriter_ThreadTaskCreate(submitter, list, time, 0, 0, number);
	OTF2_AttributeList_Delete(list);
	OTF2_EvtWriter_ParameterUnsignedInt(submitter, NULL, time, P_PRIORITY, number % 7 + 1);
	for (int i = 0; i < 4; i++)
		OTF2_EvtWriter_ParameterUnsignedInt(
			submitter, NULL, time, i < 3 ? P_ACCESS_IN : P_ACCESS_INOUT, used[i] + 1);
}

static struct worker *find_free(void)
{
	struct worker *best = &workers[0];

	for (uint32_t i = 1; i < nr_workers; i++)
		if (workers[i].time < best->time)
			best = &workers[i];
	return best;
}

static void execute(
	uint64_t ready, uint64_t duration, uint32_t number, uint32_t codelet, struct worker *worker)
{
	const uint64_t start = later(worker->time, ready);

	OTF2_EvtWriter_ParameterUnsignedInt(worker->writer, NULL, start, P_READY, number);
	OTF2_EvtWriter_ThreadTaskSwitch(worker->writer, NULL, start, 0, 0, number);
	OTF2_EvtWriter_Enter(worker->writer, NULL, start, codelet);
	worker->time = start + duration;
	OTF2_EvtWriter_Leave(worker->writer, NULL, worker->time, codelet);
	OTF2_EvtWriter_ThreadTaskComplete(worker->writer, NULL, worker->time, 0, 0, number);
	OTF2_EvtWriter_ThreadTaskSwitch(worker->writer, NULL, worker->time, 0, 0, 0);
}

static void make_task(uint32_t number)
{
	const uint64_t time = (uint64_t)number * CREATION;
	const uint32_t codelet = (uint32_t)(measure_random(&random_state) % NR_CODELETS);
	const uint64_t duration = 2000 + 500 * codelet + measure_random(&random_state) % 1000;
	uint64_t ready = time;
	uint32_t used[4];
	struct worker *worker;

	for (int i = 0; i < 4; i++) {
		used[i] = (uint32_t)(measure_random(&random_state) % NR_TILES);
		ready = later(ready, tiles[used[i]].written);
	}
	ready = later(ready, tiles[used[3]].read);
	create(time, number, codelet, used);
	worker = find_free();
	execute(ready, duration, number, codelet, worker);
	for (int i = 0; i < 3; i++)
		tiles[used[i]].read = later(tiles[used[i]].read, worker->time);
	tiles[used[3]].written = worker->time;
}

/* -------------------------------------------------------------------- definitions --- */

static uint32_t define_string(OTF2_GlobalDefWriter *writer, const char *text)
{
	OTF2_GlobalDefWriter_WriteString(writer, nr_strings, text);
	return nr_strings++;
}

static void define_locations(OTF2_GlobalDefWriter *writer, const uint64_t *nr_events)
{
	const uint32_t name = define_string(writer, "thread"), class = define_string(writer, "CPU");
	const uint32_t property = define_string(writer, "MEASURE::WORKER"),
		       of_class = define_string(writer, "MEASURE::WORKER_CLASS");

	OTF2_GlobalDefWriter_WriteSystemTreeNode(
		writer, 0, name, name, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
		0, OTF2_UNDEFINED_LOCATION_GROUP);
	for (uint32_t i = 0; i <= nr_workers; i++)
		OTF2_GlobalDefWriter_WriteLocation(
			writer, i, name, OTF2_LOCATION_TYPE_CPU_THREAD, nr_events[i], 0);
	for (uint32_t i = 1; i <= nr_workers; i++) {
		OTF2_GlobalDefWriter_WriteLocationProperty(writer, i, property, OTF2_TYPE_UINT32,
			(OTF2_AttributeValue){.uint32 = i - 1});
		OTF2_GlobalDefWriter_WriteLocationProperty(writer, i, of_class, OTF2_TYPE_STRING,
			(OTF2_AttributeValue){.stringRef = class});
	}
}

static void define_team(OTF2_GlobalDefWriter *writer)
{
	const uint32_t name = define_string(writer, "team");
	uint64_t members[MOST_WORKERS + 1];

	for (uint32_t i = 0; i <= nr_workers; i++)
		members[i] = i;
	OTF2_GlobalDefWriter_WriteGroup(writer, 0, name, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_USER, OTF2_GROUP_FLAG_NONE, nr_workers + 1, members);
	OTF2_GlobalDefWriter_WriteGroup(writer, 1, name, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_USER, OTF2_GROUP_FLAG_NONE, nr_workers + 1, members);
	OTF2_GlobalDefWriter_WriteComm(
		writer, 0, name, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void define(OTF2_GlobalDefWriter *writer, const uint64_t *nr_events, uint64_t length)
{
	char codelet[] = "codelet 0";

	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, length, 0);
	for (uint32_t i = 0; i < NR_PARAMETERS; i++)
		OTF2_GlobalDefWriter_WriteParameter(writer, i, define_string(writer, parameters[i]),
			i == P_DATA_NAME ? OTF2_PARAMETER_TYPE_STRING : OTF2_PARAMETER_TYPE_UINT64);
	for (uint32_t i = 0; i < NR_ATTRIBUTES; i++)
		OTF2_GlobalDefWriter_WriteAttribute(writer, i,
			define_string(writer, attributes[i].name), 0, attributes[i].type);
	define_locations(writer, nr_events);
	define_team(writer);
	for (uint32_t i = 0; i < NR_CODELETS; i++) {
		uint32_t name;

		codelet[sizeof(codelet) - 2] = (char)('0' + i);
		name = define_string(writer, codelet);
		OTF2_GlobalDefWriter_WriteRegion(writer, i, name, name, 0, OTF2_REGION_ROLE_TASK,
			OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
	}
}

/* ------------------------------------------------------------------------ archive --- */

static OTF2_FlushType flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static void register_tiles(void)
{
	for (uint32_t i = 0; i < NR_TILES; i++) {
		OTF2_EvtWriter_ParameterUnsignedInt(submitter, NULL, 0, P_DATA_REGISTER, i + 1);
		OTF2_EvtWriter_ParameterUnsignedInt(submitter, NULL, 0, P_DATA_BYTES, 1 << 20);
		OTF2_EvtWriter_ParameterUnsignedInt(submitter, NULL, 0, P_DATA_COORDINATE, i);
	}
}

static void close_files(OTF2_Archive *archive, uint64_t length)
{
	uint64_t nr_events[MOST_WORKERS + 1];

	for (uint32_t i = 0; i <= nr_workers; i++) {
		OTF2_EvtWriter *writer = i ? workers[i - 1].writer : submitter;

		OTF2_EvtWriter_GetNumberOfEvents(writer, &nr_events[i]);
		OTF2_Archive_CloseEvtWriter(archive, writer);
	}
	OTF2_Archive_CloseEvtFiles(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (uint32_t i = 0; i <= nr_workers; i++)
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
	OTF2_Archive_CloseDefFiles(archive);
	define(OTF2_Archive_GetGlobalDefWriter(archive), nr_events, length);
	OTF2_Archive_Close(archive);
}

int main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
	const uint32_t nr_tasks = argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	OTF2_Archive *archive;
	uint64_t length = 0;

	nr_workers = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
	if (nr_tasks == 0 || nr_workers == 0 || nr_workers > MOST_WORKERS)
		return 2;
	archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1024 * 1024,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!archive)
		return 2;
	OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	submitter = OTF2_Archive_GetEvtWriter(archive, 0);
	for (uint32_t i = 0; i < nr_workers; i++)
		workers[i].writer = OTF2_Archive_GetEvtWriter(archive, i + 1);
	register_tiles();
	for (uint32_t i = 1; i <= nr_tasks; i++)
		make_task(i);
	for (uint32_t i = 0; i < nr_workers; i++)
		length = later(length, workers[i].time);
	close_files(archive, length);
	return 0;
}
