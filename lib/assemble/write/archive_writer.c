/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writing definitions and anchor; see archive_writer.h. The first error is kept and returned by
 * every later call, so the record writers need not look. */
#include "config.h"

#include "archive_writer.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

#include "adapter.h"
#include "base/intern.h"
#include "otf2_error.h"

/* Bytes of a group member or mapping entry at most: a length byte and 8 more. */
#define MEMBER_SIZE 10

#define LEAST_CHUNK (512 * 1024) /* longer than any text of a definition */

struct measure_archive {
	OTF2_Archive *otf2;
	OTF2_ErrorCode code; /* the first one that was none of success */
	bool has_local_files;
};

static OTF2_FlushType always_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {always_flush, NULL};

static measure_status_t archive_writer_note(struct measure_archive *archive, OTF2_ErrorCode code)
{
	if (archive->code == OTF2_SUCCESS)
		archive->code = code;
	return measure_otf2_status(archive->code);
}

/* The chunk of a definition file must hold its largest record. No larger than that: OTF2 clears
 * a whole one for each file, and the default costs small runs 2 ms a file. */
static uint64_t definition_chunk(uint64_t largest)
{
	uint64_t size = LEAST_CHUNK;

	while (size < OTF2_CHUNK_SIZE_MAX && size < largest * MEMBER_SIZE + 4096)
		size *= 2;
	return size;
}

measure_status_t measure_archive_create(const char *directory, uint64_t chunk_size,
	uint64_t largest, struct measure_archive **archive)
{
	struct measure_archive *made = calloc(1, sizeof(*made));

	if (!made)
		return MEASURE_ERROR_MEMORY;
	measure_otf2_silence();
	made->otf2 = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, chunk_size,
		definition_chunk(largest), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!made->otf2) {
		free(made);
		return MEASURE_ERROR_IO;
	}
	archive_writer_note(
		made, OTF2_Archive_SetFlushCallbacks(made->otf2, &flush_callbacks, NULL));
	archive_writer_note(made, OTF2_Archive_SetSerialCollectiveCallbacks(made->otf2));
	if (made->code != OTF2_SUCCESS)
		return measure_archive_close(made);
	*archive = made;
	return MEASURE_OK;
}

measure_status_t measure_archive_creator(struct measure_archive *archive, const char *creator)
{
	return archive_writer_note(archive, OTF2_Archive_SetCreator(archive->otf2, creator));
}

measure_status_t measure_archive_property(struct measure_archive *archive, const char *name,
	const char *value)
{
	return archive_writer_note(
		archive, OTF2_Archive_SetProperty(archive->otf2, name, value, true));
}

measure_status_t measure_archive_complete(struct measure_archive *archive, uint8_t paradigm_class,
	bool is_complete)
{
	static const char *const names[] = {
		[OTF2_PARADIGM_CLASS_PROCESS] = "OTF2::MPI_COMMUNICATION_COMPLETE",
		[OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN] = "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
		[OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT] = "OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE",
	};

	if (paradigm_class >= sizeof(names) / sizeof(*names))
		return MEASURE_OK;
	return archive_writer_note(archive, OTF2_Archive_SetBoolProperty(archive->otf2,
						    names[paradigm_class], is_complete, true));
}

/* ------------------------------------------------------------------------ local --- */

static bool is_identity(const measure_id_map_t *map)
{
	for (size_t i = 0; i < map->nr; i++)
		if (map->items[i] != i)
			return false;
	return true;
}

static void write_map(struct measure_archive *archive, OTF2_DefWriter *writer,
	OTF2_MappingType type, const measure_id_map_t *map)
{
	if (is_identity(map))
		return;
	OTF2_IdMap *ids = OTF2_IdMap_CreateFromUint32Array(map->nr, map->items, true);
	if (!ids) {
		archive_writer_note(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	archive_writer_note(archive, OTF2_DefWriter_WriteMappingTable(writer, type, ids));
	OTF2_IdMap_Free(ids);
}

measure_status_t measure_archive_local(struct measure_archive *archive, uint64_t location,
	const struct measure_local_definitions *definitions)
{
	if (!archive->has_local_files)
		archive_writer_note(archive, OTF2_Archive_OpenDefFiles(archive->otf2));
	archive->has_local_files = true;

	OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->otf2, location);
	if (!writer)
		return archive_writer_note(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	write_map(archive, writer, OTF2_MAPPING_STRING, &definitions->strings);
	write_map(archive, writer, OTF2_MAPPING_REGION, &definitions->regions);
	write_map(archive, writer, OTF2_MAPPING_GROUP, &definitions->groups);
	write_map(archive, writer, OTF2_MAPPING_COMM, &definitions->comms);
	write_map(archive, writer, OTF2_MAPPING_RMA_WIN, &definitions->windows);
	write_map(archive, writer, OTF2_MAPPING_ATTRIBUTE, &definitions->attributes);
	write_map(archive, writer, OTF2_MAPPING_PARAMETER, &definitions->parameters);
	write_map(archive, writer, OTF2_MAPPING_METRIC, &definitions->metric_classes);
	write_map(archive, writer, OTF2_MAPPING_CALLING_CONTEXT, &definitions->contexts);
	write_map(archive, writer, OTF2_MAPPING_INTERRUPT_GENERATOR, &definitions->generators);
	write_map(archive, writer, OTF2_MAPPING_IO_FILE, &definitions->io_files);
	write_map(archive, writer, OTF2_MAPPING_IO_HANDLE, &definitions->io_handles);
	for (size_t i = 0; definitions->clock && i < definitions->clock->nr; i++) {
		const struct measure_clock_knot *knot = &definitions->clock->items[i];
		archive_writer_note(archive, OTF2_DefWriter_WriteClockOffset(writer, knot->time,
						     knot->offset, knot->bound));
	}
	return archive_writer_note(archive, OTF2_Archive_CloseDefWriter(archive->otf2, writer));
}

/* ----------------------------------------------------------------------- global --- */

static void write_strings(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->strings.entries.nr; i++)
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteString(writer, i,
						     measure_intern_key(&definitions->strings, i)));
}

static void write_template(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_otf2_paradigm *paradigm, OTF2_ParadigmProperty property, uint32_t name)
{
	OTF2_AttributeValue value = {.stringRef = name};

	if (name)
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteParadigmProperty(writer,
					 paradigm->paradigm, property, OTF2_TYPE_STRING, value));
}

static void write_paradigms(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (size_t i = 0; i < definitions->paradigms.nr; i++) {
		const struct measure_otf2_paradigm *item = &definitions->paradigms.items[i];
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteParadigm(writer,
						     item->paradigm, item->name, item->class));
		write_template(archive, writer, item, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
			item->comm_template);
		write_template(archive, writer, item, OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE,
			item->window_template);
	}
}

static void write_nodes(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->nodes.nr; i++) {
		const struct measure_otf2_node *node = &definitions->nodes.items[i];
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, i,
						     node->name, node->class, node->parent));
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, i, node->domain));
	}
}

static void write_property(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_otf2_property *property)
{
	OTF2_AttributeValue value = {.uint64 = property->number};
	OTF2_Type type = OTF2_TYPE_UINT64;

	if (property->type == MEASURE_OTF2_STRING) {
		value.stringRef = (OTF2_StringRef)property->number;
		type = OTF2_TYPE_STRING;
	} else if (property->type == MEASURE_OTF2_DOUBLE) {
		value.float64 = property->real;
		type = OTF2_TYPE_DOUBLE;
	}
	switch (property->of) {
	case MEASURE_OTF2_OF_PROCESS:
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer,
						     (OTF2_LocationGroupRef)property->owner,
						     property->name, type, value));
		break;
	case MEASURE_OTF2_OF_LOCATION:
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteLocationProperty(writer,
						     property->owner, property->name, type, value));
		break;
	case MEASURE_OTF2_OF_NODE:
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer,
					 (OTF2_SystemTreeNodeRef)property->owner, property->name,
					 type, value));
		break;
	}
}

static void write_processes(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (size_t i = 0; i < definitions->processes.nr; i++) {
		const struct measure_otf2_process *process = &definitions->processes.items[i];
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteLocationGroup(writer, process->id, process->name,
				OTF2_LOCATION_GROUP_TYPE_PROCESS, process->node, process->creator));
	}
	for (size_t i = 0; i < definitions->locations.nr; i++) {
		const struct measure_otf2_location *location = &definitions->locations.items[i];
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteLocation(writer, location->id, location->name,
				location->is_metric ? OTF2_LOCATION_TYPE_METRIC
						    : OTF2_LOCATION_TYPE_CPU_THREAD,
				location->nr_events, location->process));
	}
	for (size_t i = 0; i < definitions->properties.nr; i++)
		write_property(archive, writer, &definitions->properties.items[i]);
}

static void write_regions(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->regions.nr; i++) {
		const struct measure_otf2_region *region = &definitions->regions.items[i];
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteRegion(writer, i, region->name, region->canonical,
				region->module, (OTF2_RegionRole)region->role,
				(OTF2_Paradigm)region->paradigm, region->flags, region->file,
				region->begin_line, region->end_line));
	}
}

static void write_comms(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->groups.nr; i++) {
		const struct measure_otf2_group *group = &definitions->groups.items[i];
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteGroup(writer, i, group->name,
					 group->type, group->paradigm, OTF2_GROUP_FLAG_NONE,
					 group->nr_members, group->members));
	}
	for (uint32_t i = 0; i < definitions->comms.nr; i++) {
		const struct measure_otf2_comm *comm = &definitions->comms.items[i];
		if (!comm->is_inter)
			archive_writer_note(
				archive, OTF2_GlobalDefWriter_WriteComm(writer, i, comm->name,
						 comm->group, comm->parent, comm->flags));
		else
			archive_writer_note(archive,
				OTF2_GlobalDefWriter_WriteInterComm(writer, i, comm->name,
					comm->group, comm->other_group, comm->parent, comm->flags));
	}
}

static void write_topology(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	uint32_t id, const struct measure_otf2_topology *topology)
{
	OTF2_CartDimensionRef dimensions[UINT8_MAX];

	for (uint32_t i = 0; i < topology->nr_dimensions; i++)
		dimensions[i] = topology->first_dimension + i;
	archive_writer_note(
		archive, OTF2_GlobalDefWriter_WriteCartTopology(writer, id, topology->name,
				 topology->comm, topology->nr_dimensions, dimensions));
}

static void write_topologies(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->dimensions.nr; i++) {
		const struct measure_otf2_dimension *item = &definitions->dimensions.items[i];
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteCartDimension(writer, i, item->name, item->size,
				item->is_periodic ? OTF2_CART_PERIODIC_TRUE
						  : OTF2_CART_PERIODIC_FALSE));
	}
	for (uint32_t i = 0; i < definitions->topologies.nr; i++)
		write_topology(archive, writer, i, &definitions->topologies.items[i]);
	for (size_t i = 0; i < definitions->coordinates.nr; i++) {
		const struct measure_otf2_coordinate *item = &definitions->coordinates.items[i];
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteCartCoordinate(writer, item->topology, item->rank,
				definitions->topologies.items[item->topology].nr_dimensions,
				item->coordinates));
	}
}

static void write_windows(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->windows.nr; i++) {
		const struct measure_otf2_window *window = &definitions->windows.items[i];
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteRmaWin(writer, i,
						     window->name, window->comm, window->flags));
	}
}

static void write_attributes(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->attributes.nr; i++) {
		const struct measure_otf2_attribute *item = &definitions->attributes.items[i];
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteAttribute(writer, i, item->name,
					 item->description, (OTF2_Type)item->type));
	}
}

static void write_parameters(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	static const OTF2_ParameterType types[] = {
		[MEASURE_PARAMETER_UNSIGNED_INT] = OTF2_PARAMETER_TYPE_UINT64,
		[MEASURE_PARAMETER_INT] = OTF2_PARAMETER_TYPE_INT64,
		[MEASURE_PARAMETER_STRING] = OTF2_PARAMETER_TYPE_STRING,
	};

	for (uint32_t i = 0; i < definitions->parameters.nr; i++) {
		const struct measure_otf2_parameter *item = &definitions->parameters.items[i];
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteParameter(writer, i, item->name,
					 item->type <= MEASURE_PARAMETER_STRING
						 ? types[item->type]
						 : OTF2_PARAMETER_TYPE_UINT64));
	}
}

static void write_metrics(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->metrics.nr; i++) {
		const struct measure_otf2_metric *item = &definitions->metrics.items[i];
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteMetricMember(writer, i, item->name,
					 item->description, (OTF2_MetricType)item->type,
					 (OTF2_MetricMode)item->mode, (OTF2_Type)item->value_type,
					 (OTF2_Base)item->base, item->exponent, item->unit));
	}
	for (uint32_t i = 0; i < definitions->metric_classes.nr; i++) {
		const struct measure_otf2_metric_class *item =
			&definitions->metric_classes.items[i];
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteMetricClass(writer, i, (uint8_t)item->nr_members,
				item->members, (OTF2_MetricOccurrence)item->occurrence,
				(OTF2_RecorderKind)item->recorder));
	}
	for (size_t i = 0; i < definitions->metric_recorders.nr; i++)
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteMetricClassRecorder(writer,
					 definitions->metric_recorders.items[i].metric_class,
					 definitions->metric_recorders.items[i].location));
}

static void write_contexts(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->sources.nr; i++)
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteSourceCodeLocation(writer, i,
						     definitions->sources.items[i].file,
						     definitions->sources.items[i].line));
	for (uint32_t i = 0; i < definitions->contexts.nr; i++) {
		const struct measure_otf2_context *item = &definitions->contexts.items[i];
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteCallingContext(writer, i,
						     item->region, item->source, item->parent));
	}
	for (uint32_t i = 0; i < definitions->generators.nr; i++) {
		const struct measure_otf2_generator *item = &definitions->generators.items[i];
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteInterruptGenerator(writer, i, item->name,
					 (OTF2_InterruptGeneratorMode)item->mode,
					 (OTF2_Base)item->base, item->exponent, item->period));
	}
}

static void write_io_paradigms(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	const OTF2_IoParadigmProperty property = OTF2_IO_PARADIGM_PROPERTY_VERSION;
	const OTF2_Type type = OTF2_TYPE_STRING;

	for (size_t i = 0; i < definitions->io_paradigms.nr; i++) {
		const struct measure_otf2_io_paradigm *item = &definitions->io_paradigms.items[i];
		OTF2_AttributeValue version = {.stringRef = item->version};
		archive_writer_note(
			archive, OTF2_GlobalDefWriter_WriteIoParadigm(writer, item->id,
					 item->identification, item->name, item->class, item->flags,
					 item->version ? 1 : 0, &property, &type, &version));
	}
}

static void write_io_files(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->io_files.nr; i++) {
		const struct measure_otf2_io_file *file = &definitions->io_files.items[i];
		OTF2_AttributeValue value = {.stringRef = file->file_system};
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteIoRegularFile(writer, i, file->name, file->node));
		if (file->file_system)
			archive_writer_note(archive,
				OTF2_GlobalDefWriter_WriteIoFileProperty(writer, i,
					definitions->file_system, OTF2_TYPE_STRING, value));
	}
}

static void write_io_handles(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->io_handles.nr; i++) {
		const struct measure_otf2_io_handle *handle = &definitions->io_handles.items[i];
		archive_writer_note(archive,
			OTF2_GlobalDefWriter_WriteIoHandle(writer, i, handle->name, handle->file,
				handle->paradigm, handle->flags, handle->comm, handle->parent));
		if (handle->flags & OTF2_IO_HANDLE_FLAG_PRE_CREATED)
			archive_writer_note(
				archive, OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(
						 writer, i, handle->access, handle->status_flags));
	}
}

/* ----------------------------------------------------------------------- markers --- */

/* A kind of marker is its category and how severe it is; the group says who writes them. */
static uint32_t marker_kind(struct measure_archive *archive, OTF2_MarkerWriter *writer,
	struct measure_intern *kinds, const struct measure_otf2_marker *marker)
{
	char key[256];
	uint32_t id = 0;
	bool is_new = false;
	int length = snprintf(key, sizeof(key), "%u %s", marker->severity, marker->category);

	if (length >= (int)sizeof(key))
		length = sizeof(key) - 1;
	if (measure_intern_put(kinds, key, (size_t)length + 1, &id, &is_new) != MEASURE_OK)
		archive_writer_note(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	if (is_new)
		archive_writer_note(archive, OTF2_MarkerWriter_WriteDefMarker(writer, id, "user",
						     marker->category, marker->severity));
	return id;
}

static void write_markers(
	struct measure_archive *archive, const struct measure_archive_definitions *definitions)
{
	OTF2_MarkerWriter *writer;
	struct measure_intern kinds = {0};

	if (definitions->markers.nr == 0)
		return;
	writer = OTF2_Archive_GetMarkerWriter(archive->otf2);
	if (!writer) {
		archive_writer_note(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return;
	}
	for (size_t i = 0; i < definitions->markers.nr; i++) {
		const struct measure_otf2_marker *marker = &definitions->markers.items[i];
		uint32_t kind = marker_kind(archive, writer, &kinds, marker);
		archive_writer_note(archive,
			OTF2_MarkerWriter_WriteMarker(writer, marker->time, 0, kind,
				OTF2_MARKER_SCOPE_LOCATION, marker->location, marker->text));
	}
	archive_writer_note(archive, OTF2_Archive_CloseMarkerWriter(archive->otf2, writer));
	measure_intern_free(&kinds);
}

measure_status_t measure_archive_global(
	struct measure_archive *archive, const struct measure_archive_definitions *definitions)
{
	const struct measure_otf2_clock *clock = &definitions->clock;

	if (archive->has_local_files)
		archive_writer_note(archive, OTF2_Archive_CloseDefFiles(archive->otf2));
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive->otf2);
	if (!writer)
		return archive_writer_note(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	archive_writer_note(
		archive, OTF2_GlobalDefWriter_WriteClockProperties(writer, clock->resolution,
				 clock->begin, clock->length, clock->realtime));
	write_strings(archive, writer, definitions);
	write_paradigms(archive, writer, definitions);
	write_nodes(archive, writer, definitions);
	write_processes(archive, writer, definitions);
	write_regions(archive, writer, definitions);
	write_comms(archive, writer, definitions);
	write_topologies(archive, writer, definitions);
	write_windows(archive, writer, definitions);
	write_attributes(archive, writer, definitions);
	write_parameters(archive, writer, definitions);
	write_metrics(archive, writer, definitions);
	write_contexts(archive, writer, definitions);
	write_io_paradigms(archive, writer, definitions);
	write_io_files(archive, writer, definitions);
	write_io_handles(archive, writer, definitions);
	archive_writer_note(archive, OTF2_Archive_CloseGlobalDefWriter(archive->otf2, writer));
	write_markers(archive, definitions);
	return measure_otf2_status(archive->code);
}

measure_status_t measure_archive_close(struct measure_archive *archive)
{
	measure_status_t status = archive_writer_note(archive, OTF2_Archive_Close(archive->otf2));

	free(archive);
	return status;
}
