/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects findings. Texts are only made for those that are kept, so that an archive with
 * millions of faults costs counts. */
#include "config.h"

#include "findings.h"

#include <stdarg.h>
#include <stdio.h>

#include "containers.h"

#define TEXT_SIZE 400

const struct measure_check_info measure_checks[MEASURE_NR_CHECKS] = {
#define CHECK(NAME, id, severity, text, remedy) {id, MEASURE_##severity, text, remedy},
#include "checks.def"
#undef CHECK
};

const struct measure_place measure_nowhere = {MEASURE_NONE, 0, 0};

static bool is_kept(const struct measure_findings *findings, enum measure_check check, bool excused)
{
	uint64_t excused_so_far = findings->excused[check];
	uint64_t of_its_kind = excused ? excused_so_far : findings->counts[check] - excused_so_far;

	return of_its_kind < findings->nr_kept_per_check;
}

static void findings_keep(struct measure_findings *findings, struct measure_finding finding)
{
	*measure_append(findings, kept) = finding;
}

/* Paired by counting from the first event: not to be had where that is another one on each side
 * (measure --keep, unless the archive was aligned). */
static bool needs_partner(enum measure_check check)
{
	switch (check) {
	case MEASURE_CHECK_REQUEST_UNKNOWN:
	case MEASURE_CHECK_MESSAGE_UNMATCHED:
	case MEASURE_CHECK_COLLECTIVE_PAIR:
	case MEASURE_CHECK_COLLECTIVE_OPERATION:
	case MEASURE_CHECK_COLLECTIVE_ROOT:
	case MEASURE_CHECK_COLLECTIVE_INCOMPLETE:
	case MEASURE_CHECK_RMA_PAIR:
	case MEASURE_CHECK_RMA_COLLECTIVE:
		return true;
	default:
		return false;
	}
}

/* Not to be had where the first events are missing: the begin of what is open at the first one. */
static bool needs_begin(enum measure_check check)
{
	switch (check) {
	case MEASURE_CHECK_RMA_LIFE:
	case MEASURE_CHECK_RMA_UNKNOWN:
	case MEASURE_CHECK_RMA_OPEN:
	case MEASURE_CHECK_RMA_LOCK:
	case MEASURE_CHECK_RMA_GROUP:
	case MEASURE_CHECK_IO_HANDLE:
	case MEASURE_CHECK_IO_UNKNOWN:
	case MEASURE_CHECK_IO_ORDER:
	case MEASURE_CHECK_IO_COLLECTIVE:
	case MEASURE_CHECK_TEAM_NESTING:
	case MEASURE_CHECK_TEAM_FORK:
	case MEASURE_CHECK_TEAM_INCOMPLETE:
	case MEASURE_CHECK_TEAM_OPEN:
	case MEASURE_CHECK_BARRIER_INCOMPLETE:
	case MEASURE_CHECK_TASK_UNKNOWN:
	case MEASURE_CHECK_THREAD_CREATE:
	case MEASURE_CHECK_THREAD_END:
	case MEASURE_CHECK_THREAD_WAIT:
	case MEASURE_CHECK_LOCK_PAIR:
		return true;
	default:
		return false;
	}
}

__attribute__((format(printf, 5, 0))) static void add(struct measure_findings *findings,
	enum measure_check check, bool excused, struct measure_place place, const char *format,
	va_list arguments)
{
	if (findings->is_elsewhere && place.location != MEASURE_NONE &&
		findings->is_elsewhere[place.location])
		return;
	excused |= (findings->has_lost_begins && needs_begin(check)) ||
		   (findings->has_lost_partners && needs_partner(check));
	if (is_kept(findings, check, excused)) {
		char text[TEXT_SIZE];

		vsnprintf(text, sizeof(text), format, arguments);
		findings_keep(findings,
			(struct measure_finding){check, excused, place, measure_copy_text(text)});
	}
	findings->counts[check]++;
	findings->excused[check] += excused;
}

void measure_report(struct measure_findings *findings, enum measure_check check,
	struct measure_place place, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(findings, check, false, place, format, arguments);
	va_end(arguments);
}

void measure_report_excused(struct measure_findings *findings, enum measure_check check,
	bool excused, struct measure_place place, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(findings, check, excused, place, format, arguments);
	va_end(arguments);
}

/* Each of the later ones is among the first of its kind exactly if it is kept here: counted one by
 * one, as far as they have texts. */
void measure_findings_append(struct measure_findings *findings, struct measure_findings *later)
{
	struct measure_findings counts = *findings;

	for (size_t i = 0; i < later->nr_kept; i++) {
		struct measure_finding *finding = &later->kept[i];

		if (is_kept(&counts, finding->check, finding->excused)) {
			findings_keep(findings, *finding);
			finding->text = NULL;
		}
		counts.counts[finding->check]++;
		counts.excused[finding->check] += finding->excused;
	}
	for (int i = 0; i < MEASURE_NR_CHECKS; i++) {
		findings->counts[i] += later->counts[i];
		findings->excused[i] += later->excused[i];
	}
	measure_findings_free(later);
}

uint64_t measure_findings_errors(const struct measure_findings *findings, enum measure_check check)
{
	if (measure_checks[check].severity != MEASURE_ERROR)
		return 0;
	return findings->counts[check] - findings->excused[check];
}

uint64_t measure_findings_warnings(
	const struct measure_findings *findings, enum measure_check check)
{
	return findings->counts[check] - measure_findings_errors(findings, check);
}

void measure_findings_free(struct measure_findings *findings)
{
	for (size_t i = 0; i < findings->nr_kept; i++)
		measure_free(findings->kept[i].text);
	measure_free(findings->kept);
	*findings = (struct measure_findings){0};
}
