/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording below Python 3.12: by the profile function that each thread of the interpreter may
 * have. The program may set one of its own (sys.setprofile, cProfile): then functions of that
 * thread are not recorded until it takes it away. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "pages.h"
#include "python_phases.h"
#include "python_regions.h"
#include "python_start.h"

enum profile_event { /* PyTrace_... */
	PROFILE_CALL = 0,
	PROFILE_RETURN = 3,
	PROFILE_C_CALL,
	PROFILE_C_EXCEPTION,
	PROFILE_C_RETURN
};

/* Where this is set in measure_python_innermost, the program has a profile function of its own in
 * this thread, and the rest is the address of the functions that were open then. */
#define PROFILE_PAUSED (UINT64_C(1) << 63)

static uint64_t newest;    /* number of the last thread that has our function */
static bool is_ours;       /* the event that is audited */
static void *makes_thread; /* what _thread.start_new_thread calls */

static int profile(struct python_object *, struct python_object *, int, struct python_object *);

static void profile_set(python_profile_fn function)
{
	is_ours = true;
	measure_python.set_profile(function, NULL);
	is_ours = false;
}

/* --------------------------------------------------------------------------- events --- */

static inline void profile_function(struct python_object *frame, bool is_entry)
{
	struct python_object *code = measure_python.frame_code(frame);
	const measure_region_t region = measure_python_region(code);

	measure_python.release(code);
	if (!measure_python_is_on(region))
		return;
	if (is_entry) {
		measure_region_enter(region);
	} else {
		measure_region_leave(region);
		if (__builtin_expect(region == measure_python_outermost, 0))
			measure_python_phase_end(frame);
	}
}

static inline void profile_builtin(struct python_object *function, bool is_entry)
{
	const measure_region_t region = measure_python_builtin_region(function);

	if (!measure_python_is_on(region))
		return;
	if (is_entry)
		measure_region_enter(region);
	else
		measure_region_leave(region);
	measure_python_innermost = is_entry ? region + UINT64_C(1) : 0;
}

/* Gives our function to all threads that came after the last one that has it. One that has just
 * been made waits for the interpreter's lock. */
static void profile_threads(void)
{
	uint64_t latest = newest;

	is_ours = true;
	for (struct python_thread *thread =
			measure_python.first_thread(measure_python.interpreter());
		thread; thread = measure_python.next_thread(thread)) {
		const uint64_t number = measure_python.thread_id(thread);

		if (number > newest)
			measure_python.set_profile_of(thread, profile, NULL);
		if (number > latest)
			latest = number;
	}
	is_ours = false;
	newest = latest;
}

/* The process does not record, or does so only from now on. */
static __attribute__((cold, noinline)) bool profile_is_off(int what, struct python_object *argument)
{
	if (!measure_gates.is_open_for_functions) {
		profile_set(NULL);
		return true;
	}
	measure_python_child_begin(
		what == PROFILE_CALL, what == PROFILE_C_RETURN || what == PROFILE_C_EXCEPTION
					      ? measure_python_builtin_region(argument)
					      : MEASURE_UNDEFINED);
	return false;
}

static int profile(struct python_object *data, struct python_object *frame, int what,
	struct python_object *argument)
{
	(void)data;
	if (__builtin_expect(
		    !measure_gates.is_open_for_functions || measure_python_is_in_new_child, 0) &&
		profile_is_off(what, argument))
		return 0;
	switch (what) {
	case PROFILE_CALL:
		profile_function(frame, true);
		break;
	case PROFILE_RETURN:
		profile_function(frame, false);
		break;
	case PROFILE_C_CALL:
		profile_builtin(argument, true);
		break;
	case PROFILE_C_RETURN:
	case PROFILE_C_EXCEPTION:
		if (__builtin_expect(measure_python_method(argument)->function == makes_thread, 0))
			profile_threads();
		profile_builtin(argument, false);
		break;
	}
	return 0;
}

/* ------------------------------------------------ profile functions of the program --- */

static bool profile_is_paused(void)
{
	return measure_python_innermost & PROFILE_PAUSED && measure_gates.is_open_for_functions;
}

/* What was open then. */
static struct measure_python_stack *profile_before(void)
{
	return (struct measure_python_stack *)(uintptr_t)(measure_python_innermost &
							  ~PROFILE_PAUSED);
}

/* Before the program sets or takes away one. What is open stays so. */
static void profile_pause(void)
{
	struct measure_python_stack *stack = profile_before();

	if (profile_is_paused()) {
		if (stack)
			stack->innermost = measure_python.frame();
		return;
	}
	stack = measure_pages_get(sizeof(*stack));
	if (measure_python_innermost != 0)
		measure_region_leave((measure_region_t)measure_python_innermost - 1);
	if (stack)
		measure_python_stack_read(stack, false);
	measure_python_innermost = PROFILE_PAUSED | (uintptr_t)stack;
}

/* Until now functions may have returned and others been called. */
static void profile_catch_up(void)
{
	struct measure_python_stack none = {.nr = 0}, now = none, *before = profile_before();

	measure_python_innermost = 0;
	measure_python_is_in_new_child = false;
	measure_python_stack_read(&now, false);
	measure_python_stack_change(before ? before : &none, &now);
	measure_python_stack_free(&now);
	if (before)
		measure_python_stack_free(before);
	measure_pages_return(before, sizeof(*before));
}

static bool program_has_profile(void)
{
	struct python_object *sys_getprofile = measure_python.sys_object("getprofile");
	struct python_object *found =
		sys_getprofile ? measure_python.call(sys_getprofile, "__call__", NULL) : NULL;
	const bool has = found != measure_python.none;

	measure_python.error_clear();
	measure_python.release(found);
	return has;
}

/* False: an audit hook of the program is running, before the profile function changes. */
static bool profile_resume(void)
{
	const int saved_errno = errno;
	const struct measure_python_stack *before = profile_before();
	const bool is_too_early = before && measure_python_stack_is_deeper(before);

	if (!is_too_early && !program_has_profile()) {
		profile_set(profile);
		profile_catch_up();
	}
	errno = saved_errno;
	return !is_too_early;
}

static int profile_resume_later(void *data)
{
	(void)data;
	if (profile_is_paused() && !profile_resume())
		measure_python.call_later(profile_resume_later, NULL);
	return 0;
}

/* The main thread goes on recording in a moment, another one at its next event. */
void measure_python_profile_audit(const char *event)
{
	if (is_ours)
		return;
	if (strcmp(event, "sys.setprofile") == 0) {
		profile_pause();
		measure_python.call_later(profile_resume_later, NULL);
		return;
	}
	if (__builtin_expect(profile_is_paused(), 0))
		profile_resume();
}

/* -------------------------------------------------------------------------- threads --- */

void measure_python_profile_new_thread(void)
{
	if (measure_gates.is_open_for_functions &&
		measure_python.thread_id(measure_python.this_thread()) > newest)
		profile_threads();
}

/* Of a module that is always there. */
static void find_makes_thread(void)
{
	struct python_object *modules = measure_python.sys_object("modules");
	struct python_object *module =
		modules ? measure_python.dict_item(modules, "_thread") : NULL;
	struct python_object *function =
		module ? measure_python.attribute(module, "start_new_thread") : NULL;

	if (function && function->type == measure_python.type_builtin)
		makes_thread = measure_python_method(function)->function;
	measure_python.error_clear();
	measure_python.release(function);
}

void measure_python_profile_start(void)
{
	find_makes_thread();
	newest = 0;
	profile_threads();
}
