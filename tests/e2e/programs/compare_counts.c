/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares an archive with what the processes counted while they ran, with nothing but the OTF2
 * library:
 *
 *	committed [--killed SECONDS] ANCHOR NAME COUNTS...
 *
 * The k-th file COUNTS is of location group k: its i-th number is how many calls of the function
 * NAME_i were over. Prints "counted N found N lost N": found are Enters of these functions, which
 * nobody makes up. With the time when the processes were killed, and COUNTS as history.h has them, also
 * "late N": so many milliseconds before that the first call was over that is missing. Exit status 2: not
 * an archive. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#include "history.h"

#define MAX      65536 /* of strings, regions, locations */
#define MAX_NAME 64
#define NR_SLOTS HISTORY_THREADS

static struct {
	const char *prefix;
	char strings[MAX][MAX_NAME];
	uint32_t region_names[MAX];
	struct {
		uint64_t id;
		uint32_t group;
	} locations[MAX];
	size_t nr_locations, nr_groups;
	uint64_t (*found)[NR_SLOTS]; /* by group */
} archive;

static void fail(const char *what, const char *whom)
{
	fprintf(stderr, "committed: %s%s\n", what, whom);
	exit(2);
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef self, const char *text)
{
	(void)data;
	if (self < MAX)
		snprintf(archive.strings[self], MAX_NAME, "%s", text);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
	OTF2_StringRef canonical, OTF2_StringRef description, OTF2_RegionRole role,
	OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
	uint32_t end)
{
	(void)data, (void)canonical, (void)description, (void)role, (void)paradigm, (void)flags;
	(void)file, (void)begin, (void)end;
	if (self < MAX && name < MAX)
		archive.region_names[self] = name;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
	OTF2_LocationType type, uint64_t nr_events, OTF2_LocationGroupRef group)
{
	(void)data, (void)name, (void)type, (void)nr_events;
	if (archive.nr_locations == MAX)
		fail("too many locations", "");
	archive.locations[archive.nr_locations].id = self;
	archive.locations[archive.nr_locations++].group = group;
	return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions(OTF2_Reader *reader)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	uint64_t nr;

	if (!definitions)
		fail("no definitions", "");
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, NULL);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &nr) != OTF2_SUCCESS)
		fail("definitions cannot be read", "");
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
	void *data, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	const uint32_t *group = data;
	const char *name = region < MAX ? archive.strings[archive.region_names[region]] : "";
	size_t length = strlen(archive.prefix);

	(void)location, (void)time, (void)position, (void)attributes;
	if (*group < archive.nr_groups && strncmp(name, archive.prefix, length) == 0 &&
		name[length] == '_' && name[length + 1] >= '0' &&
		name[length + 1] < '0' + NR_SLOTS && !name[length + 2])
		archive.found[*group][name[length + 1] - '0']++;
	return OTF2_CALLBACK_SUCCESS;
}

static void read_events(OTF2_Reader *reader)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	for (size_t i = 0; i < archive.nr_locations; i++)
		OTF2_Reader_SelectLocation(reader, archive.locations[i].id);
	int has_local = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
	OTF2_Reader_OpenEvtFiles(reader);
	for (size_t i = 0; i < archive.nr_locations; i++) {
		uint64_t id = archive.locations[i].id, nr;
		OTF2_DefReader *local = has_local ? OTF2_Reader_GetDefReader(reader, id) : NULL;
		OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, id);

		if (local)
			OTF2_Reader_ReadAllLocalDefinitions(reader, local, &nr);
		OTF2_Reader_RegisterEvtCallbacks(
			reader, events, callbacks, &archive.locations[i].group);
		if (OTF2_Reader_ReadAllLocalEvents(reader, events, &nr) != OTF2_SUCCESS)
			fail("events cannot be read", "");
		OTF2_Reader_CloseEvtReader(reader, events);
	}
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}

/* At most so long before it was killed. */
static uint64_t late_by(const char *name, const uint64_t *found, double killed)
{
	static struct measure_history history;
	FILE *file = fopen(name, "re");

	if (!file)
		return 0;
	if (fread(&history, sizeof(history), 1, file) != 1)
		fail(name, ": has no history");
	fclose(file);
	for (size_t slot = 0; slot < HISTORY_SLOTS; slot++) {
		double age = killed - (double)(history.begin + slot * HISTORY_SLOT_NS) / 1e9;
		for (int i = 0; i < NR_SLOTS; i++)
			if (history.slots[slot][i] > found[i])
				return age > 0 ? (uint64_t)(age * 1e3) : 0;
	}
	return 0;
}

static void compare_times(int nr_files, char **files, double killed)
{
	uint64_t late = 0;

	for (int k = 0; k < nr_files; k++) {
		uint64_t by = late_by(files[k], archive.found[k], killed);
		late = by > late ? by : late;
	}
	printf("late %" PRIu64 "\n", late);
}

static void compare(int nr_files, char **files)
{
	uint64_t nr_counted = 0, nr_found = 0, nr_lost = 0;

	for (int k = 0; k < nr_files; k++) {
		uint64_t counts[NR_SLOTS] = {0};
		FILE *file = fopen(files[k], "re");
		if (!file)
			continue; /* it was ended before it could count */
		if (fread(counts, sizeof(*counts), NR_SLOTS, file) == 0)
			memset(counts, 0, sizeof(counts));
		fclose(file);
		for (int i = 0; i < NR_SLOTS; i++) {
			nr_counted += counts[i];
			nr_found += archive.found[k][i];
			if (counts[i] > archive.found[k][i])
				nr_lost += counts[i] - archive.found[k][i];
		}
	}
	printf("counted %" PRIu64 " found %" PRIu64 " lost %" PRIu64 "\n", nr_counted, nr_found,
		nr_lost);
}

int main(int count, char **arguments)
{
	double killed = 0;

	if (count > 2 && strcmp(arguments[1], "--killed") == 0) {
		killed = strtod(arguments[2], NULL);
		count -= 2;
		arguments += 2;
	}
	if (count < 4)
		fail("usage: committed [--killed SECONDS] ANCHOR NAME COUNTS...", "");
	archive.prefix = arguments[2];
	archive.nr_groups = (size_t)count - 3;
	archive.found = calloc(archive.nr_groups, sizeof(*archive.found));
	OTF2_Reader *reader = OTF2_Reader_Open(arguments[1]);
	if (!reader || !archive.found)
		fail(arguments[1], ": cannot be opened");
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	read_definitions(reader);
	read_events(reader);
	OTF2_Reader_Close(reader);
	compare(count - 3, arguments + 3);
	if (killed > 0)
		compare_times(count - 3, arguments + 3, killed);
	free(archive.found);
	return 0;
}
