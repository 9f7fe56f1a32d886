/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens and removes archives that tests write; see t_otf2.h. */
#include "config.h"

#include "t_otf2.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t t_otf2_chunk_size = 1024 * 1024;

static char parent[64], directory[80];

static OTF2_FlushType flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

OTF2_Archive *t_otf2_begin(uint32_t nr_locations, OTF2_EvtWriter **on)
{
	static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
	OTF2_Archive *archive;

	strcpy(parent, "/tmp/measure-archive-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(parent));
	snprintf(directory, sizeof(directory), "%s/archive", parent);
	archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, t_otf2_chunk_size,
		4 * t_otf2_chunk_size, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	CU_ASSERT_PTR_NOT_NULL_FATAL(archive);
	OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	for (uint32_t i = 0; i < nr_locations; i++)
		on[i] = OTF2_Archive_GetEvtWriter(archive, i);
	return archive;
}

void t_otf2_end_events(
	OTF2_Archive *archive, uint32_t nr_locations, OTF2_EvtWriter **on, uint64_t *nr_events)
{
	for (uint32_t i = 0; i < nr_locations; i++) {
		OTF2_EvtWriter_GetNumberOfEvents(on[i], &nr_events[i]);
		OTF2_Archive_CloseEvtWriter(archive, on[i]);
	}
	OTF2_Archive_CloseEvtFiles(archive);
}

const char *t_otf2_directory(void)
{
	return directory;
}

void t_otf2_remove(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf '%s'", parent);
	CU_ASSERT_EQUAL(system(command), 0);
}
