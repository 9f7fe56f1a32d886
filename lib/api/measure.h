/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The user interface of Measure for C and C++: annotations of a program. measure.h(3) and
 * doc/user-api.md describe it with examples. This file is self-contained and may be copied into a
 * program's own tree; nothing is linked. If the program runs without `measure`, or without the user
 * adapter, each call is one load and one test; with -DMEASURE_DISABLED calls compile to nothing.
 *
 * Any thread may call any function at any time, also before main() and in plug-ins. No function
 * changes errno, returns an error, ends the program or prints. The first use of a name is not
 * async-signal-safe. Strings are copied. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MEASURE_H_VERSION 1

/* A region, parameter or metric: its name and attributes. The macros below define it as a static
 * variable; Measure sets the ids, which are 0 at first. */
struct measure_site {
	const char *name;
	const char *text; /* unit of a metric; full name of a function; or NULL */
	const char *file; /* or NULL */
	uint32_t line;
	uint32_t kind; /* enum measure_site_kind */
	uint32_t id;
	uint32_t other_id;
};

enum measure_site_kind {
	MEASURE_SITE_REGION,
	MEASURE_SITE_FUNCTION,
	MEASURE_SITE_PHASE,
	MEASURE_SITE_LOOP,
	MEASURE_SITE_TASK,
	MEASURE_SITE_PARAMETER,
	MEASURE_SITE_METRIC
};

/* Severity of a marker, with the numbers of OTF2_MarkerSeverity. */
enum measure_severity {
	MEASURE_SEVERITY_NONE,
	MEASURE_SEVERITY_LOW,
	MEASURE_SEVERITY_MEDIUM,
	MEASURE_SEVERITY_HIGH
};

/* Fields of a struct measure_task_info that are valid. */
enum measure_task_field {
	MEASURE_TASK_HAS_ITERATION = 1,
	MEASURE_TASK_HAS_TAG = 2,
	MEASURE_TASK_HAS_FLOPS = 4,
	MEASURE_TASK_HAS_FOOTPRINT = 8,
	MEASURE_TASK_HAS_PRIORITY = 16,
	MEASURE_TASK_HAS_SUBITERATION = 32
};

/* Attributes of a task, given at its creation. */
struct measure_task_info {
	uint32_t fields; /* enum measure_task_field, or'ed */
	uint32_t reserved;
	uint64_t iteration; /* of the program's outermost loop */
	uint64_t tag;       /* number assigned by the program */
	double flops;       /* number of floating point operations */
	uint64_t footprint; /* hash of the data sizes that determine its time */
	int64_t priority;   /* a task of higher priority runs earlier */
	uint64_t subiteration; /* of the next inner loop */
};

/* How a task accesses data. */
enum measure_access {
	MEASURE_ACCESS_R,
	MEASURE_ACCESS_W,
	MEASURE_ACCESS_RW,
	MEASURE_ACCESS_MUTEXINOUTSET, /* in any order, one at a time */
	MEASURE_ACCESS_INOUTSET       /* in any order, at the same time */
};

/* Fields of a struct measure_data_info that are valid. */
enum measure_data_field {
	MEASURE_DATA_HAS_BYTES = 1,
	MEASURE_DATA_HAS_HOME = 2,
	MEASURE_DATA_HAS_TAG = 4
};

/* What is known of data that tasks access. */
struct measure_data_info {
	uint32_t fields; /* enum measure_data_field, or'ed */
	uint32_t home;   /* memory node */
	uint64_t bytes;
	uint64_t tag;                /* in messages */
	const char *name;            /* or NULL */
	const uint64_t *coordinates; /* such as row and column of a tile */
	uint32_t nr_coordinates;
	uint32_t reserved;
};

/* Fields of a struct measure_worker_info that are valid. */
enum measure_worker_field {
	MEASURE_WORKER_HAS_NUMBER = 1,
	MEASURE_WORKER_HAS_MEMORY_NODE = 2,
	MEASURE_WORKER_HAS_CORE = 4
};

/* A thread that executes tasks. */
struct measure_worker_info {
	uint32_t fields; /* enum measure_worker_field, or'ed */
	uint32_t number; /* in its process, from 0 */
	uint32_t memory_node;
	uint32_t core;
	const char *class_name; /* workers of a class are equally fast: "CPU"; or NULL */
};

/* -------------------------------------------------------- functions of the adapter --- */

/* MEASURE_USER_CALL(result, name, (parameters)): the function measure_user_<name> of the user
 * adapter. Programs call the functions and macros below. */
#define MEASURE_USER_CALLS                                                                         \
	MEASURE_USER_CALL(void, enter, (struct measure_site * site))                               \
	MEASURE_USER_CALL(void, leave, (struct measure_site * site))                               \
	MEASURE_USER_CALL(void, phase_end, (struct measure_site * site))                           \
	MEASURE_USER_CALL(void, iteration, (struct measure_site * site, uint64_t number))          \
	MEASURE_USER_CALL(struct measure_site *, find, (const char *name, uint32_t kind))          \
	MEASURE_USER_CALL(void, parameter_int64, (struct measure_site * site, int64_t value))      \
	MEASURE_USER_CALL(void, parameter_uint64, (struct measure_site * site, uint64_t value))    \
	MEASURE_USER_CALL(void, parameter_double, (struct measure_site * site, double value))      \
	MEASURE_USER_CALL(void, parameter_string, (struct measure_site * site, const char *value)) \
	MEASURE_USER_CALL(void, metric_int64, (struct measure_site * site, int64_t value))         \
	MEASURE_USER_CALL(void, metric_uint64, (struct measure_site * site, uint64_t value))       \
	MEASURE_USER_CALL(void, metric_double, (struct measure_site * site, double value))         \
	MEASURE_USER_CALL(                                                                         \
		void, marker, (const char *category, const char *text, uint32_t severity))         \
	MEASURE_USER_CALL(void, recording, (int is_on))                                            \
	MEASURE_USER_CALL(int, is_recording, (void))                                               \
	MEASURE_USER_CALL(void, flush, (void))                                                     \
	MEASURE_USER_CALL(void, snapshot, (void))                                                  \
	MEASURE_USER_CALL(void, cartesian,                                                         \
		(const char *name, uint32_t nr_dimensions, const uint32_t *sizes,                  \
			const uint32_t *are_periodic, const uint32_t *coordinates))                \
	MEASURE_USER_CALL(uint64_t, task_create,                                                   \
		(struct measure_site * site, const struct measure_task_info *info))                \
	MEASURE_USER_CALL(void, task_access, (uint64_t task, uint32_t access, uint64_t data))      \
	MEASURE_USER_CALL(void, task_dependence, (uint64_t task, uint64_t before))                 \
	MEASURE_USER_CALL(void, task_ready, (uint64_t task))                                       \
	MEASURE_USER_CALL(void, task_begin, (struct measure_site * site, uint64_t task))           \
	MEASURE_USER_CALL(void, task_end, (struct measure_site * site, uint64_t task))             \
	MEASURE_USER_CALL(void, task_send, (uint64_t task, uint32_t rank))                         \
	MEASURE_USER_CALL(void, task_receive, (uint64_t task, uint32_t rank))                      \
	MEASURE_USER_CALL(void, task_complete, (uint64_t task))                                    \
	MEASURE_USER_CALL(uint64_t, data_register, (const struct measure_data_info *info))         \
	MEASURE_USER_CALL(                                                                         \
		void, data_describe, (uint64_t data, const struct measure_data_info *info))        \
	MEASURE_USER_CALL(void, data_unregister, (uint64_t data))                                  \
	MEASURE_USER_CALL(uint64_t, transfer_begin,                                                \
		(uint64_t data, uint32_t from, uint32_t to, uint64_t bytes))                       \
	MEASURE_USER_CALL(void, transfer_end, (uint64_t transfer))                                 \
	MEASURE_USER_CALL(void, worker, (const struct measure_worker_info *info))

#define MEASURE_USER_CALL(result, name, parameters)                                                \
	extern __attribute__((weak, visibility("default"))) result measure_user_##name parameters;
MEASURE_USER_CALLS
#undef MEASURE_USER_CALL

#ifndef MEASURE_USER_CALLS_ONLY

/* The address of the function in the global offset table, or 0. A weak symbol would not suffice: in
 * position-dependent programs, compilers and linkers resolve an undefined weak symbol to 0 at link
 * time, and the loader then ignores a preloaded one. */
#ifdef MEASURE_DISABLED
#define MEASURE_LOOK_UP(function, place) ((place) = 0)
#elif defined(__x86_64__) && defined(__LP64__)
#define MEASURE_LOOK_UP(function, place)                                                           \
	__asm__(".weak " #function "\n\tmovq " #function "@GOTPCREL(%%rip), %0" : "=r"(place))
#elif defined(__aarch64__) && defined(__LP64__)
#define MEASURE_LOOK_UP(function, place)                                                           \
	__asm__(".weak " #function "\n\tadrp %0, :got:" #function                                  \
		"\n\tldr %0, [%0, :got_lo12:" #function "]"                                        \
		: "=r"(place))
#else
#define MEASURE_LOOK_UP(function, place) ((place) = function)
#endif

#define MEASURE_CALL(name, arguments)                                                              \
	do {                                                                                       \
		__typeof__(measure_user_##name) *measure_function;                                 \
		MEASURE_LOOK_UP(measure_user_##name, measure_function);                            \
		if (measure_function)                                                              \
			measure_function arguments;                                                \
	} while (0)

/* The same for a function with a result, which is stored in `result`. */
#define MEASURE_CALL_FOR(result, name, arguments)                                                  \
	do {                                                                                       \
		__typeof__(measure_user_##name) *measure_function;                                 \
		MEASURE_LOOK_UP(measure_user_##name, measure_function);                            \
		if (measure_function)                                                              \
			(result) = measure_function arguments;                                     \
	} while (0)

/* Excluded from the compiler's instrumentation. */
#define MEASURE_PLAIN  __attribute__((no_instrument_function))
#define MEASURE_INLINE static __inline__ __attribute__((unused, no_instrument_function))

#define MEASURE_JOIN_LINE(word, line) word##line
#define MEASURE_JOIN(word, line)      MEASURE_JOIN_LINE(word, line)
#define MEASURE_UNIQUE(word)          MEASURE_JOIN(word, __LINE__)

#define MEASURE_DEFINE(site, kind, name, text)                                                     \
	static struct measure_site site                                                            \
		__attribute__((unused)) = {name, text, __FILE__, __LINE__, kind, 0, 0}

/* ------------------------------------------------------- regions, phases, iterations --- */

/* A region has a handle, defined where both ends of the region can see it:
 *
 *	MEASURE_REGION_DEFINE(solve, "solve");
 *	...
 *	MEASURE_REGION_BEGIN(solve);
 *	...
 *	MEASURE_REGION_END(solve);
 *
 * A region begins and ends on the same thread, and regions nest. If begin and end do not match,
 * this is repaired and counted, and the summary lists the region. */
#define MEASURE_REGION_DEFINE(handle, name) MEASURE_DEFINE(handle, MEASURE_SITE_REGION, name, 0)
#define MEASURE_REGION_BEGIN(handle)        measure_site_begin(&(handle))
#define MEASURE_REGION_END(handle)          measure_site_end(&(handle))

MEASURE_INLINE void measure_site_begin(struct measure_site *site)
{
	MEASURE_CALL(enter, (site));
}

MEASURE_INLINE void measure_site_end(struct measure_site *site)
{
	MEASURE_CALL(leave, (site));
}

/* The same by name, for names that are known only at run time. Each call looks up the name, which
 * takes about 10 ns. */
MEASURE_INLINE struct measure_site *measure_site_find(const char *name, uint32_t kind)
{
	struct measure_site *site = 0;

	MEASURE_CALL_FOR(site, find, (name, kind));
	return site;
}

MEASURE_INLINE void measure_region_begin(const char *name)
{
	struct measure_site *site = measure_site_find(name, MEASURE_SITE_REGION);

	if (site)
		measure_site_begin(site);
}

MEASURE_INLINE void measure_region_end(const char *name)
{
	struct measure_site *site = measure_site_find(name, MEASURE_SITE_REGION);

	if (site)
		measure_site_end(site);
}

/* A phase is a region of the whole program. At its end, event memory is written to files; with
 * --spool=phase only there, so that nothing is written during a phase. */
#define MEASURE_PHASE_DEFINE(handle, name) MEASURE_DEFINE(handle, MEASURE_SITE_PHASE, name, 0)
#define MEASURE_PHASE_BEGIN(handle)        measure_site_begin(&(handle))
#define MEASURE_PHASE_END(handle)          measure_user_phase_ends(&(handle))

MEASURE_INLINE void measure_user_phase_ends(struct measure_site *site)
{
	MEASURE_CALL(phase_end, (site));
}

/* An iteration of a loop is a region with the parameter "iteration". */
#define MEASURE_LOOP_DEFINE(handle, name)       MEASURE_DEFINE(handle, MEASURE_SITE_LOOP, name, 0)
#define MEASURE_ITERATION_BEGIN(handle, number) measure_iteration_begin(&(handle), number)
#define MEASURE_ITERATION_END(handle)           measure_site_end(&(handle))

MEASURE_INLINE void measure_iteration_begin(struct measure_site *site, uint64_t number)
{
	MEASURE_CALL(iteration, (site, number));
}

/* A region to the end of the enclosing block, also if it is left by return, break or an exception:
 *
 *	MEASURE_REGION("assemble");	a region of this name
 *	MEASURE_FUNCTION;		the enclosing function */
#define MEASURE_SCOPE(kind, name, text)                                                            \
	MEASURE_DEFINE(MEASURE_UNIQUE(measure_site_), kind, name, text);                           \
	__attribute__((cleanup(measure_scope_end), unused)) struct measure_site *MEASURE_UNIQUE(   \
		measure_scope_) = measure_scope_begin(&MEASURE_UNIQUE(measure_site_))
#define MEASURE_REGION(name) MEASURE_SCOPE(MEASURE_SITE_REGION, name, 0)
#ifdef __cplusplus
#define MEASURE_FUNCTION MEASURE_SCOPE(MEASURE_SITE_FUNCTION, __func__, __PRETTY_FUNCTION__)
#else
#define MEASURE_FUNCTION MEASURE_SCOPE(MEASURE_SITE_FUNCTION, __func__, 0)
#endif

MEASURE_INLINE struct measure_site *measure_scope_begin(struct measure_site *site)
{
	measure_site_begin(site);
	return site;
}

MEASURE_INLINE void measure_scope_end(struct measure_site **site)
{
	measure_site_end(*site);
}

/* -------------------------------------------------------------- values and markers --- */

/* A parameter is a value of the innermost open region, such as the problem size. A double is
 * recorded as the nearest integer, with an attribute of the same name that has the exact value. A
 * process can record 65,536 different strings. */
#define MEASURE_VALUE(call, kind, name, text, value)                                               \
	do {                                                                                       \
		MEASURE_DEFINE(measure_value_site, kind, name, text);                              \
		call(&measure_value_site, value);                                                  \
	} while (0)
#define MEASURE_PARAMETER_INT64(name, value)                                                       \
	MEASURE_VALUE(measure_value_int64, MEASURE_SITE_PARAMETER, name, 0, value)
#define MEASURE_PARAMETER_UINT64(name, value)                                                      \
	MEASURE_VALUE(measure_value_uint64, MEASURE_SITE_PARAMETER, name, 0, value)
#define MEASURE_PARAMETER_DOUBLE(name, value)                                                      \
	MEASURE_VALUE(measure_value_double, MEASURE_SITE_PARAMETER, name, 0, value)
#define MEASURE_PARAMETER_STRING(name, value)                                                      \
	MEASURE_VALUE(measure_value_string, MEASURE_SITE_PARAMETER, name, 0, value)

MEASURE_INLINE void measure_value_int64(struct measure_site *site, int64_t value)
{
	MEASURE_CALL(parameter_int64, (site, value));
}

MEASURE_INLINE void measure_value_uint64(struct measure_site *site, uint64_t value)
{
	MEASURE_CALL(parameter_uint64, (site, value));
}

MEASURE_INLINE void measure_value_double(struct measure_site *site, double value)
{
	MEASURE_CALL(parameter_double, (site, value));
}

MEASURE_INLINE void measure_value_string(struct measure_site *site, const char *value)
{
	MEASURE_CALL(parameter_string, (site, value));
}

/* A metric is a value over time of the calling thread, such as a residual. `unit` is "bytes", "#",
 * ... */
#define MEASURE_METRIC_INT64(name, unit, value)                                                    \
	MEASURE_VALUE(measure_metric_int64, MEASURE_SITE_METRIC, name, unit, value)
#define MEASURE_METRIC_UINT64(name, unit, value)                                                   \
	MEASURE_VALUE(measure_metric_uint64, MEASURE_SITE_METRIC, name, unit, value)
#define MEASURE_METRIC_DOUBLE(name, unit, value)                                                   \
	MEASURE_VALUE(measure_metric_double, MEASURE_SITE_METRIC, name, unit, value)

MEASURE_INLINE void measure_metric_int64(struct measure_site *site, int64_t value)
{
	MEASURE_CALL(metric_int64, (site, value));
}

MEASURE_INLINE void measure_metric_uint64(struct measure_site *site, uint64_t value)
{
	MEASURE_CALL(metric_uint64, (site, value));
}

MEASURE_INLINE void measure_metric_double(struct measure_site *site, double value)
{
	MEASURE_CALL(metric_double, (site, value));
}

/* Marks the current time on the calling thread; viewers show a line. A process can set 10,000
 * markers. */
MEASURE_INLINE void measure_marker(
	const char *category, const char *text, enum measure_severity severity)
{
	MEASURE_CALL(marker, (category, text, (uint32_t)severity));
}

/* -------------------------------------------------------------------- the recording --- */

/* Stops the recording of the calling thread until it is switched on again, which MeasurementOnOff
 * events show. Regions that begin or end in between are begun or ended when recording resumes.
 * Switch on all ranks at the same places: otherwise messages have only one side, and measure-check
 * reports them. */
MEASURE_INLINE void measure_recording_off(void)
{
	MEASURE_CALL(recording, (0));
}

MEASURE_INLINE void measure_recording_on(void)
{
	MEASURE_CALL(recording, (1));
}

/* 1 if this process is recorded, otherwise 0, also in a forked child that is not followed. */
MEASURE_INLINE int measure_recording(void)
{
	int is_recording = 0;

	MEASURE_CALL_FOR(is_recording, is_recording, ());
	return is_recording;
}

/* Writes event memory to files, and returns when this is done, or after --patience seconds. Call it
 * before a part of the program that writing must not disturb. It is never needed to keep events. */
MEASURE_INLINE void measure_flush(void)
{
	MEASURE_CALL(flush, ());
}

/* Asks for an archive of the run so far, with all events up to this call that are kept, and returns
 * at once: another process makes it, as DIR/snapshot-1, -2, ... Of calls while one is being made,
 * one makes another. Of processes of a node that call it at about the same time, one makes it. */
MEASURE_INLINE void measure_snapshot(void)
{
	MEASURE_CALL(snapshot, ());
}

/* -------------------------------------------------------------------------- topology --- */

/* Defines the place of this process in a grid of all ranks of the job; without MPI, the place of
 * the calling thread in a grid of threads. In an MPI program, call it after MPI_Init. `name`
 * identifies the grid; all ranks pass the same sizes. `are_periodic` has 0 or 1 for each
 * dimension. */
MEASURE_INLINE void measure_cartesian(const char *name, uint32_t nr_dimensions,
	const uint32_t *sizes, const uint32_t *are_periodic, const uint32_t *coordinates)
{
	MEASURE_CALL(cartesian, (name, nr_dimensions, sizes, are_periodic, coordinates));
}

/* ----------------------------------------------------------------------------- tasks --- */

/* Tasks of the program's own run-time system, recorded like those of OpenMP:
 *
 *	MEASURE_TASK_DEFINE(gemm, "gemm");		a kind of task
 *	uint64_t task = measure_task_create(&gemm, 0);	on the creating thread
 *	measure_task_access(task, MEASURE_ACCESS_RW, (uintptr_t)tile);
 *	measure_task_dependence(task, before);
 *	...
 *	measure_task_ready(task);			when it may begin
 *	...
 *	measure_task_begin(&gemm, task);		on the executing thread
 *	measure_task_end(&gemm, task);
 *
 * Each created task begins once and ends once. Accesses and dependences follow the creation, on the
 * same thread, before the next creation. A task may execute others before it ends. Task 0 means no
 * task: without Measure, each creation returns it, and all calls accept it. */
#define MEASURE_TASK_DEFINE(handle, name) MEASURE_DEFINE(handle, MEASURE_SITE_TASK, name, 0)

/* `info` may be NULL. */
MEASURE_INLINE uint64_t measure_task_create(
	struct measure_site *site, const struct measure_task_info *info)
{
	uint64_t task = 0;

	MEASURE_CALL_FOR(task, task_create, (site, info));
	return task;
}

MEASURE_INLINE void measure_task_access(uint64_t task, enum measure_access access, uint64_t data)
{
	MEASURE_CALL(task_access, (task, (uint32_t)access, data));
}

/* `task` may not begin before the task `before` has ended. */
MEASURE_INLINE void measure_task_dependence(uint64_t task, uint64_t before)
{
	MEASURE_CALL(task_dependence, (task, before));
}

MEASURE_INLINE void measure_task_ready(uint64_t task)
{
	MEASURE_CALL(task_ready, (task));
}

MEASURE_INLINE void measure_task_begin(struct measure_site *site, uint64_t task)
{
	MEASURE_CALL(task_begin, (site, task));
}

MEASURE_INLINE void measure_task_end(struct measure_site *site, uint64_t task)
{
	MEASURE_CALL(task_end, (site, task));
}

/* A task that is a message: behind its creation, with the rank of the partner in MPI_COMM_WORLD.
 * The k-th send of a rank to another with a tag meets the k-th receive there. */
MEASURE_INLINE void measure_task_send(uint64_t task, uint32_t rank)
{
	MEASURE_CALL(task_send, (task, rank));
}

MEASURE_INLINE void measure_task_receive(uint64_t task, uint32_t rank)
{
	MEASURE_CALL(task_receive, (task, rank));
}

/* The end of a task that no thread executes, such as a message: by the thread that saw it. */
MEASURE_INLINE void measure_task_complete(uint64_t task)
{
	MEASURE_CALL(task_complete, (task));
}

/* Data that tasks access. The result names it in measure_task_access(), where the address will do
 * for data that is not registered. 0: nothing is recorded. */
MEASURE_INLINE uint64_t measure_data_register(const struct measure_data_info *info)
{
	uint64_t data = 0;

	MEASURE_CALL_FOR(data, data_register, (info));
	return data;
}

/* What became known later, or has changed. */
MEASURE_INLINE void measure_data_describe(uint64_t data, const struct measure_data_info *info)
{
	MEASURE_CALL(data_describe, (data, info));
}

MEASURE_INLINE void measure_data_unregister(uint64_t data)
{
	MEASURE_CALL(data_unregister, (data));
}

/* Data is copied from one memory node of the process to another; returns the number of the
 * transfer, which may end on another thread. */
MEASURE_INLINE uint64_t measure_transfer_begin(
	uint64_t data, uint32_t from, uint32_t to, uint64_t bytes)
{
	uint64_t transfer = 0;

	MEASURE_CALL_FOR(transfer, transfer_begin, (data, from, to, bytes));
	return transfer;
}

MEASURE_INLINE void measure_transfer_end(uint64_t transfer)
{
	MEASURE_CALL(transfer_end, (transfer));
}

/* The calling thread is a worker. */
MEASURE_INLINE void measure_worker(const struct measure_worker_info *info)
{
	MEASURE_CALL(worker, (info));
}

/* A region in which a worker does not execute a task. `state`: "idle", "sleeping", "scheduling",
 * "fetching", "pushing", "callback", "submitting", "waiting", "executing" (what belongs to a task
 * that has its own region), "initializing". */
#define MEASURE_WORKER_STATE_DEFINE(handle, state)                                                 \
	MEASURE_DEFINE(handle, MEASURE_SITE_REGION, state, "task.state." state)

#endif /* MEASURE_USER_CALLS_ONLY */

#ifdef __cplusplus
}
#endif

/* ------------------------------------------------------------------------------- C++ --- */

#if defined(__cplusplus) && !defined(MEASURE_USER_CALLS_ONLY)
namespace measure
{

/* A region for the lifetime of an object, on one thread, by a handle or by a name, which is looked
 * up once. */
class region
{
      public:
	MEASURE_PLAIN explicit region(measure_site &site) : site_(&site)
	{
		measure_site_begin(site_);
	}

	MEASURE_PLAIN explicit region(const char *name)
	    : site_(measure_site_find(name, MEASURE_SITE_REGION))
	{
		if (site_)
			measure_site_begin(site_);
	}

	MEASURE_PLAIN ~region()
	{
		if (site_)
			measure_site_end(site_);
	}

      private:
	region(const region &);
	region &operator=(const region &);

	measure_site *site_;
};

/* The same for an iteration, a phase, and the execution of a task. */
class iteration
{
      public:
	MEASURE_PLAIN iteration(measure_site &site, uint64_t number) : site_(&site)
	{
		measure_iteration_begin(site_, number);
	}

	MEASURE_PLAIN ~iteration()
	{
		measure_site_end(site_);
	}

      private:
	iteration(const iteration &);
	iteration &operator=(const iteration &);

	measure_site *site_;
};

class phase
{
      public:
	MEASURE_PLAIN explicit phase(measure_site &site) : site_(&site)
	{
		measure_site_begin(site_);
	}

	MEASURE_PLAIN ~phase()
	{
		measure_user_phase_ends(site_);
	}

      private:
	phase(const phase &);
	phase &operator=(const phase &);

	measure_site *site_;
};

class task
{
      public:
	MEASURE_PLAIN task(measure_site &site, uint64_t number) : site_(&site), number_(number)
	{
		measure_task_begin(site_, number_);
	}

	MEASURE_PLAIN ~task()
	{
		measure_task_end(site_, number_);
	}

      private:
	task(const task &);
	task &operator=(const task &);

	measure_site *site_;
	uint64_t number_;
};

} // namespace measure
#endif

#endif
