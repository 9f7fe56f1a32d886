/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The floor of an event: read the counter and let OTF2 write an Enter or Leave into memory that is
 * mapped and touched already. No file is written. Prints "floor_ns MEDIAN"; and "message_floor_ns
 * MEDIAN", the same for what lies on the way of an MPI message: two reads, and Enter, MpiSend,
 * MpiRecv, Leave. */
#include "config.h"

#include <otf2/otf2.h>
#include <sys/mman.h>

#include "bench.h"
#include "clock/clock_inline.h"

enum {
	BATCHES = 151,
	PAIRS_PER_BATCH = 10000,
	MESSAGES_PER_BATCH = 5000,
	CHUNK_SIZE = 1 << 20,
	MEMORY_SIZE = 96 << 20 /* > 12 bytes for each event of all batches, 44 for each message */
};

struct floor_memory {
	char *begin;
	size_t used;
};

static OTF2_FlushType no_flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_NO_FLUSH;
}

static void *allocate(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void **buffer, uint64_t size)
{
	struct floor_memory *memory = data;
	void *chunk = memory->begin + memory->used;

	(void)type, (void)location, (void)buffer;
	if (memory->used + size > MEMORY_SIZE)
		return NULL;
	memory->used += size;
	return chunk;
}

static void free_all(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void **buffer, bool final)
{
	(void)data, (void)type, (void)location, (void)buffer, (void)final;
}

static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = no_flush };
static const OTF2_MemoryCallbacks memory_callbacks = {
	.otf2_allocate = allocate, .otf2_free_all = free_all};

static OTF2_EvtWriter *writer_open(struct floor_memory *memory)
{
	OTF2_Archive *archive = OTF2_Archive_Open("floor", "traces", OTF2_FILEMODE_WRITE,
		CHUNK_SIZE, OTF2_UNDEFINED_UINT64, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);

	if (!archive)
		return NULL;
	OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL);
	OTF2_Archive_SetMemoryCallbacks(archive, &memory_callbacks, memory);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	return OTF2_Archive_GetEvtWriter(archive, 0);
}

/* Nanoseconds per event; negative if OTF2 refuses one. */
static double batch(OTF2_EvtWriter *writer)
{
	int refused = 0;
	uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++) {
		refused |= OTF2_EvtWriter_Enter(writer, NULL, measure_counter_read(), 7) !=
			   OTF2_SUCCESS;
		refused |= OTF2_EvtWriter_Leave(writer, NULL, measure_counter_read(), 7) !=
			   OTF2_SUCCESS;
	}
	return refused ? -1 : (double)(bench_now() - begin) / (2.0 * PAIRS_PER_BATCH);
}

/* Nanoseconds per message. */
static double message_batch(OTF2_EvtWriter *writer)
{
	int refused = 0;
	uint64_t begin = bench_now();

	for (int i = 0; i < MESSAGES_PER_BATCH; i++) {
		uint64_t now = measure_counter_read();

		refused |= OTF2_EvtWriter_Enter(writer, NULL, now, 7) != OTF2_SUCCESS;
		refused |= OTF2_EvtWriter_MpiSend(writer, NULL, now, 1, 0, 0, 16) != OTF2_SUCCESS;
		now = measure_counter_read();
		refused |= OTF2_EvtWriter_MpiRecv(writer, NULL, now, 1, 0, 0, 16) != OTF2_SUCCESS;
		refused |= OTF2_EvtWriter_Leave(writer, NULL, now, 8) != OTF2_SUCCESS;
	}
	return refused ? -1 : (double)(bench_now() - begin) / MESSAGES_PER_BATCH;
}

static bool measure_batches(
	const char *key, double (*run)(OTF2_EvtWriter *writer), OTF2_EvtWriter *writer)
{
	double values[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		values[i] = run(writer);
		if (values[i] < 0)
			return false;
	}
	printf("%s %.2f\n", key, bench_median(values, BATCHES));
	return true;
}

int main(void)
{
	struct floor_memory memory = { 0 };
	OTF2_EvtWriter *writer;

	memory.begin =
		mmap(NULL, MEMORY_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory.begin == MAP_FAILED)
		return 1;
	memset(memory.begin, 1, MEMORY_SIZE);
	bench_pin();
	writer = writer_open(&memory);
	if (!writer)
		return 1;
	if (!measure_batches("floor_ns", batch, writer) ||
		!measure_batches("message_floor_ns", message_batch, writer))
		return 1;
	return 0;
}
