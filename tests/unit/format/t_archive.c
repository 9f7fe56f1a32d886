/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests; see t_archive.h. */
#include "config.h"

#include "t_archive.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <string.h>

static OTF2_FlushType flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool is_final)
{
	(void)context;
	(void)type;
	(void)location;
	(void)caller;
	(void)is_final;
	return OTF2_FLUSH;
}

int t_archive_make(const char *directory, uint64_t chunk_size, uint64_t nr_events)
{
	OTF2_FlushCallbacks callbacks = {flush, NULL};
	OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE,
		chunk_size, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
		OTF2_COMPRESSION_NONE);

	if (!archive)
		return 1;
	OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	OTF2_Archive_CloseEvtWriter(archive, OTF2_Archive_GetEvtWriter(archive, 0));
	OTF2_Archive_CloseEvtFiles(archive);

	OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(defs, 1000000000, 0, 1000000,
		OTF2_UNDEFINED_TIMESTAMP);
	OTF2_GlobalDefWriter_WriteString(defs, 0, "");
	OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteLocationGroup(defs, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
		OTF2_UNDEFINED_LOCATION_GROUP);
	OTF2_GlobalDefWriter_WriteLocation(defs, 0, 0, OTF2_LOCATION_TYPE_CPU_THREAD, nr_events, 0);
	return OTF2_Archive_Close(archive) != OTF2_SUCCESS;
}

static void count(struct t_events *events, OTF2_TimeStamp time)
{
	if (events->nr == 0)
		events->first_time = time;
	else if (time < events->last_time)
		events->nr_backwards++;
	events->last_time = time;
	events->nr++;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
	void *context, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct t_events *events = context;

	(void)location, (void)position, (void)attributes, (void)region;
	count(events, time);
	events->nr_enter++;
	events->nr_open++;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
	void *context, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct t_events *events = context;

	(void)location, (void)position, (void)attributes, (void)region;
	count(events, time);
	events->nr_leave++;
	events->nr_open--;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_other(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
	void *context, OTF2_AttributeList *attributes)
{
	struct t_events *events = context;

	(void)location, (void)position, (void)attributes;
	count(events, time);
	events->nr_other++;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *context, OTF2_AttributeList *attributes)
{
	return on_other(location, time, position, context, attributes);
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
	void *context, OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm,
	uint32_t tag, uint64_t bytes)
{
	(void)receiver, (void)comm, (void)tag, (void)bytes;
	return on_other(location, time, position, context, attributes);
}

static OTF2_CallbackCode on_request(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *context, OTF2_AttributeList *attributes, uint64_t request)
{
	(void)request;
	return on_other(location, time, position, context, attributes);
}

static OTF2_CallbackCode on_team(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
	void *context, OTF2_AttributeList *attributes, OTF2_CommRef team)
{
	(void)team;
	return on_other(location, time, position, context, attributes);
}

static OTF2_CallbackCode on_program_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *context, OTF2_AttributeList *attributes, OTF2_StringRef name,
	uint32_t nr_arguments, const OTF2_StringRef *arguments)
{
	(void)name, (void)nr_arguments, (void)arguments;
	return on_other(location, time, position, context, attributes);
}

static OTF2_CallbackCode on_program_end(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *context, OTF2_AttributeList *attributes, int64_t status)
{
	struct t_events *events = context;

	events->has_program_end++;
	events->exit_status = status;
	return on_other(location, time, position, context, attributes);
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_request);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
	OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team);
	OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team);
	OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
	OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
	return callbacks;
}

int t_archive_read(const char *directory, uint64_t location, struct t_events *events)
{
	char anchor[4096];
	uint64_t nr_read = 0, nr_definitions = 0;

	memset(events, 0, sizeof(*events));
	snprintf(anchor, sizeof(anchor), "%s/traces.otf2", directory);
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	if (!reader)
		return 1;
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	OTF2_Reader_SelectLocation(reader, location);

	OTF2_DefReader *local = NULL;
	int has_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
	if (has_definitions)
		local = OTF2_Reader_GetDefReader(reader, location);
	if (local) {
		OTF2_Reader_ReadAllLocalDefinitions(reader, local, &nr_definitions);
		OTF2_Reader_CloseDefReader(reader, local);
	}
	if (has_definitions)
		OTF2_Reader_CloseDefFiles(reader);

	OTF2_Reader_OpenEvtFiles(reader);
	OTF2_EvtReader *evt = OTF2_Reader_GetEvtReader(reader, location);
	OTF2_EvtReaderCallbacks *callbacks = make_callbacks();
	OTF2_ErrorCode code = OTF2_ERROR_INVALID;
	if (evt && OTF2_Reader_RegisterEvtCallbacks(reader, evt, callbacks, events) == OTF2_SUCCESS)
		code = OTF2_Reader_ReadAllLocalEvents(reader, evt, &nr_read);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	if (evt)
		OTF2_Reader_CloseEvtReader(reader, evt);
	OTF2_Reader_CloseEvtFiles(reader);
	OTF2_Reader_Close(reader);
	return code != OTF2_SUCCESS || nr_read != events->nr;
}
