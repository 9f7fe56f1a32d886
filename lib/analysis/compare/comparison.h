/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares runs of a program with runs of another version of it: what became slower, call path by
 * call path, and how sure that is. Ticks are added up as integers; from the division by the
 * resolution on, numbers are doubles. */
#ifndef MEASURE_ANALYSIS_COMPARE_COMPARISON_H
#define MEASURE_ANALYSIS_COMPARE_COMPARISON_H

#include "alignment.h"
#include "statistics.h"

#define MEASURE_USUAL_THRESHOLD 0.02  /* of a change that matters, unless the user says more */
#define MEASURE_LEAST_SHARE 0.005 /* of the time, for a call path to be tested */
/* An interval that is narrow beside the threshold keeps equal code from being found slower, because
 * all of it must be above. Where it is so many times as wide, only the rate of false findings does,
 * so that is lower there: at worst about one comparison of 100 is a false alarm. */
#define MEASURE_WIDE            3
#define MEASURE_FALSE_RATE_WIDE 0.01
#define MEASURE_ENOUGH_RUNS 5     /* on each side */

enum measure_verdict {
#define VERDICT(NAME, word, meaning) MEASURE_VERDICT_##NAME,
#include "verdicts.def"
#undef VERDICT
	MEASURE_NR_VERDICTS
};

extern const char *const measure_verdict_words[MEASURE_NR_VERDICTS];
extern const char *const measure_verdict_meanings[MEASURE_NR_VERDICTS];

struct measure_comparison_options {
	double threshold;   /* change, as a share, that matters: 0.02 */
	double fail_above;  /* the same, that is a regression */
	bool is_paired;     /* the i-th runs of both sides belong together */
	bool is_single;     /* one run on a side is compared by the threshold alone */
	bool by_region;     /* instead of by call path */
	bool fails_unclear; /* an unclear run time is a regression, too */
};

enum measure_row_kind {
	MEASURE_ROW_RUN_TIME,
	MEASURE_ROW_PATH,
	MEASURE_ROW_SMALL,      /* all call paths below MEASURE_LEAST_SHARE together */
	MEASURE_ROW_MEASUREMENT /* recording off, buffer flush: never a regression */
};

struct measure_comparison_row {
	enum measure_row_kind kind;
	uint32_t path;                    /* of ROW_PATH */
	double seconds[MEASURE_NR_SIDES]; /* means over runs */
	double visits[MEASURE_NR_SIDES];
	bool is_tested;
	struct measure_effect effect;
	double p_adjusted;
	enum measure_verdict verdict;
	bool is_regression;
};

struct measure_comparison {
	struct measure_comparison_options options;
	const struct measure_alignment *alignment;
	/* Times are means over the locations of a run, because runs differ in their number. */
	bool is_by_location;
	struct measure_comparison_row run_time;
	struct measure_comparison_row *rows; /* the largest change in seconds first */
	size_t nr_rows, room_rows;
	size_t nr_paths, nr_small;            /* with time; of them not tested one by one */
	size_t verdicts[MEASURE_NR_VERDICTS]; /* rows that are tested */
	size_t nr_regressions;                /* with the run time */
};

/* The alignment must outlive the comparison. */
void measure_comparison_make(struct measure_comparison *comparison,
	const struct measure_alignment *alignment,
	const struct measure_comparison_options *options);
void measure_comparison_free(struct measure_comparison *comparison);

/* Ticks of a run as seconds, by location where the comparison is. */
double measure_comparison_seconds(
	const struct measure_comparison *comparison, size_t run, uint64_t ticks);

/* Mean over the runs of a side of what they have of a frame, in seconds. */
double measure_comparison_frame_seconds(
	const struct measure_comparison *comparison, uint32_t frame, enum measure_side side);

/* Name of a row; in the buffer. */
const char *measure_comparison_name(const struct measure_comparison *comparison,
	const struct measure_comparison_row *row, const char *separator, char *buffer, size_t size);

#endif
