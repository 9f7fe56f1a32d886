/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is recorded of a function: the values of its calls, and what its annotations say. */
#ifndef MEASURE_WRAP_VALUES_H
#define MEASURE_WRAP_VALUES_H

#include "wrap_model.h"

struct wrap_value {
	char *name;
	enum wrap_class class; /* WRAP_POINTER is a number */
	int enumeration;
	char *expression; /* in C, of the parameters and `result` */
};
typedef MEASURE_ARRAY(struct wrap_value) wrap_values_t;

/* A value that is not of a region: @event, @push, @pop, @set, @add, @sub. */
struct wrap_step {
	const char *name;
	char *text; /* of its region or variable, as a C string; NULL: it has none */
	char *expression;
	bool is_after; /* the function has been called */
};

struct wrap_plan {
	const struct wrap_function *function;
	const char *result; /* what the variable is called that has it */
	wrap_values_t before, after;
	MEASURE_ARRAY(struct wrap_step) steps;
	bool has_region;
	char *condition;             /* of @if, or NULL */
	unsigned long one_in, depth; /* 0: not asked for */
	unsigned int role;
	char *group; /* or NULL */
};

/* False: an annotation is wrong, which is said. */
bool wrap_plan_make(struct wrap_plan *plan, const struct wrap_function *function);

#endif
