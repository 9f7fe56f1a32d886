/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the first records of the journal say which process this is, and how it began. */
#include "config.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "../../t_suite.h"
#include "clock/clock.h"
#include "config/settings.h"
#include "format/journal.h"
#include "format/segment.h"
#include "runtime/core/start.h"
#include "runtime/definitions/define.h"

static struct measure_segment segment;
static struct measure_journal_reader reader;
static struct measure_decoder payload;
static uint32_t kind;

static int set_up(void)
{
	const struct measure_segment_size size = {.buffer_size = 512 << 10,
		.chunk_size = 256 << 10,
		.max_locations = 4,
		.journal_size = 1 << 20};
	const struct measure_clock_choice clock = {"monotonic", 0, 0};
	int fd;

	if (measure_clock_start(&clock) != MEASURE_OK ||
		measure_segment_create(&size, &fd, &segment) != MEASURE_OK)
		return 1;
	measure_define_start(&segment);
	return 0;
}

static void t_next(uint32_t wanted)
{
	CU_ASSERT_EQUAL_FATAL(measure_journal_next(&reader, &kind, &payload), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(kind, wanted);
}

static void t_next_string(uint32_t id, const char *text)
{
	struct measure_def_string string;

	t_next(MEASURE_RECORD_STRING);
	CU_ASSERT_EQUAL_FATAL(measure_def_string_decode(&payload, &string), MEASURE_OK);
	CU_ASSERT_EQUAL(string.id, id);
	CU_ASSERT_STRING_EQUAL(string.text, text);
}

static void test_records(void)
{
	struct measure_settings settings;
	struct measure_def_process process;
	struct measure_def_launch launch;
	char program[PATH_MAX] = "";

	measure_settings_defaults(&settings);
	settings.rank = 3;
	settings.size = 4;
	CU_ASSERT_EQUAL(measure_process_define(&settings, 12345, 2), 5);
	reader.data = segment.journal;
	reader.size = atomic_load(&segment.header->journal_committed);

	t_next(MEASURE_RECORD_PROCESS);
	CU_ASSERT_EQUAL_FATAL(measure_def_process_decode(&payload, &process), MEASURE_OK);
	CU_ASSERT_EQUAL(process.pid, getpid());
	CU_ASSERT_NOT_EQUAL(process.start_time, 0);
	CU_ASSERT_TRUE(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
	CU_ASSERT_STRING_EQUAL(process.program, program);
	CU_ASSERT_STRING_EQUAL(process.arguments, "--plain=1 'two words' 'it'\\''s' '' '$HOME'");
	CU_ASSERT_STRING_EQUAL(process.clock, "monotonic");
	CU_ASSERT_EQUAL(process.clock_frequency, 1e9);
	CU_ASSERT_EQUAL(process.begin_ticks, 12345);
	CU_ASSERT_EQUAL(process.nr_inherited, 2);
	CU_ASSERT_EQUAL(process.nr_arguments, 5);
	t_next_string(1, "--plain=1");
	t_next_string(2, "two words");
	t_next_string(3, "it's");
	t_next_string(4, "");
	t_next_string(5, "$HOME");
	t_next(MEASURE_RECORD_LAUNCH);
	CU_ASSERT_EQUAL_FATAL(measure_def_launch_decode(&payload, &launch), MEASURE_OK);
	CU_ASSERT_EQUAL(launch.rank, 3);
	CU_ASSERT_EQUAL(launch.size, 4);
	CU_ASSERT_EQUAL(measure_journal_next(&reader, &kind, &payload), MEASURE_ERROR_NOT_FOUND);
}

/* With known arguments. */
int main(int count, char **arguments)
{
	char *const again[] = {arguments[0], (char *)"--plain=1", (char *)"two words",
		(char *)"it's", (char *)"", (char *)"$HOME", NULL};
	CU_TestInfo tests[] = {
		{"process, arguments and launch", test_records},
		CU_TEST_INFO_NULL,
	};

	if (count == 1) {
		execv("/proc/self/exe", again);
		return 1;
	}
	return t_suite("process", set_up, NULL, tests);
}
