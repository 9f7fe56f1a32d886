/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Costs of events: what is written is read as it was, what is wrong is refused as a whole, between
 * two rates costs are linear in the logarithm, and files are where they belong. */
#include "config.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "costs/event_costs.h"
#include "t_suite.h"

static char directory[] = "/tmp/event-costs-XXXXXX";

static struct measure_event_costs costs, again;
static char error[MEASURE_EVENT_COSTS_ERROR];

static int set_up(void)
{
	return mkdtemp(directory) && setenv("XDG_CACHE_HOME", directory, 1) == 0 ? 0 : 1;
}

static int clear_up(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

/* Numbers between 0 and the most, of any length. */
static double number(double most)
{
	const double value = most * (double)random() / RAND_MAX;

	return random() % 2 ? value : (double)(long)value;
}

static void make_costs(void)
{
	memset(&costs, 0, sizeof(costs));
	strcpy(costs.processor, "A Processor (R) @ 2.10GHz");
	costs.reference = 12.25;
	for (unsigned i = 0; i < MEASURE_NR_EVENT_COSTS; i++)
		for (unsigned k = 0; k < MEASURE_NR_WORKING_SETS; k++) {
			struct measure_event_cost_curve *curve = &costs.curves[i][k];
			double rate = 0;
			curve->nr =
				(i * MEASURE_NR_WORKING_SETS + k) % (MEASURE_EVENT_COST_POINTS + 1);
			for (unsigned j = 0; j < curve->nr; j++) {
				const double low = number(100);
				rate += 1 + number(1e7);
				curve->points[j] = (struct measure_event_cost_point){
					rate, number(10), number(1e3), low, low + number(1e4)};
			}
		}
}

static bool is_same(const struct measure_event_costs *a, const struct measure_event_costs *b)
{
	for (unsigned i = 0; i < MEASURE_NR_EVENT_COSTS; i++)
		for (unsigned k = 0; k < MEASURE_NR_WORKING_SETS; k++) {
			const struct measure_event_cost_curve *x = &a->curves[i][k],
							      *y = &b->curves[i][k];
			if (x->nr != y->nr ||
				memcmp(x->points, y->points, x->nr * sizeof(*x->points)) != 0)
				return false;
		}
	return strcmp(a->processor, b->processor) == 0 && a->reference == b->reference;
}

static void store(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fputs(text, file);
	CU_ASSERT_EQUAL(fclose(file), 0);
}

/* ------------------------------------------------------------------------------ tests --- */

static void test_written_is_read(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/a/b/table", directory);
	for (unsigned seed = 0; seed < 50; seed++) {
		srandom(seed);
		make_costs();
		CU_ASSERT_EQUAL(measure_event_costs_write_file(path, &costs, error), MEASURE_OK);
		CU_ASSERT_EQUAL(measure_event_costs_read_file(path, &again, error), MEASURE_OK);
		CU_ASSERT(is_same(&costs, &again));
	}
}

static void test_refused(void)
{
	static const struct {
		const char *name, *value;
	} wrong[] = {
		{"FUNCTION_ENTER", "1:2:3:4:5"},
		{"FUNCTION_ENTER::l3", "1:2:3:4:5"},
		{"FUNCTION::l1", "1:2:3:4:5"},
		{"FUNCTION_ENTER:l1", "1:2:3:4:5"},
		{"MESSAGE::l1", ""},
		{"MESSAGE::l1", "1:2:3:4"},
		{"MESSAGE::l1", "1:2:3:4:5:6"},
		{"MESSAGE::l1", "1:2:3:4:5,"},
		{"MESSAGE::l1", "1:2:3:5:4"},
		{"MESSAGE::l1", "0:2:3:4:5"},
		{"MESSAGE::l1", "1:-2:3:4:5"},
		{"MESSAGE::l1", "1:nan:3:4:5"},
		{"MESSAGE::l1", "1:2:inf:4:5"},
		{"MESSAGE::l1", "1:2:1e300:4:5"},
		{"MESSAGE::l1", "2:2:3:4:5 1:2:3:4:5"},
		{"MESSAGE::l1", "2:2:3:4:5 2:2:3:4:5"},
		{"MESSAGE::l1", "1:2:3: 4:5"},
		{"REFERENCE", ""},
		{"REFERENCE", "-1"},
		{"REFERENCE", "1:2"},
		{"REFERENCE", "1 2"},
		{"MESSAGE::l1", "1:1:1:1:1 2:1:1:1:1 3:1:1:1:1 4:1:1:1:1 5:1:1:1:1 6:1:1:1:1 "
				"7:1:1:1:1 8:1:1:1:1 9:1:1:1:1 10:1:1:1:1 11:1:1:1:1 12:1:1:1:1 "
				"13:1:1:1:1 14:1:1:1:1 15:1:1:1:1 16:1:1:1:1 17:1:1:1:1"},
	};

	srandom(1);
	make_costs();
	again = costs;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		CU_ASSERT_FALSE(
			measure_event_costs_parse_line(&again, wrong[i].name, wrong[i].value));
		CU_ASSERT(is_same(&costs, &again));
	}
	CU_ASSERT(measure_event_costs_parse_line(
		&again, "MESSAGE::l1", "1:2:3:4:5 10000000:0:.5:0:0.5"));
	const struct measure_event_cost_curve *curve =
		&again.curves[MEASURE_EVENT_COST_MESSAGE][MEASURE_WORKING_SET_L1];
	CU_ASSERT_EQUAL(curve->nr, 2);
	CU_ASSERT_EQUAL(curve->points[1].rate, 1e7);
	CU_ASSERT_EQUAL(curve->points[1].after, 0.5);
}

static void test_files_refused(void)
{
	static const char *const wrong[] = {
		"",
		"# nothing\n",
		"MESSAGE::l1 1:2:3:4:5\n",
		"processor \nMESSAGE::l1 1:2:3:4:5\n",
		"processor x\nMESSAGE::l1 1:2:3:4:5\nMESSAGE::l2 1:2:3:\n",
		"processor x\nMESSAGE::l1\n",
		("\x7f"
		 "ELF\n"),
	};
	char path[64];

	snprintf(path, sizeof(path), "%s/wrong", directory);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		store(path, wrong[i]);
		CU_ASSERT_EQUAL(
			measure_event_costs_read_file(path, &costs, error), MEASURE_ERROR_FORMAT);
		CU_ASSERT(*error && !strchr(error, '\n'));
		CU_ASSERT_EQUAL(costs.processor[0], '\0');
		CU_ASSERT_EQUAL(
			costs.curves[MEASURE_EVENT_COST_MESSAGE][MEASURE_WORKING_SET_L1].nr, 0);
	}
	store(path, "# by hand\n\nprocessor x\nMESSAGE::l1 1:2:3:4:5");
	CU_ASSERT_EQUAL(measure_event_costs_read_file(path, &costs, error), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_event_costs_read_file(directory, &costs, error), MEASURE_ERROR_IO);
	unlink(path);
	CU_ASSERT_EQUAL(
		measure_event_costs_read_file(path, &costs, error), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	CU_ASSERT_EQUAL(measure_event_costs_read_file(path, &costs, error), MEASURE_ERROR_IO);
	unlink(path);
}

static void test_between_rates(void)
{
	const struct measure_event_cost_curve none = {.nr = 0};
	const struct measure_event_cost_curve curve = {
		{{1e4, 4, 40, 30, 60}, {1e6, 2, 20, 10, 30}, {1e7, 2, 10, 9, 14}}, 3};

	CU_ASSERT_EQUAL(measure_event_cost_at(&none, 1e6).after, 0);
	CU_ASSERT_EQUAL(measure_event_cost_at(&curve, 0).after, 40);
	CU_ASSERT_EQUAL(measure_event_cost_at(&curve, 1e3).after, 40);
	CU_ASSERT_EQUAL(measure_event_cost_at(&curve, 1e9).after, 10);
	CU_ASSERT_EQUAL(measure_event_cost_at(&curve, 1e6).before, 2);
	CU_ASSERT_DOUBLE_EQUAL(measure_event_cost_at(&curve, 1e5).before, 3, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(measure_event_cost_at(&curve, 1e5).after, 30, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(measure_event_cost_at(&curve, 1e5).low, 20, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(measure_event_cost_at(&curve, 1e5).high, 45, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(measure_event_cost_at(&curve, 3162277.66016838).after, 15, 1e-9);
}

static void test_scale(void)
{
	const struct measure_event_cost_curve *curve =
		&again.curves[MEASURE_EVENT_COST_MESSAGE][MEASURE_WORKING_SET_L1];

	memset(&again, 0, sizeof(again));
	CU_ASSERT(measure_event_costs_parse_line(&again, "reference", "10.5"));
	CU_ASSERT(measure_event_costs_parse_line(&again, "MESSAGE::l1", "1:2:3:4:5 2:1:1:1:1"));
	measure_event_costs_scale(&again, 1.5);
	CU_ASSERT_EQUAL(again.reference, 10.5);
	CU_ASSERT_EQUAL(curve->points[0].rate, 1);
	CU_ASSERT_EQUAL(curve->points[0].before, 3);
	CU_ASSERT_EQUAL(curve->points[0].after, 4.5);
	CU_ASSERT_EQUAL(curve->points[0].low, 6);
	CU_ASSERT_EQUAL(curve->points[0].high, 7.5);
	CU_ASSERT_EQUAL(curve->points[1].after, 1.5);
}

static void test_names(void)
{
	char name[MEASURE_EVENT_COST_NAME];

	for (unsigned i = 0; i < MEASURE_NR_EVENT_COSTS; i++)
		for (unsigned k = 0; k < MEASURE_NR_WORKING_SETS; k++) {
			memset(&costs, 0, sizeof(costs));
			measure_event_cost_name(name, i, k);
			CU_ASSERT(measure_event_costs_parse_line(&costs, name, "1:2:3:4:5"));
			CU_ASSERT_EQUAL(costs.curves[i][k].nr, 1);
			for (char *c = name; *c; c++)
				*c = (char)toupper(*c);
			CU_ASSERT(measure_event_costs_parse_line(
				&costs, name, "1:2:3:4:5 2:2:3:4:5"));
			CU_ASSERT_EQUAL(costs.curves[i][k].nr, 2);
		}
	measure_event_cost_name(name, MEASURE_EVENT_COST_FUNCTION_ENTER, MEASURE_WORKING_SET_L1);
	CU_ASSERT_STRING_EQUAL(name, "FUNCTION_ENTER::l1");
}

static void test_usual_path(void)
{
	char to_write[PATH_MAX], path[PATH_MAX], model[256];

	measure_event_costs_processor(model);
	CU_ASSERT(*model && !strchr(model, '\n'));
	setenv("MEASURE_EVENT_COSTS", "/a/table", 1);
	CU_ASSERT(measure_event_costs_usual_path(path, false));
	CU_ASSERT_STRING_EQUAL(path, "/a/table");
	unsetenv("MEASURE_EVENT_COSTS");
	CU_ASSERT(measure_event_costs_usual_path(to_write, true));
	CU_ASSERT_EQUAL(strncmp(to_write, directory, strlen(directory)), 0);
	CU_ASSERT(!strchr(to_write, ' '));
	make_costs();
	CU_ASSERT_EQUAL(measure_event_costs_write_file(to_write, &costs, error), MEASURE_OK);
	CU_ASSERT(measure_event_costs_usual_path(path, false));
	CU_ASSERT_STRING_EQUAL(path, to_write);
	unlink(to_write);
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", directory, 1);
	CU_ASSERT(measure_event_costs_usual_path(to_write, true));
	CU_ASSERT_PTR_NOT_NULL(strstr(to_write, "/.cache/measure/event-costs/"));
	unsetenv("HOME");
	CU_ASSERT_FALSE(measure_event_costs_usual_path(to_write, true));
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"what is written is read as it was", test_written_is_read},
		{"wrong curves are refused, and change nothing", test_refused},
		{"wrong files are refused as a whole", test_files_refused},
		{"costs between two rates", test_between_rates},
		{"costs so many times as high", test_scale},
		{"names of curves", test_names},
		{"where the table of this node is", test_usual_path},
		CU_TEST_INFO_NULL,
	};

	return t_suite("event costs", set_up, clear_up, tests);
}
