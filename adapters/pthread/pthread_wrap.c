/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interposed functions, expanded from pthread_calls.def, and the adapter itself. */
#include "config.h"

#include <otf2/OTF2_GeneralDefinitions.h>

#include "adapter.h"
#include "pthread_calls.h"
#include "pthread_real.h"
#include "pthread_thread.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/* A call and, if `enter` says that it is recorded, what `leave` writes after it. */
#define RECORDED(name, parameters, arguments, enter, leave)                                        \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		const bool is_recorded = enter;                                                    \
		const int result = REAL(name) arguments;                                           \
                                                                                                   \
		if (is_recorded)                                                                   \
			leave;                                                                     \
		return result;                                                                     \
	}
#define PLAIN(name, group, role, parameters, arguments)                                            \
	RECORDED(name, parameters, arguments, measure_plain_enter(CALL_##name, CALLER),            \
		measure_plain_leave(CALL_##name))
#define POINT(name, group, role, parameters, arguments)                                            \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		static const enum measure_pthread_call call = CALL_##name;                         \
		int result;                                                                        \
                                                                                                   \
		if (!measure_signal_enter(call, semaphore, CALLER))                                \
			return REAL(name) arguments;                                               \
		pthread_cleanup_push(measure_call_cancelled, (void *)&call);                       \
		result = REAL(name) arguments;                                                     \
		pthread_cleanup_pop(0);                                                            \
		measure_plain_leave(call);                                                         \
		return result;                                                                     \
	}
#define GATHER(name, group, parameters, arguments, barrier)                                        \
	RECORDED(name, parameters, arguments,                                                      \
		measure_gather_enter(CALL_##name, (const void *)barrier, CALLER),                  \
		measure_plain_leave(CALL_##name))
#define LOCK(name, group, parameters, arguments, lock)                                             \
	RECORDED(name, parameters, arguments,                                                      \
		measure_lock_enter(CALL_##name, (const void *)lock, CALLER),                       \
		measure_lock_leave(CALL_##name, (const void *)lock, result))
#define TRY(name, group, parameters, arguments, lock)                                              \
	RECORDED(name, parameters, arguments, measure_plain_enter(CALL_##name, CALLER),            \
		measure_lock_leave(CALL_##name, (const void *)lock, result))
#define UNLOCK(name, group, parameters, arguments, lock)                                           \
	RECORDED(name, parameters, arguments,                                                      \
		measure_unlock_enter(CALL_##name, (const void *)lock, CALLER),                     \
		measure_plain_leave(CALL_##name))
#define WAIT(name, group, parameters, arguments, lock)                                             \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct measure_condition_wait wait = {.call = CALL_##name};                        \
		int result;                                                                        \
                                                                                                   \
		if (!measure_wait_enter(&wait, lock, CALLER))                                      \
			return REAL(name) arguments;                                               \
		pthread_cleanup_push(measure_wait_leave, &wait);                                   \
		result = REAL(name) arguments;                                                     \
		pthread_cleanup_pop(1);                                                            \
		return result;                                                                     \
	}
#define DESTROY(type, name, parameters, arguments, lock)                                           \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		if (measure_calls_are_on())                                                        \
			measure_lock_forget((const void *)lock);                                   \
		return REAL(name) arguments;                                                       \
	}
#define JOIN(name, parameters, arguments, thread)                                                  \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		static const enum measure_pthread_call call = CALL_##name;                         \
		int result;                                                                        \
                                                                                                   \
		if (!measure_join_enter(call, thread, CALLER)) {                                   \
			result = REAL(name) arguments;                                             \
			if (result == 0 && measure_is_recording())                                 \
				measure_thread_joined(thread);                                     \
			return result;                                                             \
		}                                                                                  \
		pthread_cleanup_push(measure_call_cancelled, (void *)&call);                       \
		result = REAL(name) arguments;                                                     \
		pthread_cleanup_pop(0);                                                            \
		measure_join_leave(call, thread, result);                                          \
		return result;                                                                     \
	}
#define OTHER(type, name, role, parameters) EXPORT type name parameters;
#include "pthread_calls.def"

/* -------------------------------------------------------------------- creation --- */

/* NULL: not recorded. ThreadCreate stands before the thread can begin; where the call fails, no
 * thread begins for it. */
static struct measure_thread *thread_create_enter(
	enum measure_pthread_call call, const void *caller)
{
	struct measure_location *location;
	struct measure_thread *thread;

	if (!measure_call_is_on(call, caller))
		return NULL;
	thread = measure_thread_new();
	location = thread ? measure_call_enter(call) : NULL;
	if (!location) {
		if (thread)
			measure_thread_free(thread);
		return NULL;
	}
	measure_write_thread_create(location, measure_contingent, thread->sequence);
	measure_record_end(location);
	return thread;
}

/* A thread that was created may be gone by now. */
static void thread_create_leave(
	enum measure_pthread_call call, struct measure_thread *thread, int result)
{
	if (result != 0)
		measure_thread_free(thread);
	measure_plain_leave(call);
}

int pthread_create(
	pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *data)
{
	struct measure_thread *thread = thread_create_enter(CALL_pthread_create, CALLER);
	int result, state = PTHREAD_CREATE_JOINABLE;

	if (!thread)
		return REAL(pthread_create)(handle, attributes, start, data);
	if (attributes)
		pthread_attr_getdetachstate(attributes, &state);
	thread->is_detached = state == PTHREAD_CREATE_DETACHED;
	thread->start = start;
	thread->data = data;
	result = REAL(pthread_create)(handle, attributes, measure_thread_run, thread);
	thread_create_leave(CALL_pthread_create, thread, result);
	return result;
}

int thrd_create(thrd_t *handle, thrd_start_t start, void *data)
{
	struct measure_thread *thread = thread_create_enter(CALL_thrd_create, CALLER);
	int result;

	if (!thread)
		return REAL(thrd_create)(handle, start, data);
	thread->c11_start = start;
	thread->data = data;
	result = REAL(thrd_create)(handle, measure_thread_run_c11, thread);
	thread_create_leave(CALL_thrd_create, thread, result);
	return result;
}

/* ------------------------------------------------------------- other than that --- */

/* Noted before the call: after it, the handle may be another thread's. */
#define DETACH(name, type)                                                                         \
	int name(type thread)                                                                      \
	{                                                                                          \
		const bool is_recorded = measure_plain_enter(CALL_##name, CALLER);                 \
		int result;                                                                        \
                                                                                                   \
		if (measure_is_recording())                                                        \
			measure_thread_detached(thread);                                           \
		result = REAL(name)(thread);                                                       \
		if (is_recorded)                                                                   \
			measure_plain_leave(CALL_##name);                                          \
		return result;                                                                     \
	}
DETACH(pthread_detach, pthread_t)
DETACH(thrd_detach, thrd_t)

/* A moment, not a stretch of time: functions that the program still has open are left while the
 * thread runs its handlers, and inside of this one they could not be. */
void pthread_exit(void *result)
{
	if (measure_plain_enter(CALL_pthread_exit, CALLER))
		measure_plain_leave(CALL_pthread_exit);
	REAL(pthread_exit)(result);
	__builtin_unreachable();
}

void thrd_exit(int result)
{
	if (measure_plain_enter(CALL_thrd_exit, CALLER))
		measure_plain_leave(CALL_thrd_exit);
	REAL(thrd_exit)(result);
	__builtin_unreachable();
}

/* No region: it names the location. */
int pthread_setname_np(pthread_t thread, const char *name)
{
	const int result = REAL(pthread_setname_np)(thread, name);

	if (result != 0 || !measure_call_is_on(CALL_pthread_setname_np, CALLER))
		return result;
	if (pthread_equal(thread, pthread_self()))
		measure_location_name(name);
	else
		measure_location_rename(measure_thread_location(thread), name);
	return result;
}

/* ----------------------------------------------------------------- the adapter --- */

static void pthread_started(void)
{
	const struct measure_comm_info info = {
		.kind = MEASURE_COMM_THREADS,
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_PTHREAD,
	};

	measure_contingent = measure_comm_define(&info);
	measure_calls_choose(measure_option_text("pthread_groups"));
}

static void pthread_attached(void)
{
	measure_calls_choose(measure_option_text("pthread_groups"));
}

static const struct measure_adapter measure_pthread_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "pthread",
	.started = pthread_started,
	.thread_ends = measure_thread_gone,
	.detached = measure_calls_choose_none,
	.attached = pthread_attached,
};

__attribute__((constructor)) static void pthread_init(void)
{
	measure_pthread_resolve();
	measure_adapter_register(&measure_pthread_adapter);
}
