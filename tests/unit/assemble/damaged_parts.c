/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: no damage to the files of a part makes finishing or assembly crash, and what
 * cannot be assembled stays as it was. Give a number of rounds and a seed to look longer. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter.h"
#include "assemble/write/assemble.h"
#include "base/file.h"
#include "base/hash.h"
#include "format/journal.h"
#include "t_part.h"

#define ROUNDS 60
#define NR_FILES 6

static const char *const files[NR_FILES] = {"a.done/journal", "a.done/keeper", "a.done/0.evt",
	"b/journal", "b/keeper", "b/0.evt"};
static char directory[64];
static uint64_t seed = 1;

static uint32_t next_random(uint32_t limit)
{
	return (uint32_t)(measure_random(&seed) % limit);
}

static void record(const char *name, const struct measure_def_end *end)
{
	struct measure_def_process process = {"node", "node", 100, 1000, "/bin/demo", "x", 1, "tsc",
		1e9, 0, 1000};
	const uint32_t members[] = {0, 1};
	struct t_part part;
	uint64_t time = 1000;

	t_part_begin(&part, directory, name, &process);
	T_KEEPER_JOURNAL(&part, clock_triple, 900, 1, 1, 1);
	T_JOURNAL(&part, launch, "job", 0, 2, 0, 2);
	T_JOURNAL(&part, world, end ? 0 : 1, 2, 1, 2);
	T_JOURNAL(&part, module, 0, "/bin/true", "", 0x1000);
	T_JOURNAL(&part, region, 0, "main", "main", "demo.c", 10, 20, 1, 2, 0);
	T_JOURNAL(&part, code_region, 1, 0x2345, 0, "", 1, 2);
	T_JOURNAL(&part, code_region, 2, 0x2345, 0, "!$omp parallel", 1, 3);
	T_JOURNAL(&part, comm, 0, MEASURE_COMM_WORLD, "", 1, 2, UINT32_MAX, 4, {0, NULL});
	T_JOURNAL(&part, comm, 1, MEASURE_COMM_TEAM, "", 0, 0, UINT32_MAX, 3, {2, members});
	T_JOURNAL(&part, comm, 3, MEASURE_COMM_GROUP, "row", 3, 4, 0, 4, {2, members});
	T_JOURNAL(&part, comm, 4, MEASURE_COMM_INTER, "sides", 5, 6, 0, 4, {1, members}, 1, {0, NULL},
		MEASURE_SIDE_FIRST, 3, 0);
	T_JOURNAL(&part, comm, 5, MEASURE_COMM_GROUP, "merged", 7, 8, 4, 4, {2, members}, 0, {0, NULL},
		MEASURE_SIDES_BOTH, 0, 1);
	T_JOURNAL(&part, comm_name, 3, "rows");
	T_JOURNAL(&part, cart, 3, end ? 0 : 1, {2, members}, {2, members}, {2, members});
	T_JOURNAL(&part, window, 0, 3, 9, 10, 1);
	T_JOURNAL(&part, window_name, 0, "halo");
	T_JOURNAL(&part, group, 0, {2, members});
	T_JOURNAL(&part, io_paradigm, 0, "3.1");
	T_JOURNAL(&part, io_file, 0, "/tmp/a", "ext4", 0);
	T_JOURNAL(&part, io_handle, 0, "a", 0, 0, 0, 3, UINT32_MAX, 11, 12, 0, 0);
	T_JOURNAL(&part, io_handle, 1, "b", 0, 0, 0, UINT32_MAX, 0, 0, 0, 0, 0);
	T_JOURNAL(&part, attribute, 0, "Offset", "bytes", 4);
	T_JOURNAL(&part, clock_sample, 1000, 5, 1);
	T_JOURNAL(&part, clock_sample, 2000, 6, 1);
	T_JOURNAL(&part, clock_truth, "offset=1ms", 1, 2, 3);
	T_JOURNAL(&part, property, "note", "value");
	T_JOURNAL(&part, parameter, 0, "size", 0);
	T_JOURNAL(&part, metric, 0, "faults", "page faults", "#", 0, 0, 5, 1, 0);
	T_JOURNAL(&part, metric_class, 0, 0, {1, members});
	T_JOURNAL(&part, string, 1, "text");
	T_JOURNAL(&part, marker, 1500, 0, "phase", "begins", 1);
	T_JOURNAL(&part, unbalanced, 0, 0);
	T_JOURNAL(&part, region_off, 3);
	T_JOURNAL(&part, throttle, 1, 1500, 10, 100);
	T_KEEPER_JOURNAL(&part, sampled, 1, 1, "", "memory", "resident", "bytes", 0, 0, 5, 1, 0);
	T_KEEPER_JOURNAL(&part, region_filtered, 0, 5);
	t_location(&part, time);
	t_location(&part, time);
	for (int i = 0; i < 12000; i++) {
		t_enter(&part, 0, ++time, (uint32_t)i % 3);
		t_leave(&part, 0, ++time, (uint32_t)i % 3);
	}
	t_enter(&part, 1, time, 1);
	t_part_end(&part, end);
}

/* Its callers are all here. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int shell(const char *format)
{
	char command[256];

	snprintf(command, sizeof(command), format, directory, directory);
	return system(command);
}

/* The wrong number in a record whose checksum is right: as a faulty library would write it. */
static void falsify_record(uint8_t *frame)
{
	static const uint64_t numbers[] = {0, 1, 2, 7, 255, 40000, INT32_MAX, UINT32_MAX - 1,
		UINT32_MAX, UINT64_C(1) << 32, INT64_MAX, UINT64_MAX};
	uint32_t length, kind;

	memcpy(&length, frame, sizeof(length));
	memcpy(&kind, frame + sizeof(length), sizeof(kind));
	if (length == MEASURE_JOURNAL_FRAME)
		return;
	uint32_t word = next_random((length - MEASURE_JOURNAL_FRAME) / 8);
	memcpy(frame + MEASURE_JOURNAL_FRAME + (size_t)8 * word,
		&numbers[next_random(sizeof(numbers) / sizeof(*numbers))], 8);
	measure_journal_seal(frame, kind, length - MEASURE_JOURNAL_FRAME);
}

static void falsify(int parts_fd, const char *name)
{
	struct measure_journal_reader reader = {NULL, 0, 0};
	struct measure_decoder payload;
	uint8_t *data;
	size_t place = 0;
	uint32_t kind;

	if (measure_file_load(parts_fd, name, SIZE_MAX, &data, &reader.size) != MEASURE_OK)
		abort();
	reader.data = data;
	while (measure_journal_next(&reader, &kind, &payload) == MEASURE_OK) {
		if (next_random(10) == 0)
			falsify_record(data + place);
		place = reader.position;
	}
	if (measure_file_store(parts_fd, name, data, reader.size) != MEASURE_OK)
		abort();
	free(data);
}

/* A few bytes changed, or the file cut. */
static void spoil(int parts_fd, const char *name)
{
	struct stat stat_;
	uint8_t byte;
	int fd = openat(parts_fd, name, O_RDWR);

	if (fd < 0 || fstat(fd, &stat_) != 0 || stat_.st_size == 0)
		abort();
	if (next_random(4) == 0 && ftruncate(fd, next_random((uint32_t)stat_.st_size)) != 0)
		abort();
	for (uint32_t i = next_random(4); i > 0; i--) {
		/* Most of all where headers are. */
		uint32_t range = next_random(2) ? 64 : (uint32_t)stat_.st_size;
		byte = (uint8_t)next_random(256);
		if (pwrite(fd, &byte, 1, next_random(range)) != 1)
			abort();
	}
	close(fd);
}

static void damage(int parts_fd)
{
	const char *name = files[next_random(NR_FILES)];

	if (next_random(2) && strcmp(strrchr(name, '.') ? strrchr(name, '.') : "", ".evt") != 0)
		falsify(parts_fd, name);
	else
		spoil(parts_fd, name);
}

static int run_round(void)
{
	struct measure_assemble_report report;
	char path[128];

	if (shell("cp -r %s/.template %s/.parts") != 0)
		return 1;
	snprintf(path, sizeof(path), "%s/.parts", directory);
	int parts_fd = open(path, O_RDONLY | O_DIRECTORY);
	damage(parts_fd);
	close(parts_fd);
	measure_status_t status = measure_assemble(directory, &report);
	if (status != MEASURE_OK && access(path, F_OK) != 0) {
		fprintf(stderr, "failed (%s), and the parts are gone\n", report.trouble);
		return 1;
	}
	return shell("cd %s && rm -rf .parts traces*") != 0;
}

int main(int nr_arguments, char **arguments)
{
	static const struct measure_def_end end = {90000, MEASURE_END_EXITED, 0, ""};
	int nr_rounds = nr_arguments > 1 ? atoi(arguments[1]) : ROUNDS;
	int failed = 0;

	if (nr_arguments > 2)
		seed = strtoull(arguments[2], NULL, 10);
	strcpy(directory, "/tmp/measure-damage-XXXXXX");
	if (!mkdtemp(directory))
		return 1;
	record("a.done", &end);
	record("b", NULL);
	if (shell("mv %s/.parts %s/.template") != 0)
		return 1;
	for (int i = 0; i < nr_rounds && !failed; i++)
		failed = run_round();
	return shell("rm -rf %s") != 0 || failed;
}
