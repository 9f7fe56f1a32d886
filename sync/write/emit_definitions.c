/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The global definitions: every record as it was, but for clock properties, numbers of events, and
 * ids that had to be changed. */
#include "config.h"

#include "emit_internal.h"

#include "format/otf2_records.h"
#include "trace/common/containers.h"

#define UNKNOWN_REALTIME UINT64_MAX

/* Old tools wrote Callsite and Callpath; the library warns of writing more. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

struct global_copy {
	struct emitting *emitting;
	OTF2_GlobalDefWriter *writer;
	size_t nr_read[MEASURE_NR_KINDS]; /* records */
	uint64_t self;                    /* the id of the record, or of its owner */
	/* ids of a record in an array; of a group's members there may be many */
	uint32_t ids[UINT8_MAX + 1];
	uint64_t *members;
	size_t room_members;
	OTF2_AttributeValue values[UINT8_MAX + 1];
};

/* False: this record is dropped. */
static bool start_record(struct global_copy *copy, enum measure_kind kind)
{
	const struct measure_sync_numbers *numbers = &copy->emitting->numbering.of[kind];
	const size_t nr = copy->nr_read[kind]++;
	const uint32_t number = nr < numbers->nr_fates ? numbers->fates[nr] : MEASURE_NONE;

	if (number == MEASURE_NONE)
		return false;
	copy->self = numbers->is_changed ? number : numbers->ids[number];
	return true;
}

static uint64_t map(const struct global_copy *copy, enum measure_kind kind, uint64_t id)
{
	return measure_sync_new_id(&copy->emitting->numbering, kind, id);
}

static bool start_owned(struct global_copy *copy, enum measure_kind kind, uint64_t owner)
{
	copy->self = map(copy, kind, owner);
	return true;
}

static const uint32_t *map_all(
	struct global_copy *copy, enum measure_kind kind, uint8_t nr, const uint32_t *ids)
{
	for (uint8_t i = 0; i < nr; i++)
		copy->ids[i] = (uint32_t)map(copy, kind, ids[i]);
	return copy->ids;
}

static const uint64_t *map_members(
	struct global_copy *copy, OTF2_GroupType type, uint32_t nr, const uint64_t *members)
{
	const enum measure_kind kind = measure_kind_of_members(type);

	if (kind == MEASURE_NR_KINDS || !copy->emitting->numbering.of[kind].is_changed)
		return members;
	while (nr >= copy->room_members)
		copy->members = measure_grow(copy->members, copy->room_members, &copy->room_members,
			sizeof(*copy->members));
	for (uint32_t i = 0; i < nr; i++)
		copy->members[i] = map(copy, kind, members[i]);
	return copy->members;
}

/* All references but those to locations are of 32 bits. */
static OTF2_AttributeValue map_value(
	const struct global_copy *copy, OTF2_Type type, OTF2_AttributeValue value)
{
	const enum measure_kind kind = measure_sync_kind_of_value(type);

	if (kind != MEASURE_NR_KINDS && kind != MEASURE_KIND_LOCATION)
		value.uint32 = (uint32_t)map(copy, kind, value.uint32);
	return value;
}

static const OTF2_AttributeValue *map_values(struct global_copy *copy, uint8_t nr,
	const OTF2_Type *types, const OTF2_AttributeValue *values)
{
	for (uint8_t i = 0; i < nr; i++)
		copy->values[i] = map_value(copy, types[i], values[i]);
	return copy->values;
}

/* As many as are there, whatever the archive says. */
static uint64_t nr_events_of(const struct global_copy *copy, uint64_t id, uint64_t nr_said)
{
	const struct measure_definitions *definitions = emit_definitions_of(copy->emitting);
	uint32_t index = measure_definition_index(definitions, MEASURE_KIND_LOCATION, id);

	if (index != MEASURE_NONE && copy->emitting->filter)
		return copy->emitting->nr_written[index];
	if (index == MEASURE_NONE || definitions->locations[index].nr_found == MEASURE_NOT_READ)
		return nr_said;
	return definitions->locations[index].nr_found;
}

#define NEW_NONE(name, KIND)            name
#define NEW_MUST(name, KIND)            (uint32_t) map(copy, MEASURE_KIND_##KIND, name)
#define NEW_MAY                         NEW_MUST
#define NEW_RANKS(name, KIND)           measure_sync_new_rank_group(&copy->emitting->numbering, name)
#define NEW_U8(name, KIND, how)         (uint8_t) NEW_##how(name, KIND)
#define NEW_U32(name, KIND, how)        NEW_##how(name, KIND)
#define NEW_U64(name, KIND, how)        map(copy, MEASURE_KIND_##KIND, name)
#define NEW_I64(name, KIND, how)        name
#define NEW_TEXT(name, KIND, how)       name
#define NEW_U8S(name, KIND, nr)         name
#define NEW_U32S(name, KIND, nr)        map_all(copy, MEASURE_KIND_##KIND, nr, name)
#define NEW_EVENTS(name, id, how)       nr_events_of(copy, id, name)
#define NEW_MEMBERS(name, type, nr)     map_members(copy, type, nr, name)
#define NEW_SCOPE(name, type, how)      map(copy, measure_kind_of_scope(type), name)
#define NEW_VALUE(name, type, how)      map_value(copy, type, name)
#define NEW_VALUES_OF(name, types, nr)  map_values(copy, nr, types, name)
#define NEW(type, name, refers_to, how) , NEW_##type(name, refers_to, how)

#define COPY(Name, width, start, ...)                                                              \
	static OTF2_CallbackCode on_##Name(void *data,                                             \
		MEASURE_PARAMETER_##width(id)                                                      \
			MEASURE_EACH_FIELD(MEASURE_PARAMETER, ##__VA_ARGS__))                      \
	{                                                                                          \
		struct global_copy *copy = data;                                                   \
                                                                                                   \
		(void)id;                                                                          \
		if (start)                                                                         \
			emit_note_record(copy->emitting,                                           \
				OTF2_GlobalDefWriter_Write##Name(copy->writer,                     \
					copy->self MEASURE_EACH_FIELD(NEW, ##__VA_ARGS__)));       \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#define DEFINITION(Name, KIND, width, in, by, ...)                                                 \
	COPY(Name, width, start_record(copy, MEASURE_KIND_##KIND), ##__VA_ARGS__)
#define OWNED(Name, KIND, width, in, by, ...)                                                      \
	COPY(Name, width, start_owned(copy, MEASURE_KIND_##KIND, id), ##__VA_ARGS__)
#include "format/otf2_definitions.def"
#undef DEFINITION
#undef OWNED

static OTF2_CallbackCode on_Unknown(void *data)
{
	return emit_refuse_unknown(((struct global_copy *)data)->emitting);
}

static OTF2_GlobalDefReaderCallbacks *definitions_make_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

#define DEFINITION(Name, ...)                                                                      \
	OTF2_GlobalDefReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#define OWNED DEFINITION
#include "format/otf2_definitions.def"
	OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(callbacks, on_Unknown);
	return callbacks;
}

/* True: there are events. */
static bool find_span_of(const struct measure_sync_emission *emission, uint32_t domain,
	uint64_t *first, uint64_t *last)
{
	const struct measure_sync_correction *correction = &emission->corrections[domain];
	const struct measure_sync_span *span = &emission->graph->of[domain].span;
	struct measure_sync_reading reading = {.piece = 0};

	if (span->first > span->last)
		return false;
	*first = measure_sync_correct(correction, &reading, span->first, 0, 0);
	*last = measure_sync_correct(correction, &reading, span->last, MEASURE_NONE, UINT64_MAX);
	return true;
}

static bool is_unchanged(const struct measure_sync_emission *emission, uint32_t location)
{
	const struct measure_sync_correction *correction =
		&emission->corrections[emission->graph->domains[location]];

	return correction->nr == 1 && measure_clock_function_is_same(&correction->pieces[0].offsets,
					      &emission->graph->trace->offsets[location]);
}

void emit_find_span(struct measure_sync_emission *emission)
{
	const struct measure_sync_graph *graph = emission->graph;
	uint64_t first, last, nr_changed = 0;

	emission->first = UINT64_MAX;
	emission->last = 0;
	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		if (!measure_sync_is_mine(graph, graph->of[i].a_location) ||
			!find_span_of(emission, i, &first, &last))
			continue;
		if (first < emission->first)
			emission->first = first;
		if (last > emission->last)
			emission->last = last;
	}
	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++)
		nr_changed += measure_sync_is_mine(graph, i) && !is_unchanged(emission, i);
	graph->job->ops->combine(&emission->first, 1, MEASURE_SYNC_JOB_LEAST);
	graph->job->ops->combine(&emission->last, 1, MEASURE_SYNC_JOB_MOST);
	emission->is_unchanged = measure_sync_job_sum(graph->job, nr_changed) == 0;
}

static void write_clock_properties(struct emitting *emitting, OTF2_GlobalDefWriter *writer)
{
	const struct measure_sync_emission *emission = emitting->emission;
	struct measure_clock clock = emission->graph->trace->definitions.clock;

	if (!clock.is_defined)
		return;
	if (emission->first <= emission->last &&
		(!emission->is_unchanged || emission->first < clock.offset ||
			emission->last - clock.offset > clock.length)) {
		if (clock.realtime != UNKNOWN_REALTIME && clock.resolution)
			clock.realtime +=
				(uint64_t)(int64_t)((long double)(int64_t)(emission->first -
									   clock.offset) *
						    1e9L / clock.resolution);
		clock.offset = emission->first;
		clock.length = emission->last - emission->first;
	}
	emit_note(emitting, OTF2_GlobalDefWriter_WriteClockProperties(writer, clock.resolution,
				    clock.offset, clock.length, clock.realtime));
}

/* MEASURE_NONE: there is no id left. */
static OTF2_StringRef write_string(struct global_copy *copy, const char *text)
{
	const struct measure_sync_numbers *strings =
		&copy->emitting->numbering.of[MEASURE_KIND_STRING];
	uint64_t id = strings->is_changed ? strings->nr : 0;

	for (size_t i = 0; i < strings->nr && !strings->is_changed; i++)
		if (strings->ids[i] >= id)
			id = strings->ids[i] + 1;
	if (id >= MEASURE_NONE)
		return MEASURE_NONE;
	emit_note(
		copy->emitting, OTF2_GlobalDefWriter_WriteString(copy->writer, (uint32_t)id, text));
	return (OTF2_StringRef)id;
}

/* A location that never recorded needs no file. */
static bool has_lost(const struct measure_location_definition *location)
{
	return location->is_broken && !location->is_truncated &&
	       (location->nr_found > 0 || location->nr_events > 0);
}

/* The files have an end now: who reads them would take them for whole. */
static void write_losses(struct global_copy *copy)
{
	const struct measure_definitions *definitions = emit_definitions_of(copy->emitting);
	OTF2_StringRef name = MEASURE_NONE;

	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const struct measure_location_definition *location = &definitions->locations[i];
		OTF2_AttributeValue value = {.uint64 = OTF2_UNDEFINED_UINT64};

		if (!has_lost(location))
			continue;
		if (name == MEASURE_NONE)
			name = write_string(copy, MEASURE_PROPERTY_LOST_TRUNCATED);
		if (name == MEASURE_NONE)
			return;
		if (location->nr_events > location->nr_found)
			value.uint64 = location->nr_events - location->nr_found;
		emit_note(copy->emitting, OTF2_GlobalDefWriter_WriteLocationProperty(copy->writer,
						  location->id, name, OTF2_TYPE_UINT64, value));
	}
}

void emit_global_definitions(struct emitting *emitting)
{
	struct global_copy copy = {
		.emitting = emitting, .writer = OTF2_Archive_GetGlobalDefWriter(emitting->archive)};
	OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(emitting->reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = definitions_make_callbacks();
	uint64_t nr_read;

	if (!copy.writer || !reader) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	write_clock_properties(emitting, copy.writer);
	emit_note_input(emitting,
		OTF2_Reader_RegisterGlobalDefCallbacks(emitting->reader, reader, callbacks, &copy));
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	emit_note_input(
		emitting, OTF2_Reader_ReadAllGlobalDefinitions(emitting->reader, reader, &nr_read));
	OTF2_Reader_CloseGlobalDefReader(emitting->reader, reader);
	write_losses(&copy);
	measure_free(copy.members);
	emit_note(emitting, OTF2_Archive_CloseGlobalDefWriter(emitting->archive, copy.writer));
}
