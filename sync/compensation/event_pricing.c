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
#define LEAST_REFERENCES   4   /* samples; of fewer, one is as good as none */
#define MOST_SCALE         4.0 /* more is another processor, or none that calibration can tell of */

const char *measure_compensation_word(enum measure_compensation_method method)
{
	static const char *const words[] = {"none", "frequency", "classic"};

	return words[method];
}

static int64_t parts_of(const struct measure_price_list *list, double ns)
{
	return llrint(ns / NS_PER_SECOND * list->ticks_per_second * (double)MEASURE_PRICE_TICK);
}

static struct measure_event_price price_of(
	const struct measure_price_list *list, const struct measure_event_cost *cost, double scale)
{
	return (struct measure_event_price){
		parts_of(list, scale * cost->before), parts_of(list, scale * cost->after)};
}

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

/* The reference events of a location tell how fast its processor was for events, beside that on
 * which they were calibrated: "SAMPLES EVENTS TICKS ...". */
static void note_reference(struct measure_price_list *list, const struct measure_property *property)
{
	const struct measure_definitions *definitions = list->definitions;
	const char *text;
	uint64_t samples, events, ticks;

	if (property->kind != MEASURE_KIND_LOCATION || property->owner == MEASURE_NONE ||
		property->type != OTF2_TYPE_STRING || list->costs->reference <= 0 ||
		strcmp(measure_text(definitions, property->name), REFERENCE_PROPERTY) != 0)
		return;
	text = measure_text(definitions, measure_definition_index(definitions, MEASURE_KIND_STRING,
						 property->value.stringRef));
	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &samples, &events, &ticks) != 3 ||
		samples < LEAST_REFERENCES || events == 0)
		return;
	const double ns = (double)ticks / (double)events / list->ticks_per_second * NS_PER_SECOND;
	list->scales[property->owner] =
		fmin(fmax(ns / list->costs->reference, 1 / MOST_SCALE), MOST_SCALE);
}

void measure_price_list_make(struct measure_price_list *list,
	const struct measure_event_costs *costs, const struct measure_definitions *definitions,
	enum measure_compensation_method method)
{
	*list = (struct measure_price_list){.costs = costs,
		.definitions = definitions,
		.method = method,
		.ticks_per_second = (double)definitions->clock.resolution};
	for (int i = 0; i < MEASURE_NR_EVENT_COSTS; i++) {
		const struct measure_event_cost cost = measure_event_cost_at(
			curve_of(costs, i, MEASURE_WORKING_SET_NONE), HUGE_VAL);

		list->constant[i] = price_of(list, &cost, 1);
	}
	list->scales = measure_uncleared(definitions->nr_locations, sizeof(*list->scales));
	for (uint32_t i = 0; i < definitions->nr_locations; i++)
		list->scales[i] = 1;
	for (uint32_t i = 0; i < definitions->nr_properties; i++)
		note_reference(list, &definitions->properties[i]);
}

void measure_price_list_free(struct measure_price_list *list)
{
	measure_free(list->scales);
	list->scales = NULL;
}

/* ------------------------------------------------------------------------ kinds --- */

static bool is_function(const struct measure_definitions *definitions, uint32_t region)
{
	const OTF2_Paradigm paradigm = region < definitions->nr_regions
					       ? definitions->regions[region].paradigm
					       : OTF2_PARADIGM_UNKNOWN;

	return paradigm == OTF2_PARADIGM_COMPILER || paradigm == OTF2_PARADIGM_USER;
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

/* ------------------------------------------------------------------------ rates --- */

/* Per second, over the window or as many as there are. */
static void note_transaction(struct measure_event_pricing *pricing, uint64_t time)
{
	const uint64_t nr = pricing->nr < MEASURE_RATE_WINDOW ? pricing->nr : MEASURE_RATE_WINDOW;
	const uint64_t first =
		pricing->times[nr < MEASURE_RATE_WINDOW ? 0 : pricing->nr % MEASURE_RATE_WINDOW];

	pricing->rate = nr == 0 || time <= first ? HUGE_VAL
						 : (double)nr * pricing->list->ticks_per_second /
							   (double)(time - first);
	pricing->times[pricing->nr++ % MEASURE_RATE_WINDOW] = time;
}

struct measure_event_price measure_event_pricing_next(
	struct measure_event_pricing *pricing, const struct measure_event *event, uint64_t time)
{
	const struct measure_price_list *list = pricing->list;
	const enum measure_event_cost_kind kind = kind_of(pricing, event, time);
	struct measure_event_cost cost;

	if (is_transaction(kind))
		note_transaction(pricing, time);
	else if (pricing->nr == 0)
		pricing->rate = HUGE_VAL;
	pricing->last = time;
	pricing->has_last = true;
	/* that of a flush is its time, which is exact */
	if (event->kind == MEASURE_EVENT_BUFFER_FLUSH)
		return (struct measure_event_price){
			0, event->number > event->raw
				   ? (int64_t)(event->number - event->raw) * MEASURE_PRICE_TICK
				   : 0};
	if (list->method == MEASURE_COMPENSATION_CLASSIC)
		return list->constant[kind];
	cost = measure_event_cost_at(curve_of(list->costs, kind, pricing->set), pricing->rate);
	return price_of(list, &cost, list->scales[pricing->location]);
}
