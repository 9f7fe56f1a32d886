/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints an archive for the scripts here to read, with nothing but the OTF2 library:
 *
 *	dump [--raw] ANCHOR
 *
 * Definitions first, one per line. Then for each location "@ id", its events as "time Name
 * fields", and ". nr" where it was read to its end, "! nr" where it breaks off. Times are those
 * that every reader sees, with --raw those in the file. Exit status 2: not an archive, or one with
 * records that this program does not know. */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#include "dump.h"

struct location {
	uint64_t id, nr_events;
};

struct archive {
	struct location *locations;
	size_t nr, room;
	uint64_t nr_read; /* events of the current location */
	const char *anchor;
	uint64_t chunk_size;
};

static void fail(const char *what, const char *whom)
{
	fprintf(stderr, "dump: %s%s\n", what, whom);
	exit(2);
}

/* ---------------------------------------------------------------------- definitions --- */

static OTF2_CallbackCode on_clock(
	void *data, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
	(void)data;
	(void)realtime;
	printf("clock %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", resolution, offset, length);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *text)
{
	(void)data;
	printf("string %u %s\n", self, text);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process(void *data, OTF2_LocationGroupRef self, OTF2_StringRef name,
	OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator)
{
	(void)data;
	(void)name;
	(void)type;
	printf("process %u %u %u\n", self, node, creator);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
	OTF2_LocationType type, uint64_t nr_events, OTF2_LocationGroupRef process)
{
	struct archive *archive = data;

	(void)name;
	(void)type;
	if (archive->nr == archive->room) {
		archive->room = 2 * archive->room + 64;
		archive->locations =
			realloc(archive->locations, archive->room * sizeof(*archive->locations));
		if (!archive->locations)
			fail("no memory", "");
	}
	archive->locations[archive->nr++] = (struct location){self, nr_events};
	printf("location %" PRIu64 " %u %" PRIu64 "\n", self, process, nr_events);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
	OTF2_StringRef canonical, OTF2_StringRef description, OTF2_RegionRole role,
	OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
	uint32_t end)
{
	(void)data;
	(void)canonical;
	(void)description;
	(void)flags;
	(void)file;
	(void)begin;
	(void)end;
	printf("region %u %u %u %u\n", self, name, role, paradigm);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
	OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t nr,
	const uint64_t *members)
{
	(void)data;
	(void)name;
	(void)flags;
	printf("group %u %u %u", self, type, paradigm);
	for (uint32_t i = 0; i < nr; i++)
		printf(" %" PRIu64, members[i]);
	putchar('\n');
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
	OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	(void)data;
	(void)name;
	printf("comm %u %u %u %u\n", self, group, parent, flags);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter(
	void *data, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type)
{
	(void)data;
	printf("parameter %u %u %u\n", self, name, type);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
	OTF2_GroupRef group, OTF2_GroupRef other, OTF2_CommRef common, OTF2_CommFlag flags)
{
	(void)data;
	(void)name;
	(void)common;
	(void)flags;
	printf("intercomm %u %u %u\n", self, group, other);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_property(void *data, OTF2_LocationRef location,
	OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	(void)data;
	(void)type;
	(void)value;
	printf("property %" PRIu64 " %u\n", location, name);
	return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions(OTF2_Reader *reader, struct archive *archive)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	uint64_t nr;

	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
	OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, archive);
	if (!definitions ||
		OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &nr) != OTF2_SUCCESS)
		fail("cannot read the definitions", "");
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
}

/* Clock offsets and mapping tables: the library keeps them. */
static void read_local(OTF2_Reader *reader, const struct archive *archive)
{
	if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS)
		return;
	for (size_t i = 0; i < archive->nr; i++) {
		OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader, archive->locations[i].id);
		uint64_t nr;

		if (!local)
			continue;
		OTF2_Reader_ReadAllLocalDefinitions(reader, local, &nr);
		OTF2_Reader_CloseDefReader(reader, local);
	}
	OTF2_Reader_CloseDefFiles(reader);
}

/* --------------------------------------------------------------------------- events --- */

#define WITH(...) , __VA_ARGS__
#define ALONE
#define EVENT(Name, parameters, format, ...)                                                       \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		uint64_t position, void *data, OTF2_AttributeList *attributes parameters)          \
	{                                                                                          \
		struct archive *archive = data;                                                    \
                                                                                                   \
		(void)location;                                                                    \
		(void)position;                                                                    \
		(void)attributes;                                                                  \
		archive->nr_read++;                                                                \
		printf("%" PRIu64 " " #Name " " format "\n", time, __VA_ARGS__);                   \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#include "dump_events.def"
#undef EVENT

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

#define EVENT(Name, parameters, format, ...)                                                       \
	OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "dump_events.def"
#undef EVENT
	return callbacks;
}

static void read_location(OTF2_Reader *reader, struct archive *archive,
	const struct location *location, const OTF2_EvtReaderCallbacks *callbacks, bool is_raw)
{
	uint64_t nr_whole = dump_nr_whole(archive->anchor, location->id, archive->chunk_size);
	OTF2_EvtReader *events;
	uint64_t nr = 0;
	bool is_whole;

	printf("@ %" PRIu64 "\n", location->id);
	archive->nr_read = 0;
	OTF2_Reader_SelectLocation(reader, location->id);
	events = OTF2_Reader_GetEvtReader(reader, location->id);
	if (events) {
		OTF2_EvtReader_ApplyMappingTables(events, true);
		OTF2_EvtReader_ApplyClockOffsets(events, !is_raw);
		OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, archive);
		OTF2_Reader_ReadLocalEvents(reader, events, nr_whole, &nr);
		OTF2_Reader_CloseEvtReader(reader, events);
	}
	is_whole = nr == location->nr_events;
	if (is_whole && archive->nr_read != nr)
		fail("records of a kind that is not in dump_events.def", "");
	printf("%c %" PRIu64 "\n", is_whole ? '.' : '!', nr);
}

static OTF2_ErrorCode be_silent(void *data, const char *file, uint64_t line, const char *function,
	OTF2_ErrorCode code, const char *format, va_list arguments)
{
	(void)data;
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)arguments;
	return code;
}

int main(int argc, char **argv)
{
	const bool is_raw = argc == 3 && !strcmp(argv[1], "--raw");
	struct archive archive = {.anchor = argv[argc - 1]};
	uint64_t definitions_size;
	OTF2_EvtReaderCallbacks *callbacks = make_callbacks();
	OTF2_Reader *reader;

	if (argc != 2 + is_raw)
		fail("usage: dump [--raw] ", "ANCHOR");
	OTF2_Error_RegisterCallback(be_silent, NULL);
	reader = OTF2_Reader_Open(argv[argc - 1]);
	if (!reader)
		fail("not an archive: ", argv[argc - 1]);
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	OTF2_Reader_GetChunkSize(reader, &archive.chunk_size, &definitions_size);
	read_definitions(reader, &archive);
	read_local(reader, &archive);
	OTF2_Reader_OpenEvtFiles(reader);
	for (size_t i = 0; i < archive.nr; i++)
		read_location(reader, &archive, &archive.locations[i], callbacks, is_raw);
	OTF2_Reader_CloseEvtFiles(reader);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_Close(reader);
	free(archive.locations);
	return 0;
}
