/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: of an event file that ends anywhere, in any chunk, exactly the events are read that
 * are whole in it. */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include <otf2/otf2.h>

#include "made_archive.h"
#include "trace/stream/stream.h"
#include "trace/archive/trace.h"
#include "../t_suite.h"

/* Of each event: a time, and an Enter of a region below 256 or a Leave. */
enum {
	CHUNK = OTF2_CHUNK_SIZE_MIN,
	HEADER = 18,
	RECORD = 12,
	END_MARKS = 2,
	NR = 60000,
	START = 1000
};

static OTF2_FlushType flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static void write_definitions(OTF2_Archive *archive)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);

	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, START, 2 * NR, 0);
	OTF2_GlobalDefWriter_WriteString(writer, 0, "");
	OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteLocationGroup(
		writer, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	for (uint64_t id = 0; id < 2; id++)
		OTF2_GlobalDefWriter_WriteLocation(
			writer, id, 0, OTF2_LOCATION_TYPE_CPU_THREAD, NR, 0);
	OTF2_GlobalDefWriter_WriteRegion(writer, 1, 0, 0, 0, OTF2_REGION_ROLE_FUNCTION,
		OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
	OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

static void write_archive(const char *directory)
{
	static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
	OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, CHUNK,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	for (uint64_t id = 0; id < 2; id++) {
		OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, id);

		for (uint64_t i = 0; i < NR; i++)
			if (i % 2)
				OTF2_EvtWriter_Leave(writer, NULL, START + i, 1);
			else
				OTF2_EvtWriter_Enter(writer, NULL, START + i, 1);
		OTF2_Archive_CloseEvtWriter(archive, writer);
	}
	OTF2_Archive_CloseEvtFiles(archive);
	write_definitions(archive);
	OTF2_Archive_Close(archive);
}

struct seen {
	uint64_t nr, nr_wrong;
};

static void note(void *data, const struct measure_event *event)
{
	struct seen *seen = data;

	seen->nr_wrong += event->raw != START + seen->nr || event->ref != 0 ||
			  event->kind != (seen->nr % 2 ? MEASURE_EVENT_LEAVE : MEASURE_EVENT_ENTER);
	seen->nr++;
}

/* Of both locations, the second one is cut; what the first one has left in memory is no event of
 * it. */
static void read_both(const char *directory, struct seen seen[2], measure_status_t status[2])
{
	struct measure_findings findings = {.nr_kept_per_check = 1};
	struct measure_trace *trace;
	uint64_t nr_read;

	CU_ASSERT_EQUAL_FATAL(measure_trace_open(directory, &findings, &trace), MEASURE_OK);
	for (uint32_t i = 0; i < 2; i++) {
		seen[i] = (struct seen){0, 0};
		status[i] = measure_stream_read(trace, i, note, &seen[i], &nr_read);
		CU_ASSERT_EQUAL(nr_read, seen[i].nr);
		CU_ASSERT_EQUAL(trace->definitions.locations[i].is_broken, status[i] != MEASURE_OK);
	}
	measure_trace_close(trace);
	measure_findings_free(&findings);
}

static uint64_t nr_within(uint64_t size, uint64_t nr_per_chunk)
{
	uint64_t nr = size % CHUNK > HEADER ? (size % CHUNK - HEADER) / RECORD : 0;

	if (nr > nr_per_chunk)
		nr = nr_per_chunk;
	nr += size / CHUNK * nr_per_chunk;
	return nr < NR ? nr : NR;
}

static void cut(const char *directory, const char *file, uint64_t size)
{
	/* the last record of a chunk has a byte behind it at least */
	const uint64_t nr_per_chunk = (CHUNK - HEADER - 1) / RECORD;
	measure_status_t status[2];
	struct seen seen[2];

	CU_ASSERT_EQUAL_FATAL(truncate(file, (off_t)size), 0);
	read_both(directory, seen, status);
	CU_ASSERT_EQUAL(status[0], MEASURE_OK);
	CU_ASSERT_EQUAL(seen[0].nr, NR);
	CU_ASSERT_EQUAL(status[1], MEASURE_ERROR_FORMAT);
	CU_ASSERT_EQUAL(seen[1].nr, nr_within(size, nr_per_chunk));
	CU_ASSERT_EQUAL(seen[0].nr_wrong + seen[1].nr_wrong, 0);
}

static void test_cuts(void)
{
	const uint64_t nr_per_chunk = (CHUNK - HEADER - 1) / RECORD;
	const uint64_t nr_chunks = (NR + nr_per_chunk - 1) / nr_per_chunk;
	const uint64_t size = (nr_chunks - 1) * CHUNK + HEADER +
			      (NR - (nr_chunks - 1) * nr_per_chunk) * RECORD + END_MARKS;
	const char *directory = t_directory();
	char file[200];

	write_archive(directory);
	snprintf(file, sizeof(file), "%s/traces/1.evt", directory);
	CU_ASSERT_TRUE(nr_chunks > 2);
	/* Without the second end mark it is whole. */
	for (uint64_t i = size - END_MARKS; i > size - 30; i--)
		cut(directory, file, i);
	for (uint64_t chunk = nr_chunks - 1; chunk > 0; chunk--)
		for (uint64_t i = chunk * CHUNK + 30; i > chunk * CHUNK - 30; i--)
			cut(directory, file, i);
	for (uint64_t i = 60; i > 0; i--)
		cut(directory, file, i);
	cut(directory, file, 0);
}

static void test_whole(void)
{
	const char *directory = t_directory();
	measure_status_t status[2];
	struct seen seen[2];

	write_archive(directory);
	read_both(directory, seen, status);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(status[i], MEASURE_OK);
		CU_ASSERT_EQUAL(seen[i].nr, NR);
		CU_ASSERT_EQUAL(seen[i].nr_wrong, 0);
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"whole", test_whole},
		{"cut", test_cuts},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("cut", NULL, NULL, tests);

	t_clean();
	return failed;
}
