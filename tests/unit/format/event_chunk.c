/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: event chunks that OTF2 wrote into recycled memory are cut at any event, sealed,
 * continued with a tail, and read back by OTF2; copied without some of their events. */
#include "config.h"

#include <fcntl.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/event_chunk.h"
#include "assemble/align/cut_copy.h"
#include "assemble/write/otf2_error.h"
#include "assemble/close/tail.h"
#include "t_archive.h"
#include "../t_suite.h"

#define CHUNK	  (256 * 1024)
#define MAX_CHUNKS 16
#define NR_EVENTS 60000

static uint8_t *memory[MAX_CHUNKS];
static uint32_t nr_memory;
static char directory[64];

static OTF2_FlushType never(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_NO_FLUSH;
}

/* Memory as a recycled chunk has it: full of another location's records. */
static void *allocate(void *context, OTF2_FileType type, OTF2_LocationRef location, void **data,
	uint64_t size)
{
	static const uint8_t old[] = {5, 1, 2, 3, 4, 5, 6, 7, 8, 12, 1, 9, 13, 1, 9};

	(void)context, (void)location, (void)data;
	if (type != OTF2_FILETYPE_EVENTS)
		return malloc(size);
	uint8_t *chunk = malloc(size);
	for (uint64_t i = 0; i < size; i++)
		chunk[i] = old[i % sizeof(old)];
	return memory[nr_memory++] = chunk;
}

static void release(void *context, OTF2_FileType type, OTF2_LocationRef location, void **data,
	bool is_final)
{
	(void)context, (void)type, (void)location, (void)data, (void)is_final;
}

static void t_write_one(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes, uint64_t i)
{
	uint64_t time = 1000 + i / 3 * 7; /* some events share a time */

	switch (i % 11) {
	case 0:
		OTF2_EvtWriter_MpiSend(writer, NULL, time, 1, 0, UINT32_MAX, i);
		break;
	case 1:
		OTF2_EvtWriter_MpiIsendComplete(writer, NULL, time, i % 2 ? UINT64_MAX : i);
		break;
	case 2:
		OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time);
		break;
	case 3:
		OTF2_AttributeList_AddUint64(attributes, 0, i);
		OTF2_EvtWriter_MpiRecv(writer, attributes, time, 0, 0, 5, i);
		break;
	case 4:
		for (uint32_t k = 0; k < 40; k++)
			OTF2_AttributeList_AddUint64(attributes, k, UINT64_MAX / 2);
		OTF2_EvtWriter_Enter(writer, attributes, time, 7);
		break;
	default:
		if (i % 2)
			OTF2_EvtWriter_Enter(writer, NULL, time, (uint32_t)(i * 40503));
		else
			OTF2_EvtWriter_Leave(writer, NULL, time, (uint32_t)(i * 40503));
	}
}

static int t_write_chunks(void)
{
	OTF2_FlushCallbacks flush = {never, NULL};
	OTF2_MemoryCallbacks allocator = {allocate, release};
	OTF2_Archive *archive = OTF2_Archive_Open("/nowhere", "x", OTF2_FILEMODE_WRITE, CHUNK,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);

	OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
	OTF2_Archive_SetMemoryCallbacks(archive, &allocator, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, 0);
	OTF2_AttributeList *attributes = OTF2_AttributeList_New();
	for (uint64_t i = 0; i < NR_EVENTS; i++)
		t_write_one(writer, attributes, i);
	OTF2_AttributeList_Delete(attributes);
	strcpy(directory, "/tmp/measure-chunk-XXXXXX");
	return mkdtemp(directory) ? 0 : 1; /* the writer is abandoned, as by a dead process */
}

static int t_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

static void note(void *context, const struct measure_chunk_event *event)
{
	uint64_t *expected = context;

	CU_ASSERT_EQUAL(event->ordinal, ++*expected);
	CU_ASSERT_EQUAL(event->time, 1000 + (event->ordinal - 1) / 3 * 7);
}

static void test_walk(void)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; i < nr_memory; i++) {
		struct measure_chunk_walk walk;
		bool is_last = i + 1 == nr_memory;
		uint64_t until = is_last ? NR_EVENTS : UINT64_MAX;

		CU_ASSERT_EQUAL(measure_chunk_walk(memory[i], CHUNK, until, note, &nr, &walk),
			MEASURE_OK);
		CU_ASSERT_EQUAL(walk.last_event, nr);
	}
	CU_ASSERT_EQUAL(nr, NR_EVENTS);
	CU_ASSERT(nr_memory > 3);
}

/* Chunk that holds event `nr`. */
static uint32_t t_chunk_of(uint64_t nr)
{
	struct measure_chunk_header header = {0};
	uint32_t i = nr_memory;

	while (i-- > 1) {
		measure_chunk_header_read(memory[i], CHUNK, &header);
		if (header.first_event <= nr)
			break;
	}
	return i;
}

/* Every cut: the walk ends where the one to the event before ended, plus one record. */
static void test_every_cut(void)
{
	size_t end_before = 0;
	uint32_t chunk_before = UINT32_MAX;
	int nr_wrong = 0;

	for (uint64_t nr = 1; nr <= NR_EVENTS; nr += nr < 300 || nr > NR_EVENTS - 300 ? 1 : 97) {
		struct measure_chunk_walk walk;
		uint32_t chunk = t_chunk_of(nr);

		nr_wrong += measure_chunk_walk(memory[chunk], CHUNK, nr, NULL, NULL, &walk) !=
				    MEASURE_OK ||
			    walk.last_event != nr ||
			    (chunk == chunk_before && walk.end <= end_before);
		end_before = walk.end;
		chunk_before = chunk;
	}
	CU_ASSERT_EQUAL(nr_wrong, 0);
}

/* Writes the chunks up to the last one, sealed at `nr` events, and reads the archive back. */
static void t_read_cut(uint64_t nr)
{
	struct measure_chunk_walk walk;
	struct t_events events;
	char name[128];
	uint32_t last = t_chunk_of(nr);
	uint8_t *copy = malloc(CHUNK);

	snprintf(name, sizeof(name), "%s/%llu", directory, (unsigned long long)nr);
	CU_ASSERT_EQUAL_FATAL(t_archive_make(name, CHUNK, nr), 0);
	char file[160];
	snprintf(file, sizeof(file), "%s/traces/0.evt", name);
	int fd = open(file, O_WRONLY | O_TRUNC);
	for (uint32_t i = 0; i < last; i++)
		CU_ASSERT_EQUAL(write(fd, memory[i], CHUNK), CHUNK);

	memcpy(copy, memory[last], CHUNK);
	CU_ASSERT_EQUAL(measure_chunk_walk(copy, CHUNK, nr, NULL, NULL, &walk), MEASURE_OK);
	size_t size = measure_chunk_seal(copy, CHUNK, walk.end, nr, true);
	CU_ASSERT_EQUAL(write(fd, copy, size), (ssize_t)size);
	close(fd);
	free(copy);

	CU_ASSERT_EQUAL(t_archive_read(name, 0, &events), 0);
	CU_ASSERT_EQUAL(events.nr, nr);
	CU_ASSERT_EQUAL(events.last_time, 1000 + (nr - 1) / 3 * 7);
	CU_ASSERT_EQUAL(events.nr_backwards, 0);
}

static void test_read_back(void)
{
	struct measure_chunk_header header = {0};

	measure_chunk_header_read(memory[1], CHUNK, &header);
	for (uint64_t nr = header.first_event - 2; nr < header.first_event + 3; nr++)
		t_read_cut(nr);
	t_read_cut(1);
	t_read_cut(NR_EVENTS / 2);
	t_read_cut(NR_EVENTS);
}

/* Numbers of events without those of `removed`, so far. */
struct t_left {
	const struct measure_removed_events *removed;
	uint64_t nr, original;
	size_t next;
	int nr_wrong;
};

static void check_left(void *context, const struct measure_chunk_event *event)
{
	struct t_left *left = context;

	for (left->original++; left->next < left->removed->nr &&
			       left->removed->items[left->next] == left->original;
		left->next++)
		left->original++;
	left->nr_wrong += event->ordinal != ++left->nr ||
			  event->time != 1000 + (left->original - 1) / 3 * 7 ||
			  (left->original % 11 == 1) != (event->type == MEASURE_OTF2_MPI_SEND);
}

/* Event files of all chunks, and of these without some events. */
static void t_copy(const char *name, struct measure_removed_events removed, uint64_t *size)
{
	const uint64_t nr = NR_EVENTS - removed.nr;
	struct t_left left = {.removed = &removed};
	struct measure_chunk_walk walk;
	uint8_t *copy = malloc(CHUNK);
	char from_name[160], to_name[160];

	CU_ASSERT_EQUAL_FATAL(t_archive_make(name, CHUNK, nr), 0);
	snprintf(from_name, sizeof(from_name), "%s/whole", name);
	snprintf(to_name, sizeof(to_name), "%s/traces/0.evt", name);
	int from = open(from_name, O_RDWR | O_CREAT, 0666);
	int to = open(to_name, O_RDWR | O_TRUNC);
	for (uint32_t i = 0; i + 1 < nr_memory; i++)
		CU_ASSERT_EQUAL(write(from, memory[i], CHUNK), CHUNK);
	memcpy(copy, memory[nr_memory - 1], CHUNK);
	measure_chunk_walk(copy, CHUNK, NR_EVENTS, NULL, NULL, &walk);
	ssize_t last = (ssize_t)measure_chunk_seal(copy, CHUNK, walk.end, NR_EVENTS, true);
	CU_ASSERT_EQUAL(write(from, copy, (size_t)last), last);

	CU_ASSERT_EQUAL(measure_cut_copy(from, to, CHUNK, removed), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_cut_copy_size(from, CHUNK, removed, size), MEASURE_OK);
	CU_ASSERT_EQUAL((uint64_t)lseek(to, 0, SEEK_END), *size);
	for (uint32_t i = 0; i < nr_memory; i++) {
		const ssize_t got = pread(to, copy, CHUNK, (off_t)i * CHUNK);

		CU_ASSERT_EQUAL(
			measure_chunk_walk(copy, (size_t)got, UINT64_MAX, check_left, &left, &walk),
			MEASURE_OK);
	}
	CU_ASSERT_EQUAL(left.nr, nr);
	CU_ASSERT_EQUAL(left.nr_wrong, 0);
	close(from);
	close(to);
	free(copy);
}

/* Every so many, and runs of them; or all but some. */
static bool is_left_out(uint64_t nr, uint64_t kind)
{
	if (kind == 0)
		return nr % 7 == 3 || nr % 1000 < 30 || nr > NR_EVENTS - 5;
	return kind == 1 ? nr % 500 != 0 : nr == NR_EVENTS / 2;
}

static void test_copy(void)
{
	uint64_t *numbers = malloc(NR_EVENTS * sizeof(*numbers));

	for (uint64_t kind = 0; kind < 4; kind++) {
		struct measure_removed_events removed = {numbers, 0};
		struct t_events events;
		char name[128];
		uint64_t size;

		for (uint64_t nr = 1; nr <= NR_EVENTS && kind < 3; nr++)
			if (is_left_out(nr, kind))
				numbers[removed.nr++] = nr;
		snprintf(name, sizeof(name), "%s/copy%llu", directory, (unsigned long long)kind);
		t_copy(name, removed, &size);
		CU_ASSERT_EQUAL(t_archive_read(name, 0, &events), 0);
		CU_ASSERT_EQUAL(events.nr, NR_EVENTS - removed.nr);
		CU_ASSERT_EQUAL(events.nr_backwards, 0);
	}
	free(numbers);
}

/* No bytes lead a walk out of the chunk (under ASAN this means something). */
static void test_garbage(void)
{
	struct measure_chunk_walk walk;
	uint32_t seed = 1;

	for (int round = 0; round < 2000; round++) {
		size_t size = MEASURE_CHUNK_HEADER + seed % 200;
		uint8_t *bytes = malloc(size);
		memcpy(bytes, memory[0], MEASURE_CHUNK_HEADER);
		for (size_t i = MEASURE_CHUNK_HEADER; i < size; i++) {
			seed = seed * 1664525 + 1013904223;
			bytes[i] = (uint8_t)(seed >> 24) % (round % 2 ? 14 : 255);
		}
		measure_chunk_walk(bytes, size, UINT64_MAX, NULL, NULL, &walk);
		CU_ASSERT(walk.end <= size);
		free(bytes);
	}
	CU_ASSERT_EQUAL(measure_chunk_walk(memory[0], 17, 1, NULL, NULL, &walk),
		MEASURE_ERROR_FORMAT);
}

static void test_tail(void)
{
	struct measure_tail_writer *writer = NULL;
	struct measure_tail_chunks chunks;
	struct measure_chunk_walk walk;
	uint32_t nr = 200000;
	uint32_t *regions = malloc(nr * sizeof(*regions));

	for (uint32_t i = 0; i < nr; i++)
		regions[i] = i;
	CU_ASSERT_EQUAL_FATAL(measure_tail_open(CHUNK, &writer), MEASURE_OK);
	struct measure_tail tail = {.regions = regions,
		.nr_regions = nr,
		.leave_time = 99,
		.has_program_end = true,
		.end_time = 100,
		.exit_status = 3};
	CU_ASSERT_EQUAL(measure_tail_write(writer, &tail, &chunks), MEASURE_OK);
	CU_ASSERT_EQUAL(chunks.nr_events, nr + 1);
	CU_ASSERT(chunks.nr_chunks > 2);
	measure_chunk_walk(chunks.chunks[chunks.nr_chunks - 1], CHUNK, UINT64_MAX, NULL, NULL,
		&walk);
	CU_ASSERT_EQUAL(walk.last_event, nr + 1);
	CU_ASSERT_EQUAL(walk.last_time, 100);

	struct measure_tail nothing = {.nr_regions = 0};
	CU_ASSERT_EQUAL(measure_tail_write(writer, &nothing, &chunks), MEASURE_OK);
	CU_ASSERT_EQUAL(chunks.nr_events, 0);
	CU_ASSERT_EQUAL(chunks.nr_chunks, 1);
	measure_tail_close(writer);
	free(regions);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"walk", test_walk},
		{"every cut", test_every_cut},
		{"read back", test_read_back},
		{"copy", test_copy},
		{"garbage", test_garbage},
		{"tail", test_tail},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("chunk", t_write_chunks, t_remove, tests);
}
