/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of summary.txt, put together: what the run was, what is lost, what to do about it. */
#include "config.h"

#include "summary_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/report/profile_report.h"
#include "base/figures.h"
#include "base/printable.h"
#include "format/run_layout.h"
#include "sample_statistics.h"

/* Above this many events a trace is hard to look at. */
#define MANY_EVENTS UINT64_C(200000000)
#define LARGE_BYTES UINT64_C(10000000) /* below, it does not matter what a trace consists of */
#define TOP_TOLD    5                  /* regions with the most time, in a line */
#define TOP_SHARE   0.0005             /* of all time: what would be told as 0.0 % is not */
#define WIDEST_TOP  32                 /* name of one of them */
#define TOP_ROWS    10                 /* ... in a table */
#define WIDEST      64                 /* name of a region that was left out */

enum count_kind { LOSS, REPAIR, STALL, NOTE };

struct count_row {
	const char *name;
	const char *words;
	enum count_kind kind;
};

static const struct count_row count_rows[] = {
#define COUNT(KIND, name, kind, words) {"MEASURE::" #kind "::" #KIND, words, kind},
#include "format/recording_counts.def"
#undef COUNT
};

#define NR_COUNT_ROWS (sizeof(count_rows) / sizeof(*count_rows))

/* --------------------------------------------------------------------------- head --- */

static void print_time(const struct measure_summary *summary)
{
	const struct measure_clock *clock = &summary->definitions->clock;
	time_t begin = (time_t)(clock->realtime / 1000000000);
	struct tm parts;
	char text[64];

	fprintf(summary->out, "time        %.6f s", summary_seconds(summary, clock->length));
	if (clock->realtime != UINT64_MAX && gmtime_r(&begin, &parts)) {
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts);
		fprintf(summary->out, ", begun %s", text);
	}
	fputc('\n', summary->out);
}

static void print_size(const struct measure_summary *summary)
{
	const struct measure_definitions *definitions = summary->definitions;
	const size_t nr_devices = definitions->nr_location_groups - definitions->nr_processes;

	fprintf(summary->out, "processes   %zu on %" PRIu64 " node%s, ", definitions->nr_processes,
		summary->nr_nodes, summary->nr_nodes == 1 ? "" : "s");
	if (nr_devices)
		fprintf(summary->out, "%zu device%s, ", nr_devices, nr_devices == 1 ? "" : "s");
	fprintf(summary->out, "%" PRIu64 " location%s\n", summary->nr_locations,
		summary->nr_locations == 1 ? "" : "s");
	fprintf(summary->out, "events      %s", measure_figure(summary->nr_events));
	if (summary->nr_kept < summary->nr_events)
		fprintf(summary->out, " in the profile, %s in the trace",
			measure_figure(summary->nr_kept));
	if (summary->nr_bytes)
		fprintf(summary->out, " in %s bytes", measure_figure(summary->nr_bytes));
	if (summary->nr_bytes && summary->nr_kept)
		fprintf(summary->out, ", %.1f bytes per event",
			(double)summary->nr_bytes / (double)summary->nr_kept);
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
	case OTF2_PARADIGM_SHMEM:
		return "SHMEM";
	case OTF2_PARADIGM_KOKKOS:
		return "Kokkos";
	case OTF2_PARADIGM_OPENCL:
		return "OpenCL";
	case OTF2_PARADIGM_OPENACC:
		return "OpenACC";
	case OTF2_PARADIGM_USER:
		return "user";
	case OTF2_PARADIGM_NONE:
		return "I/O";
	default:
		return NULL;
	}
}

static void print_regions(const struct measure_summary *summary)
{
	const struct measure_definitions *definitions = summary->definitions;
	const char *separator = "";

	fprintf(summary->out, "regions     ");
	for (uint32_t paradigm = 0; paradigm < 32; paradigm++) {
		size_t nr = 0;
		for (size_t i = 0; i < definitions->nr_regions; i++)
			nr += definitions->regions[i].paradigm == paradigm &&
			      definitions->regions[i].role != OTF2_REGION_ROLE_ARTIFICIAL;
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

static void print_clock(const struct measure_summary *summary)
{
	static const struct {
		const char *name, *words;
	} sources[] = {{"MEASURE::CLOCKS::SAME", "on the clock of the first process"},
		{"MEASURE::CLOCKS::MEASURED", "with measured offsets"},
		{"MEASURE::CLOCKS::MEASURED_ONCE",
			"with one measured offset, and a drift from wall clocks"},
		{"MEASURE::CLOCKS::WALL_CLOCK", "with offsets from wall clocks only"},
		{"MEASURE::CLOCKS::UNKNOWN", "with unknown offsets, assumed to be 0"}};
	const char *clock = summary_process_text(summary, "MEASURE::CLOCK");
	const bool is_assumed = summary_text(summary, "MEASURE::RESOLUTION_ASSUMED");
	const uint64_t bound = summary_number(summary, "MEASURE::OFFSET_BOUND_TICKS");

	fprintf(summary->out, "clock       %s, %s ticks per second%s\n", *clock ? clock : "unknown",
		measure_figure(summary->definitions->clock.resolution),
		is_assumed ? " (assumed)" : "");
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		uint64_t nr = summary_number(summary, sources[i].name);
		if (nr && (summary->definitions->nr_processes > 1 || i > 0))
			fprintf(summary->out, "            %" PRIu64 " process%s %s\n", nr,
				nr == 1 ? "" : "es", sources[i].words);
	}
	if (bound)
		fprintf(summary->out, "            offset error at most %.3f us\n",
			summary_seconds(summary, bound) * 1e6);
}

static void print_filtered(const struct measure_summary *summary)
{
	const uint64_t nr = summary_number(summary, "MEASURE::FILTERED");
	const char *text;
	uint64_t nr_told = 0;

	if (nr == 0)
		return;
	fprintf(summary->out, "filtered    %" PRIu64 " excluded region%s that %s called:\n", nr,
		nr == 1 ? "" : "s", nr == 1 ? "was" : "were");
	for (; (text = summary_listed(summary, "FILTERED", nr_told + 1)); nr_told++) {
		const char *name = MEASURE_PRINTABLE(text);
		fprintf(summary->out, "            %.*s%s\n", WIDEST, name,
			strlen(name) > WIDEST ? "..." : "");
	}
	if (nr > nr_told)
		fprintf(summary->out, "            and %" PRIu64 " more\n", nr - nr_told);
}

static void print_unmatched(const struct measure_summary *summary)
{
	const uint64_t nr = summary_number(summary, "MEASURE::UNMATCHED");
	const char *text;
	uint64_t nr_told = 0;

	if (nr == 0)
		return;
	fprintf(summary->out, "unmatched   filter patterns that matched no region:\n");
	for (; (text = summary_listed(summary, "UNMATCHED", nr_told + 1)); nr_told++)
		fprintf(summary->out, "            %s\n", MEASURE_PRINTABLE(text));
	if (nr > nr_told)
		fprintf(summary->out, "            and %" PRIu64 " more\n", nr - nr_told);
}

static void print_unrecorded(const struct measure_summary *summary)
{
	const uint64_t nr = summary_number(summary, "MEASURE::UNRECORDED");
	const char *text;
	char *rest;

	if (nr == 0)
		return;
	fprintf(summary->out, "unrecorded  %" PRIu64 " program%s started, but cannot be recorded:\n", nr,
		nr == 1 ? " that was" : "s that were");
	for (size_t i = 1; (text = summary_listed(summary, "UNRECORDED", i)); i++) {
		const uint64_t times = strtoull(text, &rest, 10);

		fprintf(summary->out, "            %s (%" PRIu64 " time%s)\n",
			MEASURE_PRINTABLE(rest + strspn(rest, " ")), times, times == 1 ? "" : "s");
	}
}

/* What the program's own code did to the recording. */
static void print_patched(const struct measure_summary *summary)
{
	uint64_t nr = summary_number(summary, "MEASURE::NOTE::PATCHED");

	if (nr)
		fprintf(summary->out, "patched     %s hook call%s removed from the program code\n",
			measure_figure(nr), nr == 1 ? "" : "s");
}

static void print_switched(const struct measure_summary *summary)
{
	uint64_t nr = summary_number(summary, "MEASURE::NOTE::SWITCHED_OFF");

	if (nr)
		fprintf(summary->out,
			"switched    %s events were not recorded while the program had switched "
			"recording off\n",
			measure_figure(nr));
}

/* ------------------------------------------------------------- losses and repairs --- */

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

static bool is_time(const char *name)
{
	size_t length = strlen(name);

	return length > 6 && strcmp(name + length - 6, "_TICKS") == 0;
}

/* With the numbers of the ranks, where they are known. */
static void print_trouble(
	const struct measure_summary *summary, const char *name, const char *words, uint64_t nr)
{
	char property[64];
	const char *numbers;

	snprintf(property, sizeof(property), "%s::NUMBERS", name);
	numbers = summary_text(summary, property);
	fprintf(summary->out, "  %s: %" PRIu64, words, nr);
	if (numbers)
		fprintf(summary->out, " (%s)", MEASURE_PRINTABLE(numbers));
	fputc('\n', summary->out);
}

static void print_counts(const struct measure_summary *summary)
{
	static const struct {
		const char *name, *words;
	} troubles[] = {{"MEASURE::MISSING_RANKS", "ranks without a recording"},
		{"MEASURE::RESCUED_PARTS", "parts that lost their keeper and their last events"},
		{"MEASURE::DAMAGED_PARTS", "damaged parts, kept in part"},
		{"MEASURE::UNFINISHED_PARTS",
			"parts omitted because their processes may still run"},
		{"MEASURE::UNNAMED_MODULES",
			"missing or changed program files, whose functions have no names"}};
	bool is_clean = true;

	fprintf(summary->out, "\nLosses, repairs, stalls\n");
	for (size_t i = 0; i < NR_COUNT_ROWS; i++) {
		uint64_t value = summary_number(summary, count_rows[i].name);
		if (value == 0 || count_rows[i].kind == NOTE)
			continue;
		is_clean = false;
		if (is_time(count_rows[i].name))
			fprintf(summary->out, "  %.6f s ", summary_seconds(summary, value));
		else
			fprintf(summary->out, "  %s ", measure_figure(value));
		print_counted(summary->out, count_rows[i].words, value);
		fputc('\n', summary->out);
	}
	for (size_t i = 0; i < sizeof(troubles) / sizeof(*troubles); i++) {
		uint64_t nr = summary_number(summary, troubles[i].name);
		is_clean &= nr == 0;
		if (nr)
			print_trouble(summary, troubles[i].name, troubles[i].words, nr);
	}
	if (is_clean)
		fprintf(summary->out, "  none\n");
}

static void print_region(const struct measure_summary *summary, uint32_t index)
{
	const struct measure_region *region = &summary->definitions->regions[index];
	const char *file = summary_string(summary, region->file);

	fprintf(summary->out, "    %s", MEASURE_PRINTABLE(summary_string(summary, region->name)));
	if (*file)
		fprintf(summary->out, " (%s:%u)", MEASURE_PRINTABLE(file), region->begin_line);
	fputc('\n', summary->out);
}

/* Of each kind at most so many regions are told; the archive has one more. */
#define UNBALANCED_TOLD 10

static void print_unbalanced(
	const struct measure_summary *summary, const char *property, const char *words)
{
	const char *text = summary_text(summary, property);
	int nr = 0;

	if (!text)
		return;
	fprintf(summary->out, "  user regions %s:\n", words);
	for (char *end; nr <= UNBALANCED_TOLD && *text; text = end, nr++) {
		uint32_t index = summary_region_index(summary, strtoull(text, &end, 10));
		if (end == text)
			break;
		if (nr < UNBALANCED_TOLD && index != MEASURE_NONE)
			print_region(summary, index);
	}
	if (nr > UNBALANCED_TOLD)
		fprintf(summary->out, "    and more\n");
}

static void print_all_unbalanced(const struct measure_summary *summary)
{
	print_unbalanced(summary, "MEASURE::UNBALANCED::NOT_LEFT",
		"begun but not ended; ended with the enclosing region");
	print_unbalanced(
		summary, "MEASURE::UNBALANCED::NOT_ENTERED", "ended but not begun; dropped");
	print_unbalanced(summary, "MEASURE::UNBALANCED::LEFT_AT_END",
		"still open when the process or its thread ended");
}

/* ------------------------------------------------------------------------- advice --- */

static void print_memory_advice(const struct measure_summary *summary)
{
	uint64_t enough = summary_enough_memory(summary);

	if (enough)
		fprintf(summary->out,
			"  Event memory was full: --buffer=%" PRIu64
			"M would have been enough; or write to a\n  faster disk.\n",
			enough);
	else if (summary_number(summary, "MEASURE::LOSS::LOST_MEMORY") ||
		 summary_number(summary, "MEASURE::STALL::STALLS"))
		fprintf(summary->out, "  Increase --buffer, or write to a faster disk.\n");
}

static const char *most_frequent_mpi_call(const struct measure_summary *summary)
{
	for (size_t i = 0; i < summary->regions.nr && i < SUMMARY_TOP; i++) {
		const uint32_t region = summary->regions.items[i].region;
		if (summary->definitions->regions[region].paradigm == OTF2_PARADIGM_MPI)
			return measure_name_of_region(summary->definitions, region);
	}
	return NULL;
}

static void print_mpi_advice(const struct measure_summary *summary)
{
	const char *call = most_frequent_mpi_call(summary);
	uint64_t all = summary->nr_bytes, bytes = summary->mpi_bytes;

	if (!call || all < LARGE_BYTES || 2 * bytes < all)
		return;
	fprintf(summary->out,
		"  Enter and Leave records of MPI calls make up %u %% of this archive.\n"
		"  --exclude=%s drops those of one call and keeps its messages;\n"
		"  --mpi-groups drops whole groups of calls, including their messages.\n",
		bytes < all ? (unsigned)(100 * bytes / all) : 100, MEASURE_PRINTABLE(call));
	if (!*summary_process_text(summary, "MEASURE::OVERHEAD"))
		fprintf(summary->out, "  Without --overhead=off, repeated unsuccessful polls are "
				      "not recorded.\n");
}

static void print_advice(const struct measure_summary *summary)
{
	FILE *out = summary->out;

	fprintf(out, "\nAdvice\n");
	print_memory_advice(summary);
	print_mpi_advice(summary);
	if (summary_number(summary, "MEASURE::LOSS::LOST_SPOOL"))
		fprintf(out, "  The disk was full or failed: choose another --output.\n");
	if (summary_number(summary, "MEASURE::CLOCKS::WALL_CLOCK"))
		fprintf(out, "  Clocks of different nodes agree only as well as their wall "
			     "clocks.\n");
	if (summary_nr_unfollowed(summary) &&
		summary->run.settings.children != MEASURE_CHILDREN_FOLLOW)
		fprintf(out, "  Forked children were not recorded: use --children=follow.\n");
	if (summary_number(summary, "MEASURE::UNFINISHED_PARTS"))
		fprintf(out, "  When all processes have ended, run measure-repair again.\n");
	if (summary->nr_events > MANY_EVENTS)
		fprintf(out, "  Small functions dominate this trace: %s.\n",
			summary->overhead.hooks > 0
				? "compile them without hooks\n  "
				  "(-finstrument-functions-exclude-function-list=...)"
				: "exclude them with --filter");
	if (summary_is_bare(summary) && measure_run_wants_functions(&summary->run.settings))
		fprintf(out,
			"  Only program start and end were recorded. Compile with -g "
			"-finstrument-functions, or\n  sample (measure --sample). If the program "
			"starts another one (a script, env, mpirun),\n  use measure --exec. For "
			"OpenMP and threads of libraries that are loaded at run time\n  (plug-ins, "
			"Python modules), use --adapters=+gomp,+ompt,+pthread.\n");
	fprintf(out,
		"  Open %s in Vampir or ViTE, or print it with otf2-print;\n  measure-check checks "
		"it, and counts messages and bytes.\n",
		strrchr(summary->trace->anchor, '/') ? strrchr(summary->trace->anchor, '/') + 1
						     : summary->trace->anchor);
}

/* A name that may be as long as templates make it, in one of a few of a line. */
static void print_share(FILE *out, const char *separator, const char *name, double share)
{
	char text[MEASURE_FIGURE_TEXT];
	const char *shown = MEASURE_PRINTABLE(name);
	const size_t length = strlen(shown);

	fprintf(out, "%s%.*s%s %s", separator, WIDEST_TOP, shown, length > WIDEST_TOP ? "..." : "",
		measure_figure_percent(share, text));
}

/* By samples, where there are any: others than those that took part in the recording are in them.
 */
static bool print_sampled_functions(const struct measure_summary *summary, FILE *out)
{
	struct sample_statistics statistics;
	bool has_any = false;

	if (sample_statistics_make(summary, &statistics) == MEASURE_OK && statistics.nr > 0) {
		for (size_t i = 0; i < statistics.hottest.nr && i < TOP_TOLD; i++) {
			const struct sample_function *function = &statistics.hottest.items[i];

			print_share(out, has_any ? ", " : "most samples: ",
				measure_name_of_region(summary->definitions, function->region),
				(double)function->self / (double)statistics.nr);
			has_any = true;
		}
	}
	sample_statistics_free(&statistics);
	return has_any;
}

/* Of the time of all locations. */
static bool print_top_regions(const struct measure_summary *summary, FILE *out)
{
	const struct measure_view_options options = {.by = MEASURE_BY_REGION};
	struct measure_view view;
	size_t nr = 0;

	measure_view_make(&view, &summary->profile, &options);
	for (size_t i = 0; i < view.nr_rows && nr < TOP_TOLD; i++) {
		const struct measure_view_row *row = &view.rows[i];
		const double share = (double)row->exclusive / (double)view.all;

		if (!measure_profile_region(&summary->profile, row->subject) ||
			row->exclusive == 0 || (nr > 0 && share < TOP_SHARE))
			continue;
		print_share(out, nr++ > 0 ? ", " : "most time: ",
			measure_profile_region_name(&summary->profile, row->subject), share);
	}
	measure_view_free(&view);
	return nr > 0;
}

static void print_most_time(const struct measure_summary *summary, FILE *out)
{
	if (!summary_is_bare(summary) &&
		(print_sampled_functions(summary, out) || print_top_regions(summary, out)))
		fputc('\n', out);
}

/* Calls of a runtime that lets threads and processes wait for each other, on more than one. */
static bool may_have_waited(const struct measure_summary *summary)
{
	const struct measure_definitions *definitions = summary->definitions;
	const struct measure_profile *profile = &summary->profile;

	for (size_t i = 1; profile->nr_locations > 1 && i < profile->nr_paths; i++) {
		const uint32_t region = profile->paths[i].region;
		const OTF2_Paradigm paradigm = region < definitions->nr_regions
						       ? definitions->regions[region].paradigm
						       : OTF2_PARADIGM_UNKNOWN;

		if (paradigm == OTF2_PARADIGM_MPI || paradigm == OTF2_PARADIGM_OPENMP ||
			paradigm == OTF2_PARADIGM_PTHREAD)
			return true;
	}
	return false;
}

/* A profile alone has no time line, and does not tell who waited for whom. */
static void print_next_commands(const struct measure_summary *summary, const char *name, FILE *out)
{
	fprintf(out, "next: measure-profile %s", name);
	if (measure_settings_kept(&summary->run.settings) != MEASURE_KEPT_NONE &&
		may_have_waited(summary))
		fprintf(out, "; time line and waits: measure-report %s", name);
	if (summary->saved.events)
		fprintf(out,
			"; for %u %% fewer events: measure --filter=%s/" MEASURE_SUGGESTION_NAME
			" ...",
			(unsigned)(100 * summary->saved.events / summary->nr_events), name);
	fputc('\n', out);
}

void measure_summary_print_next(struct measure_summary *summary, FILE *out)
{
	const char *name = MEASURE_PRINTABLE(summary->run.name);
	const bool is_bare = summary_is_bare(summary);

	print_most_time(summary, out);
	if (is_bare && summary_nr_unfollowed(summary) &&
		summary->run.settings.children != MEASURE_CHILDREN_FOLLOW)
		fprintf(out,
			"only program start and end were recorded: to record the programs that "
			"it started, run: measure --children=follow ...\n");
	else if (is_bare && measure_run_wants_functions(&summary->run.settings))
		fprintf(out,
			"only program start and end were recorded: compile the program with -g "
			"-finstrument-functions, or run: measure --sample ...\n");
	else if (is_bare)
		fprintf(out, "next: cat %s/" MEASURE_SUMMARY_NAME "\n", name);
	else
		print_next_commands(summary, name, out);
}

/* Times of a trace of which a part was read are those of the calls that lie in it as a whole: their
 * shares are right, and that is what is printed. */
static void print_times(const struct measure_summary *summary)
{
	const struct measure_view_options options = {.by = MEASURE_BY_REGION, .nr_most = TOP_ROWS};
	struct measure_view view;

	if (summary_is_bare(summary) || summary->profile.nr_events == 0)
		return;
	measure_view_make(&view, &summary->profile, &options);
	fprintf(summary->out, "\nRegions with the most time%s\n",
		summary_is_estimated(summary) ? ", in the part of the events that was read" : "");
	measure_view_print(&view, summary->out);
	measure_view_free(&view);
}

void measure_summary_print(struct measure_summary *summary, FILE *out)
{
	const char *command = summary_text(summary, "MEASURE::COMMAND");

	summary->out = out;
	fprintf(out, "%s\n\n",
		MEASURE_PRINTABLE(summary->trace->creator ? summary->trace->creator : ""));
	if (command)
		fprintf(out, "program     %s\n", MEASURE_PRINTABLE(command));
	print_size(summary);
	print_time(summary);
	print_clock(summary);
	print_regions(summary);
	print_filtered(summary);
	print_unmatched(summary);
	print_unrecorded(summary);
	summary_print_filtered_calls(summary);
	print_patched(summary);
	print_switched(summary);
	summary_print_memory(summary);
	summary_print_held_up(summary);
	summary_print_openmp(summary);
	summary_print_python(summary);
	summary_print_ends(summary);
	print_counts(summary);
	print_all_unbalanced(summary);
	print_times(summary);
	summary_print_events(summary);
	summary_print_files(summary);
	summary_print_samples(summary);
	print_advice(summary);
}
