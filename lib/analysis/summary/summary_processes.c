/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of processes: how they ended, how much event memory they used and would
 * have needed, which OpenMP library they had. */
#include "config.h"

#include "summary_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/figures.h"
#include "base/printable.h"
#include "trace/common/containers.h"

#define MIB (UINT64_C(1) << 20)

static uint64_t number_of(const struct measure_summary *summary, size_t process, const char *name)
{
	return measure_group_number(&summary->processes, process, name);
}

static const char *text_of(const struct measure_summary *summary, size_t process, const char *name)
{
	const char *text = measure_group_text(&summary->processes, process, name, 0);

	return text ? text : "";
}

/* ------------------------------------------------------------------------- memory --- */

static uint64_t event_bytes(const struct measure_summary *summary, uint32_t location)
{
	char *path = measure_trace_file(summary->trace, location, ".evt");
	struct stat file;
	uint64_t size = stat(path, &file) == 0 ? (uint64_t)file.st_size : 0;

	measure_free(path);
	return size;
}

/* Bytes of the events that found no memory, by the mean of those that are there. */
static uint64_t lost_bytes(const struct measure_summary *summary, size_t process)
{
	const struct measure_definitions *definitions = summary->definitions;
	uint64_t nr_lost = number_of(summary, process, "MEASURE::LOST_MEMORY") +
			   number_of(summary, process, "MEASURE::LOST_AFTER_STOP");
	double nr_events = 0, nr_bytes = 0;

	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const struct measure_location_definition *location = &definitions->locations[i];
		if (location->group != process || location->type == OTF2_LOCATION_TYPE_METRIC)
			continue;
		nr_events += (double)location->nr_events;
		nr_bytes += (double)event_bytes(summary, i);
	}
	return nr_events > 0 ? (uint64_t)((double)nr_lost * nr_bytes / nr_events) : 0;
}

/* Had there been no waiting, the program would have come to the same point earlier by the time
 * waited, and the disk would have taken so much less until then. */
static uint64_t missing_bytes(const struct measure_summary *summary, size_t process)
{
	uint64_t missing;

	if (number_of(summary, process, "MEASURE::STALLS") +
			number_of(summary, process, "MEASURE::LOST_MEMORY") ==
		0)
		return 0;
	missing = number_of(summary, process, "MEASURE::MEMORY_MISSED") +
		  lost_bytes(summary, process);
	return missing ? missing + 2 * summary->trace->chunk_size : 0; /* the ends of chunks */
}

uint64_t summary_enough_memory(const struct measure_summary *summary)
{
	uint64_t enough = 0;

	for (size_t i = 0; i < summary->definitions->nr_location_groups; i++) {
		uint64_t missing = missing_bytes(summary, i);
		uint64_t bound = number_of(summary, i, "MEASURE::MEMORY_BOUND");
		if (missing && bound + missing > enough)
			enough = bound + missing;
	}
	return (enough + MIB - 1) / MIB;
}

/* Of the process that took most. Chunks that threads have to themselves may be empty for the
 * most part. */
void summary_print_memory(struct measure_summary *summary)
{
	uint64_t taken = 0, used = 0, bound = 0;

	for (size_t i = 0; i < summary->definitions->nr_location_groups; i++) {
		if (number_of(summary, i, "MEASURE::MEMORY_TAKEN") <= taken)
			continue;
		taken = number_of(summary, i, "MEASURE::MEMORY_TAKEN");
		used = number_of(summary, i, "MEASURE::MEMORY_PEAK");
		bound = number_of(summary, i, "MEASURE::MEMORY_BOUND");
	}
	if (taken)
		fprintf(summary->out,
			"memory      %.1f MiB of event memory allocated in a process, at most %.1f "
			"MiB in use; limit %.1f MiB\n",
			(double)taken / MIB, (double)(used < taken ? used : taken) / MIB,
			(double)bound / MIB);
}

static uint64_t longer(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Of all processes; the longest of any. */
void summary_print_held_up(struct measure_summary *summary)
{
	uint64_t nr = 0, cpu = 0, longest_cpu = 0, longest = 0;

	for (size_t i = 0; i < summary->definitions->nr_location_groups; i++) {
		nr += number_of(summary, i, "MEASURE::HELD");
		cpu += number_of(summary, i, "MEASURE::HELD_CPU_NS");
		longest_cpu =
			longer(longest_cpu, number_of(summary, i, "MEASURE::HELD_LONGEST_CPU_NS"));
		longest = longer(longest, number_of(summary, i, "MEASURE::HELD_LONGEST_TICKS"));
	}
	if (nr)
		fprintf(summary->out,
			"delays      %s for event memory: %.3f ms of processor time in total, "
			"%.3f ms at most; %.3f ms at most by the clock\n",
			measure_figure(nr), (double)cpu / 1e6, (double)longest_cpu / 1e6,
			summary_seconds(summary, longest) * 1e3);
}

/* ------------------------------------------------------------------------- OpenMP --- */

static void print_runtime(const struct measure_summary *summary, size_t process)
{
	const char *runtime = text_of(summary, process, "MEASURE::OPENMP_RUNTIME");
	const char *library = text_of(summary, process, "MEASURE::OPENMP_LIBRARY");
	const char *shim = text_of(summary, process, "MEASURE::OPENMP_STAND_IN");
	FILE *out = summary->out;

	fprintf(out, "OpenMP      ");
	if (!*runtime)
		fprintf(out, "not used; %s replaced libgomp.so.1\n", MEASURE_PRINTABLE(shim));
	else if (!*shim || !*library)
		fprintf(out, "%s%s%s\n", MEASURE_PRINTABLE(runtime), *library ? " in " : "",
			MEASURE_PRINTABLE(library));
	else if (strcmp(library, shim) == 0)
		fprintf(out, "%s in %s, in place of libgomp.so.1\n", MEASURE_PRINTABLE(runtime),
			MEASURE_PRINTABLE(library));
	else
		fprintf(out, "%s in %s; %s serves the calls of libgomp\n",
			MEASURE_PRINTABLE(runtime), MEASURE_PRINTABLE(library),
			MEASURE_PRINTABLE(shim));
}

static void print_openmp(const struct measure_summary *summary, size_t process)
{
	const char *other = text_of(summary, process, "MEASURE::OPENMP_OTHER_LIBRARY");
	const char *reason = text_of(summary, process, "MEASURE::OPENMP_NOT_RECORDED");

	print_runtime(summary, process);
	if (*other)
		fprintf(summary->out, "            and %s: each has threads of its own\n",
			MEASURE_PRINTABLE(other));
	if (measure_group_text(&summary->processes, process, "MEASURE::OPENMP_RUNTIME", 1))
		fprintf(summary->out,
			"            the program shut the library down and restarted it\n");
	if (*reason)
		fprintf(summary->out, "            not recorded: %s\n", MEASURE_PRINTABLE(reason));
}

void summary_print_python(struct measure_summary *summary)
{
	for (size_t i = 0; i < summary->definitions->nr_location_groups; i++) {
		const char *reason = text_of(summary, i, "MEASURE::PYTHON_NOT_RECORDED");

		if (!*reason)
			continue;
		fprintf(summary->out, "Python      not recorded: %s\n", MEASURE_PRINTABLE(reason));
		return;
	}
}

/* All processes of a job are alike in this, so the first one that says something speaks for all. */
void summary_print_openmp(struct measure_summary *summary)
{
	for (size_t i = 0; i < summary->definitions->nr_location_groups; i++) {
		if (!*text_of(summary, i, "MEASURE::OPENMP_RUNTIME") &&
			!*text_of(summary, i, "MEASURE::OPENMP_STAND_IN"))
			continue;
		print_openmp(summary, i);
		return;
	}
}

/* --------------------------------------------------------------------------- ends --- */

static const char *meaning_of_cut(const char *word)
{
#define CUT(NAME, number, cut, meaning)                                                            \
	if (strcmp(word, cut) == 0)                                                                \
		return meaning;
#include "format/truncations.def"
#undef CUT
	return word;
}

/* What stands behind the words of a property MEASURE::EXIT; NULL: it does not begin so. */
static const char *behind(const char *exit, const char *words)
{
	return strncmp(exit, words, strlen(words)) == 0 ? exit + strlen(words) : NULL;
}

static void print_exit(FILE *out, const char *exit)
{
	const char *signal = behind(exit, "signal "), *status = behind(exit, "exit status ");

	if (strcmp(exit, "still running") == 0)
		fprintf(out, ": a snapshot");
	else if (strcmp(exit, "detached") == 0)
		fprintf(out, ": detached: it went on");
	else if (strcmp(exit, "became another program") == 0)
		fprintf(out, ": %s", exit);
	else if (signal)
		fprintf(out, ": killed by signal %d (%s)", atoi(signal), strsignal(atoi(signal)));
	else if (status)
		fprintf(out, ": exit status %d", atoi(status));
	else
		fprintf(out, ": exit status unknown");
}

static void print_end(const struct measure_summary *summary, size_t process)
{
	const char *name =
		summary_string(summary, summary->definitions->location_groups[process].name);
	const char *cut = text_of(summary, process, "MEASURE::CUT");
	const char *reason = text_of(summary, process, "MEASURE::CUT_REASON");
	const char *host = text_of(summary, process, "MEASURE::HOST");
	const char *exit = text_of(summary, process, "MEASURE::EXIT");

	fprintf(summary->out, "  %s", MEASURE_PRINTABLE(name));
	if (strcmp(cut, "absent") == 0) {
		fprintf(summary->out, " left no recording\n");
		return;
	}
	if (*host)
		fprintf(summary->out, " on %s, pid %llu", MEASURE_PRINTABLE(host),
			(unsigned long long)number_of(summary, process, "MEASURE::PROCESS_ID"));
	print_exit(summary->out, exit);
	if (*reason)
		fprintf(summary->out, "; %s", MEASURE_PRINTABLE(reason));
	if (*cut)
		fprintf(summary->out, "; %s", meaning_of_cut(cut));
	fputc('\n', summary->out);
}

static bool is_good_end(const struct measure_summary *summary, size_t process)
{
	return strcmp(text_of(summary, process, "MEASURE::EXIT"), "exit status 0") == 0 &&
	       !*text_of(summary, process, "MEASURE::CUT_REASON");
}

void summary_print_ends(struct measure_summary *summary)
{
	const size_t nr = summary->definitions->nr_location_groups;
	size_t nr_good = 0;

	for (size_t i = 0; i < nr; i++)
		nr_good += is_good_end(summary, i);
	fprintf(summary->out, "\nHow it ended\n");
	if (nr_good)
		fprintf(summary->out, "  %zu of %zu processes: exit status 0\n", nr_good,
			summary->definitions->nr_processes);
	for (size_t i = 0; i < nr; i++)
		if (!is_good_end(summary, i) &&
			!measure_group_is_device(&summary->definitions->location_groups[i]))
			print_end(summary, i);
}
