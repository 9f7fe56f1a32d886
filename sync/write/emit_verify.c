/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library does not tell when the anchor file could not be written to its end: it is read back,
 * with the definitions. */
#include "config.h"

#include "emit_internal.h"

#include <stdio.h>
#include <string.h>

#include "trace/common/containers.h"

static OTF2_ErrorCode read_back(OTF2_Reader *reader, size_t nr_locations)
{
	OTF2_GlobalDefReader *definitions;
	uint64_t nr = 0, nr_expected = 0;
	OTF2_ErrorCode code;

	code = OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	if (code == OTF2_SUCCESS)
		code = OTF2_Reader_GetNumberOfLocations(reader, &nr);
	if (code == OTF2_SUCCESS && nr != nr_locations)
		code = OTF2_ERROR_INTEGRITY_FAULT;
	definitions = code == OTF2_SUCCESS ? OTF2_Reader_GetGlobalDefReader(reader) : NULL;
	if (!definitions)
		return code == OTF2_SUCCESS ? OTF2_ERROR_FILE_INTERACTION : code;
	code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &nr);
	if (code == OTF2_SUCCESS)
		code = OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &nr_expected);
	if (code == OTF2_SUCCESS && nr != nr_expected)
		code = OTF2_ERROR_INTEGRITY_FAULT;
	OTF2_Reader_CloseGlobalDefReader(reader, definitions);
	return code;
}

void emit_verify(struct emitting *emitting, const char *directory, const char *name)
{
	const size_t size = strlen(directory) + strlen(name) + sizeof("/.otf2");
	char *anchor = measure_zeroed(size, 1);
	OTF2_Reader *reader;

	snprintf(anchor, size, "%s/%s.otf2", directory, name);
	reader = OTF2_Reader_Open(anchor);
	measure_free(anchor);
	if (!reader) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	emit_note(emitting, read_back(reader, emitting->numbering.of[MEASURE_KIND_LOCATION].nr));
	OTF2_Reader_Close(reader);
}
