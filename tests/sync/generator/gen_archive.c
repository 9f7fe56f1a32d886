/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The archive: one writer per location, which gives its chunks to the file as soon as it has a
 * few; so memory does not grow with the number of events. */
#include "config.h"

#include "generate.h"

#include <stdlib.h>

#define CHUNK_SIZE (256 * 1024)
#define MAX_CHUNKS 4

static OTF2_FlushType pre_flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data;
	(void)type;
	(void)location;
	(void)caller;
	(void)is_final;
	return OTF2_FLUSH;
}

/* What a buffer has: the same type for all kinds of files. */
struct chunks {
	uint32_t nr;
	void *chunks[MAX_CHUNKS];
};

static void *allocate(void *data, OTF2_FileType type, OTF2_LocationRef location, void **buffer_data,
	uint64_t size)
{
	struct chunks *chunks = *buffer_data;

	(void)data;
	(void)location;
	if (!chunks)
		*buffer_data = chunks = gen_zeroed(1, sizeof(*chunks));
	if (chunks->nr == MAX_CHUNKS || (type != OTF2_FILETYPE_EVENTS && chunks->nr == 1))
		return NULL;
	return chunks->chunks[chunks->nr++] = gen_zeroed(1, size);
}

static void free_all(void *data, OTF2_FileType type, OTF2_LocationRef location, void **buffer_data,
	bool is_final)
{
	struct chunks *chunks = *buffer_data;

	(void)data;
	(void)type;
	(void)location;
	if (!chunks)
		return;
	while (chunks->nr)
		free(chunks->chunks[--chunks->nr]);
	if (!is_final)
		return;
	free(chunks);
	*buffer_data = NULL;
}

void gen_archive_open(struct gen *gen)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
	static const OTF2_MemoryCallbacks memory = {allocate, free_all};

	gen->archive = OTF2_Archive_Open(gen->options.directory, "traces", OTF2_FILEMODE_WRITE,
		CHUNK_SIZE, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
		OTF2_COMPRESSION_NONE);
	if (!gen->archive)
		gen_fail("cannot make ", gen->options.directory);
	OTF2_Archive_SetFlushCallbacks(gen->archive, &flush, NULL);
	OTF2_Archive_SetMemoryCallbacks(gen->archive, &memory, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(gen->archive);
	OTF2_Archive_SetCreator(gen->archive, "generate of Measure's tests");
	OTF2_Archive_OpenEvtFiles(gen->archive);
	for (size_t i = 0; i < gen->nr_all_locations; i++) {
		struct gen_location *location = &gen->locations[i];

		location->writer = OTF2_Archive_GetEvtWriter(gen->archive, location->id);
		if (!location->writer)
			gen_fail("cannot write to ", gen->options.directory);
	}
}

static void close_events(struct gen *gen)
{
	for (size_t i = 0; i < gen->nr_all_locations; i++) {
		struct gen_location *location = &gen->locations[i];
		uint64_t nr_written;

		gen_truth_flush(gen, location);
		free(location->stamps);
		OTF2_EvtWriter_GetNumberOfEvents(location->writer, &nr_written);
		if (nr_written != location->nr_events)
			gen_fail("OTF2 refused events in ", gen->options.directory);
		OTF2_Archive_CloseEvtWriter(gen->archive, location->writer);
	}
	OTF2_Archive_CloseEvtFiles(gen->archive);
}

void gen_archive_close(struct gen *gen)
{
	uint64_t begin, end;

	close_events(gen);
	gen_write_samples(gen, &begin, &end);
	gen_waits_write(gen, begin);
	gen_write_definitions(gen, begin, end);
	if (OTF2_Archive_Close(gen->archive) != OTF2_SUCCESS)
		gen_fail("cannot write to ", gen->options.directory);
}
