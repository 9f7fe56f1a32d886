/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The bytes of event records, as OTF2's own writer encodes them: tests/unit/runtime/event/encode.c
 * compares. For lib/runtime/event; everything takes the place to write to and returns the place
 * behind, and may touch 8 bytes more than that. */
#ifndef MEASURE_FORMAT_EVENT_ENCODE_H
#define MEASURE_FORMAT_EVENT_ENCODE_H

#include <stdint.h>
#include <string.h>

#include "base/likely.h"
#include "event_chunk.h"
#include "otf2_records.h"

/* What is left free at the end of a chunk: more than any record with its timestamp takes, than
 * the end markers, and than a store reaches beyond its record. */
#define MEASURE_RECORD_ROOM 128

/* Where a location writes its next record. */
struct measure_otf2_writer {
	uint8_t *position; /* after the last record */
	uint8_t *limit;    /* a record that would begin after it goes to the next chunk */
	uint64_t time;     /* last timestamp in this chunk; UINT64_MAX: none yet */
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "chunks are marked little endian");

/* OTF2_MeasurementMode, of MeasurementOnOff. */
enum measure_switch { MEASURE_SWITCH_ON = 1, MEASURE_SWITCH_OFF = 2 };

/* More than a timestamp and so many attributes take. */
#define MEASURE_ATTRIBUTE_SIZE(nr) (16 + 16 * (nr))

static inline uint8_t *measure_put_u8(uint8_t *place, uint8_t value)
{
	*place = value;
	return place + 1;
}

/* Eight bytes, lowest first. */
static inline uint8_t *measure_put_full(uint8_t *place, uint64_t value)
{
	memcpy(place, &value, sizeof(value));
	return place + sizeof(value);
}

/* Bytes that a value below 2^63 has without its leading zeros. `^ 63` is 63 minus that, and one
 * instruction with it. */
static inline unsigned int measure_bytes_of(uint64_t value)
{
	return (((unsigned int)__builtin_clzll(value << 1 | 1) ^ 63) + 7) / 8;
}

/* Compressed: how many bytes, then these; all ones is one byte. Number and bytes go in one
 * store, so it does not matter to the processor how many there are. */
static inline uint8_t *measure_put_u32(uint8_t *place, uint32_t value)
{
	unsigned int bytes = measure_bytes_of(value);

	if (unlikely(value == UINT32_MAX))
		return measure_put_u8(place, UINT8_MAX);
	measure_put_full(place, (uint64_t)value << 8 | bytes);
	return place + 1 + bytes;
}

static inline uint8_t *measure_put_u64(uint8_t *place, uint64_t value)
{
	unsigned int bytes;

	if (unlikely(value >> 62)) {
		if (value == UINT64_MAX)
			return measure_put_u8(place, UINT8_MAX);
		return measure_put_full(measure_put_u8(place, sizeof(value)), value);
	}
	bytes = measure_bytes_of(value);
	measure_put_full(measure_put_u8(place, (uint8_t)bytes), value);
	return place + 1 + bytes;
}

/* Only zero and what is positive is compressed. */
static inline uint8_t *measure_put_i64(uint8_t *place, int64_t value)
{
	if (likely(value >= 0))
		return measure_put_u64(place, (uint64_t)value);
	return measure_put_full(measure_put_u8(place, sizeof(value)), (uint64_t)value);
}

/* The time of the record that follows, where the one before had another. */
static inline uint8_t *measure_put_time(struct measure_otf2_writer *writer, uint64_t time)
{
	uint8_t *place = writer->position;

	if (time == writer->time)
		return place;
	writer->time = time;
	return measure_put_full(measure_put_u8(place, MEASURE_OTF2_TIMESTAMP), time);
}

/* What stands before the fields of a SIZED record; these end at `end` by now. */
static inline void measure_put_head(
	uint8_t *place, enum measure_otf2_record record, const uint8_t *end)
{
	place[0] = (uint8_t)record;
	place[1] = (uint8_t)(end - place - MEASURE_OTF2_SIZED);
}

/* A BARE record: where its field has 32 bits, in one store. */
static inline uint8_t *measure_put_bare_u32(
	uint8_t *place, enum measure_otf2_record record, uint32_t value)
{
	const unsigned int bytes = measure_bytes_of(value);

	if (unlikely(value == UINT32_MAX))
		return measure_put_u8(measure_put_u8(place, (uint8_t)record), UINT8_MAX);
	measure_put_full(place, (uint64_t)value << 16 | bytes << 8 | record);
	return place + 2 + bytes;
}

static inline uint8_t *measure_put_bare_u64(
	uint8_t *place, enum measure_otf2_record record, uint64_t value)
{
	return measure_put_u64(measure_put_u8(place, (uint8_t)record), value);
}

/* Arrays, of `nr`. */
static inline uint8_t *measure_put_u32s(uint8_t *place, uint32_t nr, const uint32_t *values)
{
	for (uint32_t i = 0; i < nr; i++)
		place = measure_put_u32(place, values[i]);
	return place;
}

static inline uint8_t *measure_put_values(
	uint8_t *place, uint32_t nr, const uint8_t *types, const void *values)
{
	const uint64_t *numbers = values;

	for (uint32_t i = 0; i < nr; i++)
		place = measure_put_u64(measure_put_u8(place, types[i]), numbers[i]);
	return place;
}

/* measure_put_<name>(place, fields): each record of the table. */
#define MEASURE_PUT_U8(name, nr)                 end = measure_put_u8(end, name);
#define MEASURE_PUT_U32(name, nr)                end = measure_put_u32(end, name);
#define MEASURE_PUT_U64(name, nr)                end = measure_put_u64(end, name);
#define MEASURE_PUT_I64(name, nr)                end = measure_put_i64(end, name);
#define MEASURE_PUT_TIME(name, nr)               end = measure_put_full(end, name);
#define MEASURE_PUT_U32S(name, nr)               end = measure_put_u32s(end, nr, name);
#define MEASURE_PUT_VALUES(name, nr)             end = measure_put_values(end, nr, name##_types, name);
#define MEASURE_PUT(type, name, refers_to, slot) MEASURE_PUT_##type(name, slot)
#define MEASURE_PUT_SIZED(...)                                                                     \
	uint8_t *end = place + MEASURE_OTF2_SIZED;                                                 \
	MEASURE_EACH_FIELD(MEASURE_PUT, ##__VA_ARGS__)                                             \
	measure_put_head(place, record, end);
#define MEASURE_PUT_BARE_U32              measure_put_bare_u32
#define MEASURE_PUT_BARE_U64              measure_put_bare_u64
#define MEASURE_PUT_ONLY(type, name, ...) MEASURE_PUT_BARE_##type(place, record, name)
#define MEASURE_PUT_BARE(field)           uint8_t *end = MEASURE_PUT_ONLY field;
#define EVENT(number, Name, NAME, name, shape, by, in, ...)                                        \
	static inline uint8_t *measure_put_##name(                                                 \
		uint8_t *place MEASURE_EACH_FIELD(MEASURE_PARAMETER, ##__VA_ARGS__))               \
	{                                                                                          \
		const enum measure_otf2_record record = number;                                    \
                                                                                                   \
		MEASURE_PUT_##shape(__VA_ARGS__) return end;                                       \
	}
#include "otf2_records.def"
#undef EVENT

#endif
