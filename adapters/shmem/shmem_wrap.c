/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interposed functions, expanded from shmem_calls.def, and the adapter itself. They are found
 * when they are first called: a program calls a few of some nine hundred. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>

#include "shmem_records.h"

/* By the name of the profiling interface, which is that of the function itself. */
static void *find(const char *name)
{
	const int saved = errno;
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		found = dlsym(RTLD_NEXT, name + 1);
	errno = saved;
	return found;
}

/* The function has another name here, and bears this one for the linker only. */
#define EXPORT(type, name, parameters)                                                             \
	type wrap_##name parameters __asm__("shmem_" #name)                                        \
		__attribute__((visibility("default")));                                            \
	type wrap_##name parameters

#define REAL(type, name, parameters)                                                               \
	static type(*_Atomic known) parameters;                                                    \
	type(*real) parameters = atomic_load_explicit(&known, memory_order_relaxed);               \
                                                                                                   \
	if (!real) {                                                                               \
		real = (type(*) parameters)find("pshmem_" #name);                                  \
		atomic_store_explicit(&known, real, memory_order_relaxed);                         \
	}

#define CALLER		 __builtin_return_address(0)
#define ENTER(name, ...) measure_shmem_access_enter(CALL_##name, CALLER, &access)
#define ACCESS(...)	 const struct measure_shmem_access access = {__VA_ARGS__}
#define NONE		 OTF2_COLLECTIVE_ROOT_NONE

#define TRANSFER(name, how, parameters, arguments, ctx, to_pe, bytes)                              \
	EXPORT(void, name, parameters)                                                             \
	{                                                                                          \
		REAL(void, name, parameters)                                                       \
		ACCESS(.kind = SHMEM_##how, .pe = to_pe, .context = ctx, .sent = bytes,            \
			.received = bytes);                                                        \
		const bool is_recorded = ENTER(name);                                              \
                                                                                                   \
		real arguments;                                                                    \
		if (is_recorded)                                                                   \
			measure_shmem_access_leave(CALL_##name, &access);                          \
	}
#define VALUE(type, name, parameters, arguments)                                                   \
	const bool is_recorded = ENTER(name);                                                      \
	const type value_before = real arguments;                                                  \
                                                                                                   \
	if (is_recorded)                                                                           \
		measure_shmem_access_leave(CALL_##name, &access);                                  \
	return value_before;
#define FETCH(type, name, parameters, arguments, ctx, to_pe)                                       \
	EXPORT(type, name, parameters)                                                             \
	{                                                                                          \
		REAL(type, name, parameters)                                                       \
		ACCESS(.kind = SHMEM_GET, .pe = to_pe, .context = ctx, .received = sizeof(type));  \
		VALUE(type, name, parameters, arguments)                                           \
	}
#define UPDATE(name, parameters, arguments, ctx, to_pe, how, type)                                 \
	EXPORT(void, name, parameters)                                                             \
	{                                                                                          \
		REAL(void, name, parameters)                                                       \
		ACCESS(.kind = SHMEM_ATOMIC, .pe = to_pe, .context = ctx, .sent = sizeof(type),    \
			.operation = OTF2_RMA_ATOMIC_TYPE_##how);                                  \
		const bool is_recorded = ENTER(name);                                              \
                                                                                                   \
		real arguments;                                                                    \
		if (is_recorded)                                                                   \
			measure_shmem_access_leave(CALL_##name, &access);                          \
	}
#define EXCHANGE(type, name, parameters, arguments, ctx, to_pe, how)                               \
	EXPORT(type, name, parameters)                                                             \
	{                                                                                          \
		REAL(type, name, parameters)                                                       \
		ACCESS(.kind = SHMEM_ATOMIC, .pe = to_pe, .context = ctx, .sent = sizeof(type),    \
			.received = sizeof(type), .operation = OTF2_RMA_ATOMIC_TYPE_##how);        \
		VALUE(type, name, parameters, arguments)                                           \
	}
#define COLLECTIVE(name, role, parameters, arguments, operation, is_whole, root, sent, received)   \
	EXPORT(void, name, parameters)                                                             \
	{                                                                                          \
		REAL(void, name, parameters)                                                       \
		const bool is_recorded =                                                           \
			measure_shmem_collective_enter(CALL_##name, CALLER, is_whole);             \
                                                                                                   \
		real arguments;                                                                    \
		if (is_recorded)                                                                   \
			measure_shmem_collective_leave(CALL_##name, is_whole,                      \
				OTF2_COLLECTIVE_OP_##operation, root, sent, received);             \
	}
#define COMPLETION(name, role, parameters, arguments, context)                                     \
	EXPORT(void, name, parameters)                                                             \
	{                                                                                          \
		REAL(void, name, parameters)                                                       \
		const bool is_recorded = measure_plain_enter(CALL_##name, CALLER);                 \
                                                                                                   \
		real arguments;                                                                    \
		if (is_recorded)                                                                   \
			measure_shmem_completion_leave(CALL_##name, context);                      \
	}
#define PLAIN(type, name, role, parameters, arguments)                                             \
	EXPORT(type, name, parameters)                                                             \
	{                                                                                          \
		REAL(type, name, parameters)                                                       \
		const bool is_recorded = measure_plain_enter(CALL_##name, CALLER);                 \
		type result = real arguments;                                                      \
                                                                                                   \
		if (is_recorded)                                                                   \
			measure_plain_leave(CALL_##name);                                          \
		return result;                                                                     \
	}
#define PLAIN_VOID(name, role, parameters, arguments)                                              \
	EXPORT(void, name, parameters)                                                             \
	{                                                                                          \
		REAL(void, name, parameters)                                                       \
		const bool is_recorded = measure_plain_enter(CALL_##name, CALLER);                 \
                                                                                                   \
		real arguments;                                                                    \
		if (is_recorded)                                                                   \
			measure_plain_leave(CALL_##name);                                          \
	}
#define OTHER(name, role)
#define ROW(name, role)
#include "shmem_calls.def"

/* ------------------------------------------------------------------ init, finalize --- */

static int ask(const char *name)
{
	int (*real)(void) = (int (*)(void))find(name);

	return real ? real() : -1;
}

static void init_leave(enum measure_shmem_call call, bool is_recorded)
{
	if (is_recorded)
		measure_shmem_init_leave(call, ask("pshmem_my_pe"), ask("pshmem_n_pes"));
}

EXPORT(void, init, (void))
{
	REAL(void, init, (void))
	const bool is_recorded = measure_shmem_init_enter(CALL_init, CALLER);

	real();
	init_leave(CALL_init, is_recorded);
}

EXPORT(int, init_thread, (int requested, int *provided))
{
	REAL(int, init_thread, (int requested, int *provided))
	const bool is_recorded = measure_shmem_init_enter(CALL_init_thread, CALLER);
	const int result = real(requested, provided);

	init_leave(CALL_init_thread, is_recorded);
	return result;
}

/* Of the time before shmem_init. */
void wrap_start_pes(int nr) __asm__("start_pes") __attribute__((visibility("default")));
void wrap_start_pes(int nr)
{
	void (*real)(int) = (void (*)(int))find("pstart_pes");
	const bool is_recorded = measure_shmem_init_enter(CALL_start_pes, CALLER);

	real(nr);
	init_leave(CALL_start_pes, is_recorded);
}

EXPORT(void, finalize, (void))
{
	REAL(void, finalize, (void))
	const bool is_recorded = measure_shmem_finalize_enter(CALL_finalize, CALLER);

	real();
	if (is_recorded)
		measure_shmem_finalize_leave(CALL_finalize);
}

/* --------------------------------------------------------------------- the adapter --- */

static void shmem_started(void)
{
	measure_calls_choose(NULL);
}

static const struct measure_adapter measure_shmem_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "shmem",
	.started = shmem_started,
};

__attribute__((constructor)) static void shmem_register(void)
{
	measure_adapter_register(&measure_shmem_adapter);
}
