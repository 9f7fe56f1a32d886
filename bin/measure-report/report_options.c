/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses the command line; see report_options.h. */
#include "config.h"

#include "report_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/wrong_option.h"
#include "config/settings.h"

#define MOST_THREADS 1024
#define MOST_SIZE    1000 /* MB: browsers open no larger page */
#define USUAL_SIZE   40
#define MEGABYTE     1000000

static const char usage[] =
	"Usage: measure-report [OPTION]... TRACE [TRACE]\n"
	"Show a run, or two beside each other, on a page that any browser opens: time\n"
	"line, profile, messages, waits, efficiencies, clocks, files, metrics.\n"
	"TRACE is the directory of an archive or its .otf2 file.\n"
	"\n"
	"  measure-report run1                     makes run1.html\n"
	"  measure-report -o report.html old new   two runs, and what changed\n"
	"  measure-report --compensated run1       and what it was without recording\n"
	"  measure-report --text run1              the same in short, for terminals\n"
	"  measure-report --svg run1.svg run1      a picture of the time line\n"
	"\n"
	"  -o, --output FILE (default: name of the archive and .html)\n"
	"      --title TEXT  of the page (default: names of the archives)\n"
	"      --size MB     that the page may have; of longer runs it shows the longest\n"
	"                    waits and intervals (default: 40)\n"
	"      --compensated beside it the same run without what recording cost, as\n"
	"                    measure-sync --compensate removes it\n"
	"      --text        print a short report; with no page but that of -o\n"
	"      --png FILE, --svg FILE, --pdf FILE\n"
	"                    draw a picture; with no page but that of -o\n"
	"      --chart NAME  what to draw (default: timeline; list: print all names)\n"
	"      --panels NAME,...\n"
	"                    what to show of tasks, in this order; or a file that names\n"
	"                    panels (list: print all names); of pictures --chart=tasks\n"
	"      --from T, --until T\n"
	"                    part of the time line: seconds, or per cent like 40%\n"
	"      --phase NAME[#N[-M]]\n"
	"                    the same: from the begin of the N-th call of a region or\n"
	"                    phase to the end of the M-th (default: of all of them)\n"
	"      --width N, --height N\n"
	"                    of the picture: pixels of PNG, points of PDF\n"
	"      --dark        light on a dark background\n"
	"      --sync auto|none\n"
	"                    correct clocks where messages arrive before they are sent,\n"
	"                    as measure-sync does, or leave times alone (default: auto)\n"
	"  -t, --threads N   (default: one per processor)\n"
	"      --memory SIZE memory for data read from TRACE, such as 512M; the rest is\n"
	"                    kept in a temporary file (default: half of the free memory)\n"
	"      --help        print this help\n"
	"      --version     print the version\n"
	"\n"
	"Exit status: 0 success, 1 parts of the archive cannot be read, 2 unreadable\n"
	"input or usage error. More: man measure-report.\n";

enum {
	OPTION_TITLE = 256,
	OPTION_SIZE,
	OPTION_SYNC,
	OPTION_MEMORY,
	OPTION_TEXT,
	OPTION_PANELS,
	OPTION_COMPENSATED
};

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
	{"title", required_argument, NULL, OPTION_TITLE},
	{"size", required_argument, NULL, OPTION_SIZE},
	{"sync", required_argument, NULL, OPTION_SYNC}, {"threads", required_argument, NULL, 't'},
	{"memory", required_argument, NULL, OPTION_MEMORY}, {"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'}, {"text", no_argument, NULL, OPTION_TEXT},
	{"compensated", no_argument, NULL, OPTION_COMPENSATED},
	{"panels", required_argument, NULL, OPTION_PANELS}, PICTURE_LONG_OPTIONS,
	{NULL, 0, NULL, 0}};

static int take_sync(struct report_options *options)
{
	static const char *const words[] = {"auto", "none"};
	const int chosen = measure_choose_word("--sync", optarg, words, 2);

	options->is_sync_wanted = chosen == 0;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int report_take_option(int option, char **argv, struct report_options *options)
{
	long number = 0;
	int early;

	switch (option) {
	case 'o':
		options->output = optarg;
		return -1;
	case OPTION_TITLE:
		options->title = optarg;
		return -1;
	case OPTION_SIZE:
		early = measure_take_number("--size", optarg, 1, MOST_SIZE, &number);
		options->size = (uint64_t)number * MEGABYTE;
		options->has_size = true;
		return early;
	case OPTION_SYNC:
		return take_sync(options);
	case OPTION_MEMORY:
		if (measure_size_parse(optarg, &options->memory))
			return -1;
		return measure_cli_usage("--memory: '%s' is not a size like 512M or 8G", optarg);
	case 't':
		early = measure_take_number("--threads", optarg, 1, MOST_THREADS, &number);
		options->nr_threads = (unsigned)number;
		return early;
	case OPTION_PANELS:
		return panel_options_take(optarg, &options->panels);
	case OPTION_COMPENSATED:
		options->is_compensated = true;
		return -1;
	case OPTION_TEXT:
		options->is_text = true;
		return -1;
	case 'h':
		fputs(usage, stdout);
		return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
	case 'V':
		return measure_cli_version();
	default:
		if (option >= PICTURE_OPTION_PNG)
			return picture_options_take((enum picture_option)option, &options->picture);
		return measure_refuse_option(option, argv, long_options);
	}
}

/* What cannot be done, or would have no effect. */
static int check_page(const struct report_options *options)
{
	if (options->output && strcmp(options->output, "-") == 0)
		return measure_cli_usage("-o -: a page is a file: give its name");
	if (!report_options_want_page(options) && (options->title || options->has_size))
		return measure_cli_usage("--title and --size are for the page: give its name (-o)");
	return -1;
}

static int check_runs(const struct report_options *options)
{
	if (options->is_compensated && options->nr_inputs > 1)
		return measure_cli_usage(
			"--compensated shows a run beside itself: give one archive");
	if (options->is_compensated &&
		(options->is_text || picture_options_are_wanted(&options->picture)))
		return measure_cli_usage("--compensated is for the page, which shows both runs: "
					 "omit --text, --png, --svg and --pdf");
	if (options->is_text && options->nr_inputs > 1)
		return measure_cli_usage("--text shows one run: give one archive");
	return -1;
}

/* Each output has a file of its own; standard output takes a picture, and no line of text with it.
 */
static int check_files(const struct report_options *options)
{
	const char *const *paths = options->picture.paths;
	const bool has_text = options->is_text || report_options_want_page(options);

	for (int i = 0; i < PICTURE_NR_FORMATS; i++) {
		bool is_taken;

		if (!paths[i])
			continue;
		is_taken = has_text && strcmp(paths[i], "-") == 0;
		is_taken |= options->output && strcmp(paths[i], options->output) == 0;
		for (int j = 0; j < i; j++)
			is_taken |= paths[j] && strcmp(paths[i], paths[j]) == 0;
		if (is_taken)
			return measure_cli_usage(
				"'%s' cannot take two outputs: name another file", paths[i]);
	}
	return -1;
}

void report_options_start(struct report_options *options)
{
	*options = (struct report_options){
		.size = (uint64_t)USUAL_SIZE * MEGABYTE, .is_sync_wanted = true};
}

int report_options_parse(int argc, char **argv, struct report_options *options)
{
	int early = -1;

	opterr = 0;
	for (int option;
		early < 0 && (option = getopt_long(argc, argv, ":o:t:", long_options, NULL)) != -1;)
		early = report_take_option(option, argv, options);
	if (early >= 0)
		return early;
	if (optind == argc)
		return measure_cli_usage("no archive given");
	if (argc - optind > REPORT_MOST_RUNS)
		return measure_cli_usage(
			"'%s': a third archive: give two at most", argv[optind + REPORT_MOST_RUNS]);
	for (int i = optind; i < argc; i++) {
		options->archives[options->nr_inputs] = argv[i];
		options->inputs[options->nr_inputs++] = argv[i];
	}
	early = check_runs(options);
	if (early >= 0)
		return early;
	if (options->panels.are_given && !options->picture.has_chart)
		options->picture.chart = MEASURE_PICTURE_TASKS;
	early = check_page(options);
	if (early < 0)
		early = check_files(options);
	return early < 0 ? picture_options_check(&options->picture, options->nr_inputs) : early;
}
