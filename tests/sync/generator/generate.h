/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of generate share: a job whose locations advance in true time, one step of a
 * program after the other, and record what they do as Measure's adapters would. */
#ifndef TESTS_SYNC_GENERATE_H
#define TESTS_SYNC_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

#define GEN_RESOLUTION    1000000000ULL    /* ticks per second, of true time too */
#define GEN_START         1000000000000ULL /* true time of the first event; clocks are off by less */
#define GEN_NR_LOCKS      3 /* of each process: critical or mutex, an OpenMP lock, ordered */
#define GEN_MESSAGE_BYTES 1024
#define GEN_LONG_BYTES    65536 /* of messages that wait for their receives */
#define GEN_MAX_STAMPS    4096  /* of truth held in memory, per location */
#define GEN_MAX_DEPTH     32    /* of calls */
#define GEN_NR_RATED      8     /* transactions over which --cost has a rate */

enum gen_region {
#define REGION(ID, name, ROLE, PARADIGM) GEN_##ID,
#include "gen_regions.def"
#undef REGION
	GEN_NR_REGIONS
};

/* Groups and communicators of MPI; those of threads follow, then communicators made in the run. */
enum {
	GEN_GROUP_LOCATIONS,
	GEN_GROUP_WORLD,
	GEN_GROUP_EVEN,
	GEN_GROUP_ODD,
	GEN_GROUP_SELF,
	GEN_GROUP_CHILDREN /* spawned processes, where there are some */
};
enum { GEN_COMM_WORLD, GEN_COMM_SELF, GEN_COMM_TEAMS };
/* parameters */
enum { GEN_TASK_READY, GEN_TASK_DEPENDENCE, GEN_TASK_ACCESS, GEN_DATA_REGISTER, GEN_NR_PARAMETERS };

struct gen_options {
#define WORD(field, name, value, argument, text)   const char *field;
#define NUMBER(field, name, value, argument, text) uint64_t field;
#include "gen_options.def"
#undef WORD
#undef NUMBER
	const char *directory;
};

struct gen_random {
	uint64_t state;
};

struct gen_errors {
#define ERROR(field, text) double field;
#include "gen_clock.def"
#undef ERROR
};

/* One clock: errors at points of a grid of true time, straight lines in between. */
struct gen_clock {
	struct gen_errors errors; /* as drawn for this clock */
	double phase;
	struct gen_random random;
	double *walked; /* ns at each point of the grid, of what must be walked through */
	size_t nr_walked, room_walked;
	double rate, slew;
	uint64_t slew_left; /* points */
};

/* The piece of a clock that a location is on. */
struct gen_piece {
	uint64_t start; /* true time; 0: none yet */
	double error, slope;
};

/* What others wait for: when a call was entered, or something happened in it. */
struct gen_moment {
	uint64_t time;     /* 0: never */
	uint32_t location; /* in the order of definitions */
	uint32_t path;     /* of the call; 0: in none */
	/* in measured time, which may be that of another location: a segment of its records, see
	 * gen_recorded() */
	uint32_t recorder;
	size_t segment;
};

enum { GEN_NR_BEGUN = 4 };

/* What recording costs, by kind of record: see gen_cost.c. */
enum gen_cost {
#define COST(ID) GEN_COST_##ID,
#include "gen_cost.def"
#undef COST
	GEN_NR_COSTS
};

/* What recording has cost a location. */
struct gen_meter {
	uint64_t late;              /* after the true time, in 2^-16 ns */
	uint64_t stamped, measured; /* true and measured time of the last record */
	/* When the records of each segment were made. A segment is what is recorded at one tick
	 * before the location goes on: up to a call that begins, or ends after what others wait
	 * for was over. */
	uint64_t *recorded;
	size_t nr_segments, room_segments;
	uint64_t behind; /* cost of the last one since its timestamp, in 2^-16 ns */
	bool is_leave;   /* its last record */
	bool is_over;    /* others wait for that */
	uint64_t transactions[GEN_NR_RATED], nr_transactions, first_transaction;
	double rate;                        /* at the last transaction */
	uint64_t awaited, awaited_measured; /* with --exact: what it cannot go on before; 0: none */
	bool has_waited;
};

struct gen_location {
	uint64_t id;
	uint32_t process, thread;
	uint64_t now; /* true time of its next event */
	uint64_t first_raw, last_raw;
	uint64_t nr_events, nr_local, nr_omitted;
	struct gen_piece piece;
	OTF2_EvtWriter *writer;
	uint32_t nr_chunks, nr_stamps;
	uint64_t *stamps;
	struct gen_moment begun[GEN_NR_BEGUN]; /* sends of the step that is being simulated */
	struct gen_moment arrived;             /* where threads of a team wait for each other */
	struct gen_meter meter;
	struct gen_calls *calls; /* with --waits: see gen_waits.c */
};

struct gen_lock {
	uint32_t nr_acquired;
	uint64_t free_at;
	struct gen_moment released;
	const struct gen_location *last;
};

struct gen_process {
	uint64_t next_request;
	uint64_t begin; /* of the operation that is being simulated */
	uint64_t sent, received;
	uint32_t target; /* of all that it sends, where each sends to one */
	uint64_t requests[4];
	uint32_t nr_tasks;
	/* of the tasks before: creator << 32 | number of the last one, and their team; 0: none */
	uint64_t last_task;
	uint32_t last_tasks_comm;
	struct gen_lock locks[GEN_NR_LOCKS];
};

/* A communicator made while the job ran. */
struct gen_comm {
	uint32_t group, other_group; /* the same: no intercommunicator */
	uint32_t parent;
};

/* Processes first, first + stride, ... */
struct gen_members {
	uint32_t comm, first, stride, nr;
};

struct gen {
	struct gen_options options;
	struct gen_random random, local_random;
	struct gen_errors errors;
	struct gen_clock *clocks;
	struct gen_location *locations;
	size_t nr_locations, nr_all_locations; /* all: with those that stay empty */
	struct gen_process *processes;
	struct gen_comm *comms;
	uint32_t nr_comms, room_comms;
	uint32_t family;     /* communicator of ranks and the processes they have spawned */
	uint32_t nr_windows; /* 0: there are none */
	uint64_t message_bytes;
	bool has_pthreads, has_started_threads;
	uint64_t first_sample, last_sample;
	uint64_t nr_events;
	struct gen_waits *waits; /* with --waits */
	struct gen_curve *costs; /* with --cost: by kind */
	OTF2_Archive *archive;
};

/* gen_random.c */
uint64_t gen_next(struct gen_random *random);
uint64_t gen_below(struct gen_random *random, uint64_t bound);
double gen_uniform(struct gen_random *random); /* -1 to 1 */
double gen_normal(struct gen_random *random);
void *gen_zeroed(size_t nr, size_t size);
void gen_fail(const char *what, const char *whom);

/* gen_clock.c */
void gen_clocks_start(struct gen *gen);
void gen_clocks_free(struct gen *gen);
struct gen_clock *gen_clock_of(const struct gen *gen, uint32_t process);

/* What the location's timer shows at true time `now`. */
uint64_t gen_clock_read(struct gen *gen, struct gen_location *location, uint64_t now);

/* gen_truth.c */
void gen_truth_start(struct gen *gen);
void gen_truth_flush(const struct gen *gen, struct gen_location *location);

/* gen_waits.c: what the program has waited for, by call path; nothing without --waits. Calls of a
 * location are told when they are entered and left. */
void gen_waits_start(struct gen *gen);
void gen_waits_write(struct gen *gen, uint64_t begin);
void gen_waits_enter(struct gen *gen, struct gen_location *location, uint32_t region);
void gen_waits_leave(struct gen *gen, struct gen_location *location);

/* When its innermost call was entered; what happens now, in that call or in none. */
struct gen_moment gen_entered(const struct gen *gen, struct gen_location *location);
struct gen_moment gen_in_call(const struct gen *gen, struct gen_location *location);
struct gen_moment gen_in_none(const struct gen *gen, struct gen_location *location);
void gen_later(const struct gen *gen, struct gen_moment *last, struct gen_moment moment);
/* In measured time, when what others wait for was recorded: the location went on then. */
uint64_t gen_recorded(const struct gen *gen, const struct gen_moment *moment);

/* The innermost call of a location cannot go on before `until`; the latest one counts. */
void gen_expect(struct gen *gen, struct gen_location *location, const char *pattern,
	struct gen_moment until);

/* The last thing expected of its innermost call: the part of that wait from `from` on. */
void gen_expect_part(
	struct gen *gen, struct gen_location *location, const char *pattern, uint64_t from);

/* A message that was sent then arrives now; its call has waited for that. */
void gen_arrive(struct gen *gen, struct gen_location *location, struct gen_moment sent);

/* ... and has not, as it returns at the first of several. */
void gen_arrive_unexpected(struct gen *gen, struct gen_location *location, struct gen_moment sent);

/* A task ran from `start` to now: no part of the call around it. */
void gen_ran_task(struct gen *gen, struct gen_location *location, uint64_t start);

/* The last calls of some members: how long each stayed when all were there and one had gone on. */
void gen_completed(struct gen *gen, const uint32_t processes[], size_t nr, const char *pattern,
	struct gen_moment last);

/* For call paths: all masters enter some functions, and leave them. */
void gen_waits_begin_step(struct gen *gen);
void gen_waits_end_step(struct gen *gen);

/* gen_archive.c, gen_definitions.c */
void gen_archive_open(struct gen *gen);
void gen_archive_close(struct gen *gen);
void gen_write_definitions(struct gen *gen, uint64_t begin, uint64_t end);
const char *gen_region_name(uint32_t region);
bool gen_is_function(uint32_t region); /* of the program itself */

/* gen_samples.c: writes the ClockOffset records of all locations and finds out the span of
 * corrected times. */
void gen_write_samples(struct gen *gen, uint64_t *begin, uint64_t *end);

/* gen_cost.c: the measured time of a record of the location now. */
void gen_costs_start(struct gen *gen);
uint64_t gen_cost_stamp(struct gen *gen, struct gen_location *location, enum gen_cost cost);

/* gen_record.c: raw time for a record of the location now, which is no call and no message; of any
 * kind; of a message or collective operation. */
uint64_t gen_stamp(struct gen *gen, struct gen_location *location);
uint64_t gen_stamp_as(struct gen *gen, struct gen_location *location, enum gen_cost cost);
uint64_t gen_stamp_message(struct gen *gen, struct gen_location *location);
void gen_enter(struct gen *gen, struct gen_location *location, uint32_t region);
void gen_leave(struct gen *gen, struct gen_location *location, uint32_t region);
void gen_send(
	struct gen *gen, struct gen_location *location, uint32_t peer, uint32_t comm, uint32_t tag);
void gen_receive(
	struct gen *gen, struct gen_location *location, uint32_t peer, uint32_t comm, uint32_t tag);
uint64_t gen_isend(
	struct gen *gen, struct gen_location *location, uint32_t peer, uint32_t comm, uint32_t tag);
uint64_t gen_irecv(struct gen *gen, struct gen_location *location);
void gen_isend_complete(struct gen *gen, struct gen_location *location, uint64_t request);
void gen_irecv_complete(struct gen *gen, struct gen_location *location, uint32_t peer,
	uint32_t comm, uint32_t tag, uint64_t request);
void gen_cancelled(struct gen *gen, struct gen_location *location, uint64_t request);

struct gen_location *gen_master(const struct gen *gen, uint32_t process);
struct gen_location *gen_thread(const struct gen *gen, uint32_t process, uint32_t thread);

/* Time passes, for about `mean`, with the local events that are due. */
void gen_work(struct gen *gen, struct gen_location *location, uint64_t mean);

/* A short time passes. */
void gen_pass(struct gen *gen, struct gen_location *location);

/* With --exact: the next gen_wait of the location cannot go on before what was sent then, by a
 * location of process `from`, can be there; nothing, where the time is 0. */
void gen_await(
	struct gen *gen, struct gen_location *location, uint32_t from, struct gen_moment sent);

/* ... all these have sent in begun[0]: ranks from the first one on, but itself. */
void gen_await_ranks(
	struct gen *gen, struct gen_location *location, uint32_t first, uint32_t stride);

/* Waits for `time` plus what it takes from there to here; with --exact for what gen_await told. */
void gen_wait(struct gen *gen, struct gen_location *location, uint64_t time, uint64_t lmin);
uint64_t gen_lmin(const struct gen *gen, uint32_t from, uint32_t to); /* processes */
uint64_t gen_lmin_all(const struct gen *gen);

/* Steps, one iteration each. */
#define STEP(name, function, min_ranks, min_threads, is_mixed, text) void function(struct gen *gen);
#include "gen_steps.def"
#undef STEP

/* gen_spawn.c: spawned processes are numbered behind the ranks. */
uint32_t gen_nr_processes(const struct gen *gen);
uint32_t gen_node(const struct gen *gen, uint32_t process);
uint32_t gen_creator(
	const struct gen *gen, uint32_t process); /* or OTF2_UNDEFINED_LOCATION_GROUP */
void gen_begin_children(struct gen *gen);
void gen_end_children(struct gen *gen);

void gen_begin_job(struct gen *gen);
void gen_end_job(struct gen *gen);
void gen_end_threads(struct gen *gen);

/* gen_collectives.c */
void gen_collective(
	struct gen *gen, const struct gen_members *members, unsigned op, bool is_nonblocking);
unsigned gen_nr_collectives(void);
uint32_t gen_collective_region(unsigned op, bool is_nonblocking);
const char *gen_collective_name(unsigned op, bool is_nonblocking);
OTF2_RegionRole gen_collective_role(unsigned op);
/* All enter, all leave when all have entered. */
void gen_meet(struct gen *gen, const struct gen_members *members, uint32_t region);
uint32_t gen_new_comm(struct gen *gen, uint32_t group, uint32_t other_group, uint32_t parent);

/* gen_teams.c: communicators of threads. */
/* How many each process has. With pthreads it is one, and the communicator that of all threads. */
uint32_t gen_nr_teams(const struct gen *gen);
uint32_t gen_team_comm(const struct gen *gen, uint32_t process, uint32_t team);
uint32_t gen_team_members(const struct gen *gen, uint32_t team, uint32_t threads[]);

#endif
