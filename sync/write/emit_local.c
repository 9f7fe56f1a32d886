/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The local definitions of a location: every record as it was, but for clock offsets and the
 * mapping tables where ids of global definitions have changed. */
#include "config.h"

#include "emit_internal.h"

#include "format/otf2_records.h"
#include "trace/common/containers.h"

/* Old tools wrote Callsite and Callpath; the library warns of writing more. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

struct local_copy {
	struct emitting *emitting;
	OTF2_DefWriter *writer;
	uint32_t location;
	struct emit_tables *tables; /* or NULL */
	bool has_table[OTF2_MAPPING_MAX];
};

static const enum measure_kind kinds_of_tables[OTF2_MAPPING_MAX] = {
#define KIND_MAPPED(NAME) [OTF2_MAPPING_##NAME] = MEASURE_KIND_##NAME,
#define KIND_UNMAPPED(NAME)
#define KIND(NAME, word, ids) KIND_##ids(NAME)
#include "trace/archive/definition_kinds.def"
#undef KIND
};

/* What is local has ids of its own. */
#define COPY_LOCAL(Name, width, ...)                                                               \
	static OTF2_CallbackCode on_##Name(void *data,                                             \
		MEASURE_PARAMETER_##width(id)                                                      \
			MEASURE_EACH_FIELD(MEASURE_PARAMETER, ##__VA_ARGS__))                      \
	{                                                                                          \
		struct local_copy *copy = data;                                                    \
                                                                                                   \
		emit_note_record(copy->emitting,                                                   \
			OTF2_DefWriter_Write##Name(copy->writer,                                   \
				id MEASURE_EACH_FIELD(MEASURE_NAME, ##__VA_ARGS__)));              \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#define COPY_GLOBAL(Name, width, ...)
#define DEFINITION(Name, KIND, width, in, by, ...) COPY_##in(Name, width, ##__VA_ARGS__)
#define OWNED                                      DEFINITION
#include "format/otf2_definitions.def"
#undef COPY_LOCAL

/* -------------------------------------------------------------- mapping tables --- */

/* A table being made. */
struct local_table {
	const struct emitting *emitting;
	enum measure_kind kind;
	OTF2_IdMap *map;
	struct measure_map done; /* ids that are in it */
	uint64_t next;           /* after the largest of them */
};

static void add_pair(uint64_t local, uint64_t global, void *data)
{
	struct local_table *table = data;
	const struct measure_id_remapping *numbering = &table->emitting->numbering;
	const size_t nr_done = table->done.nr_used;

	measure_map_intern(&table->done, measure_key_of(local), 0);
	if (table->done.nr_used == nr_done)
		return;
	if (local >= table->next)
		table->next = local + 1;
	/* In events only communicators and groups of ranks are referred to. */
	OTF2_IdMap_AddIdPair(table->map, local,
		table->kind == MEASURE_KIND_GROUP
			? measure_new_rank_group(numbering, (uint32_t)global)
			: measure_new_id(numbering, table->kind, global));
}

/* Where there is no table of metrics, none is needed for the class that is added. */
static bool is_added_to(const struct local_copy *copy, OTF2_MappingType type)
{
	return type == OTF2_MAPPING_METRIC && copy->emitting->added_metrics;
}

/* The class that is added: its id is free in the definitions, and need not be in the event file. */
static void add_metric(struct local_copy *copy, const struct local_table *table)
{
	copy->emitting->added_metrics[copy->location] = (uint32_t)table->next;
	OTF2_IdMap_AddIdPair(table->map, table->next, emit_added_metric(copy->emitting));
}

/* From the ids in the event file to new ones. `before`: the table that was there, or NULL; ids that
 * it does not have are the global ones themselves. */
static void write_table(struct local_copy *copy, OTF2_MappingType type, const OTF2_IdMap *before)
{
	struct local_table table = {.emitting = copy->emitting, .kind = kinds_of_tables[type]};
	const struct measure_id_numbers *numbers = &copy->emitting->numbering.of[table.kind];

	table.map = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, numbers->nr);
	if (before)
		OTF2_IdMap_Traverse(before, add_pair, &table);
	for (size_t i = 0; i < numbers->nr; i++)
		add_pair(numbers->ids[i], numbers->ids[i], &table);
	if (is_added_to(copy, type))
		add_metric(copy, &table);
	emit_note(copy->emitting, OTF2_DefWriter_WriteMappingTable(copy->writer, type, table.map));
	OTF2_IdMap_Free(table.map);
	measure_map_free(&table.done);
	copy->has_table[type] = true;
}

static bool is_changed(const struct local_copy *copy, OTF2_MappingType type)
{
	return copy->emitting->numbering.of[kinds_of_tables[type]].is_changed;
}

static OTF2_CallbackCode on_MappingTable(void *data, OTF2_MappingType type, const OTF2_IdMap *map)
{
	struct local_copy *copy = data;

	if (copy->tables && type < OTF2_MAPPING_MAX && !copy->tables->of[type])
		copy->tables->of[type] = map;
	/* ... which the records of a slice have already */
	if (copy->emitting->emission->slicing)
		return OTF2_CALLBACK_SUCCESS;
	if (type < OTF2_MAPPING_MAX && (is_changed(copy, type) || is_added_to(copy, type)))
		write_table(copy, type, map);
	else
		emit_note(
			copy->emitting, OTF2_DefWriter_WriteMappingTable(copy->writer, type, map));
	return OTF2_CALLBACK_SUCCESS;
}

static void write_missing_tables(struct local_copy *copy)
{
	for (OTF2_MappingType type = 0; type < OTF2_MAPPING_MAX; type++)
		if (is_changed(copy, type) && !copy->has_table[type])
			write_table(copy, type, NULL);
}

/* ------------------------------------------------------------------------ files --- */

static OTF2_CallbackCode on_Unknown(void *data)
{
	return emit_refuse_unknown(((struct local_copy *)data)->emitting);
}

static OTF2_DefReaderCallbacks *local_make_callbacks(void)
{
	OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();

#define COPY_LOCAL(Name, ...) OTF2_DefReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "format/otf2_definitions.def"
	OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_MappingTable);
	OTF2_DefReaderCallbacks_SetUnknownCallback(callbacks, on_Unknown);
	return callbacks;
}

static void write_offsets(struct emitting *emitting, OTF2_DefWriter *writer, uint32_t location)
{
	const struct measure_clock_function *offsets =
		&emit_correction(emitting, location)->pieces[0].offsets;

	for (size_t i = 0; i < offsets->nr; i++)
		emit_note(emitting, OTF2_DefWriter_WriteClockOffset(writer, offsets->items[i].time,
					    offsets->items[i].offset, 0));
}

void emit_local_definitions(struct emitting *emitting, OTF2_Reader *archive, uint32_t location)
{
	uint64_t id = emit_definitions_of(emitting)->locations[location].id, nr_read;
	struct local_copy copy = {.emitting = emitting,
		.writer = OTF2_Archive_GetDefWriter(emitting->archive, id),
		.location = location,
		.tables = emitting->filter ? &emitting->tables[location] : NULL};
	OTF2_DefReader *reader = OTF2_Reader_GetDefReader(archive, id);
	OTF2_DefReaderCallbacks *callbacks = local_make_callbacks();

	if (!copy.writer) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	/* There need not be a file. */
	if (reader) {
		emit_note_input(emitting,
			OTF2_Reader_RegisterDefCallbacks(archive, reader, callbacks, &copy));
		emit_note_input(emitting,
			OTF2_Reader_ReadAllLocalDefinitions(archive, reader, &nr_read));
		OTF2_Reader_CloseDefReader(archive, reader);
	}
	OTF2_DefReaderCallbacks_Delete(callbacks);
	write_missing_tables(&copy);
	if (!emit_has_new_times(emitting, location))
		write_offsets(emitting, copy.writer, location);
	emit_note(emitting, OTF2_Archive_CloseDefWriter(emitting->archive, copy.writer));
}
