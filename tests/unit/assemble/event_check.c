/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: event files that hold what processes record are sound, whichever chunks are looked
 * at; what something has overwritten is damage; and a part that is finished twice has its counts
 * once. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/part/journal_file.h"
#include "assemble/part/part.h"
#include "assemble/close/event_check.h"
#include "format/event_chunk.h"
#include "format/run_layout.h"
#include "assemble/write/otf2_error.h"
#include "t_run.h"
#include "../t_suite.h"

#define SMALL  1
#define LARGE  300
#define VISITS 60000

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

static size_t t_damaged_locations(uint64_t most, uint32_t *first)
{
	measure_damaged_t damaged = {0};
	size_t nr;

	CU_ASSERT_EQUAL_FATAL(measure_event_check(part_fd, 2, T_CHUNK, most, &damaged), MEASURE_OK);
	nr = damaged.nr;
	*first = nr ? damaged.items[0] : UINT32_MAX;
	free(damaged.items);
	return nr;
}

static void t_sound(void)
{
	uint32_t first;

	t_make();
	CU_ASSERT_EQUAL(t_damaged_locations(UINT64_MAX, &first), 0);
	CU_ASSERT_EQUAL(t_damaged_locations(3, &first), 0);
	t_remove();
}

static void t_overwrite(const char *name, off_t offset, const void *bytes, size_t size)
{
	int fd = openat(part_fd, name, O_WRONLY);

	CU_ASSERT_EQUAL(pwrite(fd, bytes, size, offset), (ssize_t)size);
	close(fd);
}

static void t_damaged(void)
{
	uint8_t all_ones[16];
	uint32_t first;

	memset(all_ones, 0xff, sizeof(all_ones));
	t_make();
	t_overwrite("0.evt", T_CHUNK / 2, all_ones, sizeof(all_ones));
	CU_ASSERT_EQUAL(t_damaged_locations(UINT64_MAX, &first), 1);
	CU_ASSERT_EQUAL(first, 0);
	t_overwrite("1.evt", 0, all_ones, sizeof(all_ones));
	CU_ASSERT_EQUAL(t_damaged_locations(UINT64_MAX, &first), 2);
	t_remove();
}

/* The records are whole, but one that is left was not the last one entered. */
static void t_other_region(void)
{
	struct measure_chunk_header header;
	uint8_t chunk[T_CHUNK];
	struct measure_chunk_walk walk;
	uint32_t first;

	t_make();
	int fd = openat(part_fd, "0.evt", O_RDWR);
	CU_ASSERT_EQUAL_FATAL(pread(fd, chunk, T_CHUNK, 0), T_CHUNK);
	CU_ASSERT_EQUAL_FATAL(measure_chunk_header_read(chunk, T_CHUNK, &header), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_chunk_walk(chunk, T_CHUNK, 5, NULL, NULL, &walk), MEASURE_OK);
	CU_ASSERT_EQUAL(chunk[walk.end - 1], SMALL); /* the end of a Leave */
	close(fd);
	t_overwrite("0.evt", (off_t)walk.end - 1, "\2", 1);
	CU_ASSERT_EQUAL(t_damaged_locations(UINT64_MAX, &first), 1);
	t_remove();
}

/* Of a finishing that was cut short and then repeated. */
static void t_twice(void)
{
	struct measure_part read = {.fd = -1};
	const struct measure_def_segment_counts counts = {2};
	const struct measure_def_self_timing probe = {0, 0, 1, 20, {0, NULL}};
	char path[128];

	t_make();
	for (int i = 0; i < 2; i++) {
		struct measure_frames frames = {0};
		MEASURE_FRAMES_ADD(&frames, segment_counts, &counts);
		MEASURE_FRAMES_ADD(&frames, self_timing, &probe);
		CU_ASSERT_EQUAL(measure_frames_append(&frames, part_fd, MEASURE_JOURNAL_OF_KEEPER),
			MEASURE_OK);
	}
	snprintf(path, sizeof(path), "%s/.parts", t_directory);
	int parts_fd = open(path, O_RDONLY | O_DIRECTORY);
	CU_ASSERT_EQUAL_FATAL(measure_part_read(parts_fd, "part", &read), MEASURE_OK);
	CU_ASSERT_EQUAL(read.self_timings.nr, 1);
	measure_part_free(&read);
	close(parts_fd);
	t_remove();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"sound", t_sound},
		{"damaged", t_damaged},
		{"another region left", t_other_region},
		{"twice", t_twice},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("event_check", NULL, NULL, tests);
}
