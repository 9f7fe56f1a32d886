/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: files of sampled metrics: through several chunks, by one keeper after the other,
 * with a torn end */
#include "config.h"

#include <fcntl.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>
#include <unistd.h>

#include "../t_suite.h"
#include "assemble/part/location_file.h"
#include "assemble/part/sample_file.h"
#include "metric.h"

#define CHUNK      (256 * 1024)
#define NR         MEASURE_MOST_SAMPLED
#define NR_SAMPLES 3000 /* of 250 bytes: three chunks */

static char directory[] = "/tmp/samples.XXXXXX";
static int part_fd = -1;

static int set_up(void)
{
	if (!mkdtemp(directory))
		return 1;
	part_fd = open(directory, O_RDONLY | O_DIRECTORY);
	return part_fd < 0;
}

static int clear_up(void)
{
	unlinkat(part_fd, measure_sample_file_name(MEASURE_METRIC_PROCESS), 0);
	close(part_fd);
	return rmdir(directory);
}

static void put(struct measure_sample_file *file, uint64_t from, uint64_t to)
{
	union measure_metric_value values[NR];
	uint8_t types[NR];

	for (uint32_t i = 0; i < NR; i++) {
		types[i] = OTF2_TYPE_UINT64;
		values[i].unsigned_int = UINT64_C(1) << 62 | i;
	}
	for (uint64_t i = from; i < to; i++)
		CU_ASSERT_EQUAL(
			measure_sample_file_put(file, 1000 + i, 0, types, values, NR), MEASURE_OK);
}

static struct measure_location_summary summarise(void)
{
	struct measure_location_summary summary = {0};
	uint8_t *chunk = malloc(CHUNK);
	int fd = openat(part_fd, measure_sample_file_name(MEASURE_METRIC_PROCESS), O_RDONLY);

	CU_ASSERT_EQUAL(measure_location_file_summarise(fd, CHUNK, chunk, &summary), MEASURE_OK);
	close(fd);
	free(chunk);
	return summary;
}

static void another_keeper_goes_on(void)
{
	struct measure_sample_file file;
	uint64_t end_time = 0;
	int fd;

	CU_ASSERT_EQUAL(measure_sample_file_open(part_fd, MEASURE_METRIC_PROCESS, CHUNK, &file),
		MEASURE_OK);
	put(&file, 0, 2000);
	measure_sample_file_close(&file);
	fd = openat(part_fd, measure_sample_file_name(MEASURE_METRIC_PROCESS), O_WRONLY | O_APPEND);
	CU_ASSERT_EQUAL(write(fd, "\x05torn", 5), 5);
	close(fd);
	CU_ASSERT_EQUAL(measure_sample_file_open(part_fd, MEASURE_METRIC_PROCESS, CHUNK, &file),
		MEASURE_OK);
	CU_ASSERT_EQUAL(file.nr_events, 2000);
	put(&file, 2000, NR_SAMPLES);
	put(&file, 10, 11); /* the clock steps back */
	measure_sample_file_close(&file);
	for (int i = 0; i < 2; i++)
		CU_ASSERT_EQUAL(
			measure_sample_files_finish(part_fd, CHUNK, &end_time), MEASURE_OK);
	CU_ASSERT_EQUAL(end_time, 1000 + NR_SAMPLES);
	struct measure_location_summary summary = summarise();
	CU_ASSERT_EQUAL(summary.nr_events, NR_SAMPLES + 1);
	CU_ASSERT_EQUAL(summary.first_time, 1000);
	CU_ASSERT_EQUAL(summary.last_time + 1, end_time);
	CU_ASSERT(summary.nr_bytes > 2 * CHUNK && summary.nr_bytes < 3 * CHUNK);
}

static void without_samples_there_is_no_file(void)
{
	struct measure_sample_file file;
	uint64_t end_time = 7;

	CU_ASSERT_EQUAL(
		measure_sample_file_open(part_fd, MEASURE_METRIC_NODE, CHUNK, &file), MEASURE_OK);
	measure_sample_file_close(&file);
	CU_ASSERT_EQUAL(measure_sample_files_finish(part_fd, CHUNK, &end_time), MEASURE_OK);
	CU_ASSERT_NOT_EQUAL(
		faccessat(part_fd, measure_sample_file_name(MEASURE_METRIC_NODE), F_OK, 0), 0);
	CU_ASSERT_PTR_NULL(measure_sample_file_name(MEASURE_METRIC_THREAD));
	CU_ASSERT_PTR_NULL(measure_sample_file_name(99));
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"another keeper goes on", another_keeper_goes_on},
		{"without samples there is no file", without_samples_there_is_no_file},
		CU_TEST_INFO_NULL,
	};

	return t_suite("samples", set_up, clear_up, tests);
}
