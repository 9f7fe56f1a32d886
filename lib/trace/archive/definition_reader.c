/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills struct measure_definitions from an OTF2 reader. */
#include "config.h"

#include "definition_reader_internal.h"

#include <stdlib.h>
#include <string.h>

#define GROW(reader, things)                                                                       \
	measure_grow((reader)->definitions->things, (reader)->definitions->nr_##things,            \
		&(reader)->definitions->room_##things, sizeof(*(reader)->definitions->things))

#define REFER(KIND, ref)      definition_refer(reader, MEASURE_KIND_##KIND, ref, false);
#define MAY_REFER(KIND, ref)  definition_refer(reader, MEASURE_KIND_##KIND, ref, true);
#define REFER_ALL(KIND, n, r) definition_refer_all(reader, MEASURE_KIND_##KIND, n, r);
#define UNUSED(parameter)     (void)(parameter);
#define SPREAD(...)           __VA_ARGS__

#define DEFINITION(Name, KIND, owner, parameters, references)                                      \
	static OTF2_CallbackCode on_##Name(void *data, SPREAD parameters)                          \
	{                                                                                          \
		struct definition_reader *reader = data;                                           \
                                                                                                   \
		definition_define(reader, MEASURE_KIND_##KIND, owner, 0);                          \
		references return OTF2_CALLBACK_SUCCESS;                                           \
	}
#define OWNED(Name, KIND, owner, parameters, references)                                           \
	static OTF2_CallbackCode on_##Name(void *data, SPREAD parameters)                          \
	{                                                                                          \
		struct definition_reader *reader = data;                                           \
                                                                                                   \
		definition_begin(reader, MEASURE_KIND_##KIND, owner);                              \
		definition_refer(reader, MEASURE_KIND_##KIND, owner, false);                       \
		references return OTF2_CALLBACK_SUCCESS;                                           \
	}
#include "definition_references.def"
#undef DEFINITION
#undef OWNED

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

static OTF2_CallbackCode on_Paradigm(
	void *data, OTF2_Paradigm paradigm, OTF2_StringRef name, OTF2_ParadigmClass class)
{
	struct definition_reader *reader = data;

	definition_define(reader, MEASURE_KIND_PARADIGM, paradigm, 0);
	REFER(STRING, name)
	UNUSED(class)
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_String(void *data, OTF2_StringRef self, const char *string)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;

	if (!definition_define(reader, MEASURE_KIND_STRING, self, definitions->nr_strings))
		return OTF2_CALLBACK_SUCCESS;
	definitions->strings = GROW(reader, strings);
	definitions->strings[definitions->nr_strings++] = measure_copy_text(string);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_Attribute(void *data, OTF2_AttributeRef self, OTF2_StringRef name,
	OTF2_StringRef description, OTF2_Type type)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new =
		definition_define(reader, MEASURE_KIND_ATTRIBUTE, self, definitions->nr_attributes);

	REFER(STRING, name)
	MAY_REFER(STRING, description)
	if (is_new) {
		definitions->attributes = GROW(reader, attributes);
		definitions->attributes[definitions->nr_attributes++] =
			(struct measure_attribute){name, type};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_SystemTreeNode(void *data, OTF2_SystemTreeNodeRef self,
	OTF2_StringRef name, OTF2_StringRef class, OTF2_SystemTreeNodeRef parent)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new = definition_define(
		reader, MEASURE_KIND_SYSTEM_TREE_NODE, self, definitions->nr_tree_nodes);

	REFER(STRING, name)
	REFER(STRING, class)
	MAY_REFER(SYSTEM_TREE_NODE, parent)
	if (is_new) {
		definitions->tree_nodes = GROW(reader, tree_nodes);
		definitions->tree_nodes[definitions->nr_tree_nodes++] =
			(struct measure_tree_node){self, name, parent, false};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_SystemTreeNodeDomain(
	void *data, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	uint32_t index = measure_definition_index(definitions, MEASURE_KIND_SYSTEM_TREE_NODE, node);

	definition_begin(reader, MEASURE_KIND_SYSTEM_TREE_NODE, node);
	REFER(SYSTEM_TREE_NODE, node)
	if (index != MEASURE_NONE && domain == OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY)
		definitions->tree_nodes[index].has_shared_memory = true;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_LocationGroup(void *data, OTF2_LocationGroupRef self,
	OTF2_StringRef name, OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
	OTF2_LocationGroupRef creator)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new = definition_define(
		reader, MEASURE_KIND_LOCATION_GROUP, self, definitions->nr_location_groups);

	REFER(STRING, name)
	MAY_REFER(SYSTEM_TREE_NODE, parent)
	MAY_REFER(LOCATION_GROUP, creator)
	if (is_new) {
		definitions->location_groups = GROW(reader, location_groups);
		definitions->location_groups[definitions->nr_location_groups++] =
			(struct measure_location_group){
				.id = self,
				.name = name,
				.creator = creator,
				.type = type,
				.tree_node = parent};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_Location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
	OTF2_LocationType type, uint64_t nr_events, OTF2_LocationGroupRef group)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new =
		definition_define(reader, MEASURE_KIND_LOCATION, self, definitions->nr_locations);

	REFER(STRING, name)
	REFER(LOCATION_GROUP, group)
	if (is_new) {
		definitions->locations = GROW(reader, locations);
		definitions->locations[definitions->nr_locations++] =
			(struct measure_location_definition){.id = self,
				.name = name,
				.group = group,
				.nr_events = nr_events,
				.nr_found = MEASURE_NOT_READ,
				.type = type};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_Region(void *data, OTF2_RegionRef self, OTF2_StringRef name,
	OTF2_StringRef canonical_name, OTF2_StringRef description, OTF2_RegionRole role,
	OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
	uint32_t end_line)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new = definition_define(reader, MEASURE_KIND_REGION, self, definitions->nr_regions);

	REFER(STRING, name)
	MAY_REFER(STRING, canonical_name)
	MAY_REFER(STRING, description)
	MAY_REFER(STRING, file)
	if (is_new) {
		definitions->regions = GROW(reader, regions);
		definitions->regions[definitions->nr_regions++] =
			(struct measure_region){self, name, canonical_name, file, description,
				begin_line, end_line, role, paradigm, flags};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static void refer_members(
	struct definition_reader *reader, OTF2_GroupType type, uint32_t nr, const uint64_t *members)
{
	enum measure_kind kind;

	switch (type) {
	case OTF2_GROUP_TYPE_LOCATIONS:
	case OTF2_GROUP_TYPE_COMM_LOCATIONS:
		kind = MEASURE_KIND_LOCATION;
		break;
	case OTF2_GROUP_TYPE_REGIONS:
		kind = MEASURE_KIND_REGION;
		break;
	case OTF2_GROUP_TYPE_METRIC:
		kind = MEASURE_KIND_METRIC;
		break;
	default:
		return; /* indices into the COMM_LOCATIONS, checked with the contract */
	}
	for (uint32_t i = 0; i < nr; i++)
		definition_refer(reader, kind, members[i], false);
}

static bool has_ranks(OTF2_GroupType type)
{
	return type == OTF2_GROUP_TYPE_COMM_GROUP || type == OTF2_GROUP_TYPE_COMM_SELF;
}

/* Where several have one id, the first stands for it; for communicators the first with ranks. */
static OTF2_CallbackCode on_Group(void *data, OTF2_GroupRef self, OTF2_StringRef name,
	OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t nr_members,
	const uint64_t *members)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	struct measure_group *group;

	bool is_kept = definition_define(reader, MEASURE_KIND_GROUP, self, definitions->nr_groups);
	MAY_REFER(STRING, name)
	refer_members(reader, type, nr_members, members);
	if (has_ranks(type))
		is_kept |= measure_map_intern(&definitions->rank_groups, measure_key_of(self),
				   definitions->nr_groups) == definitions->nr_groups;
	if (!is_kept)
		return OTF2_CALLBACK_SUCCESS;
	definitions->groups = GROW(reader, groups);
	group = &definitions->groups[definitions->nr_groups++];
	*group = (struct measure_group){self, name, nr_members, type, paradigm, flags,
		measure_zeroed(nr_members, sizeof(*group->members))};
	if (nr_members)
		memcpy(group->members, members, nr_members * sizeof(*members));
	return OTF2_CALLBACK_SUCCESS;
}

static void add_comm(struct definition_reader *reader, struct measure_comm comm)
{
	struct measure_definitions *definitions = reader->definitions;
	bool is_new = definition_define(reader, MEASURE_KIND_COMM, comm.id, definitions->nr_comms);

	MAY_REFER(STRING, comm.name)
	REFER(GROUP, comm.groups[0])
	if (comm.is_inter)
		REFER(GROUP, comm.groups[1])
	MAY_REFER(COMM, comm.parent)
	if (is_new) {
		definitions->comms = GROW(reader, comms);
		definitions->comms[definitions->nr_comms++] = comm;
	}
}

static OTF2_CallbackCode on_Comm(void *data, OTF2_CommRef self, OTF2_StringRef name,
	OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	add_comm(data, (struct measure_comm){
			       self, name, parent, false, {group, OTF2_UNDEFINED_GROUP}, flags});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_InterComm(void *data, OTF2_CommRef self, OTF2_StringRef name,
	OTF2_GroupRef group_a, OTF2_GroupRef group_b, OTF2_CommRef common, OTF2_CommFlag flags)
{
	add_comm(data, (struct measure_comm){self, name, common, true, {group_a, group_b}, flags});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_CartDimension(void *data, OTF2_CartDimensionRef self,
	OTF2_StringRef name, uint32_t size, OTF2_CartPeriodicity periodicity)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new = definition_define(
		reader, MEASURE_KIND_CART_DIMENSION, self, definitions->nr_dimensions);

	MAY_REFER(STRING, name)
	UNUSED(periodicity)
	if (is_new) {
		definitions->dimensions = GROW(reader, dimensions);
		definitions->dimensions[definitions->nr_dimensions++] = size;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_CartTopology(void *data, OTF2_CartTopologyRef self, OTF2_StringRef name,
	OTF2_CommRef comm, uint8_t nr_dimensions, const OTF2_CartDimensionRef *dimensions)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	struct measure_topology *topology;

	bool is_new = definition_define(
		reader, MEASURE_KIND_CART_TOPOLOGY, self, definitions->nr_topologies);
	MAY_REFER(STRING, name)
	REFER(COMM, comm)
	REFER_ALL(CART_DIMENSION, nr_dimensions, dimensions)
	if (!is_new)
		return OTF2_CALLBACK_SUCCESS;
	definitions->topologies = GROW(reader, topologies);
	topology = &definitions->topologies[definitions->nr_topologies++];
	*topology = (struct measure_topology){self, name, comm, nr_dimensions, {0}};
	for (uint8_t i = 0; i < nr_dimensions; i++) {
		uint32_t index = measure_definition_index(
			definitions, MEASURE_KIND_CART_DIMENSION, dimensions[i]);
		if (index != MEASURE_NONE)
			topology->sizes[i] = definitions->dimensions[index];
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_CartCoordinate(void *data, OTF2_CartTopologyRef topology, uint32_t rank,
	uint8_t nr_dimensions, const uint32_t *coordinates)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	struct measure_coordinate *coordinate;

	definition_begin(reader, MEASURE_KIND_CART_TOPOLOGY, topology);
	REFER(CART_TOPOLOGY, topology)
	definitions->coordinates = GROW(reader, coordinates);
	coordinate = &definitions->coordinates[definitions->nr_coordinates++];
	*coordinate = (struct measure_coordinate){
		topology, rank, nr_dimensions, measure_zeroed(nr_dimensions, sizeof(*coordinates))};
	memcpy(coordinate->places, coordinates, nr_dimensions * sizeof(*coordinates));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_RmaWin(void *data, OTF2_RmaWinRef self, OTF2_StringRef name,
	OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new =
		definition_define(reader, MEASURE_KIND_RMA_WIN, self, definitions->nr_windows);

	MAY_REFER(STRING, name)
	REFER(COMM, comm)
	if (is_new) {
		definitions->windows = GROW(reader, windows);
		definitions->windows[definitions->nr_windows++] =
			(struct measure_window){self, name, comm, flags};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_IoHandle(void *data, OTF2_IoHandleRef self, OTF2_StringRef name,
	OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags, OTF2_CommRef comm,
	OTF2_IoHandleRef parent)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new =
		definition_define(reader, MEASURE_KIND_IO_HANDLE, self, definitions->nr_io_handles);

	MAY_REFER(STRING, name)
	MAY_REFER(IO_FILE, file)
	REFER(IO_PARADIGM, paradigm)
	MAY_REFER(COMM, comm)
	MAY_REFER(IO_HANDLE, parent)
	if (is_new) {
		definitions->io_handles = GROW(reader, io_handles);
		definitions->io_handles[definitions->nr_io_handles++] =
			(struct measure_io_handle){self, name, comm, flags};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static void add_metric(struct definition_reader *reader, struct measure_metric metric)
{
	struct measure_definitions *definitions = reader->definitions;

	if (!definition_define(reader, MEASURE_KIND_METRIC, metric.id, definitions->nr_metrics))
		return;
	definitions->metrics = GROW(reader, metrics);
	definitions->metrics[definitions->nr_metrics++] = metric;
}

static OTF2_CallbackCode on_MetricClass(void *data, OTF2_MetricRef self, uint8_t nr_members,
	const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence, OTF2_RecorderKind by)
{
	struct definition_reader *reader = data;

	add_metric(reader, (struct measure_metric){self, nr_members,
				   occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT, MEASURE_NONE});
	REFER_ALL(METRIC_MEMBER, nr_members, members)
	UNUSED(by)
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_MetricInstance(void *data, OTF2_MetricRef self, OTF2_MetricRef class,
	OTF2_LocationRef recorder, OTF2_MetricScope scope_kind, uint64_t scope)
{
	const enum measure_kind kind = measure_kind_of_scope(scope_kind);
	struct definition_reader *reader = data;

	add_metric(reader, (struct measure_metric){self, 0, false, class});
	REFER(METRIC, class)
	REFER(LOCATION, recorder)
	if (kind != MEASURE_NR_KINDS)
		definition_refer(reader, kind, scope, false);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_CallingContext(void *data, OTF2_CallingContextRef self,
	OTF2_RegionRef region, OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
	struct definition_reader *reader = data;
	struct measure_definitions *definitions = reader->definitions;
	bool is_new = definition_define(
		reader, MEASURE_KIND_CALLING_CONTEXT, self, definitions->nr_calling_contexts);

	REFER(REGION, region)
	MAY_REFER(SOURCE_CODE_LOCATION, place)
	MAY_REFER(CALLING_CONTEXT, parent)
	if (is_new) {
		definitions->calling_contexts = GROW(reader, calling_contexts);
		definitions->calling_contexts[definitions->nr_calling_contexts++] =
			(struct measure_calling_context){region, parent};
	}
	return OTF2_CALLBACK_SUCCESS;
}

static void add_property(struct definition_reader *reader, enum measure_kind kind, uint64_t owner,
	struct measure_property property)
{
	struct measure_definitions *definitions = reader->definitions;

	definition_begin(reader, kind, owner);
	definition_refer(reader, kind, owner, false);
	REFER(STRING, property.name)
	property.kind = kind;
	property.owner = measure_definition_index(definitions, kind, owner);
	definitions->properties = GROW(reader, properties);
	definitions->properties[definitions->nr_properties++] = property;
}

static OTF2_CallbackCode on_LocationGroupProperty(void *data, OTF2_LocationGroupRef owner,
	OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	add_property(data, MEASURE_KIND_LOCATION_GROUP, owner,
		(struct measure_property){.name = name, .type = type, .value = value});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_LocationProperty(void *data, OTF2_LocationRef owner,
	OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	add_property(data, MEASURE_KIND_LOCATION, owner,
		(struct measure_property){.name = name, .type = type, .value = value});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

	if (!callbacks)
		return NULL;
#define DEFINITION(Name, KIND, owner, parameters, references)                                      \
	OTF2_GlobalDefReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#define OWNED DEFINITION
#include "definition_references.def"
	DEFINITION(ClockProperties, , , , )
	DEFINITION(Paradigm, , , , )
	DEFINITION(String, , , , )
	DEFINITION(Attribute, , , , )
	DEFINITION(SystemTreeNode, , , , )
	DEFINITION(SystemTreeNodeDomain, , , , )
	DEFINITION(LocationGroup, , , , )
	DEFINITION(Location, , , , )
	DEFINITION(Region, , , , )
	DEFINITION(Group, , , , )
	DEFINITION(Comm, , , , )
	DEFINITION(InterComm, , , , )
	DEFINITION(CartDimension, , , , )
	DEFINITION(CartTopology, , , , )
	DEFINITION(CartCoordinate, , , , )
	DEFINITION(RmaWin, , , , )
	DEFINITION(IoHandle, , , , )
	DEFINITION(MetricClass, , , , )
	DEFINITION(MetricInstance, , , , )
	DEFINITION(CallingContext, , , , )
	DEFINITION(LocationGroupProperty, , , , )
	DEFINITION(LocationProperty, , , , )
#undef OWNED
#undef DEFINITION
	return callbacks;
}

OTF2_ErrorCode measure_definitions_read(struct measure_definitions *definitions, OTF2_Reader *otf2,
	uint64_t nr_most, struct measure_findings *findings)
{
	struct definition_reader reader = {.definitions = definitions, .findings = findings};
	OTF2_GlobalDefReader *otf2_definitions = OTF2_Reader_GetGlobalDefReader(otf2);
	OTF2_GlobalDefReaderCallbacks *callbacks = make_callbacks();
	OTF2_ErrorCode status = OTF2_ERROR_FILE_INTERACTION;

	if (otf2_definitions && callbacks)
		status = OTF2_Reader_RegisterGlobalDefCallbacks(
			otf2, otf2_definitions, callbacks, &reader);
	if (status == OTF2_SUCCESS)
		status = OTF2_Reader_ReadGlobalDefinitions(
			otf2, otf2_definitions, nr_most, &definitions->nr_read);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (otf2_definitions)
		OTF2_Reader_CloseGlobalDefReader(otf2, otf2_definitions);
	definition_settle(&reader);
	measure_definitions_link(definitions);
	return status;
}
