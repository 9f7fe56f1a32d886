/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event files without the calls that a filter leaves out. Of those that are to be left out if they
 * turn out to be short, Enters are held until it is known; metrics that come with each Enter and
 * Leave are held until it is known whose they are. */
#include "config.h"

#include "emit_internal.h"

#include <string.h>

#include "trace/common/containers.h"

#define NOT_REACHED UINT32_MAX

struct emit_held {
	enum { HELD_ENTER, HELD_CONTEXT_ENTER, HELD_METRIC } kind;
	uint32_t ref; /* region, calling context, metric */
	uint32_t distance;
	uint64_t raw, time;
	OTF2_AttributeList *attributes; /* NULL: it has none */
	uint8_t nr_values;
	OTF2_Type *types;
	OTF2_MetricValue *values;
};

/* ------------------------------------------------------------------- definitions --- */

static uint32_t index_of(
	const struct event_copy *copy, enum measure_kind kind, OTF2_MappingType type, uint64_t id)
{
	const OTF2_IdMap *map = copy->emitting->tables[copy->location].of[type];
	uint64_t global;

	if (map && OTF2_IdMap_GetGlobalId(map, id, &global) == OTF2_SUCCESS)
		id = global;
	return measure_definition_index(emit_definitions_of(copy->emitting), kind, id);
}

static uint32_t region_of(const struct event_copy *copy, OTF2_RegionRef region)
{
	return index_of(copy, MEASURE_KIND_REGION, OTF2_MAPPING_REGION, region);
}

static const struct measure_calling_context *context_of(
	const struct event_copy *copy, OTF2_CallingContextRef context)
{
	const struct measure_definitions *definitions = emit_definitions_of(copy->emitting);
	const uint32_t index =
		index_of(copy, MEASURE_KIND_CALLING_CONTEXT, OTF2_MAPPING_CALLING_CONTEXT, context);

	return index < definitions->nr_calling_contexts ? &definitions->calling_contexts[index]
							: NULL;
}

static uint32_t region_of_context(const struct event_copy *copy, OTF2_CallingContextRef context)
{
	const struct measure_calling_context *found = context_of(copy, context);

	return found ? found->region : MEASURE_NONE;
}

/* Its values come with each Enter and Leave, in front of it and at its time. */
static bool is_strict(const struct event_copy *copy, OTF2_MetricRef metric)
{
	const struct measure_definitions *definitions = emit_definitions_of(copy->emitting);
	uint32_t index = index_of(copy, MEASURE_KIND_METRIC, OTF2_MAPPING_METRIC, metric);

	if (index < definitions->nr_metrics &&
		definitions->metrics[index].instance_of < definitions->nr_metrics)
		index = definitions->metrics[index].instance_of;
	return index < definitions->nr_metrics && definitions->metrics[index].is_strict;
}

/* ------------------------------------------------------------------ what is held --- */

static OTF2_AttributeList *copy_attributes(const OTF2_AttributeList *attributes)
{
	const uint32_t nr = OTF2_AttributeList_GetNumberOfElements(attributes);
	OTF2_AttributeList *copy = nr ? OTF2_AttributeList_New() : NULL;

	for (uint32_t i = 0; i < nr; i++) {
		OTF2_AttributeRef id;
		OTF2_AttributeValue value;
		OTF2_Type type;

		if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &id, &type, &value) ==
			OTF2_SUCCESS)
			OTF2_AttributeList_AddAttribute(copy, id, type, value);
	}
	return copy;
}

static struct emit_held *hold(struct event_copy *copy, uint64_t raw, uint64_t position,
	const OTF2_AttributeList *attributes)
{
	struct emit_held *held = measure_append(copy, held);

	*held = (struct emit_held){.raw = raw,
		.time = emit_event_time(copy, raw, position),
		.attributes = copy_attributes(attributes)};
	return held;
}

static void let_go(struct event_copy *copy)
{
	struct emit_held *held = &copy->held[--copy->nr_held];

	OTF2_AttributeList_Delete(held->attributes);
	measure_free(held->types);
	measure_free(held->values);
}

static OTF2_ErrorCode write_held(const struct event_copy *copy, struct emit_held *held)
{
	switch (held->kind) {
	case HELD_ENTER:
		return OTF2_EvtWriter_Enter(copy->writer, held->attributes, held->time, held->ref);
	case HELD_CONTEXT_ENTER:
		return OTF2_EvtWriter_CallingContextEnter(
			copy->writer, held->attributes, held->time, held->ref, held->distance);
	default:
		return OTF2_EvtWriter_Metric(copy->writer, held->attributes, held->time, held->ref,
			held->nr_values, held->types, held->values);
	}
}

void emit_settle(struct event_copy *copy)
{
	for (size_t i = 0; i < copy->nr_held; i++)
		emit_note_record(copy->emitting, write_held(copy, &copy->held[i]));
	while (copy->nr_held)
		let_go(copy);
	measure_sync_filter_settle(copy->filter);
}

/* Metrics in front of what comes at `raw`. */
static void drop_metrics(struct event_copy *copy, uint64_t raw)
{
	while (copy->nr_held && copy->held[copy->nr_held - 1].kind == HELD_METRIC &&
		copy->held[copy->nr_held - 1].raw == raw)
		let_go(copy);
}

/* -------------------------------------------------------------- calling contexts --- */

static uint32_t depth_of(const struct event_copy *copy, OTF2_CallingContextRef ref)
{
	const struct measure_definitions *definitions = emit_definitions_of(copy->emitting);
	const struct measure_calling_context *context = context_of(copy, ref);
	uint32_t depth = 0;

	/* No more steps than there are: in damaged archives they may bite their tails. */
	while (context && depth < definitions->nr_calling_contexts) {
		depth++;
		context = context->parent < definitions->nr_calling_contexts
				  ? &definitions->calling_contexts[context->parent]
				  : NULL;
	}
	return depth;
}

/* The unwind distance says how far up regions are others than in the event before. Where events
 * between are left out, it has to reach as far up as theirs did. */
static void reach(struct event_copy *copy, OTF2_CallingContextRef context, uint32_t distance)
{
	const uint32_t depth = depth_of(copy, context);
	const uint32_t reached = distance > depth ? 0 : depth + 1 - distance;

	if (reached < copy->reached)
		copy->reached = reached;
}

static uint32_t distance_from_last(
	struct event_copy *copy, OTF2_CallingContextRef context, uint32_t distance)
{
	uint32_t most;

	if (copy->reached == NOT_REACHED)
		return distance;
	reach(copy, context, distance);
	most = depth_of(copy, context) + 1 - copy->reached;
	copy->reached = NOT_REACHED;
	return most;
}

/* Those of another time belong to no Enter or Leave: they were written for themselves. */
static void settle_others(struct event_copy *copy, uint64_t raw)
{
	const struct emit_held *last = copy->nr_held ? &copy->held[copy->nr_held - 1] : NULL;

	if (last && last->kind == HELD_METRIC && last->raw != raw)
		emit_settle(copy);
}

/* An Enter with its metrics. */
static void take_back(struct event_copy *copy)
{
	const struct emit_held held = copy->held[copy->nr_held - 1];

	if (held.kind == HELD_CONTEXT_ENTER)
		reach(copy, held.ref, held.distance);
	let_go(copy);
	drop_metrics(copy, held.raw);
}

/* True: the record is to be written. */
static bool is_kept(struct event_copy *copy, enum measure_sync_verdict verdict, uint64_t raw)
{
	if (verdict == MEASURE_SYNC_KEEP) {
		emit_settle(copy);
		return true;
	}
	if (verdict == MEASURE_SYNC_HOLD)
		return false;
	drop_metrics(copy, raw);
	if (verdict == MEASURE_SYNC_TAKE_BACK)
		take_back(copy);
	return false;
}

/* ----------------------------------------------------------------------- records --- */

/* The callback of a record, and what writes it, with its attributes and at its corrected time. */
#define ON(Name, ...)                                                                              \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp raw,          \
		uint64_t position, void *data, OTF2_AttributeList *attributes, __VA_ARGS__)
#define WRITE(Name, ...)                                                                           \
	emit_note_record(                                                                          \
		copy->emitting, OTF2_EvtWriter_##Name(copy->writer, attributes,                    \
					emit_event_time(copy, raw, position), __VA_ARGS__))

ON(Enter, OTF2_RegionRef region)
{
	struct event_copy *copy = data;
	enum measure_sync_verdict verdict;

	(void)location;
	settle_others(copy, raw);
	verdict = measure_sync_filter_enter(copy->filter, region_of(copy, region), raw);
	if (is_kept(copy, verdict, raw)) {
		WRITE(Enter, region);
	} else if (verdict == MEASURE_SYNC_HOLD) {
		struct emit_held *held = hold(copy, raw, position, attributes);

		held->kind = HELD_ENTER;
		held->ref = region;
	}
	return OTF2_CALLBACK_SUCCESS;
}

ON(Leave, OTF2_RegionRef region)
{
	struct event_copy *copy = data;

	(void)location;
	settle_others(copy, raw);
	if (is_kept(copy, measure_sync_filter_leave(copy->filter, region_of(copy, region), raw),
		    raw))
		WRITE(Leave, region);
	return OTF2_CALLBACK_SUCCESS;
}

ON(CallingContextEnter, OTF2_CallingContextRef context, uint32_t distance)
{
	struct event_copy *copy = data;
	enum measure_sync_verdict verdict;

	(void)location;
	settle_others(copy, raw);
	verdict = measure_sync_filter_enter(copy->filter, region_of_context(copy, context), raw);
	if (is_kept(copy, verdict, raw)) {
		distance = distance_from_last(copy, context, distance);
		WRITE(CallingContextEnter, context, distance);
	} else if (verdict == MEASURE_SYNC_HOLD) {
		struct emit_held *held = hold(copy, raw, position, attributes);

		held->kind = HELD_CONTEXT_ENTER;
		held->ref = context;
		held->distance = distance_from_last(copy, context, distance);
	} else {
		reach(copy, context, distance);
	}
	return OTF2_CALLBACK_SUCCESS;
}

ON(CallingContextLeave, OTF2_CallingContextRef context)
{
	struct event_copy *copy = data;
	const uint32_t region = region_of_context(copy, context);

	(void)location;
	settle_others(copy, raw);
	if (is_kept(copy, measure_sync_filter_leave(copy->filter, region, raw), raw)) {
		copy->reached = NOT_REACHED;
		WRITE(CallingContextLeave, context);
	} else {
		reach(copy, context, 1);
	}
	return OTF2_CALLBACK_SUCCESS;
}

ON(CallingContextSample, OTF2_CallingContextRef context, uint32_t distance,
	OTF2_InterruptGeneratorRef generator)
{
	struct event_copy *copy = data;

	(void)location;
	emit_settle(copy);
	distance = distance_from_last(copy, context, distance);
	WRITE(CallingContextSample, context, distance, generator);
	return OTF2_CALLBACK_SUCCESS;
}

static void *copy_values(const void *values, size_t nr, size_t size)
{
	return memcpy(measure_zeroed(nr, size), values, nr * size);
}

ON(Metric, OTF2_MetricRef metric, uint8_t nr_values, const OTF2_Type *types,
	const OTF2_MetricValue *values)
{
	struct event_copy *copy = data;
	struct emit_held *held;

	(void)location;
	if (!is_strict(copy, metric)) {
		emit_settle(copy);
		WRITE(Metric, metric, nr_values, types, values);
		return OTF2_CALLBACK_SUCCESS;
	}
	settle_others(copy, raw);
	held = hold(copy, raw, position, attributes);
	held->kind = HELD_METRIC;
	held->ref = metric;
	held->nr_values = nr_values;
	held->types = copy_values(types, nr_values, sizeof(*types));
	held->values = copy_values(values, nr_values, sizeof(*values));
	return OTF2_CALLBACK_SUCCESS;
}

void emit_filter_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_Enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_Leave);
	OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_CallingContextEnter);
	OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_CallingContextLeave);
	OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_CallingContextSample);
	OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_Metric);
}
