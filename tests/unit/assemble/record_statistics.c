/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what is counted in event files is what is there: all of it, every n-th chunk,
 * up to a damage; and a part that is finished twice is not counted twice. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/part/part.h"
#include "analysis/summary/record_statistics.h"
#include "format/event_chunk.h"
#include "assemble/write/otf2_error.h"
#include "t_run.h"
#include "../t_suite.h"

#define SMALL     1
#define LARGE     300
#define VISITS    60000
#define PROGRAM   2  /* ProgramBegin and ProgramEnd */
#define SEND_TYPE 14 /* of MpiSend */

static struct t_part part;
static int part_fd;

/* Region LARGE around all, SMALL in it VISITS times for 3 ticks each; a send on another one. */
static void t_make(void)
{
	struct measure_def_process process = t_process(0, 0, 0);
	char path[128];
	struct measure_def_end end = {10 * VISITS, MEASURE_END_EXITED, 0, ""};

	t_begin();
	t_part_begin(&part, t_directory, "part", &process);
	t_location(&part, 1);
	t_location(&part, 1);
	t_enter(&part, 0, 2, LARGE);
	for (uint64_t i = 1; i <= VISITS; i++) {
		t_enter(&part, 0, 10 * i, SMALL);
		t_leave(&part, 0, 10 * i + 3, SMALL);
	}
	t_leave(&part, 0, 10 * VISITS + 102, LARGE);
	t_enter(&part, 1, 5, SMALL); /* left open: the finishing leaves it, at the end of all */
	t_send(&part, 1, 6, 1, 0);
	t_part_end(&part, &end);
	snprintf(path, sizeof(path), "%s/.parts/part", t_directory);
	part_fd = open(path, O_RDONLY | O_DIRECTORY);
}

static void t_remove(void)
{
	close(part_fd);
	t_finish();
}

static uint64_t t_size(const char *name)
{
	struct stat file;

	CU_ASSERT_EQUAL_FATAL(fstatat(part_fd, name, &file, 0), 0);
	return (uint64_t)file.st_size;
}

static uint64_t t_sum(const struct measure_record_statistics *tally, bool of_bytes)
{
	uint64_t sum = 0;

	for (int i = 0; i < MEASURE_TALLY_KINDS; i++)
		sum += of_bytes ? tally->kinds[i].bytes : tally->kinds[i].events;
	return sum;
}

static void t_all(void)
{
	struct measure_record_statistics tally;

	t_make();
	CU_ASSERT_EQUAL_FATAL(
		measure_record_statistics_count(part_fd, 2, T_CHUNK, UINT64_MAX, &tally),
		MEASURE_OK);
	CU_ASSERT_EQUAL(tally.nr_counted, tally.nr_chunks);
	CU_ASSERT(tally.nr_chunks > 5);
	CU_ASSERT_EQUAL(tally.kinds[MEASURE_OTF2_ENTER].events, VISITS + 2);
	CU_ASSERT_EQUAL(tally.kinds[MEASURE_OTF2_LEAVE].events, VISITS + 2);
	CU_ASSERT_EQUAL(tally.kinds[SEND_TYPE].events, 1);
	CU_ASSERT_EQUAL(t_sum(&tally, false), 2 * VISITS + 4 + 1 + PROGRAM);

	CU_ASSERT_EQUAL_FATAL(tally.regions.nr, LARGE + 1);
	CU_ASSERT_EQUAL(tally.regions.items[SMALL].enters.events, VISITS + 1);
	CU_ASSERT_EQUAL(tally.regions.items[SMALL].leaves.events, VISITS + 1);
	CU_ASSERT_EQUAL(tally.regions.items[SMALL].measured, VISITS + 1);
	CU_ASSERT_EQUAL(tally.regions.items[SMALL].ticks, 3 * VISITS + 10 * VISITS - 5);
	CU_ASSERT_EQUAL(tally.regions.items[SMALL].octaves, 2 * VISITS + 20); /* 3, and 599,995 */
	CU_ASSERT_EQUAL(tally.regions.items[LARGE].ticks, 10 * VISITS + 100);
	CU_ASSERT_EQUAL(tally.regions.items[LARGE].enters.bytes, 9 + 4);
	CU_ASSERT_EQUAL(tally.regions.items[LARGE].leaves.bytes, 9 + 4);
	CU_ASSERT_EQUAL(tally.regions.items[SMALL - 1].enters.events, 0);
	measure_record_statistics_free(&tally);
	t_remove();
}

/* The bytes of the records, the headers and ends of chunks, and what stays free behind them:
 * less than a record of OTF2's can be. */
static void t_bytes(void)
{
	struct measure_record_statistics tally;

	t_make();
	CU_ASSERT_EQUAL_FATAL(
		measure_record_statistics_count(part_fd, 2, T_CHUNK, UINT64_MAX, &tally),
		MEASURE_OK);
	uint64_t size = t_size("0.evt") + t_size("1.evt");
	uint64_t least = t_sum(&tally, true) + MEASURE_CHUNK_HEADER * tally.nr_chunks;
	CU_ASSERT(size >= least);
	CU_ASSERT(size < least + 64 * tally.nr_chunks);
	measure_record_statistics_free(&tally);
	t_remove();
}

static void t_some(void)
{
	struct measure_record_statistics tally;

	t_make();
	CU_ASSERT_EQUAL_FATAL(
		measure_record_statistics_count(part_fd, 2, T_CHUNK, 3, &tally), MEASURE_OK);
	CU_ASSERT(tally.nr_counted <= 3);
	CU_ASSERT(tally.nr_chunks > 5);
	uint64_t all = 2 * VISITS + 4 + 1 + PROGRAM;
	CU_ASSERT(t_sum(&tally, false) + 3 >= all && t_sum(&tally, false) <= all + 3);
	uint64_t visits = tally.regions.items[SMALL].enters.events;
	CU_ASSERT(visits > VISITS - VISITS / 100 && visits < VISITS + VISITS / 100);
	/* those seen from Enter to Leave, none across a gap; that of location 1, if it was seen */
	uint64_t more = tally.regions.items[SMALL].ticks - 3 * tally.regions.items[SMALL].measured;
	CU_ASSERT(more == 0 || more == 10 * VISITS - 5 - 3);
	CU_ASSERT_EQUAL(tally.regions.items[LARGE].measured, 0);
	measure_record_statistics_free(&tally);
	t_remove();
}

static void t_damaged(void)
{
	struct measure_record_statistics tally, whole;

	t_make();
	CU_ASSERT_EQUAL_FATAL(
		measure_record_statistics_count(part_fd, 2, T_CHUNK, UINT64_MAX, &whole),
		MEASURE_OK);
	int fd = openat(part_fd, "0.evt", O_WRONLY);
	CU_ASSERT_EQUAL(pwrite(fd,
				"\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377"
				"\377",
				16, T_CHUNK / 2),
		16);
	close(fd);
	CU_ASSERT_EQUAL_FATAL(
		measure_record_statistics_count(part_fd, 2, T_CHUNK, UINT64_MAX, &tally),
		MEASURE_OK);
	CU_ASSERT(t_sum(&tally, false) < t_sum(&whole, false));
	CU_ASSERT(t_sum(&tally, false) > t_sum(&whole, false) * 4 / 5);
	measure_record_statistics_free(&tally);
	measure_record_statistics_free(&whole);
	t_remove();
}

static void t_twice(void)
{
	struct measure_part read = {.fd = -1};
	struct measure_record_statistics tally;
	char path[128];
	uint64_t events = 0;

	t_make();
	CU_ASSERT_EQUAL_FATAL(
		measure_record_statistics_count(part_fd, 2, T_CHUNK, UINT64_MAX, &tally),
		MEASURE_OK);
	CU_ASSERT_EQUAL(measure_record_statistics_store(&tally, part_fd), MEASURE_OK);
	snprintf(path, sizeof(path), "%s/.parts", t_directory);
	int parts_fd = open(path, O_RDONLY | O_DIRECTORY);
	CU_ASSERT_EQUAL_FATAL(measure_part_read(parts_fd, "part", &read), MEASURE_OK);
	CU_ASSERT(read.has_tally);
	for (size_t i = 0; i < read.kind_tallies.nr; i++)
		events += read.kind_tallies.items[i].events;
	CU_ASSERT_EQUAL(events, t_sum(&tally, false));
	CU_ASSERT_EQUAL(read.region_tallies.nr, 2);
	measure_part_free(&read);
	measure_record_statistics_free(&tally);
	close(parts_fd);
	t_remove();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"all of it", t_all},
		{"bytes", t_bytes},
		{"every n-th chunk", t_some},
		{"damaged", t_damaged},
		{"twice", t_twice},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("tally", NULL, NULL, tests);
}
