/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State of the matcher, shared by its parts: match.c (dispatch), match_instances.c,
 * match_regions.c, match_requests.c, match_rendezvous.c, match_messages.c, match_begins.c,
 * match_collectives.c, match_alltoall.c, match_rma.c, match_io.c, match_files.c,
 * match_rma_epochs.c, match_teams.c, match_tasks.c, match_task_data.c, match_task_runs.c,
 * match_task_waits.c, match_threads.c, match_processes.c, match_envelopes.c, match_join.c and
 * match_pack.c. */
#ifndef MEASURE_TRACE_MATCH_MATCH_INTERNAL_H
#define MEASURE_TRACE_MATCH_MATCH_INTERNAL_H

#include "sync_points.h"
#include "match.h"
#include "trace/match_threads/match_threads_state.h"
#include "trace/archive/ranks.h"
#include "trace/relations/relation_selection.h"
#include "trace/common/containers.h"

/* Halves need partners. A lane is a sequence of halves whose order decides: for messages
 * (communicator, sender, receiver, tag), for collectives (communicator, process). Order in a lane
 * is the order of posting, not of completion; all halves of a lane on one side are of one process,
 * so that they are put in order when that has been read. */
struct posting {
	uint64_t time, position;
	uint32_t location; /* of the completion */
	uint32_t lane;     /* MEASURE_NONE: cancelled */
};

struct message_lane {
	uint32_t comm, sender, receiver, tag; /* sender, receiver: processes */
	bool is_send;                         /* which side */
	bool is_shared;                       /* several threads have halves in it */
	size_t first, nr;                     /* its halves, when its process has been read */
	size_t nr_sure;                       /* those before which none can be missing */
};

/* Of the process being read. */
struct message_half {
	struct posting posting;
	uint64_t length;
	uint32_t mark;
	bool is_nonblocking;
};

/* Where the last messages went that a process exchanged: the next ones mostly go there, too. */
#define NR_RECENT_LANES 256

struct recent_lane {
	uint32_t process; /* 1 + its number; 0: none yet */
	uint32_t comm, rank, tag;
	uint32_t is_send;
	uint32_t lane;
};

struct messages {
	struct measure_map ids[2]; /* of lanes, by side */
	struct recent_lane recent[NR_RECENT_LANES];
	MEASURE_GROWING(struct message_lane, lanes);
	size_t first_lane; /* of the process being read */
	MEASURE_GROWING(struct message_half, halves);
	/* lane by lane, in order of posting */
	uint32_t *marks;
	uint64_t *lengths;
	size_t nr, room_marks, room_lengths;
	struct measure_message_counts counts[2]; /* by side */
};

struct collective {
	uint64_t sent, received;
	uint32_t begin, end; /* marks */
	uint32_t root, rank;
	uint32_t lane;
	uint8_t op;
	uint8_t side; /* of an intercommunicator */
	bool is_nonblocking;
	bool is_free; /* no rank need wait for another */
};

/* Of the process being read. */
struct collective_half {
	struct posting posting;
	struct collective collective;
};

struct collective_lane {
	uint32_t space, process; /* space: communicator or window */
	size_t first, nr;        /* its items, when its process has been read */
};

/* Of the location being read: open collectives, each with the number of regions that were open
 * when it began. */
struct begins {
	struct begin {
		struct measure_point point;
		uint32_t depth;
	} *items;
	size_t nr, room;
	uint32_t nr_left; /* begun in a region that was left before their end */
	struct measure_point left;
};

/* Those on communicators, or those on windows. */
struct collectives {
	bool is_rma;
	struct begins begins;
	struct measure_map ids;
	MEASURE_GROWING(struct collective_lane, lanes);
	size_t first_lane; /* of the process being read */
	MEASURE_GROWING(struct collective_half, halves);
	/* lane by lane, in order of posting */
	MEASURE_GROWING_ITEMS(struct collective);
};

enum request_kind { REQUEST_NONE, REQUEST_SEND, REQUEST_RECEIVE, REQUEST_COLLECTIVE };

/* The call that a record of a message lies in, and where that location has entered it. */
struct message_call {
	uint8_t kind; /* enum region_kind */
	uint64_t raw, position;
};

struct request {
	enum request_kind kind; /* NONE: slot is free */
	uint32_t next_free;
	size_t send; /* index of the half of an Isend */
	uint64_t id;
	struct measure_point start;
	struct message_call call; /* that has started it */
};

/* An MPI event whose turn comes when all threads of the process have been read. */
struct delayed_event {
	struct measure_event event;
	uint32_t location;
	uint32_t call; /* index, MEASURE_NONE: it matters not */
};

struct requests {
	struct measure_map live; /* request id -> slot */
	MEASURE_GROWING(struct request, slots);
	uint32_t first_free;
	MEASURE_GROWING(struct delayed_event, delayed);
	MEASURE_GROWING(struct message_call, calls); /* of the delayed */
	bool has_many_locations; /* among the delayed */
};

/* One-sided operations of one process that share a number. A slot is free where nothing of it
 * is open. */
struct operation {
	uint64_t nr_local, nr_remote; /* not complete yet */
	struct measure_point first;   /* of those that are not complete locally */
	uint32_t window;
	uint32_t next_free;
	uint64_t number;
};

struct window_lock {
	bool is_asked, is_held;
	struct measure_point point;
	uint32_t window, target;
};

enum window_life { WINDOW_UNBORN, WINDOW_ALIVE, WINDOW_GONE };

struct rma {
	struct measure_map operation_ids; /* (window, number) -> operation */
	MEASURE_GROWING(struct operation, operations);
	uint32_t first_free;
	struct measure_map lock_ids; /* (window and target, number) -> lock */
	MEASURE_GROWING(struct window_lock, locks);
	uint8_t *lives; /* enum window_life by window */
};

/* How manieth message of a lane. */
struct message_place {
	uint32_t comm, tag;
	uint64_t ordinal;
	uint64_t length; /* bytes */
};

/* A send that is over, or begins, only after its receive has begun. In order of marks, which come
 * first. */
struct answered_send {
	uint32_t mark;
	uint8_t relation;
	bool is_over;
	struct measure_point over;
};

/* All receives have one of these, though few are asked for: so it says how far its call's enter is
 * before the receive, if no more is needed. */
struct answering_receive {
	uint32_t mark;
	uint32_t is_probed : 1;
	uint32_t has_marks : 1; /* of the enter and, next to it, of where the receive was posted */
	uint32_t records : 30;  /* back to the enter */
	uint32_t ticks;         /* back to the enter; has_marks: its mark */
};
_Static_assert(sizeof(struct answering_receive) == 12, "one of these per receive");

struct rendezvous {
	MEASURE_GROWING(struct answered_send, sends);
	MEASURE_GROWING(struct answering_receive, receives);
	bool has_posted; /* some receives have marks */
	size_t last_send, last_receive; /* those that were looked up */
	/* of the location being read */
	struct message_call call;
	size_t blocking; /* index of its send, SIZE_MAX: none */
};

/* Access and exposure epochs between two processes. */
struct epoch_half {
	struct posting posting;
	uint32_t begin, end; /* marks: of the send and of the receive */
};

struct epoch_halves {
	MEASURE_GROWING_ITEMS(struct epoch_half);
	/* set by epochs_finish: see lanes_sort */
	uint32_t *order;
	size_t *starts;
};

struct epoch_lane {
	uint32_t window, origin, target; /* origin, target: processes */
};

struct epochs {
	struct measure_map ids;
	MEASURE_GROWING(struct epoch_lane, lanes);
	struct epoch_halves posts, completes, waits;
	/* the call that the location is in */
	uint8_t call; /* enum region_kind */
	struct measure_point enter;
};

/* Files of one process, and of all what they do with each handle. */
struct io_operation {
	uint32_t handle;
	uint64_t number;
	bool is_open; /* else the slot is free */
	bool is_nonblocking, is_issued;
	uint8_t mode; /* OTF2_IoOperationMode */
	uint32_t next_free;
	struct measure_point begin;
	size_t step; /* of files; SIZE_MAX: none */
};

struct io_use {
	uint32_t handle, process;
	bool is_open;
	uint64_t nr_opened, nr_collective;
	struct measure_point first; /* event on it */
};

struct io {
	struct measure_map operation_ids; /* (handle, number) -> operation */
	MEASURE_GROWING(struct io_operation, operations);
	uint32_t first_free;
	struct measure_map use_ids; /* (handle, process) -> use */
	MEASURE_GROWING(struct io_use, uses);
	struct measure_file_counts counts;
};

/* What a process does with a file that others do, too, if anybody wants to know. */
enum file_step_kind { FILE_OPEN, FILE_OPERATION, FILE_CLOSE };

struct file_step {
	uint32_t handle, process;
	uint64_t ordinal;
	uint32_t kind;
	uint32_t begin, end; /* marks; end MEASURE_NONE: it is not over */
};

struct files {
	MEASURE_GROWING_ITEMS(struct file_step);
};

/* A read from a pipe, or a write to it, that is over. */
struct pipe_step {
	uint64_t number, bytes; /* number: of the pipe, on a node */
	uint32_t host;
	bool is_read;
	uint32_t begin, end; /* marks */
};

struct pipes {
	MEASURE_GROWING_ITEMS(struct pipe_step);
};

/* What is known of a process (location group). */
struct process {
	bool has_events, is_damaged;
	bool has_been_off; /* events between others are missing */
	bool has_program_begin, has_program_end, has_failed;
	bool has_refused_collective;
	bool has_init, has_init_leave, has_finalize, has_finalize_leave;
	struct measure_point init_enter, init_leave, finalize_enter, finalize_leave;
	struct measure_point first, program_begin; /* first: of the location that is read first */
};

/* A call of a process that has made processes. */
struct spawn {
	uint32_t comm, process;
	bool has_leave;
	struct measure_point enter, leave;
};

struct spawns {
	MEASURE_GROWING_ITEMS(struct spawn);
	/* of the location being read: it is in such a call; that call has made processes */
	bool is_inside, is_made;
	struct measure_point enter;
};

enum region_kind {
	REGION_PLAIN,
	REGION_INIT,
	REGION_FINALIZE,
	REGION_SPAWN,
	REGION_SEND,
	REGION_SYNCHRONOUS_SEND,
	REGION_READY_SEND,
	REGION_RECEIVE,
	REGION_SEND_RECEIVE, /* either, or both */
	REGION_MATCHED_PROBE,
	REGION_REQUEST_FREE,
	REGION_BARRIER,
	REGION_TASK_WAIT,
	REGION_TASK_GROUP,
	REGION_TASK_GROUP_WAIT,
	REGION_WIN_POST,
	REGION_WIN_START,
	REGION_WIN_COMPLETE,
	REGION_WIN_WAIT
};

struct measure_match {
	struct measure_match_calls calls;
	struct measure_trace *trace;
	const struct measure_definitions *definitions;
	struct measure_findings *findings;
	measure_instance_fn deliver;
	measure_pairs_fn deliver_pairs; /* or NULL */
	measure_instance_fn deliver_exchange, deliver_files; /* the same */
	measure_collective_fn deliver_collective;            /* the same */
	void *data;
	struct measure_selection selection;
	struct measure_sync_points marks;

	struct measure_ranks ranks;
	struct process *processes;
	uint32_t process;  /* being read, or MEASURE_NONE */
	uint32_t location; /* being read */
	uint64_t *doing; /* by location: position of the last event that ends nothing */
	uint64_t whole_until; /* time before which no event of the process is missing */
	bool are_creations_recorded; /* of communicators */
	bool has_created;            /* one, since the last collective has begun */

	struct requests requests;
	struct messages messages;
	struct collectives collectives, rma_collectives;
	struct rma rma;
	struct io io;
	struct files files;
	struct pipes pipes;
	struct epochs epochs;
	struct rendezvous rendezvous;
	struct teams teams;
	struct tasks tasks;
	struct threads threads;
	struct spawns spawns;

	/* sends and receives of the instance being made */
	struct measure_point *sends, *receives;
	size_t nr_sends, room_sends, nr_receives, room_receives;
	uint64_t length; /* of the message that it is about */
};

/* match_instances.c: an instance is put together by add_send and add_receive, then handed out. */
struct measure_point point_of(const struct measure_match *match, const struct measure_event *event);
struct measure_place place_of(const struct measure_point *point);
void instance_add_send(struct measure_match *match, const struct measure_point *point);
void instance_add_receive(struct measure_match *match, const struct measure_point *point);
void instance_hand_out_to(struct measure_match *match, measure_instance_fn deliver,
	enum measure_relation relation, uint32_t comm, uint64_t ordinal);
void instance_hand_out(struct measure_match *match, enum measure_relation relation, uint32_t comm,
	uint32_t tag, uint64_t ordinal);

/* An event that may have partners in other processes, when its process is read: its number. */
uint32_t mark_of(struct measure_match *match, const struct measure_point *point);
struct measure_point point_of_mark(const struct measure_match *match, uint32_t mark, uint32_t rank);
struct measure_place place_of_mark(const struct measure_match *match, uint32_t mark);

/* match_regions.c: sets match->calls.region_kinds */
void regions_start(struct measure_match *match);

/* match_envelopes.c: indices of the items in order of (lane, posting), cancelled ones left out;
 * starts[lane] is where a lane begins, starts[nr_lanes] the end. An item begins with its
 * struct posting. The caller frees both. */
uint32_t *lanes_sort(
	const void *items, size_t nr, size_t item_size, size_t nr_lanes, size_t **starts);

/* match_requests.c */
void requests_event(struct measure_match *match, const struct measure_event *event);
void requests_end_process(struct measure_match *match);
void requests_free(struct requests *requests);

/* match_messages.c. The add functions return the index of the half, SIZE_MAX for none. */
size_t messages_add(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const struct measure_point *post, bool is_send,
	bool is_nonblocking);
void messages_cancel(struct measure_match *match, size_t send);
void messages_end_process(struct measure_match *match);
void messages_end_reading(struct messages *messages);
void messages_finish(struct measure_match *match);
void messages_join(struct messages *messages, struct messages *others, uint32_t base);
void messages_free(struct messages *messages);

/* match_collectives.c */
void begins_begin_location(struct collectives *collectives);
void begins_add(struct measure_match *match, struct collectives *collectives,
	const struct measure_event *event);
/* False: there is none, which is reported. */
bool begins_take(struct measure_match *match, struct collectives *collectives,
	const struct measure_point *end, struct measure_point *begin);
/* After a region was left; is_refused: the trace says why there is no end. */
void begins_leave(struct measure_match *match, struct collectives *collectives, bool is_refused);
void begins_end_location(struct measure_match *match, const struct collectives *collectives);
void begins_free(struct begins *begins);

void collectives_add(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *begin, const struct measure_point *end, bool is_nonblocking);
void collectives_add_rma(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *begin, const struct measure_point *end);
void collectives_end_process(struct collectives *collectives);
void collectives_end_reading(struct collectives *collectives);
void collectives_finish(struct measure_match *match, struct collectives *collectives);
void collectives_join(struct collectives *collectives, struct collectives *others, uint32_t base);
void collectives_free(struct collectives *collectives);

/* match_alltoall.c: an alltoallv */
void exchange_hand_out(struct measure_match *match, const struct collective *const *members,
	size_t nr_members, uint32_t comm, uint64_t ordinal);

/* match_rma.c: operations, locks and lives of windows, all events of a process in order of time */
void rma_event(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point);
void rma_end_process(struct measure_match *match);
void rma_free(struct rma *rma);

/* match_io.c: handles and operations of files, all events of a process in order of time */
void io_event(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point);
void io_end_process(struct measure_match *match);
void io_finish(struct measure_match *match);
void io_join(struct io *io, struct io *others);
void io_free(struct io *io);

/* match_files.c: what processes do with a file together. files_add returns the index of the step,
 * SIZE_MAX: nobody wants to know. */
size_t files_add(struct measure_match *match, enum file_step_kind kind, uint32_t handle,
	uint64_t ordinal, const struct measure_point *begin);
void files_end(struct measure_match *match, size_t step, const struct measure_point *end);
void files_finish(struct measure_match *match);
void files_join(struct files *files, const struct files *others, uint32_t base);

/* match_pipes.c */
void pipes_add(struct measure_match *match, const struct io_operation *operation, uint64_t bytes,
	const struct measure_point *end);
void pipes_finish(struct measure_match *match);
void pipes_join(struct pipes *pipes, const struct pipes *others, uint32_t base);

/* match_processes.c */
/* To be called for the first event of each location: that of the process is the earliest. */
void processes_first_event(struct measure_match *match, const struct measure_event *event);
void processes_finish(struct measure_match *match);
void spawns_begin_location(struct measure_match *match);
void spawns_enter(struct measure_match *match, const struct measure_event *event);
void spawns_create(struct measure_match *match, const struct measure_event *event);
void spawns_leave(struct measure_match *match, const struct measure_event *event);
void spawns_join(struct spawns *spawns, const struct spawns *others);
void spawns_free(struct spawns *spawns);

/* match_rendezvous.c. What lies in which call is told where the trace has calls that wait for
 * receives; otherwise no region is of these kinds. */
enum region_kind rendezvous_kind(const char *name);
bool rendezvous_is_told(const struct measure_match *match, uint8_t kind);
void rendezvous_begin_location(struct measure_match *match);
void rendezvous_enter(struct measure_match *match, const struct measure_event *event, uint8_t kind);
void rendezvous_leave(struct measure_match *match, const struct measure_event *event);
/* `half`: what messages_add has returned. */
void rendezvous_blocking(
	struct measure_match *match, size_t half, const struct measure_point *point, bool is_send);
void rendezvous_send(struct measure_match *match, size_t half, const struct message_call *call);
void rendezvous_receive(struct measure_match *match, size_t half, const struct message_call *call,
	const struct measure_point *post);
void rendezvous_complete(
	struct measure_match *match, size_t half, const struct measure_point *point);
/* Of a message's send or receive, by its mark; NULL: nothing. */
const struct answered_send *rendezvous_send_of(const struct measure_match *match, uint32_t mark);
const struct answering_receive *rendezvous_receive_of(
	const struct measure_match *match, uint32_t mark);
/* In order of marks. */
void rendezvous_add_send(struct rendezvous *rendezvous, const struct answered_send *send);
void rendezvous_add_receive(struct rendezvous *rendezvous, const struct answering_receive *receive);
void rendezvous_join(struct rendezvous *rendezvous, const struct rendezvous *others, uint32_t base);
bool rendezvous_has_answers(const struct rendezvous *rendezvous);
/* A message, by the marks of its ends. */
void rendezvous_pair(struct measure_match *match, const struct message_place *place, uint32_t send,
	uint32_t receive);
void rendezvous_free(struct rendezvous *rendezvous);

/* match_rma_epochs.c: MPI_Win_post, start, complete and wait */
void epochs_enter(struct measure_match *match, const struct measure_event *event, uint8_t call);
void epochs_sync(struct measure_match *match, const struct measure_event *event);
void epochs_finish(struct measure_match *match);
uint32_t epochs_lane_of(struct epochs *epochs, struct epoch_lane lane);
void epochs_join(struct epochs *epochs, struct epochs *others, uint32_t base);
void epochs_free(struct epochs *epochs);

/* match_teams.c */
void teams_begin_location(struct measure_match *match);
void teams_event(struct measure_match *match, const struct measure_event *event);
void teams_end_process(struct measure_match *match);
/* The barrier that the location's innermost team comes to next, if it is a team of `comm`. */
void teams_next_barrier(const struct measure_match *match, uint32_t comm, struct barrier_key *key);
void stack_push(struct stack *stack, uint32_t item);
uint32_t stack_top(const struct stack *stack); /* MEASURE_NONE: empty */
void stack_pop(struct stack *stack);           /* if it is not empty */
void teams_free(struct teams *teams);

/* match_tasks.c */
void tasks_start(struct measure_match *match);
void tasks_event(struct measure_match *match, const struct measure_event *event);
void tasks_parameter(struct measure_match *match, const struct measure_event *event);
void tasks_end_process(struct measure_match *match);
void tasks_free(struct tasks *tasks);

/* match_task_data.c: facts of the task that was created last, and of data */
void uses_add(struct measure_match *match, enum task_use_mode mode, uint64_t data);
void uses_add_declared(struct measure_match *match, uint64_t before);
void uses_register(struct measure_match *match, uint64_t data);
void uses_end_process(struct measure_match *match);
void uses_free(struct task_uses *uses);

/* match_task_runs.c */
void runs_begin_location(struct measure_match *match);
void runs_team(struct measure_match *match, const struct measure_event *event);
uint32_t runs_depth(const struct measure_match *match); /* teams around, and the one outside */
uint32_t runs_current(const struct measure_match *match);
uint32_t *runs_children(struct measure_match *match);
void runs_create(struct measure_match *match, uint32_t task);
void runs_switch(struct measure_match *match, uint32_t task, const struct measure_point *point);
void runs_complete(struct measure_match *match, uint32_t task);
void runs_end_process(struct measure_match *match);
void runs_free(struct tasks *tasks);

/* match_task_waits.c */
void waits_begin_location(struct measure_match *match);
/* The taskgroup that tasks are made in now, or MEASURE_NONE. */
uint32_t waits_group(struct measure_match *match);
void waits_enter(struct measure_match *match, uint8_t kind); /* enum region_kind */
void waits_leave(struct measure_match *match, uint8_t kind, const struct measure_point *point);
/* When all of a process has been read, in this order; barriers in the order of their keys. */
void waits_prepare(struct measure_match *match);
void waits_hand_out_barrier(
	struct measure_match *match, const struct barrier_half *members, size_t nr);
void waits_end_process(struct measure_match *match);
void waits_free(struct waits *waits);

/* match_threads.c */
void threads_event(struct measure_match *match, const struct measure_event *event);
void threads_end_process(struct measure_match *match);
void threads_free(struct threads *threads);

#endif
