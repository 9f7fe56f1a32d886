/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A slice being made. All processes are read twice (slice_scan.c) up to the end of the window:
 * first it is found what each of them has of each message, collective and so on (slice_lanes.c,
 * slice_operations.c, slice_operation_kinds.c), and what is open at the cuts (slice_frames.c,
 * slice_process.c); then which records are left out. slice_made.c and slice_teams.c make up
 * records; slice_copy.c hands all out.
 */
#ifndef MEASURE_EXPORT_SLICE_SLICE_INTERNAL_H
#define MEASURE_EXPORT_SLICE_SLICE_INTERNAL_H

#include "slice.h"

#include "trace/archive/ranks.h"
#include "trace/common/containers.h"
#include "trace/stream/stream.h"

/* ---------------------------------------------------------------------------- lanes --- */

/* Operations that several take part in, matched by their order: messages of one sender, receiver,
 * communicator and tag; collectives of a communicator, a window, a file. */
enum slice_lane_kind {
	SLICE_MESSAGES = 1,
	SLICE_COLLECTIVES,
	SLICE_WINDOW_COLLECTIVES,
	SLICE_FILE_COLLECTIVES
};

struct slice_lane {
	uint32_t nr_members, nr_expected;
	uint64_t first, end; /* ordinals that all have in the window, but for those that are lost */
};

struct slice_member {
	uint32_t lane;
	uint64_t nr_before; /* the first ones, which are not in the window */
	uint64_t nr;        /* begun in the window or before */
};

struct slice_lanes {
	struct measure_map ids, member_ids;
	MEASURE_GROWING(struct slice_lane, lanes);
	MEASURE_GROWING(struct slice_member, members);
	struct measure_map lost; /* (lane, ordinal): a member does not have it whole */
};

struct slice_key {
	enum slice_lane_kind kind;
	uint32_t space;            /* communicator, window, handle */
	uint32_t tag;              /* of messages */
	uint32_t sender, receiver; /* the same: processes */
	uint32_t member;           /* process, or side */
	uint32_t nr_expected;
};

uint32_t slice_lanes_member(struct slice_lanes *lanes, const struct slice_key *key);
void slice_lanes_note(struct slice_lanes *lanes, uint32_t member, bool is_inside);
void slice_lanes_settle(struct slice_lanes *lanes);
/* The next one of a member, once they are settled. */
bool slice_lanes_is_kept(struct slice_lanes *lanes, uint32_t member);
void slice_lanes_free(struct slice_lanes *lanes);

/* -------------------------------------------------------------------------- records --- */

struct slice_made {
	struct measure_record record;
	uint64_t *items; /* of the record */
	uint8_t *types;
};

struct slice_made_list {
	MEASURE_GROWING_ITEMS(struct slice_made);
};

struct measure_record *slice_make(struct slice_made_list *list, enum measure_event_kind kind,
	uint64_t a, uint64_t b, uint64_t c);
void slice_made_copy(struct slice_made *made, const struct measure_record *record);
void slice_made_free(struct slice_made *made);
void slice_made_list_free(struct slice_made_list *list);

/* ------------------------------------------------------------------- what is open --- */

struct slice_task {
	uint32_t comm, creator, generation; /* comm MEASURE_NONE: it is not known who runs */
};

/* A record that is waiting for its counterpart. */
struct slice_frame {
	uint8_t kind;  /* of the record */
	uint8_t model; /* paradigm of a fork or a lock */
	bool is_barrier, has_team;
	uint32_t ref;           /* index of a region or team; id of a context; lock */
	uint32_t nr_barriers;   /* entered in a team */
	uint32_t barrier;       /* region of the last one */
	uint32_t team;          /* of a fork: the team that it has made, and */
	uint64_t ordinal;       /* which one, also of a team */
	uint64_t number;        /* threads of a fork, order of a lock, number of a thread */
	uint64_t serial;        /* frames of the location before this one, closed ones as well */
	struct slice_task task; /* what ran before */
};

struct slice_frames {
	MEASURE_GROWING_ITEMS(struct slice_frame);
	struct slice_task task; /* what runs */
	uint64_t nr_opened;     /* so far */
	bool is_off;
};

/* What a location has had of a team. */
struct slice_team {
	uint32_t comm;
	uint64_t nr_begun, nr_ended; /* so far */
	uint64_t before, until;      /* ended before the window; begun by its end */
	bool has_last;               /* the last that ended before the window: */
	uint32_t nr_barriers, barrier;
	bool is_forker;
	uint8_t model;
	uint64_t nr_threads;
};

struct slice_location {
	bool is_kept;
	uint64_t first, last; /* positions in the window; first > last: none */
	uint64_t raw_from, raw_until;
	uint64_t raw_first, raw_last; /* of these records */
	uint64_t raw_before;          /* of the last one before the window */
	bool has_context_before;
	MEASURE_GROWING(uint64_t, removed); /* positions */
	struct slice_frames at_from, at_until;
	MEASURE_GROWING(struct slice_team, teams);
	struct measure_map team_ids;
	uint64_t flush_stop;                         /* raw; of the last flush before the window */
	MEASURE_GROWING(struct slice_made, metrics); /* last values before it */
	struct measure_map metric_ids;
	struct slice_made_list before, after; /* what is made up */
};

/* Tasks, threads, windows, handles of a process that are open at one of the cuts. */
struct slice_open {
	uint8_t kind; /* of the record that opens it */
	bool is_done; /* is closed, or opened, already */
	uint32_t location;
	uint32_t ref; /* index */
	uint64_t a, b;
	/* of a task: */
	struct slice_task parent;
	uint64_t serial; /* of the next frame after it, where it was created */
};

struct slice_opens {
	MEASURE_GROWING_ITEMS(struct slice_open);
	struct measure_map ids;
};

/* What a process does with a handle. */
struct slice_use {
	uint32_t handle, process;
	uint32_t location;
	bool is_open;
	uint8_t access;
	uint64_t nr_begun, nr_ended;
	uint64_t before, until;
};

struct slice_process {
	bool is_kept;
	bool has_before, has_after; /* events outside the window */
	struct slice_opens at_from, at_until;
	MEASURE_GROWING(uint32_t, locations);
};

struct slice {
	struct measure_trace *trace;
	const struct measure_definitions *definitions;
	uint64_t from, until;
	bool is_deciding; /* the second time */
	struct measure_ranks ranks;
	struct slice_lanes lanes;
	struct slice_location *locations;
	struct slice_process *processes;
	uint8_t *is_barrier; /* by region */
	MEASURE_GROWING(struct slice_use, uses);
	struct measure_map use_ids;
	bool *has_used;         /* by handle: a process */
	bool *has_lost_members; /* by handle: not all processes that use it together are kept */
	uint64_t nr_removed, nr_made;
};

/* slice_frames.c: events of one location, in order. */
struct slice_local {
	struct slice *slice;
	struct slice_location *of;
	uint32_t location;
	struct slice_frames frames;
	uint32_t depth; /* open regions */
	bool has_from, has_until;
};

bool slice_is_inside(const struct slice *slice, uint64_t time);
void slice_local_call(struct slice_local *local, const struct measure_event *event);
void slice_local_event(struct slice_local *local, const struct measure_stream *stream,
	const struct measure_event *event);
/* Takes note of a cut where the event lies behind one. */
void slice_local_cut(struct slice_local *local, const struct measure_event *event);
void slice_local_end(struct slice_local *local);
struct slice_team *slice_team_of(struct slice_location *location, uint32_t comm);

/* slice_operations.c: operations of one process, in the order of time. */
struct slice_operations;
struct slice_operations *slice_operations_new(struct slice *slice, uint32_t process);
void slice_operations_event(struct slice_operations *operations, uint32_t location,
	const struct measure_event *event, uint32_t depth);
void slice_operations_leave(
	struct slice_operations *operations, uint32_t location, uint32_t depth, bool is_refused);
/* It goes on after the window. */
void slice_operations_late(struct slice_operations *operations, uint32_t location);
/* Of those that are not over yet. */
uint64_t slice_operations_nr_open(const struct slice_operations *operations);
void slice_operations_free(struct slice_operations *operations, bool has_after);
void slice_remove(struct slice *slice, uint32_t location, uint64_t position);

/* slice_process.c: what is open in a process, in the order of time. */
struct slice_use *slice_use_of(struct slice *slice, uint32_t handle, uint32_t process);
struct slice_state;
struct slice_state *slice_state_new(struct slice *slice, uint32_t process);
void slice_state_event(struct slice_state *state, const struct slice_local *local,
	const struct measure_event *event);
void slice_state_from(struct slice_state *state);
void slice_state_until(struct slice_state *state);
void slice_state_free(struct slice_state *state);

/* slice_scan.c */
measure_status_t slice_scan(struct slice *slice, uint32_t process);

/* slice_teams.c: teams and barriers that others of the process have in the window. */
struct slice_barriers {
	uint32_t comm;
	uint64_t ordinal;
	uint64_t first, end; /* numbers in the window */
	uint32_t region;
};

struct slice_missing {
	uint32_t comm;
	uint64_t first, end;
};

struct slice_team_ranges {
	MEASURE_GROWING(struct slice_missing, teams);
	MEASURE_GROWING(struct slice_barriers, barriers);
};

void slice_teams_find(
	struct slice *slice, const struct slice_process *process, struct slice_team_ranges *ranges);
void slice_teams_free(struct slice_team_ranges *ranges);
const struct slice_missing *slice_teams_range(
	const struct slice_team_ranges *ranges, uint32_t comm);
const struct slice_barriers *slice_teams_barriers(
	const struct slice_team_ranges *ranges, uint32_t comm, uint64_t ordinal);

/* slice_made.c */
void slice_make_up(struct slice *slice, uint32_t process);

/* slice_copy.c */
measure_status_t slice_copy(struct slice *slice, const char *directory);

#endif
