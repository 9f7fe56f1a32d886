/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of records, and transactions of one Enter or Leave with what belongs to it. */
#include "config.h"

#include "adapter.h"

#include <otf2/OTF2_GeneralDefinitions.h>

#include "runtime/definitions/code_region_inline.h"
#include "runtime/event/transaction.h"

/* With the store of a whole head, of which the last bytes are of no use. */
#define MOST_BYTES                                                                                 \
	(9 + MEASURE_OTF2_SIZED + 2 + 15 * MEASURE_MOST_ATTRIBUTES + 6 +                           \
		sizeof(struct measure_attribute_head))
_Static_assert(MOST_BYTES <= MEASURE_RECORD_ROOM, "an Enter with attributes is one record");
_Static_assert(MEASURE_ATTRIBUTE_SIZE(MEASURE_MOST_ATTRIBUTES) <= MEASURE_RECORD_ROOM,
	"values of counters come before all of them");
_Static_assert(sizeof(struct measure_attribute_head) == 16, "a head is one load and one store");

/* ------------------------------------------------------------------ where they stand --- */

static void attributes_note(struct measure_location *location)
{
	if (!measure_attributes_wait(location))
		location->attributes = (struct measure_attributes){
			location->writer.position, measure_location_committed(location)};
}

/* Attributes, counters and the record that they belong to lie in one chunk: the first ones see to
 * it that there is room for all. Those that are written after them stay within that. */
static inline bool attributes_reserve(struct measure_location *location, uint32_t nr)
{
	const size_t size = MEASURE_ATTRIBUTE_SIZE(MEASURE_MOST_ATTRIBUTES) +
			    measure_counters_room(measure_gate.nr_counters);

	if (unlikely(measure_attributes_wait(location)))
		return location->writer.position + MEASURE_ATTRIBUTE_SIZE(nr) <=
		       location->attributes.begin + MEASURE_ATTRIBUTE_SIZE(MEASURE_MOST_ATTRIBUTES);
	return measure_transaction_has_room(location, size) ||
	       measure_transaction_reserve(location, size);
}

/* They stand between the timestamp and the record that they belong to, and are not committed before
 * that: a process that dies in between leaves none of it. NULL: there is no room. */
static inline uint8_t *attributes_place(struct measure_location *location, uint32_t nr)
{
	if (unlikely(nr == 0 || nr > MEASURE_MOST_ATTRIBUTES || !attributes_reserve(location, nr)))
		return NULL;
	attributes_note(location);
	return measure_put_time(&location->writer, location->time);
}

/* ---------------------------------------------------------------------- one by one --- */

static inline uint8_t *attributes_put_value(uint8_t *place, const struct measure_typed_value *value)
{
	place = measure_put_u8(measure_put_u32(place, value->attribute), value->type);
	switch (value->type) {
	case OTF2_TYPE_UINT64:
		return measure_put_u64(place, value->unsigned_int);
	case OTF2_TYPE_INT64:
		return measure_put_i64(place, value->signed_int);
	case OTF2_TYPE_DOUBLE:
		return measure_put_full(place, value->unsigned_int);
	default:
		return measure_put_u32(place, value->id);
	}
}

void measure_write_attributes(
	struct measure_location *location, const struct measure_typed_value *values, uint32_t nr)
{
	uint8_t *place = attributes_place(location, nr), *end;

	if (!place)
		return;
	end = measure_put_u32(place + MEASURE_OTF2_SIZED, nr);
	for (uint32_t i = 0; i < nr; i++)
		end = attributes_put_value(end, &values[i]);
	measure_put_head(place, MEASURE_OTF2_ATTRIBUTES, end);
	location->writer.position = end;
}

void measure_write_attribute_uint64(
	struct measure_location *location, measure_attribute_t attribute, uint64_t value)
{
	const struct measure_typed_value typed = {
		.attribute = attribute, .type = OTF2_TYPE_UINT64, .unsigned_int = value};

	measure_write_attributes(location, &typed, 1);
}

/* ----------------------------------------------------------------------------- lists --- */

/* The first one has the head of all in it. */
bool measure_attribute_list_make(
	struct measure_attribute_list *list, const measure_attribute_t *attributes, uint32_t nr)
{
	list->nr = 0;
	if (nr > MEASURE_MOST_ATTRIBUTES)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		uint8_t bytes[32] = {0}, *end = bytes;

		if (attributes[i] == MEASURE_UNDEFINED)
			return false;
		if (i == 0) {
			bytes[0] = MEASURE_OTF2_ATTRIBUTES;
			end = measure_put_u32(bytes + MEASURE_OTF2_SIZED, nr);
		}
		end = measure_put_u8(measure_put_u32(end, attributes[i]), OTF2_TYPE_UINT64);
		list->heads[i].size = (uint32_t)(end - bytes);
		memcpy(list->heads[i].bytes, bytes, sizeof(list->heads[i].bytes));
	}
	list->nr = nr;
	return true;
}

static inline uint8_t *attributes_put_list(
	uint8_t *place, const struct measure_attribute_list *list, const uint64_t *values)
{
	uint8_t *end = place;

	for (uint32_t i = 0; i < list->nr; i++) {
		memcpy(end, &list->heads[i], sizeof(list->heads[i]));
		end = measure_put_u64(end + list->heads[i].size, values[i]);
	}
	place[1] = (uint8_t)(end - place - MEASURE_OTF2_SIZED);
	return end;
}

static void attributes_write_list(struct measure_location *location,
	const struct measure_attribute_list *list, const uint64_t *values)
{
	uint8_t *place = list ? attributes_place(location, list->nr) : NULL;

	if (place)
		location->writer.position = attributes_put_list(place, list, values);
}

/* ----------------------------------------------------------------- whole transactions --- */

static cold bool record_enter_slow(measure_region_t region,
	const struct measure_attribute_list *attributes, const uint64_t *values,
	const struct measure_metrics_beside *metrics)
{
	struct measure_location *location = measure_transaction_open_adapter();

	if (!location)
		return false;
	if (metrics)
		measure_write_metric(location, metrics->metric_class, metrics->values);
	attributes_write_list(location, attributes, values);
	measure_write_enter(location, region);
	measure_transaction_close(location);
	return true;
}

static cold void record_leave_slow(measure_region_t region,
	const struct measure_attribute_list *attributes, const uint64_t *values,
	const struct measure_metrics_beside *metrics)
{
	struct measure_location *location = measure_transaction_open_adapter();

	if (!location)
		return;
	attributes_write_list(location, attributes, values);
	measure_write_leave(location, region);
	if (metrics)
		measure_write_metric(location, metrics->metric_class, metrics->values);
	measure_transaction_close(location);
}

/* As far as known before the transaction: an event of this thread may simply be written. */
static inline struct measure_location *plain_location(const struct measure_metrics_beside *metrics)
{
	struct measure_location *location = measure_location_self;

	if (unlikely(!measure_gate.is_direct || !location || location->flags || metrics))
		return NULL;
	return location;
}

/* In the transaction: the time, where all is as it mostly is; else nothing has happened. So what
 * follows needs no call, and no registers that a call would keep. */
static inline bool stamp_plainly(struct measure_location *location)
{
	const uint64_t now = measure_counter_read();

	if (unlikely(now < location->time || location->writer.position > location->writer.limit))
		return false;
	location->time = now;
	return true;
}

/* Ends a transaction without an event. */
static inline void transaction_give_up(struct measure_location *location)
{
	atomic_signal_fence(memory_order_seq_cst);
	location->flags &= ~(uint32_t)MEASURE_LOCATION_BUSY;
}

static inline uint8_t *transaction_place_with(struct measure_location *location,
	const struct measure_attribute_list *attributes, const uint64_t *values)
{
	uint8_t *place = measure_put_time(&location->writer, location->time);

	return attributes ? attributes_put_list(place, attributes, values) : place;
}

bool measure_record_enter(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics)
{
	struct measure_location *location = plain_location(metrics);

	if (unlikely(!location || region >= MEASURE_CODE_ASK) ||
		!measure_transaction_claim(location, (uintptr_t)__builtin_frame_address(0)))
		return record_enter_slow(region, attributes, values, metrics);
	if (unlikely(location->top == location->ceiling || !stamp_plainly(location))) {
		transaction_give_up(location);
		return record_enter_slow(region, attributes, values, metrics);
	}
	measure_enter_at(location, transaction_place_with(location, attributes, values), region, 0,
		0, MEASURE_COMMIT_ENTER);
	measure_transaction_close(location);
	return true;
}

static cold void transaction_close_and_shrink(struct measure_location *location)
{
	measure_stack_shrink(location);
	measure_transaction_close(location);
}

void measure_record_leave(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics)
{
	struct measure_location *location = plain_location(metrics);

	if (unlikely(!location) ||
		!measure_transaction_claim(location, (uintptr_t)__builtin_frame_address(0))) {
		record_leave_slow(region, attributes, values, metrics);
		return;
	}
	if (unlikely(location->top[-1].region != region || location->overflow != 0 ||
		     !stamp_plainly(location))) {
		transaction_give_up(location);
		record_leave_slow(region, attributes, values, metrics);
		return;
	}
	measure_leave_at(location, transaction_place_with(location, attributes, values),
		MEASURE_COMMIT_LEAVE);
	if (unlikely(measure_stack_is_low(location)))
		transaction_close_and_shrink(location);
	else
		measure_transaction_close(location);
}
