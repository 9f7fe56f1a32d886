/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading counters; see counters.h. A counter group is a source with those of its metrics that are
 * read together, as one record. Threads begin to be measured with their first event. */
#include "config.h"

#include "runtime/event/counters.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "runtime/event/transaction.h"
#include "metric/list.h"
#include "mutex.h"
#include "pages.h"

#define MOST_GROUPS MEASURE_METRIC_MOST

_Static_assert(
	MEASURE_COUNTER_ROOM + 8 <= MEASURE_RECORD_ROOM, "there is room for the last record");

struct counter_group {
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
struct measure_counters {
	uint32_t nr; /* begun, or tried to */
	struct {
		void *thread; /* NULL: cannot be read here */
		bool has_bases;
		union measure_metric_value bases[MEASURE_MOST_METRICS];
		union measure_metric_value values[MEASURE_MOST_METRICS]; /* the last ones */
	} items[MOST_GROUPS];
};

static struct counter_group groups[MOST_GROUPS];
static _Atomic uint32_t nr_groups;
static struct measure_mutex lock;
static const char *wanted; /* --metrics */

/* ------------------------------------------------------------------------ records --- */

void measure_write_metric(struct measure_location *location,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values)
{
	uint8_t *place;

	if (metric_class->id == MEASURE_UNDEFINED)
		return;
	place = measure_transaction_place(location);
	if (likely(place))
		measure_transaction_commit(location, MEASURE_COMMIT_EVENT,
			measure_put_metric(place, metric_class->id, metric_class->nr,
				metric_class->value_types, (const void *)values));
}

/* ------------------------------------------------------------------------ threads --- */

static cold bool source_is_ours(const struct measure_metric_source *source)
{
	const struct measure_metric_source *const *own = measure_metric_sources;

	while (*own && *own != source)
		own++;
	return *own != NULL;
}

/* Groups may have been added since the thread has begun. */
static cold void counters_begin_groups(struct measure_location *location, uint32_t nr)
{
	struct measure_counters *own = location->counters;
	int saved = errno;

	for (; own->nr < nr; own->nr++) {
		const struct counter_group *group = &groups[own->nr];
		location->is_in_library = location->may_allocate = group->is_foreign;
		own->items[own->nr].thread =
			group->source->begin(group->names, group->metric_class.nr, getpid());
	}
	location->is_in_library = location->may_allocate = false;
	errno = saved;
}

static cold struct measure_counters *counters_make(struct measure_location *location)
{
	int saved = errno;

	location->counters = measure_pages_get(sizeof(*location->counters));
	errno = saved;
	return location->counters;
}

void measure_counters_end(struct measure_location *location)
{
	struct measure_counters *own = location->counters;

	for (uint32_t i = 0; own && i < own->nr; i++) {
		if (own->items[i].thread)
			groups[i].source->end(own->items[i].thread);
		memcpy(own->items[i].bases, own->items[i].values, sizeof(own->items[i].bases));
		own->items[i].has_bases = true;
	}
	if (own)
		own->nr = 0;
}

/* ------------------------------------------------------- before an Enter or Leave --- */

static cold void group_add_bases(const struct counter_group *group,
	const union measure_metric_value *bases, union measure_metric_value *values)
{
	for (uint32_t i = 0; i < group->metric_class.nr; i++) {
		if (group->metrics[i].mode != OTF2_METRIC_ACCUMULATED_START)
			continue;
		if (group->metrics[i].value_type == OTF2_TYPE_DOUBLE)
			values[i].floating_point += bases[i].floating_point;
		else
			values[i].unsigned_int += bases[i].unsigned_int;
	}
}

/* The values of a group, and where the next record goes; NULL: it has none on this thread, or none
 * any more. */
static inline uint8_t *counters_put_group(
	struct measure_counters *own, uint32_t number, uint8_t *place)
{
	union measure_metric_value *values = own->items[number].values;
	const struct counter_group *group = &groups[number];
	uint8_t *end;

	if (unlikely(!own->items[number].thread ||
		     !group->source->read(own->items[number].thread, values)))
		return NULL;
	if (unlikely(own->items[number].has_bases))
		group_add_bases(group, own->items[number].bases, values);
	memcpy(place, group->head, sizeof(group->head));
	end = measure_put_values(place + group->head_size, group->metric_class.nr,
		group->metric_class.value_types, values);
	measure_put_head(place, MEASURE_OTF2_METRIC, end);
	return end;
}

/* Whether values that are not there should be. */
static cold bool counters_are_missed(const struct measure_counters *own, uint32_t number)
{
	return !groups[number].is_seldom || !own->items[number].thread;
}

static inline uint64_t counters_put_groups(struct measure_location *location, uint32_t nr)
{
	uint8_t *place = measure_put_time(&location->writer, location->time), *next;
	uint32_t nr_put = 0, nr_missing = 0;

	for (uint32_t i = 0; i < nr; i++) {
		location->is_in_library = groups[i].is_foreign;
		next = counters_put_group(location->counters, i, place);
		if (unlikely(!next)) {
			nr_missing += counters_are_missed(location->counters, i);
			continue;
		}
		place = next;
		nr_put++;
		location->has_news |= groups[i].is_seldom;
	}
	location->is_in_library = false;
	location->writer.position = place;
	if (unlikely(nr_missing > 0))
		measure_count(MEASURE_COUNT_UNMETERED);
	return nr_put * MEASURE_COMMIT_EVENT;
}

/* Attributes that stand there already belong to what follows the values. */
static cold uint64_t put_before_attributes(struct measure_location *location, uint32_t nr)
{
	uint8_t *begin = location->attributes.begin, bytes[MEASURE_RECORD_ROOM];
	size_t size;
	uint64_t change;

	if (*begin == MEASURE_OTF2_TIMESTAMP)
		begin += 9;
	size = (size_t)(location->writer.position - begin);
	memcpy(bytes, begin, size);
	location->writer.position = location->attributes.begin;
	location->writer.time = UINT64_MAX;
	change = counters_put_groups(location, nr);
	memcpy(location->writer.position, bytes, size);
	location->writer.position += size;
	return change;
}

/* The location's, or its thread's, first time, or groups have been added. */
static cold bool counters_begin(struct measure_location *location, uint32_t nr)
{
	if (!location->counters && !counters_make(location)) {
		measure_count(MEASURE_COUNT_UNMETERED);
		return false;
	}
	counters_begin_groups(location, nr);
	return true;
}

/* Attributes that stand there already must not be left behind in another chunk: there is room,
 * unless groups were added since. */
static inline bool counters_have_room(struct measure_location *location, size_t size)
{
	if (likely(measure_transaction_has_room(location, size)))
		return true;
	return !measure_location_drops(location) && !measure_attributes_wait(location) &&
	       measure_transaction_reserve(location, size);
}

/* While events are dropped, there is no room. */
uint64_t measure_counters_put(struct measure_location *location)
{
	uint32_t nr = atomic_load_explicit(&nr_groups, memory_order_acquire);

	if (unlikely(location->is_stream))
		return 0;
	if (unlikely(!location->counters || location->counters->nr < nr) &&
		!counters_begin(location, nr))
		return 0;
	if (unlikely(!counters_have_room(location, measure_counters_room(nr))))
		return 0;
	if (unlikely(measure_attributes_wait(location)))
		return put_before_attributes(location, nr);
	return counters_put_groups(location, nr);
}

/* ------------------------------------------------------------------------ sources --- */

static void group_define(struct counter_group *group, uint32_t nr)
{
	uint8_t head[sizeof(group->head) + 8], *values;

	measure_metric_class_define(group->metrics, nr,
		group->is_seldom ? OTF2_METRIC_SYNCHRONOUS : OTF2_METRIC_SYNCHRONOUS_STRICT,
		&group->metric_class);
	values = measure_put_u32(head + MEASURE_OTF2_SIZED, group->metric_class.id);
	values = measure_put_u8(values, group->metric_class.nr);
	group->head_size = (uint32_t)(values - head);
	memcpy(group->head, head, sizeof(group->head));
}

/* Under the lock. */
static bool group_add(struct counter_group *group, uint32_t nr)
{
	uint32_t place = atomic_load(&nr_groups);

	if (nr == 0 || place == MOST_GROUPS)
		return false;
	group_define(group, nr);
	if (group->metric_class.id == MEASURE_UNDEFINED)
		return false;
	group->is_foreign = !source_is_ours(group->source);
	groups[place] = *group;
	atomic_store_explicit(&nr_groups, place + 1, memory_order_release);
	measure_gate_count(place + 1);
	return true;
}

/* A name that lives on. */
static const char *counters_keep_name(const char *name)
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
static bool group_holds(const struct counter_group *group, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		if (group->metrics[i].mode != OTF2_METRIC_ABSOLUTE_NEXT)
			return false;
	return true;
}

static void group_add_chosen(struct counter_group *group, uint32_t nr)
{
	group->is_seldom = group_holds(group, nr);
	group_add(group, nr);
}

/* Those of its metrics that were asked for, as many as fit into one record at a time. What is not
 * found was said by `measure`. */
static void counters_choose(const struct measure_metric_source *source)
{
	struct measure_metric_choice choice;
	const char *text = wanted, *why;
	struct counter_group group = {.source = source};
	uint32_t nr = 0, nr_seen = 0;

	if (source->scope != MEASURE_METRIC_THREAD)
		return;
	while (nr_seen++ < MEASURE_METRIC_MOST && measure_metric_list_next(&text, &choice)) {
		if (!measure_metric_is_of(&choice, source->name) ||
			!(group.names[nr] = counters_keep_name(choice.metric)) ||
			source->find(group.names[nr], &group.metrics[nr], &why) != MEASURE_OK)
			continue;
		if (++nr == MEASURE_MOST_METRICS) {
			group_add_chosen(&group, nr);
			nr = 0;
		}
	}
	group_add_chosen(&group, nr);
}

void measure_metric_register(const struct measure_metric_source *source)
{
	measure_start_lazily();
	if (!measure_gate_adapters_enabled() || source->abi != MEASURE_METRIC_ABI || !wanted)
		return;
	measure_mutex_lock(&lock);
	counters_choose(source);
	measure_mutex_unlock(&lock);
}

bool measure_metric_add(const struct measure_metric_source *source,
	const struct measure_metric_info *metrics, uint32_t nr, bool is_seldom)
{
	struct counter_group group = {.source = source, .is_seldom = is_seldom};

	if (!measure_gate_adapters_enabled() || nr > MEASURE_MOST_METRICS)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		group.metrics[i] = metrics[i];
		group.names[i] = metrics[i].name;
	}
	measure_mutex_lock(&lock);
	bool is_added = group_add(&group, nr);
	measure_mutex_unlock(&lock);
	return is_added;
}

void measure_metric_missing(void)
{
	measure_count(MEASURE_COUNT_UNPLUGGED);
}

void measure_counters_start(const char *metrics)
{
	wanted = metrics;
	if (!*metrics)
		return;
	for (uint32_t i = 0; measure_metric_sources[i]; i++)
		counters_choose(measure_metric_sources[i]);
}

void measure_counters_restart(void)
{
	uint32_t nr = atomic_load(&nr_groups);

	for (uint32_t i = 0; i < nr; i++) {
		if (groups[i].source->forked)
			groups[i].source->forked();
		group_define(&groups[i], groups[i].metric_class.nr);
	}
	if (nr > 0)
		measure_gate_count(nr);
}
