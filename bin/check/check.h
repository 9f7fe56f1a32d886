/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One run of all checks over one archive, and its results. measure_check_archive is all
 * that others (the tool, its unit tests) need. */
#ifndef MEASURE_CHECK_CHECK_H
#define MEASURE_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/match.h"
#include "trace/selection.h"
#include "trace/trace.h"

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

struct check {
	struct measure_findings findings;
	struct measure_trace *trace; /* NULL: could not be opened */
	uint64_t nr_events, nr_processes;
	struct check_relation relations[MEASURE_NR_RELATIONS];
	struct check_traffic traffic[CHECK_NR_TRAFFIC];
	struct measure_file_counts files;
};

/* Called now and then with the share of the work that is done, 0 to 1. */
typedef void (*check_progress_fn)(double share);

/* Runs all checks, and looks for the relations of `selection` (NULL: the usual ones). MEASURE_OK: `check` holds the result; otherwise the archive cannot be read
 * and measure_trace_error() says why. check_free in both cases. */
measure_status_t check_archive(const char *path, size_t nr_kept_per_check,
	const struct measure_selection *selection, check_progress_fn progress, struct check *check);

void check_free(struct check *check);

/* True where no check found an error. */
bool check_is_sound(const struct check *check);

/* Sums over all checks. */
uint64_t check_errors(const struct check *check);
uint64_t check_warnings(const struct check *check);

/* Output on stdout: text for people, JSON for programs. */
void check_print_text(const struct check *check, bool is_verbose);
void check_print_json(const struct check *check, const char *path);

#endif
