/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DIR/summary.txt: what was recorded, in words for people. */
#ifndef MEASURE_ANALYSIS_SUMMARY_SUMMARY_H
#define MEASURE_ANALYSIS_SUMMARY_SUMMARY_H

#include <stdio.h>

#include "trace_statistics.h"
#include "assemble/write/assemble.h"
#include "assemble/write/run_config.h"
#include "assemble/clocks/clock_correction.h"
#include "assemble/unify/unify.h"
#include "status.h"

/* The text, NUL-terminated; free() it. */
measure_status_t measure_summary_make(const struct measure_unified *unified,
	const struct measure_clock_correction *timeline,
	const struct measure_assemble_report *report,
	const struct measure_trace_statistics *account, const struct measure_run *run, char **text);

/* 1234567 as "1,234,567"; good until the fourth call after it. */
const char *measure_summary_number(uint64_t value);

/* The part of it that is about records, regions and what they cost, for ticks of so many seconds;
 * nothing where they were not counted. */
void measure_summary_print_account(FILE *out, const struct measure_unified *unified,
	const struct measure_trace_statistics *account, const struct measure_run *run, double tick);

/* The part of it that is about calls which were left out one by one, by a filter or as polls. */
void measure_summary_print_left_out(FILE *out, const struct measure_unified *unified,
	const struct measure_filtered_calls *left_out);

/* The text of the rules that the process had, of files or of an option; "": there was none. */
#define MEASURE_RULES_OF_FILES   "MEASURE::FILTER"
#define MEASURE_RULES_TO_EXCLUDE "MEASURE::FILTER_EXCLUDE"
#define MEASURE_RULES_TO_INCLUDE "MEASURE::FILTER_INCLUDE"
const char *measure_summary_rules(const struct measure_job *job, const char *name);

/* The part of it that is about patterns of the filter that fit no region. */
void measure_summary_print_unmatched(FILE *out, const struct measure_unified *unified);

/* The part of it that is about event memory. */
void measure_summary_print_memory(FILE *out, const struct measure_job *job);

/* How long threads were held up to get it; for ticks of so many seconds. */
void measure_summary_print_held(FILE *out, const struct measure_job *job, double tick);

/* MiB of event memory with which no process would have had to wait or to drop events; 0: none
 * had to. */
uint64_t measure_summary_enough_memory(const struct measure_job *job);

/* The part of it that is about files: nothing where no operations were recorded. */
void measure_summary_print_files(FILE *out, const struct measure_unified *unified,
	const struct measure_trace_statistics *account);

/* The part of it that is about samples: nothing where none were to be taken. */
void measure_summary_print_stacks(FILE *out, const struct measure_unified *unified,
	const struct measure_sample_statistics *stacks);

/* The part of it that is about OpenMP: nothing where it was not used. */
void measure_summary_print_openmp(FILE *out, const struct measure_job *job);

/* What the program's own annotations did: events that it left out by switching recording off, and
 * regions whose begin and end do not pair. */
void measure_summary_print_switched(FILE *out, const struct measure_job *job);
void measure_summary_print_unbalanced(FILE *out, const struct measure_unified *unified);

#endif
