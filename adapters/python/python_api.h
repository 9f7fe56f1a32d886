/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Python's C interface as this adapter uses it. It is found in the process, not linked to, because
 * Debian's interpreter has it inside; and no header of Python is needed, as one build records all
 * releases from 3.9 on. */
#ifndef MEASURE_PYTHON_API_H
#define MEASURE_PYTHON_API_H

#include <stdbool.h>
#include <stdint.h>

struct python_thread;
struct python_interpreter;

/* Of objects, only what Python's headers show in the same place in all these releases; whether it
 * is so is checked (measure_python_api_find). */
struct python_object {
	intptr_t references;
	const void *type;
};

typedef struct python_object *python_c_fn(struct python_object *, struct python_object *);
typedef int (*python_audit_fn)(const char *event, struct python_object *arguments, void *data);
typedef int (*python_profile_fn)(struct python_object *data, struct python_object *frame, int what,
	struct python_object *argument);

struct python_method { /* PyMethodDef */
	const char *name;
	void *function;
	int flags;
	const char *text;
};

struct python_builtin { /* PyCFunctionObject */
	struct python_object head;
	const struct python_method *method;
};

struct python_method_descriptor { /* PyMethodDescrObject */
	struct python_object head;
	void *class;
	void *name;
	void *qualified_name;
	const struct python_method *method;
};

#pragma GCC visibility push(hidden)
extern struct measure_python {
#define FUNCTION(since, result, name, parameters, symbol, older) result(*name) parameters;
#include "python_api.def"
#undef FUNCTION
	struct python_object *none;
	/* The types of functions of C, and of methods of C that are not bound to an object. */
	const void *type_builtin, *type_builtin_of_class, *type_method;
	const void *type_module, *type_type;
	bool has_monitoring; /* the interface of Python 3.12 */
} measure_python;

/* Before an interpreter starts: is there one in this process? `caller`: an address in an object
 * that calls it, where it may be in a library that was opened later; or NULL. */
bool measure_python_is_there(const void *caller);

/* The interpreter's function of a name that we interpose. */
void *measure_python_interposed(const char *name, const void *caller);

/* In an interpreter that runs: finds everything. False: `why` it cannot be recorded. */
bool measure_python_api_find(const char **why);
#pragma GCC visibility pop

#endif
