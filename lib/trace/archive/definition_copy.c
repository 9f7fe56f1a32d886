/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies global definitions: every record as it was, but for numbers of events and ids that had to
 * be changed. */
#include "config.h"

#include "definition_copy.h"

#include "format/otf2_records.h"
#include "trace/common/containers.h"

/* Old tools wrote Callsite and Callpath; the library warns of writing more. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

struct definition_copy {
	const struct measure_definition_copying *copying;
	size_t nr_read[MEASURE_NR_KINDS]; /* records */
	uint64_t self;                    /* the id of the record, or of its owner */
	/* ids of a record in an array; of a group's members there may be many */
	uint32_t ids[UINT8_MAX + 1];
	uint64_t *members;
	size_t room_members;
	OTF2_AttributeValue values[UINT8_MAX + 1];
	bool has_unknown;
};

/* False: this record is dropped. */
static bool start_record(struct definition_copy *copy, enum measure_kind kind)
{
	const struct measure_id_numbers *numbers = &copy->copying->numbering->of[kind];
	const size_t nr = copy->nr_read[kind]++;
	const uint32_t number = nr < numbers->nr_fates ? numbers->fates[nr] : MEASURE_NONE;

	if (number == MEASURE_NONE)
		return false;
	copy->self = numbers->is_changed ? number : numbers->ids[number];
	return true;
}

static uint64_t map(const struct definition_copy *copy, enum measure_kind kind, uint64_t id)
{
	return measure_new_id(copy->copying->numbering, kind, id);
}

static bool start_owned(struct definition_copy *copy, enum measure_kind kind, uint64_t owner)
{
	copy->self = map(copy, kind, owner);
	return true;
}

static const uint32_t *map_all(
	struct definition_copy *copy, enum measure_kind kind, uint8_t nr, const uint32_t *ids)
{
	for (uint8_t i = 0; i < nr; i++)
		copy->ids[i] = (uint32_t)map(copy, kind, ids[i]);
	return copy->ids;
}

static const uint64_t *map_members(
	struct definition_copy *copy, OTF2_GroupType type, uint32_t nr, const uint64_t *members)
{
	const enum measure_kind kind = measure_kind_of_members(type);

	if (kind == MEASURE_NR_KINDS || !copy->copying->numbering->of[kind].is_changed)
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
	const struct definition_copy *copy, OTF2_Type type, OTF2_AttributeValue value)
{
	const enum measure_kind kind = measure_kind_of_value(type);

	if (kind != MEASURE_NR_KINDS && kind != MEASURE_KIND_LOCATION)
		value.uint32 = (uint32_t)map(copy, kind, value.uint32);
	return value;
}

static const OTF2_AttributeValue *map_values(struct definition_copy *copy, uint8_t nr,
	const OTF2_Type *types, const OTF2_AttributeValue *values)
{
	for (uint8_t i = 0; i < nr; i++)
		copy->values[i] = map_value(copy, types[i], values[i]);
	return copy->values;
}

#define NEW_NONE(name, KIND)            name
#define NEW_MUST(name, KIND)            (uint32_t) map(copy, MEASURE_KIND_##KIND, name)
#define NEW_MAY                         NEW_MUST
#define NEW_RANKS(name, KIND)           measure_new_rank_group(copy->copying->numbering, name)
#define NEW_U8(name, KIND, how)         (uint8_t) NEW_##how(name, KIND)
#define NEW_U32(name, KIND, how)        NEW_##how(name, KIND)
#define NEW_U64(name, KIND, how)        map(copy, MEASURE_KIND_##KIND, name)
#define NEW_I64(name, KIND, how)        name
#define NEW_TEXT(name, KIND, how)       name
#define NEW_U8S(name, KIND, nr)         name
#define NEW_U32S(name, KIND, nr)        map_all(copy, MEASURE_KIND_##KIND, nr, name)
#define NEW_EVENTS(name, id, how)       copy->copying->nr_events(copy->copying->data, id, name)
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
		struct definition_copy *copy = data;                                               \
                                                                                                   \
		(void)id;                                                                          \
		if (start)                                                                         \
			copy->copying->note(copy->copying->data,                                   \
				OTF2_GlobalDefWriter_Write##Name(copy->copying->writer,            \
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
	((struct definition_copy *)data)->has_unknown = true;
	return OTF2_CALLBACK_INTERRUPT;
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

OTF2_ErrorCode measure_definitions_copy(
	const struct measure_definition_copying *copying, OTF2_Reader *reader)
{
	struct definition_copy copy = {.copying = copying};
	uint64_t nr_read;
	const OTF2_ErrorCode code = measure_definitions_visit(
		reader, definitions_make_callbacks(), &copy, UINT64_MAX, &nr_read);

	measure_free(copy.members);
	return copy.has_unknown ? OTF2_ERROR_UNKNOWN_TYPE : code;
}

OTF2_StringRef measure_definitions_next_string(const struct measure_id_remapping *numbering)
{
	const struct measure_id_numbers *strings = &numbering->of[MEASURE_KIND_STRING];
	uint64_t id = strings->is_changed ? strings->nr : 0;

	for (size_t i = 0; i < strings->nr && !strings->is_changed; i++)
		if (strings->ids[i] >= id)
			id = strings->ids[i] + 1;
	return id < MEASURE_NONE ? (OTF2_StringRef)id : MEASURE_NONE;
}
