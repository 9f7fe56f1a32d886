/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-analyze: how long the calls of a program waited, for whom, and how efficient its
 * processes were, from its archive. The processes of a job read it together, each a part. The
 * archive is read in a child process: the OTF2 library is not safe against damaged files. Exit
 * status: 0 all was read, 1 a part could not be read, 2 unreadable input or usage error. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "analysis/causes/root_causes.h"
#include "analysis/efficiency/what_if.h"
#include "analysis/waits/waits_report.h"
#include "bin/common/corrected_waits.h"
#include "bin/common/job_launch.h"
#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/progress.h"
#include "cli/read_in_child.h"
#include "cli/wrong_option.h"
#include "config/settings.h"
#include "exports.h"
#include "sync/parallel/status_reduction.h"
#include "sync/parallel/workers.h"
#include "trace/archive/trace.h"
#include "trace/common/spilling_alloc.h"
#include "trace/common/trace_error.h"

#define MOST_THREADS 1024
#define MOST_WINDOWS 100000
#define USUAL_ROWS   10

struct analyze_options {
	const char *input;
	bool is_json;
	size_t nr_most; /* rows of each table; 0: all */
	unsigned nr_threads;
	bool has_rendezvous;
	uint64_t rendezvous; /* bytes from which on plain sends wait */
	bool is_sync_wanted;
	struct analyze_exports exports;
	uint64_t memory; /* bytes: what arrays have at most; more lies in a file */
	bool is_whole;
	size_t nr_windows;     /* equal ones */
	bool has_phases;       /* a window for each of them */
	const char *reference; /* another archive, or NULL */
	bool is_weak;
	struct measure_what_if what_if; /* without changes: not asked for */
};

static const char usage[] =
	"Usage: measure-analyze [OPTION]... TRACE\n"
	"Show where a program waited, for whom, and how efficient its processes were.\n"
	"TRACE is the directory of an archive or its .otf2 file.\n"
	"\n"
	"  measure-analyze run1                    efficiencies, worst waits, causes\n"
	"  measure-analyze --format json run1      everything, for programs\n"
	"  measure-analyze --what-if 'rank:3=balanced' run1\n"
	"                                          how long it would have run then\n"
	"  measure-analyze --save run1.waits run1  and a copy for viewers\n"
	"\n"
	"      --format text|json\n"
	"                    (default: text)\n"
	"      --sync auto|none\n"
	"                    correct clocks where messages arrive before they are sent,\n"
	"                    as measure-sync does, or leave times alone (default: auto)\n"
	"      --top N       at most N waits, half as many causes; 0: all (default: 10)\n"
	"      --rendezvous=N\n"
	"                    MPI_Send of N bytes or more waits for the receive\n"
	"                    (default: found from messages that did not wait)\n"
	"      --whole       include MPI_Init and MPI_Finalize in efficiencies\n"
	"      --windows N|phases\n"
	"                    also efficiencies of N equal windows, or of each phase and\n"
	"                    iteration\n"
	"      --reference TRACE\n"
	"                    show how computing scales from that run to this one\n"
	"      --weak        weak scaling: same problem size per process (default: in total)\n"
	"      --what-if CHANGES\n"
	"                    predict the run time with other numbers: latency=0.5x,\n"
	"                    bandwidth=2x, network=ideal, compute=0.8x,\n"
	"                    region:NAME=0.8x, rank:3=balanced; separate by blanks\n"
	"      --save DIR    also write a copy of the archive with waiting times as\n"
	"                    metrics, and the longest waits as markers, for viewers\n"
	"                    (--top N: N markers; default: 20)\n"
	"      --cube FILE   also write a file for Cube, such as run1.cubex\n"
	"  -t, --threads N   (default: one per processor)\n"
	"      --memory SIZE memory for data read from TRACE, such as 512M; the rest is\n"
	"                    kept in a temporary file (default: half of the free memory)\n"
	"      --help        print this help\n"
	"      --version     print the version\n"
	"\n"
	"Exit status: 0 success, 1 parts of the archive cannot be read, 2 unreadable\n"
	"input or usage error. More: man measure-analyze.\n";

/* -------------------------------------------------------------------------- options --- */

enum {
	OPTION_FORMAT = 256,
	OPTION_TOP,
	OPTION_SYNC,
	OPTION_MEMORY,
	OPTION_RENDEZVOUS,
	OPTION_WHOLE,
	OPTION_WINDOWS,
	OPTION_REFERENCE,
	OPTION_WEAK,
	OPTION_WHAT_IF,
	OPTION_SAVE,
	OPTION_CUBE
};

static const struct option long_options[] = {{"format", required_argument, NULL, OPTION_FORMAT},
	{"top", required_argument, NULL, OPTION_TOP},
	{"sync", required_argument, NULL, OPTION_SYNC},
	{"memory", required_argument, NULL, OPTION_MEMORY},
	{"rendezvous", required_argument, NULL, OPTION_RENDEZVOUS},
	{"whole", no_argument, NULL, OPTION_WHOLE},
	{"windows", required_argument, NULL, OPTION_WINDOWS},
	{"reference", required_argument, NULL, OPTION_REFERENCE},
	{"weak", no_argument, NULL, OPTION_WEAK},
	{"what-if", required_argument, NULL, OPTION_WHAT_IF},
	{"save", required_argument, NULL, OPTION_SAVE},
	{"cube", required_argument, NULL, OPTION_CUBE}, {"threads", required_argument, NULL, 't'},
	{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

static int take_format(struct analyze_options *options)
{
	static const char *const words[] = {"text", "json"};
	const int chosen = measure_choose_word("--format", optarg, words, 2);

	options->is_json = chosen == 1;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_sync(struct analyze_options *options)
{
	static const char *const words[] = {"auto", "none"};
	const int chosen = measure_choose_word("--sync", optarg, words, 2);

	options->is_sync_wanted = chosen == 0;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_windows(struct analyze_options *options)
{
	long number = 0;
	int early = -1;

	if (strcmp(optarg, "phases") == 0)
		options->has_phases = true;
	else
		early = measure_take_number("--windows", optarg, 1, MOST_WINDOWS, &number);
	options->nr_windows = number > 0 ? (size_t)number : options->nr_windows;
	return early;
}

static int take_what_if(struct analyze_options *options)
{
	char error[MEASURE_WHAT_IF_ERROR];

	measure_what_if_free(&options->what_if);
	if (measure_what_if_parse(&options->what_if, optarg, error))
		return -1;
	measure_cli_say("%s", error);
	return MEASURE_EXIT_CANNOT;
}

/* The programs of Cube want the suffix. */
static int take_cube(struct analyze_options *options)
{
	const size_t length = strlen(optarg), suffix = strlen(".cubex");

	options->exports.cube = optarg;
	if (length > suffix && !strcmp(optarg + length - suffix, ".cubex"))
		return -1;
	return measure_cli_usage("--cube: '%s': name a file that ends in .cubex", optarg);
}

static int take_option(int option, char **argv, struct analyze_options *options)
{
	long number;
	int early;

	switch (option) {
	case OPTION_FORMAT:
		return take_format(options);
	case OPTION_TOP:
		early = measure_take_number("--top", optarg, 0, 1000000000, &number);
		options->nr_most = options->exports.nr_markers = (size_t)number;
		return early;
	case OPTION_RENDEZVOUS:
		early = measure_take_number("--rendezvous", optarg, 0, LONG_MAX, &number);
		options->rendezvous = (uint64_t)number;
		options->has_rendezvous = true;
		return early;
	case OPTION_SYNC:
		return take_sync(options);
	case OPTION_CUBE:
		return take_cube(options);
	case OPTION_SAVE:
		options->exports.directory = optarg;
		return -1;
	case OPTION_MEMORY:
		if (measure_size_parse(optarg, &options->memory))
			return -1;
		return measure_cli_usage("--memory: '%s' is not a size like 512M or 8G", optarg);
	case OPTION_WHOLE:
		options->is_whole = true;
		return -1;
	case OPTION_WINDOWS:
		return take_windows(options);
	case OPTION_REFERENCE:
		options->reference = optarg;
		return -1;
	case OPTION_WEAK:
		options->is_weak = true;
		return -1;
	case OPTION_WHAT_IF:
		return take_what_if(options);
	case 't':
		early = measure_take_number("--threads", optarg, 1, MOST_THREADS, &number);
		options->nr_threads = (unsigned)number;
		return early;
	case 'h':
		fputs(usage, stdout);
		return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
	case 'V':
		return measure_cli_version();
	default:
		return measure_refuse_option(option, argv, long_options);
	}
}

/* -1: go on; otherwise the exit status. */
static int parse_options(int argc, char **argv, struct analyze_options *options)
{
	int early = -1;

	opterr = 0;
	for (int option;
		early < 0 && (option = getopt_long(argc, argv, ":t:", long_options, NULL)) != -1;)
		early = take_option(option, argv, options);
	if (early >= 0)
		return early;
	if (optind == argc)
		return measure_cli_usage("no archive given");
	if (argc - optind > 1)
		return measure_cli_usage("'%s': a second archive: give one", argv[optind + 1]);
	options->input = argv[optind];
	return -1;
}

/* ------------------------------------------------------------------------- analysis --- */

/* Of the processes of a job, the first one has it. */
static measure_status_t find_work(const struct analyze_options *options,
	const struct measure_sync_job *job, struct measure_trace *trace, struct measure_work *work)
{
	const struct measure_waits_options wishes = {.nr_threads = options->nr_threads, .job = job};
	const struct measure_efficiency_options efficiencies = {.is_whole = options->is_whole};
	struct measure_efficiency efficiency;
	struct corrected_waits corrected;
	const measure_status_t status =
		corrected_waits_read(&corrected, trace, options->is_sync_wanted, &wishes);

	if (job->rank == 0) {
		measure_efficiency_find(&efficiency, &corrected.waits, &efficiencies);
		*work = efficiency.work;
		measure_efficiency_free(&efficiency);
	}
	corrected_waits_free(&corrected);
	return status;
}

/* Whether there is one; else it says why. */
static bool read_reference(const struct analyze_options *options,
	const struct measure_sync_job *job, struct measure_work *work)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	struct measure_trace *trace = NULL;
	measure_status_t status = measure_trace_open(options->reference, &findings, &trace);

	status = measure_sync_job_reduce_status(job, status, job->rank);
	if (status == MEASURE_OK && measure_profile_archive_is_one(trace)) {
		measure_error_set(
			"--reference: %s: holds a profile: give a trace", options->reference);
		status = MEASURE_ERROR_FORMAT;
	}
	if (status == MEASURE_OK)
		find_work(options, job, trace, work);
	else if (job->rank == 0)
		measure_cli_say("%s", measure_trace_error());
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return status == MEASURE_OK;
}

struct analyze_findings {
	const struct analyze_options *options;
	const struct measure_efficiency_options *efficiencies;
	struct measure_waits *waits;
	struct measure_efficiency efficiency;
};

/* One of two things that work on the same calls and waits. */
static void explain(void *data, size_t index)
{
	struct analyze_findings *found = data;

	if (index == 0)
		measure_efficiency_find(&found->efficiency, found->waits, found->efficiencies);
	else
		measure_root_causes_find(found->waits, found->options->nr_threads);
}

static void analyze_waits(struct analyze_findings *found)
{
	const struct analyze_options *options = found->options;

	measure_root_causes_prepare(found->waits);
	/* a prediction needs the segments, which root causes take: it has to come before */
	measure_workers_share(
		found->efficiencies->what_if ? 1 : options->nr_threads, 2, explain, found);
	if (options->is_json)
		measure_waits_print_json(found->waits, &found->efficiency, stdout);
	else
		measure_waits_print_text(
			found->waits, &found->efficiency, options->nr_most, stdout);
	measure_efficiency_free(&found->efficiency);
}

static enum measure_exit_code analyze_trace(const struct analyze_options *options,
	const struct measure_sync_job *job, struct measure_trace *trace,
	const struct measure_work *reference)
{
	const bool is_watched = job->rank == 0 && isatty(STDERR_FILENO);
	const struct measure_waits_options wishes = {.nr_threads = options->nr_threads,
		.has_rendezvous = options->has_rendezvous,
		.rendezvous = options->rendezvous,
		.job = job,
		.progress = is_watched ? measure_progress_show : NULL};
	const struct measure_efficiency_options efficiencies = {.is_whole = options->is_whole,
		.nr_windows = options->nr_windows,
		.has_phases = options->has_phases,
		.reference = reference,
		.is_weak = options->is_weak,
		.what_if = options->what_if.nr_changes > 0 ? &options->what_if : NULL};
	struct corrected_waits corrected;
	measure_status_t status;
	bool is_written = true;

	status = corrected_waits_read(&corrected, trace, options->is_sync_wanted, &wishes);
	if (job->rank == 0) {
		analyze_waits(&(struct analyze_findings){.options = options,
			.efficiencies = &efficiencies,
			.waits = &corrected.waits});
		is_written = exports_write(&options->exports, &corrected);
	}
	corrected_waits_free(&corrected);
	if (!is_written)
		return MEASURE_EXIT_CANNOT;
	return status == MEASURE_OK ? MEASURE_EXIT_DONE : MEASURE_EXIT_FOUND;
}

static enum measure_exit_code analyze_archive(
	const struct analyze_options *options, const struct measure_sync_job *job)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;
	char error[MEASURE_WHAT_IF_ERROR];
	struct measure_trace *trace = NULL;
	struct measure_work reference;

	if (options->reference && !read_reference(options, job, &reference))
		return MEASURE_EXIT_CANNOT;

	measure_status_t status = measure_trace_open(options->input, &findings, &trace);

	status = measure_sync_job_reduce_status(job, status, job->rank);
	if (status == MEASURE_OK && measure_profile_archive_is_one(trace)) {
		measure_error_set("%s: holds a profile, which does not show who waited: "
				  "record a trace, without --profile",
			options->input);
		status = MEASURE_ERROR_FORMAT;
	}
	if (status == MEASURE_OK &&
		!measure_what_if_check(&options->what_if, &trace->definitions, error)) {
		measure_error_set("%s", error);
		status = MEASURE_ERROR_USAGE;
	}
	if (status == MEASURE_OK)
		result = analyze_trace(options, job, trace, options->reference ? &reference : NULL);
	else if (job->rank == 0)
		measure_cli_say("%s", measure_trace_error());
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return result;
}

struct analyze_work {
	const struct analyze_options *options;
	const struct job_launch *launch;
};

/* As one of the processes of a job: the first one prints, and speaks for all. */
static int work(void *data)
{
	const struct analyze_work *what = data;
	const char *directory = getenv("TMPDIR");
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;
	struct measure_sync_job job;

	measure_spill_bound(what->options->memory, directory && *directory ? directory : "/tmp");
	if (job_launch_join(what->launch, &job)) {
		result = analyze_archive(what->options, &job);
		measure_sync_job_close(&job);
	}
	if (!job_launch_is_first(what->launch))
		return MEASURE_EXIT_DONE;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return result;
	measure_cli_say("cannot write the result: %s", strerror(errno));
	return MEASURE_EXIT_CANNOT;
}

int main(int argc, char **argv)
{
	struct analyze_options options = {.nr_most = USUAL_ROWS, .is_sync_wanted = true};
	struct job_launch launch;
	int early;

	measure_cli_start("measure-analyze");
	job_launch_detect(&launch, argv);
	exports_start(&options.exports);
	options.nr_threads = launch.nr_threads;
	options.memory = launch.memory;
	early = parse_options(argc, argv, &options);
	if (early >= 0)
		return job_launch_is_first(&launch) ? early : MEASURE_EXIT_DONE;
	if (!exports_are_possible(&options.exports, options.input, job_launch_is_first(&launch)))
		return job_launch_is_first(&launch) ? MEASURE_EXIT_CANNOT : MEASURE_EXIT_DONE;
	job_launch_speak();
	early = measure_cli_read_in_child(
		work, &(struct analyze_work){&options, &launch}, options.input);
	exports_end(&options.exports);
	return early;
}
