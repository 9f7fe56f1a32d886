/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prices of events; see event_pricing.h. */
#include "config.h"

#include "event_pricing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/common/containers.h"
#include "trace/stream/record.h"

#define NS_PER_SECOND 1e9

#define REFERENCE_PROPERTY "MEASURE::SELF_TIMING::REFERENCE"
#define MEMORY_PROPERTY    "MEASURE::HELD_CPU_NS"
#define LEAST_REFERENCES   4   /* samples; of fewer, one is as good as none */
#define MOST_SCALE         4.0 /* more is another processor, or none that calibration can tell of */

const char *measure_compensation_word(enum measure_compensation_method method)
{
	static const char *const words[] = {"none", "frequency", "classic"};

	return words[method];
}

/* ------------------------------------------------------------------------ rates --- */

/* As many ticks as tell windows apart: the first bits of their number. */
static unsigned step_of(uint64_t ticks)
{
	const int shift = ticks >> (MEASURE_RATE_BITS + 1)
				  ? 63 - __builtin_clzll(ticks) - MEASURE_RATE_BITS
				  : 0;

	return ((unsigned)shift << MEASURE_RATE_BITS) + (unsigned)(ticks >> shift);
}

/* The least number of ticks that has this step. */
static uint64_t ticks_of(unsigned step)
{
	const unsigned shift = step >> MEASURE_RATE_BITS ? (step >> MEASURE_RATE_BITS) - 1 : 0;

	return (uint64_t)(step - (shift << MEASURE_RATE_BITS)) << shift;
}

/* Over the window or as many transactions as there are. */
static void note_transaction(struct measure_event_pricing *pricing, uint64_t time)
{
	const uint64_t nr = pricing->nr < MEASURE_RATE_WINDOW ? pricing->nr : MEASURE_RATE_WINDOW;
	const uint64_t first =
		pricing->times[nr < MEASURE_RATE_WINDOW ? 0 : pricing->nr % MEASURE_RATE_WINDOW];

	uint64_t ticks = nr == 0 || time <= first ? 0 : time - first;

	if (nr < MEASURE_RATE_WINDOW && nr > 0)
		ticks = ticks * MEASURE_RATE_WINDOW / nr;
	pricing->step = step_of(ticks);
	pricing->times[pricing->nr++ % MEASURE_RATE_WINDOW] = time;
}

/* ------------------------------------------------------------------------- list --- */

/* A set of which there is no curve: the nearest smaller one that has one, else any. */
static const struct measure_event_cost_curve *curve_of(const struct measure_event_costs *costs,
	enum measure_event_cost_kind kind, enum measure_working_set set)
{
	const struct measure_event_cost_curve *curves = costs->curves[kind];
	int smaller = (int)set, larger = (int)set;

	while (smaller > 0 && curves[smaller].nr == 0)
		smaller--;
	if (curves[smaller].nr > 0)
		return &curves[smaller];
	while (larger + 1 < MEASURE_NR_WORKING_SETS && curves[larger].nr == 0)
		larger++;
	return &curves[larger];
}

static double parts_per_ns(const struct measure_price_list *list)
{
	return (double)list->definitions->clock.resolution / NS_PER_SECOND *
	       (double)MEASURE_PRICE_TICK;
}

/* By rate; or as if all events came back to back. */
static void fill_parts(struct measure_price_list *list, enum measure_event_cost_kind kind)
{
	const bool is_classic = list->method == MEASURE_COMPENSATION_CLASSIC;
	const struct measure_event_cost_curve *curve = curve_of(list->costs, kind,
		is_classic ? MEASURE_WORKING_SET_NONE : MEASURE_WORKING_SET_L1);

	for (unsigned step = 0; step < MEASURE_NR_RATE_STEPS; step++) {
		const double ticks = is_classic ? 0 : (double)ticks_of(step);
		const double rate = MEASURE_RATE_WINDOW *
				    (double)list->definitions->clock.resolution / ticks;
		const struct measure_event_cost cost = measure_event_cost_at(curve, rate);

		list->parts[kind][step] = (struct measure_event_parts){
			cost.before * parts_per_ns(list), cost.after * parts_per_ns(list)};
	}
}

static const char *string_of(
	const struct measure_definitions *definitions, const struct measure_property *property)
{
	return measure_text(definitions, measure_definition_index(definitions, MEASURE_KIND_STRING,
						 property->value.stringRef));
}

static bool is_property(const struct measure_definitions *definitions,
	const struct measure_property *property, enum measure_kind kind, OTF2_Type type,
	const char *name)
{
	return property->kind == kind && property->owner != MEASURE_NONE &&
	       property->type == type &&
	       strcmp(measure_text(definitions, property->name), name) == 0;
}

/* The reference events of a location tell how fast its processor was for events, beside that on
 * which they were calibrated: "SAMPLES EVENTS TICKS ...". */
static void note_reference(struct measure_price_list *list, const struct measure_property *property)
{
	const double reference = list->costs->reference;
	uint64_t samples, events, ticks;

	if (reference <= 0 ||
		!is_property(list->definitions, property, MEASURE_KIND_LOCATION, OTF2_TYPE_STRING,
			REFERENCE_PROPERTY) ||
		sscanf(string_of(list->definitions, property),
			"%" SCNu64 " %" SCNu64 " %" SCNu64, &samples, &events, &ticks) != 3 ||
		samples < LEAST_REFERENCES || events == 0)
		return;
	const double ns = (double)ticks / (double)events /
			  (double)list->definitions->clock.resolution * NS_PER_SECOND;
	list->scales[property->owner] = fmin(fmax(ns / reference, 1 / MOST_SCALE), MOST_SCALE);
}

/* How long the threads of a process were about new event memory is known in all; each of their
 * events bears the same share. */
static void note_memory(struct measure_price_list *list, const struct measure_property *property)
{
	const struct measure_definitions *definitions = list->definitions;
	uint64_t nr_events = 0;

	if (!is_property(definitions, property, MEASURE_KIND_LOCATION_GROUP, OTF2_TYPE_UINT64,
		    MEMORY_PROPERTY))
		return;
	for (uint32_t i = 0; i < definitions->nr_locations; i++)
		if (definitions->locations[i].group == property->owner)
			nr_events += definitions->locations[i].nr_events;
	for (uint32_t i = 0; i < definitions->nr_locations; i++)
		if (definitions->locations[i].group == property->owner && nr_events > 0)
			list->memory[i] = (int64_t)((double)property->value.uint64 *
						    parts_per_ns(list) / (double)nr_events);
}

void measure_price_list_make(struct measure_price_list *list,
	const struct measure_event_costs *costs, const struct measure_definitions *definitions,
	enum measure_compensation_method method)
{
	*list = (struct measure_price_list){.costs = costs,
		.definitions = definitions,
		.method = method,
		.parts = measure_zeroed(MEASURE_NR_EVENT_COSTS, sizeof(*list->parts)),
		.scales = measure_uncleared(definitions->nr_locations, sizeof(*list->scales)),
		.memory = measure_zeroed(definitions->nr_locations, sizeof(*list->memory))};
	for (int kind = 0; kind < MEASURE_NR_EVENT_COSTS; kind++)
		fill_parts(list, kind);
	for (uint32_t i = 0; i < definitions->nr_locations; i++)
		list->scales[i] = 1;
	if (method == MEASURE_COMPENSATION_CLASSIC)
		return;
	for (uint32_t i = 0; i < definitions->nr_properties; i++) {
		note_reference(list, &definitions->properties[i]);
		note_memory(list, &definitions->properties[i]);
	}
}

void measure_price_list_free(struct measure_price_list *list)
{
	measure_free(list->parts);
	measure_free(list->scales);
	measure_free(list->memory);
	*list = (struct measure_price_list){.parts = NULL};
}
/* ------------------------------------------------------------------------ kinds --- */

static bool is_function(const struct measure_definitions *definitions, uint32_t region)
{
	const OTF2_Paradigm paradigm = region < definitions->nr_regions
					       ? definitions->regions[region].paradigm
					       : OTF2_PARADIGM_UNKNOWN;

	return paradigm == OTF2_PARADIGM_COMPILER || paradigm == OTF2_PARADIGM_USER ||
	       paradigm == OTF2_PARADIGM_KOKKOS;
}

static enum measure_event_cost_kind kind_of(const struct measure_event_pricing *pricing,
	const struct measure_event *event, uint64_t time)
{
	const struct measure_definitions *definitions = pricing->list->definitions;

	switch (event->kind) {
	case MEASURE_EVENT_ENTER:
		return is_function(definitions, event->ref) ? MEASURE_EVENT_COST_FUNCTION_ENTER
							    : MEASURE_EVENT_COST_CALL_ENTER;
	case MEASURE_EVENT_LEAVE:
		return is_function(definitions, event->ref) ? MEASURE_EVENT_COST_FUNCTION_LEAVE
							    : MEASURE_EVENT_COST_CALL_LEAVE;
	case MEASURE_EVENT_MPI_SEND:
	case MEASURE_EVENT_MPI_ISEND:
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
	case MEASURE_EVENT_MPI_IRECV_REQUEST:
	case MEASURE_EVENT_MPI_RECV:
	case MEASURE_EVENT_MPI_IRECV:
	case MEASURE_EVENT_MPI_REQUEST_TEST:
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
	case MEASURE_EVENT_MPI_COLLECTIVE_BEGIN:
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return MEASURE_EVENT_COST_MESSAGE;
	case MEASURE_EVENT_METRIC:
		return MEASURE_EVENT_COST_METRIC;
	default:
		return pricing->has_last && time == pricing->last ? MEASURE_EVENT_COST_RECORD
								  : MEASURE_EVENT_COST_OTHER;
	}
}

static bool is_transaction(enum measure_event_cost_kind kind)
{
	return kind != MEASURE_EVENT_COST_MESSAGE && kind != MEASURE_EVENT_COST_METRIC &&
	       kind != MEASURE_EVENT_COST_RECORD;
}

struct measure_event_price measure_event_pricing_next(
	struct measure_event_pricing *pricing, const struct measure_event *event, uint64_t time)
{
	const struct measure_price_list *list = pricing->list;
	const enum measure_event_cost_kind kind = kind_of(pricing, event, time);
	const double scale = list->scales[pricing->location];
	const struct measure_event_parts *parts;

	if (is_transaction(kind))
		note_transaction(pricing, time);
	pricing->last = time;
	pricing->has_last = true;
	/* that of a flush is its time, which is exact */
	if (event->kind == MEASURE_EVENT_BUFFER_FLUSH)
		return (struct measure_event_price){
			0, event->number > event->raw
				   ? (int64_t)(event->number - event->raw) * MEASURE_PRICE_TICK
				   : 0};
	parts = &list->parts[kind][pricing->step];
	return (struct measure_event_price){(int64_t)(scale * parts->before + 0.5),
		(int64_t)(scale * parts->after + 0.5) + list->memory[pricing->location]};
}
