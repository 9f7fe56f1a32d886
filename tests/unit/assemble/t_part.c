/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests; see t_part.h. */
#include "config.h"

#include "t_part.h"

#include <fcntl.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/close/part_close.h"
#include "assemble/part/journal_file.h"

static void must(bool is_true)
{
	if (!is_true)
		abort();
}

static struct t_location *asking; /* whose writer is being made or written to */

static OTF2_FlushType never(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_NO_FLUSH;
}

/* As the pool of the real thing: the chunk before is FULL, the next one CURRENT. Recycled
 * memory is not cleared. */
static void *next_chunk(void *context, OTF2_FileType type, OTF2_LocationRef index, void **data,
	uint64_t size)
{
	struct t_part *part = context;
	struct measure_segment_chunk *chunks = part->segment.chunks;

	(void)index, (void)data, (void)size;
	if (type != OTF2_FILETYPE_EVENTS)
		return malloc(size);
	if (asking->chunk != UINT32_MAX)
		atomic_store(&chunks[asking->chunk].state, MEASURE_CHUNK_FULL);
	measure_spool_pass(&part->spool, false);
	uint32_t i = 0;
	while (atomic_load(&chunks[i].state) > MEASURE_CHUNK_FREE)
		i++;
	atomic_store(&chunks[i].location, asking->index);
	atomic_store(&chunks[i].sequence,
		atomic_fetch_add(&part->segment.locations[asking->index].nr_chunks, 1));
	atomic_store(&chunks[i].state, MEASURE_CHUNK_CURRENT);
	asking->chunk = i;
	return measure_segment_chunk_memory(&part->segment, i);
}

static void keep(void *context, OTF2_FileType type, OTF2_LocationRef location, void **data,
	bool is_final)
{
	(void)context, (void)type, (void)location, (void)data, (void)is_final;
}

static void open_archive(struct t_part *part)
{
	static const OTF2_FlushCallbacks flush = {never, NULL};
	static const OTF2_MemoryCallbacks memory = {next_chunk, keep};
	OTF2_Archive *archive = OTF2_Archive_Open("/nowhere", "x", OTF2_FILEMODE_WRITE, T_CHUNK,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);

	OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
	OTF2_Archive_SetMemoryCallbacks(archive, &memory, part);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	part->archive = archive;
}

void t_part_begin(struct t_part *part, const char *directory, const char *name,
	const struct measure_def_process *process)
{
	struct measure_segment_size size = {16 * T_CHUNK, T_CHUNK, T_MAX_LOCATIONS, 1 << 20};
	char path[512];

	memset(part, 0, sizeof(*part));
	snprintf(path, sizeof(path), "%s/.parts", directory);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/.parts/%s", directory, name);
	must(mkdir(path, 0777) == 0);
	part->fd = open(path, O_RDONLY | O_DIRECTORY);
	must(measure_segment_create(&size, &part->memory_fd, &part->segment) == MEASURE_OK);
	must(measure_spool_open(&part->spool, &part->segment, part->fd, MEASURE_SPOOL_ALWAYS) ==
		MEASURE_OK);
	open_archive(part);

	char host[256] = "";
	gethostname(host, sizeof(host) - 1);
	T_KEEPER_JOURNAL(part, keeper, host, 1, 1, T_CHUNK);
	uint8_t frame[8192];
	t_journal(part, frame, measure_def_process_frame(process, frame, sizeof(frame)));
}

void t_journal(struct t_part *part, const uint8_t *frame, size_t size)
{
	struct measure_segment_header *header = part->segment.header;
	uint64_t place = atomic_load(&header->journal_committed);

	memcpy(part->segment.journal + place, frame, size);
	atomic_store(&header->journal_committed, place + size);
}

void t_keeper_journal(struct t_part *part, const uint8_t *frame, size_t size)
{
	must(measure_journal_append(part->fd, "keeper", frame, size) == MEASURE_OK);
}

static void commit(struct t_location *location)
{
	location->nr_events++;
	atomic_store(&location->part->segment.locations[location->index].committed,
		location->nr_events << MEASURE_DEPTH_BITS | location->depth);
}

uint32_t t_location(struct t_part *part, uint64_t time)
{
	uint32_t index = part->nr_locations++;
	struct t_location *location = asking = &part->locations[index];

	location->part = part;
	location->index = index;
	location->chunk = UINT32_MAX;
	location->writer = OTF2_Archive_GetEvtWriter(part->archive, index);
	atomic_store(&part->segment.locations[index].stack_block, index);
	part->segment.stacks[index].next = MEASURE_STACK_NONE;
	atomic_store(&part->segment.header->nr_locations, part->nr_locations);
	if (index == 0) {
		OTF2_EvtWriter_ProgramBegin(location->writer, NULL, time, 0, 0, NULL);
		commit(location);
	}
	T_JOURNAL(part, location, index, "");
	return index;
}

static struct t_location *pick(struct t_part *part, uint32_t index)
{
	return asking = &part->locations[index];
}

void t_enter(struct t_part *part, uint32_t index, uint64_t time, uint32_t region)
{
	struct t_location *location = pick(part, index);

	must(OTF2_EvtWriter_Enter(location->writer, NULL, time, region) == OTF2_SUCCESS);
	must(location->depth < MEASURE_STACK_ENTRIES);
	part->segment.stacks[index].entries[location->depth++].region = region;
	commit(location);
}

void t_leave(struct t_part *part, uint32_t index, uint64_t time, uint32_t region)
{
	struct t_location *location = pick(part, index);

	must(OTF2_EvtWriter_Leave(location->writer, NULL, time, region) == OTF2_SUCCESS);
	location->depth--;
	commit(location);
}

void t_uncommitted(struct t_part *part, uint32_t index, uint64_t time, uint32_t region)
{
	OTF2_EvtWriter_Enter(pick(part, index)->writer, NULL, time, region);
}

void t_send(struct t_part *part, uint32_t index, uint64_t time, uint32_t to, uint32_t comm)
{
	struct t_location *location = pick(part, index);

	OTF2_EvtWriter_MpiSend(location->writer, NULL, time, to, comm, 7, 1024);
	commit(location);
}

void t_recv(struct t_part *part, uint32_t index, uint64_t time, uint32_t from, uint32_t comm)
{
	struct t_location *location = pick(part, index);

	OTF2_EvtWriter_MpiRecv(location->writer, NULL, time, from, comm, 7, 1024);
	commit(location);
}

void t_team(struct t_part *part, uint32_t index, uint64_t time, uint32_t team, bool is_begin)
{
	struct t_location *location = pick(part, index);

	if (is_begin)
		OTF2_EvtWriter_ThreadTeamBegin(location->writer, NULL, time, team);
	else
		OTF2_EvtWriter_ThreadTeamEnd(location->writer, NULL, time, team);
	commit(location);
}

void t_sample(struct t_part *part, uint32_t index, uint64_t time, uint32_t context)
{
	struct t_location *location = pick(part, index);

	OTF2_EvtWriter_CallingContextSample(location->writer, NULL, time, context, 1, 0);
	commit(location);
}

void t_metric(struct t_part *part, uint32_t index, uint64_t time, uint32_t metric, double value)
{
	struct t_location *location = pick(part, index);
	const OTF2_MetricValue values = {.floating_point = value};
	const OTF2_Type type = OTF2_TYPE_DOUBLE;

	OTF2_EvtWriter_Metric(location->writer, NULL, time, metric, 1, &type, &values);
	commit(location);
}

void t_part_end(struct t_part *part, const struct measure_def_end *end)
{
	if (end) {
		must(measure_spool_pass(&part->spool, true) == MEASURE_OK);
		must(measure_part_close(&part->segment, part->fd, end) == MEASURE_OK);
	}
	measure_spool_close(&part->spool);
	measure_segment_detach(&part->segment);
	close(part->memory_fd);
	close(part->fd);
}
