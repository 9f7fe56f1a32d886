/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encodes the last events of a location with an OTF2 archive that lies in memory only; see
 * tail.h. */
#include "config.h"

#include "tail.h"

#include <otf2/otf2.h>
#include <stdlib.h>

#include "format/event_chunk.h"
#include "assemble/write/otf2_error.h"

struct measure_tail_writer {
	OTF2_Archive *archive;
	uint32_t chunk_size;
	uint8_t **chunks; /* all that were ever allocated; reused from write to write */
	uint32_t nr_chunks;
	uint32_t nr_used;
};

static OTF2_FlushType never_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool is_final)
{
	(void)context;
	(void)type;
	(void)location;
	(void)caller;
	(void)is_final;
	return OTF2_NO_FLUSH;
}

static void *allocate_chunk(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void **buffer_data, uint64_t size)
{
	struct measure_tail_writer *writer = context;

	(void)type;
	(void)location;
	(void)buffer_data;
	if (size > writer->chunk_size)
		return NULL;
	if (writer->nr_used == writer->nr_chunks) {
		size_t bytes = (writer->nr_chunks + 1) * sizeof(*writer->chunks);
		uint8_t **chunks = realloc(writer->chunks, bytes);
		if (!chunks)
			return NULL;
		writer->chunks = chunks;
		chunks[writer->nr_chunks] = malloc(writer->chunk_size);
		if (!chunks[writer->nr_chunks])
			return NULL;
		writer->nr_chunks++;
	}
	return writer->chunks[writer->nr_used++];
}

/* The chunks are read after OTF2 has let go of them. */
static void keep_chunks(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void **buffer_data, bool is_final)
{
	(void)context;
	(void)type;
	(void)location;
	(void)buffer_data;
	(void)is_final;
}

static const OTF2_FlushCallbacks flush_callbacks = {never_flush, NULL};
static const OTF2_MemoryCallbacks memory_callbacks = {allocate_chunk, keep_chunks};

static OTF2_ErrorCode set_up(struct measure_tail_writer *writer)
{
	OTF2_Archive *archive = writer->archive;
	OTF2_ErrorCode code = OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL);

	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetMemoryCallbacks(archive, &memory_callbacks, writer);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_OpenEvtFiles(archive);
	return code;
}

measure_status_t measure_tail_open(uint32_t chunk_size, struct measure_tail_writer **writer)
{
	struct measure_tail_writer *made = calloc(1, sizeof(*made));

	if (!made)
		return MEASURE_ERROR_MEMORY;
	measure_otf2_silence();
	made->chunk_size = chunk_size;
	made->archive = OTF2_Archive_Open("/nowhere", "tail", OTF2_FILEMODE_WRITE, chunk_size,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);
	if (!made->archive || set_up(made) != OTF2_SUCCESS) {
		measure_tail_close(made);
		return MEASURE_ERROR_USAGE;
	}
	*writer = made;
	return MEASURE_OK;
}

static OTF2_ErrorCode write_off(OTF2_EvtWriter *events, const struct measure_tail *tail)
{
	if (!tail->has_off)
		return OTF2_SUCCESS;
	return OTF2_EvtWriter_MeasurementOnOff(
		events, NULL, tail->off_time, OTF2_MEASUREMENT_OFF);
}

static OTF2_ErrorCode write_enters(OTF2_EvtWriter *events, const struct measure_tail *tail)
{
	OTF2_ErrorCode code = OTF2_SUCCESS;

	for (uint32_t i = 0; i < tail->nr_enters && code == OTF2_SUCCESS; i++)
		code = OTF2_EvtWriter_Enter(events, NULL, tail->enter_time, tail->enters[i]);
	return code;
}

static OTF2_ErrorCode write_leaves(OTF2_EvtWriter *events, const struct measure_tail *tail)
{
	for (uint32_t i = tail->nr_regions; i-- > 0;) {
		OTF2_ErrorCode code = OTF2_EvtWriter_Leave(events, NULL, tail->leave_time,
			tail->regions[i]);
		if (code != OTF2_SUCCESS)
			return code;
	}
	return OTF2_SUCCESS;
}

static OTF2_ErrorCode write_events(OTF2_EvtWriter *events, const struct measure_tail *tail)
{
	OTF2_ErrorCode code = write_enters(events, tail);

	if (code == OTF2_SUCCESS)
		code = write_off(events, tail);
	if (code == OTF2_SUCCESS)
		code = write_leaves(events, tail);
	if (code != OTF2_SUCCESS)
		return code;
	if (tail->has_team_end) {
		code =
			OTF2_EvtWriter_ThreadTeamEnd(events, NULL, tail->leave_time, tail->team);
		if (code != OTF2_SUCCESS)
			return code;
	}
	if (tail->has_thread_end) {
		code = OTF2_EvtWriter_ThreadEnd(events, NULL, tail->leave_time,
			tail->contingent, tail->sequence);
		if (code != OTF2_SUCCESS)
			return code;
	}
	if (!tail->has_program_end)
		return OTF2_SUCCESS;
	return OTF2_EvtWriter_ProgramEnd(events, NULL, tail->end_time, tail->exit_status);
}

/* As nothing is ever flushed, OTF2 leaves the last chunk unsealed. */
static measure_status_t seal_last(struct measure_tail_writer *writer, uint64_t nr_events)
{
	uint8_t *last = writer->chunks[writer->nr_used - 1];
	struct measure_chunk_walk walk;
	measure_status_t status = measure_chunk_walk(last, writer->chunk_size, nr_events, NULL,
		NULL, &walk);

	if (status == MEASURE_OK)
		measure_chunk_seal(last, writer->chunk_size, walk.end, nr_events, true);
	return status;
}

measure_status_t measure_tail_write(struct measure_tail_writer *writer,
	const struct measure_tail *tail, struct measure_tail_chunks *chunks)
{
	uint64_t nr_events = (uint64_t)tail->nr_enters + tail->nr_regions + tail->has_off +
			     tail->has_team_end + tail->has_thread_end + tail->has_program_end;

	writer->nr_used = 0;
	OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(writer->archive, 0);
	if (!events)
		return MEASURE_ERROR_MEMORY;

	OTF2_ErrorCode code = write_events(events, tail);
	OTF2_ErrorCode closed = OTF2_Archive_CloseEvtWriter(writer->archive, events);
	measure_status_t status = measure_otf2_status(code != OTF2_SUCCESS ? code : closed);
	if (status == MEASURE_OK)
		status = seal_last(writer, nr_events);
	if (status != MEASURE_OK)
		return status;
	*chunks = (struct measure_tail_chunks){writer->chunks, writer->nr_used, nr_events};
	return MEASURE_OK;
}

void measure_tail_close(struct measure_tail_writer *writer)
{
	if (!writer)
		return;
	if (writer->archive)
		OTF2_Archive_Close(writer->archive);
	for (uint32_t i = 0; i < writer->nr_chunks; i++)
		free(writer->chunks[i]);
	free(writer->chunks);
	free(writer);
}
