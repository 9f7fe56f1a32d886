/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the run-time library finds this tool, and the adapter itself. */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ompt_construct.h"
#include "../common/task_facts.h"
#include "ompt_library.h"
#include "ompt_thread.h"

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
	unsigned version, const char *runtime);

/* ------------------------------------------------------------------------- the tool --- */

static void callbacks_set(ompt_set_callback_t set)
{
#define CALLBACK(event, type, parameters)                                                          \
	{                                                                                          \
		ompt_callback_##type##_t function = measure_ompt_##event;                          \
		set(ompt_callback_##event, (ompt_callback_t)function);                             \
	}
#include "ompt_callbacks.def"
#undef CALLBACK
}

/* LLVM's library, where it tells of the end of a critical construct, reads through the thread that
 * used it first: it crashes once that one is gone, as any but the process's first thread may be.
 * Then mutual exclusion is not recorded at all, as its regions would never end. */
static void callbacks_spare(ompt_set_callback_t set)
{
	if (gettid() == getpid())
		return;
	set(ompt_callback_mutex_acquire, NULL);
	set(ompt_callback_mutex_acquired, NULL);
	set(ompt_callback_mutex_released, NULL);
	set(ompt_callback_nest_lock, NULL);
	measure_property_define("OPENMP_NOT_RECORDED",
		"mutual exclusion, as the library crashes where another thread than the "
		"process's first one uses it first");
}

static int tool_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)tool_data;
	if (!set)
		return 0;
	measure_ompt_library_note(set);
	measure_ompt_mutex_start();
	measure_task_facts_define();
	callbacks_set(set);
	measure_ompt_target_start(set);
	callbacks_spare(set);
	return 1;
}

/* Recording goes on to the end of the process: there is nothing to finish. */
static void tool_finalize(ompt_data_t *tool_data)
{
	(void)tool_data;
}

/* A tool that the program has itself: it would not be called any more. */
static ompt_start_tool_result_t *other_tool(unsigned version, const char *runtime)
{
	ompt_start_tool_result_t *(*start)(unsigned, const char *);
	void *next = dlsym(RTLD_NEXT, "ompt_start_tool");

	if (!next)
		return NULL;
	memcpy(&start, &next, sizeof(next));
	return start(version, runtime);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t ours = {tool_initialize, tool_finalize, {0}};
	int saved_errno = errno;
	ompt_start_tool_result_t *other = other_tool(version, runtime);

	/* starts the recording where nothing has done so yet */
	if (measure_location_index() == MEASURE_UNDEFINED) {
		errno = saved_errno;
		return other;
	}
	measure_ompt_library_describe(__builtin_return_address(0));
	measure_property_define("OPENMP_RUNTIME", runtime);
	if (other)
		measure_property_define("OPENMP_NOT_RECORDED", "the program has a tool of its own");
	errno = saved_errno;
	return other ? other : &ours;
}

/* --------------------------------------------------------------------- the adapter --- */

static void ompt_started(void)
{
	int saved_errno = errno;

	measure_ompt_library_is_linked();
	errno = saved_errno;
}

static const struct measure_adapter measure_ompt_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "ompt",
	.started = ompt_started,
};

__attribute__((constructor)) static void ompt_init(void)
{
	measure_adapter_register(&measure_ompt_adapter);
}
