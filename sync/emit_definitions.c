/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Definition files: every record as it was, but for clock properties and clock offsets. */
#include "config.h"

#include "sync/emit_internal.h"

#include "trace/store.h"

#define UNKNOWN_REALTIME UINT64_MAX

/* Old tools wrote Callsite and Callpath; the library warns of writing more. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define SPREAD(...) __VA_ARGS__

/* A newer OTF2 would lose what this one does not know. */
static OTF2_CallbackCode on_unknown(struct emitting *emitting)
{
	emit_note(emitting, OTF2_ERROR_UNKNOWN_TYPE);
	return OTF2_CALLBACK_INTERRUPT;
}

/* ----------------------------------------------------------------------- global --- */

struct global_copy {
	struct emitting *emitting;
	OTF2_GlobalDefWriter *writer;
};

#define DEFINITION(Name, parameters, arguments)                                                    \
	static OTF2_CallbackCode on_global_##Name(void *data, SPREAD parameters)                   \
	{                                                                                          \
		struct global_copy *copy = data;                                                   \
                                                                                                   \
		emit_note(copy->emitting,                                                          \
			OTF2_GlobalDefWriter_Write##Name(copy->writer, SPREAD arguments));         \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#include "sync/definition_records.def"
#undef DEFINITION

static OTF2_CallbackCode on_global_Unknown(void *data)
{
	return on_unknown(((struct global_copy *)data)->emitting);
}

/* First and last corrected time of all events. False: there are none. */
static bool find_span(const struct measure_sync_emission *emission, uint64_t *first, uint64_t *last)
{
	const struct measure_sync_graph *graph = emission->graph;

	*first = UINT64_MAX;
	*last = 0;
	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		const struct measure_sync_domain_records *of = &graph->of[i];
		struct measure_sync_reading reading = {0, 0};
		uint64_t time;

		if (of->span.first > of->span.last)
			continue;
		time = measure_sync_correct(&emission->corrections[i], &reading, of->span.first, 0, 0);
		if (time < *first)
			*first = time;
		time = measure_sync_correct(&emission->corrections[i], &reading, of->span.last,
			MEASURE_NONE, UINT64_MAX);
		if (time > *last)
			*last = time;
	}
	return *first <= *last;
}

/* Every location has the offsets that it had. */
static bool is_unchanged(const struct measure_sync_emission *emission)
{
	const struct measure_sync_graph *graph = emission->graph;

	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++) {
		const struct measure_sync_correction *correction =
			&emission->corrections[graph->domains[i]];

		if (correction->nr != 1 ||
			!measure_offsets_are_same(&correction->pieces[0].offsets, &graph->trace->offsets[i]))
			return false;
	}
	return true;
}

static void write_clock_properties(struct emitting *emitting, OTF2_GlobalDefWriter *writer)
{
	struct measure_clock clock = emitting->emission->graph->trace->definitions.clock;
	uint64_t first, last;

	if (!clock.is_defined)
		return;
	if (!is_unchanged(emitting->emission) && find_span(emitting->emission, &first, &last)) {
		if (clock.realtime != UNKNOWN_REALTIME && clock.resolution)
			clock.realtime += (uint64_t)(int64_t)((long double)(int64_t)(
							      first - clock.offset) *
							      1e9L / clock.resolution);
		clock.offset = first;
		clock.length = last - first;
	}
	emit_note(emitting, OTF2_GlobalDefWriter_WriteClockProperties(writer, clock.resolution,
				    clock.offset, clock.length, clock.realtime));
}

static OTF2_GlobalDefReaderCallbacks *make_global_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

#define DEFINITION(Name, parameters, arguments)                                                    \
	OTF2_GlobalDefReaderCallbacks_Set##Name##Callback(callbacks, on_global_##Name);
#include "sync/definition_records.def"
#undef DEFINITION
	OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(callbacks, on_global_Unknown);
	return callbacks;
}

void emit_global_definitions(struct emitting *emitting)
{
	struct global_copy copy = {emitting, OTF2_Archive_GetGlobalDefWriter(emitting->archive)};
	OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(emitting->reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = make_global_callbacks();
	uint64_t nr_read;

	if (!copy.writer || !reader) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	write_clock_properties(emitting, copy.writer);
	emit_note(emitting, OTF2_Reader_RegisterGlobalDefCallbacks(
				    emitting->reader, reader, callbacks, &copy));
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	emit_note(emitting,
		OTF2_Reader_ReadAllGlobalDefinitions(emitting->reader, reader, &nr_read));
	OTF2_Reader_CloseGlobalDefReader(emitting->reader, reader);
	emit_note(emitting, OTF2_Archive_CloseGlobalDefWriter(emitting->archive, copy.writer));
}

/* ------------------------------------------------------------------------ local --- */

struct local_copy {
	struct emitting *emitting;
	OTF2_DefWriter *writer;
};

#define DEFINITION(Name, parameters, arguments)                                                    \
	static OTF2_CallbackCode on_local_##Name(void *data, SPREAD parameters)                    \
	{                                                                                          \
		struct local_copy *copy = data;                                                    \
                                                                                                   \
		emit_note(copy->emitting,                                                          \
			OTF2_DefWriter_Write##Name(copy->writer, SPREAD arguments));               \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#define GLOBAL_ONLY(Name, parameters, arguments)
#include "sync/definition_records.def"
#undef DEFINITION

static OTF2_CallbackCode on_local_MappingTable(
	void *data, OTF2_MappingType type, const OTF2_IdMap *map)
{
	struct local_copy *copy = data;

	emit_note(copy->emitting, OTF2_DefWriter_WriteMappingTable(copy->writer, type, map));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_local_Unknown(void *data)
{
	return on_unknown(((struct local_copy *)data)->emitting);
}

static OTF2_DefReaderCallbacks *make_local_callbacks(void)
{
	OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();

#define DEFINITION(Name, parameters, arguments)                                                    \
	OTF2_DefReaderCallbacks_Set##Name##Callback(callbacks, on_local_##Name);
#define GLOBAL_ONLY(Name, parameters, arguments)
#include "sync/definition_records.def"
#undef DEFINITION
	OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_local_MappingTable);
	OTF2_DefReaderCallbacks_SetUnknownCallback(callbacks, on_local_Unknown);
	return callbacks;
}

static void write_offsets(struct emitting *emitting, OTF2_DefWriter *writer, uint32_t location)
{
	const struct measure_offsets *offsets =
		&emit_correction(emitting, location)->pieces[0].offsets;

	for (size_t i = 0; i < offsets->nr; i++)
		emit_note(emitting, OTF2_DefWriter_WriteClockOffset(writer, offsets->items[i].time,
					    offsets->items[i].offset, 0));
}

void emit_local_definitions(struct emitting *emitting, uint32_t location)
{
	uint64_t id = emitting->emission->graph->trace->definitions.locations[location].id, nr_read;
	struct local_copy copy = {emitting, OTF2_Archive_GetDefWriter(emitting->archive, id)};
	OTF2_DefReader *reader = OTF2_Reader_GetDefReader(emitting->reader, id);
	OTF2_DefReaderCallbacks *callbacks = make_local_callbacks();

	if (!copy.writer) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	/* There need not be a file. */
	if (reader) {
		emit_note(emitting, OTF2_Reader_RegisterDefCallbacks(
					    emitting->reader, reader, callbacks, &copy));
		emit_note(emitting,
			OTF2_Reader_ReadAllLocalDefinitions(emitting->reader, reader, &nr_read));
		OTF2_Reader_CloseDefReader(emitting->reader, reader);
	}
	OTF2_DefReaderCallbacks_Delete(callbacks);
	if (!emit_is_rewritten(emitting, location))
		write_offsets(emitting, copy.writer, location);
	emit_note(emitting, OTF2_Archive_CloseDefWriter(emitting->archive, copy.writer));
}
