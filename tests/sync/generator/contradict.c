/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes an archive that cannot be: contradict RANKS THREADS ROUNDS DIRECTORY. In each round every
 * rank receives from the one before it, and only then sends to the next one. The sends of odd
 * rounds are on the last thread: there it is threads that share no clock. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <otf2/otf2.h>

#define RESOLUTION 1000000000
#define ROUND      10000
#define BYTES      8

enum { NAME, NODE, PROCESS, THREAD, COMM, NR_STRINGS };

static const char *const strings[NR_STRINGS] = {"", "node", "process", "thread", "world"};

static uint32_t nr_ranks, nr_threads, nr_rounds;

static OTF2_FlushType always_flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = {always_flush, NULL};

static void write_thread(OTF2_Archive *archive, uint32_t rank, uint32_t thread)
{
	OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, rank * nr_threads + thread);
	const uint32_t before = (rank + nr_ranks - 1) % nr_ranks, after = (rank + 1) % nr_ranks;

	for (uint32_t round = 0; round < nr_rounds; round++) {
		/* Each rank's clock is somewhat different. */
		const uint64_t time = (uint64_t)(round + 1) * ROUND + rank * 7;

		if (thread == 0)
			OTF2_EvtWriter_MpiRecv(writer, NULL, time, before, 0, round, BYTES);
		if (thread == (round % 2 ? nr_threads - 1 : 0))
			OTF2_EvtWriter_MpiSend(writer, NULL, time + 100, after, 0, round, BYTES);
	}
	OTF2_Archive_CloseEvtWriter(archive, writer);
}

static void write_definitions(OTF2_Archive *archive)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
	uint64_t *members = calloc(nr_ranks, sizeof(*members));

	if (!members)
		exit(2);
	OTF2_GlobalDefWriter_WriteClockProperties(
		writer, RESOLUTION, 0, (uint64_t)(nr_rounds + 2) * ROUND, 1);
	for (uint32_t i = 0; i < NR_STRINGS; i++)
		OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]);
	for (uint32_t i = 0; i < 2; i++)
		OTF2_GlobalDefWriter_WriteSystemTreeNode(
			writer, i, NODE, NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t i = 0; i < nr_ranks; i++) {
		OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, PROCESS,
			OTF2_LOCATION_GROUP_TYPE_PROCESS, i % 2, OTF2_UNDEFINED_LOCATION_GROUP);
		for (uint32_t t = 0; t < nr_threads; t++)
			OTF2_GlobalDefWriter_WriteLocation(writer, i * nr_threads + t, THREAD,
				OTF2_LOCATION_TYPE_CPU_THREAD, 2 * nr_rounds, i);
		members[i] = i * nr_threads;
	}
	OTF2_GlobalDefWriter_WriteGroup(writer, 0, NAME, OTF2_GROUP_TYPE_COMM_LOCATIONS,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, nr_ranks, members);
	for (uint32_t i = 0; i < nr_ranks; i++)
		members[i] = i;
	OTF2_GlobalDefWriter_WriteGroup(writer, 1, NAME, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, nr_ranks, members);
	OTF2_GlobalDefWriter_WriteComm(
		writer, 0, COMM, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	OTF2_Archive_CloseGlobalDefWriter(archive, writer);
	free(members);
}

int main(int argc, char **argv)
{
	OTF2_Archive *archive;

	if (argc != 5)
		return 2;
	nr_ranks = (uint32_t)strtoul(argv[1], NULL, 10);
	nr_threads = (uint32_t)strtoul(argv[2], NULL, 10);
	nr_rounds = (uint32_t)strtoul(argv[3], NULL, 10);
	archive = OTF2_Archive_Open(argv[4], "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!archive)
		return 2;
	OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	for (uint32_t i = 0; i < nr_ranks; i++)
		for (uint32_t t = 0; t < nr_threads; t++)
			write_thread(archive, i, t);
	OTF2_Archive_CloseEvtFiles(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (uint32_t i = 0; i < nr_ranks * nr_threads; i++)
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
	OTF2_Archive_CloseDefFiles(archive);
	write_definitions(archive);
	return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 2;
}
