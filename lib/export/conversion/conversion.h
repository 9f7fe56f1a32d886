/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all formats of measure-convert share: an archive, what is selected of it, and readers that
 * give its calls balanced, with nothing but what is open in memory.
 *
 * A format is a row of formats.def and a function that writes it. Calls and records come from a
 * reader, of one location or of all in the order of time; messages and collectives from the
 * matcher; waits from measure_waits. Times are nanoseconds since the start of the trace, rounded
 * down: they never go back on a location. */
#ifndef MEASURE_EXPORT_CONVERSION_CONVERSION_H
#define MEASURE_EXPORT_CONVERSION_CONVERSION_H

#include "analysis/pyramid/named_calls.h"
#include "analysis/waits/waits.h"
#include "cli/option_values.h"
#include "status.h"

struct measure_filter;
struct measure_sync_correction;

#define MEASURE_FLOWS_DEFAULT 20000

/* Viewers in browsers have no more memory; room for what ends a file. */
#define MEASURE_FILE_SIZE_DEFAULT (UINT64_C(4000) << 20)

/* What format dot draws. */
enum measure_graph {
	MEASURE_GRAPH_CALLS,
	MEASURE_GRAPH_COMMUNICATION,
	MEASURE_GRAPH_TASKS,
	MEASURE_NR_GRAPHS
};

struct measure_conversion_options {
	struct measure_time_bound from, until;
	const char *locations; /* "0-3,7", "rank:0-3", patterns of names; NULL: all */
	struct measure_named_calls phase;    /* from their begin to their end */
	const struct measure_filter *filter; /* NULL: all calls */
	const char *input;                   /* as the user named it */
	/* of some formats */
	uint64_t nr_flows;  /* most messages that are drawn */
	double least_share; /* smaller parts of a graph are left out: of 1 */
	enum measure_graph graph;
	bool is_flat;        /* classes of regions instead of stacks */
	bool has_calls;      /* each call, not only sums */
	bool is_aligned;     /* the window begins and ends where all processes synchronise */
	uint64_t most_bytes; /* of a file */
};

struct measure_conversion {
	struct measure_trace *trace;
	const struct measure_definitions *definitions; /* of the trace */
	struct measure_waits *waits; /* of the whole trace; nothing is in them for a format that
					needs none */
	/* by location; NULL: times are those of the archive (for copies: sync/write) */
	const struct measure_sync_correction *corrections;
	const struct measure_conversion_options *options;
	uint64_t start, resolution; /* time 0, ticks per second */
	uint64_t from, until;       /* ticks: what is selected */
	uint64_t from_ns, until_ns; /* the same; until is at most the last event of all */
	bool has_window;            /* it is not the whole run */
	bool *is_selected;          /* by location */
	uint32_t *locations;        /* those selected, in reading order */
	size_t nr_locations;
	/* Call paths of all readers. When all locations have been read once, the profile of what is
	 * selected. */
	struct measure_profile profile;
	bool is_profiled; /* so it is */
	bool is_stopped;  /* set by a format that has given up: nothing more is read */
	struct measure_sync_span *spans; /* by location, with a filter */
	uint32_t *wait_paths;            /* by path of waits->profile: that of the profile here; or
					    MEASURE_NONE */
};

/* `waits` are those of the trace with the times that it has now; if none were looked for, their
 * profile has nothing but its first and last time. On any other status than
 * MEASURE_OK measure_trace_error() says what is wrong with the selection. To be freed in any case.
 */
measure_status_t measure_conversion_start(struct measure_conversion *conversion,
	struct measure_trace *trace, struct measure_waits *waits,
	const struct measure_conversion_options *options);
void measure_conversion_free(struct measure_conversion *conversion);

static inline uint64_t measure_conversion_length_ns(
	const struct measure_conversion *conversion, uint64_t ticks)
{
	if (conversion->resolution == 1000000000)
		return ticks;
	return (uint64_t)((unsigned __int128)ticks * 1000000000 / conversion->resolution);
}

/* Of a time in ticks. */
static inline uint64_t measure_conversion_ns(
	const struct measure_conversion *conversion, uint64_t time)
{
	return measure_conversion_length_ns(
		conversion, time > conversion->start ? time - conversion->start : 0);
}

/* Is it in the window, on a location that is selected? */
static inline bool measure_conversion_has(
	const struct measure_conversion *conversion, uint32_t location, uint64_t time)
{
	return conversion->is_selected[location] && time >= conversion->from &&
	       time < conversion->until;
}

/* Region of a path: its index, or an enum measure_pseudo_region. */
static inline uint32_t measure_conversion_region(
	const struct measure_conversion *conversion, uint32_t path)
{
	return conversion->profile.paths[path].region;
}

/* ----------------------------------------------------------------------- reading --- */

enum measure_conversion_kind {
	MEASURE_CONVERSION_BEGIN, /* of a call */
	MEASURE_CONVERSION_END,   /* of the innermost one that is open */
	MEASURE_CONVERSION_RECORD /* anything else but Enters and Leaves */
};

/* Begins and ends of a location are balanced. What is open at `from` begins there; what is still
 * open at `until`, or at the last event, ends there. While a task runs, its calls are inside those
 * of what it has interrupted; where it is suspended, they end, and begin anew when it goes on. */
struct measure_conversion_item {
	enum measure_conversion_kind kind;
	uint32_t location;
	uint64_t ns;
	uint64_t time;  /* the same, in ticks */
	uint32_t path;  /* of conversion->profile; of a record: the innermost one that is open */
	uint32_t depth; /* of a call: how many are around it */
	bool is_piece;  /* a begin or end that no Enter or Leave stands for */
	const struct measure_event *event; /* of a record; valid until the next item */
	const struct measure_record *record;
};

struct measure_conversion_reader;

/* Of one location, which must be a selected one. */
struct measure_conversion_reader *measure_conversion_open(
	struct measure_conversion *conversion, uint32_t location);

/* The next item, valid until the next call; NULL: there is none. */
const struct measure_conversion_item *measure_conversion_next(
	struct measure_conversion_reader *reader);

/* MEASURE_ERROR_FORMAT: the location cannot be read to its end; what could was handed out, and is
 * balanced. */
measure_status_t measure_conversion_close(struct measure_conversion_reader *reader);

/* All selected locations, one after the other; conversion->profile is complete then. What `take`
 * leaves unread is read for the profile. */
typedef void (*measure_location_fn)(
	void *data, uint32_t location, struct measure_conversion_reader *reader);
measure_status_t measure_conversion_read(
	struct measure_conversion *conversion, measure_location_fn take, void *data);

/* All selected locations at a time: in the order of time; of equal ones, that of locations. */
struct measure_merged_reader;

struct measure_merged_reader *measure_merged_open(struct measure_conversion *conversion);
const struct measure_conversion_item *measure_merged_next(struct measure_merged_reader *reader);
measure_status_t measure_merged_close(struct measure_merged_reader *reader);

/* Reads all locations, one after the other, for nothing but conversion->profile, unless that is
 * there already. */
measure_status_t measure_conversion_read_profile(struct measure_conversion *conversion);

/* ----------------------------------------------------------- messages, collectives --- */

/* An end of a message, or a member of a collective. */
struct measure_conversion_end {
	uint32_t location;
	uint64_t begin_ns, end_ns;   /* of the call it is in; both: its own, where it is in none */
	uint32_t path;               /* of the call, in conversion->profile, or 0 */
	uint64_t ns, time, position; /* of the record */
	uint64_t last_position;      /* of a member, which may have another one: that of the last */
	uint32_t call, last_call; /* in the table of calls of waits->dependencies, or MEASURE_NONE;
				     of a member, which may end in another one, the last one */
};

#define MEASURE_NO_PATTERN MEASURE_NR_WAIT_PATTERNS

struct measure_conversion_message {
	struct measure_conversion_end send, receive;
	uint32_t comm; /* index, or MEASURE_NONE */
	uint32_t tag;
	uint64_t bytes;
	uint64_t waiting_ns; /* of the receiver, for this message */
	uint32_t pattern;    /* enum measure_wait_pattern, or MEASURE_NO_PATTERN */
};

struct measure_conversion_collective {
	enum measure_relation relation;
	uint32_t region;  /* of the call of its first member: MPI_Allreduce; or MEASURE_NONE */
	uint32_t comm;    /* index, or MEASURE_NONE */
	uint64_t ordinal; /* of its kind in the communicator, from 0 */
	uint32_t root;    /* location, or MEASURE_NONE */
	size_t nr_members;
	const struct measure_conversion_end *members; /* by location */
	const uint64_t *waiting_ns;                   /* of each */
};

struct measure_conversion_matches {
	void *data;
	/* either may be NULL */
	void (*message)(void *data, const struct measure_conversion_message *message);
	void (*collective)(void *data, const struct measure_conversion_collective *collective);
};

/* Reads all events. Hands out what is selected with all of its ends, in the order of the matcher:
 * messages lane by lane, in no order of time. */
measure_status_t measure_conversion_match(
	struct measure_conversion *conversion, const struct measure_conversion_matches *matches);

/* ------------------------------------------------------------------------- waits --- */

struct measure_conversion_wait {
	uint32_t location, path; /* of the call, in conversion->profile */
	uint64_t begin_ns;       /* of the wait */
	uint64_t waiting_ns;     /* what of the call was waiting: not always in one piece */
	uint32_t pattern;        /* enum measure_wait_pattern, a part of the waiting time */
	uint32_t cause;          /* location, or MEASURE_NONE */
	uint32_t cause_path;     /* or MEASURE_NONE */
	const struct measure_wait_state *state;
};

/* Those that begin in the window, of one location, in order of calls. */
void measure_conversion_waits(struct measure_conversion *conversion, uint32_t location,
	void (*take)(void *data, const struct measure_conversion_wait *wait), void *data);

/* ------------------------------------------------------------------------ metrics --- */

struct measure_conversion_value {
	const struct measure_metric_member *member;
	uint32_t number;   /* index of the member */
	uint32_t instance; /* of the metric: index of the class or instance that was recorded */
	bool is_integer;   /* exactly so in a signed 64-bit integer */
	int64_t integer;
	double real; /* in the unit of the member */
};

/* The i-th value of a record of kind MEASURE_EVENT_METRIC. False: it has no more. A member that is
 * not defined is NULL. */
bool measure_conversion_value(const struct measure_conversion *conversion,
	const struct measure_conversion_item *item, uint32_t i,
	struct measure_conversion_value *value);

/* ------------------------------------------------------------------------- names --- */

/* Of the region of a call, to print. */
static inline const char *measure_conversion_region_name(
	const struct measure_conversion *conversion, uint32_t region)
{
	return measure_profile_region_name(&conversion->profile, region);
}

/* "MPI", "OpenMP", ...; "" where it has none. */
const char *measure_conversion_paradigm_name(OTF2_Paradigm paradigm);

/* All regions and pseudo regions are numbered from 0: this many. */
size_t measure_conversion_nr_regions(const struct measure_conversion *conversion);
static inline size_t measure_conversion_region_number(
	const struct measure_conversion *conversion, uint32_t region)
{
	return region < conversion->definitions->nr_regions
		       ? region
		       : conversion->definitions->nr_regions + (region - MEASURE_PSEUDO_BEFORE);
}

/* Process of a location: its index; what has none is of one after the last. */
static inline uint32_t measure_conversion_process(
	const struct measure_conversion *conversion, uint32_t location)
{
	const uint32_t process = conversion->definitions->locations[location].group;
	const uint32_t nr = (uint32_t)conversion->definitions->nr_location_groups;

	return process < nr ? process : nr;
}

/* Of a process (location group), or MEASURE_NONE: "(no process)". */
const char *measure_conversion_process_name(
	const struct measure_conversion *conversion, uint32_t process);

/* By process: its rank; of a process without one 0. */
uint32_t *measure_conversion_ranks(const struct measure_definitions *definitions);

/* ----------------------------------------------------------------------- formats --- */

typedef measure_status_t (*measure_format_fn)(
	struct measure_conversion *conversion, const char *path);

/* What has to be known of an archive before it is written: the more, the later. */
enum measure_format_needs {
	MEASURE_NEEDS_CALLS, /* nothing: each location is written by itself */
	MEASURE_NEEDS_TIMES, /* whether clocks agree: locations are written beside each other */
	MEASURE_NEEDS_FLOWS, /* and waits, if messages are drawn */
	MEASURE_NEEDS_WAITS  /* and waits */
};

struct measure_format {
	const char *word, *text;
	bool is_text; /* can be written to "-", standard output */
	enum measure_format_needs needs;
	measure_format_fn write;
};

/* Before anything is read: MEASURE_ERROR_USAGE, if the whole trace has so many events that
 * measure_export_chrome() would refuse what it has written. */
measure_status_t measure_chrome_check(
	const struct measure_trace *trace, const struct measure_conversion_options *options);

#define FORMAT(word, function, is_text, needs, text)                                               \
	measure_status_t function(struct measure_conversion *conversion, const char *path);
#include "formats.def"
#undef FORMAT

#endif
