/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: local definitions are written byte by byte as OTF2 writes them. */
#include "config.h"

#include <fcntl.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble/write/local_definitions.h"
#include "assemble/write/otf2_error.h"
#include "base/file.h"
#include "base/hash.h"
#include "../t_suite.h"

#define NR_ROUNDS 300
#define MOST_IDS  400

static char directory[] = "/tmp/measure-local-XXXXXX";

static OTF2_FlushType always(
	void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static OTF2_Archive *open_archive(void)
{
	static const OTF2_FlushCallbacks flush = {always, NULL};
	OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE,
		256 * 1024, 512 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenDefFiles(archive);
	return archive;
}

static bool is_identity(const measure_id_map_t *map)
{
	for (size_t i = 0; i < map->nr; i++)
		if (map->items[i] != i)
			return false;
	return true;
}

static void write_table(OTF2_DefWriter *writer, OTF2_MappingType type, const measure_id_map_t *map)
{
	if (is_identity(map))
		return;
	OTF2_IdMap *ids = OTF2_IdMap_CreateFromUint32Array(map->nr, map->items, true);
	CU_ASSERT_EQUAL(OTF2_DefWriter_WriteMappingTable(writer, type, ids), OTF2_SUCCESS);
	OTF2_IdMap_Free(ids);
}

static void write_by_otf2(OTF2_Archive *archive, uint64_t location,
	const struct measure_local_definitions *definitions)
{
	OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, location);

#define ID_MAP(kind, map) write_table(writer, OTF2_MAPPING_##kind, &definitions->map);
#include "assemble/write/id_maps.def"
#undef ID_MAP
	for (size_t i = 0; i < definitions->clock->nr; i++) {
		const struct measure_clock_knot *knot = &definitions->clock->items[i];

		OTF2_DefWriter_WriteClockOffset(writer, knot->time, knot->offset, knot->bound);
	}
	OTF2_Archive_CloseDefWriter(archive, writer);
}

/* None, few or all ids changed; numbers of all lengths. */
static void make_table(measure_id_map_t *map, uint64_t *random)
{
	const uint32_t nr = (uint32_t)(measure_random(random) % MOST_IDS);
	const uint64_t share = measure_random(random) % 5;

	map->nr = 0;
	for (uint32_t i = 0; measure_random(random) % 4 != 0 && i < nr; i++) {
		const uint32_t id =
			(uint32_t)(measure_random(random) >> 32) >> measure_random(random) % 32;

		CU_ASSERT_EQUAL(
			measure_array_push(map, measure_random(random) % 4 < share ? id : i), 0);
	}
}

static void make_definitions(struct measure_local_definitions *definitions,
	struct measure_clock_function *clock, uint64_t *random)
{
#define ID_MAP(kind, map) make_table(&definitions->map, random);
#include "assemble/write/id_maps.def"
#undef ID_MAP
	clock->nr = 0;
	for (uint64_t i = measure_random(random) % 4; i > 0; i--)
		CU_ASSERT_EQUAL(measure_array_push(clock,
					(struct measure_clock_knot){measure_random(random),
						(int64_t)measure_random(random) >>
							measure_random(random) % 64,
						(double)(measure_random(random) % 1000) / 7}),
			0);
	definitions->clock = clock;
}

static void compare(int fd, uint64_t location, const struct measure_local_definitions *definitions)
{
	measure_local_bytes_t bytes = {0};
	uint8_t *written = NULL;
	char name[64];
	size_t size = 0;

	snprintf(name, sizeof(name), "traces/%llu.def", (unsigned long long)location);
	CU_ASSERT_EQUAL_FATAL(measure_file_load(fd, name, SIZE_MAX - 1, &written, &size), 0);
	CU_ASSERT_EQUAL_FATAL(measure_local_definitions_encode(definitions, &bytes), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(bytes.nr, size);
	CU_ASSERT_EQUAL(memcmp(bytes.items, written, size), 0);
	CU_ASSERT(size <= 10 * measure_local_definitions_size(definitions) + 10);
	free(bytes.items);
	free(written);
}

static void test_bytes(void)
{
	struct measure_local_definitions definitions = {.clock = NULL};
	struct measure_clock_function clock = {0};
	OTF2_Archive *archive;
	uint64_t random = 1;
	int fd;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	archive = open_archive();
	fd = open(directory, O_RDONLY | O_DIRECTORY);
	for (uint64_t i = 0; i < NR_ROUNDS; i++) {
		make_definitions(&definitions, &clock, &random);
		write_by_otf2(archive, i, &definitions);
		compare(fd, i, &definitions);
	}
	OTF2_Archive_CloseDefFiles(archive);
	OTF2_Archive_Close(archive);
	close(fd);
#define ID_MAP(kind, map) free(definitions.map.items);
#include "assemble/write/id_maps.def"
#undef ID_MAP
	free(clock.items);
	CU_ASSERT_EQUAL(measure_file_remove_tree(AT_FDCWD, directory), MEASURE_OK);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"bytes", test_bytes},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("local definitions", NULL, NULL, tests);
}
