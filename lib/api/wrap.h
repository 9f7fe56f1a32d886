/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What wrappers are made of that measure-wrap(1) writes: #include <measure/wrap.h>. A library of
 * wrappers, libmeasure-wrap-NAME.so, is preloaded by `measure --wrap NAME` beside
 * libmeasure-wrap.so, which records. It defines, in this order,
 *
 *	struct measure_wrap_function measure_wrap_functions[] = { ... };
 *	int measure_wrapped_0(...) __asm__("gzputc");	a wrapper for each function
 *	MEASURE_WRAP_LIBRARY("z", "file, memory")	the library and its groups
 *
 * A wrapper has the symbol of the function that it stands for, passes the call through, and keeps
 * errno. It may run before constructors, in a signal handler and in itself; until recording starts,
 * and where nothing is recorded, it only calls. */
#ifndef MEASURE_API_WRAP_H
#define MEASURE_API_WRAP_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first #include: wrappers need RTLD_NEXT"
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_WRAP_ABI 1

#define MEASURE_WRAP_MOST_VALUES 6 /* of a call, and as many of its return */
#define MEASURE_WRAP_MOST_DEPTH  8 /* of @depth */

/* How a value is recorded: as an attribute of type UINT64, INT64, DOUBLE or STRING. */
enum measure_wrap_type {
	MEASURE_WRAP_UNSIGNED,
	MEASURE_WRAP_SIGNED,
	MEASURE_WRAP_DOUBLE,
	MEASURE_WRAP_TEXT, /* the first 63 bytes; what cannot be read is not */
	MEASURE_WRAP_ENUM  /* a number, recorded as the name that it has */
};

union measure_wrap_value {
	uint64_t unsigned_int;
	int64_t signed_int;
	double floating_point;
	const char *text;
};

struct measure_wrap_enumerator {
	int64_t value;
	const char *name; /* NULL: this is the end */
};

struct measure_wrap_attribute {
	const char *name;
	uint32_t type; /* enum measure_wrap_type */
	const struct measure_wrap_enumerator *enumerators;
	uint32_t id; /* private */
};

/* A function. Its size is that of a row in the table to which the stubs below refer. Members from
 * `real` on are private. */
#define MEASURE_WRAP_ROW 128
struct measure_wrap_function {
	void *real; /* the function itself, when it has been looked up */
	struct measure_wrap_library *library;
	const char *symbol;
	const char *version; /* NULL: the default one */
	const char *region;  /* NULL: no region, only what @event and others write */
	struct measure_wrap_attribute *before, *after;
	uint8_t nr_before, nr_after;
	uint8_t role;  /* OTF2_RegionRole */
	uint8_t group; /* in the list of the library, from 1; 0: none */
	/* Of a stub, if it records arguments: called with those of the function; whether an Enter
	 * is recorded. And with its result. */
	bool (*enter)(void);
	void (*leave)(void);
	uint32_t region_id;
	uint32_t is_on;
} __attribute__((aligned(MEASURE_WRAP_ROW)));

/* A region of its own: text of @event, @push, @state. */
struct measure_wrap_state {
	const char *name;
	uint32_t region_id;
};

/* A metric of the process: text of @set, @add, @sub. */
struct measure_wrap_variable {
	const char *name;
	double value;
	uint32_t id; /* + 1 */
};

/* Called by a call that is recorded, at most once per interval. */
struct measure_wrap_sampling {
	void (*function)(void);
	uint32_t interval;    /* microseconds */
	uint64_t ticks, last; /* private */
};

struct measure_wrap_library {
	uint32_t abi; /* MEASURE_WRAP_ABI */
	const char *name;
	struct measure_wrap_function *functions;
	uint32_t nr_functions, nr_states, nr_variables, nr_samplings;
	struct measure_wrap_state *states;
	struct measure_wrap_variable *variables;
	struct measure_wrap_sampling *samplings;
	const char *groups;
	void *(*next)(const char *symbol, const char *version); /* of the loader's search order */
	struct measure_wrap_library *others;
};

#pragma GCC visibility push(default)

/* libmeasure-wrap.so. All keep errno, and none allocates or locks but for the first call of a
 * function. */
void measure_wrap_register(struct measure_wrap_library *library);

/* The function itself, called by code at `caller`. Never NULL: a function that no library has
 * returns 0, which is said once. */
void *measure_wrap_resolve(struct measure_wrap_function *function, const void *caller);

/* Records an Enter or Leave with values, one for each attribute. False: nothing is recorded. */
bool measure_wrap_enter(
	struct measure_wrap_function *function, const union measure_wrap_value *values);
void measure_wrap_leave(
	struct measure_wrap_function *function, const union measure_wrap_value *values);

void measure_wrap_event(const struct measure_wrap_state *state);
void measure_wrap_state_enter(const struct measure_wrap_state *state);
void measure_wrap_state_leave(const struct measure_wrap_state *state);
void measure_wrap_set(struct measure_wrap_variable *variable, double value);
void measure_wrap_add(struct measure_wrap_variable *variable, double value);
void measure_wrap_sample(struct measure_wrap_library *library);

/* A function that does nothing but return 0, of any type. */
void measure_wrap_nothing(void);

/* Where stubs go, with the address of their row in a register. */
void measure_wrap_trampoline(void);

#pragma GCC visibility pop

/* ------------------------------------------------------------------ the library --- */

extern struct measure_wrap_library measure_wrap_library __attribute__((visibility("hidden")));
extern struct measure_wrap_function measure_wrap_functions[] __attribute__((visibility("hidden")));

/* At the end, after all tables. The mark is what `measure` looks for in the file. */
#define MEASURE_WRAP_TEXT_OF(number) #number
#define MEASURE_WRAP_MARK(abi, name, groups)                                                       \
	__attribute__((used)) static const char measure_wrap_mark[] =                              \
		"\nmeasure-wrap " MEASURE_WRAP_TEXT_OF(abi) " " name ": " groups "\n";
#define MEASURE_WRAP_NR(table) (sizeof(table) / sizeof((table)[0]))

#define MEASURE_WRAP_LIBRARY(library_name, group_names)                                            \
	MEASURE_WRAP_MARK(MEASURE_WRAP_ABI, library_name, group_names)                             \
	/* Must return to this library, by which the loader knows what is next: no tail call. */   \
	static void *measure_wrap_next(const char *symbol, const char *version)                    \
	{                                                                                          \
		void *volatile found =                                                             \
			version ? dlvsym(RTLD_NEXT, symbol, version) : dlsym(RTLD_NEXT, symbol);   \
		return found;                                                                      \
	}                                                                                          \
	struct measure_wrap_library measure_wrap_library = {.abi = MEASURE_WRAP_ABI,               \
		.name = library_name,                                                              \
		.functions = measure_wrap_functions,                                               \
		.nr_functions = MEASURE_WRAP_NR(measure_wrap_functions),                           \
		.states = measure_wrap_states,                                                     \
		.nr_states = MEASURE_WRAP_NR(measure_wrap_states),                                 \
		.variables = measure_wrap_variables,                                               \
		.nr_variables = MEASURE_WRAP_NR(measure_wrap_variables),                           \
		.samplings = measure_wrap_samplings,                                               \
		.nr_samplings = MEASURE_WRAP_NR(measure_wrap_samplings),                           \
		.groups = group_names,                                                             \
		.next = measure_wrap_next};                                                        \
	__attribute__((constructor)) static void measure_wrap_begin(void)                          \
	{                                                                                          \
		measure_wrap_register(&measure_wrap_library);                                      \
	}

/* Of a thread: recorded calls of the library that are open, by their frames, the innermost last;
 * and states that have been pushed. */
static __thread struct {
	char *frames[MEASURE_WRAP_MOST_DEPTH];
	uint32_t nr_frames;
	uint32_t nr_states;
	bool is_resolving; /* the loader is at work for us */
	const struct measure_wrap_state *states[32];
} measure_wrap_open __attribute__((tls_model("initial-exec"), unused));

/* -------------------------------------------------------------------- a wrapper --- */

/* What a wrapper knows of its call. Left by an exception, it leaves its region. */
struct measure_wrap_call {
	struct measure_wrap_function *open; /* NULL: nothing to leave */
	uint32_t depth;                     /* + 1, of a call that counts itself */
};

static inline void measure_wrap_close(struct measure_wrap_call *call)
{
	if (call->depth)
		measure_wrap_open.nr_frames = call->depth - 1;
	if (call->open)
		measure_wrap_leave(call->open, NULL);
}

#define MEASURE_WRAP_BEGIN                                                                         \
	struct measure_wrap_call measure_call                                                      \
		__attribute__((cleanup(measure_wrap_close))) = {NULL, 0}

#define MEASURE_WRAP_ROW_OF(i) (&measure_wrap_functions[i])

/* True while the function is recorded. */
#define MEASURE_WRAP_IS_ON(i)                                                                      \
	__builtin_expect(__atomic_load_n(&MEASURE_WRAP_ROW_OF(i)->is_on, __ATOMIC_ACQUIRE) != 0, 1)

/* One in so many calls of each thread. */
#define MEASURE_WRAP_IS_ONE_IN(nr)                                                                 \
	__extension__({                                                                            \
		static __thread uint32_t nr_calls __attribute__((tls_model("initial-exec")));      \
		nr_calls++ % (nr) == 0;                                                            \
	})

/* Fewer than `most` recorded calls that count themselves are open. A call that has been left by
 * longjmp() is forgotten when one comes that is not deeper. */
static inline bool measure_wrap_is_shallow(struct measure_wrap_call *call, uint32_t most)
{
	char *frame = (char *)__builtin_frame_address(0);

	while (measure_wrap_open.nr_frames > 0 &&
		measure_wrap_open.frames[measure_wrap_open.nr_frames - 1] <= frame)
		measure_wrap_open.nr_frames--;
	if (measure_wrap_open.nr_frames >= most)
		return false;
	measure_wrap_open.frames[measure_wrap_open.nr_frames++] = frame;
	call->depth = measure_wrap_open.nr_frames;
	return true;
}
#define MEASURE_WRAP_IS_SHALLOW(most) measure_wrap_is_shallow(&measure_call, most)

/* Values are initialisers: {.unsigned_int = n}, {.text = name}. */
#define MEASURE_WRAP_ENTER(i, ...)                                                                 \
	(measure_call.open = measure_wrap_enter(MEASURE_WRAP_ROW_OF(i),                            \
				     (const union measure_wrap_value[]){__VA_ARGS__})              \
				     ? MEASURE_WRAP_ROW_OF(i)                                      \
				     : NULL)

#define MEASURE_WRAP_LEAVE(i, ...)                                                                 \
	do {                                                                                       \
		if (measure_call.open) {                                                           \
			measure_call.open = NULL;                                                  \
			measure_wrap_leave(MEASURE_WRAP_ROW_OF(i),                                 \
				(const union measure_wrap_value[]){__VA_ARGS__});                  \
		}                                                                                  \
	} while (0)

/* The function itself, by the type of its wrapper. */
#define MEASURE_WRAP_REAL(i, wrapper)                                                              \
	((__typeof__(&wrapper))measure_wrap_real(                                                  \
		MEASURE_WRAP_ROW_OF(i), __builtin_return_address(0)))

/* The loader may call what it is looking for: free(), on some systems calloc(). */
static __attribute__((noinline, cold, unused)) void *measure_wrap_real_find(
	struct measure_wrap_function *function, const void *caller)
{
	void *real = (void *)measure_wrap_nothing;

	if (measure_wrap_open.is_resolving)
		return real;
	measure_wrap_open.is_resolving = true;
	real = measure_wrap_resolve(function, caller);
	measure_wrap_open.is_resolving = false;
	return real;
}

static inline void *measure_wrap_real(struct measure_wrap_function *function, const void *caller)
{
	void *real = __atomic_load_n(&function->real, __ATOMIC_RELAXED);

	return __builtin_expect(real != NULL, 1) ? real : measure_wrap_real_find(function, caller);
}

/* errno of a call that has failed, else 0. */
#define MEASURE_WRAP_ERRNO(failed) ((failed) ? errno : 0)

static inline __attribute__((unused)) void measure_wrap_push(const struct measure_wrap_state *state)
{
	if (measure_wrap_open.nr_states < 32) {
		measure_wrap_open.states[measure_wrap_open.nr_states++] = state;
		measure_wrap_state_enter(state);
	}
}

static inline __attribute__((unused)) void measure_wrap_pop(void)
{
	if (measure_wrap_open.nr_states > 0)
		measure_wrap_state_leave(measure_wrap_open.states[--measure_wrap_open.nr_states]);
}

/* ----------------------------------------------------------------------- a stub --- */

/* At the end of `enter` and `leave` of a stub that counts itself. */
static inline __attribute__((unused)) bool measure_wrap_stub_entered(struct measure_wrap_call *call)
{
	if (call->depth && !call->open)
		measure_wrap_open.nr_frames = call->depth - 1;
	return call->open;
}

static inline __attribute__((unused)) void measure_wrap_stub_left(void)
{
	measure_wrap_open.nr_frames -= measure_wrap_open.nr_frames > 0;
}

/* For functions whose arguments are not known, or vary: passes all registers and the stack on. */
#if defined(__x86_64__)
#define MEASURE_WRAP_STUB(symbol, i)                                                               \
	__asm__(".pushsection .text\n\t"                                                           \
		".globl " symbol "\n\t.type " symbol ", @function\n\t.balign 16\n" symbol ":\n\t"  \
		"endbr64\n\t"                                                                      \
		"lea measure_wrap_functions+" #i "*128(%rip), %r11\n\t"                            \
		"jmp *measure_wrap_trampoline@GOTPCREL(%rip)\n\t"                                  \
		".size " symbol ", .-" symbol "\n\t.popsection");
#elif defined(__aarch64__)
#define MEASURE_WRAP_STUB(symbol, i)                                                               \
	__asm__(".pushsection .text\n\t"                                                           \
		".globl " symbol "\n\t.type " symbol ", %function\n\t.balign 16\n" symbol ":\n\t"  \
		"hint #34\n\t"                                                                     \
		"adrp x16, measure_wrap_functions+" #i "*128\n\t"                                  \
		"add x16, x16, :lo12:measure_wrap_functions+" #i "*128\n\t"                        \
		"adrp x17, :got:measure_wrap_trampoline\n\t"                                       \
		"ldr x17, [x17, :got_lo12:measure_wrap_trampoline]\n\t"                            \
		"br x17\n\t"                                                                       \
		".size " symbol ", .-" symbol "\n\t.popsection");
#endif

#endif
