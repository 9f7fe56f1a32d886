/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-top: where a run in progress spends its time. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/option_values.h"
#include "cli/wrong_option.h"
#include "live/live_top.h"

#define USUAL_INTERVAL 2
#define USUAL_ROWS     15

static const char usage[] =
	"Usage: measure-top [OPTION]... DIR\n"
	"Show where the processes of a run in progress spend their time. DIR is the run\n"
	"directory (measure --output). Processes on this node are shown.\n"
	"\n"
	"  measure-top run1         look every two seconds; q ends it\n"
	"  measure-top --once run1  print one look\n"
	"\n"
	"  -n, --once          print the last interval, and end\n"
	"  -i, --interval SECONDS\n"
	"                      time that a look goes back, and between two looks\n"
	"                      (default: 2)\n"
	"      --top N         at most N regions (default: 15)\n"
	"      --help          print this help\n"
	"      --version       print the version\n"
	"\n"
	"Exit status: 0 success, 2 no run in progress or usage error.\n"
	"More: man measure-top.\n";

enum { OPTION_TOP = 256 };

static const struct option long_options[] = {{"once", no_argument, NULL, 'n'},
	{"interval", required_argument, NULL, 'i'}, {"top", required_argument, NULL, OPTION_TOP},
	{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

static int take_interval(struct live_top_options *options)
{
	char *end;

	options->interval = strtod(optarg, &end);
	if (end == optarg || *end || !(options->interval >= 0.1 && options->interval <= 3600))
		return measure_cli_usage(
			"--interval: '%s' is not a number of seconds from 0.1 to 3600", optarg);
	return -1;
}

static int take_rows(struct live_top_options *options)
{
	long number;
	const int early = measure_take_number("--top", optarg, 1, 1000000, &number);

	options->nr_rows = (size_t)number;
	return early;
}

static int take_option(int option, char **argv, struct live_top_options *options)
{
	switch (option) {
	case 'n':
		options->is_once = true;
		return -1;
	case 'i':
		return take_interval(options);
	case OPTION_TOP:
		return take_rows(options);
	case 'h':
		fputs(usage, stdout);
		return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
	case 'V':
		return measure_cli_version();
	default:
		return measure_refuse_option(option, argv, long_options);
	}
}

int main(int argc, char **argv)
{
	struct live_top_options options = {.interval = USUAL_INTERVAL, .nr_rows = USUAL_ROWS};

	measure_cli_start("measure-top");
	opterr = 0;
	for (int option, early;
		(option = getopt_long(argc, argv, ":ni:", long_options, NULL)) != -1;) {
		early = take_option(option, argv, &options);
		if (early >= 0)
			return early;
	}
	if (optind == argc)
		return measure_cli_usage("no run directory given");
	if (optind + 1 < argc)
		return measure_cli_usage("'%s': one run at a time", argv[optind + 1]);
	options.is_terminal = !options.is_once && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
	return (int)measure_live_top(argv[optind], &options);
}
