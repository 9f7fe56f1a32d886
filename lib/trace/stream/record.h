/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An event record with all its fields, as it comes out of a file, whoever has read it: the decoder
 * (decoder.h) or the OTF2 library (library_reader.h). */
#ifndef MEASURE_TRACE_STREAM_RECORD_H
#define MEASURE_TRACE_STREAM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "trace/archive/definitions.h"

enum measure_event_kind {
#define EVENT(number, Name, NAME, ...) MEASURE_EVENT_##NAME,
#include "format/otf2_records.def"
#undef EVENT
	MEASURE_EVENT_UNKNOWN, /* a record newer than otf2_records.def */
	MEASURE_NR_EVENT_KINDS
};

/* "MpiSend" and so on. */
extern const char *const measure_event_names[MEASURE_NR_EVENT_KINDS];

#define MEASURE_RECORD_FIELDS 6 /* no record has more */

struct measure_record_field {
	enum measure_field_type {
		MEASURE_FIELD_U8,
		MEASURE_FIELD_U32,
		MEASURE_FIELD_U64,
		MEASURE_FIELD_I64,
		MEASURE_FIELD_TIME,
		MEASURE_FIELD_U32S,
		MEASURE_FIELD_VALUES
	} type : 8;
	enum measure_kind kind : 8; /* what it refers to; MEASURE_NR_KINDS: nothing */
	enum measure_field_slot {  /* where struct measure_event keeps it */
		MEASURE_SLOT_NONE,
		MEASURE_SLOT_ref,
		MEASURE_SLOT_peer,
		MEASURE_SLOT_tag,
		MEASURE_SLOT_op,
		MEASURE_SLOT_number,
		MEASURE_SLOT_sent,
		MEASURE_SLOT_received,
		MEASURE_NR_SLOTS,
		/* of an array: the field before it, which has its length */
		MEASURE_SLOT_nr_values = MEASURE_SLOT_NONE,
		MEASURE_SLOT_nr_arguments = MEASURE_SLOT_NONE
	} slot : 8;
};

/* What otf2_records.def says of a kind of records. */
struct measure_record_format {
	uint8_t number;   /* its first byte in a file */
	bool has_length; /* before its fields */
	uint8_t nr_fields;
	struct measure_record_field fields[MEASURE_RECORD_FIELDS];
};

extern const struct measure_record_format measure_record_formats[MEASURE_NR_EVENT_KINDS];

struct measure_record_attribute {
	OTF2_AttributeRef id;
	OTF2_Type type;
	OTF2_AttributeValue value;
};

/* Ids are global ones. The arrays are valid until the next record is read. */
struct measure_record {
	uint64_t time;     /* as recorded */
	uint64_t position; /* from 1 */
	enum measure_event_kind kind;
	uint32_t nr_attributes;
	const struct measure_record_attribute *attributes;
	uint64_t values[MEASURE_RECORD_FIELDS]; /* of its fields; of an array: its length */
	const uint64_t *items;                  /* of the array; there is one at most */
	const uint8_t *types;                   /* of the items, where they are values */
};

#endif
