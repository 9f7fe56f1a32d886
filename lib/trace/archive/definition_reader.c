/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills struct measure_definitions from an OTF2 reader. References are looked up when they are read
 * (so that wrong order shows) and those not found again at the end (so that order and absence are
 * told apart). */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "format/otf2_records.h"

struct definition_reader {
	struct measure_definitions *definitions;
	struct measure_findings *findings;
	struct definition_reference {
		enum measure_kind owner_kind, kind;
		uint64_t owner, id;
	} * pending; /* not defined yet when they were read */
	size_t nr_pending, room_pending;
	/* the definition being read */
	enum measure_kind kind;
	uint64_t id;
};

/* -------------------------------------------------------------------- references --- */

static void report_reference(struct definition_reader *reader, enum measure_check check,
	const struct definition_reference *reference)
{
	measure_report(reader->findings, check, measure_nowhere, "%s %llu refers to %s %llu",
		measure_kind_words[reference->owner_kind], (unsigned long long)reference->owner,
		measure_kind_words[reference->kind], (unsigned long long)reference->id);
}

/* The definition being read refers to others; to none where the kind is MEASURE_KIND_NONE. */
static void definition_refer(struct definition_reader *reader, enum measure_kind kind, uint64_t id,
	bool may_be_undefined)
{
	struct definition_reference reference = {reader->kind, kind, reader->id, id};

	if (kind == MEASURE_KIND_NONE)
		return;
	if (measure_kind_is_undefined(kind, id)) {
		if (!may_be_undefined)
			measure_report(reader->findings, MEASURE_CHECK_DEFINITION_UNRESOLVED,
				measure_nowhere, "%s %llu has no %s",
				measure_kind_words[reader->kind], (unsigned long long)reader->id,
				measure_kind_words[kind]);
		return;
	}
	if (measure_definition_index(reader->definitions, kind, id) != MEASURE_NONE)
		return;
	*measure_append(reader, pending) = reference;
}

static void definition_refer_all(
	struct definition_reader *reader, enum measure_kind kind, size_t nr, const uint32_t *ids)
{
	for (size_t i = 0; i < nr; i++)
		definition_refer(reader, kind, ids[i], false);
}

/* Starts the definition of an id, whose index is the number of those before it. False: it is there
 * already, and the first one stays; of groups not all are kept, and it depends on more. */
static bool definition_define(struct definition_reader *reader, enum measure_kind kind, uint64_t id)
{
	const bool is_group = kind == MEASURE_KIND_GROUP;
	struct measure_map *ids = &reader->definitions->ids[kind];
	size_t nr_before = ids->nr_used;

	reader->kind = kind;
	reader->id = id;
	measure_map_intern(
		ids, measure_key_of(id), is_group ? reader->definitions->nr_groups : nr_before);
	if (ids->nr_used != nr_before)
		return true;
	measure_report(reader->findings, MEASURE_CHECK_DEFINITION_DUPLICATE, measure_nowhere,
		"%s %llu is defined twice", measure_kind_words[kind], (unsigned long long)id);
	return is_group;
}

/* Starts a record that belongs to what has an id. True. */
static bool definition_own(struct definition_reader *reader, enum measure_kind kind, uint64_t owner)
{
	reader->kind = kind;
	reader->id = owner;
	definition_refer(reader, kind, owner, false);
	return true;
}

/* All are read: what was not defined when it was referred to has been since, or never is. */
static void definition_settle(struct definition_reader *reader)
{
	for (size_t i = 0; i < reader->nr_pending; i++) {
		const struct definition_reference *reference = &reader->pending[i];
		bool is_late = measure_definition_index(reader->definitions, reference->kind,
				       reference->id) != MEASURE_NONE;

		report_reference(reader,
			is_late ? MEASURE_CHECK_DEFINITION_ORDER
				: MEASURE_CHECK_DEFINITION_UNRESOLVED,
			reference);
	}
	measure_free(reader->pending);
}

/* ------------------------------------------------------------------ what is kept --- */

/* struct record_Region { uint32_t id; uint32_t name; ... }; and so on. */
#define DEFINITION(Name, KIND, width, in, by, ...)                                                 \
	struct record_##Name {                                                                     \
		MEASURE_PARAMETER_##width(id);                                                     \
		MEASURE_EACH_FIELD(MEASURE_MEMBER, ##__VA_ARGS__)                                  \
	};
#define OWNED DEFINITION
#include "format/otf2_definitions.def"
#undef DEFINITION
#undef OWNED

/* A new one of definitions->things. */
#define ADD(things) measure_append(definitions, things)

/* The function that keeps what is needed of a record. */
#define KEEP(Name)                                                                                 \
	static void keep_##Name(                                                                   \
		struct measure_definitions *definitions, const struct record_##Name *record)

KEEP(String)
{
	*ADD(strings) = measure_copy_text(record->string);
}

KEEP(Attribute)
{
	*ADD(attributes) = (struct measure_attribute){record->name, record->type};
}

KEEP(SystemTreeNode)
{
	*ADD(tree_nodes) =
		(struct measure_tree_node){record->id, record->name, record->parent, false};
}

KEEP(SystemTreeNodeDomain)
{
	uint32_t index =
		measure_definition_index(definitions, MEASURE_KIND_SYSTEM_TREE_NODE, record->id);

	if (index != MEASURE_NONE && record->domain == OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY)
		definitions->tree_nodes[index].has_shared_memory = true;
}

KEEP(LocationGroup)
{
	*ADD(location_groups) = (struct measure_location_group){.id = record->id,
		.name = record->name,
		.creator = record->creator,
		.type = record->type,
		.tree_node = record->parent};
}

KEEP(Location)
{
	*ADD(locations) = (struct measure_location_definition){.id = record->id,
		.name = record->name,
		.group = record->group,
		.nr_events = record->nr_events,
		.nr_found = MEASURE_NOT_READ,
		.type = record->type};
}

KEEP(Region)
{
	*ADD(regions) = (struct measure_region){record->id, record->name, record->canonical_name,
		record->file, record->description, record->begin_line, record->end_line,
		record->role, record->paradigm, record->flags};
}

/* Where several have one id, the first stands for it; for communicators the first with ranks. */
KEEP(Group)
{
	const size_t index = definitions->nr_groups;
	bool is_kept =
		measure_definition_index(definitions, MEASURE_KIND_GROUP, record->id) == index;
	struct measure_group *group;

	if (record->type == OTF2_GROUP_TYPE_COMM_GROUP || record->type == OTF2_GROUP_TYPE_COMM_SELF)
		is_kept |= measure_map_intern(&definitions->rank_groups, measure_key_of(record->id),
				   index) == index;
	if (!is_kept)
		return;
	group = ADD(groups);
	*group = (struct measure_group){record->id, record->name, record->nr_members, record->type,
		record->paradigm, record->flags,
		measure_zeroed(record->nr_members, sizeof(*group->members))};
	if (record->nr_members)
		memcpy(group->members, record->members,
			record->nr_members * sizeof(*group->members));
}

KEEP(Comm)
{
	*ADD(comms) = (struct measure_comm){record->id, record->name, record->parent, false,
		{record->group, OTF2_UNDEFINED_GROUP}, record->flags, NULL};
}

KEEP(InterComm)
{
	*ADD(comms) = (struct measure_comm){record->id, record->name, record->parent, true,
		{record->group_a, record->group_b}, record->flags, NULL};
}

KEEP(CartDimension)
{
	*ADD(dimensions) = record->size;
}

KEEP(CartTopology)
{
	struct measure_topology *topology = ADD(topologies);

	*topology = (struct measure_topology){
		record->id, record->name, record->comm, record->nr_dimensions, {0}};
	for (uint8_t i = 0; i < record->nr_dimensions; i++) {
		uint32_t index = measure_definition_index(
			definitions, MEASURE_KIND_CART_DIMENSION, record->dimensions[i]);
		if (index != MEASURE_NONE)
			topology->sizes[i] = definitions->dimensions[index];
	}
}

KEEP(CartCoordinate)
{
	struct measure_coordinate *coordinate = ADD(coordinates);

	*coordinate = (struct measure_coordinate){record->id, record->rank, record->nr_dimensions,
		measure_zeroed(record->nr_dimensions, sizeof(*coordinate->places))};
	memcpy(coordinate->places, record->coordinates,
		record->nr_dimensions * sizeof(*coordinate->places));
}

KEEP(RmaWin)
{
	*ADD(windows) = (struct measure_window){
		record->id, record->name, record->comm, record->flags, NULL};
}

KEEP(IoHandle)
{
	*ADD(io_handles) = (struct measure_io_handle){.id = record->id,
		.name = record->name,
		.comm = record->comm,
		.file = record->file,
		.paradigm = record->paradigm == UINT8_MAX ? MEASURE_NONE : record->paradigm,
		.flags = record->flags};
}

KEEP(IoParadigm)
{
	*ADD(io_paradigms) = (struct measure_io_name){record->name};
}

KEEP(IoRegularFile)
{
	*ADD(io_files) = (struct measure_io_name){record->name};
}

KEEP(IoDirectory)
{
	*ADD(io_files) = (struct measure_io_name){record->name};
}

KEEP(InterruptGenerator)
{
	*ADD(interrupt_generators) = (struct measure_interrupt_generator){
		record->name, record->base, record->exponent, record->period};
}

KEEP(MetricClass)
{
	struct measure_metric *metric = ADD(metrics);

	*metric = (struct measure_metric){record->id, record->nr_members,
		measure_zeroed(record->nr_members, sizeof(*metric->members)),
		record->occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT, MEASURE_NONE};
	for (uint8_t i = 0; i < record->nr_members; i++)
		metric->members[i] = record->members[i];
}

static void keep_MetricMember(
	struct measure_definitions *definitions, const struct record_MetricMember *record)
{
	*ADD(metric_members) = (struct measure_metric_member){record->name, record->unit,
		record->value_type, record->mode, record->base, record->exponent};
}

static void keep_Parameter(
	struct measure_definitions *definitions, const struct record_Parameter *record)
{
	*ADD(parameters) = (struct measure_parameter){record->name};
}

KEEP(MetricInstance)
{
	*ADD(metrics) = (struct measure_metric){record->id, 0, NULL, false, record->metric_class};
}

KEEP(CallingContext)
{
	*ADD(calling_contexts) = (struct measure_calling_context){record->region, record->parent};
}

static void keep_property(struct measure_definitions *definitions, enum measure_kind kind,
	uint64_t owner, struct measure_property property)
{
	property.kind = kind;
	property.owner = measure_definition_index(definitions, kind, owner);
	*ADD(properties) = property;
}

KEEP(LocationGroupProperty)
{
	keep_property(definitions, MEASURE_KIND_LOCATION_GROUP, record->id,
		(struct measure_property){
			.name = record->name, .type = record->type, .value = record->value});
}

KEEP(LocationProperty)
{
	keep_property(definitions, MEASURE_KIND_LOCATION, record->id,
		(struct measure_property){
			.name = record->name, .type = record->type, .value = record->value});
}

/* ----------------------------------------------------------------------- records --- */

static void refer_members(
	struct definition_reader *reader, OTF2_GroupType type, uint32_t nr, const uint64_t *members)
{
	for (uint32_t i = 0; i < nr; i++)
		definition_refer(reader, measure_kind_of_members(type), members[i], false);
}

static OTF2_CallbackCode on_ClockProperties(
	void *data, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
	struct definition_reader *reader = data;
	struct measure_clock *clock = &reader->definitions->clock;

	if (clock->is_defined) {
		measure_report(reader->findings, MEASURE_CHECK_CLOCK_PROPERTIES, measure_nowhere,
			"the clock properties are defined twice");
		return OTF2_CALLBACK_SUCCESS;
	}
	*clock = (struct measure_clock){true, resolution, offset, length, realtime};
	return OTF2_CALLBACK_SUCCESS;
}

#define REFER_NONE(name, KIND)
#define REFER_MUST(name, KIND)     definition_refer(reader, MEASURE_KIND_##KIND, name, false);
#define REFER_MAY(name, KIND)      definition_refer(reader, MEASURE_KIND_##KIND, name, true);
#define REFER_RANKS                REFER_MUST
#define CHECK_U8(name, KIND, how)  REFER_##how(name, KIND)
#define CHECK_U32(name, KIND, how) REFER_##how(name, KIND)
#define CHECK_U64(name, KIND, how) REFER_##how(name, KIND)
#define CHECK_I64(name, KIND, how)
#define CHECK_TEXT(name, KIND, how)
#define CHECK_U8S(name, KIND, nr)
#define CHECK_U32S(name, KIND, nr) definition_refer_all(reader, MEASURE_KIND_##KIND, nr, name);
#define CHECK_EVENTS(name, id, how)
#define CHECK_MEMBERS(name, type, nr) refer_members(reader, type, nr, name);
#define CHECK_SCOPE(name, type, how)                                                               \
	definition_refer(reader, measure_kind_of_scope(type), name, false);
#define CHECK_VALUE(name, type, how)
#define CHECK_VALUES_OF(name, types, nr)
#define CHECK(type, name, refers_to, how) CHECK_##type(name, refers_to, how)
#define KEEP_KEPT(Name)                   keep_##Name(reader->definitions, &record);
#define KEEP_CHECKED(Name)                (void)record;

#define READ(Name, width, start, by, ...)                                                          \
	static OTF2_CallbackCode on_##Name(void *data,                                             \
		MEASURE_PARAMETER_##width(id)                                                      \
			MEASURE_EACH_FIELD(MEASURE_PARAMETER, ##__VA_ARGS__))                      \
	{                                                                                          \
		const struct record_##Name record = {                                              \
			id MEASURE_EACH_FIELD(MEASURE_NAME, ##__VA_ARGS__)};                       \
		struct definition_reader *reader = data;                                           \
		const bool is_new = start;                                                         \
                                                                                                   \
		MEASURE_EACH_FIELD(CHECK, ##__VA_ARGS__)                                           \
		if (is_new) {                                                                      \
			KEEP_##by(Name)                                                            \
		}                                                                                  \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#define DEFINITION(Name, KIND, width, in, by, ...)                                                 \
	READ(Name, width, definition_define(reader, MEASURE_KIND_##KIND, id), by, ##__VA_ARGS__)
#define OWNED(Name, KIND, width, in, by, ...)                                                      \
	READ(Name, width, definition_own(reader, MEASURE_KIND_##KIND, id), by, ##__VA_ARGS__)
#include "format/otf2_definitions.def"
#undef DEFINITION
#undef OWNED

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

	if (!callbacks)
		return NULL;
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_ClockProperties);
#define DEFINITION(Name, ...)                                                                      \
	OTF2_GlobalDefReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#define OWNED DEFINITION
#include "format/otf2_definitions.def"
	return callbacks;
}

OTF2_ErrorCode measure_definitions_visit(OTF2_Reader *reader,
	OTF2_GlobalDefReaderCallbacks *callbacks, void *data, uint64_t nr_most, uint64_t *nr_read)
{
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_ErrorCode status = OTF2_ERROR_FILE_INTERACTION;

	if (definitions && callbacks)
		status = OTF2_Reader_RegisterGlobalDefCallbacks(
			reader, definitions, callbacks, data);
	if (status == OTF2_SUCCESS)
		status = OTF2_Reader_ReadGlobalDefinitions(reader, definitions, nr_most, nr_read);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (definitions)
		OTF2_Reader_CloseGlobalDefReader(reader, definitions);
	return status;
}

OTF2_ErrorCode measure_definitions_read(struct measure_definitions *definitions, OTF2_Reader *otf2,
	uint64_t nr_most, struct measure_findings *findings)
{
	struct definition_reader reader = {.definitions = definitions, .findings = findings};
	const OTF2_ErrorCode status = measure_definitions_visit(
		otf2, make_callbacks(), &reader, nr_most, &definitions->nr_read);

	definition_settle(&reader);
	measure_definitions_link(definitions);
	return status;
}
