/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers as bytes, and back. */
#include "config.h"

#include "pack.h"

#include <string.h>

#include "trace/common/containers.h"

#define MOST_BYTES 10 /* of 64 bits */

void measure_pack_put(measure_profile_pack_t *pack, uint64_t number)
{
	if (measure_array_reserve(pack, pack->nr + MOST_BYTES) != MEASURE_OK)
		measure_out_of_memory();
	for (; number >= 128; number >>= 7)
		pack->items[pack->nr++] = (char)(unsigned char)(number | 128);
	pack->items[pack->nr++] = (char)number;
}

void measure_pack_put_all(measure_profile_pack_t *pack, const uint64_t *numbers, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		measure_pack_put(pack, numbers[i]);
}

void measure_pack_put_bytes(measure_profile_pack_t *pack, const void *bytes, size_t nr)
{
	if (nr == 0)
		return;
	if (measure_array_reserve(pack, pack->nr + nr) != MEASURE_OK)
		measure_out_of_memory();
	memcpy(pack->items + pack->nr, bytes, nr);
	pack->nr += nr;
}

void measure_pack_put_real(measure_profile_pack_t *pack, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	measure_pack_put(pack, bits);
}

void measure_pack_refuse(struct measure_pack_reader *reader)
{
	reader->at = reader->end;
	reader->is_good = false;
}

uint64_t measure_pack_take(struct measure_pack_reader *reader)
{
	uint64_t number = 0;

	for (unsigned shift = 0; shift < 64 && reader->at < reader->end; shift += 7) {
		const uint64_t byte = *reader->at++;

		if (shift == 63 && byte > 1)
			break;
		number |= (byte & 127) << shift;
		if (byte < 128)
			return number;
	}
	measure_pack_refuse(reader);
	return 0;
}

double measure_pack_take_real(struct measure_pack_reader *reader)
{
	const uint64_t bits = measure_pack_take(reader);
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

uint32_t measure_pack_take_index(struct measure_pack_reader *reader, uint64_t limit)
{
	const uint64_t number = measure_pack_take(reader);

	if (number < limit)
		return (uint32_t)number;
	measure_pack_refuse(reader);
	return 0;
}

uint32_t measure_pack_take_word(struct measure_pack_reader *reader)
{
	return measure_pack_take_index(reader, (uint64_t)UINT32_MAX + 1);
}

size_t measure_pack_take_length(struct measure_pack_reader *reader, size_t least)
{
	const uint64_t nr = measure_pack_take(reader);

	if (nr <= (size_t)(reader->end - reader->at) / least)
		return nr;
	measure_pack_refuse(reader);
	return 0;
}
