/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: metrics of processes and nodes: fields of /proc, energy through the end of its
 * counter, and what is not there */
#include "config.h"

#include <fcntl.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../t_suite.h"
#include "metric/field.h"
#include "metric/list.h"

static char directory[] = "/tmp/powercap.XXXXXX";

static void write_number(const char *name, const char *number)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/intel-rapl:0/%s", directory, name);
	FILE *file = fopen(path, "w");
	fprintf(file, "%s\n", number);
	fclose(file);
}

static int set_up(void)
{
	char path[512];

	if (!mkdtemp(directory))
		return 1;
	snprintf(path, sizeof(path), "%s/intel-rapl:0", directory);
	mkdir(path, 0700);
	write_number("energy_uj", "900");
	write_number("max_energy_range_uj", "1000");
	measure_metric_powercap = directory;
	return 0;
}

static int clear_up(void)
{
	char command[512];

	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

static void fields_are_found(void)
{
	static const char stat[] = "7 (a ) b (c) S 1 2 3 4 5 6 10 11 12 13 14 15 16";
	uint64_t value = 0;

	CU_ASSERT(measure_field_by_key("VmPeak:\t 1 kB\nVmRSS:\t 23 kB\n", "VmRSS", &value));
	CU_ASSERT_EQUAL(value, 23);
	CU_ASSERT(measure_field_by_key("VmPeak:\t 1 kB\nVmRSS:\t 23 kB\n", "VmPeak", &value));
	CU_ASSERT_FALSE(measure_field_by_key("VmRSSx: 1\n", "VmRSS", &value));
	CU_ASSERT_FALSE(measure_field_by_key("", "VmRSS", &value));
	CU_ASSERT_FALSE(measure_field_by_key("VmRSS: none\n", "VmRSS", &value));
	CU_ASSERT(measure_field_of_stat(stat, 10, &value));
	CU_ASSERT_EQUAL(value, 10);
	CU_ASSERT_FALSE(measure_field_of_stat(stat, 40, &value));
	CU_ASSERT_FALSE(measure_field_of_stat("", 10, &value));
}

static void energy_goes_on(void)
{
	static const char *const names[] = {"intel-rapl:0"};
	struct measure_metric_info info;
	union measure_metric_value value;
	const char *why;

	CU_ASSERT_EQUAL_FATAL(measure_metric_node.find(names[0], &info, &why), MEASURE_OK);
	CU_ASSERT_STRING_EQUAL(info.unit, "J");
	CU_ASSERT_EQUAL(info.exponent, -6);
	CU_ASSERT_EQUAL(
		measure_metric_node.find("intel-rapl:1", &info, &why), MEASURE_ERROR_NOT_FOUND);
	void *state = measure_metric_node.begin(names, 1, 0);
	CU_ASSERT(measure_metric_node.read(state, &value));
	CU_ASSERT_EQUAL(value.unsigned_int, 900);
	write_number("energy_uj", "100");
	CU_ASSERT(measure_metric_node.read(state, &value));
	CU_ASSERT_EQUAL(value.unsigned_int, 1100);
	write_number("energy_uj", "none");
	CU_ASSERT_FALSE(measure_metric_node.read(state, &value));
	measure_metric_node.end(state);
}

/* All that there are can be read, of this process. */
static void read_all(const struct measure_metric_source *source)
{
	struct measure_metric_info info;
	union measure_metric_value value;
	const char *name, *why;

	for (uint32_t i = 0; (name = source->name_of(i)); i++) {
		if (source->find(name, &info, &why) != MEASURE_OK)
			continue;
		void *state = source->begin(&name, 1, getpid());
		bool is_read = source->read(state, &value);
		if (!is_read)
			fprintf(stderr, "%s:%s cannot be read\n", source->name, name);
		CU_ASSERT(is_read);
		source->end(state);
	}
	CU_ASSERT_EQUAL(source->find("no such", &info, &why), MEASURE_ERROR_NOT_FOUND);
}

static void all_are_there(void)
{
	write_number("energy_uj", "1");
	read_all(&measure_metric_proc);
	read_all(&measure_metric_node);
}

static void a_process_that_is_gone_has_none(void)
{
	static const char *const names[] = {"VmRSS", "minflt", "voluntary_ctxt_switches"};
	union measure_metric_value values[3];

	for (int i = 0; i < 3; i++) {
		void *state = measure_metric_proc.begin(&names[i], 1, 1 << 30);
		CU_ASSERT_FALSE(measure_metric_proc.read(state, values));
		measure_metric_proc.end(state);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"fields are found", fields_are_found},
		{"energy goes on", energy_goes_on},
		{"all are there", all_are_there},
		{"a process that is gone has none", a_process_that_is_gone_has_none},
		CU_TEST_INFO_NULL,
	};

	return t_suite("sampled", set_up, clear_up, tests);
}
