/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses the command line; see analyze_options.h. */
#include "config.h"

#include "analyze_options.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/wrong_option.h"
#include "config/settings.h"

#define MOST_THREADS 1024
#define MOST_WINDOWS 100000
#define USUAL_ROWS   10

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
	"  measure-analyze --tasks run1            tasks of StarPU, OpenMP or measure.h\n"
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
	"      --weak        weak scaling: same problem per process (default: in total)\n"
	"      --what-if CHANGES\n"
	"                    predict the run time with other numbers: latency=0.5x,\n"
	"                    bandwidth=2x, network=ideal, compute=0.8x,\n"
	"                    region:NAME=0.8x, rank:3=balanced; separate by blanks\n"
	"      --save DIR    also write a copy of the archive with waiting times as\n"
	"                    metrics, and the longest waits as markers, for viewers\n"
	"                    (--top N: N markers; default: 20)\n"
	"      --tasks       show tasks instead of waits: durations, how short the run\n"
	"                    could be, and whether it is as expected\n"
	"      --cube FILE   also write a file for Cube, such as run1.cubex\n"
	"  -t, --threads N   (default: one per processor)\n"
	"      --memory SIZE memory for data read from TRACE, such as 512M; the rest is\n"
	"                    kept in a temporary file (default: half of the free memory)\n"
	"      --help        print this help\n"
	"      --version     print the version\n"
	"\n"
	"Exit status: 0 success, 1 parts of the archive cannot be read, 2 unreadable\n"
	"input or usage error. More: man measure-analyze.\n";

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
	OPTION_CUBE,
	OPTION_TASKS
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
	{"cube", required_argument, NULL, OPTION_CUBE}, {"tasks", no_argument, NULL, OPTION_TASKS},
	{"threads", required_argument, NULL, 't'}, {"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

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
	case OPTION_TASKS:
		options->has_tasks = true;
		return -1;
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

void analyze_options_start(struct analyze_options *options)
{
	*options = (struct analyze_options){.nr_most = USUAL_ROWS, .is_sync_wanted = true};
	exports_start(&options->exports);
}

/* What shows waits has nothing to say of tasks. */
static int check_tasks(const struct analyze_options *options)
{
	const char *other = options->exports.directory                       ? "--save"
			    : options->exports.cube                          ? "--cube"
			    : options->reference                             ? "--reference"
			    : options->what_if.nr_changes > 0                ? "--what-if"
			    : options->nr_windows > 0 || options->has_phases ? "--windows"
									     : NULL;

	return other ? measure_cli_usage("--tasks: shows no waits: give it without %s", other) : -1;
}

int analyze_options_parse(int argc, char **argv, struct analyze_options *options)
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
	return options->has_tasks ? check_tasks(options) : -1;
}
