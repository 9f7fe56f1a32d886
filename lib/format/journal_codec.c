/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encoding of journal payloads; see journal_codec.h. Hosts are little-endian (configure checks). */
#include "config.h"

#include "journal_codec.h"

#include <stdbool.h>
#include <string.h>

static void journal_codec_append(struct measure_encoder *encoder, const void *bytes, size_t size)
{
	size_t padded = (size + 7) & ~(size_t)7;

	if (encoder->needed + padded <= encoder->capacity) {
		uint8_t *place = encoder->data + encoder->needed;
		if (size)
			memcpy(place, bytes, size);
		memset(place + size, 0, padded - size);
	}
	encoder->needed += padded;
}

void measure_encode_u32(struct measure_encoder *encoder, uint32_t value)
{
	journal_codec_append(encoder, &value, sizeof(value));
}

void measure_encode_u64(struct measure_encoder *encoder, uint64_t value)
{
	journal_codec_append(encoder, &value, sizeof(value));
}

void measure_encode_i64(struct measure_encoder *encoder, int64_t value)
{
	journal_codec_append(encoder, &value, sizeof(value));
}

void measure_encode_f64(struct measure_encoder *encoder, double value)
{
	journal_codec_append(encoder, &value, sizeof(value));
}

/* Length with the NUL, then the bytes. */
void measure_encode_string(struct measure_encoder *encoder, const char *text)
{
	const char *bytes = text ? text : "";
	size_t size = strlen(bytes) + 1;

	measure_encode_u64(encoder, size);
	journal_codec_append(encoder, bytes, size);
}

void measure_encode_u32s(struct measure_encoder *encoder, uint32_t nr, const uint32_t *items)
{
	measure_encode_u64(encoder, nr);
	journal_codec_append(encoder, items, nr * sizeof(*items));
}

static bool at_end(const struct measure_decoder *decoder)
{
	return decoder->position >= decoder->size;
}

/* Next `size` bytes in place, or NULL if there are not so many. */
static const void *journal_codec_take(struct measure_decoder *decoder, uint64_t size)
{
	uint64_t padded = (size + 7) & ~UINT64_C(7);
	const uint8_t *place = decoder->data + decoder->position;

	if (padded < size || padded > decoder->size - decoder->position)
		return NULL;
	decoder->position += padded;
	return place;
}

static measure_status_t decode(struct measure_decoder *decoder, void *value, size_t size)
{
	memset(value, 0, size);
	if (at_end(decoder))
		return MEASURE_OK;

	const void *place = journal_codec_take(decoder, size);
	if (!place)
		return MEASURE_ERROR_FORMAT;
	memcpy(value, place, size);
	return MEASURE_OK;
}

measure_status_t measure_decode_u32(struct measure_decoder *decoder, uint32_t *value)
{
	return decode(decoder, value, sizeof(*value));
}

measure_status_t measure_decode_u64(struct measure_decoder *decoder, uint64_t *value)
{
	return decode(decoder, value, sizeof(*value));
}

measure_status_t measure_decode_i64(struct measure_decoder *decoder, int64_t *value)
{
	return decode(decoder, value, sizeof(*value));
}

measure_status_t measure_decode_f64(struct measure_decoder *decoder, double *value)
{
	return decode(decoder, value, sizeof(*value));
}

measure_status_t measure_decode_string(struct measure_decoder *decoder, const char **text)
{
	uint64_t size;
	measure_status_t status = measure_decode_u64(decoder, &size);

	*text = "";
	if (status != MEASURE_OK || size == 0)
		return status;

	const char *place = journal_codec_take(decoder, size);
	if (!place || place[size - 1] != '\0')
		return MEASURE_ERROR_FORMAT;
	*text = place;
	return MEASURE_OK;
}

measure_status_t measure_decode_u32s(struct measure_decoder *decoder, uint32_t *nr,
	const uint32_t **items)
{
	uint64_t count;
	measure_status_t status = measure_decode_u64(decoder, &count);

	*nr = 0;
	*items = NULL;
	if (status != MEASURE_OK || count == 0)
		return status;
	if (count > UINT32_MAX)
		return MEASURE_ERROR_FORMAT;

	const void *place = journal_codec_take(decoder, count * sizeof(**items));
	if (!place)
		return MEASURE_ERROR_FORMAT;
	*nr = (uint32_t)count;
	*items = place;
	return MEASURE_OK;
}
