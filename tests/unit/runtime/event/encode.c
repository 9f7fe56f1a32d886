/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: every record of otf2_records.def has the bytes that the installed OTF2 writes for
 * the same call, for values of every length; a walk through them sees where each ends. */
#include "config.h"

#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "format/journal_records.h"
#include "runtime/event/transaction.h"
#include "format/event_chunk.h"
#include "t_recording.h"
#include "../../t_suite.h"

/* Records of old OpenMP traces. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define CHUNK	  (1024 * 1024) /* takes all records of this test */
#define NR_VALUES 131		/* a prime: in that many turns each field has each value */

static OTF2_EvtWriter *writer;
static uint8_t expected[CHUNK];
static uint64_t number; /* of values drawn */
static size_t compared; /* bytes */

/* ------------------------------------------------------------------ the other side --- */

static OTF2_FlushType t_never(void *data, OTF2_FileType type, OTF2_LocationRef location,
	void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_NO_FLUSH;
}

static void *t_allocate(void *data, OTF2_FileType type, OTF2_LocationRef location, void **owner,
	uint64_t size)
{
	(void)data, (void)type, (void)location, (void)owner;
	return size <= sizeof(expected) ? expected : NULL;
}

static void t_release(void *data, OTF2_FileType type, OTF2_LocationRef location, void **owner,
	bool is_final)
{
	(void)data, (void)type, (void)location, (void)owner, (void)is_final;
}

static int t_open_otf2(void)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = t_never};
	static const OTF2_MemoryCallbacks memory = {t_allocate, t_release};
	OTF2_Archive *archive = OTF2_Archive_Open("encode", "traces", OTF2_FILEMODE_WRITE, CHUNK,
		OTF2_UNDEFINED_UINT64, OTF2_SUBSTRATE_NONE, OTF2_COMPRESSION_NONE);

	if (!archive)
		return 1;
	OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
	OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	writer = OTF2_Archive_GetEvtWriter(archive, 0);
	return !writer;
}

static int t_start(void)
{
	struct measure_segment_size size = {8 * CHUNK, CHUNK, 16, 1 << 20};

	return !t_make_segment(&size) || !t_record() || t_open_otf2();
}

/* --------------------------------------------------------------------- the records --- */

/* Of any length: 0, all ones, and both sides of each power of two in turn. */
static uint64_t t_value(void)
{
	uint64_t turn = number++ % NR_VALUES;

	return (turn < 128 ? UINT64_C(1) << turn / 2 : 0) - turn % 2;
}

/* The fields of a record; arrays have no more elements than fit into one of less than 255 bytes. */
#define MOST                  8
#define DRAW_U8(name, slot)   uint8_t name = (uint8_t)t_value();
#define DRAW_U32(name, slot)  uint32_t name = (uint32_t)t_value();
#define DRAW_U64(name, slot)  uint64_t name = t_value();
#define DRAW_I64(name, slot)  int64_t name = (int64_t)t_value();
#define DRAW_TIME(name, slot) uint64_t name = t_value();
#define DRAW_U32S(name, nr)                                                                        \
	uint32_t name[MOST];                                                                       \
	nr %= MOST + 1;                                                                            \
	for (uint32_t i = 0; i < nr; i++)                                                          \
		name[i] = (uint32_t)t_value();
#define DRAW_VALUES(name, nr)                                                                      \
	static const uint8_t name##_types[MOST] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64,              \
		OTF2_TYPE_DOUBLE, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};                              \
	OTF2_MetricValue name[MOST];                                                               \
	nr %= MOST + 1;                                                                            \
	for (uint32_t i = 0; i < nr; i++)                                                          \
		name[i].unsigned_int = t_value();
#define DRAW(type, name, refers_to, slot) DRAW_##type(name, slot)

#define RECORD_ADAPTERS(name, ...)                                                                 \
	measure_write_##name(location MEASURE_EACH_FIELD(MEASURE_ARGUMENT, ##__VA_ARGS__))
#define RECORD_OTHERS(name, ...)                                                                   \
	measure_transaction_commit(location, MEASURE_COMMIT_EVENT,                                             \
		measure_put_##name(measure_transaction_place(location)                                  \
				MEASURE_EACH_FIELD(MEASURE_ARGUMENT, ##__VA_ARGS__)))
#define EVENT(number, Name, NAME, name, shape, by, in, ...)                                        \
	static void t_row_##name(struct measure_location *location)                                \
	{                                                                                          \
		uint64_t time = measure_record_time(location);                                     \
                                                                                                   \
		MEASURE_EACH_FIELD(DRAW, ##__VA_ARGS__)                                            \
		RECORD_##by(name, ##__VA_ARGS__);                                                  \
		CU_ASSERT_EQUAL(OTF2_EvtWriter_##Name(writer, NULL,                                \
					time MEASURE_EACH_FIELD(MEASURE_ARGUMENT, ##__VA_ARGS__)), \
			OTF2_SUCCESS);                                                             \
	}
#include "format/otf2_records.def"
#undef EVENT

static const struct {
	const char *name;
	uint8_t number;
	void (*write)(struct measure_location *location);
} rows[] = {
#define EVENT(number, Name, NAME, name, ...) {#Name, number, t_row_##name},
#include "format/otf2_records.def"
#undef EVENT
};
#define NR_ROWS (sizeof(rows) / sizeof(*rows))

static void t_compare(const char *name, const struct measure_location *location)
{
	const uint8_t *chunk = measure_segment_chunk_memory(&segment, location->chunk);
	size_t size = (size_t)(location->writer.position - chunk);

	if (memcmp(chunk + compared, expected + compared, size - compared) != 0) {
		CU_FAIL("bytes differ");
		fprintf(stderr, "the fields of %s are not as wide as OTF2's\n", name);
		exit(1);
	}
	compared = size;
}

/* Of a record with attributes OTF2's call is the same but for the list. An Enter and a Leave, each
 * with a ready-made list. */
static void t_write_listed(uint32_t nr)
{
	struct measure_location *location = measure_location_self;
	OTF2_AttributeList *list = OTF2_AttributeList_New();
	const uint32_t first = (uint32_t)t_value() >> 1, region = (uint32_t)t_value() >> 8;
	measure_attribute_t attributes[MEASURE_MOST_ATTRIBUTES];
	struct measure_attribute_list ready;
	uint64_t values[MEASURE_MOST_ATTRIBUTES];

	for (uint32_t i = 0; i < nr; i++) {
		attributes[i] = first + i;
		values[i] = t_value();
		OTF2_AttributeList_AddUint64(list, attributes[i], values[i]);
	}
	CU_ASSERT_TRUE(measure_attribute_list_make(&ready, attributes, nr));
	CU_ASSERT_TRUE(measure_record_enter(region, &ready, values, NULL));
	OTF2_EvtWriter_Enter(writer, list, location->time, region);
	t_compare("Enter with a list of attributes", location);
	for (uint32_t i = 0; i < nr; i++)
		OTF2_AttributeList_AddUint64(list, attributes[i], values[i]);
	measure_record_leave(region, &ready, values, NULL);
	OTF2_EvtWriter_Leave(writer, list, location->time, region);
	t_compare("Leave with a list of attributes", location);
	OTF2_AttributeList_Delete(list);
}

/* Of several attributes, of all types there are. */
static void t_write_with_attributes(uint32_t nr)
{
	static const uint8_t types[MEASURE_MOST_ATTRIBUTES] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64,
		OTF2_TYPE_DOUBLE, OTF2_TYPE_REGION, OTF2_TYPE_STRING, OTF2_TYPE_UINT64};
	struct measure_location *location = measure_record_begin();
	struct measure_typed_value values[MEASURE_MOST_ATTRIBUTES];
	OTF2_AttributeList *list = OTF2_AttributeList_New();
	uint32_t first = (uint32_t)t_value() >> 1;

	for (uint32_t i = 0; i < nr; i++) {
		OTF2_AttributeValue same;

		values[i] = (struct measure_typed_value){
			.attribute = first - i, .type = types[i], .unsigned_int = t_value()};
		same.uint64 = values[i].unsigned_int;
		OTF2_AttributeList_AddAttribute(list, first - i, types[i], same);
	}
	measure_write_attributes(location, values, nr);
	measure_write_io_operation_begin(location, 1, 2, 3, 4, 5);
	OTF2_EvtWriter_IoOperationBegin(writer, list, location->time, 1, 2, 3, 4, 5);
	t_compare("IoOperationBegin with attributes", location);
	OTF2_AttributeList_Delete(list);
	measure_record_end(location);
}

static void t_walk(void *data, const struct measure_chunk_event *event)
{
	uint64_t *nr = data;

	CU_ASSERT_EQUAL(event->type, rows[(*nr)++ % NR_ROWS].number);
}

static void test_rows(void)
{
	struct measure_chunk_walk walk;
	uint64_t nr = 0;

	for (int turn = 0; turn < NR_VALUES; turn++) {
		for (size_t i = 0; i < NR_ROWS; i++) {
			struct measure_location *location = measure_record_begin();

			CU_ASSERT_PTR_NOT_NULL_FATAL(location);
			rows[i].write(location);
			t_compare(rows[i].name, location);
			measure_record_end(location);
		}
	}
	CU_ASSERT_EQUAL(
		measure_chunk_walk(expected, compared, NR_VALUES * NR_ROWS, t_walk, &nr, &walk),
		MEASURE_OK);
	CU_ASSERT_EQUAL(nr, NR_VALUES * NR_ROWS);
	CU_ASSERT_EQUAL(walk.end, compared);
}

static void test_attributes(void)
{
	for (int turn = 0; turn < NR_VALUES; turn++)
		for (uint32_t nr = 1; nr <= MEASURE_MOST_ATTRIBUTES; nr++) {
			t_write_listed(nr);
			t_write_with_attributes(nr);
		}
}

/* One type as good as another: the bytes of a value do not depend on it. */
static void t_write_metric(uint8_t nr)
{
	struct measure_location *location = measure_record_begin();
	struct measure_metric_class metric_class = {(uint32_t)t_value() >> 1, nr, {0}};
	union measure_metric_value values[MEASURE_MOST_METRICS];
	OTF2_MetricValue same[MEASURE_MOST_METRICS];

	for (uint8_t i = 0; i < nr; i++) {
		metric_class.value_types[i] = OTF2_TYPE_UINT64;
		values[i].unsigned_int = t_value();
		same[i].unsigned_int = values[i].unsigned_int;
	}
	measure_write_metric(location, &metric_class, values);
	OTF2_EvtWriter_Metric(
		writer, NULL, location->time, metric_class.id, nr, metric_class.value_types, same);
	t_compare("Metric", location);
	measure_record_end(location);
}

static void test_metrics(void)
{
	for (int turn = 0; turn < NR_VALUES; turn++)
		for (uint8_t nr = 0; nr <= MEASURE_MOST_METRICS; nr++)
			t_write_metric(nr);
}

static void t_enter_and_leave(measure_region_t region)
{
	struct measure_location *location = measure_record_begin();

	measure_write_enter(location, region);
	OTF2_EvtWriter_Enter(writer, NULL, location->time, region);
	t_compare("Enter", location);
	measure_record_end(location);
	location = measure_record_begin();
	measure_write_leave(location, region);
	OTF2_EvtWriter_Leave(writer, NULL, location->time, region);
	t_compare("Leave", location);
	measure_record_end(location);
}

/* The three highest bits say that a region is off, or that the filter decides. */
static void test_regions(void)
{
	for (int bit = 0; bit < 29; bit++) {
		t_enter_and_leave(UINT32_C(1) << bit);
		t_enter_and_leave((UINT32_C(1) << bit) - 1);
	}
}

static void test_others(void)
{
	struct measure_location *location = measure_record_begin();

	for (uint32_t nr = 0; nr <= MEASURE_MOST_ARGUMENTS; nr++) {
		uint32_t arguments[MEASURE_MOST_ARGUMENTS];

		for (uint32_t i = 0; i < nr; i++)
			arguments[i] = 1 + i;
		measure_write_program_begin(location, nr);
		OTF2_EvtWriter_ProgramBegin(writer, NULL, location->time, 0, nr, arguments);
		t_compare("ProgramBegin", location);
	}
	measure_write_buffer_flush(location, UINT64_MAX / 3);
	OTF2_EvtWriter_BufferFlush(writer, NULL, location->time, UINT64_MAX / 3);
	t_compare("BufferFlush", location);
	measure_record_end(location);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"rows of otf2_records.def", test_rows},
		{"attributes", test_attributes},
		{"metrics", test_metrics},
		{"regions", test_regions},
		{"program begin and buffer flush", test_others},
		CU_TEST_INFO_NULL,
	};

	return t_suite("encode", t_start, NULL, tests);
}
