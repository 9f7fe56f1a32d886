/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording from Python 3.12 on: by sys.monitoring, for all threads, beside any profile function of
 * the program. An answer of DISABLE switches events off where they came from: a function that the
 * filter excludes costs nothing from its second call on. */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "python_phases.h"
#include "python_regions.h"
#include "python_start.h"

#define GROUP_FUNCTIONS (1u << MEASURE_PYTHON_functions)
#define GROUP_C         (1u << MEASURE_PYTHON_c | 1u << MEASURE_PYTHON_builtins)

/* None and DISABLE are immortal in these releases: they are returned without counting. */
static struct python_object *disable;

enum { ARGUMENT_CODE, ARGUMENT_OFFSET, ARGUMENT_CALLED };

/* The process does not record, or does so only from now on. */
static __attribute__((cold, noinline)) bool monitoring_is_off(
	bool is_entry, measure_region_t returning)
{
	if (!measure_gates.is_open_for_functions)
		return true;
	measure_python_child_begin(is_entry, returning);
	return false;
}

static inline bool monitoring_is_on(bool is_entry, measure_region_t returning)
{
	return __builtin_expect(
		       measure_gates.is_open_for_functions && !measure_python_is_in_new_child, 1) ||
	       !monitoring_is_off(is_entry, returning);
}

typedef struct python_object *monitoring_fn(
	struct python_object *self, struct python_object *const *arguments, intptr_t nr);

static struct python_object *monitoring_enter(
	struct python_object *self, struct python_object *const *arguments, intptr_t nr)
{
	measure_region_t region;

	(void)self;
	(void)nr;
	if (!monitoring_is_on(true, MEASURE_UNDEFINED))
		return disable;
	region = measure_python_region(arguments[ARGUMENT_CODE]);
	if (!measure_python_is_on(region))
		return disable;
	measure_region_enter(region);
	return measure_python.none;
}

static struct python_object *monitoring_leave(
	struct python_object *self, struct python_object *const *arguments, intptr_t nr)
{
	measure_region_t region;

	(void)self;
	(void)nr;
	if (!monitoring_is_on(false, MEASURE_UNDEFINED))
		return disable;
	region = measure_python_region(arguments[ARGUMENT_CODE]);
	if (!measure_python_is_on(region))
		return disable;
	measure_region_leave(region);
	if (__builtin_expect(region == measure_python_outermost, 0))
		measure_python_phase_end(measure_python.frame());
	return measure_python.none;
}

/* These two events cannot be switched off. */
static struct python_object *monitoring_throw(
	struct python_object *self, struct python_object *const *arguments, intptr_t nr)
{
	monitoring_enter(self, arguments, nr);
	return measure_python.none;
}

static struct python_object *monitoring_unwind(
	struct python_object *self, struct python_object *const *arguments, intptr_t nr)
{
	monitoring_leave(self, arguments, nr);
	return measure_python.none;
}

/* One place may call different functions: it is never switched off. */
static struct python_object *monitoring_c_enter(
	struct python_object *self, struct python_object *const *arguments, intptr_t nr)
{
	const measure_region_t region = measure_python_builtin_region(arguments[ARGUMENT_CALLED]);

	(void)self;
	(void)nr;
	if (!measure_python_is_on(region))
		return measure_python.none;
	if (!monitoring_is_on(false, MEASURE_UNDEFINED))
		return disable;
	measure_region_enter(region);
	measure_python_innermost = region + UINT64_C(1);
	return measure_python.none;
}

static struct python_object *monitoring_c_leave(
	struct python_object *self, struct python_object *const *arguments, intptr_t nr)
{
	const measure_region_t region = measure_python_builtin_region(arguments[ARGUMENT_CALLED]);

	(void)self;
	(void)nr;
	if (!measure_python_is_on(region) || !monitoring_is_on(false, region))
		return measure_python.none;
	measure_region_leave(region);
	measure_python_innermost = 0;
	return measure_python.none;
}

/* --------------------------------------------------------------------------- start --- */

static struct monitored_event {
	const char *name;
	monitoring_fn *callback;
	uint32_t groups;
	struct python_method method;
} events[] = {
#define MONITORED(name, callback, groups) {#name, callback, groups, {#name, NULL, 0, NULL}},
#include "monitored_events.def"
#undef MONITORED
};
#define NR_EVENTS (sizeof(events) / sizeof(events[0]))

#define METHOD_IS_FAST 0x80 /* METH_FASTCALL */
#define MOST_TOOLS     6

/* Numbers 0, 1, 2 and 5 are meant for debuggers, coverage, profilers and optimizers. */
static int monitoring_take_tool(struct python_object *monitoring)
{
	static const int numbers[] = {3, 4, 5, 2, 1, 0};

	for (int i = 0; i < MOST_TOOLS; i++) {
		struct python_object *taken =
			measure_python.call(monitoring, "use_tool_id", "is", numbers[i], "measure");

		measure_python.error_clear();
		measure_python.release(taken);
		if (taken)
			return numbers[i];
	}
	return -1;
}

/* The event's number; 0: it cannot be had. */
static int monitoring_register(struct python_object *monitoring, int tool,
	struct python_object *numbers, struct monitored_event *event)
{
	struct python_object *number = measure_python.attribute(numbers, event->name);
	const int value = number ? (int)measure_python.number(number) : 0;
	struct python_object *function, *before;

	measure_python.release(number);
	memcpy(&event->method.function, &event->callback, sizeof(event->callback));
	event->method.flags = METHOD_IS_FAST;
	function = measure_python.new_builtin(&event->method, NULL, NULL);
	before = function && value ? measure_python.call(monitoring, "register_callback", "iiO",
					     tool, value, function)
				   : NULL;
	measure_python.error_clear();
	measure_python.release(function);
	measure_python.release(before);
	return before ? value : 0;
}

static void monitoring_begin(struct python_object *monitoring, int tool)
{
	struct python_object *numbers = measure_python.attribute(monitoring, "events");
	int chosen = 0;

	for (size_t i = 0; numbers && i < NR_EVENTS; i++)
		if (measure_python_wants(events[i].groups))
			chosen |= monitoring_register(monitoring, tool, numbers, &events[i]);
	measure_python.release(measure_python.call(monitoring, "set_events", "ii", tool, chosen));
	measure_python.error_clear();
	measure_python.release(numbers);
}

bool measure_python_monitoring_start(void)
{
	struct python_object *monitoring = measure_python.sys_object("monitoring");
	const int tool = monitoring ? monitoring_take_tool(monitoring) : -1;

	if (tool < 0)
		return false;
	disable = measure_python.attribute(monitoring, "DISABLE");
	monitoring_begin(monitoring, tool);
	return true;
}
