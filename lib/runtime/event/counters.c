/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics; see counters.h. A meter is a source with those of its metrics that are read together, as
 * one record. Threads begin to be measured with their first event. */
#include "config.h"

#include "counters.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "record_internal.h"
#include "metric/list.h"
#include "mutex.h"
#include "pages.h"

#define MOST_METERS MEASURE_METRIC_MOST

/* More than a record takes, with a timestamp: type, length, class and number; each value with its
 * type and its length. */
#define RECORD_SIZE (9 + 2 + 5 + 1 + 10 * MEASURE_MOST_METRICS)
_Static_assert(RECORD_SIZE + 8 <= MEASURE_RECORD_ROOM, "there is room for the last record");

/* What stands behind them: attributes, and an Enter or Leave. */
#define ROOM_BEHIND (2 * MEASURE_RECORD_ROOM)

struct meter {
	const struct measure_metric_source *source;
	struct measure_metric_class metric_class;
	uint8_t head[8]; /* of its records */
	uint32_t head_size;
	bool is_seldom;  /* it need not have values at each event */
	bool is_foreign; /* it may lock and allocate where it begins, and call what is recorded */
	const char *names[MEASURE_MOST_METRICS];
	struct measure_metric_info metrics[MEASURE_MOST_METRICS];
};

/* One location's, for the thread that it has just now. What is summed up from the start goes on
 * where the thread before it has ended. */
struct measure_meters {
	uint32_t nr; /* begun, or tried to */
	struct {
		void *thread; /* NULL: cannot be read here */
		bool has_bases;
		union measure_metric_value bases[MEASURE_MOST_METRICS];
		union measure_metric_value values[MEASURE_MOST_METRICS]; /* the last ones */
	} items[MOST_METERS];
};

static struct meter meters[MOST_METERS];
static _Atomic uint32_t nr_meters;
static struct measure_mutex lock;
static const char *wanted; /* --metrics */

/* ------------------------------------------------------------------------ records --- */

/* Up to the values; how long the record is comes later. */
static uint8_t *put_class(uint8_t *place, const struct measure_metric_class *metric_class)
{
	return measure_put_u8(
		measure_put_u32(place + MEASURE_SIZED, metric_class->id), metric_class->nr);
}

static inline uint8_t *put_values(uint8_t *place, uint8_t *end,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values)
{
	for (uint32_t i = 0; i < metric_class->nr; i++)
		end = measure_put_u64(
			measure_put_u8(end, metric_class->value_types[i]), values[i].unsigned_int);
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
		measure_commit(location, MEASURE_COMMIT_EVENT,
			put_values(place, put_class(place, metric_class), metric_class, values));
}

/* ------------------------------------------------------------------------ threads --- */

static cold bool is_our_own(const struct measure_metric_source *source)
{
	const struct measure_metric_source *const *own = measure_metric_sources;

	while (*own && *own != source)
		own++;
	return *own != NULL;
}

/* Meters may have been added since the thread has begun. */
static cold void begin_meters(struct measure_location *location, uint32_t nr)
{
	struct measure_meters *own = location->meters;
	int saved = errno;

	for (; own->nr < nr; own->nr++) {
		const struct meter *meter = &meters[own->nr];
		location->is_in_library = location->may_allocate = meter->is_foreign;
		own->items[own->nr].thread =
			meter->source->begin(meter->names, meter->metric_class.nr, getpid());
	}
	location->is_in_library = location->may_allocate = false;
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
		own->items[i].has_bases = true;
	}
	if (own)
		own->nr = 0;
}

/* ------------------------------------------------------- before an Enter or Leave --- */

static cold void add_bases(const struct meter *meter, const union measure_metric_value *bases,
	union measure_metric_value *values)
{
	for (uint32_t i = 0; i < meter->metric_class.nr; i++) {
		if (meter->metrics[i].mode != OTF2_METRIC_ACCUMULATED_START)
			continue;
		if (meter->metrics[i].value_type == OTF2_TYPE_DOUBLE)
			values[i].floating_point += bases[i].floating_point;
		else
			values[i].unsigned_int += bases[i].unsigned_int;
	}
}

/* The values of a meter, and where the next record goes; NULL: it has none on this thread, or none
 * any more. */
static inline uint8_t *put_meter(struct measure_meters *own, uint32_t number, uint8_t *place)
{
	union measure_metric_value *values = own->items[number].values;
	const struct meter *meter = &meters[number];

	if (unlikely(!own->items[number].thread ||
		     !meter->source->read(own->items[number].thread, values)))
		return NULL;
	if (unlikely(own->items[number].has_bases))
		add_bases(meter, own->items[number].bases, values);
	memcpy(place, meter->head, sizeof(meter->head));
	return put_values(place, place + meter->head_size, &meter->metric_class, values);
}

/* Whether values that are not there should be. */
static cold bool is_missed(const struct measure_meters *own, uint32_t number)
{
	return !meters[number].is_seldom || !own->items[number].thread;
}

static inline uint64_t put_meters(struct measure_location *location, uint32_t nr)
{
	uint8_t *place = measure_put_time(&location->writer, location->time), *next;
	uint32_t nr_put = 0, nr_missing = 0;

	for (uint32_t i = 0; i < nr; i++) {
		location->is_in_library = meters[i].is_foreign;
		next = put_meter(location->meters, i, place);
		if (unlikely(!next)) {
			nr_missing += is_missed(location->meters, i);
			continue;
		}
		place = next;
		nr_put++;
		location->has_news |= meters[i].is_seldom;
	}
	location->is_in_library = false;
	location->writer.position = place;
	if (unlikely(nr_missing > 0))
		measure_count(MEASURE_COUNT_UNMETERED);
	return nr_put * MEASURE_COMMIT_EVENT;
}

/* Attributes that stand there already belong to what comes behind the values. */
static cold uint64_t put_before_attributes(struct measure_location *location, uint32_t nr)
{
	uint8_t *begin = location->attributes.begin, bytes[MEASURE_RECORD_ROOM];
	size_t size;
	uint64_t change;

	if (*begin == MEASURE_RECORD_TIMESTAMP)
		begin += 9;
	size = (size_t)(location->writer.position - begin);
	memcpy(bytes, begin, size);
	location->writer.position = location->attributes.begin;
	location->writer.time = UINT64_MAX;
	change = put_meters(location, nr);
	memcpy(location->writer.position, bytes, size);
	location->writer.position += size;
	return change;
}

/* The location's, or its thread's, first time, or meters have been added. */
static cold bool begin(struct measure_location *location, uint32_t nr)
{
	if (!location->meters && !make(location)) {
		measure_count(MEASURE_COUNT_UNMETERED);
		return false;
	}
	begin_meters(location, nr);
	return true;
}

static inline size_t room_for(uint32_t nr)
{
	return nr * RECORD_SIZE + ROOM_BEHIND;
}

size_t measure_meter_room(void)
{
	return room_for(measure_meters_nr());
}

/* Attributes that stand there already must not be left behind in another chunk: there is room,
 * unless meters were added since. */
static inline bool has_room(struct measure_location *location, size_t size)
{
	if (likely(measure_has_room(location, size)))
		return true;
	return !measure_gap_is_open(location) && !measure_attributes_stand(location) &&
	       measure_record_reserve(location, size);
}

/* In a gap, there is no room. */
uint64_t measure_meter_put(struct measure_location *location)
{
	uint32_t nr = atomic_load_explicit(&nr_meters, memory_order_acquire);

	if (unlikely(!location->meters || location->meters->nr < nr) && !begin(location, nr))
		return 0;
	if (unlikely(!has_room(location, room_for(nr))))
		return 0;
	if (unlikely(measure_attributes_stand(location)))
		return put_before_attributes(location, nr);
	return put_meters(location, nr);
}

uint32_t measure_meters_nr(void)
{
	return atomic_load_explicit(&nr_meters, memory_order_relaxed);
}

/* ------------------------------------------------------------------------ sources --- */

static void define(struct meter *meter, uint32_t nr)
{
	uint8_t head[sizeof(meter->head) + 8];

	measure_metric_class_define(meter->metrics, nr,
		meter->is_seldom ? OTF2_METRIC_SYNCHRONOUS : OTF2_METRIC_SYNCHRONOUS_STRICT,
		&meter->metric_class);
	meter->head_size = (uint32_t)(put_class(head, &meter->metric_class) - head);
	memcpy(meter->head, head, sizeof(meter->head));
}

/* Under the lock. */
static bool add(struct meter *meter, uint32_t nr)
{
	uint32_t place = atomic_load(&nr_meters);

	if (nr == 0 || place == MOST_METERS)
		return false;
	define(meter, nr);
	if (meter->metric_class.id == MEASURE_UNDEFINED)
		return false;
	meter->is_foreign = !is_our_own(meter->source);
	meters[place] = *meter;
	atomic_store_explicit(&nr_meters, place + 1, memory_order_release);
	measure_gate_meter();
	return true;
}

/* A name that lives on. */
static const char *keep(const char *name)
{
	static char names[MEASURE_METRIC_MOST * MEASURE_METRIC_NAME];
	static size_t used;
	size_t size = strlen(name) + 1;

	if (used + size > sizeof(names))
		return NULL;
	memcpy(names + used, name, size);
	used += size;
	return names + used - size;
}

/* What holds until its next value is told where it changes. */
static bool holds(const struct meter *meter, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		if (meter->metrics[i].mode != OTF2_METRIC_ABSOLUTE_NEXT)
			return false;
	return true;
}

static void add_chosen(struct meter *meter, uint32_t nr)
{
	meter->is_seldom = holds(meter, nr);
	add(meter, nr);
}

/* Those of its metrics that were asked for, as many as fit into one record at a time. What is not
 * found was said by `measure`. */
static void choose(const struct measure_metric_source *source)
{
	struct measure_metric_choice choice;
	const char *text = wanted, *why;
	struct meter meter = {.source = source};
	uint32_t nr = 0, nr_seen = 0;

	if (source->scope != MEASURE_METRIC_THREAD)
		return;
	while (nr_seen++ < MEASURE_METRIC_MOST && measure_metric_list_next(&text, &choice)) {
		if (!measure_metric_is_of(&choice, source->name) ||
			!(meter.names[nr] = keep(choice.metric)) ||
			source->find(meter.names[nr], &meter.metrics[nr], &why) != MEASURE_OK)
			continue;
		if (++nr == MEASURE_MOST_METRICS) {
			add_chosen(&meter, nr);
			nr = 0;
		}
	}
	add_chosen(&meter, nr);
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

bool measure_metric_add(const struct measure_metric_source *source,
	const struct measure_metric_info *metrics, uint32_t nr, bool is_seldom)
{
	struct meter meter = {.source = source, .is_seldom = is_seldom};

	if (!measure_gate_is_admitting() || nr > MEASURE_MOST_METRICS)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		meter.metrics[i] = metrics[i];
		meter.names[i] = metrics[i].name;
	}
	measure_mutex_lock(&lock);
	bool is_added = add(&meter, nr);
	measure_mutex_unlock(&lock);
	return is_added;
}

void measure_metric_missing(void)
{
	measure_count(MEASURE_COUNT_UNPLUGGED);
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
	if (nr > 0)
		measure_gate_meter();
}
