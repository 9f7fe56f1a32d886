/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds Python's C interface; see python_api.h. */
#include "config.h"

#include "python_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct measure_python measure_python;

enum api_since { API_ALL, API_PROFILE, API_MONITORING };

static const struct api_function {
	enum api_since since;
	size_t offset; /* of its pointer in struct measure_python */
	const char *symbol;
	const char *older;
} functions[] = {
#define FUNCTION(since, result, name, parameters, symbol, older)                                   \
	{API_##since, offsetof(struct measure_python, name), symbol, older},
#include "python_api.def"
#undef FUNCTION
};
#define NR_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/* Where to look: among all objects, or in one that was opened later and what that needs. */
static void *api_objects = RTLD_DEFAULT;

static void api_look_from(const void *caller)
{
	Dl_info info;

	if (caller && dladdr(caller, &info))
		api_objects = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

void *measure_python_interposed(const char *name, const void *caller)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (found)
		return found;
	api_look_from(caller);
	return dlsym(api_objects, name);
}

/* By memcpy: ISO C has no cast from object to function pointer. */
static bool api_find_function(const struct api_function *function)
{
	void *address = dlsym(api_objects, function->symbol);

	if (!address && function->older)
		address = dlsym(api_objects, function->older);
	memcpy((char *)&measure_python + function->offset, &address, sizeof(address));
	return address != NULL;
}

static bool api_find_functions(enum api_since since)
{
	bool is_complete = true;

	for (size_t i = 0; i < NR_FUNCTIONS; i++)
		if (functions[i].since == since && !api_find_function(&functions[i]))
			is_complete = false;
	return is_complete;
}

bool measure_python_is_there(const void *caller)
{
	const int saved_errno = errno;

	if (!api_find_functions(API_ALL) && caller) {
		api_look_from(caller);
		api_find_functions(API_ALL);
	}
	errno = saved_errno;
	return measure_python.add_audit_hook && measure_python.is_initialized;
}

static bool api_find_objects(void)
{
	measure_python.none = dlsym(api_objects, "_Py_NoneStruct");
	measure_python.type_builtin = dlsym(api_objects, "PyCFunction_Type");
	measure_python.type_builtin_of_class = dlsym(api_objects, "PyCMethod_Type");
	measure_python.type_method = dlsym(api_objects, "PyMethodDescr_Type");
	measure_python.type_module = dlsym(api_objects, "PyModule_Type");
	measure_python.type_type = dlsym(api_objects, "PyType_Type");
	return measure_python.none && measure_python.type_builtin &&
	       measure_python.type_builtin_of_class && measure_python.type_method &&
	       measure_python.type_module && measure_python.type_type;
}

/* Objects lie in memory as declared here: sys.getprofile is such a function, and str.join, which
 * any text has, such a method. */
static bool api_has_layout(void)
{
	struct python_object *function = measure_python.sys_object("getprofile");
	struct python_object *version = measure_python.sys_object("version");
	struct python_object *type =
		version ? measure_python.attribute(version, "__class__") : NULL;
	struct python_object *method = type ? measure_python.attribute(type, "join") : NULL;
	bool is_right = function && method && function->type == measure_python.type_builtin &&
			method->type == measure_python.type_method;

	if (is_right) {
		const struct python_method *of_function =
			((struct python_builtin *)function)->method;
		const struct python_method *of_method =
			((struct python_method_descriptor *)method)->method;
		python_c_fn *address = measure_python.builtin_function(function);

		is_right = memcmp(&of_function->function, &address, sizeof(address)) == 0 &&
			   strcmp(of_function->name, "getprofile") == 0 &&
			   strcmp(of_method->name, "join") == 0;
	}
	measure_python.error_clear();
	measure_python.release(method);
	measure_python.release(type);
	return is_right;
}

/* Without the lock of all threads other rules hold for everything here. */
static bool api_has_lock(void)
{
	struct python_object *flags = measure_python.sys_object("abiflags");
	const char *text = flags ? measure_python.text(flags) : NULL;

	return !text || !strchr(text, 't');
}

bool measure_python_api_find(const char **why)
{
	int minor = 0;

	*why = "functions are recorded from Python 3.9 on";
	if (!api_find_functions(API_ALL) || !api_find_objects())
		return false;
	if (strncmp(measure_python.get_version(), "3.", 2) == 0)
		minor = atoi(measure_python.get_version() + 2);
	if (minor < 9)
		return false;
	measure_python.has_monitoring = minor >= 12;
	if (!api_find_functions(measure_python.has_monitoring ? API_MONITORING : API_PROFILE))
		return false;
	*why = "functions of an interpreter without global lock are not recorded";
	if (!api_has_lock())
		return false;
	*why = "the interpreter's objects are of another layout";
	return api_has_layout();
}
