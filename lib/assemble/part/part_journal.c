/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each record of a part's journals tells of it; see part.h. */
#include "config.h"

#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "journal_file.h"
#include "format/segment.h"

/* Arrays are as long as the highest id, and ids are given one after the other, for a record each:
 * one above what the journal has room for is damage, and costs its record. Of a process that died
 * so many may have been given whose records it did not come to: one for each thread at most. */
#define SPARE_IDS 65536

/* Times and distances between clocks are smaller than this, so that differences of differences
 * of them are numbers still. */
#define MOST_TIME      (INT64_C(1) << 61)
#define MOST_FREQUENCY 1e15 /* Hz */

static bool is_time(int64_t time)
{
	return time > -MOST_TIME && time < MOST_TIME;
}

/* Makes `id` a valid index; new entries are all zero. Evaluates to a status. */
#define room_for(part, array, id)                                                                  \
	__extension__({                                                                            \
		size_t before_ = (array)->nr;                                                      \
		measure_status_t reserved_ = (id) < (part)->max_ids                                \
						     ? measure_array_reserve(array, (size_t)(id) + 1) \
						     : MEASURE_ERROR_FORMAT;                       \
		if (reserved_ == MEASURE_OK && (id) >= before_) {                                  \
			memset((array)->items + before_, 0,                                        \
				((size_t)(id) + 1 - before_) * sizeof(*(array)->items));           \
			(array)->nr = (size_t)(id) + 1;                                            \
		}                                                                                  \
		reserved_;                                                                         \
	})

#define BY_ID(name, array)                                                                         \
	static measure_status_t note_##name(                                                       \
		struct measure_part *part, const struct measure_def_##name *def)                   \
	{                                                                                          \
		measure_status_t status = room_for(part, &part->array, def->id);                   \
                                                                                                   \
		if (status == MEASURE_OK)                                                          \
			part->array.items[def->id] = *def;                                         \
		return status;                                                                     \
	}
#define IN_ORDER(name, array)                                                                      \
	static measure_status_t note_##name(                                                       \
		struct measure_part *part, const struct measure_def_##name *def)                   \
	{                                                                                          \
		return measure_array_push(&part->array, *def);                                     \
	}
#define BY_HAND(type, array)
#include "part_arrays.def"

static measure_status_t note_location(struct measure_part *part,
	const struct measure_def_location *def)
{
	size_t before = part->locations.nr;
	measure_status_t status = room_for(part, &part->locations, def->id);

	if (status != MEASURE_OK)
		return status;
	for (size_t i = before; i < part->locations.nr; i++)
		part->locations.items[i].name = part->locations.items[i].device = "";
	if (def->name[0])
		part->locations.items[def->id].name = def->name;
	if (def->device[0])
		part->locations.items[def->id].device = def->device;
	if (def->processor)
		part->locations.items[def->id].processor = def->processor;
	return MEASURE_OK;
}

measure_status_t measure_part_add_location(struct measure_part *part, uint32_t index)
{
	const struct measure_def_location unnamed = {index, "", 0, ""};

	return note_location(part, &unnamed);
}

static measure_status_t note_region(struct measure_part *part,
	const struct measure_def_region *def)
{
	measure_status_t status = room_for(part, &part->regions, def->id);

	if (status == MEASURE_OK)
		part->regions.items[def->id] = (struct measure_part_region){
			.kind = MEASURE_PART_REGION_NAMED, .named = *def};
	return status;
}

static measure_status_t note_code_region(struct measure_part *part,
	const struct measure_def_code_region *def)
{
	measure_status_t status = room_for(part, &part->regions, def->id);

	if (status == MEASURE_OK)
		part->regions.items[def->id] = (struct measure_part_region){
			.kind = MEASURE_PART_REGION_CODE, .code = *def};
	return status;
}

static measure_status_t note_region_off(
	struct measure_part *part, const struct measure_def_region_off *def)
{
	measure_status_t status = room_for(part, &part->regions, def->id);

	if (status == MEASURE_OK)
		part->regions.items[def->id].is_off = true;
	return status;
}

/* A later description of the same communicator may add its name. */
static measure_status_t note_comm(struct measure_part *part, const struct measure_def_comm *def)
{
	measure_status_t status = room_for(part, &part->comms, def->id);

	if (status != MEASURE_OK)
		return status;
	part->comms.items[def->id].is_described = true;
	part->comms.items[def->id].def = *def;
	return MEASURE_OK;
}

static measure_status_t note_comm_name(struct measure_part *part,
	const struct measure_def_comm_name *def)
{
	measure_status_t status = room_for(part, &part->comms, def->comm);

	if (status == MEASURE_OK)
		part->comms.items[def->comm].given_name = def->name;
	return status;
}

static measure_status_t note_cart(struct measure_part *part, const struct measure_def_cart *def)
{
	const uint32_t nr = def->sizes.nr;

	if (nr > UINT8_MAX || def->are_periodic.nr != nr || def->coordinates.nr != nr)
		return MEASURE_ERROR_FORMAT;
	return measure_array_push(&part->carts, *def);
}

static measure_status_t note_window(struct measure_part *part,
	const struct measure_def_window *def)
{
	measure_status_t status = room_for(part, &part->windows, def->id);

	if (status == MEASURE_OK)
		part->windows.items[def->id] = (struct measure_part_window){true, *def, NULL};
	return status;
}

static measure_status_t note_window_name(struct measure_part *part,
	const struct measure_def_window_name *def)
{
	measure_status_t status = room_for(part, &part->windows, def->id);

	if (status == MEASURE_OK)
		part->windows.items[def->id].name = def->name;
	return status;
}

static measure_status_t note_metric_class(
	struct measure_part *part, const struct measure_def_metric_class *def)
{
	measure_status_t status;

	if (def->members.nr > UINT8_MAX)
		return MEASURE_ERROR_FORMAT;
	status = room_for(part, &part->metric_classes, def->id);
	if (status == MEASURE_OK)
		part->metric_classes.items[def->id] = *def;
	return status;
}

static measure_status_t note_sampled(
	struct measure_part *part, const struct measure_def_sampled *def)
{
	if (!measure_sample_file_name(def->series))
		return MEASURE_ERROR_FORMAT;
	struct measure_part_sampled *sampled = &part->sampled[def->series];
	if (sampled->metrics.nr == (measure_series_is_single(def->series) ? MEASURE_MOST_SINGLE
									  : MEASURE_MOST_SAMPLED))
		return MEASURE_ERROR_FORMAT;
	return measure_array_push(&sampled->metrics, *def);
}

/* Ids are given one after the other, and a parent has its before its children. */
static measure_status_t note_calling_context(
	struct measure_part *part, const struct measure_def_calling_context *def)
{
	if (def->id != part->contexts.nr ||
		(def->parent != MEASURE_NO_ID && def->parent >= def->id))
		return MEASURE_ERROR_FORMAT;
	return measure_array_push(&part->contexts, *def);
}

static measure_status_t note_process(struct measure_part *part,
	const struct measure_def_process *def)
{
	if (!(def->clock_frequency >= 0 && def->clock_frequency < MOST_FREQUENCY) ||
		def->nr_arguments > MEASURE_MOST_ARGUMENTS)
		return MEASURE_ERROR_FORMAT;
	part->process = *def;
	part->has_process = true;
	return MEASURE_OK;
}

static measure_status_t note_launch(struct measure_part *part, const struct measure_def_launch *def)
{
	part->launch = *def;
	part->has_launch = true;
	return MEASURE_OK;
}

static measure_status_t note_world(struct measure_part *part, const struct measure_def_world *def)
{
	part->world = *def;
	part->has_world = true;
	return MEASURE_OK;
}

static measure_status_t note_clock_truth(struct measure_part *part,
	const struct measure_def_clock_truth *def)
{
	part->truth = *def;
	part->has_truth = true;
	return MEASURE_OK;
}

static measure_status_t note_keeper(struct measure_part *part, const struct measure_def_keeper *def)
{
	if (!measure_chunk_size_is_valid(def->chunk_size))
		return MEASURE_ERROR_FORMAT;
	part->keeper = *def;
	if (measure_part_has_lost_keeper(part))
		part->is_damaged = true;
	return MEASURE_OK;
}

/* What a process ends with is an int. */
static measure_status_t note_end(struct measure_part *part, const struct measure_def_end *def)
{
	if (def->status < INT32_MIN || def->status > INT32_MAX)
		return MEASURE_ERROR_FORMAT;
	part->end = *def;
	part->has_end = true;
	return MEASURE_OK;
}

static measure_status_t note_clock_sample(struct measure_part *part,
	const struct measure_def_clock_sample *def)
{
	if (!is_time(def->offset) || def->bound > MOST_TIME)
		return MEASURE_ERROR_FORMAT;
	return measure_array_push(&part->samples, *def);
}

/* The keeper takes one every few seconds; the line through the outermost two is all that counts. */
static measure_status_t note_clock_triple(struct measure_part *part,
	const struct measure_def_clock_triple *def)
{
	struct measure_def_clock_triple *known = part->triples.items;

	if (!is_time(def->monotonic_raw) || !is_time(def->realtime) || def->bound > MOST_TIME)
		return MEASURE_ERROR_FORMAT;
	if (part->triples.nr < 2)
		return measure_array_push(&part->triples, *def);
	if (def->ticks < known[0].ticks)
		known[0] = *def;
	else if (def->ticks > known[1].ticks)
		known[1] = *def;
	return MEASURE_OK;
}

/* Where the keeper has found its memory overwritten, more may be wrong than it has seen. */
static measure_status_t note_count(struct measure_part *part, const struct measure_def_count *def)
{
	if (strcmp(def->name, "overwritten") == 0 && def->value > 0)
		part->is_damaged = true;
	return measure_array_push(&part->counts, *def);
}

/* What was before is of a finishing that was cut short. */
static measure_status_t note_segment_counts(
	struct measure_part *part, const struct measure_def_segment_counts *def)
{
	(void)def;
	part->self_timings.nr = 0;
	part->filtered.nr = 0;
	return MEASURE_OK;
}

/* Kinds that this version does not know are passed over. */
static measure_status_t note_any(
	struct measure_part *part, uint32_t kind, struct measure_decoder *payload)
{
	switch (kind) {
#define RECORD(name, KIND, number, fields)                                                         \
	case MEASURE_RECORD_##KIND: {                                                              \
		struct measure_def_##name def;                                                     \
		measure_status_t status = measure_def_##name##_decode(payload, &def);              \
		return status == MEASURE_OK ? note_##name(part, &def) : status;                    \
	}
#include "format/journal_records.def"
#undef RECORD
	default:
		return MEASURE_OK;
	}
}

/* Others are read by value. */
static bool has_text_or_array(uint32_t kind)
{
	switch (kind) {
#define U32(field)
#define U64(field)
#define I64(field)
#define F64(field)
#define STR(field)  || true
#define U32S(field) || true
#define RANKS(field) || true
#define RECORD(name, KIND, number, fields)                                                         \
	case MEASURE_RECORD_##KIND:                                                                \
		return false fields;
#include "format/journal_records.def"
#undef RECORD
#undef U32
#undef U64
#undef I64
#undef F64
#undef STR
#undef U32S
#undef RANKS
	default:
		return false;
	}
}

/* One that cannot be costs itself only, not those behind it. */
static measure_status_t part_journal_note_record(
	void *context, uint32_t kind, struct measure_decoder *payload)
{
	struct measure_part *part = context;
	measure_status_t status;

	if (part->pool && has_text_or_array(kind))
		payload->data = measure_record_pool_keep(part->pool, payload->data, payload->size);
	if (!payload->data)
		return MEASURE_ERROR_MEMORY;
	status = note_any(part, kind, payload);

	if (status != MEASURE_ERROR_FORMAT)
		return status;
	part->is_damaged = true;
	return MEASURE_OK;
}

measure_status_t measure_part_note_journal(
	struct measure_part *part, const uint8_t *data, size_t size)
{
	size_t end;

	part->max_ids = size / MEASURE_JOURNAL_FRAME + SPARE_IDS;
	measure_status_t status =
		measure_journal_visit(data, size, part_journal_note_record, part, &end);
	if (end < size)
		part->is_damaged = true;
	return status;
}

bool measure_part_has_lost_keeper(const struct measure_part *part)
{
	return part->keeper.chunk_size != 0 && part->keeper.pid == 0;
}
