/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decodes event files by the shapes of their records; see decoder.h. A field is read where OTF2's
 * reader reads it, even behind the end that the record's length says, but never outside of the
 * chunk or the file. Numbers below those of events, which that one takes for later ones, are damage. */
#include "config.h"

#include "decoder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/archive/id_mapping.h"
#include "trace/common/containers.h"

/* What stands where a record could, beside those of otf2_records.h. */
enum { END_OF_CHUNK = 0, END_OF_FILE = 2, CHUNK_HEADER = 3, FIRST_EVENT = 10 };
enum { BIG_ENDIAN_MARK = 0x23, LITTLE_ENDIAN_MARK = 0x42 };

#define TIMESTAMP_SIZE	 9
#define HEADER_SIZE 18
#define QUICK_SIZE	 15   /* bytes that measure_event_decoder_peek_call() may touch */
#define RELEASE_SIZE     ((size_t)4 << 20) /* of pages, at a time */
#define LONG_LENGTH	 0xff /* the length follows in 8 bytes */
#define UNDEFINED_NUMBER 0xff /* all ones, no bytes follow */

/* Of an attribute in a file: its id, its type, its value. */
#define ATTRIBUTE_SIZE	    15
#define ATTRIBUTE_LIST_SIZE 5 /* besides */

static enum measure_event_kind kind_of_number(uint8_t number)
{
	switch (number) {
#define EVENT(number, Name, NAME, ...)                                                             \
	case number:                                                                               \
		return MEASURE_EVENT_##NAME;
#include "format/otf2_records.def"
#undef EVENT
	default:
		return MEASURE_EVENT_UNKNOWN;
	}
}

static bool decoder_fail(struct measure_event_decoder *decoder, const char *fault)
{
	decoder->state = MEASURE_EVENT_DECODER_DAMAGED;
	decoder->fault = fault;
	return false;
}

/* A record goes on behind the end of its chunk, or of the file. */
static bool decoder_run_out(struct measure_event_decoder *decoder)
{
	if (decoder->limit < decoder->end)
		return decoder_fail(decoder, "a record does not end in its chunk");
	decoder->state = MEASURE_EVENT_DECODER_CUT_OFF;
	return false;
}

/* ---------------------------------------------------------------------- numbers --- */

/* The number of a record may lie in the last byte, which is beyond the limit. */
static size_t decoder_left(const struct measure_event_decoder *decoder)
{
	return decoder->place < decoder->limit ? (size_t)(decoder->limit - decoder->place) : 0;
}

static bool decoder_take_u8(struct measure_event_decoder *decoder, uint8_t *value)
{
	if (decoder->place >= decoder->limit)
		return decoder_run_out(decoder);
	*value = *decoder->place++;
	return true;
}

/* What so many bytes leave of eight. */
static const uint64_t masks[] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff,
	0xffffffffffff, 0xffffffffffffff, UINT64_MAX};

static uint64_t load_eight(const uint8_t *place)
{
	uint64_t value;

	memcpy(&value, place, sizeof(value));
	return value;
}

/* A number of `size` bytes, which are there. */
static uint64_t decoder_load(const struct measure_event_decoder *decoder, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, decoder->place, size);
	if (decoder->is_swapped)
		return size ? __builtin_bswap64(value) >> (64 - 8 * size) : 0;
	return value;
}

static bool decoder_take_full(struct measure_event_decoder *decoder, size_t size, uint64_t *value)
{
	if (decoder_left(decoder) < size)
		return decoder_run_out(decoder);
	*value = decoder_load(decoder, size);
	decoder->place += size;
	return true;
}

/* A compressed number of at most `size` bytes: how many, then these. */
static bool decoder_take_compressed(
	struct measure_event_decoder *decoder, size_t size, uint64_t *value)
{
	uint8_t length;

	if (!decoder_take_u8(decoder, &length))
		return false;
	if (length <= size)
		return decoder_take_full(decoder, length, value);
	if (length != UNDEFINED_NUMBER)
		return decoder_fail(decoder, "a number has too many bytes");
	*value = UINT64_MAX >> (64 - 8 * size);
	return true;
}

/* Of a record: its end lies in the chunk. */
static bool decoder_take_length(struct measure_event_decoder *decoder, const uint8_t **end)
{
	uint64_t length;
	uint8_t byte;

	if (!decoder_take_u8(decoder, &byte))
		return false;
	length = byte;
	if (byte == LONG_LENGTH && !decoder_take_full(decoder, sizeof(length), &length))
		return false;
	if (length > decoder_left(decoder))
		return decoder_run_out(decoder);
	*end = decoder->place + length;
	return true;
}

/* ---------------------------------------------------------------------- chunks --- */

static bool decoder_begin_chunk(struct measure_event_decoder *decoder, size_t offset)
{
	const size_t rest = decoder->size - offset;
	const bool is_whole = rest >= decoder->chunk_size;

	decoder->place = decoder->file + offset;
	decoder->end = decoder->place + (is_whole ? decoder->chunk_size : rest);
	/* OTF2 leaves a byte for the mark behind the last record. */
	decoder->limit = decoder->end - (is_whole && decoder->chunk_size > 0);
	decoder->next_chunk = is_whole ? offset + decoder->chunk_size : decoder->size;
	decoder->quick_end = NULL;
	if (decoder->end - decoder->place < HEADER_SIZE)
		return decoder_run_out(decoder);
	if (decoder->place[0] != CHUNK_HEADER)
		return decoder_fail(decoder, "no chunk begins at this position");
	if (decoder->place[1] != BIG_ENDIAN_MARK && decoder->place[1] != LITTLE_ENDIAN_MARK)
		return decoder_fail(decoder, "a chunk without a byte order");
	decoder->is_swapped = (decoder->place[1] == BIG_ENDIAN_MARK) ==
			      (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	decoder->place += HEADER_SIZE;
	decoder->first_record = decoder->place;
	if (!decoder->is_swapped && decoder->end - decoder->place > QUICK_SIZE)
		decoder->quick_end = decoder->end - QUICK_SIZE;
	return true;
}

/* What has been read need not stay in memory: it is in the file. */
static void decoder_release(struct measure_event_decoder *decoder, size_t offset)
{
	const size_t end = offset / RELEASE_SIZE * RELEASE_SIZE;

	if (end > decoder->released && !decoder->is_borrowed)
		madvise((void *)(decoder->file + decoder->released), end - decoder->released,
			MADV_DONTNEED);
	decoder->released = end;
}

static bool decoder_next_chunk(struct measure_event_decoder *decoder)
{
	const size_t left = decoder->size - decoder->next_chunk;

	decoder_release(decoder, decoder->next_chunk);
	if (left > decoder->skipped)
		return decoder_begin_chunk(decoder, decoder->next_chunk + decoder->skipped);
	decoder->state =
		decoder->skipped ? MEASURE_EVENT_DECODER_AT_END : MEASURE_EVENT_DECODER_CUT_OFF;
	return false;
}

void measure_event_decoder_sample(struct measure_event_decoder *decoder, size_t first, size_t step)
{
	if (decoder->state != MEASURE_EVENT_DECODER_READING || decoder->chunk_size == 0)
		return;
	decoder->skipped = (step - 1) * decoder->chunk_size;
	if (first == 0)
		return;
	if (first * decoder->chunk_size < decoder->size)
		decoder_begin_chunk(decoder, first * decoder->chunk_size);
	else
		decoder->state = MEASURE_EVENT_DECODER_AT_END;
}

/* ---------------------------------------------------------------------- records --- */

static uint64_t decoder_map_id(
	const struct measure_event_decoder *decoder, enum measure_kind kind, uint64_t id)
{
	return kind == MEASURE_NR_KINDS ? id : measure_id_mapping_apply(decoder->mapping, kind, id);
}

static bool decoder_take_reference(struct measure_event_decoder *decoder, enum measure_kind kind,
	size_t size, uint64_t *id)
{
	if (!decoder_take_compressed(decoder, size, id))
		return false;
	*id = decoder_map_id(decoder, kind, *id) & UINT64_MAX >> (64 - 8 * size);
	return true;
}

static bool decoder_take_value(struct measure_event_decoder *decoder, size_t i)
{
	decoder->types =
		measure_grow(decoder->types, i, &decoder->room_types, sizeof(*decoder->types));
	return decoder_take_u8(decoder, &decoder->types[i]) &&
	       decoder_take_compressed(decoder, sizeof(uint64_t), &decoder->items[i]);
}

static bool decoder_take_items(struct measure_event_decoder *decoder,
	const struct measure_record_field *field, uint64_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		decoder->items = measure_grow(
			decoder->items, i, &decoder->room_items, sizeof(*decoder->items));
		if (field->type == MEASURE_FIELD_VALUES
				? !decoder_take_value(decoder, i)
				: !decoder_take_reference(decoder, field->kind, sizeof(uint32_t),
					  &decoder->items[i]))
			return false;
	}
	decoder->record.items = decoder->items;
	decoder->record.types = decoder->types;
	return true;
}

static bool decoder_take_field(
	struct measure_event_decoder *decoder, const struct measure_record_field *field, uint64_t *value)
{
	uint8_t byte;

	switch (field->type) {
	case MEASURE_FIELD_U8:
		if (!decoder_take_u8(decoder, &byte))
			return false;
		*value = byte;
		return true;
	case MEASURE_FIELD_U32:
		return decoder_take_reference(decoder, field->kind, sizeof(uint32_t), value);
	case MEASURE_FIELD_U64:
	case MEASURE_FIELD_I64:
		return decoder_take_compressed(decoder, sizeof(uint64_t), value);
	case MEASURE_FIELD_TIME:
		return decoder_take_full(decoder, sizeof(uint64_t), value);
	default: /* an array, as long as the field before it says */
		*value = value[-1];
		return decoder_take_items(decoder, field, value[-1]);
	}
}

/* The bytes that any record without an array takes at most, and those that are loaded with its last
 * number. */
#define ROOM_OF_RECORD (1 + 9 * MEASURE_RECORD_FIELDS + 8)

/* A field that is well before the end of what is there. Its end; NULL: it is nothing usual. */
static const uint8_t *decoder_take_field_quickly(const struct measure_event_decoder *decoder,
	const struct measure_record_field *field, const uint8_t *place, uint64_t *value)
{
	const uint8_t length = *place++;

	if (field->type == MEASURE_FIELD_U8) {
		*value = length;
		return place;
	}
	if (field->type > MEASURE_FIELD_I64 ||
		length > (field->type == MEASURE_FIELD_U32 ? sizeof(uint32_t) : sizeof(uint64_t)))
		return NULL;
	*value = load_eight(place) & masks[length];
	if (field->kind != MEASURE_NR_KINDS)
		*value = measure_id_mapping_apply(decoder->mapping, field->kind, *value) &
			 UINT32_MAX;
	return place + length;
}

/* False: the record, behind its number, is for decoder_take_fields(). */
static bool decoder_take_fields_quickly(struct measure_event_decoder *decoder,
	const struct measure_record_format *format, uint64_t *values)
{
	const uint8_t *place = decoder->place, *end = NULL;

	if (decoder->limit - place < ROOM_OF_RECORD || decoder->is_swapped)
		return false;
	if (format->has_length) {
		end = place + 1 + *place;
		if (*place++ == LONG_LENGTH || end > decoder->limit)
			return false;
	}
	for (uint8_t i = 0; i < format->nr_fields; i++) {
		place = decoder_take_field_quickly(decoder, &format->fields[i], place, &values[i]);
		if (!place)
			return false;
	}
	decoder->place = end ? end : place;
	return true;
}

static bool decoder_take_fields(struct measure_event_decoder *decoder,
	const struct measure_record_format *format, uint64_t *values)
{
	const uint8_t *end = NULL;

	if (format->has_length && !decoder_take_length(decoder, &end))
		return false;
	for (uint8_t i = 0; i < format->nr_fields; i++)
		if (!decoder_take_field(decoder, &format->fields[i], &values[i]))
			return false;
	if (end)
		decoder->place = end; /* fields of later versions lie before it */
	return true;
}

static bool decoder_take_record(struct measure_event_decoder *decoder, uint8_t number)
{
	struct measure_record *record = &decoder->record;
	const enum measure_event_kind kind = kind_of_number(number);
	const struct measure_record_format *format = &measure_record_formats[kind];

	if (number < FIRST_EVENT)
		return decoder_fail(decoder, "there is no record of this number");
	if (!decoder_take_fields_quickly(decoder, format, record->values) &&
		!decoder_take_fields(decoder, format, record->values))
		return false;
	record->kind = kind;
	record->time = decoder->time;
	record->position = ++decoder->position;
	return true;
}

/* ------------------------------------------------------------------- attributes --- */

static const struct attribute_type {
	uint8_t size;
	bool is_full; /* else compressed */
	bool is_reference;
	enum measure_kind kind;
} attribute_types[] = {
	[OTF2_TYPE_UINT8] = {1, true},
	[OTF2_TYPE_UINT16] = {2, true},
	[OTF2_TYPE_UINT32] = {4},
	[OTF2_TYPE_UINT64] = {8},
	[OTF2_TYPE_INT8] = {1, true},
	[OTF2_TYPE_INT16] = {2, true},
	[OTF2_TYPE_INT32] = {4},
	[OTF2_TYPE_INT64] = {8},
	[OTF2_TYPE_FLOAT] = {4, true},
	[OTF2_TYPE_DOUBLE] = {8, true},
	[OTF2_TYPE_STRING] = {4, false, true, MEASURE_KIND_STRING},
	[OTF2_TYPE_ATTRIBUTE] = {4, false, true, MEASURE_KIND_ATTRIBUTE},
	[OTF2_TYPE_LOCATION] = {8, false, true, MEASURE_KIND_LOCATION},
	[OTF2_TYPE_REGION] = {4, false, true, MEASURE_KIND_REGION},
	[OTF2_TYPE_GROUP] = {4, false, true, MEASURE_KIND_GROUP},
	[OTF2_TYPE_METRIC] = {4, false, true, MEASURE_KIND_METRIC},
	[OTF2_TYPE_COMM] = {4, false, true, MEASURE_KIND_COMM},
	[OTF2_TYPE_PARAMETER] = {4, false, true, MEASURE_KIND_PARAMETER},
	[OTF2_TYPE_RMA_WIN] = {4, false, true, MEASURE_KIND_RMA_WIN},
	[OTF2_TYPE_SOURCE_CODE_LOCATION] = {4, false, true, MEASURE_KIND_SOURCE_CODE_LOCATION},
	[OTF2_TYPE_CALLING_CONTEXT] = {4, false, true, MEASURE_KIND_CALLING_CONTEXT},
	[OTF2_TYPE_INTERRUPT_GENERATOR] = {4, false, true, MEASURE_KIND_INTERRUPT_GENERATOR},
	[OTF2_TYPE_IO_FILE] = {4, false, true, MEASURE_KIND_IO_FILE},
	[OTF2_TYPE_IO_HANDLE] = {4, false, true, MEASURE_KIND_IO_HANDLE},
	[OTF2_TYPE_LOCATION_GROUP] = {4, false, true, MEASURE_KIND_LOCATION_GROUP},
};

/* Types of later versions are references, and so compressed. */
static struct attribute_type attribute_type_of(uint8_t type)
{
	if (type < sizeof(attribute_types) / sizeof(*attribute_types) && attribute_types[type].size)
		return attribute_types[type];
	return (struct attribute_type){.size = sizeof(uint64_t)};
}

/* Members of the union begin at one place; what they do not fill is 0. */
static OTF2_AttributeValue value_of(uint64_t number, size_t size)
{
	const uint8_t byte = (uint8_t)number;
	const uint16_t two = (uint16_t)number;
	const uint32_t four = (uint32_t)number;
	OTF2_AttributeValue value = {.uint64 = 0};

	if (size == sizeof(byte))
		value.uint8 = byte;
	else if (size == sizeof(two))
		value.uint16 = two;
	else if (size == sizeof(four))
		value.uint32 = four;
	else
		value.uint64 = number;
	return value;
}

/* They are compared with each other: more are nothing but damage. */
#define MOST_ATTRIBUTES 16384

static bool decoder_has_attribute(const struct measure_event_decoder *decoder, OTF2_AttributeRef id)
{
	for (uint32_t i = 0; i < decoder->record.nr_attributes; i++)
		if (decoder->attributes[i].id == id)
			return true;
	return false;
}

static bool decoder_take_attribute(struct measure_event_decoder *decoder)
{
	struct measure_record *record = &decoder->record;
	struct attribute_type format;
	enum measure_kind kind;
	uint64_t id, value;
	uint8_t type;

	if (!decoder_take_reference(decoder, MEASURE_KIND_ATTRIBUTE, sizeof(uint32_t), &id) ||
		!decoder_take_u8(decoder, &type))
		return false;
	format = attribute_type_of(type);
	kind = format.is_reference ? format.kind : MEASURE_NR_KINDS;
	if (format.is_full ? !decoder_take_full(decoder, format.size, &value)
			  : !decoder_take_reference(decoder, kind, format.size, &value))
		return false;
	if (record->nr_attributes >= MOST_ATTRIBUTES)
		return decoder_fail(decoder, "a record has too many attributes");
	if (decoder_has_attribute(decoder, (uint32_t)id))
		return decoder_fail(decoder, "a record has an attribute twice");
	decoder->attributes = measure_grow(decoder->attributes, record->nr_attributes,
		&decoder->room_attributes, sizeof(*decoder->attributes));
	decoder->attributes[record->nr_attributes++] = (struct measure_record_attribute){
		(uint32_t)id, type, value_of(value, format.size)};
	record->attributes = decoder->attributes;
	return true;
}

/* Of the next record. */
static bool decoder_take_attributes(struct measure_event_decoder *decoder)
{
	const uint8_t *end;
	uint64_t nr, length;

	if (!decoder_take_length(decoder, &end))
		return false;
	length = (uint64_t)(end - decoder->place);
	if (!decoder_take_compressed(decoder, sizeof(uint32_t), &nr))
		return false;
	if (length > (uint32_t)(nr * ATTRIBUTE_SIZE + ATTRIBUTE_LIST_SIZE))
		return decoder_fail(decoder, "attributes do not fill their list");
	for (uint64_t i = 0; i < nr; i++)
		if (!decoder_take_attribute(decoder))
			return false;
	decoder->place = end;
	return true;
}

/* ----------------------------------------------------------------------- reading --- */

/* The number of a record, behind its time. False: none, or it has been dealt with. */
static bool decoder_take_number(struct measure_event_decoder *decoder, uint8_t *number)
{
	if (likely(decoder->limit - decoder->place > TIMESTAMP_SIZE && !decoder->is_swapped)) {
		if (*decoder->place == MEASURE_OTF2_TIMESTAMP) {
			decoder->time = load_eight(decoder->place + 1);
			decoder->place += TIMESTAMP_SIZE;
		}
	} else if (decoder->place < decoder->end && *decoder->place == MEASURE_OTF2_TIMESTAMP) {
		decoder->place++;
		if (!decoder_take_full(decoder, sizeof(decoder->time), &decoder->time))
			return false;
	}
	if (decoder->place >= decoder->end)
		return decoder_run_out(decoder);
	*number = *decoder->place++;
	return true;
}

const struct measure_record *measure_event_decoder_next(struct measure_event_decoder *decoder)
{
	uint8_t number;

	decoder->record.nr_attributes = 0;
	while (decoder->state == MEASURE_EVENT_DECODER_READING && decoder_take_number(decoder, &number)) {
		switch (number) {
		case END_OF_CHUNK:
			decoder_next_chunk(decoder);
			break;
		case END_OF_FILE:
			decoder->state = MEASURE_EVENT_DECODER_AT_END;
			break;
		case MEASURE_OTF2_ATTRIBUTES:
			decoder_take_attributes(decoder);
			break;
		default:
			return decoder_take_record(decoder, number) ? &decoder->record : NULL;
		}
	}
	return NULL;
}

static void decoder_refuse(struct measure_event_decoder *decoder, const char *fault)
{
	decoder->state = MEASURE_EVENT_DECODER_UNREADABLE;
	decoder->fault = fault;
}

static void decoder_map(struct measure_event_decoder *decoder, int fd)
{
	struct stat status;
	void *file;

	if (fstat(fd, &status) != 0) {
		decoder_refuse(decoder, strerror(errno));
		return;
	}
	if (status.st_size == 0) {
		decoder->state = MEASURE_EVENT_DECODER_CUT_OFF;
		return;
	}
	file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED) {
		decoder_refuse(decoder, strerror(errno));
		return;
	}
	decoder->file = file;
	decoder->size = (size_t)status.st_size;
	decoder_begin_chunk(decoder, 0);
}

void measure_event_decoder_open(struct measure_event_decoder *decoder, const char *path, size_t chunk_size,
	const struct measure_id_mapping *mapping)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	*decoder = (struct measure_event_decoder){.chunk_size = chunk_size, .mapping = mapping};
	if (fd < 0) {
		decoder_refuse(decoder, strerror(errno));
		return;
	}
	decoder_map(decoder, fd);
	close(fd);
}

void measure_event_decoder_open_memory(
	struct measure_event_decoder *decoder, const uint8_t *bytes, size_t size, size_t chunk_size)
{
	*decoder = (struct measure_event_decoder){
		.file = bytes, .size = size, .chunk_size = chunk_size, .is_borrowed = true};
	decoder_begin_chunk(decoder, 0);
}

void measure_event_decoder_close(struct measure_event_decoder *decoder)
{
	if (decoder->file && !decoder->is_borrowed)
		munmap((void *)(uintptr_t)decoder->file, decoder->size);
	measure_free(decoder->attributes);
	measure_free(decoder->items);
	measure_free(decoder->types);
}
