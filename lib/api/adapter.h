/* SPDX-License-Identifier: BSD-3-Clause
 *
 * THE door for adapters. An adapter is a shared object of its own that is preloaded beside
 * libmeasure.so, includes nothing of Measure but lib/api, and ends in one
 * `const struct measure_adapter` that it registers from its constructor.
 * adapters/none is the commented template; doc/adding-an-adapter.md the guide.
 *
 * A wrapper records in transactions. A transaction reads the clock once, so all its records carry
 * one time; it takes the guard, so nothing that happens inside can record into itself:
 *
 *	struct measure_location *location = measure_record_begin();
 *	if (location) {
 *		measure_write_enter(location, region);
 *		measure_write_mpi_send(location, receiver, comm, tag, bytes);
 *		measure_record_end(location);
 *	}
 *	result = PMPI_Send(...);
 *	...
 *
 * Nothing here ever exits, aborts, prints on stdout or changes errno, and a NULL from
 * measure_record_begin() always means: pass the call through. */
#ifndef MEASURE_API_ADAPTER_H
#define MEASURE_API_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../format/otf2_records.h"
#include "metric_types.h"
#include "status.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything below is exported; the rest of Measure is built with hidden visibility. */
#pragma GCC visibility push(default)

#define MEASURE_ADAPTER_ABI 6

/* Process-local ids of definitions, from 0 in order of creation. That of a region which the filter
 * leaves out has a mark: its Enter and Leave write nothing. */
typedef uint32_t measure_region_t;
typedef uint32_t measure_comm_t;
typedef uint32_t measure_window_t;
typedef uint32_t measure_group_t;
typedef uint32_t measure_io_file_t;
typedef uint32_t measure_io_handle_t;
typedef uint32_t measure_attribute_t;
typedef uint32_t measure_parameter_t;
typedef uint32_t measure_string_t;
typedef uint32_t measure_context_t;
typedef uint32_t measure_generator_t;
#define MEASURE_UNDEFINED UINT32_MAX
#define MEASURE_REGION_MARKED (UINT32_C(1) << 29) /* ids from here on have a mark */

/* One per recording thread. Only its own thread may write to it. */
struct measure_location;

/* ---------------------------------------------------------------- life cycle --- */

/* Places of a program at which it is known that all ranks of the job have come to the same one,
 * told apart by nothing but their number: a series of them, of which a job may have several. All
 * zero is one that is over. */
struct measure_points {
	uint32_t left; /* points until somebody is to be told; 0: nobody ever again */
	uint32_t step; /* what `left` was last; for whoever is told */
	uint64_t ticks;
};

/* All callbacks may be NULL. Order: started, (parallel_begin, parallel_point*, parallel_end)?;
 * each but parallel_point at most once per process, never concurrently with itself, never in a
 * forked child but for child_started; thread_ends once per thread, on it. There is no callback for
 * the end of the process: recording goes on until the very end, and whatever an adapter has not
 * said by then is not in the archive. */
struct measure_adapter {
	uint32_t abi; /* MEASURE_ADAPTER_ABI */
	const char *name;

	/* Recording has started in this process. May define, may record. */
	void (*started)(void);

	/* The job can communicate (after MPI_Init) / is about to lose that (before
	 * MPI_Finalize). Called on all ranks, by the thread that called MPI. */
	void (*parallel_begin)(const struct measure_transport *transport);
	void (*parallel_end)(const struct measure_transport *transport);

	/* A point of a series that was to be told of. Sets `left`, to the same on all ranks. The
	 * transport has send and receive only, apart from those of other series, and gives up
	 * where nobody comes. Threads may be in points of different series at once. */
	void (*parallel_point)(
		const struct measure_transport *transport, struct measure_points *points);

	/* The calling thread, which has a location, is about to be gone: it has run the
	 * destructors of all its keys. May record. The first thread has no end. */
	void (*thread_ends)(void);

	/* A forked child begins, which is recorded as a process of its own (--children=follow).
	 * What was defined before holds there, with its number, but for communicators, windows,
	 * groups and what is about files. On its only thread, all signals blocked: mutexes that
	 * other threads have had are to be made free. May define and record; may not allocate by
	 * the C library. NULL: the adapter stays out of the way there. */
	void (*child_started)(void);
};

/* Registers an adapter; calls its `started` at once where recording has started already.
 * MEASURE_ERROR_OFF: this process does not record, the adapter should stay out of the way.
 * Thread-safe. The struct must live as long as the process. */
measure_status_t measure_adapter_register(const struct measure_adapter *adapter);

/* True while this process records. False in a forked child, also where its functions are
 * recorded, and before and after recording. One load; async-signal-safe. */
extern const struct measure_gates {
	volatile uint32_t is_open_for_functions;
	volatile uint32_t is_open_for_adapters;
} measure_gates;
static inline bool measure_is_recording(void)
{
	return measure_gates.is_open_for_adapters;
}

/* The same, but true in a forked child that is recorded: for adapters with child_started. */
bool measure_is_recording_followed(void);

/* The text of an option of `measure` that has one, by its name in lib/config/config.def
 * ("mpi_groups"). NULL: there is none of that name, or this process does not record. Lives as
 * long as the process. */
const char *measure_option_text(const char *name);

/* The same of an option that is a size, in bytes. 0: "auto", or there is none of that name, or this
 * process does not record. */
uint64_t measure_option_size(const char *name);

/* Announces the job's transport to all registered adapters; see struct measure_adapter. */
void measure_parallel_begin(const struct measure_transport *transport);
void measure_parallel_end(const struct measure_transport *transport);

/* Tells the adapter that wants to know, the first where there are several; where there is none the
 * series is over. */
void measure_parallel_point(
	const struct measure_transport *transport, struct measure_points *points);

/* --------------------------------------------------------------- definitions --- */

/* Numbers are OTF2's own (OTF2_Definitions.h, OTF2_GeneralDefinitions.h); adapters may
 * include <otf2/OTF2_Definitions.h> and <otf2/OTF2_GeneralDefinitions.h> for their names. */
struct measure_region_info {
	const char *name;
	const char *canonical_name; /* NULL: same as name */
	const char *file;	    /* NULL: unknown */
	uint32_t begin_line;	    /* 0: unknown */
	uint32_t end_line;	    /* 0: unknown */
	uint8_t role;		    /* OTF2_RegionRole */
	uint8_t paradigm;	    /* OTF2_Paradigm */
	uint32_t flags;		    /* OTF2_RegionFlag */
};

/* Defines a region; each call makes a new one (equal ones are unified when the archive is
 * assembled). Returns MEASURE_UNDEFINED where recording is off. Takes a lock; not
 * async-signal-safe. Strings are copied. */
measure_region_t measure_region_define(const struct measure_region_info *info);

/* The region of the function (or outlined parallel body, or call site) at a code address.
 * Its name, file and line are looked up in ELF and DWARF data when the archive is assembled,
 * so this is cheap: lock-free after the first call for an address. `prefix` NULL: the
 * function's own name. Otherwise the name becomes "<prefix> @file:line" of that address
 * ("!$omp parallel @heat2d.c:88"); it must be a string constant: its address tells it apart. */
measure_region_t measure_region_at(const void *address, const char *prefix, uint8_t role,
	uint8_t paradigm);

enum measure_comm_kind {
	MEASURE_COMM_WORLD, /* members: all ranks of the MPI world */
	MEASURE_COMM_SELF,
	MEASURE_COMM_GROUP, /* members are ranks in the MPI world */
	MEASURE_COMM_TEAM,  /* members are location indices of this process */
	MEASURE_COMM_INTER, /* two groups of ranks in the MPI world: members and others */
	MEASURE_COMM_THREADS /* members: all locations of this process, also those to come */
};

/* Identity of a communicator, the same on all its members by construction, made without
 * communication: e.g. a hash of (parent's key, how many children of this group the parent
 * had, hash of the member ranks, tag). */
struct measure_comm_key {
	uint64_t high;
	uint64_t low;
};

enum measure_comm_side {
	MEASURE_SIDES_BOTH, /* members and others are the two groups */
	MEASURE_SIDE_FIRST, /* members are the first group */
	MEASURE_SIDE_SECOND
};

struct measure_comm_info {
	enum measure_comm_kind kind;
	const char *name; /* NULL or "": none */
	struct measure_comm_key key;
	measure_comm_t parent; /* MEASURE_UNDEFINED: none */
	uint8_t paradigm;      /* OTF2_Paradigm */
	uint32_t nr_members;
	const uint32_t *members;
	bool has_events; /* its making and freeing are recorded (CommCreate, CommDestroy) */
	/* Of an intercommunicator: the second group, in an order that all members agree on. Where
	 * one is of another world, members are those of the side that says so, others are only
	 * counted (NULL), and both sides give the key that makes them one. */
	uint32_t nr_others;
	const uint32_t *others;
	enum measure_comm_side side;
	bool is_relative; /* members and others are ranks in the parent, of an intercommunicator
			     those of its second group counted on from the first */
};

/* measure_comm_define = reserve + describe. A reserved id may be used in records at once and
 * described later (a team's members are known only when its threads have come). */
measure_comm_t measure_comm_define(const struct measure_comm_info *info);
measure_comm_t measure_comm_reserve(void);
void measure_comm_describe(measure_comm_t comm, const struct measure_comm_info *info);

/* The program named the communicator; the last name given holds. */
void measure_comm_name(measure_comm_t comm, const char *name);

/* This process's place in the Cartesian topology of a communicator that is defined. Equal on
 * all members but for rank and coordinates. */
struct measure_cart_info {
	uint32_t rank; /* of this process in the communicator */
	uint32_t nr_dimensions;
	const uint32_t *sizes;	   /* of the dimensions */
	const uint32_t *are_periodic; /* 0 or 1 each */
	const uint32_t *coordinates;
};
void measure_cart_define(measure_comm_t comm, const struct measure_cart_info *info);

/* A window of one-sided communication over the members of a communicator. `key`: its identity,
 * the same on all members, made without communication. `has_events`: its creation and its freeing
 * are recorded. Unnamed until it is named; the last name given holds. */
measure_window_t measure_window_define(
	measure_comm_t comm, struct measure_comm_key key, bool has_events);
void measure_window_name(measure_window_t window, const char *name);

/* Some of the ranks of the MPI world, as records name them that concern a part of a
 * communicator. Each call makes a new one (equal ones are unified). */
measure_group_t measure_group_define(uint32_t nr_members, const uint32_t *members);

/* This process is rank `rank` of an MPI world of `size`. `world` names that world: the same
 * on all its ranks, different for others of the same job (MPI_Comm_spawn). */
void measure_world_define(uint32_t rank, uint32_t size, struct measure_comm_key world);

/* One clock offset sample: at local tick `ticks`, reference clock = ticks + offset, right to
 * within `bound` ticks (a hard bound from round trips, not a deviation). */
struct measure_clock_sample {
	uint64_t ticks;
	int64_t offset;
	uint64_t bound;
};
void measure_clock_sample_define(const struct measure_clock_sample *sample);

/* Free-form fact about this process, kept as a property of its location group. */
void measure_property_define(const char *name, const char *value);

/* ---------------------------------------------------------- input and output --- */

/* Interfaces that files are accessed by; records name them by these numbers. */
enum measure_io_paradigm {
#define IO_PARADIGM(NAME, identification, name, class, flags) MEASURE_IO_##NAME,
#include "io_paradigms.def"
#undef IO_PARADIGM
	MEASURE_NR_IO_PARADIGMS
};

/* Says that this process records a paradigm; before the first record or handle that names it.
 * `version`: of the implementation, or NULL. */
void measure_io_paradigm_define(enum measure_io_paradigm paradigm, const char *version);

/* The file of a path, which need not exist (then its directory counts): made absolute, without
 * symbolic links. Equal files are one, also those of two nodes on a shared file system. Asks
 * the file system; takes a lock; not async-signal-safe; keeps errno. */
measure_io_file_t measure_io_file_define(const char *path);

struct measure_io_handle_info {
	const char *name; /* NULL or "": none */
	measure_io_file_t file; /* MEASURE_UNDEFINED: of none that has a path */
	enum measure_io_paradigm paradigm;
	uint32_t flags;		     /* OTF2_IoHandleFlag */
	measure_comm_t comm;	     /* whose members opened it together; MEASURE_UNDEFINED: none */
	struct measure_comm_key key; /* all members give the same, and get one handle; zero: it is
				      * this process's own */
	measure_io_handle_t parent; /* of the paradigm that opened it, or MEASURE_UNDEFINED */
	/* Of one that was there before recording began, with OTF2_IO_HANDLE_FLAG_PRE_CREATED: */
	uint8_t access;	       /* OTF2_IoAccessMode */
	uint32_t status_flags; /* OTF2_IoStatusFlag */
};

/* Each call makes a new one. It is to be created and destroyed by records, but for the creation of
 * one that was there before; the life of one handle may be repeated. */
measure_io_handle_t measure_io_handle_define(const struct measure_io_handle_info *info);

/* --------------------------------------------------------------- attributes --- */

/* What records can carry beside their own fields; `type`: OTF2_Type. Equal ones are unified. */
measure_attribute_t measure_attribute_define(
	const char *name, const char *description, uint8_t type);

/* A value that a record cannot hold, in a record of its own behind it
 * (measure_write_parameter_unsigned_int and its kin), any number of times. Equal ones are
 * unified. */
enum measure_parameter_type {
	MEASURE_PARAMETER_UNSIGNED_INT,
	MEASURE_PARAMETER_INT,
	MEASURE_PARAMETER_STRING
};
measure_parameter_t measure_parameter_define(const char *name, enum measure_parameter_type type);

/* A text that records name. Each call makes a new one, and takes its bytes from the memory for
 * definitions, which has a bound: remember those that come again. Takes a lock; not
 * async-signal-safe. */
measure_string_t measure_string_define(const char *text);

/* A moment of this thread that the user has marked, at the time of its call; `severity`:
 * OTF2_MarkerSeverity. A definition, not a record: it takes a lock and some 100 bytes of the memory
 * for definitions, so there may be MEASURE_MOST_MARKERS of a process; more are counted only. Not in
 * a transaction; not async-signal-safe. */
#define MEASURE_MOST_MARKERS 10000
void measure_marker_define(const char *category, const char *text, uint8_t severity);

/* -------------------------------------------------------------------- metrics --- */

/* Values, and what metrics are: metric_types.h. */
struct measure_metric_class {
	uint32_t id; /* MEASURE_UNDEFINED: nothing is recorded */
	uint8_t nr;
	uint8_t value_types[MEASURE_MOST_METRICS];
};

/* Defines up to MEASURE_MOST_METRICS metrics and their class. Equal ones are unified. `occurrence`:
 * OTF2_MetricOccurrence. Takes a lock; not async-signal-safe. Strings are copied. False: recording
 * is off, or there are too many. */
bool measure_metric_class_define(const struct measure_metric_info *metrics, uint32_t nr,
	uint8_t occurrence, struct measure_metric_class *metric_class);

/* Of a source (metric.h) that knows by itself which metrics it has, in place of
 * measure_metric_register(): these, at most MEASURE_MOST_METRICS, are read together, before each
 * Enter and Leave of threads for which begin() says so. begin() gets their names, by the pointers
 * in `metrics`. `is_seldom`: where read() has none now, nothing is missing. Strings live as long as
 * the process. Takes a lock; not async-signal-safe. False: recording is off, or there is no room.
 */
struct measure_metric_source;
bool measure_metric_add(const struct measure_metric_source *source,
	const struct measure_metric_info *metrics, uint32_t nr, bool is_seldom);

/* A source is not there although it was there when `measure` asked it. It is counted. */
void measure_metric_missing(void);

/* In an open transaction: the values of the metrics of a class, as many as it has. */
void measure_write_metric(struct measure_location *location,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values);

/* -------------------------------------------------------------------- samples --- */

/* What interrupts threads, so that samples of their call stacks can be taken. Numbers are OTF2's
 * (OTF2_Definitions.h): a period of period * base ^ exponent seconds, or of so many counts. */
struct measure_generator_info {
	const char *name;
	uint8_t mode; /* OTF2_InterruptGeneratorMode */
	uint8_t base; /* OTF2_Base */
	int64_t exponent;
	uint64_t period;
};

/* Equal ones are unified. MEASURE_UNDEFINED: recording is off. Takes a lock; not
 * async-signal-safe. */
measure_generator_t measure_interrupt_generator_define(const struct measure_generator_info *info);

/* The call stack that has one more frame than that of `parent` (MEASURE_UNDEFINED: none): the
 * function that begins at `function` (0: not known) is at `address`, which is what runs, or a byte
 * of the call that it waits for. Names are looked up when the archive is assembled. Lock-free
 * after the first time. MEASURE_UNDEFINED: recording is off, or not now: somebody defines
 * something. Async-signal-safe where all signals are blocked, and only then to be called. */
measure_context_t measure_calling_context_at(
	measure_context_t parent, uint64_t function, uint64_t address);

/* From a signal handler, in which all signals are blocked: opens a transaction for one record
 * CallingContextSample. Unlike measure_record_begin() it makes no location for the thread and
 * leaves what was put off where it is. NULL: none can be taken here; counted. The end counts what
 * is between as the cost of a sample. True: there is a record. */
struct measure_location *measure_sample_begin(void);
bool measure_sample_end(struct measure_location *location);

/* Counts samples that could not be taken, for the summary. Async-signal-safe. */
enum measure_sample_loss {
	MEASURE_SAMPLE_UNDEFINED, /* the call stack could not be defined */
	MEASURE_SAMPLE_LATE,      /* the signal came late, or the clock is coarse */
	MEASURE_SAMPLE_REFUSED    /* threads that could not have a timer */
};
void measure_sample_lost(enum measure_sample_loss why, uint64_t how_many);

/* -------------------------------------------------------------------- clock --- */

/* The recording clock, ticks. Thread-safe, async-signal-safe. */
uint64_t measure_clock_now(void);

/* Ticks per second as known now (the archive's own value is refined over the whole run). */
double measure_clock_frequency(void);

/* Processes with equal domains read the same clock: same node, same source, same time
 * namespace where that matters. A simulated clock is a domain of its own. */
uint64_t measure_clock_domain(void);

/* ---------------------------------------------------------------- locations --- */

/* Index of this thread's location in this process, created if need be. 0 is the first
 * thread. MEASURE_UNDEFINED where recording is off. */
uint32_t measure_location_index(void);

/* Names this thread's location ("OpenMP thread 3"); the last name given holds. */
void measure_location_name(const char *name);

/* Names a location of this process by its index. */
void measure_location_rename(uint32_t index, const char *name);

/* First of all calls on a thread whose creation was recorded (ThreadCreate): takes a location
 * for it, one that such a thread has left where there is one, and writes ThreadBegin. ThreadEnd
 * is written when the thread is gone, whichever way it goes, behind its last record. False:
 * nothing is recorded. */
bool measure_thread_begin(measure_comm_t contingent, uint64_t sequence);

/* This thread has come to where a team ends, and will hear that it is over only when it is needed
 * again, maybe never. Where the process ends before this thread has recorded anything else, its
 * open regions are left, and the team is ended, at the time that measure_release() has given to
 * this release since.
 *
 * A release serves one team after another, as long as nobody rests in the one before. There are
 * some per location, never given back; MEASURE_UNDEFINED: no more, and both calls do nothing. */
uint32_t measure_release_new(void);
void measure_release(uint32_t release, uint64_t time);
void measure_location_rest(uint32_t release, measure_comm_t team);

/* The program is between two of its phases: what fills whole chunks of event memory may be written
 * to files now, and with --spool=phase only now, or when memory runs short. With `is_waited_for`
 * this returns when it has been written, so that the disk is quiet in the next phase; where
 * nothing can be written, after --patience seconds at most. The wait becomes a BufferFlush of
 * this thread. With --spool=full or end it does nothing. Any thread, at any time outside of
 * transactions; one thread of a process is enough. */
void measure_phase_end(bool is_waited_for);

/* ------------------------------------------------------------------- records --- */

/* Opens a transaction on this thread's location: guard taken, clock read. NULL: recording is
 * off, or this thread is inside a transaction already (a signal handler; the loss is counted).
 * No lock, no system call, no allocation after the thread's first call. Signal-safe in that
 * sense: a handler's events are recorded unless it interrupted a transaction. */
struct measure_location *measure_record_begin(void);

/* The same, but in a forked child that is recorded as well: for adapters with child_started. */
struct measure_location *measure_record_begin_followed(void);

/* measure_record_begin() with a time of the past, as measure_clock_now() gave it: for what is known
 * only now that it is over, such as the end of a wait. The thread must have recorded nothing since;
 * where it has (a signal handler), the transaction carries the time of its last record. */
struct measure_location *measure_record_begin_at(uint64_t time);

/* Puts records off: calls `action` on this thread at the beginning of its next transaction, or of the
 * next exit of a function that is not the innermost region; at the latest when something else is
 * put off. For what is over while functions in it still have to return. Not in a transaction; the
 * action opens transactions of its own. */
void measure_record_later(void (*action)(void *data), void *data);

/* Time of the open transaction; all records until measure_record_end() carry it. */
uint64_t measure_record_time(const struct measure_location *location);

/* Closes the transaction and publishes its records. */
void measure_record_end(struct measure_location *location);

/* Enter and Leave keep the location's region stack. A Leave of a region that is not open is
 * dropped and counted; regions above the one left are closed first and counted. */
void measure_write_enter(struct measure_location *location, measure_region_t region);
void measure_write_leave(struct measure_location *location, measure_region_t region);

/* The same of a call that has only asked whether something has happened yet, and learnt that it has
 * not: where these come too often for --overhead, only the first of those that directly follow each
 * other is kept, the others are taken back and counted. */
void measure_write_poll_leave(struct measure_location *location, measure_region_t region);

/* The whole of an entry or exit of a region that was defined by name: a transaction, and Enter or
 * Leave. In a forked child that is recorded as well, as all below up to the hooks of functions. */
void measure_region_enter(measure_region_t region);
void measure_region_leave(measure_region_t region);

/* Recording of the calling thread is off from now on, or on again. Meanwhile it has transactions as
 * ever, and what is written there is counted only; the region stack goes on, so that Enters and
 * Leaves are balanced: see MeasurementOnOff in OTF2. Does nothing where it is so already. */
void measure_record_switch(bool is_on);

/* The whole of a function-entry or -exit hook: region by code address, one transaction, Enter or
 * Leave. `frame` is an address in the caller's stack frame (__builtin_frame_address(0) of the
 * hook): callees have lower ones, and inlined functions have the same one and the same
 * `call_site`, so frames left by longjmp or an exception are noticed and closed first.
 * `return_address` is the hook's own (__builtin_return_address(0)). */
void measure_function_enter(const void *function, const void *call_site, const void *frame,
	const void *return_address);
void measure_function_leave(const void *function, const void *call_site, const void *frame,
	const void *return_address);

/* The hooks that call them, so that calls of these can be told from others in the program's code
 * and be taken out for functions that are not recorded. */
void measure_function_hooks(const void *enter, const void *exit);

/* In an open transaction, right before a record: that one carries the attributes, each at most once.
 * One call of one of these for a record, with at most MEASURE_MOST_ATTRIBUTES; with more or none it
 * does nothing. */
#define MEASURE_MOST_ATTRIBUTES 6

/* A single one, defined as OTF2_TYPE_UINT64. */
void measure_write_attribute_uint64(
	struct measure_location *location, measure_attribute_t attribute, uint64_t value);

/* Several, of any types. */
struct measure_typed_value {
	measure_attribute_t attribute;
	uint8_t type; /* OTF2_TYPE_UINT64, _INT64, _DOUBLE, or that of an id: _REGION, _STRING */
	union {
		uint64_t unsigned_int;
		int64_t signed_int;
		double floating_point;
		uint32_t id;
	};
};
void measure_write_attributes(struct measure_location *location,
	const struct measure_typed_value *values, uint32_t nr);

/* The attributes of many records, always the same ones in the same order, all defined as
 * OTF2_TYPE_UINT64: made once, so that a record is only given their values. What is in it is the
 * core's, which copies whole heads. False: too many, or one is not defined. */
struct measure_attribute_list {
	struct measure_attribute_head {
		uint8_t bytes[12]; /* all that stands before a value */
		uint32_t size;     /* how many these are */
	} __attribute__((aligned(16))) heads[MEASURE_MOST_ATTRIBUTES];
	uint32_t nr;
};
bool measure_attribute_list_make(
	struct measure_attribute_list *list, const measure_attribute_t *attributes, uint32_t nr);

/* Transactions of one Enter or Leave with its attributes, as many values as there are, and with values
 * of metrics, which stand before an Enter and behind a Leave. Both may be NULL. The same as the
 * calls one by one, but faster. Enter: false, if nothing is recorded. */
struct measure_metrics_beside {
	const struct measure_metric_class *metric_class;
	const union measure_metric_value *values;
};
bool measure_record_enter(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics);
void measure_record_leave(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics);

/* Every other event record: measure_write_mpi_send(location, receiver, comm, tag, bytes), ... See
 * the rows of ADAPTERS in the table. References are ids as the calls above return them. */
#define MEASURE_WRITE_ADAPTERS(name, ...)                                                          \
	void measure_write_##name(struct measure_location *location MEASURE_EACH_FIELD(            \
		MEASURE_PARAMETER, ##__VA_ARGS__));
#define MEASURE_WRITE_OTHERS(name, ...)
#define EVENT(number, Name, NAME, name, shape, by, in, ...) MEASURE_WRITE_##by(name, ##__VA_ARGS__)
#include "../format/otf2_records.def"
#undef EVENT

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
