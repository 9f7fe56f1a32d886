/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For adapters that are the tool of a library, which loads the file that an environment variable
 * names: getenv() says the adapter's own file where the variable is not set. The environment stays
 * as it is, so that neither the program nor what it starts sees any of this. */
#ifndef MEASURE_COMMON_TOOL_VARIABLE_H
#define MEASURE_COMMON_TOOL_VARIABLE_H

#include <stdbool.h>

#include "adapter.h"

struct measure_tool_variable {
	const char *name;
	bool (*is_for_us)(const void *caller); /* NULL: always; `caller`: code that asks */
};

/* What the adapter has: its variables, up to a NULL, and itself. */
extern const struct measure_tool_variable measure_tool_variables[];
extern const struct measure_adapter measure_tool_adapter;

/* This process records. A library may ask before our constructor: starts recording then. */
bool measure_tool_is_on(void);

/* Whether the text is among the constants of the object, program or library, that the code at
 * `address` belongs to. Takes the lock of the loader. */
bool measure_object_mentions(const void *address, const char *text);

/* Whether an argument of this process contains the text. */
bool measure_arguments_mention(const char *text);

#endif
