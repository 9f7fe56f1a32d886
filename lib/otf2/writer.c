/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OTF2 archive of the recording process; see writer.h. */
#include "config.h"

#include "otf2/writer.h"

#include <otf2/otf2.h>

#include "otf2/error.h"
#include "otf2/writer_inline.h"

static OTF2_Archive *archive;
static measure_otf2_chunk_fn get_chunk;
static void *creating; /* owner of the writer being made; under the definition lock */

static OTF2_FlushType never_flush(void *data, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)final;
	return OTF2_NO_FLUSH;
}

/* *owner is NULL on a writer's first call, which happens while it is being made. */
static void *allocate(void *data, OTF2_FileType type, OTF2_LocationRef location, void **owner,
	uint64_t size)
{
	(void)data, (void)type, (void)location, (void)size;
	if (!*owner)
		*owner = creating;
	return get_chunk(*owner);
}

/* The segment is never given back: it outlives the process. */
static void free_all(void *data, OTF2_FileType type, OTF2_LocationRef location, void **owner,
	bool final)
{
	(void)data, (void)type, (void)location, (void)owner, (void)final;
}

measure_status_t measure_otf2_open(uint32_t chunk_size, measure_otf2_chunk_fn next_chunk)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = never_flush};
	static const OTF2_MemoryCallbacks memory = {allocate, free_all};

	get_chunk = next_chunk;
	measure_otf2_silence(); /* the program's stderr is not ours */
	archive = OTF2_Archive_Open(".", "measure", OTF2_FILEMODE_WRITE, chunk_size,
		OTF2_UNDEFINED_UINT64, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);
	if (!archive)
		return MEASURE_ERROR_MEMORY;
	if (OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL) != OTF2_SUCCESS ||
		OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL) != OTF2_SUCCESS ||
		OTF2_Archive_SetSerialCollectiveCallbacks(archive) != OTF2_SUCCESS ||
		OTF2_Archive_OpenEvtFiles(archive) != OTF2_SUCCESS)
		return MEASURE_ERROR_UNSUPPORTED;
	return MEASURE_OK;
}

struct measure_otf2_writer *measure_otf2_writer_create(uint32_t location, void *owner)
{
	creating = owner;
	return (struct measure_otf2_writer *)OTF2_Archive_GetEvtWriter(archive, location);
}

bool measure_otf2_program_begin(struct measure_otf2_writer *writer, uint64_t time,
	uint32_t program_string)
{
	return OTF2_EvtWriter_ProgramBegin(measure_otf2(writer), NULL, time, program_string, 0,
		       NULL) == OTF2_SUCCESS;
}

bool measure_otf2_buffer_flush(struct measure_otf2_writer *writer, uint64_t begin, uint64_t end)
{
	return OTF2_EvtWriter_BufferFlush(measure_otf2(writer), NULL, begin, end) == OTF2_SUCCESS;
}
