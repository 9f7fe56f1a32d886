/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What wrappers record, and where they find the functions that they stand for. */
#define _GNU_SOURCE
#include "config.h"

#include "wrap_start.h"

#include <link.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "wrap_stub.h"

/* ------------------------------------------------------------------------ records --- */

bool measure_wrap_enter(
	struct measure_wrap_function *function, const union measure_wrap_value *values)
{
	struct measure_typed_value converted[MEASURE_WRAP_MOST_VALUES];
	struct measure_location *location;
	uint32_t nr;

	if (function->region_id == MEASURE_UNDEFINED || !measure_is_recording_followed())
		return false;
	nr = measure_wrap_values_convert(function->before, function->nr_before, values, converted);
	location = measure_record_begin_followed();
	if (!location)
		return false;
	measure_write_attributes(location, converted, nr);
	measure_write_enter(location, function->region_id);
	measure_record_end(location);
	return true;
}

/* Without values where the call has been left by an exception. */
void measure_wrap_leave(
	struct measure_wrap_function *function, const union measure_wrap_value *values)
{
	struct measure_typed_value converted[MEASURE_WRAP_MOST_VALUES];
	struct measure_location *location;
	uint32_t nr = 0;

	if (values && measure_is_recording_followed())
		nr = measure_wrap_values_convert(
			function->after, function->nr_after, values, converted);
	location = measure_record_begin_followed();
	if (!location)
		return;
	measure_write_attributes(location, converted, nr);
	measure_write_leave(location, function->region_id);
	measure_record_end(location);
}

/* A region without length: counted in profiles, and seen in a time line. */
void measure_wrap_event(const struct measure_wrap_state *state)
{
	struct measure_location *location = measure_record_begin_followed();

	if (!location)
		return;
	measure_write_enter(location, state->region_id);
	measure_write_leave(location, state->region_id);
	measure_record_end(location);
}

void measure_wrap_state_enter(const struct measure_wrap_state *state)
{
	measure_region_enter(state->region_id);
}

void measure_wrap_state_leave(const struct measure_wrap_state *state)
{
	measure_region_leave(state->region_id);
}

static void variable_write(const struct measure_wrap_variable *variable, double value)
{
	const struct measure_metric_class metric_class = {
		.id = variable->id - 1, .nr = 1, .value_types = {OTF2_TYPE_DOUBLE}};
	const union measure_metric_value values[] = {{.floating_point = value}};
	struct measure_location *location = variable->id ? measure_record_begin_followed() : NULL;

	if (!location)
		return;
	measure_write_metric(location, &metric_class, values);
	measure_record_end(location);
}

/* Variables are of the process: all threads change the same value. */
void measure_wrap_set(struct measure_wrap_variable *variable, double value)
{
	__atomic_store(&variable->value, &value, __ATOMIC_RELAXED);
	variable_write(variable, value);
}

void measure_wrap_add(struct measure_wrap_variable *variable, double value)
{
	double before, after;

	__atomic_load(&variable->value, &before, __ATOMIC_RELAXED);
	do
		after = before + value;
	while (!__atomic_compare_exchange(
		&variable->value, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	variable_write(variable, after);
}

/* One thread calls each function, when its interval is over. */
void measure_wrap_sample(struct measure_wrap_library *library)
{
	const uint64_t now = measure_clock_now();

	for (uint32_t i = 0; i < library->nr_samplings; i++) {
		struct measure_wrap_sampling *sampling = &library->samplings[i];
		uint64_t last = __atomic_load_n(&sampling->last, __ATOMIC_RELAXED);
		if (last && now - last < sampling->ticks)
			continue;
		if (__atomic_compare_exchange_n(
			    &sampling->last, &last, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			sampling->function();
	}
}

/* ----------------------------------------------------------------- the function itself --- */

/* What a function that no library has is instead. */
static void missing_say(const char *symbol)
{
	static const char end[] =
		": no library has this function: calls of it return 0: link the library\n";
	char line[256] = "measure: ";
	size_t length = strlen(line), most = sizeof(line) - sizeof(end) - length;

	strncat(line, symbol, most);
	strcat(line, end);
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return;
}

/* The object that the code at an address is from. */
#ifdef HAVE__DL_FIND_OBJECT
/* Takes no lock of the loader, on which a thread in dlopen() might sit. */
static const char *object_name(const void *address)
{
	struct dl_find_object object;

	return _dl_find_object((void *)address, &object) == 0 ? object.dlfo_link_map->l_name : "";
}
#else
static const char *object_name(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}
#endif

/* A library that was opened for one object only (a module of an interpreter) is not in the search
 * order of the program, but in that of its caller. It must not be closed from now on. */
static void *resolve_for_caller(const struct measure_wrap_function *function, const void *caller)
{
	const char *name = object_name(caller);
	void *object = *name ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) : NULL;
	void *found = NULL;

	if (object)
		found = function->version ? dlvsym(object, function->symbol, function->version)
					  : dlsym(object, function->symbol);
	return found;
}

/* The loader takes its lock here, at the first call. */
__attribute__((noinline)) void *measure_wrap_resolve(
	struct measure_wrap_function *function, const void *caller)
{
	int saved = errno;
	void *found = function->library->next(function->symbol, function->version);

	if (!found)
		found = resolve_for_caller(function, caller);
	if (found) {
		__atomic_store_n(&function->real, found, __ATOMIC_RELAXED);
	} else {
		static atomic_flag is_said = ATOMIC_FLAG_INIT;
		if (!atomic_flag_test_and_set(&is_said))
			missing_say(function->symbol);
		found = (void *)measure_wrap_nothing;
	}
	errno = saved;
	return found;
}

/* ------------------------------------------------------------------------------ stubs --- */

_Static_assert(sizeof(struct measure_wrap_function) == MEASURE_WRAP_ROW, "one row");
_Static_assert(offsetof(struct measure_wrap_function, real) == MEASURE_WRAP_OFFSET_REAL &&
		       offsetof(struct measure_wrap_function, enter) == MEASURE_WRAP_OFFSET_ENTER &&
		       offsetof(struct measure_wrap_function, leave) == MEASURE_WRAP_OFFSET_LEAVE,
	"where the trampoline looks for them");

/* Arguments on the stack are copied as words, all of them that there may be. A stack may end above
 * its first call: what is on the next page is only taken if there is one. */
static uint32_t stack_words(const char *arguments)
{
	const size_t room = 4096 - (uintptr_t)arguments % 4096;
	const size_t most = MEASURE_WRAP_STACK_WORDS * 8;

	if (room >= most || measure_wrap_can_read(arguments + most - 1))
		return MEASURE_WRAP_STACK_WORDS;
	return (uint32_t)(room / 8);
}

uint64_t measure_wrap_stub_before(struct measure_wrap_function *function, const char *arguments,
	const void *caller, void **real)
{
	const uint32_t words = stack_words(arguments);
	bool is_recorded = false;

	*real = __atomic_load_n(&function->real, __ATOMIC_RELAXED);
	if (!*real)
		*real = measure_wrap_resolve(function, caller);
	if (MEASURE_WRAP_IS_ON_ROW(function)) {
		if (function->library->nr_samplings > 0)
			measure_wrap_sample(function->library);
		is_recorded = !function->enter && measure_wrap_enter(function, NULL);
	}
	if (is_recorded)
		return (uint64_t)MEASURE_WRAP_RECORDED << 32 | words;
	return (uint64_t)(function->enter && MEASURE_WRAP_IS_ON_ROW(function) ? MEASURE_WRAP_ASKS
									      : 0)
		       << 32 |
	       words;
}

void measure_wrap_stub_after(struct measure_wrap_function *function)
{
	measure_wrap_leave(function, NULL);
}

uint32_t measure_wrap_vectors;

/* Calls before this are unlikely to pass more than 16 bytes in one register. */
#if defined(__x86_64__)
__attribute__((constructor)) static void vectors_look(void)
{
	__builtin_cpu_init();
	measure_wrap_vectors =
		__builtin_cpu_supports("avx512f") ? 2 : __builtin_cpu_supports("avx");
}
#endif

/* Elsewhere there are no stubs: wrap.h does not define MEASURE_WRAP_STUB(). */
#if !defined(__x86_64__) && !defined(__aarch64__)
void measure_wrap_trampoline(void)
{
}

void measure_wrap_nothing(void)
{
}
#endif
