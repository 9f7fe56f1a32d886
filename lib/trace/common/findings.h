/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was found wrong with an archive: counts per check, and the first few with place and
 * text. The reader, the matcher and measure-check all report here; checks.def is the list. */
#ifndef MEASURE_TRACE_COMMON_FINDINGS_H
#define MEASURE_TRACE_COMMON_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/common/containers.h"

enum measure_finding_severity {
	MEASURE_WARNING, /* unusual, or some reader will stumble over it */
	MEASURE_ERROR    /* wrong: readers will draw wrong conclusions */
};

enum measure_check {
#define CHECK(NAME, id, severity, text, remedy) MEASURE_CHECK_##NAME,
#include "checks.def"
#undef CHECK
	MEASURE_NR_CHECKS
};

struct measure_check_info {
	const char *id;
	enum measure_finding_severity severity;
	const char *text;
	const char *remedy;
};

/* Indexed by enum measure_check. */
extern const struct measure_check_info measure_checks[MEASURE_NR_CHECKS];

/* Where it was found. location: index in the definitions, or MEASURE_NONE for none. */
struct measure_place {
	uint32_t location;
	uint64_t time;     /* corrected, ticks */
	uint64_t position; /* number of the record in its stream, from 1; 0: none */
};

extern const struct measure_place measure_nowhere;

struct measure_finding {
	enum measure_check check;
	bool excused;
	struct measure_place place;
	char *text;
};

struct measure_findings {
	size_t nr_kept_per_check; /* texts kept of each check; set before use */
	const bool *is_elsewhere; /* by location: somebody else reports what is there; or NULL */
	bool has_lost_begins;     /* set by measure_trace_open(): see needs_begin() */
	bool has_lost_partners;   /* the same: see needs_partner() */
	uint64_t counts[MEASURE_NR_CHECKS];
	uint64_t excused[MEASURE_NR_CHECKS]; /* part of counts: see measure_report_excused() */
	MEASURE_GROWING(struct measure_finding, kept);
};

/* Reports one. */
void measure_report(struct measure_findings *findings, enum measure_check check,
	struct measure_place place, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports one that has an excuse (its process was cut short), so that it only warns. */
void measure_report_excused(struct measure_findings *findings, enum measure_check check,
	bool excused, struct measure_place place, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Moves findings to others, which were found before them. */
void measure_findings_append(struct measure_findings *findings, struct measure_findings *later);

/* Findings of a check that count as errors / as warnings. */
uint64_t measure_findings_errors(const struct measure_findings *findings, enum measure_check check);
uint64_t measure_findings_warnings(
	const struct measure_findings *findings, enum measure_check check);

void measure_findings_free(struct measure_findings *findings);

#endif
