/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wait states of a program: where its calls waited, how long, and for whom. The archive is read
 * once, into the matcher (trace/match/match.h), a profile and tables of calls; each match then
 * gives the time before which its calls could not go on. doc/waits.md has the definitions.
 *
 * All numbers are integers, and no result depends on the number of threads that have read. */
#ifndef MEASURE_ANALYSIS_WAITS_WAITS_H
#define MEASURE_ANALYSIS_WAITS_WAITS_H

#include "analysis/profile/profile.h"
#include "dependencies.h"
#include "trace/match/match.h"

enum measure_wait_pattern {
#define WAIT_PATTERN(NAME, word, part, title) MEASURE_WAIT_##NAME,
#include "wait_patterns.def"
#undef WAIT_PATTERN
	MEASURE_NR_WAIT_PATTERNS
};

enum measure_wait_part {
	MEASURE_WAIT_ADDED, /* part of the waiting time */
	MEASURE_WAIT_PART,  /* contained in another pattern */
	MEASURE_WAIT_BESIDE /* no waiting time */
};

struct measure_wait_pattern_info {
	const char *word, *title;
	enum measure_wait_part part;
};

extern const struct measure_wait_pattern_info measure_wait_patterns[MEASURE_NR_WAIT_PATTERNS];

/* One wait. */
struct measure_worst_wait {
	uint64_t enter, until; /* of the call; when it could go on */
	uint32_t cause;        /* location, or MEASURE_NONE: nobody in particular */
	uint32_t cause_path;   /* its call, or MEASURE_NONE: it was in none */
};

/* The waiting of the calls of a path on a location. */
struct measure_wait_row {
	uint32_t pattern, path, location;
	uint64_t ticks, count, max;
	struct measure_worst_wait worst; /* the first one of `max` ticks */
};

/* The waiting of the calls of a path, on all locations, for the location `cause`. */
struct measure_wait_cause {
	uint32_t pattern, path, cause;
	uint64_t ticks, count;
};

/* Instances of a relation that give no waiting time. */
struct measure_wait_faults {
	uint64_t violations, worst_violation; /* receives before their sends; ticks */
	uint64_t disproved;                   /* one location went on before all were there */
};

/* Distance between sender and receiver: MPI libraries treat messages differently by it. */
enum measure_wait_nearness {
	MEASURE_WAIT_NEARNESS_PROCESS,
	MEASURE_WAIT_NEARNESS_NODE,
	MEASURE_WAIT_NEARNESS_NETWORK,
	MEASURE_WAIT_NR_NEARNESSES
};

#define MEASURE_WAITS_LONGEST 10

/* Clocks that disagree, and their correction. */
struct measure_waits_clocks {
	uint64_t violations, worst; /* before correction: instances of all relations; ticks */
	bool is_wanted;             /* correction was asked for */
	bool is_corrected;          /* all other results are in corrected times */
	const char *failure;        /* why they could not be corrected, or NULL */
};

struct measure_waits {
	struct measure_profile profile; /* of the same reading */
	const uint8_t *region_kinds;    /* by region: enum measure_region_kind */
	/* by pattern, path, location */
	MEASURE_GROWING(struct measure_wait_row, rows);
	MEASURE_GROWING(struct measure_wait_cause, causes);
	uint32_t longest[MEASURE_WAITS_LONGEST]; /* dependencies.waits: the longest first */
	size_t nr_longest;
	struct measure_wait_faults faults[MEASURE_NR_RELATIONS];
	/* Bytes of the longest message that was sent before its receive was posted, in a process,
	 * in a node, and in the network. */
	uint64_t eager[MEASURE_WAIT_NR_NEARNESSES];
	struct measure_dependencies dependencies; /* what the rows are sums of */
	struct measure_root_causes *root_causes;  /* NULL: not found yet (causes/root_causes.h) */
	uint64_t nr_cut;           /* calls without a Leave: how long they waited is unknown */
	uint64_t nr_processes_cut; /* that were cut short */
	uint64_t nr_dropped;       /* events that the recording did not keep */
	struct measure_waits_clocks clocks; /* set by who has read */
};

struct measure_sync_job;

/* Sees which events belong together, after the calls of all locations have been read. An archive
 * may be read more than once: what it saw before counts no longer then. */
struct measure_waits_observer {
	/* `tables`: by location; those of waits->dependencies */
	void (*start)(void *data, struct measure_call_table *tables);
	measure_instance_fn message;
	measure_collective_fn collective;
	void *data;
};

struct measure_waits_options {
	unsigned nr_threads;
	/* Bytes from which on plain sends wait for their receives; else that is inferred: those do
	 * that are longer than any that was seen not to. */
	bool has_rendezvous;
	uint64_t rendezvous;
	const struct measure_sync_job
		*job; /* that reads the archive together; NULL: this process */
	const struct measure_waits_observer *observer; /* or NULL */
	void (*progress)(double share);
};

/* Collective in a job, whose first process gets the result. Reads the events of an archive. What
 * is wrong with them goes to trace->findings.
 * MEASURE_ERROR_FORMAT: not all could be read, and measure_trace_error() has a reason; what could
 * counts. The result is freed in any case. */
measure_status_t measure_waits_read(struct measure_trace *trace,
	const struct measure_waits_options *options, struct measure_waits *waits);
void measure_waits_free(struct measure_waits *waits);

/* From the first event of all to the last. */
uint64_t measure_waits_run_ticks(const struct measure_waits *waits);

/* Ticks of all locations, from the first event of each to its last. */
uint64_t measure_waits_all_ticks(const struct measure_waits *waits);

/* Waiting time: the sum of the patterns that are added. */
uint64_t measure_waits_total(const struct measure_waits *waits);

#endif
