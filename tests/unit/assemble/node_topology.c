/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the files that tell what a node consists of: what they say, where processes are by
 * it, and what becomes of bad ones. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble/unify/node_topology.h"
#include "format/run_layout.h"
#include "assemble/write/otf2_error.h"
#include "t_run.h"
#include "../t_suite.h"

/* A file in memory. */
static struct {
	uint8_t bytes[65536];
	size_t size;
} file;

#define PUT(name, ...)                                                                             \
	do {                                                                                       \
		struct measure_def_##name def_ = {__VA_ARGS__};                                    \
		file.size += measure_def_##name##_frame(                                           \
			&def_, file.bytes + file.size, sizeof(file.bytes) - file.size);            \
	} while (0)

static void put_place(
	uint32_t parent, enum measure_level level, const char *name, uint32_t processors)
{
	PUT(place, parent, level, name, {1, &processors});
}

#define NR_PLACES 8
#define NR_FACTS  3

/* Two packages of two cores, the first one's with two processors each. */
static void put_node(const char *node, uint32_t nr_places, uint32_t nr_facts)
{
	file.size = 0;
	PUT(topology, node, nr_places, nr_facts);
	put_place(0, MEASURE_LEVEL_NODE, "", 0x3f);
	put_place(0, MEASURE_LEVEL_PACKAGE, "Package 0", 0x0f);
	put_place(0, MEASURE_LEVEL_PACKAGE, "Package 1", 0x30);
	put_place(1, MEASURE_LEVEL_CORE, "Core 0", 0x03);
	put_place(1, MEASURE_LEVEL_CORE, "Core 1", 0x0c);
	put_place(3, MEASURE_LEVEL_PROCESSOR, "Processor 0", 0x01);
	put_place(3, MEASURE_LEVEL_PROCESSOR, "Processor 1", 0x02);
	put_place(2, MEASURE_LEVEL_CORE, "Core 0", 0x10);
	PUT(place_fact, 0, "MEASURE::CORES", "", 4);
	PUT(place_fact, 1, "MEASURE::MODEL", "first", 0);
	PUT(place_fact, 2, "MEASURE::MODEL", "second", 0);
}

static measure_status_t decode(size_t size, struct measure_node_topology *topology)
{
	uint8_t *data = malloc(size + 1);

	memcpy(data, file.bytes, size);
	return measure_node_topology_decode(data, size, topology);
}

static uint32_t place(const struct measure_node_topology *topology, const char *list)
{
	struct measure_processors processors;

	CU_ASSERT(measure_processors_parse(list, &processors));
	return measure_node_topology_place(topology, &processors);
}

static void check_words(
	const struct measure_node_topology *topology, uint32_t processor, const char *expected)
{
	char text[256];

	measure_node_topology_describe(topology, processor, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, expected);
	measure_node_topology_describe(topology, processor, text, 4);
	CU_ASSERT(strncmp(text, expected, 3) == 0 && strlen(text) <= 3);
}

static void test_places(void)
{
	struct measure_node_topology topology;

	put_node("boot host", NR_PLACES, NR_FACTS);
	CU_ASSERT_EQUAL_FATAL(decode(file.size, &topology), MEASURE_OK);
	CU_ASSERT_EQUAL(place(&topology, "0-5"), 0);
	CU_ASSERT_EQUAL(place(&topology, "0-8191"), 0);
	CU_ASSERT_EQUAL(place(&topology, "0,5"), 0);
	CU_ASSERT_EQUAL(place(&topology, "77"), 0);
	CU_ASSERT_EQUAL(place(&topology, "0-3"), 1);
	CU_ASSERT_EQUAL(place(&topology, "1,2"), 1);
	CU_ASSERT_EQUAL(place(&topology, "4-5"), 2);
	CU_ASSERT_EQUAL(place(&topology, "0,1"), 3);
	CU_ASSERT_EQUAL(place(&topology, "1"), 6);
	CU_ASSERT_EQUAL(place(&topology, "2"), 4); /* its processors are not told */
	CU_ASSERT_EQUAL(place(&topology, "4"), 7);
	check_words(&topology, 1, "Package 0, Core 0, Processor 1");
	check_words(&topology, 4, "Package 1, Core 0");
	check_words(&topology, 9, "");
	check_words(&topology, UINT32_MAX, "");
	measure_node_topology_free(&topology);
}

static void test_lists(void)
{
	static const char *const bad[] = {"", ",", "a", "1,", "1-", "-1", "2-1", "1 2", "0-3,...",
		"8192", "99999999999999999999", "1,,2"};
	struct measure_processors processors;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CU_ASSERT_FALSE(measure_processors_parse(bad[i], &processors));
	CU_ASSERT(measure_processors_parse("0,2-3,33", &processors));
	CU_ASSERT_EQUAL(processors.words[0], 0xd);
	CU_ASSERT_EQUAL(processors.words[1], 2);
}

static void refuse(const char *what)
{
	struct measure_node_topology topology;
	measure_status_t status = decode(file.size, &topology);

	if (status == MEASURE_OK)
		fprintf(stderr, "not refused: %s\n", what);
	CU_ASSERT_EQUAL(status, MEASURE_ERROR_FORMAT);
	measure_node_topology_free(&topology);
}

static void test_bad(void)
{
	static const uint32_t many[MEASURE_MOST_PROCESSORS / 32 + 1];

	file.size = 0;
	refuse("nothing");
	put_node("a", NR_PLACES + 1, NR_FACTS);
	refuse("a place is missing");
	put_node("a", NR_PLACES - 1, NR_FACTS);
	refuse("a place too many");
	put_node("a", NR_PLACES, NR_FACTS + 1);
	refuse("a fact is missing");
	put_node("a", NR_PLACES, NR_FACTS - 1);
	refuse("a fact too many");
	put_node("a", NR_PLACES + 1, NR_FACTS);
	put_place(NR_PLACES, MEASURE_LEVEL_CORE, "Core", 1);
	refuse("its own parent");
	put_node("a", NR_PLACES + 1, NR_FACTS);
	put_place(UINT32_MAX, MEASURE_LEVEL_CORE, "Core", 1);
	refuse("no parent");
	put_node("a", NR_PLACES + 1, NR_FACTS);
	put_place(0, MEASURE_LEVEL_NODE, "", 1);
	refuse("two nodes");
	put_node("a", NR_PLACES + 1, NR_FACTS);
	put_place(0, MEASURE_NR_LEVELS, "", 1);
	refuse("no such level");
	put_node("a", NR_PLACES + 1, NR_FACTS);
	PUT(place, 0, MEASURE_LEVEL_CORE, "Core", {MEASURE_MOST_PROCESSORS / 32 + 1, many});
	refuse("too many processors");
	put_node("a", NR_PLACES, NR_FACTS + 1);
	PUT(place_fact, NR_PLACES, "MEASURE::MODEL", "of nothing", 0);
	refuse("a fact of nothing");
	put_node("a", NR_PLACES, NR_FACTS);
	PUT(topology, "b", 0, 0);
	refuse("another begin");
	put_node("a", NR_PLACES, NR_FACTS);
	PUT(count, "strange", 1);
	refuse("a record of something else");
	file.size = 0;
	put_place(0, MEASURE_LEVEL_NODE, "", 1);
	refuse("no begin");
}

/* Cut anywhere, or with a wrong byte anywhere, nothing of it counts. */
static void test_damaged(void)
{
	struct measure_node_topology topology;

	put_node("boot host", NR_PLACES, NR_FACTS);
	for (size_t size = 0; size < file.size; size++) {
		CU_ASSERT_EQUAL(decode(size, &topology), MEASURE_ERROR_FORMAT);
		measure_node_topology_free(&topology);
	}
	for (size_t i = 0; i < file.size; i++) {
		file.bytes[i] ^= 0x41;
		CU_ASSERT_EQUAL(decode(file.size, &topology), MEASURE_ERROR_FORMAT);
		measure_node_topology_free(&topology);
		file.bytes[i] ^= 0x41;
	}
}

/* In the run directory, where the node's file comes before its parts are read. */
static void store(const char *name, size_t size)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/" MEASURE_PARTS_NAME "/" MEASURE_TOPOLOGY_PREFIX "%s",
		t_directory, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, file.bytes, size), (ssize_t)size);
	close(fd);
}

/* Three processes on two nodes, of which one is known and told of twice; and damaged files. */
static void test_archive(void)
{
	static const char *const bound[] = {"0-1", "4", "0"};
	struct measure_assemble_report report;
	struct t_part parts[3];

	t_begin();
	for (uint32_t rank = 0; rank < 3; rank++) {
		struct measure_def_process process = t_process(rank, rank / 2 + 1, 1000);
		process.node = rank < 2 ? "boot one" : "boot two";
		t_part_begin(&parts[rank], t_directory,
			rank == 0 ? "a.done" : (rank == 1 ? "b.done" : "c.done"), &process);
		T_JOURNAL(&parts[rank], property, "MEASURE::PROCESSORS", bound[rank]);
		T_JOURNAL(&parts[rank], location, 0, "", rank + 1);
		t_regions(&parts[rank]);
		t_location(&parts[rank], 1000);
		t_part_end(&parts[rank], &t_exited);
	}
	put_node("boot one", NR_PLACES, NR_FACTS);
	store("one", file.size);
	store("again", file.size);
	store("cut", file.size - 8);
	store("empty", 0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 >%1$s/definitions"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^SYSTEM_TREE_NODE ' %s/definitions) = 7 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^SYSTEM_TREE_NODE_PROP' %s/definitions) = 3 ]"), 0);
	CU_ASSERT_EQUAL(t_run("grep -q '^SYSTEM_TREE_NODE_DOMAIN.*SOCKET' %s/definitions"), 0);
	CU_ASSERT_EQUAL(
		t_run("[ $(grep -c '^LOCATION_GROUP .*core::Core 0' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^LOCATION_GROUP .*node::' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(
		t_run("[ $(grep -c '^LOCATION_PROP.*\"MEASURE::PROCESSOR\"' %s/definitions) = 3 ]"),
		0);
	CU_ASSERT_EQUAL(t_run("grep -q '^LOCATION_PROP.*\"MEASURE::PLACE\".*Core 0, Processor 1' "
			      "%s/definitions"),
		0);
	CU_ASSERT_EQUAL(
		t_run("[ $(grep -c '^LOCATION_PROP.*\"MEASURE::PLACE\"' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(
		t_run("./measure-profile --summary %s | grep -q '^processes   3 on 2 nodes'"), 0);
	t_finish();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"places", test_places},
		{"lists", test_lists},
		{"bad", test_bad},
		{"damaged", test_damaged},
		{"archive", test_archive},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("topology", NULL, NULL, tests);
}
