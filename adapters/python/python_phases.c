/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interpreter before and after the program; see python_phases.h. Nothing says that it begins to
 * end, but what it has called to run the program returns just then. */
#include "config.h"

#include "python_phases.h"

#include <string.h>
#include <unistd.h>

#include "python_regions.h"

measure_region_t measure_python_outermost = MEASURE_UNDEFINED;

static struct python_phase {
	const char *name;
	measure_region_t region;
	bool is_open;
} initialize = {.name = "Py_Initialize", .region = MEASURE_UNDEFINED},
  finalize = {.name = "Py_Finalize", .region = MEASURE_UNDEFINED};

/* The function that is called after this audit event. Others (run_stdin, run_startup, ...) may come
 * many times. */
static const struct python_way {
	const char *event, *function;
} ways[] = {{"cpython.run_file", "__main__.<module>"}, {"cpython.run_command", "__main__.<module>"},
	{"cpython.run_module", "runpy._run_module_as_main"}};
static const char *awaited; /* the name of the outermost function, which has not been seen yet */

static void phase_enter(struct python_phase *phase)
{
	if (!measure_python_is_on(phase->region))
		return;
	measure_region_enter(phase->region);
	phase->is_open = true;
}

static void phase_leave(struct python_phase *phase)
{
	if (phase->is_open)
		measure_region_leave(phase->region);
	phase->is_open = false;
}

/* python3, python3.12, ...: not a program that has Python inside. */
static bool is_interpreter(void)
{
	static const char stem[] = "python";
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	const char *slash = strrchr(path, '/');
	return slash && strncmp(slash + 1, stem, sizeof(stem) - 1) == 0;
}

void measure_python_phase_begin(void)
{
	if (!is_interpreter())
		return;
	initialize.region = measure_python_region_of_name(initialize.name, NULL, 0);
	finalize.region = measure_python_region_of_name(finalize.name, NULL, 0);
	phase_enter(&initialize);
}

void measure_python_phase_run(const char *event)
{
	phase_leave(&initialize);
	phase_leave(&finalize);
	measure_python_outermost = MEASURE_UNDEFINED;
	awaited = NULL;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (measure_python_is_on(finalize.region) && strcmp(event, ways[i].event) == 0)
			awaited = ways[i].function;
}

void measure_python_phase_look_at(const char *name, measure_region_t region)
{
	if (!awaited || strcmp(name, awaited) != 0)
		return;
	awaited = NULL;
	measure_python_outermost = region;
}

void measure_python_phase_end(struct python_object *frame)
{
	struct python_object *caller = frame ? measure_python.frame_back(frame) : NULL;

	measure_python.release(caller);
	if (!caller && !finalize.is_open)
		phase_enter(&finalize);
}

void measure_python_phase_fork(void)
{
	initialize.is_open = finalize.is_open = false;
}
