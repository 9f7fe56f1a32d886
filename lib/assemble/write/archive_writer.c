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
 * a whole one, and the default costs small runs 2 ms. */
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

/* ----------------------------------------------------------------------- global --- */

static void write_strings(struct measure_archive *archive, OTF2_GlobalDefWriter *writer,
	const struct measure_archive_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->strings.entries.nr; i++)
		archive_writer_note(archive, OTF2_GlobalDefWriter_WriteString(writer, i,
						     measure_intern_key(&definitions->strings, i)));
}

static OTF2_ErrorCode write_template(OTF2_GlobalDefWriter *writer,
	const struct measure_otf2_paradigm *paradigm, OTF2_ParadigmProperty property, uint32_t name)
{
	OTF2_AttributeValue value = {.stringRef = name};

	return name ? OTF2_GlobalDefWriter_WriteParadigmProperty(
			      writer, paradigm->paradigm, property, OTF2_TYPE_STRING, value)
		    : OTF2_SUCCESS;
}

static OTF2_ErrorCode write_paradigm(
	OTF2_GlobalDefWriter *writer, const struct measure_otf2_paradigm *paradigm)
{
	OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteParadigm(
		writer, paradigm->paradigm, paradigm->name, paradigm->class);

	if (code == OTF2_SUCCESS)
		code = write_template(writer, paradigm, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
			paradigm->comm_template);
	if (code == OTF2_SUCCESS)
		code = write_template(writer, paradigm,
			OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE, paradigm->window_template);
	return code;
}

static OTF2_ErrorCode write_node(
	OTF2_GlobalDefWriter *writer, uint32_t id, const struct measure_otf2_node *node)
{
	OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteSystemTreeNode(
		writer, id, node->name, node->class, node->parent);

	return code == OTF2_SUCCESS
		       ? OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, id, node->domain)
		       : code;
}

static OTF2_ErrorCode write_property(
	OTF2_GlobalDefWriter *writer, const struct measure_otf2_property *property)
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
		return OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer,
			(OTF2_LocationGroupRef)property->owner, property->name, type, value);
	case MEASURE_OTF2_OF_LOCATION:
		return OTF2_GlobalDefWriter_WriteLocationProperty(
			writer, property->owner, property->name, type, value);
	case MEASURE_OTF2_OF_NODE:
		return OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer,
			(OTF2_SystemTreeNodeRef)property->owner, property->name, type, value);
	}
	return OTF2_SUCCESS;
}

static OTF2_ErrorCode write_comm(
	OTF2_GlobalDefWriter *writer, uint32_t id, const struct measure_otf2_comm *comm)
{
	return comm->is_inter ? OTF2_GlobalDefWriter_WriteInterComm(writer, id, comm->name,
					comm->group, comm->other_group, comm->parent, comm->flags)
			      : OTF2_GlobalDefWriter_WriteComm(writer, id, comm->name, comm->group,
					comm->parent, comm->flags);
}

static OTF2_ErrorCode write_topology(
	OTF2_GlobalDefWriter *writer, uint32_t id, const struct measure_otf2_topology *topology)
{
	OTF2_CartDimensionRef dimensions[UINT8_MAX];

	for (uint32_t i = 0; i < topology->nr_dimensions; i++)
		dimensions[i] = topology->first_dimension + i;
	return OTF2_GlobalDefWriter_WriteCartTopology(
		writer, id, topology->name, topology->comm, topology->nr_dimensions, dimensions);
}

static OTF2_ParameterType parameter_type(uint32_t type)
{
	switch (type) {
	case MEASURE_PARAMETER_INT:
		return OTF2_PARAMETER_TYPE_INT64;
	case MEASURE_PARAMETER_STRING:
		return OTF2_PARAMETER_TYPE_STRING;
	default:
		return OTF2_PARAMETER_TYPE_UINT64;
	}
}

static OTF2_ErrorCode write_io_paradigm(
	OTF2_GlobalDefWriter *writer, const struct measure_otf2_io_paradigm *paradigm)
{
	const OTF2_IoParadigmProperty property = OTF2_IO_PARADIGM_PROPERTY_VERSION;
	const OTF2_Type type = OTF2_TYPE_STRING;
	OTF2_AttributeValue version = {.stringRef = paradigm->version};

	return OTF2_GlobalDefWriter_WriteIoParadigm(writer, paradigm->id, paradigm->identification,
		paradigm->name, paradigm->class, paradigm->flags, paradigm->version ? 1 : 0,
		&property, &type, &version);
}

static OTF2_ErrorCode write_io_file(OTF2_GlobalDefWriter *writer, uint32_t id,
	const struct measure_otf2_io_file *file, uint32_t property)
{
	OTF2_AttributeValue value = {.stringRef = file->file_system};
	OTF2_ErrorCode code =
		OTF2_GlobalDefWriter_WriteIoRegularFile(writer, id, file->name, file->node);

	if (code == OTF2_SUCCESS && file->file_system)
		code = OTF2_GlobalDefWriter_WriteIoFileProperty(
			writer, id, property, OTF2_TYPE_STRING, value);
	return code;
}

static OTF2_ErrorCode write_io_handle(
	OTF2_GlobalDefWriter *writer, uint32_t id, const struct measure_otf2_io_handle *handle)
{
	OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteIoHandle(writer, id, handle->name,
		handle->file, handle->paradigm, handle->flags, handle->comm, handle->parent);

	if (code == OTF2_SUCCESS && handle->flags & OTF2_IO_HANDLE_FLAG_PRE_CREATED)
		code = OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(
			writer, id, handle->access, handle->status_flags);
	return code;
}

#define DEFINITION(type, array, write)                                                             \
	static void write_all_##array(struct measure_archive *archive,                             \
		OTF2_GlobalDefWriter *writer,                                                      \
		const struct measure_archive_definitions *definitions)                             \
	{                                                                                          \
		for (uint32_t i = 0; i < definitions->array.nr; i++) {                             \
			const struct measure_otf2_##type *item = &definitions->array.items[i];     \
                                                                                                   \
			archive_writer_note(archive, write);                                       \
		}                                                                                  \
	}
#include "archive_definitions.def"
#undef DEFINITION

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

	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive->otf2);
	if (!writer)
		return archive_writer_note(archive, OTF2_ERROR_MEM_ALLOC_FAILED);
	archive_writer_note(
		archive, OTF2_GlobalDefWriter_WriteClockProperties(writer, clock->resolution,
				 clock->begin, clock->length, clock->realtime));
	write_strings(archive, writer, definitions);
#define DEFINITION(type, array, write) write_all_##array(archive, writer, definitions);
#include "archive_definitions.def"
#undef DEFINITION
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
