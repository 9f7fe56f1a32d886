/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: journal records come back as they were put in, and damage ends the journal. */
#include "config.h"

#include <string.h>

#include "format/journal.h"
#include "../t_suite.h"

static uint8_t data[4096];

static size_t t_put_comm(size_t place)
{
	static const uint32_t members[] = {3, 1, 4, 1, 5};
	struct measure_def_comm comm = {7, 2, "rows", 11, 12, UINT32_MAX, 4, {5, members}};

	return measure_def_comm_frame(&comm, data + place, sizeof(data) - place);
}

static size_t t_put_property(size_t place)
{
	struct measure_def_property property = {"name", NULL};

	return measure_def_property_frame(&property, data + place, sizeof(data) - place);
}

static void test_round_trip(void)
{
	size_t size = t_put_comm(0);
	struct measure_journal_reader reader = {data, 0, 0};
	struct measure_decoder payload;
	struct measure_def_comm comm;
	struct measure_def_property property;
	uint32_t kind;

	size += t_put_property(size);
	reader.size = size;
	CU_ASSERT_EQUAL_FATAL(measure_journal_next(&reader, &kind, &payload), MEASURE_OK);
	CU_ASSERT_EQUAL(kind, MEASURE_RECORD_COMM);
	CU_ASSERT_EQUAL_FATAL(measure_def_comm_decode(&payload, &comm), MEASURE_OK);
	CU_ASSERT_EQUAL(comm.id, 7);
	CU_ASSERT_STRING_EQUAL(comm.name, "rows");
	CU_ASSERT_EQUAL(comm.key_low, 12);
	CU_ASSERT_EQUAL(comm.parent, UINT32_MAX);
	CU_ASSERT_EQUAL_FATAL(comm.members.nr, 5);
	CU_ASSERT_EQUAL(comm.members.items[4], 5);

	CU_ASSERT_EQUAL_FATAL(measure_journal_next(&reader, &kind, &payload), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(measure_def_property_decode(&payload, &property), MEASURE_OK);
	CU_ASSERT_STRING_EQUAL(property.name, "name");
	CU_ASSERT_STRING_EQUAL(property.value, "");
	CU_ASSERT_EQUAL(measure_journal_next(&reader, &kind, &payload), MEASURE_ERROR_NOT_FOUND);
}

/* Every cut gives the whole records before it and nothing else. */
static void test_cut(void)
{
	size_t first = t_put_comm(0), size = first + t_put_property(first);
	struct measure_decoder payload;
	uint32_t kind;

	for (size_t cut = 1; cut < size; cut++) {
		struct measure_journal_reader reader = {data, cut, 0};
		measure_status_t status = measure_journal_next(&reader, &kind, &payload);

		if (cut < first) {
			CU_ASSERT_EQUAL(status, MEASURE_ERROR_FORMAT);
			continue;
		}
		CU_ASSERT_EQUAL(status, MEASURE_OK);
		status = measure_journal_next(&reader, &kind, &payload);
		CU_ASSERT_EQUAL(status,
			cut == first ? MEASURE_ERROR_NOT_FOUND : MEASURE_ERROR_FORMAT);
	}
}

static void test_damage(void)
{
	size_t size = t_put_comm(0);
	struct measure_decoder payload;
	uint32_t kind;

	for (size_t place = 0; place < size; place++) {
		struct measure_journal_reader reader = {data, size, 0};

		data[place] ^= 0x10;
		CU_ASSERT_EQUAL(measure_journal_next(&reader, &kind, &payload),
			MEASURE_ERROR_FORMAT);
		data[place] ^= 0x10;
	}
}

static void test_no_room(void)
{
	struct measure_def_property property = {"a long name that needs room", "and a value"};
	size_t needed = measure_def_property_frame(&property, data, 0);

	CU_ASSERT(needed > MEASURE_JOURNAL_FRAME);
	memset(data, 0x55, sizeof(data));
	CU_ASSERT_EQUAL(measure_def_property_frame(&property, data, needed - 1), needed);
	CU_ASSERT_EQUAL(data[needed], 0x55);
	CU_ASSERT_EQUAL(measure_def_property_frame(&property, data, needed), needed);
	CU_ASSERT_EQUAL(data[needed], 0x55);
}

/* A record of an older library lacks its newest fields. */
static void test_short_record(void)
{
	uint8_t short_payload[8] = {9};
	struct measure_decoder payload = {short_payload, sizeof(short_payload), 0};
	struct measure_def_location location;

	CU_ASSERT_EQUAL(measure_def_location_decode(&payload, &location), MEASURE_OK);
	CU_ASSERT_EQUAL(location.id, 9);
	CU_ASSERT_STRING_EQUAL(location.name, "");
}

/* Lengths that lead out of the payload. */
static void test_bad_lengths(void)
{
	uint64_t words[3] = {1, UINT64_MAX, 0};
	struct measure_decoder payload = {(const uint8_t *)words, sizeof(words), 0};
	struct measure_def_location location;

	CU_ASSERT_EQUAL(measure_def_location_decode(&payload, &location), MEASURE_ERROR_FORMAT);
	words[1] = 8;
	words[2] = UINT64_C(0x4141414141414141);
	payload.position = 0;
	CU_ASSERT_EQUAL(measure_def_location_decode(&payload, &location), MEASURE_ERROR_FORMAT);
}

static void t_expect_ranks(uint32_t nr, const uint32_t *ranks, size_t most)
{
	static uint8_t bytes[1 << 20];
	struct measure_encoder encoder = {bytes, sizeof(bytes), 0};
	struct measure_u32s taken = {0};
	struct measure_u32s_cursor cursor = {.of = &taken};
	uint32_t nr_wrong = 0;

	measure_encode_ranks(&encoder, nr, ranks);
	CU_ASSERT(encoder.needed <= most);
	struct measure_decoder decoder = {bytes, encoder.needed, 0};
	CU_ASSERT_EQUAL_FATAL(
		measure_decode_ranks(&decoder, &taken.nr, &taken.items, &taken.nr_runs),
		MEASURE_OK);
	CU_ASSERT_EQUAL(decoder.position, encoder.needed);
	CU_ASSERT_EQUAL_FATAL(taken.nr, nr);
	for (uint32_t i = 0; i < nr; i++)
		nr_wrong += measure_u32s_take(&cursor) != ranks[i];
	CU_ASSERT_EQUAL(nr_wrong, 0);
}

/* Regular ones are few bytes; no list is longer than its numbers. */
static void test_ranks(void)
{
	static uint32_t ranks[100000];
	const size_t plain = 8 + sizeof(ranks);
	const uint32_t nr = sizeof(ranks) / sizeof(*ranks);

	for (uint32_t i = 0; i < nr; i++)
		ranks[i] = 3 * i + 7;
	t_expect_ranks(nr, ranks, 24);
	t_expect_ranks(0, ranks, 8);
	t_expect_ranks(1, ranks, 16);
	for (uint32_t i = 0; i < nr; i++)
		ranks[i] = nr - 1 - i;
	t_expect_ranks(nr, ranks, 24);
	for (uint32_t i = 0; i < nr; i++)
		ranks[i] = i / 1000 + i % 1000 * 100;
	t_expect_ranks(nr, ranks, 8 + 100 * 16);
	for (uint32_t i = 0; i < nr; i++)
		ranks[i] = (i ^ 5) * 31 % nr;
	t_expect_ranks(nr, ranks, plain);
	for (uint32_t i = 0; i < nr; i++)
		ranks[i] = 4; /* none of MPI's */
	CU_ASSERT_EQUAL(measure_count_runs(nr, ranks), 1);
}

/* Runs that are empty, stand still, or are not as many numbers as was said. */
static void test_bad_ranks(void)
{
	static const uint32_t runs[][4] = {{0, 1, 0, 0}, {0, 0, 5, 0}, {0, 1, 6, 0}, {0, 1, 4, 0}};
	uint64_t words[3] = {UINT64_C(1) << 32 | 5};
	struct measure_u32s taken;

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct measure_decoder decoder = {(const uint8_t *)words, sizeof(words), 0};

		memcpy(words + 1, runs[i], sizeof(runs[i]));
		CU_ASSERT_EQUAL(
			measure_decode_ranks(&decoder, &taken.nr, &taken.items, &taken.nr_runs),
			MEASURE_ERROR_FORMAT);
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"round trip", test_round_trip},
		{"cut at every byte", test_cut},
		{"damage at every byte", test_damage},
		{"no room", test_no_room},
		{"short record", test_short_record},
		{"ranks", test_ranks},
		{"bad ranks", test_bad_ranks},
		{"lengths that lead astray", test_bad_lengths},
		CU_TEST_INFO_NULL,
	};

	return t_suite("journal", NULL, NULL, tests);
}
