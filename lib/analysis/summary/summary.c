/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Text of summary.txt; see summary.h. */
#include "config.h"

#include "summary.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assemble/close/truncation.h"
#include "base/printable.h"

/* Above this many events a trace is hard to look at. */
#define MANY_EVENTS UINT64_C(200000000)
#define LARGE_BYTES UINT64_C(10000000) /* below, it does not matter what a trace consists of */
#define TOLD        10 /* names of regions that were left out */
#define WIDEST      64 /* of such a name */

enum count_kind {
	LOSS,
	REPAIR,
	STALL,
	NOTE
};

struct count_row {
	const char *name;
	const char *words;
	enum count_kind kind;
};

static const struct count_row count_rows[] = {
#define COUNT(KIND, name, kind, words) {#name, words, kind},
#include "assemble/close/recording_counts.def"
#undef COUNT
};

#define NR_COUNT_ROWS (sizeof(count_rows) / sizeof(*count_rows))

struct summary {
	FILE *out;
	const struct measure_unified *unified;
	const struct measure_job *job;
	const struct measure_clock_correction *timeline;
	const struct measure_assemble_report *report;
	const struct measure_trace_statistics *account;
	const struct measure_run *run;
};

const char *measure_summary_number(uint64_t value)
{
	static char texts[4][32];
	static unsigned next;
	char *place = texts[next = (next + 1) % 4] + 31;

	*place = '\0';
	for (int digits = 0; value || digits == 0; digits++, value /= 10) {
		if (digits && digits % 3 == 0)
			*--place = ',';
		*--place = (char)('0' + value % 10);
	}
	return place;
}

/* Words of recording_counts.def, which have {singular|plural}. */
static void print_counted(FILE *out, const char *words, uint64_t nr)
{
	while (*words) {
		size_t length = strcspn(words, "{");
		fprintf(out, "%.*s", (int)length, words);
		words += length;
		if (*words != '{')
			return;
		size_t one = strcspn(++words, "|"), many = strcspn(words + one + 1, "}");
		fprintf(out, "%.*s", (int)(nr == 1 ? one : many),
			nr == 1 ? words : words + one + 1);
		words += one + 1 + many + 1;
	}
}

static double seconds(const struct summary *summary, uint64_t ticks)
{
	return (double)ticks / (double)summary->timeline->resolution;
}

static const struct measure_part *first_part(const struct summary *summary)
{
	for (size_t i = 0; i < summary->job->processes.nr; i++) {
		const struct measure_part *part = summary->job->processes.items[i].part;
		if (part && part->has_process)
			return part;
	}
	return NULL;
}

static void print_time(const struct summary *summary)
{
	time_t begin = (time_t)(summary->timeline->realtime / 1000000000);
	struct tm parts;
	char text[64];

	fprintf(summary->out, "time        %.6f s", seconds(summary, summary->timeline->length));
	if (summary->timeline->realtime != UINT64_MAX && gmtime_r(&begin, &parts)) {
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts);
		fprintf(summary->out, ", begun %s", text);
	}
	fputc('\n', summary->out);
}

static void print_size(const struct summary *summary)
{
	const struct measure_assemble_report *report = summary->report;
	uint32_t nr_nodes = summary->unified->nr_nodes;

	fprintf(summary->out, "processes   %u on %u node%s, %u location%s\n", report->nr_processes,
		nr_nodes, nr_nodes == 1 ? "" : "s", report->nr_locations,
		report->nr_locations == 1 ? "" : "s");
	fprintf(summary->out, "events      %s in %s bytes",
		measure_summary_number(report->nr_events),
		measure_summary_number(report->nr_bytes));
	if (report->nr_events)
		fprintf(summary->out, ", %.1f bytes per event",
			(double)report->nr_bytes / (double)report->nr_events);
	fputc('\n', summary->out);
}

static const char *paradigm_name(uint32_t paradigm)
{
	switch (paradigm) {
	case OTF2_PARADIGM_COMPILER:
		return "functions";
	case OTF2_PARADIGM_MPI:
		return "MPI";
	case OTF2_PARADIGM_OPENMP:
		return "OpenMP";
	case OTF2_PARADIGM_PTHREAD:
		return "Pthread";
	case OTF2_PARADIGM_SAMPLING:
		return "sampled functions";
	case OTF2_PARADIGM_USER:
		return "user";
	case OTF2_PARADIGM_NONE:
		return "I/O";
	default:
		return NULL;
	}
}

static void print_regions(const struct summary *summary)
{
	const struct measure_archive_definitions *definitions = &summary->unified->definitions;
	const char *separator = "";

	fprintf(summary->out, "regions     ");
	for (uint32_t paradigm = 0; paradigm < 32; paradigm++) {
		size_t nr = 0;
		for (size_t i = 0; i < definitions->regions.nr; i++)
			nr += definitions->regions.items[i].paradigm == paradigm &&
			      definitions->regions.items[i].role != OTF2_REGION_ROLE_ARTIFICIAL;
		if (nr == 0)
			continue;
		if (paradigm_name(paradigm))
			fprintf(summary->out, "%s%zu %s", separator, nr, paradigm_name(paradigm));
		else
			fprintf(summary->out, "%s%zu of paradigm %u", separator, nr, paradigm);
		separator = ", ";
	}
	fprintf(summary->out, "%s\n", *separator ? "" : "none");
}

static uint64_t total(const struct summary *summary, const char *name)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < summary->job->processes.nr; i++)
		if (summary->job->processes.items[i].part)
			sum += measure_part_count(summary->job->processes.items[i].part, name);
	return sum;
}

static void print_patched(const struct summary *summary)
{
	uint64_t nr = total(summary, "patched");

	if (nr)
		fprintf(summary->out, "patched     %s call%s of hooks taken out of the program's code\n",
			measure_summary_number(nr), nr == 1 ? "" : "s");
}

/* Regions by their names; the first ones in alphabetical order. */
static void print_filtered(const struct summary *summary)
{
	const struct measure_intern *filtered = &summary->unified->filtered;
	size_t nr = filtered->entries.nr, nr_told = nr < TOLD ? nr : TOLD;
	const char *told[TOLD], *last = "";

	if (nr == 0)
		return;
	for (size_t i = 0; i < nr_told; i++) {
		told[i] = NULL;
		for (size_t k = 0; k < nr; k++) {
			const char *name = filtered->entries.items[k].key;
			if (strcmp(name, last) > 0 && (!told[i] || strcmp(name, told[i]) < 0))
				told[i] = name;
		}
		last = told[i];
	}
	fprintf(summary->out, "filtered    %zu region%s that %s called:\n", nr, nr == 1 ? "" : "s",
		nr == 1 ? "was" : "were");
	for (size_t i = 0; i < nr_told; i++) {
		const char *name = MEASURE_PRINTABLE(told[i]);
		fprintf(summary->out, "            %.*s%s\n", (int)WIDEST, name,
			strlen(name) > WIDEST ? "..." : "");
	}
	if (nr > nr_told)
		fprintf(summary->out, "            and %zu more\n", nr - nr_told);
}

static uint32_t nr_with_source(const struct summary *summary, enum measure_offset_source source)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < summary->timeline->corrections.nr; i++)
		nr += summary->job->processes.items[i].part &&
		      summary->timeline->corrections.items[i].source == source;
	return nr;
}

static void print_clock(const struct summary *summary)
{
	static const char *const words[] = {
		[MEASURE_OFFSET_SAME_CLOCK] = "on the clock of the first one",
		[MEASURE_OFFSET_MEASURED] = "with measured offsets",
		[MEASURE_OFFSET_ONE_SAMPLE] = "with one measured offset, and a drift from wall clocks",
		[MEASURE_OFFSET_WALL_CLOCK] = "with offsets from wall clocks only",
		[MEASURE_OFFSET_UNKNOWN] = "with unknown offsets, taken for 0",
	};
	const struct measure_part *part = first_part(summary);

	fprintf(summary->out, "clock       %s, %s ticks per second%s\n",
		part ? part->process.clock : "unknown",
		measure_summary_number(summary->timeline->resolution),
		summary->timeline->is_resolution_known ? "" : " (unknown, assumed)");
	for (size_t source = 0; source < sizeof(words) / sizeof(*words); source++) {
		uint32_t nr = nr_with_source(summary, (enum measure_offset_source)source);
		if (nr && (summary->report->nr_processes > 1 || source > 0))
			fprintf(summary->out, "            %u process%s %s\n", nr, nr == 1 ? "" : "es",
				words[source]);
	}
	if (summary->timeline->bound)
		fprintf(summary->out, "            offsets are right to within %.3f us\n",
			seconds(summary, summary->timeline->bound) * 1e6);
}

/* ------------------------------------------------------------------------- ends --- */

static const char *summary_name_of(const struct summary *summary, size_t process)
{
	const struct measure_archive_definitions *definitions = &summary->unified->definitions;

	return measure_intern_key(&definitions->strings,
		definitions->processes.items[process].name);
}

static void print_end(const struct summary *summary, size_t process)
{
	const struct measure_part *part = summary->job->processes.items[process].part;

	fprintf(summary->out, "  %s", MEASURE_PRINTABLE(summary_name_of(summary, process)));
	if (!part) {
		fprintf(summary->out, " left no recording\n");
		return;
	}
	if (part->has_process)
		fprintf(summary->out, " on %s, pid %lld", MEASURE_PRINTABLE(part->process.host),
			(long long)part->process.pid);
	if (part->has_end && part->end.how == MEASURE_END_RUNNING)
		fprintf(summary->out, ": a snapshot");
	else if (part->has_end && part->end.how == MEASURE_END_REPLACED)
		fprintf(summary->out, ": became another program");
	else if (!part->has_end || part->end.how == MEASURE_END_UNKNOWN)
		fprintf(summary->out, ": how it ended is not known");
	else if (part->end.how == MEASURE_END_SIGNALLED)
		fprintf(summary->out, ": killed by signal %lld (%s)", (long long)part->end.status,
			strsignal((int)part->end.status));
	else
		fprintf(summary->out, ": exit status %lld", (long long)part->end.status);
	if (part->has_end && part->end.reason[0])
		fprintf(summary->out, "; %s", MEASURE_PRINTABLE(part->end.reason));
	if (measure_part_truncation(part) != MEASURE_TRUNCATION_NONE)
		fprintf(summary->out, "; %s",
			measure_truncation_meaning(measure_part_truncation(part)));
	fputc('\n', summary->out);
}

static bool is_good_end(const struct measure_part *part)
{
	return part && part->has_end && part->end.how == MEASURE_END_EXITED &&
	       part->end.status == 0 && !part->end.reason[0];
}

static void print_ends(const struct summary *summary)
{
	size_t nr_good = 0, nr = summary->job->processes.nr;

	for (size_t i = 0; i < nr; i++)
		nr_good += is_good_end(summary->job->processes.items[i].part);
	fprintf(summary->out, "\nHow it ended\n");
	if (nr_good)
		fprintf(summary->out, "  %zu of %zu processes: exit status 0\n", nr_good, nr);
	for (size_t i = 0; i < nr; i++)
		if (!is_good_end(summary->job->processes.items[i].part))
			print_end(summary, i);
}

/* ------------------------------------------------------------- losses and repairs --- */

static bool is_time(const char *name)
{
	size_t length = strlen(name);

	return length > 6 && strcmp(name + length - 6, "_ticks") == 0;
}

static bool has_trouble(const struct measure_assemble_report *report)
{
	return report->nr_missing || report->nr_rescued || report->nr_damaged ||
	       report->nr_unfinished;
}

static void print_counts(const struct summary *summary)
{
	bool is_clean = true;

	fprintf(summary->out, "\nLosses, repairs, stalls\n");
	for (size_t i = 0; i < NR_COUNT_ROWS; i++) {
		uint64_t value = total(summary, count_rows[i].name);
		if (value == 0 || count_rows[i].kind == NOTE)
			continue;
		is_clean = false;
		if (is_time(count_rows[i].name))
			fprintf(summary->out, "  %.6f s ", seconds(summary, value));
		else
			fprintf(summary->out, "  %s ", measure_summary_number(value));
		print_counted(summary->out, count_rows[i].words, value);
		fputc('\n', summary->out);
	}
	if (summary->report->nr_missing)
		fprintf(summary->out, "  ranks that left no recording: %u\n",
			summary->report->nr_missing);
	if (summary->report->nr_rescued)
		fprintf(summary->out, "  parts that had lost their keeper, and their last events: %u\n",
			summary->report->nr_rescued);
	if (summary->report->nr_damaged)
		fprintf(summary->out, "  damaged parts, of which the rest is here: %u\n",
			summary->report->nr_damaged);
	if (summary->report->nr_unfinished)
		fprintf(summary->out, "  parts left out, as their processes may still run: %u\n",
			summary->report->nr_unfinished);
	if (summary->unified->nr_unnamed_modules)
		fprintf(summary->out, "  program files gone or changed, so that functions have no names: %u\n",
			summary->unified->nr_unnamed_modules);
	if (is_clean && !has_trouble(summary->report) && !summary->unified->nr_unnamed_modules)
		fprintf(summary->out, "  none\n");
}

static void print_memory_advice(const struct summary *summary)
{
	uint64_t enough = measure_summary_enough_memory(summary->job);

	if (enough)
		fprintf(summary->out, "  Event memory was full: --buffer=%lluM would have been "
				      "enough; or write to a\n  faster disk.\n",
			(unsigned long long)enough);
	else if (total(summary, "lost_memory") || total(summary, "stalls"))
		fprintf(summary->out, "  Give more event memory (measure --buffer), or write to a "
				      "faster disk.\n");
}

static const char *most_frequent_mpi_call(const struct summary *summary)
{
	const struct measure_archive_definitions *definitions = &summary->unified->definitions;

	for (uint32_t i = 0; i < summary->account->nr_top; i++) {
		const struct measure_otf2_region *region =
			&definitions->regions.items[summary->account->top[i].region];
		if (region->paradigm == OTF2_PARADIGM_MPI)
			return measure_intern_key(&definitions->strings, region->name);
	}
	return NULL;
}

static void print_mpi_advice(const struct summary *summary)
{
	const char *call = most_frequent_mpi_call(summary);
	uint64_t all = summary->report->nr_bytes, bytes = summary->account->mpi_bytes;

	if (!call || all < LARGE_BYTES || 2 * bytes < all)
		return;
	fprintf(summary->out,
		"  Enter and Leave records of MPI calls make up %u %% of this archive.\n"
		"  --exclude=%s drops those of one call but keeps its messages;\n"
		"  --mpi-groups drops whole groups of calls, including their messages.\n",
		bytes < all ? (unsigned)(100 * bytes / all) : 100, MEASURE_PRINTABLE(call));
	if (!measure_throttled_option(summary->job))
		fprintf(summary->out, "  Without --overhead=off, repeated unsuccessful polls are "
				      "not recorded.\n");
}

static void print_advice(const struct summary *summary)
{
	FILE *out = summary->out;

	fprintf(out, "\nAdvice\n");
	print_memory_advice(summary);
	print_mpi_advice(summary);
	if (total(summary, "lost_spool"))
		fprintf(out, "  The disk was full or failed: choose another --output.\n");
	if (nr_with_source(summary, MEASURE_OFFSET_WALL_CLOCK))
		fprintf(out, "  Clocks of different nodes agree only as well as their wall "
			     "clocks.\n");
	if (summary->report->nr_unfollowed &&
		summary->run->settings.children != MEASURE_CHILDREN_FOLLOW)
		fprintf(out, "  Children that the program forked are not recorded: give "
			     "--children=follow.\n");
	if (summary->report->nr_unfinished)
		fprintf(out, "  When all processes have ended, run measure-repair again.\n");
	if (summary->report->nr_events > MANY_EVENTS)
		fprintf(out, "  This trace is hard to look at: compile small functions without "
			     "hooks\n  (-finstrument-functions-exclude-function-list=...).\n");
	if (summary->report->is_bare && measure_run_wants_functions(&summary->run->settings))
		fprintf(out,
			"  Only begin and end were recorded. Compile with -g -finstrument-functions, "
			"or take\n  samples (measure --sample 997). If the program starts another "
			"one (a script, env,\n  mpirun), use measure --exec. OpenMP and threads of "
			"libraries that are opened while\n  the program runs (plug-ins, Python "
			"modules) need --adapters=+gomp,+ompt,+pthread.\n");
	fprintf(out, "  Open traces.otf2 in Vampir or ViTE, or print it with otf2-print;\n"
		     "  measure-check tests it, and counts messages and bytes.\n");
}

static void print_all(const struct summary *summary)
{
	const struct measure_part *part = first_part(summary);

	fprintf(summary->out, "Measure %s\n\n", PACKAGE_VERSION);
	if (part)
		fprintf(summary->out, "program     %s%s%s\n",
			MEASURE_PRINTABLE(part->process.program),
			part->process.arguments[0] ? " " : "",
			MEASURE_PRINTABLE(part->process.arguments));
	print_size(summary);
	print_time(summary);
	print_clock(summary);
	print_regions(summary);
	print_filtered(summary);
	measure_summary_print_unmatched(summary->out, summary->unified);
	measure_summary_print_left_out(summary->out, summary->unified, &summary->account->left_out);
	print_patched(summary);
	measure_summary_print_switched(summary->out, summary->job);
	measure_summary_print_memory(summary->out, summary->job);
	measure_summary_print_held(summary->out, summary->job, seconds(summary, 1));
	measure_summary_print_openmp(summary->out, summary->job);
	print_ends(summary);
	print_counts(summary);
	measure_summary_print_unbalanced(summary->out, summary->unified);
	measure_summary_print_account(
		summary->out, summary->unified, summary->account, summary->run, seconds(summary, 1));
	measure_summary_print_files(summary->out, summary->unified, summary->account);
	measure_summary_print_stacks(summary->out, summary->unified, &summary->account->stacks);
	print_advice(summary);
}

measure_status_t measure_summary_make(const struct measure_unified *unified,
	const struct measure_clock_correction *timeline,
	const struct measure_assemble_report *report,
	const struct measure_trace_statistics *account, const struct measure_run *run, char **text)
{
	size_t size;
	FILE *out = open_memstream(text, &size);
	struct summary summary = {out, unified, unified->job, timeline, report, account, run};

	if (!out)
		return MEASURE_ERROR_MEMORY;
	print_all(&summary);
	if (fclose(out) != 0) {
		free(*text);
		return MEASURE_ERROR_MEMORY;
	}
	return MEASURE_OK;
}
