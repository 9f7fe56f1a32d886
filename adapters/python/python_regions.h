/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of functions. All calls are made with the interpreter's lock, which therefore protects
 * the tables. */
#ifndef MEASURE_PYTHON_REGIONS_H
#define MEASURE_PYTHON_REGIONS_H

#include "adapter.h"
#include "python_api.h"

enum measure_python_group {
#define GROUP(name, when) MEASURE_PYTHON_##name,
#include "groups_python.def"
#undef GROUP
};

#pragma GCC visibility push(hidden)
extern intptr_t measure_python_extra; /* the place for us in code objects */

/* For an interpreter that has just started. False: it has no room in its code objects. */
bool measure_python_regions_start(uint32_t groups);

/* Does the option name any of these groups? */
bool measure_python_wants(uint32_t groups);

/* By its name, file and line: functions that are made again and again have one. `file` may be NULL.
 */
measure_region_t measure_python_region_of_name(const char *name, const char *file, uint32_t line);

/* On first sight. `frame`: one that executes the code, or NULL: the current one. */
measure_region_t measure_python_region_define(
	struct python_object *code, struct python_object *frame);

/* A function of C that is called; MEASURE_UNDEFINED: it is none, or not to be recorded. */
measure_region_t measure_python_builtin_region(const struct python_object *callable);

/* The functions of Python that a thread is in, the innermost one first; all zero: none. */
struct measure_python_stack {
	const void *innermost; /* its frame, of which only the address counts */
	void *regions;         /* measure_region_t each */
	uint32_t nr;
	uint32_t room;
};

/* Those that the calling thread is in now, but for the innermost one if that is left out. */
void measure_python_stack_read(struct measure_python_stack *stack, bool is_innermost_left_out);
void measure_python_stack_free(struct measure_python_stack *stack);

/* Is the calling thread in functions that the innermost one of this stack has called? */
bool measure_python_stack_is_deeper(const struct measure_python_stack *stack);

/* Leaves those of `from` that are not in `to`, and enters the others of `to`. */
void measure_python_stack_change(
	const struct measure_python_stack *from, const struct measure_python_stack *to);
#pragma GCC visibility pop

/* What a code object has for us is the region's number and 1. It goes with the code object, so that
 * nothing has to be kept alive, and no address can be mistaken for that of an earlier one. */
static inline measure_region_t measure_python_region(struct python_object *code)
{
	void *found = NULL;

	measure_python.extra_get(code, measure_python_extra, &found);
	if (__builtin_expect(!found, 0))
		return measure_python_region_define(code, NULL);
	return (measure_region_t)((uintptr_t)found - 1);
}

/* What defines the function, and lives as long as it; NULL: it is none. */
static inline const struct python_method *measure_python_method(
	const struct python_object *callable)
{
	if (callable->type == measure_python.type_builtin ||
		callable->type == measure_python.type_builtin_of_class)
		return ((const struct python_builtin *)callable)->method;
	if (callable->type == measure_python.type_method)
		return ((const struct python_method_descriptor *)callable)->method;
	return NULL;
}

/* Is anything recorded of its calls? */
static inline bool measure_python_is_on(measure_region_t region)
{
	return __builtin_expect(!(region & MEASURE_REGION_OFF), 1);
}

#endif
