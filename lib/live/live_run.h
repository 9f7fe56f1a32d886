/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-repair --live: the open regions of the processes of a run in progress, and a snapshot of
 * it. live_run.c collects, live_text.c and live_json.c print, live_report.c has them do it. */
#ifndef MEASURE_LIVE_LIVE_RUN_H
#define MEASURE_LIVE_LIVE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/unify/job.h"
#include "live_segment.h"
#include "assemble/part/parts.h"
#include "assemble/clocks/clock_correction.h"
#include "assemble/unify/unify.h"
#include "cli/cli.h"

enum live_state {
	LIVE_RUNNING, /* looked at */
	LIVE_ENDED,
	LIVE_ELSEWHERE, /* on another node */
	LIVE_UNREADABLE /* its keeper is gone, or is not for us to look at: that was said */
};

/* Of the part with the same index. */
struct live_process {
	const struct measure_part_entry *entry;
	enum live_state state;
	struct measure_live live; /* if LIVE_RUNNING */
	bool is_stopped;          /* the same */
	uint64_t now;             /* ticks of its clock */
	size_t part;              /* index in `parts`; SIZE_MAX: nothing is known of it */
	const struct measure_process *place;             /* in the job; NULL: as above */
	MEASURE_ARRAY(struct measure_live_stack) stacks; /* by location */
};

struct live_run {
	const char *directory;
	bool is_copied;    /* there will be a snapshot */
	bool is_in_memory; /* --profile: what it is made of does not wait for us */
	int parts_fd;
	measure_part_list_t list;
	MEASURE_ARRAY(struct live_process) processes; /* by entry of the list */
	MEASURE_ARRAY(struct measure_part) parts;
	struct measure_job job;
	struct measure_clock_correction timeline;
	struct measure_unified unified;
	uint32_t nr_states[LIVE_UNREADABLE + 1];
	uint32_t nr_stopped; /* of those that are running */
};

struct live_options {
	const char *output; /* NULL: no snapshot */
	bool is_json;
	bool is_roll_call; /* nothing else is printed */
	bool is_quiet;
};

enum measure_exit_code measure_live_run(const char *directory, const struct live_options *options);

/* Finds the parts of a run; false: there are none, errno has the reason. Then looks at all its
 * processes, once; to be released also after an error. */
bool live_run_open(struct live_run *run, const char *directory);
measure_status_t live_run_look(struct live_run *run);
void live_run_release(struct live_run *run);

/* What is to be said of a frame. NULL: its region is not known. */
const struct measure_otf2_region *live_region(const struct live_run *run,
	const struct live_process *process, const struct measure_live_frame *frame);
const char *live_string(const struct live_run *run, uint32_t id);
double live_seconds(const struct live_run *run, const struct live_process *process, uint64_t time);

/* `call` NULL: without a roll-call. */
struct measure_rollcall;
void live_print_text(const struct live_run *run, const struct measure_rollcall *call);
void live_print_json(const struct live_run *run, const struct measure_rollcall *call);

#endif
