/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Little-endian encoding of journal payloads. Everything is padded to 8 bytes, so decoded
 * arrays and strings can be used in place. */
#ifndef MEASURE_FORMAT_JOURNAL_CODEC_H
#define MEASURE_FORMAT_JOURNAL_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* Appends while there is room; `needed` goes on counting beyond it, so a caller can size the
 * buffer from a first pass over an empty one. */
struct measure_encoder {
	uint8_t *data;
	size_t capacity;
	size_t needed;
};

struct measure_decoder {
	const uint8_t *data;
	size_t size;
	size_t position;
};

void measure_encode_u32(struct measure_encoder *encoder, uint32_t value);
void measure_encode_u64(struct measure_encoder *encoder, uint64_t value);
void measure_encode_i64(struct measure_encoder *encoder, int64_t value);
void measure_encode_f64(struct measure_encoder *encoder, double value);
void measure_encode_string(struct measure_encoder *encoder, const char *text);
void measure_encode_u32s(struct measure_encoder *encoder, uint32_t nr, const uint32_t *items);

/* The same, as runs where these are shorter: first number, step and length of each. */
void measure_encode_ranks(struct measure_encoder *encoder, uint32_t nr, const uint32_t *items);

/* How many runs the numbers are. */
uint32_t measure_count_runs(uint32_t nr, const uint32_t *items);

/* Past the end: zero or "" and MEASURE_OK (older, shorter records). A length that runs out of
 * the buffer, or a string without its NUL: MEASURE_ERROR_FORMAT. */
measure_status_t measure_decode_u32(struct measure_decoder *decoder, uint32_t *value);
measure_status_t measure_decode_u64(struct measure_decoder *decoder, uint64_t *value);
measure_status_t measure_decode_i64(struct measure_decoder *decoder, int64_t *value);
measure_status_t measure_decode_f64(struct measure_decoder *decoder, double *value);
measure_status_t measure_decode_string(struct measure_decoder *decoder, const char **text);
measure_status_t measure_decode_u32s(struct measure_decoder *decoder, uint32_t *nr,
	const uint32_t **items);

/* *nr_runs: 0, *items are the numbers; else these are runs, of *nr numbers together. */
measure_status_t measure_decode_ranks(
	struct measure_decoder *decoder, uint32_t *nr, const uint32_t **items, uint32_t *nr_runs);

#endif
