/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Definitions of a running process; see local_trace.h. Only those are kept that a fold asks for. */
#include "config.h"

#include "local_trace.h"

#include "format/journal.h"

#include <string.h>

/* Ids below these: more are damage, or regions, which are found more slowly. */
#define NR_INDICES   65536
#define MOST_CLASSES 4096

void measure_local_trace_start(struct measure_local_trace *local, uint64_t chunk_size)
{
	struct measure_definitions *definitions = &local->trace.definitions;

	*local = (struct measure_local_trace){.trace = {.chunk_size = chunk_size}};
	local->trace.findings = &local->findings;
	local->trace.offsets = &local->offsets;
	local->trace.mappings = &local->mapping;
	local->indices = measure_zeroed(NR_INDICES, sizeof(*local->indices));
	for (uint32_t i = 0; i < NR_INDICES; i++)
		local->indices[i] = i;
	for (int kind = 0; kind < MEASURE_NR_KINDS; kind++)
		definitions->small_ids[kind] = (struct measure_id_index){local->indices, 0,
			kind != MEASURE_KIND_ATTRIBUTE && kind != MEASURE_KIND_METRIC};
	definitions->small_ids[MEASURE_KIND_REGION].nr = NR_INDICES;
	local->class_indices = measure_zeroed(MOST_CLASSES, sizeof(*local->class_indices));
	memcpy(local->class_indices, local->indices, MOST_CLASSES * sizeof(*local->class_indices));
	definitions->small_ids[MEASURE_KIND_METRIC].indices = local->class_indices;
	*measure_append(definitions, locations) = (struct measure_location_definition){
		.name = MEASURE_NONE, .type = OTF2_LOCATION_TYPE_CPU_THREAD};
}

void measure_local_trace_free(struct measure_local_trace *local)
{
	struct measure_definitions *definitions = &local->trace.definitions;

	for (size_t i = 0; i < definitions->nr_strings; i++)
		measure_free(definitions->strings[i]);
	for (size_t i = 0; i < definitions->nr_metrics; i++)
		measure_free(definitions->metrics[i].members);
	measure_free(definitions->strings);
	measure_free(definitions->metrics);
	measure_free(definitions->metric_members);
	measure_free(definitions->attributes);
	measure_free(definitions->parameters);
	measure_free(definitions->locations);
	measure_free(local->members);
	measure_free(local->numbers);
	measure_free(local->first_classes);
	measure_intern_free(&local->metrics);
	measure_intern_free(&local->classes);
	measure_free(local->indices);
	measure_free(local->class_indices);
	measure_findings_free(&local->findings);
}

/* Makes `id` a valid index. */
#define make_room(definitions, array, id, ...)                                                     \
	do {                                                                                       \
		while ((definitions)->nr_##array <= (id))                                          \
			*measure_append(definitions, array) = __VA_ARGS__;                         \
	} while (0)

static uint32_t new_string(struct measure_definitions *definitions, const char *text)
{
	*measure_append(definitions, strings) = measure_copy_text(text);
	return (uint32_t)definitions->nr_strings - 1;
}

static measure_status_t take_attribute(
	struct measure_definitions *definitions, struct measure_decoder *payload)
{
	struct measure_def_attribute def;
	const measure_status_t status = measure_def_attribute_decode(payload, &def);

	if (status != MEASURE_OK || def.id >= NR_INDICES)
		return status;
	make_room(
		definitions, attributes, def.id, (struct measure_attribute){.name = MEASURE_NONE});
	definitions->attributes[def.id] =
		(struct measure_attribute){new_string(definitions, def.name), (OTF2_Type)def.type};
	definitions->small_ids[MEASURE_KIND_ATTRIBUTE].nr = definitions->nr_attributes;
	return status;
}

static measure_status_t take_parameter(
	struct measure_definitions *definitions, struct measure_decoder *payload)
{
	struct measure_def_parameter def;
	const measure_status_t status = measure_def_parameter_decode(payload, &def);

	if (status != MEASURE_OK || def.id >= NR_INDICES)
		return status;
	make_room(definitions, parameters, def.id, (struct measure_parameter){MEASURE_NONE});
	definitions->parameters[def.id].name = new_string(definitions, def.name);
	return status;
}

/* A number for all that say the same. */
static uint32_t meaning_of(struct measure_intern *meanings, const void *said, size_t size)
{
	uint32_t meaning;

	if (measure_intern_put(meanings, said, size, &meaning, NULL) != MEASURE_OK)
		measure_out_of_memory();
	return meaning;
}

/* What a metric says is all but its id. */
static measure_status_t take_metric(
	struct measure_local_trace *local, struct measure_decoder *payload)
{
	struct measure_decoder said = *payload;
	struct measure_def_metric def;
	const measure_status_t status = measure_def_metric_decode(payload, &def);

	if (status != MEASURE_OK || def.id >= NR_INDICES)
		return status;
	measure_decode_u32(&said, &def.id);
	make_room(local, members, def.id, (struct measure_local_metric){.meaning = MEASURE_NONE});
	local->members[def.id] =
		(struct measure_local_metric){.member = {.name = MEASURE_NONE,
						      .unit = MEASURE_NONE,
						      .type = (OTF2_Type)def.value_type,
						      .mode = (OTF2_MetricMode)def.mode},
			.meaning = meaning_of(&local->metrics, said.data + said.position,
				said.size - said.position)};
	return status;
}

/* The number of a member of a class; that of a class before it, if that has it, too. */
static uint32_t number_of(struct measure_local_trace *local, uint32_t metric, uint32_t number)
{
	struct measure_definitions *definitions = &local->trace.definitions;
	uint32_t meaning;

	if (metric >= local->nr_members || local->members[metric].meaning == MEASURE_NONE)
		return MEASURE_NONE;
	meaning = local->members[metric].meaning;
	make_room(local, numbers, meaning, MEASURE_NONE);
	if (local->numbers[meaning] == MEASURE_NONE) {
		local->numbers[meaning] = number;
		definitions->metric_members[number] = local->members[metric].member;
	}
	return local->numbers[meaning];
}

/* The first class that says the same: who it is for, and its members. */
static uint32_t first_class_of(struct measure_local_trace *local,
	const struct measure_def_metric_class *def, const uint32_t *numbers)
{
	uint32_t said[1 + MEASURE_LOCAL_MEMBERS] = {def->occurrence}, meaning;

	if (def->members.nr > 0)
		memcpy(said + 1, numbers, def->members.nr * sizeof(*numbers));
	meaning = meaning_of(&local->classes, said, (1 + def->members.nr) * sizeof(*said));
	make_room(local, first_classes, meaning, def->id);
	return local->first_classes[meaning];
}

static measure_status_t take_class(
	struct measure_local_trace *local, struct measure_decoder *payload)
{
	struct measure_definitions *definitions = &local->trace.definitions;
	struct measure_def_metric_class def;
	const measure_status_t status = measure_def_metric_class_decode(payload, &def);
	struct measure_metric *metric;

	if (status != MEASURE_OK || def.id >= MOST_CLASSES ||
		def.members.nr >= MEASURE_LOCAL_MEMBERS)
		return status;
	make_room(
		definitions, metrics, def.id, (struct measure_metric){.instance_of = MEASURE_NONE});
	make_room(definitions, metric_members, (def.id + 1) * MEASURE_LOCAL_MEMBERS - 1,
		(struct measure_metric_member){.name = MEASURE_NONE});
	definitions->small_ids[MEASURE_KIND_METRIC].nr = definitions->nr_metrics;
	metric = &definitions->metrics[def.id];
	measure_free(metric->members);
	metric->members = measure_zeroed(def.members.nr, sizeof(*metric->members));
	metric->nr_members = (uint8_t)def.members.nr;
	metric->is_strict = def.occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT;
	for (uint32_t i = 0; i < def.members.nr; i++)
		metric->members[i] =
			number_of(local, def.members.items[i], def.id * MEASURE_LOCAL_MEMBERS + i);
	local->class_indices[def.id] = first_class_of(local, &def, metric->members);
	return status;
}

static measure_status_t take_record(
	struct measure_local_trace *local, uint32_t kind, struct measure_decoder *payload)
{
	switch (kind) {
	case MEASURE_RECORD_ATTRIBUTE:
		return take_attribute(&local->trace.definitions, payload);
	case MEASURE_RECORD_PARAMETER:
		return take_parameter(&local->trace.definitions, payload);
	case MEASURE_RECORD_METRIC:
		return take_metric(local, payload);
	case MEASURE_RECORD_METRIC_CLASS:
		return take_class(local, payload);
	default:
		return MEASURE_OK;
	}
}

void measure_local_trace_read(
	struct measure_local_trace *local, const uint8_t *journal, size_t size)
{
	struct measure_journal_reader reader = {journal, size, local->nr_read};
	struct measure_decoder payload;
	uint32_t kind;

	if (size <= local->nr_read)
		return;
	while (measure_journal_next(&reader, &kind, &payload) == MEASURE_OK)
		take_record(local, kind, &payload); /* one that is damaged defines nothing */
	local->nr_read = reader.position;
}
