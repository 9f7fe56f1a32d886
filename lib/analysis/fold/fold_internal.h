/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the fold share: fold.c has calls and times, fold_tasks.c contexts,
 * fold_traffic.c messages, collectives, locks, files and allocations, fold_metrics.c values of
 * metrics. */
#ifndef MEASURE_ANALYSIS_FOLD_FOLD_INTERNAL_H
#define MEASURE_ANALYSIS_FOLD_FOLD_INTERNAL_H

#include "base/array.h"
#include "fold.h"
#include "analysis/profile/pack.h"

/* Time goes on to that of an event: what has passed since the last one is charged to where it was
 * spent. Returns the time, moved into the window. */
uint64_t fold_arrive(struct measure_fold *fold, uint64_t time);

/* Time of a pseudo region below a path, and visits to it. */
void fold_charge(struct measure_fold *fold, uint32_t path, enum measure_pseudo_region region,
	uint64_t visits, uint64_t ticks);

/* Closes the innermost frame of the current context, whose Leave is not in the trace. */
void fold_cut(struct measure_fold *fold, uint64_t time);

uint64_t *fold_row(
	struct measure_fold *fold, enum measure_table_name name, uint64_t first, uint64_t second);

/* The values of the current path. */
uint64_t *fold_values(struct measure_fold *fold);

/* All but the profile. */
void fold_free(struct measure_fold *fold);

/* What they have seen so far; see fold_state.h. Of a restored state all indices are good ones. */
void fold_tasks_save(const struct measure_fold *fold, measure_profile_pack_t *pack);
void fold_tasks_restore(struct measure_fold *fold, struct measure_pack_reader *reader);
void fold_traffic_save(const struct measure_fold *fold, measure_profile_pack_t *pack);
void fold_traffic_restore(struct measure_fold *fold, struct measure_pack_reader *reader);
void fold_metrics_save(const struct measure_fold *fold, measure_profile_pack_t *pack);
void fold_metrics_restore(struct measure_fold *fold, struct measure_pack_reader *reader);

struct fold_tasks *fold_tasks_new(void);
void fold_tasks_free(struct fold_tasks *tasks);
void fold_tasks_event(struct measure_fold *fold, const struct measure_event *event, uint64_t time);
/* The implicit task runs again; all others end where they were. */
void fold_tasks_end(struct measure_fold *fold, uint64_t time);

struct fold_traffic *fold_traffic_new(void);
void fold_traffic_free(struct fold_traffic *traffic);
void fold_traffic_event(
	struct measure_fold *fold, const struct measure_event *event, uint64_t time);
void fold_allocation(struct measure_fold *fold, const struct measure_record *record);

struct fold_metrics *fold_metrics_new(void);
void fold_metrics_free(struct fold_metrics *metrics);
void fold_metrics_event(struct measure_fold *fold, const struct measure_event *event,
	const struct measure_record *record, uint64_t time);
/* So much time was spent in the current path, now. */
void fold_metrics_pass(struct measure_fold *fold, uint64_t time);
void fold_metrics_end(struct measure_fold *fold, uint64_t time);

#endif
