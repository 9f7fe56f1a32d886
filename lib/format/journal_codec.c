/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encoding of journal payloads; see journal_codec.h. Hosts are little-endian (configure checks). */
#include "config.h"

#include "journal_codec.h"

#include <stdbool.h>
#include <string.h>

/* Each number of a run is a rank; no world has more. */
#define MOST_RANKS (UINT32_C(1) << 24)

#define RUN_SIZE (4 * sizeof(uint32_t)) /* first, step, length, nothing */

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

/* The one that begins with the first of the numbers. */
static uint32_t run_length(uint32_t nr, const uint32_t *items)
{
	uint32_t length = nr < 2 ? nr : 2;

	while (length < nr && items[length] - items[length - 1] == items[1] - items[0])
		length++;
	return length;
}

uint32_t measure_count_runs(uint32_t nr, const uint32_t *items)
{
	uint32_t nr_runs = 0;

	for (uint32_t i = 0; i < nr; i += run_length(nr - i, items + i))
		nr_runs++;
	return nr_runs;
}

/* How many runs there are stands in the upper half of the number of items. */
void measure_encode_ranks(struct measure_encoder *encoder, uint32_t nr, const uint32_t *items)
{
	const uint64_t nr_runs = measure_count_runs(nr, items);

	if (4 * nr_runs >= nr) {
		measure_encode_u32s(encoder, nr, items);
		return;
	}
	measure_encode_u64(encoder, nr_runs << 32 | nr);
	for (uint32_t i = 0, length; i < nr; i += length) {
		length = run_length(nr - i, items + i);
		const uint32_t run[] = {items[i], items[i + 1] - items[i], length, 0};
		journal_codec_append(encoder, run, sizeof(run));
	}
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

/* Runs are one or longer, and together as many numbers as were said. */
static bool are_runs(const uint32_t *runs, uint32_t nr_runs, uint32_t nr)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < nr_runs; i++) {
		if (runs[4 * i + 2] == 0 || (runs[4 * i + 1] == 0 && runs[4 * i + 2] > 1))
			return false;
		sum += runs[4 * i + 2];
	}
	return sum == nr && nr <= MOST_RANKS;
}

measure_status_t measure_decode_ranks(
	struct measure_decoder *decoder, uint32_t *nr, const uint32_t **items, uint32_t *nr_runs)
{
	const size_t begin = decoder->position;
	const uint32_t *runs;
	uint64_t count;
	measure_status_t status = measure_decode_u64(decoder, &count);

	*nr_runs = (uint32_t)(count >> 32);
	if (status != MEASURE_OK || *nr_runs == 0) {
		decoder->position = begin;
		return measure_decode_u32s(decoder, nr, items);
	}
	*nr = (uint32_t)count;
	runs = journal_codec_take(decoder, *nr_runs * RUN_SIZE);
	*items = runs;
	return runs && are_runs(runs, *nr_runs, *nr) ? MEASURE_OK : MEASURE_ERROR_FORMAT;
}
