/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One run as the page shows it: what has been found in its archive, and how the page numbers
 * locations, processes, hosts, regions and times. */
#ifndef MEASURE_REPORT_PAGE_RUN_H
#define MEASURE_REPORT_PAGE_RUN_H

#include "analysis/efficiency/efficiency.h"
#include "analysis/pyramid/pyramid.h"
#include "analysis/waits/waits.h"
#include "page.h"
#include "page_contacts.h"
#include "page_text.h"

/* How many of all there are a block has. */
struct measure_page_share {
	bool is_there;
	uint64_t shown, total;
};

enum measure_page_part {
#define PAGE_PART(NAME, word, what) MEASURE_PAGE_##NAME,
#include "page_parts.def"
#undef PAGE_PART
	MEASURE_PAGE_NR_PARTS
};

struct measure_page_part_info {
	const char *word, *what; /* name of the block; what its items are, for people */
};

extern const struct measure_page_part_info measure_page_parts[MEASURE_PAGE_NR_PARTS];

struct measure_page_series;  /* page_metrics.c */
struct measure_report_tasks; /* tasks/report_tasks.h */

struct measure_page_run {
	unsigned number; /* of the run in the page: 0 or 1 */
	unsigned nr_threads;
	struct measure_page *page;
	struct measure_trace *trace;
	const struct measure_waits *waits;
	const struct measure_profile
		*profile; /* that of the waits, or of an archive without events */
	const struct measure_efficiency *efficiency; /* NULL: there is no analysis */
	struct measure_page_contacts *contacts;      /* the same */
	const struct measure_report_tasks *tasks;    /* NULL: there are none */
	struct measure_pyramid pyramid;

	/* rows of the page, and back; MEASURE_NONE: none */
	uint32_t *locations, *rows;
	MEASURE_GROWING(uint32_t, processes); /* location groups */
	uint32_t *process_rows;
	uint32_t *ranks;                  /* by location group, or MEASURE_NONE */
	MEASURE_GROWING(uint32_t, hosts); /* tree nodes */
	uint32_t *host_rows;
	MEASURE_GROWING(uint32_t, regions); /* of call paths, also pseudo regions */
	struct measure_map region_rows;
	MEASURE_GROWING(uint32_t, comms);
	struct measure_map comm_rows;
	MEASURE_GROWING(uint32_t, operations); /* see page_collectives.c */
	struct measure_map operation_rows;
	uint64_t room; /* characters for the blocks of this run */

	struct measure_page_text profile_text, analysis_text;
	struct measure_page_share shares[MEASURE_PAGE_NR_PARTS];
	struct measure_page_series *series;
	size_t nr_series;
	bool is_complete; /* the block of segments has all calls */
	uint32_t finest;  /* level of the pyramid that is in its block */
};

/* `run` has its page, trace, waits, profile, efficiency, contacts, number and threads. Reads the
 * events again. */
void measure_page_run_start(struct measure_page_run *run);
void measure_page_run_free(struct measure_page_run *run);

/* Writes all blocks that fit. */
void measure_page_run_write(struct measure_page_run *run);

/* The object of the run in the header; with all blocks when they are written. */
void measure_page_run_print(const struct measure_page_run *run, const char *name, FILE *out);

/* Seconds of a bin of the finest level that is shown. */
double measure_page_finest_interval(const struct measure_page_run *run);

/* ------------------------------------------------------------------------- numbers --- */

/* In ticks of the page. */
static inline uint64_t measure_page_time(const struct measure_page_run *run, uint64_t time)
{
	return time > run->pyramid.start ? (time - run->pyramid.start) >> run->pyramid.shift : 0;
}

/* A row as a number where 0 is none. */
static inline uint64_t measure_page_row(uint32_t row)
{
	return row == MEASURE_NONE ? 0 : (uint64_t)row + 1;
}

/* The waits of a call: from the first one on, while is_wait_of(). page_waits.c */
const struct measure_wait_state *measure_page_find_wait(
	const struct measure_dependencies *dependencies, uint32_t location, uint32_t call);
bool measure_page_is_wait_of(const struct measure_dependencies *dependencies,
	const struct measure_wait_state *wait, uint32_t location, uint32_t call);

/* How long a call waited for another one, in ticks of the page. */
uint64_t measure_page_wait_of(const struct measure_page_run *run, uint32_t location, uint32_t call,
	uint32_t cause, uint32_t cause_call);

/* page_rows.c */
void measure_page_rows_number(struct measure_page_run *run);
void measure_page_rows_free(struct measure_page_run *run);

uint32_t measure_page_comm_row(struct measure_page_run *run, uint32_t comm);

/* Room of the pyramid; where there are no segments, it gets all that is left. page_levels.c */
uint64_t measure_page_pyramid_room(const struct measure_page_run *run);

/* How many items of so many characters are in `share` per cent of the room that the blocks of the
 * run have together. */
uint64_t measure_page_most(const struct measure_page_run *run, unsigned share, unsigned characters);

struct measure_page_share measure_page_share_of(size_t nr, uint64_t most);

/* Indices of the first of share->total things by one order, share->shown of them, in another one;
 * orders compare indices. To be freed. */
size_t *measure_page_choose(const struct measure_page_share *share,
	int (*by_importance)(const void *left, const void *right, void *data),
	int (*by_time)(const void *left, const void *right, void *data), const void *data);

/* --------------------------------------------------------------------------- parts --- */

/* page_messages.c, page_collectives.c, page_waits.c, page_metrics.c, page_path_times.c,
 * page_levels.c, page_segments.c */
void measure_page_write_messages(struct measure_page_run *run);
void measure_page_write_collectives(struct measure_page_run *run);
void measure_page_write_waits(struct measure_page_run *run);
void measure_page_write_critical_path(struct measure_page_run *run);
void measure_page_write_metrics(struct measure_page_run *run);
void measure_page_write_path_times(struct measure_page_run *run);
void measure_page_write_pyramid(struct measure_page_run *run);
void measure_page_write_groups(struct measure_page_run *run);
void measure_page_write_segments(struct measure_page_run *run);

/* tasks/page_task_blocks.c: also that of predecessors; tasks/page_tasks.c */
void measure_page_write_tasks(struct measure_page_run *run);
void measure_page_write_series(struct measure_page_run *run);
void measure_page_write_boxes(struct measure_page_run *run);

/* The object of tasks, or null. */
void measure_page_print_tasks(const struct measure_page_run *run, FILE *out);

/* Members of the header's object of the time line, each with a comma before it: page_metrics.c,
 * page_events.c */
void measure_page_print_metrics(const struct measure_page_run *run, FILE *out);
void measure_page_print_phases(const struct measure_page_run *run, FILE *out);
void measure_page_print_markers(const struct measure_page_run *run, FILE *out);
void measure_page_print_operations(const struct measure_page_run *run, FILE *out);
void measure_page_metrics_free(struct measure_page_run *run);

/* page_clocks.c: the object, or null */
void measure_page_print_clocks(const struct measure_page_run *run, FILE *out);

#endif
