/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers as bytes, for profiles that go from one process to another: seven bits a byte, the low
 * ones first, so that small numbers take little room. Reading is safe on any bytes. */
#ifndef MEASURE_ANALYSIS_PROFILE_PACK_H
#define MEASURE_ANALYSIS_PROFILE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

/* Freed by free(pack.items). */
typedef MEASURE_ARRAY(char) measure_profile_pack_t;

void measure_pack_put(measure_profile_pack_t *pack, uint64_t number);
void measure_pack_put_all(measure_profile_pack_t *pack, const uint64_t *numbers, size_t nr);
void measure_pack_put_bytes(measure_profile_pack_t *pack, const void *bytes, size_t nr);
void measure_pack_put_real(measure_profile_pack_t *pack, double number);

struct measure_pack_reader {
	const unsigned char *at, *end;
	bool is_good; /* false: the bytes are damaged, all that is taken from now on is 0 */
};

/* There is something wrong with what was taken. */
void measure_pack_refuse(struct measure_pack_reader *reader);

uint64_t measure_pack_take(struct measure_pack_reader *reader);
double measure_pack_take_real(struct measure_pack_reader *reader);
/* A number of 32 bits. */
uint32_t measure_pack_take_word(struct measure_pack_reader *reader);
/* An index: less than `limit`. */
uint32_t measure_pack_take_index(struct measure_pack_reader *reader, uint64_t limit);
/* How many things follow, of at least `least` bytes each. */
size_t measure_pack_take_length(struct measure_pack_reader *reader, size_t least);

#endif
