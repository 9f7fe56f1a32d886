/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses the command line; see convert_options.h. */
#include "config.h"

#include "convert_options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/suggest.h"
#include "cli/wrong_option.h"
#include "config/settings.h"

#define MOST_THREADS 1024

static const struct measure_format formats[] = {
#define FORMAT(word, function, is_text, needs, text)                                               \
	{word, text, is_text, MEASURE_NEEDS_##needs, function},
#include "export/conversion/formats.def"
#undef FORMAT
	{.word = NULL}};

static const char usage[] =
	"Usage: measure-convert [OPTION]... TRACE --to FORMAT -o OUT\n"
	"Write a trace, or a part of it, in the format of another tool.\n"
	"TRACE is the directory of an archive or its .otf2 file.\n"
	"\n"
	"  measure-convert run1 --to perfetto -o run1.pftrace\n"
	"                                          open it at https://ui.perfetto.dev\n"
	"  measure-convert run1 --to folded -o - | flamegraph.pl --countname ns >1.svg\n"
	"  measure-convert run1 --from 1.5 --until 2 --to chrome -o slice.json\n"
	"\n"
	"      --to FORMAT   one of these:\n";

static const char usage_of_options[] =
	"  -o, --output OUT  file to write; -: standard output, if the format is text\n"
	"      --from TIME   begin of a time window: seconds since the start of the\n"
	"                    trace, or a share of it like 25%\n"
	"      --until TIME  its end\n"
	"      --phase NAME[#N[-M]]\n"
	"                    from the begin of the N-th call of a region or phase to the\n"
	"                    end of the M-th (default: of all of them)\n"
	"      --locations LIST\n"
	"                    locations 0-3,7, ranks rank:0-3, or names with wildcards\n"
	"      --filter FILE leave out calls by the rules in FILE (man measure-filter)\n"
	"      --sync auto|none\n"
	"                    correct clocks where messages arrive before they are sent,\n"
	"                    as measure-sync does, or leave times alone (default: auto)\n"
	"  -t, --threads N   (default: one per processor)\n"
	"      --memory SIZE memory for data read from TRACE, such as 512M; the rest is\n"
	"                    kept in a temporary file (default: half of the free memory)\n"
	"\n"
	"Options of some formats:\n"
	"      --flows=N|none\n"
	"                    perfetto, chrome: draw at most N messages (default: 20000)\n"
	"      --file-size SIZE\n"
	"                    perfetto: go on in OUT.2, OUT.3 after SIZE (default:\n"
	"                    4000M); chrome: write no more (default: 500 MB)\n"
	"      --graph calls|communication|tasks\n"
	"                    dot: which graph (default: calls)\n"
	"      --prune SHARE dot: leave out what has less, such as 1% (default: 0.5%)\n"
	"      --flat        paje: classes of regions instead of stacks\n"
	"      --calls       sqlite, csv: each call, not only sums\n"
	"      --align       otf2: widen the window to where all processes synchronise\n"
	"\n"
	"      --help        print this help\n"
	"      --version     print the version\n"
	"\n"
	"Exit status: 0 success, 1 parts of the archive cannot be read, 2 unreadable\n"
	"input, unwritable output, or usage error. More: man measure-convert.\n";

enum {
	OPTION_TO = 256,
	OPTION_FROM,
	OPTION_UNTIL,
	OPTION_PHASE,
	OPTION_LOCATIONS,
	OPTION_SYNC,
	OPTION_MEMORY,
	OPTION_FLOWS,
	OPTION_FILE_SIZE,
	OPTION_GRAPH,
	OPTION_PRUNE,
	OPTION_FLAT,
	OPTION_CALLS,
	OPTION_ALIGN
};

static const struct option long_options[] = {{"to", required_argument, NULL, OPTION_TO},
	{"output", required_argument, NULL, 'o'}, {"from", required_argument, NULL, OPTION_FROM},
	{"until", required_argument, NULL, OPTION_UNTIL},
	{"phase", required_argument, NULL, OPTION_PHASE},
	{"locations", required_argument, NULL, OPTION_LOCATIONS},
	{"filter", required_argument, NULL, 'f'}, {"sync", required_argument, NULL, OPTION_SYNC},
	{"threads", required_argument, NULL, 't'},
	{"memory", required_argument, NULL, OPTION_MEMORY},
	{"flows", required_argument, NULL, OPTION_FLOWS},
	{"file-size", required_argument, NULL, OPTION_FILE_SIZE},
	{"graph", required_argument, NULL, OPTION_GRAPH},
	{"prune", required_argument, NULL, OPTION_PRUNE}, {"flat", no_argument, NULL, OPTION_FLAT},
	{"calls", no_argument, NULL, OPTION_CALLS}, {"align", no_argument, NULL, OPTION_ALIGN},
	{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

/* Options of some formats only. */
static const struct format_option {
	int option;
	const char *name;
	const char *formats; /* their words, each between blanks */
} format_options[] = {
	{OPTION_FLOWS, "--flows", " perfetto chrome "},
	{OPTION_FILE_SIZE, "--file-size", " perfetto chrome "},
	{OPTION_GRAPH, "--graph", " dot "},
	{OPTION_PRUNE, "--prune", " dot "},
	{OPTION_FLAT, "--flat", " paje "},
	{OPTION_CALLS, "--calls", " sqlite csv "},
	{OPTION_ALIGN, "--align", " otf2 "},
};
#define NR_FORMAT_OPTIONS (sizeof(format_options) / sizeof(format_options[0]))

static int print_usage(void)
{
	fputs(usage, stdout);
	for (const struct measure_format *format = formats; format->word; format++)
		printf("                      %-11s %s\n", format->word, format->text);
	fputs(usage_of_options, stdout);
	return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
}

static int take_format(struct convert_options *options)
{
	struct measure_suggest nearest;
	char guess[256];

	measure_suggest_begin(&nearest, optarg);
	for (const struct measure_format *format = formats; format->word; format++) {
		measure_suggest_offer(&nearest, format->word);
		if (strcmp(format->word, optarg) == 0)
			options->format = format;
	}
	if (options->format && strcmp(options->format->word, optarg) == 0)
		return -1;
	measure_suggest_ask(&nearest, "", guess, sizeof(guess));
	return measure_cli_usage("--to: '%s': unknown format%s", optarg, guess);
}

static int take_sync(struct convert_options *options)
{
	static const char *const words[] = {"auto", "none"};
	const int chosen = measure_choose_word("--sync", optarg, words, 2);

	options->is_sync_wanted = chosen == 0;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_flows(struct convert_options *options)
{
	long number = 0;
	int early = -1;

	if (strcmp(optarg, "none") != 0)
		early = measure_take_number("--flows", optarg, 0, LONG_MAX, &number);
	options->selected.nr_flows = (uint64_t)number;
	return early;
}

static int take_graph(struct convert_options *options)
{
	static const char *const words[MEASURE_NR_GRAPHS] = {[MEASURE_GRAPH_CALLS] = "calls",
		[MEASURE_GRAPH_COMMUNICATION] = "communication",
		[MEASURE_GRAPH_TASKS] = "tasks"};
	const int chosen = measure_choose_word("--graph", optarg, words, MEASURE_NR_GRAPHS);

	options->selected.graph = chosen < 0 ? MEASURE_GRAPH_CALLS : (enum measure_graph)chosen;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_prune(struct convert_options *options)
{
	char *end;
	double share = strtod(optarg, &end);

	if (end != optarg && strcmp(end, "%") == 0) {
		share /= 100;
		end++;
	}
	if (end == optarg || *end || !(share >= 0 && share < 1))
		return measure_cli_usage("--prune: '%s' is not a share like 1%%", optarg);
	options->selected.least_share = share;
	return -1;
}

static int take_size(const char *name, uint64_t *size)
{
	if (measure_size_parse(optarg, size) && *size > 0)
		return -1;
	return measure_cli_usage("%s: '%s' is not a size like 512M or 8G", name, optarg);
}

static int take_threads(struct convert_options *options)
{
	long number = 1;
	const int early = measure_take_number("--threads", optarg, 1, MOST_THREADS, &number);

	options->nr_threads = (unsigned)number;
	return early;
}

static int convert_take_option(int option, char **argv, struct convert_options *options)
{
	switch (option) {
	case OPTION_TO:
		return take_format(options);
	case 'o':
		options->output = optarg;
		return -1;
	case OPTION_FROM:
		return measure_take_time_bound("--from", optarg, &options->selected.from);
	case OPTION_UNTIL:
		return measure_take_time_bound("--until", optarg, &options->selected.until);
	case OPTION_PHASE:
		if (measure_named_calls_parse(optarg, &options->selected.phase))
			return -1;
		return measure_cli_usage("--phase: '%s': give NAME, NAME#3 or NAME#3-5", optarg);
	case OPTION_LOCATIONS:
		options->selected.locations = optarg;
		return -1;
	case 'f':
		options->rules.file = optarg;
		return -1;
	case OPTION_SYNC:
		return take_sync(options);
	case OPTION_FLOWS:
		return take_flows(options);
	case OPTION_PRUNE:
		return take_prune(options);
	case OPTION_FLAT:
		options->selected.is_flat = true;
		return -1;
	case OPTION_CALLS:
		options->selected.has_calls = true;
		return -1;
	case OPTION_ALIGN:
		options->selected.is_aligned = true;
		return -1;
	case OPTION_GRAPH:
		return take_graph(options);
	case OPTION_FILE_SIZE:
		return take_size("--file-size", &options->selected.most_bytes);
	case OPTION_MEMORY:
		return take_size("--memory", &options->memory);
	case 't':
		return take_threads(options);
	case 'h':
		return print_usage();
	case 'V':
		return measure_cli_version();
	default:
		return measure_refuse_option(option, argv, long_options);
	}
}

static void note_format_option(struct convert_options *options, int option)
{
	for (size_t i = 0; i < NR_FORMAT_OPTIONS; i++)
		if (format_options[i].option == option)
			options->format_options |= 1u << i;
}

static int check_format_options(const struct convert_options *options)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", options->format->word);
	for (size_t i = 0; i < NR_FORMAT_OPTIONS; i++)
		if (options->format_options & 1u << i && !strstr(format_options[i].formats, word))
			return measure_cli_usage("%s: %s has no such option, but these have:%.*s",
				format_options[i].name, options->format->word,
				(int)strlen(format_options[i].formats) - 1,
				format_options[i].formats);
	return -1;
}

static int check_options(const struct convert_options *options)
{
	const struct measure_conversion_options *selected = &options->selected;
	int early;

	if (!options->format)
		return measure_cli_usage("no format given: --to FORMAT");
	if (!options->output)
		return measure_cli_usage("no output given: -o OUT");
	if (strcmp(options->output, "-") == 0 && !options->format->is_text)
		return measure_cli_usage("-o -: %s is no text: name a file", options->format->word);
	if (selected->phase.name && (selected->from.is_given || selected->until.is_given))
		return measure_cli_usage("--phase and --from or --until are mutually exclusive");
	if (selected->locations && !*selected->locations)
		return measure_cli_usage("--locations: no location given");
	early = check_format_options(options);
	return early < 0 ? measure_check_time_bounds(&selected->from, &selected->until) : early;
}

int convert_options_parse(int argc, char **argv, struct convert_options *options)
{
	int early = -1;

	options->is_sync_wanted = true;
	options->selected.nr_flows = MEASURE_FLOWS_DEFAULT;
	options->selected.least_share = 0.005;
	options->selected.most_bytes = MEASURE_FILE_SIZE_DEFAULT;
	opterr = 0;
	for (int option; early < 0 &&
			 (option = getopt_long(argc, argv, ":o:f:t:", long_options, NULL)) != -1;) {
		early = convert_take_option(option, argv, options);
		note_format_option(options, option);
	}
	if (early >= 0)
		return early;
	if (optind == argc)
		return measure_cli_usage("no archive given");
	if (argc - optind > 1)
		return measure_cli_usage("'%s': a second archive: give one", argv[optind + 1]);
	options->input = options->selected.input = argv[optind];
	return check_options(options);
}
