/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The beginning: an interpreter is about to run the program. Python says so by an audit event, or
 * the program has called Py_Initialize(), which is interposed where it is in a library. */
#include "config.h"

#include "python_start.h"

#include <errno.h>
#include <string.h>

#include "call_groups.h"
#include "python_phases.h"
#include "python_regions.h"

#define CALLER __builtin_return_address(0)
#define EXPORT __attribute__((visibility("default")))

static bool is_listening; /* our audit hook is there, until the interpreter ends */
static bool is_started;   /* in this interpreter; or tried */
static uint64_t
	forking; /* measure_python_innermost before a fork: os.fork(), and what it calls then */

__thread uint64_t measure_python_innermost __attribute__((tls_model("initial-exec")));
bool measure_python_is_in_new_child;

static const struct measure_call_group groups[] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_python.def"
#undef GROUP
};

static uint32_t python_groups(void)
{
	const struct measure_call_groups all = {groups, sizeof(groups) / sizeof(groups[0])};
	const char *text = measure_option_text("python_groups");

	return measure_groups_choose(&all, text ? text : "auto");
}

/* With the interpreter's lock. */
static void python_start(void)
{
	const int saved_errno = errno;
	const char *why;

	if (is_started || !measure_is_recording_followed())
		return;
	is_started = true;
	if (!measure_python_api_find(&why)) {
		measure_property_define("PYTHON_NOT_RECORDED", why);
	} else if (!measure_python_regions_start(python_groups())) {
		measure_property_define("PYTHON_NOT_RECORDED", "code objects have no room left");
	} else if (!measure_python.has_monitoring) {
		measure_python_profile_start();
	} else if (!measure_python_monitoring_start()) {
		measure_property_define(
			"PYTHON_NOT_RECORDED", "the program uses all tools of sys.monitoring");
	}
	errno = saved_errno;
}

/* "cpython.run_file", "..._command", "..._module", ...: the interpreter is complete, and goes on to
 * the program. */
static int python_audit(const char *event, struct python_object *arguments, void *data)
{
	(void)arguments;
	(void)data;
	if (strncmp(event, "cpython.run_", 12) == 0) {
		python_start();
		measure_python_phase_run(event);
	} else if (strcmp(event, "cpython._PySys_ClearAuditHooks") == 0) {
		is_started = is_listening = false;
	} else if (strncmp(event, "os.fork", 7) == 0) {
		forking = measure_python_innermost <= UINT32_MAX ? measure_python_innermost : 0;
	} else if (is_started && !measure_python.has_monitoring) {
		measure_python_profile_audit(event);
	}
	return 0;
}

/* ------------------------------------------------------------------- forked children --- */

void measure_python_child_begin(bool is_entry, measure_region_t returning)
{
	struct measure_python_stack stack = {.nr = 0}, none = {.nr = 0};
	measure_region_t innermost =
		returning != MEASURE_UNDEFINED ? returning : (measure_region_t)forking - 1;

	measure_python_is_in_new_child = false;
	measure_python_stack_read(&stack, is_entry);
	measure_python_stack_change(&none, &stack);
	measure_python_stack_free(&stack);
	if (innermost != MEASURE_UNDEFINED)
		measure_region_enter(innermost);
	forking = 0;
}

static void python_child_started(void)
{
	measure_python_is_in_new_child = is_started;
	measure_python_phase_fork();
}

/* -------------------------------------------------------------------------- wrappers --- */

/* As PyStatus, which is returned in memory: of a size that its callers know. */
struct python_status {
	int type;
	const char *function;
	const char *text;
	int exit_code;
};

EXPORT void Py_Initialize(void);
EXPORT void Py_InitializeEx(int with_signals);
EXPORT struct python_status Py_InitializeFromConfig(const void *config);
EXPORT int PyGILState_Ensure(void);

/* Audit hooks end with an interpreter. */
static bool is_first_call(const void *caller)
{
	if (!measure_is_recording_followed() || !measure_python_is_there(caller) ||
		measure_python.is_initialized())
		return false;
	if (!is_listening)
		is_listening = measure_python.add_audit_hook(python_audit, NULL) == 0;
	return true;
}

static void initialize_end(bool was_first)
{
	if (was_first && measure_python.is_initialized())
		python_start();
}

void Py_InitializeEx(int with_signals)
{
	void (*next)(int) = (void (*)(int))measure_python_interposed("Py_InitializeEx", CALLER);
	const bool is_first = is_first_call(CALLER);

	next(with_signals);
	initialize_end(is_first);
}

void Py_Initialize(void)
{
	void (*next)(void) = (void (*)(void))measure_python_interposed("Py_Initialize", CALLER);
	const bool is_first = is_first_call(CALLER);

	next();
	initialize_end(is_first);
}

struct python_status Py_InitializeFromConfig(const void *config)
{
	struct python_status (*next)(const void *) = (struct python_status(*)(
		const void *))measure_python_interposed("Py_InitializeFromConfig", CALLER);
	const bool is_first = is_first_call(CALLER);
	const struct python_status status = next(config);

	initialize_end(is_first);
	return status;
}

/* A thread that is not Python's calls Python: it may be its first call. */
int PyGILState_Ensure(void)
{
	static int (*next)(void);
	int state;

	if (!next)
		next = (int (*)(void))measure_python_interposed("PyGILState_Ensure", CALLER);
	state = next();
	if (is_started && !measure_python.has_monitoring)
		measure_python_profile_new_thread();
	return state;
}

/* --------------------------------------------------------------------- the adapter --- */

static void python_process_started(void)
{
	if (python_groups() & 1u << MEASURE_PYTHON_functions && measure_python_is_there(NULL))
		measure_python_phase_begin();
}

static const struct measure_adapter python_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "python",
	.started = python_process_started,
	.child_started = python_child_started,
};

__attribute__((constructor)) static void python_register(void)
{
	if (measure_adapter_register(&python_adapter) != MEASURE_OK ||
		!measure_python_is_there(NULL))
		return;
	is_listening = measure_python.add_audit_hook(python_audit, NULL) == 0;
}
