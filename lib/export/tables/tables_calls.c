/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables made of the events of one location after the other: calls, in the order of their begins,
 * and values of metrics. */
#include "config.h"

#include <stdlib.h>

#include "tables_export.h"
#include "trace/stream/stream.h"

struct tables_call {
	uint64_t start, end; /* ns */
	uint64_t enter;      /* ticks: a wait is found by it */
	uint32_t path, depth;
};

/* A wait, by its call. */
struct tables_call_wait {
	uint64_t enter, ns;
	uint32_t path, pattern;
};

struct tables_calls {
	struct tables_export *export;
	uint32_t location;
	MEASURE_GROWING(struct tables_call, calls);
	MEASURE_GROWING(uint32_t, open);                 /* calls */
	MEASURE_GROWING(struct tables_call_wait, waits); /* by enter */
};

/* -------------------------------------------------------------------------- calls --- */

static void calls_take(struct tables_calls *calls, const struct measure_conversion_item *item)
{
	if (item->kind == MEASURE_CONVERSION_BEGIN) {
		*measure_append(calls, open) = (uint32_t)calls->nr_calls;
		*measure_append(calls, calls) = (struct tables_call){.start = item->ns,
			.enter = item->time,
			.path = item->path,
			.depth = item->depth + 1};
	} else if (calls->nr_open > 0) {
		calls->calls[calls->open[--calls->nr_open]].end = item->ns;
	}
}

static void calls_take_wait(void *data, const struct measure_conversion_wait *wait)
{
	struct tables_calls *calls = data;
	const struct measure_call_table *table =
		&calls->export->conversion->waits->dependencies.tables[calls->location];

	*measure_append(calls, waits) =
		(struct tables_call_wait){.enter = table->calls[wait->state->call].enter,
			.ns = wait->waiting_ns,
			.path = wait->path,
			.pattern = wait->pattern};
}

/* Both are in the order of Enters. A call has one wait; a barrier with tasks two. */
static void calls_write(struct tables_calls *calls)
{
	const struct tables_call_wait *wait = calls->waits, *end = wait + calls->nr_waits;

	for (size_t i = 0; i < calls->nr_calls; i++) {
		const struct tables_call *call = &calls->calls[i];
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};
		uint64_t waiting = 0;

		while (wait < end && wait->enter < call->enter)
			wait++;
		for (; wait < end && wait->enter == call->enter && wait->path == call->path;
			wait++) {
			waiting += wait->ns;
			TABLES_CELL(row, CALLS, CLASS) =
				tables_text(measure_wait_patterns[wait->pattern].word);
			TABLES_CELL(row, CALLS, WAITING_NS) = tables_integer(waiting);
		}
		TABLES_CELL(row, CALLS, LOCATION) = tables_index(calls->location);
		TABLES_CELL(row, CALLS, START_NS) = tables_integer(call->start);
		TABLES_CELL(row, CALLS, DEPTH) = tables_index(call->depth);
		TABLES_CELL(row, CALLS, END_NS) = tables_integer(call->end);
		TABLES_CELL(row, CALLS, PATH) = tables_index(call->path);
		tables_add(calls->export->writer, TABLES_CALLS, row);
	}
	calls->nr_calls = calls->nr_open = calls->nr_waits = 0;
}

/* ------------------------------------------------------------------------ records --- */

static void calls_write_metrics(
	struct tables_calls *calls, const struct measure_conversion_item *item)
{
	struct tables_export *export = calls->export;
	struct measure_conversion_value value;

	for (uint32_t i = 0; measure_conversion_value(export->conversion, item, i, &value); i++) {
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		if (!value.member)
			continue;
		TABLES_CELL(row, METRIC_VALUES, LOCATION) = tables_index(item->location);
		TABLES_CELL(row, METRIC_VALUES, TIME_NS) = tables_integer(item->ns);
		TABLES_CELL(row, METRIC_VALUES, METRIC) = tables_index(value.number);
		TABLES_CELL(row, METRIC_VALUES, VALUE) =
			value.is_integer ? tables_signed(value.integer) : tables_real(value.real);
		tables_add(export->writer, TABLES_METRIC_VALUES, row);
	}
}

static void calls_take_record(
	struct tables_calls *calls, const struct measure_conversion_item *item)
{
	const struct measure_event *event = item->event;

	switch (event->kind) {
	case MEASURE_EVENT_METRIC:
		calls_write_metrics(calls, item);
		break;
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		*measure_append(&calls->export->per_location[calls->location], traffic) =
			(struct tables_traffic){event->position, event->sent, event->received};
		break;
	}
}

static measure_status_t calls_read(struct tables_calls *calls)
{
	struct measure_conversion *conversion = calls->export->conversion;
	const bool has_calls = conversion->options->has_calls;
	struct measure_conversion_reader *reader =
		measure_conversion_open(conversion, calls->location);
	uint64_t *nr = &calls->export->per_location[calls->location].nr_events;
	const struct measure_conversion_item *item;

	while ((item = measure_conversion_next(reader))) {
		*nr += !item->is_piece;
		if (item->kind == MEASURE_CONVERSION_RECORD)
			calls_take_record(calls, item);
		else if (has_calls)
			calls_take(calls, item);
	}
	if (has_calls)
		measure_conversion_waits(conversion, calls->location, calls_take_wait, calls);
	calls_write(calls);
	return measure_conversion_close(reader);
}

measure_status_t tables_write_calls(struct tables_export *export)
{
	struct measure_conversion *conversion = export->conversion;
	struct tables_calls calls = {.export = export};
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < conversion->nr_locations && !conversion->is_stopped; i++) {
		measure_status_t one;

		calls.location = export->locations[i];
		one = calls_read(&calls);
		status = status == MEASURE_OK ? one : status;
		conversion->is_stopped |= export->writer->has_failed;
	}
	conversion->is_profiled = true;
	measure_free(calls.calls);
	measure_free(calls.open);
	measure_free(calls.waits);
	return status;
}
