/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics; see meter.h. A meter is a source with those of its metrics that are read together, as
 * one record. Threads begin to be measured with their first event. */
#include "config.h"

#include "event/meter.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "adapter.h"
#include "base/pages.h"
#include "event/record_internal.h"
#include "metric/list.h"
#include "metric/sources.h"
#include "mutex.h"

#define MOST_METERS 16

/* More than a record takes, with a timestamp: type, length, class and number; each value with its
 * type and its length. */
#define RECORD_SIZE (9 + 2 + 5 + 1 + 10 * MEASURE_MOST_METRICS)
_Static_assert(RECORD_SIZE + 8 <= MEASURE_RECORD_ROOM, "there is room for the last record");

/* What stands behind them: attributes, and an Enter or Leave. */
#define ROOM_BEHIND (2 * MEASURE_RECORD_ROOM)

struct meter {
	const struct measure_metric_source *source;
	struct measure_metric_class metric_class;
	const char *names[MEASURE_MOST_METRICS];
	struct measure_metric_info metrics[MEASURE_MOST_METRICS];
};

/* One location's, for the thread that it has just now. What is summed up from the start goes on
 * where the thread before it has ended. */
struct measure_meters {
	uint32_t nr; /* begun, or tried to */
	struct {
		void *thread; /* NULL: cannot be read here */
		union measure_metric_value bases[MEASURE_MOST_METRICS];
		union measure_metric_value values[MEASURE_MOST_METRICS]; /* the last ones */
	} items[MOST_METERS];
};

static struct meter meters[MOST_METERS];
static _Atomic uint32_t nr_meters;
static struct measure_mutex lock;
static const char *wanted; /* --metrics */

/* ------------------------------------------------------------------------ records --- */

static uint8_t *put_values(uint8_t *place, const struct measure_metric_class *metric_class,
	const union measure_metric_value *values)
{
	uint8_t *end = measure_put_u32(place + MEASURE_SIZED, metric_class->id);

	end = measure_put_u8(end, metric_class->nr);
	for (uint32_t i = 0; i < metric_class->nr; i++) {
		end = measure_put_u8(end, metric_class->value_types[i]);
		end = measure_put_u64(end, values[i].unsigned_int);
	}
	measure_put_head(place, MEASURE_TYPE_Metric, MEASURE_SIZED, end);
	return end;
}

void measure_write_metric(struct measure_location *location,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values)
{
	uint8_t *place;

	if (metric_class->id == MEASURE_UNDEFINED)
		return;
	place = measure_record_place(location);
	if (likely(place))
		measure_commit(
			location, MEASURE_COMMIT_EVENT, put_values(place, metric_class, values));
}

/* ------------------------------------------------------------------------ threads --- */

/* Meters may have been added since the thread has begun. */
static cold void begin_meters(struct measure_meters *own, uint32_t nr)
{
	int saved = errno;

	for (; own->nr < nr; own->nr++) {
		const struct meter *meter = &meters[own->nr];
		own->items[own->nr].thread =
			meter->source->begin(meter->names, meter->metric_class.nr);
	}
	errno = saved;
}

static cold struct measure_meters *make(struct measure_location *location)
{
	int saved = errno;

	location->meters = measure_pages_get(sizeof(*location->meters));
	errno = saved;
	return location->meters;
}

void measure_meters_end(struct measure_location *location)
{
	struct measure_meters *own = location->meters;

	for (uint32_t i = 0; own && i < own->nr; i++) {
		if (own->items[i].thread)
			meters[i].source->end(own->items[i].thread);
		memcpy(own->items[i].bases, own->items[i].values, sizeof(own->items[i].bases));
	}
	if (own)
		own->nr = 0;
}

/* ------------------------------------------------------- before an Enter or Leave --- */

/* Attributes that stand there already belong to what comes behind the values. */
struct moved {
	uint8_t bytes[MEASURE_RECORD_ROOM];
	size_t nr;
};

static void take_attributes(struct measure_location *location, struct moved *moved)
{
	uint8_t *begin = location->attributes.begin;

	moved->nr = 0;
	if (!measure_attributes_stand(location))
		return;
	if (*begin == MEASURE_RECORD_TIMESTAMP)
		begin += 9;
	moved->nr = (size_t)(location->writer.position - begin);
	memcpy(moved->bytes, begin, moved->nr);
	location->writer.position = location->attributes.begin;
	location->writer.time = UINT64_MAX;
}

static void return_attributes(struct measure_location *location, const struct moved *moved)
{
	uint8_t *place;

	if (moved->nr == 0)
		return;
	place = measure_put_time(&location->writer, location->time);
	memcpy(place, moved->bytes, moved->nr);
	location->writer.position = place + moved->nr;
}

static void add_base(const struct measure_metric_info *metric, union measure_metric_value base,
	union measure_metric_value *value)
{
	if (metric->mode != OTF2_METRIC_ACCUMULATED_START)
		return;
	if (metric->value_type == OTF2_TYPE_DOUBLE)
		value->floating_point += base.floating_point;
	else
		value->unsigned_int += base.unsigned_int;
}

/* The values of a meter; false: it has none on this thread. */
static bool put_meter(struct measure_location *location, uint32_t number)
{
	struct measure_meters *own = location->meters;
	union measure_metric_value *values = own->items[number].values;
	const struct meter *meter = &meters[number];

	if (!own->items[number].thread || !meter->source->read(own->items[number].thread, values))
		return false;
	for (uint32_t i = 0; i < meter->metric_class.nr; i++)
		add_base(&meter->metrics[i], own->items[number].bases[i], &values[i]);
	location->writer.position = put_values(
		measure_put_time(&location->writer, location->time), &meter->metric_class, values);
	return true;
}

uint64_t measure_meter_put(struct measure_location *location)
{
	uint32_t nr = atomic_load_explicit(&nr_meters, memory_order_acquire), nr_put = 0;
	struct moved moved;
	int saved;

	if (unlikely(!location->meters && !make(location)))
		return 0;
	if (unlikely(location->meters->nr < nr))
		begin_meters(location->meters, nr);
	if (measure_gap_is_open(location))
		return 0;
	take_attributes(location, &moved);
	if (!measure_record_reserve(location, nr * RECORD_SIZE + ROOM_BEHIND))
		return 0;
	saved = errno;
	for (uint32_t i = 0; i < nr; i++)
		nr_put += put_meter(location, i);
	errno = saved;
	return_attributes(location, &moved);
	return nr_put * MEASURE_COMMIT_EVENT;
}

/* ------------------------------------------------------------------------ sources --- */

static void define(struct meter *meter, uint32_t nr)
{
	measure_metric_class_define(
		meter->metrics, nr, OTF2_METRIC_SYNCHRONOUS_STRICT, &meter->metric_class);
}

/* Under the lock. */
static void add(struct meter *meter, uint32_t nr)
{
	uint32_t place = atomic_load(&nr_meters);

	if (nr == 0 || place == MOST_METERS)
		return;
	define(meter, nr);
	if (meter->metric_class.id == MEASURE_UNDEFINED)
		return;
	meters[place] = *meter;
	atomic_store_explicit(&nr_meters, place + 1, memory_order_release);
	measure_gate.is_metered = 1;
}

/* A name that lives on. */
static const char *keep(const char *name)
{
	static char names[4096];
	static size_t used;
	size_t size = strlen(name) + 1;

	if (used + size > sizeof(names))
		return NULL;
	memcpy(names + used, name, size);
	used += size;
	return names + used - size;
}

/* Those of its metrics that were asked for, as many as fit into one record at a time. What is not
 * found was said by `measure`. */
static void choose(const struct measure_metric_source *source)
{
	struct measure_metric_choice choice;
	const char *text = wanted, *why;
	struct meter meter = {.source = source};
	uint32_t nr = 0;

	while (measure_metric_list_next(&text, &choice)) {
		if (strcmp(choice.source, source->name) != 0 ||
			!(meter.names[nr] = keep(choice.metric)) ||
			source->find(meter.names[nr], &meter.metrics[nr], &why) != MEASURE_OK)
			continue;
		if (++nr == MEASURE_MOST_METRICS) {
			add(&meter, nr);
			nr = 0;
		}
	}
	add(&meter, nr);
}

void measure_metric_register(const struct measure_metric_source *source)
{
	if (measure_start_lazily)
		measure_start_lazily();
	if (!measure_gate_is_admitting() || source->abi != MEASURE_METRIC_ABI || !wanted)
		return;
	measure_mutex_lock(&lock);
	choose(source);
	measure_mutex_unlock(&lock);
}

void measure_meters_start(const char *metrics)
{
	wanted = metrics;
	if (!*metrics)
		return;
	for (uint32_t i = 0; measure_metric_sources[i]; i++)
		choose(measure_metric_sources[i]);
}

void measure_meters_restart(void)
{
	uint32_t nr = atomic_load(&nr_meters);

	for (uint32_t i = 0; i < nr; i++) {
		if (meters[i].source->forked)
			meters[i].source->forked();
		define(&meters[i], meters[i].metric_class.nr);
	}
	measure_gate.is_metered = nr > 0;
}
