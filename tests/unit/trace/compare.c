/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Record by record; see compare.h. What the library makes of a file that was cut depends on what
 * its memory had before: it is asked for as many records as are whole, which tests/sync/oracle/dump_whole.c
 * counts. */
#include "config.h"

#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sync/oracle/dump.h"
#include "trace/common/containers.h"
#include "trace/stream/decoder.h"
#include "trace/stream/library_reader.h"

struct pair {
	struct t_comparison *comparison;
	uint64_t location; /* id */
	uint64_t nr;       /* records that were the same */
};

__attribute__((format(printf, 2, 3))) static bool differ(
	struct pair *pair, const char *format, ...)
{
	char *text = pair->comparison->difference;
	const size_t size = sizeof(pair->comparison->difference);
	va_list arguments;
	int length;

	if (text[0])
		return false;
	length = snprintf(text, size, "location %" PRIu64 ", after %" PRIu64 " records: ",
		pair->location, pair->nr);
	va_start(arguments, format);
	vsnprintf(text + length, size - (size_t)length, format, arguments);
	va_end(arguments);
	return false;
}

static size_t size_of_value(OTF2_Type type)
{
	switch (type) {
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8:
		return 1;
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16:
		return 2;
	case OTF2_TYPE_NONE:
	case OTF2_TYPE_UINT64:
	case OTF2_TYPE_INT64:
	case OTF2_TYPE_DOUBLE:
	case OTF2_TYPE_LOCATION:
		return 8;
	default:
		return type > OTF2_TYPE_LOCATION_GROUP ? 8 : 4;
	}
}

static bool compare_attributes(
	struct pair *pair, const struct measure_record *ours, const struct measure_record *theirs)
{
	if (ours->nr_attributes != theirs->nr_attributes)
		return differ(pair, "%u attributes, not %u", ours->nr_attributes,
			theirs->nr_attributes);
	for (uint32_t i = 0; i < ours->nr_attributes; i++) {
		const struct measure_record_attribute *a = &ours->attributes[i];
		const struct measure_record_attribute *b = &theirs->attributes[i];

		if (a->id != b->id || a->type != b->type)
			return differ(pair, "attribute %u of type %u, not %u of type %u", a->id,
				a->type, b->id, b->type);
		if (memcmp(&a->value, &b->value, size_of_value(a->type)) != 0)
			return differ(pair, "attribute %u: %" PRIx64 ", not %" PRIx64, a->id,
				a->value.uint64, b->value.uint64);
	}
	pair->comparison->nr_attributes += ours->nr_attributes;
	return true;
}

static bool compare_items(struct pair *pair, const struct measure_record *ours,
	const struct measure_record *theirs, bool are_values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (ours->items[i] != theirs->items[i] ||
			(are_values && ours->types[i] != theirs->types[i]))
			return differ(pair, "item %zu of %s", i, measure_event_names[ours->kind]);
	return true;
}

static bool compare_fields(
	struct pair *pair, const struct measure_record *ours, const struct measure_record *theirs)
{
	const struct measure_record_format *format = &measure_record_formats[ours->kind];

	for (uint8_t i = 0; i < format->nr_fields; i++) {
		const enum measure_field_type type = format->fields[i].type;

		if (ours->values[i] != theirs->values[i])
			return differ(pair, "field %u of %s: %" PRIx64 ", not %" PRIx64, i,
				measure_event_names[ours->kind], ours->values[i],
				theirs->values[i]);
		if ((type == MEASURE_FIELD_U32S || type == MEASURE_FIELD_VALUES) &&
			!compare_items(pair, ours, theirs, type == MEASURE_FIELD_VALUES,
				ours->values[i]))
			return false;
	}
	return true;
}

static bool compare_records(
	struct pair *pair, const struct measure_record *ours, const struct measure_record *theirs)
{
	if (ours->kind != theirs->kind)
		return differ(pair, "%s, not %s", measure_event_names[ours->kind],
			measure_event_names[theirs->kind]);
	if (ours->time != theirs->time || ours->position != theirs->position)
		return differ(pair, "%s %" PRIu64 " at %" PRIu64 ", not %" PRIu64 " at %" PRIu64,
			measure_event_names[ours->kind], ours->position, ours->time,
			theirs->position, theirs->time);
	pair->nr++;
	pair->comparison->nr_records++;
	return compare_fields(pair, ours, theirs) && compare_attributes(pair, ours, theirs);
}

static bool compare_ends(struct pair *pair, const struct measure_event_decoder *decoder,
	bool is_cut, OTF2_ErrorCode status)
{
	const bool is_whole = !is_cut && status == OTF2_SUCCESS;

	if (is_whole != (decoder->state == MEASURE_EVENT_DECODER_AT_END))
		return differ(pair, "state %d (%s), the library: %s", decoder->state,
			decoder->fault ? decoder->fault : "",
			is_cut ? "cut" : OTF2_Error_GetName(status));
	pair->comparison->nr_whole += is_whole;
	pair->comparison->nr_cut += decoder->state == MEASURE_EVENT_DECODER_CUT_OFF;
	pair->comparison->nr_damaged += decoder->state == MEASURE_EVENT_DECODER_DAMAGED;
	return true;
}

/* A record whose fields do not end in the file, or in the chunk: the library does not look. */
static bool is_outside(const struct measure_event_decoder *decoder)
{
	return decoder->state == MEASURE_EVENT_DECODER_CUT_OFF ||
	       (decoder->state == MEASURE_EVENT_DECODER_DAMAGED &&
		       decoder->place + sizeof(uint64_t) >= decoder->limit);
}

static bool compare_files(struct pair *pair, struct measure_event_decoder *decoder,
	struct measure_library_reader *library, uint64_t nr_whole)
{
	OTF2_ErrorCode status = OTF2_ERROR_FILE_INTERACTION;
	const struct measure_record *ours, *theirs;
	bool is_cut = false;

	do {
		is_cut = library && pair->nr >= nr_whole;
		theirs = library && !is_cut ? measure_library_reader_next(library, &status) : NULL;
		ours = measure_event_decoder_next(decoder);
		if (ours && theirs && !compare_records(pair, ours, theirs))
			return false;
	} while (ours && theirs);
	if (theirs && is_outside(decoder)) {
		pair->comparison->nr_outside++;
		return true;
	}
	if (ours && is_cut) {
		pair->comparison->nr_behind++;
		return true;
	}
	if (ours || theirs)
		return differ(pair, "%s: none, the other: %s (state %d: %s; %s)",
			ours ? "the library" : "the decoder",
			measure_event_names[(ours ? ours : theirs)->kind], decoder->state,
			decoder->fault ? decoder->fault : "", OTF2_Error_GetName(status));
	return compare_ends(pair, decoder, is_cut, status);
}

bool t_compare_location(
	struct measure_trace *trace, uint32_t location, struct t_comparison *comparison)
{
	struct pair pair = {comparison, trace->definitions.locations[location].id, 0};
	struct measure_library_reader *library =
		measure_library_reader_open(trace->reader, pair.location);
	char *path = measure_trace_file(trace, location, ".evt");
	struct measure_event_decoder decoder;
	bool is_same;

	measure_event_decoder_open(&decoder, path, trace->chunk_size, trace->mappings[location]);
	is_same = compare_files(&pair, &decoder, library,
		dump_nr_whole(trace->anchor, pair.location, trace->chunk_size));
	comparison->nr_locations++;
	measure_event_decoder_close(&decoder);
	measure_library_reader_close(library);
	measure_free(path);
	return is_same;
}

/* By a reader of the library that has read all local definitions: that of a trace with many
 * locations has not. */
bool t_compare_all(struct measure_trace *trace, struct t_comparison *comparison)
{
	const uint32_t nr = (uint32_t)trace->definitions.nr_locations;
	struct measure_trace whole = *trace, library;
	bool are_same = true;

	whole.is_foreign = true;
	if (measure_trace_open_reader(&whole, 0, nr, trace->findings, &library) != MEASURE_OK) {
		snprintf(comparison->difference, sizeof(comparison->difference), "%s",
			measure_trace_error());
		return false;
	}
	for (uint32_t i = 0; i < nr; i++)
		are_same &= t_compare_location(&library, i, comparison);
	measure_trace_close_reader(&library);
	return are_same;
}
