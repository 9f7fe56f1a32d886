/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interface for adapters. An adapter is a shared object that is preloaded together with
 * libmeasure.so, includes only the headers of Measure in lib/api, and ends with one
 * `const struct measure_adapter`, which its constructor registers.
 * adapters/none is the commented template; doc/adding-an-adapter.md is the guide.
 *
 * A wrapper records in transactions. A transaction reads the clock once, so that all its records
 * have one time; it takes the guard, so that calls inside it cannot record:
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
 * No function here exits, aborts, prints on stdout or changes errno. If measure_record_begin()
 * returns NULL, always pass the call through. */
#ifndef MEASURE_API_ADAPTER_H
#define MEASURE_API_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../format/otf2_records.h"
#include "metric_types.h"
#include "pending.h"
#include "status.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything below is exported; the rest of Measure is built with hidden visibility. */
#pragma GCC visibility push(default)

#define MEASURE_ADAPTER_ABI 7

/* Process-local ids of definitions, from 0 in order of creation. The id of a region that the filter
 * excludes has a mark: its Enter and Leave write nothing. */
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
#define MEASURE_REGION_OFF    (UINT32_C(1) << 30) /* set: all calls are excluded, or UNDEFINED */

/* One per recording thread. Only its own thread may write to it. */
struct measure_location;

/* ---------------------------------------------------------------- life cycle --- */

/* A series of synchronisation points: calls that all ranks of the job are known to have reached,
 * identified only by their number in the series. A job may have several series. All members are
 * zero after the end of a series. */
struct measure_points {
	uint32_t left; /* points until the next call of parallel_point; 0: never again */
	uint32_t step; /* the previous value of `left`, for parallel_point */
	uint64_t ticks;
};

/* All callbacks may be NULL. Order: started, (parallel_begin, parallel_point*, parallel_end)?;
 * each except parallel_point at most once per process, never concurrently with itself, and never in
 * a forked child, except child_started; thread_ends once per thread, on that thread. There is no
 * callback for the end of the process: recording continues to its end, and an adapter must have
 * written its records by then. */
struct measure_adapter {
	uint32_t abi; /* MEASURE_ADAPTER_ABI */
	const char *name;

	/* Recording has started in this process. May define, may record. */
	void (*started)(void);

	/* The job can communicate (after MPI_Init) / is about to lose that (before
	 * MPI_Finalize). Called on all ranks, by the thread that called MPI. */
	void (*parallel_begin)(const struct measure_transport *transport);
	void (*parallel_end)(const struct measure_transport *transport);

	/* Called when `left` points of a series have passed. Sets `left` again, to the same value
	 * on all ranks. The transport has send and receive only, separate from those of other
	 * series, and times out if no partner arrives. Threads may be in points of different series
	 * at the same time. */
	void (*parallel_point)(
		const struct measure_transport *transport, struct measure_points *points);

	/* The calling thread, which has a location, is about to end: the destructors of all its
	 * keys have run. May record. Not called for the first thread. */
	void (*thread_ends)(void);

	/* A forked child begins that is recorded as a process of its own (--children=follow).
	 * Earlier definitions remain valid there with their numbers, except communicators, windows,
	 * groups, files and handles. Called on its only thread, with all signals blocked: unlock
	 * mutexes that other threads may have held. May define and record; must not allocate with
	 * the C library. NULL: the adapter does not record in children. */
	void (*child_started)(void);

	/* Recording leaves this process, which goes on (measure --detach): nothing of the adapter
	 * may run from then on but wrappers that threads are in. Called on any thread. Or it begins
	 * once more, in a new archive: earlier definitions remain valid, except files, handles and
	 * interrupt generators, options are new, and what happened meanwhile was not seen. Before
	 * anything is recorded; may define. */
	void (*detached)(void);
	void (*attached)(void);
};

/* Registers an adapter; calls its `started` at once if recording has already started.
 * MEASURE_ERROR_OFF: this process does not record, and the adapter should pass all calls through.
 * Thread-safe. The struct must live as long as the process. */
measure_status_t measure_adapter_register(const struct measure_adapter *adapter);

/* True while this process records. False in a forked child, even if its functions are recorded, and
 * before and after recording. One load; async-signal-safe. */
extern const struct measure_gates {
	volatile uint32_t is_open_for_functions;
	volatile uint32_t is_open_for_adapters;
} measure_gates;
static inline bool measure_is_recording(void)
{
	return measure_gates.is_open_for_adapters;
}

/* How often recording has begun in this process, with measure --attach more than once: what was
 * noted with another number belongs to an earlier archive. */
uint32_t measure_recording_number(void);

/* As measure_is_recording(), but true in a forked child that is recorded: for adapters with child_started. */
bool measure_is_recording_followed(void);

/* The value of a text option of `measure`, by its name in lib/config/config.def ("mpi_groups").
 * NULL: there is no such option, or this process does not record. Lives as long as the process. */
const char *measure_option_text(const char *name);

/* The same for an option that is a size, in bytes. 0: "auto", no such option, or this process does
 * not record. */
uint64_t measure_option_size(const char *name);

/* Announces the job's transport to all registered adapters; see struct measure_adapter. */
void measure_parallel_begin(const struct measure_transport *transport);
void measure_parallel_end(const struct measure_transport *transport);

/* Calls parallel_point of the first adapter that has it; if there is none, the series ends. */
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
 * assembled). Returns MEASURE_UNDEFINED if recording is off. Takes a lock; not
 * async-signal-safe. Strings are copied. */
measure_region_t measure_region_define(const struct measure_region_info *info);

/* The region of the function (or outlined parallel body, or call site) at a code address.
 * Its name, file and line are looked up in ELF and DWARF data when the archive is assembled,
 * so this is cheap: lock-free after the first call for an address. `prefix` NULL: the
 * function's own name. Otherwise the name becomes "<prefix> @file:line" of that address
 * ("!$omp parallel @heat2d.c:88"); it must be a string constant, which is identified by its
 * address. */
measure_region_t measure_region_at(const void *address, const char *prefix, uint8_t role,
	uint8_t paradigm);

enum measure_comm_kind {
	MEASURE_COMM_WORLD, /* members: all ranks of the MPI world */
	MEASURE_COMM_SELF,
	MEASURE_COMM_GROUP,  /* members are ranks in the MPI world */
	MEASURE_COMM_TEAM,   /* members are location indices of this process */
	MEASURE_COMM_INTER,  /* two groups of ranks in the MPI world: members and others */
	MEASURE_COMM_THREADS, /* members: all threads of this process, including later ones */
	MEASURE_COMM_LOCATIONS /* the same, and streams of devices: location `i` is member `i` */
};

/* Identity of a communicator. All members compute the same key without communication, such as a
 * hash of (key of the parent, number of earlier children of the parent with this group, hash of the
 * member ranks, tag). */
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
	bool has_events; /* its creation and release are recorded (CommCreate, CommDestroy) */
	/* For an intercommunicator: the second group, in the same order on all members. If this
	 * group is in another world, each side passes its own members, the others are only counted
	 * (NULL), and both sides pass the same key. */
	uint32_t nr_others;
	const uint32_t *others;
	enum measure_comm_side side;
	bool is_relative; /* members and others are ranks in the parent; in an intercommunicator,
			     the ranks of the second group follow those of the first */
};

/* measure_comm_define = reserve + describe. A reserved id may be used in records at once and
 * described later (the members of a team are known only when its threads have arrived). */
measure_comm_t measure_comm_define(const struct measure_comm_info *info);
measure_comm_t measure_comm_reserve(void);
void measure_comm_describe(measure_comm_t comm, const struct measure_comm_info *info);

/* Sets the name of a communicator; the last name is recorded. */
void measure_comm_name(measure_comm_t comm, const char *name);

/* The place of this process in the Cartesian topology of a defined communicator. All members pass
 * the same values, except rank and coordinates. */
struct measure_cart_info {
	uint32_t rank; /* of this process in the communicator */
	uint32_t nr_dimensions;
	const uint32_t *sizes;	   /* of the dimensions */
	const uint32_t *are_periodic; /* 0 or 1 each */
	const uint32_t *coordinates;
};
void measure_cart_define(measure_comm_t comm, const struct measure_cart_info *info);

/* A window of one-sided communication over the members of a communicator. `key` is its identity;
 * all members compute the same key without communication. `has_events`: its creation and release
 * are recorded. The last name is recorded. */
measure_window_t measure_window_define(
	measure_comm_t comm, struct measure_comm_key key, bool has_events);
void measure_window_name(measure_window_t window, const char *name);

/* A group of ranks of the MPI world, for records that concern a part of a communicator. Each call
 * makes a new one (equal ones are unified). */
measure_group_t measure_group_define(uint32_t nr_members, const uint32_t *members);

/* This process is rank `rank` of an MPI world of `size`. `world` names that world: the same
 * on all its ranks, different for others of the same job (MPI_Comm_spawn). */
void measure_world_define(uint32_t rank, uint32_t size, struct measure_comm_key world);

/* Which ranks of a world are recorded, without a word to those that are not. `world`: the same
 * number on all its ranks, another one for other worlds of the job. Not async-signal-safe.
 *
 * measure_ranks_join(): this rank is. Before anything that lets others go on (MPI_Init). False:
 * nobody will know; the launcher is not known, or the run directory cannot be written to.
 * measure_ranks_agree(): after that, on each such rank of the world. The same for all: whether all
 * ranks are, or which (`ranks`, ascending, with room for `size`). UNKNOWN: this one does not
 * record, or came too late. Waits a second where ranks are missing. */
enum measure_ranks_known { MEASURE_RANKS_ALL, MEASURE_RANKS_SOME, MEASURE_RANKS_UNKNOWN };
bool measure_ranks_join(uint64_t world);
enum measure_ranks_known measure_ranks_agree(
	uint32_t rank, uint32_t size, uint32_t *ranks, uint32_t *nr);

/* One clock offset sample: at local tick `ticks`, reference clock = ticks + offset, with an error
 * of at most `bound` ticks (a hard bound from round trips, not a deviation). */
struct measure_clock_sample {
	uint64_t ticks;
	int64_t offset;
	uint64_t bound;
};
void measure_clock_sample_define(const struct measure_clock_sample *sample);

/* A fact about this process, stored as a property of its location group. */
void measure_property_define(const char *name, const char *value);

/* ---------------------------------------------------------- input and output --- */

/* Interfaces by which files are accessed; records refer to these numbers. */
enum measure_io_paradigm {
#define IO_PARADIGM(NAME, identification, name, class, flags) MEASURE_IO_##NAME,
#include "io_paradigms.def"
#undef IO_PARADIGM
	MEASURE_NR_IO_PARADIGMS
};

/* States that this process records a paradigm; call it before the first record or handle that
 * refers to it. `version` is that of the implementation, or NULL. */
void measure_io_paradigm_define(enum measure_io_paradigm paradigm, const char *version);

/* Defines the file of a path, which is made absolute, without symbolic links. If the file does not
 * exist, its directory is resolved. Equal files get one definition, also those of two nodes on a
 * shared file system. Accesses the file system; takes a lock; not async-signal-safe; keeps errno.
 */
measure_io_file_t measure_io_file_define(const char *path);

struct measure_io_handle_info {
	const char *name; /* NULL or "": none */
	measure_io_file_t file; /* MEASURE_UNDEFINED: it has no path */
	enum measure_io_paradigm paradigm;
	uint32_t flags;		     /* OTF2_IoHandleFlag */
	measure_comm_t comm;	     /* whose members opened it together; MEASURE_UNDEFINED: none */
	struct measure_comm_key key; /* all members pass the same, and get one handle; zero: of
				      * this process only */
	measure_io_handle_t parent; /* of the paradigm that opened it, or MEASURE_UNDEFINED */
	/* For a handle that existed before recording, with OTF2_IO_HANDLE_FLAG_PRE_CREATED: */
	uint8_t access;	       /* OTF2_IoAccessMode */
	uint32_t status_flags; /* OTF2_IoStatusFlag */
};

/* Each call makes a new handle. Records create and destroy it, except that a handle that existed
 * before recording has no creation record; a handle may be created again. */
measure_io_handle_t measure_io_handle_define(const struct measure_io_handle_info *info);

/* --------------------------------------------------------------- attributes --- */

/* Attributes are additional values of records; `type`: OTF2_Type. Equal ones are unified. */
measure_attribute_t measure_attribute_define(
	const char *name, const char *description, uint8_t type);

/* Parameters are values in separate records (measure_write_parameter_unsigned_int, ...) that follow
 * a record, any number of times. Equal ones are unified. */
enum measure_parameter_type {
	MEASURE_PARAMETER_UNSIGNED_INT,
	MEASURE_PARAMETER_INT,
	MEASURE_PARAMETER_STRING
};
measure_parameter_t measure_parameter_define(const char *name, enum measure_parameter_type type);

/* A string that records refer to. Each call makes a new one and takes its bytes from the memory for
 * definitions, which is limited: remember the ids of repeated strings. Takes a lock; not
 * async-signal-safe. */
measure_string_t measure_string_define(const char *text);

/* Marks the current time on this thread; `severity`: OTF2_MarkerSeverity. A marker is a definition,
 * not a record: it takes a lock and about 100 bytes of the memory for definitions, so a process can
 * have MEASURE_MOST_MARKERS; further ones are only counted. Not in a transaction; not
 * async-signal-safe. */
#define MEASURE_MOST_MARKERS 10000
void measure_marker_define(const char *category, const char *text, uint8_t severity);

/* -------------------------------------------------------------------- metrics --- */

/* Values and descriptions of metrics: metric_types.h. */
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

/* For a source (metric.h) that determines its metrics itself; it replaces
 * measure_metric_register(). The metrics, at most MEASURE_MOST_METRICS, are read together, before
 * each Enter and Leave of threads for which begin() returns a state. begin() gets their names, by
 * the pointers in `metrics`. `is_seldom`: no value is missing if read() returns false. Strings live
 * as long as the process. Takes a lock; not async-signal-safe. False: recording is off, or there is
 * no room. */
struct measure_metric_source;
bool measure_metric_add(const struct measure_metric_source *source,
	const struct measure_metric_info *metrics, uint32_t nr, bool is_seldom);

/* Counts a source that is missing although it existed when `measure` queried it. */
void measure_metric_missing(void);

/* In an open transaction: writes the values of all metrics of a class. */
void measure_write_metric(struct measure_location *location,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values);

/* -------------------------------------------------------------------- samples --- */

/* A source of interrupts for samples of call stacks. Numbers are those of OTF2
 * (OTF2_Definitions.h): a period of period * base ^ exponent seconds, or that number of counts. */
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

/* The call stack of `parent` (MEASURE_UNDEFINED: empty) with one more frame: the function that
 * begins at `function` (0: unknown), at `address`, which is that of the current instruction or
 * within the call that the frame waits for. Names are looked up when the archive is assembled.
 * Lock-free after the first time. MEASURE_UNDEFINED: recording is off, or another definition is in
 * progress. Async-signal-safe; call it only while all signals are blocked. */
measure_context_t measure_calling_context_at(
	measure_context_t parent, uint64_t function, uint64_t address);

/* In a signal handler with all signals blocked: opens a transaction for one CallingContextSample.
 * Unlike measure_record_begin(), it creates no location for the thread and does not execute
 * deferred records. NULL: no sample can be taken here; this is counted. measure_sample_end() adds
 * the time since then to the cost of samples, and returns whether there is a record. */
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

/* Ticks per second as known now (the value in the archive is refined over the whole run). */
double measure_clock_frequency(void);

/* Processes with equal domains read the same clock: same node, same source, same time
 * namespace if that affects the clock. A simulated clock is a domain of its own. */
uint64_t measure_clock_domain(void);

/* ------------------------------------------------- what a call is about to wait for --- */

/* In the transaction that enters the region of a call that may block: what the call needs. Not a
 * record; overwrites what was said before, and need not be taken back. By value, so that it stays
 * in registers: it is on the way of each message. */
void measure_pending_note(struct measure_location *location, struct measure_pending_item item);

/* The same where it needs all of several, or (`is_any`) one. `nr` may exceed MEASURE_PENDING_ITEMS:
 * then only so many are there. */
void measure_pending_note_all(struct measure_location *location, uint32_t nr,
	const struct measure_pending_item *items, bool is_any);

/* The calling thread has got a lock, or gives it up; in a transaction. */
void measure_lock_note(struct measure_location *location, uint32_t paradigm, uint32_t lock);
void measure_unlock_note(struct measure_location *location, uint32_t paradigm, uint32_t lock);

/* The handle by which others name the calling thread when they wait for its end. */
void measure_thread_note(uint64_t handle);

/* A collective of a communicator begins, whether or not it is recorded: its number, from 1; 0: it
 * is not counted. Or the last one was refused, so that its number means nothing any more. */
uint32_t measure_collective_count(measure_comm_t comm, uint8_t operation, uint32_t root);
void measure_collective_doubt(measure_comm_t comm);

/* ---------------------------------------------------------------- locations --- */

/* Index of this thread's location in this process; the location is created if necessary. 0 is the
 * first thread. MEASURE_UNDEFINED if recording is off. */
uint32_t measure_location_index(void);

/* Names this thread's location ("OpenMP thread 3"); the last name is recorded. */
void measure_location_name(const char *name);

/* Names a location of this process by its index. */
void measure_location_rename(uint32_t index, const char *name);

/* A fact about a location of this process, stored as a property of it: a text, or a number. The
 * last value of a name is recorded. Any thread may call it; takes a lock; not async-signal-safe. */
void measure_location_property(uint32_t index, const char *name, const char *value);
void measure_location_property_uint64(uint32_t index, const char *name, uint64_t value);

/* The first call on a thread whose creation was recorded (ThreadCreate): takes a location for it,
 * if possible that of an ended thread, and writes ThreadBegin. When the thread has ended, in any
 * way, ThreadEnd is written after its last record. False: nothing is recorded. */
bool measure_thread_begin(measure_comm_t contingent, uint64_t sequence);

/* measure_location_rest(): this thread has arrived at the end of a team, and will be notified of
 * that end only when it is needed again, possibly never. If the process ends before this thread has
 * recorded another event, its open regions are left, and the team is ended, at the time that
 * measure_release() has assigned to this release.
 *
 * A release serves one team after another, as long as no thread rests in the previous one. Each
 * location has a limited number, which are never freed; MEASURE_UNDEFINED: there are no more, and
 * both calls do nothing. */
uint32_t measure_release_new(void);
void measure_release(uint32_t release, uint64_t time);
void measure_location_rest(uint32_t release, measure_comm_t team);

/* The program is between two of its phases: full chunks of event memory may be written to files
 * now, with --spool=phase only now or when memory runs short. With `is_waited_for` this returns
 * when they have been written, so that nothing is written during the next phase; if writing is
 * impossible, after at most --patience seconds. The wait is recorded as BufferFlush of this thread.
 * With
 * --spool=full or end it does nothing. Any thread may call it at any time outside of transactions;
 * one thread of a process is sufficient. */
void measure_phase_end(bool is_waited_for);

/* Asks for an archive of the run so far, DIR/snapshot-1 and so on, which another process makes
 * while this one goes on. Never waits; any thread may call it at any time. */
void measure_snapshot_want(void);

/* ------------------------------------------------------ streams of devices --- */

/* The location of a stream of a device, such as a command queue of an accelerator; `device` names
 * its location group. It has no thread: whoever learns what happened on the device records it, at
 * the time when it happened, in order of time. One thread at a time may do so: the adapter sees to
 * that. No counters are read. Takes a lock; not async-signal-safe. NULL: recording is off, or
 * there are too many locations (counted). Never freed. */
struct measure_location *measure_stream_make(const char *device, const char *name);

/* Index of its location in this process, as measure_location_index() of a thread. */
uint32_t measure_stream_index(const struct measure_location *stream);

/* Opens a transaction on a stream, at a time from measure_clock_now(), or at that of its last
 * record if this is later. Inside and after it, as on a thread's location: measure_write_*(),
 * measure_record_end(). False: recording is off. */
bool measure_stream_record_begin(struct measure_location *stream, uint64_t time);

/* ------------------------------------------------------------------- records --- */

/* Opens a transaction on this thread's location: guard taken, clock read. NULL: recording is
 * off, or this thread is inside a transaction already (a signal handler; the loss is counted).
 * No lock, no system call, no allocation after the thread's first call. Signal-safe in that
 * sense: a handler's events are recorded unless it interrupted a transaction. */
struct measure_location *measure_record_begin(void);

/* The same, but in a forked child that is recorded as well: for adapters with child_started. */
struct measure_location *measure_record_begin_followed(void);

/* measure_record_begin() with an earlier time from measure_clock_now(), for events that become
 * known later, such as the end of a wait. The thread must have recorded nothing since; otherwise (a
 * signal handler) the transaction has the time of its last record. */
struct measure_location *measure_record_begin_at(uint64_t time);

/* Defers records: calls `action` on this thread at the beginning of its next transaction, or of the
 * next exit of a function that is not the innermost region; at the latest when another action is
 * deferred. For constructs that end while functions in them still have to return. Not in a
 * transaction; the action opens transactions of its own. */
void measure_record_later(void (*action)(void *data), void *data);

/* Time of the open transaction, which all records until measure_record_end() have. */
uint64_t measure_record_time(const struct measure_location *location);

/* Closes the transaction and publishes its records. */
void measure_record_end(struct measure_location *location);

/* Enter and Leave keep the location's region stack. A Leave of a region that is not open is
 * dropped and counted; regions above the one left are closed first and counted. */
void measure_write_enter(struct measure_location *location, measure_region_t region);
void measure_write_leave(struct measure_location *location, measure_region_t region);

/* The same for an unsuccessful poll: if polls exceed --overhead, only the first one of those that
 * directly follow each other is kept; the others are removed and counted. */
void measure_write_poll_leave(struct measure_location *location, measure_region_t region);

/* A whole entry or exit of a region that was defined by name: a transaction with an Enter or Leave.
 * These and the following functions, up to the function hooks, also record in followed children. */
void measure_region_enter(measure_region_t region);
void measure_region_leave(measure_region_t region);

/* Switches the recording of the calling thread off or on. While it is off, transactions work as
 * usual, but their records are only counted; the region stack is maintained, so that Enters and
 * Leaves are balanced: see MeasurementOnOff in OTF2. Repeating a call has no effect. */
void measure_record_switch(bool is_on);

/* The whole of a function-entry or -exit hook: region by code address, one transaction, Enter or
 * Leave. `frame` is an address in the caller's stack frame (__builtin_frame_address(0) of the
 * hook): callees have lower ones, and inlined functions have the same one and the same
 * `call_site`, so frames left by longjmp or an exception are detected and closed first.
 * `return_address` is the hook's own (__builtin_return_address(0)). */
void measure_function_enter(const void *function, const void *call_site, const void *frame,
	const void *return_address);
void measure_function_leave(const void *function, const void *call_site, const void *frame,
	const void *return_address);

/* The addresses of the hooks that call these functions, so that hook calls in the program's code
 * can be recognised, and patched for functions that are not recorded. */
void measure_function_hooks(const void *enter, const void *exit);

/* In an open transaction, directly before a record: that record gets the attributes, each at most
 * once. One call for each record, with at most MEASURE_MOST_ATTRIBUTES attributes; with more or
 * none it does nothing. */
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

/* A list of attributes for many records, always in the same order, all defined as OTF2_TYPE_UINT64.
 * It is made once, so that a record needs only their values. Its contents are private to the core,
 * which copies whole heads. False: too many attributes, or one is not defined. */
struct measure_attribute_list {
	struct measure_attribute_head {
		uint8_t bytes[12]; /* the bytes before a value */
		uint32_t size;     /* number of these bytes */
	} __attribute__((aligned(16))) heads[MEASURE_MOST_ATTRIBUTES];
	uint32_t nr;
};
bool measure_attribute_list_make(
	struct measure_attribute_list *list, const measure_attribute_t *attributes, uint32_t nr);

/* Transactions of one Enter or Leave with its attributes (one value for each), and with values of
 * metrics, before an Enter and after a Leave. Both may be NULL. Equivalent to the single calls, but
 * faster. measure_record_enter() returns false if nothing is recorded. */
struct measure_metrics_beside {
	const struct measure_metric_class *metric_class;
	const union measure_metric_value *values;
};
bool measure_record_enter(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics);
void measure_record_leave(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics);

/* All other event records: measure_write_mpi_send(location, receiver, comm, tag, bytes), ... See
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
