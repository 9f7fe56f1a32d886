/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs all checks on one archive, and holds their results. check_archive is all that the
 * tool and its unit tests need. */
#ifndef MEASURE_CHECK_CHECK_H
#define MEASURE_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/graph/decay.h"
#include "sync/graph/graph.h"
#include "trace/match/match.h"
#include "trace/relations/relation_selection.h"
#include "trace/common/containers.h"
#include "trace/archive/trace.h"

/* The clock condition along all instances of one relation. An edge is one (send, receive)
 * pair on different locations. */
struct check_relation {
	uint64_t nr_instances, nr_edges, nr_reversed;
	uint64_t worst; /* ticks the receive is too early */
};

/* What the processes moved. Bytes as the process sees them: out of it, into it. */
enum check_traffic_kind {
#define TRAFFIC(NAME, id, word) CHECK_TRAFFIC_##NAME,
#include "traffic.def"
#undef TRAFFIC
	CHECK_NR_TRAFFIC
};

struct check_traffic {
	uint64_t nr, bytes_out, bytes_in;
};

struct check_traffic_info {
	const char *id, *word;
};

extern const struct check_traffic_info check_traffic_infos[CHECK_NR_TRAFFIC];

/* Times from one send to one receive, of messages and what is like them (an instance with one of
 * each), between locations. Decades of corrected time; a receive before its send is in the first
 * one. */
#define CHECK_NR_DECADES 10

/* Upper ends of all decades but the last one, in nanoseconds. */
extern const int64_t check_decades[CHECK_NR_DECADES - 1];

enum check_way { CHECK_WAY_PROCESS, CHECK_WAY_NODE, CHECK_WAY_NETWORK };

struct check_time_row {
	enum check_way way;
	uint32_t from, to; /* of CHECK_WAY_NETWORK: nodes (tree nodes, or MEASURE_NONE) */
	uint64_t nr, decades[CHECK_NR_DECADES];
	uint64_t nr_below;   /* not before the send, but earlier than the least time allows */
	int64_t least, most; /* ticks */
	measure_wide_t sum;
};

struct check_times {
	struct measure_sync_latencies latencies; /* ticks */
	struct check_time_row *rows; /* inside processes, inside nodes, then pairs of nodes */
	size_t nr, room;
	struct measure_map ids; /* of pairs of nodes */
};

struct check {
	struct measure_findings findings;
	struct measure_trace *trace; /* NULL: could not be opened */
	uint64_t nr_events, nr_processes;
	struct check_relation relations[MEASURE_NR_RELATIONS];
	struct check_traffic traffic[CHECK_NR_TRAFFIC];
	struct measure_file_counts files;
	bool has_times;
	struct check_times times;
};

/* Called now and then with the share of the work that is done, 0 to 1. */
typedef void (*check_progress_fn)(double share);

struct check_wishes {
	size_t nr_kept_per_check;
	const struct measure_selection *selection; /* of relations; NULL: the usual ones */
	/* Least times in nanoseconds, where message times are wished for; or NULL. */
	const struct measure_sync_latencies *latencies;
	check_progress_fn progress; /* or NULL */
};

/* Runs all checks. MEASURE_OK: `check` holds the result; otherwise the archive cannot be read and
 * measure_trace_error() says why. check_free in both cases. */
measure_status_t check_archive(
	const char *path, const struct check_wishes *wishes, struct check *check);

void check_free(struct check *check);

/* True where no check found an error. */
bool check_is_sound(const struct check *check);

/* Sums over all checks. */
uint64_t check_errors(const struct check *check);
uint64_t check_warnings(const struct check *check);

/* Output on stdout: text for people, JSON for programs. */
void check_print_text(const struct check *check, bool is_verbose);
void check_print_json(const struct check *check, const char *path);

/* Parts of these: what was cut short, message times. */
void check_print_cuts_text(const struct check *check);
void check_print_cuts_json(const struct check *check);
void check_print_times_text(const struct check *check, bool is_verbose);
void check_print_times_json(const struct check *check);

#endif
