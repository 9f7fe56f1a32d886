/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-sync. */
#include "config.h"

#include "sync_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option_values.h"
#include "config/settings.h"
#include "sync/graph/min_latency.h"
#include "cli/wrong_option.h"

#define MOST_THREADS	1024
#define GAMMA_DIGITS    9

static const char usage[] =
	"Usage: [mpirun -n K] measure-sync [OPTION]... TRACE -o DIR\n"
	"       [mpirun -n K] measure-sync [OPTION]... TRACE --in-place\n"
	"Correct the clocks of an OTF2 archive, so that no event precedes its cause.\n"
	"TRACE is the directory of an archive or its .otf2 file.\n"
	"\n"
	"  measure-sync run1 -o run1.sync                 write a corrected archive\n"
	"  mpirun -n 8 measure-sync run1 -o run1.sync     the same with 8 processes\n"
	"  measure-sync -f run1/suggested.filter run1 -o run1.small\n"
	"                                                 also remove filtered calls\n"
	"\n"
	"Output:\n"
	"  -o, --output DIR    directory of the corrected archive; must not exist\n"
	"      --in-place      replace TRACE by the corrected archive\n"
	"      --emit offsets|events\n"
	"                      write corrections as clock offsets and share the event\n"
	"                      files with TRACE, or rewrite the event files (default:\n"
	"                      offsets)\n"
	"  -f, --filter FILE   remove calls according to a filter, measure-filter(5)\n"
	"      --exclude RULE  remove matching calls; applied after --filter\n"
	"      --include RULE  keep matching calls; applied after --exclude\n"
	"\n"
	"Correction:\n"
	"      --domain location|process|node\n"
	"                      locations that share a clock (default: process)\n"
	"      --presync none|const|linear|piecewise|messages\n"
	"                      how to apply the clock offsets of TRACE first, or\n"
	"                      estimate offsets from messages (default: piecewise;\n"
	"                      messages if TRACE has no offsets and messages arrive\n"
	"                      before they are sent)\n"
	"      --extrapolate linear|clamp\n"
	"                      offsets before the first and after the last measurement\n"
	"                      (default: linear)\n"
	"      --lmin LIST     minimum message times\n"
	"                      (default: process=0,node=50ns,network=500ns)\n"
	"      --relations LIST\n"
	"                      enable (+NAME) or disable (-NAME) relations\n"
	"      --rendezvous BYTES\n"
	"                      an MPI_Send of at least BYTES waits for its receive\n"
	"      --gamma X       rate of a clock after a jump (default: 0.99999)\n"
	"      --backward hull|sum|none\n"
	"                      how to amortise a jump over the time before it (default:\n"
	"                      hull)\n"
	"\n"
	"Recording cost:\n"
	"      --compensate none|frequency|classic\n"
	"                      remove what recording cost: by how often events happened,\n"
	"                      or one cost for each kind of event (default: none)\n"
	"      --costs FILE    what events cost, from measure --calibrate-events\n"
	"                      (default: as TRACE says, or as known of this machine)\n"
	"\n"
	"Resources:\n"
	"  -t, --threads N     threads per process (default: one per processor)\n"
	"      --memory SIZE   memory per process for data read from TRACE, such as\n"
	"                      512M; the rest is kept in a temporary file (default: half\n"
	"                      of the free memory)\n"
	"\n"
	"Results:\n"
	"      --statistics short|full\n"
	"                      full: also compare all events before and after\n"
	"                      correction, and verify the output (default: short)\n"
	"      --window A:B    limit full event statistics to seconds A to B of the\n"
	"                      trace\n"
	"  -r, --report FILE   also write the results to FILE, as JSON if it ends in\n"
	"                      .json\n"
	"  -j, --json          print the results as JSON\n"
	"  -q, --quiet         print only errors\n"
	"      --help          print this help\n"
	"      --version       print the version\n"
	"\n"
	"Exit status: 0 success, 1 events contradict each other, 2 error, no output\n"
	"written. More: man measure-sync.\n";

enum {
	OPTION_EMIT = 256,
	OPTION_DOMAIN,
	OPTION_PRESYNC,
	OPTION_EXTRAPOLATE,
	OPTION_LMIN,
	OPTION_GAMMA,
	OPTION_BACKWARD,
	OPTION_RELATIONS,
	OPTION_RENDEZVOUS,
	OPTION_IN_PLACE,
	OPTION_MEMORY,
	OPTION_STATISTICS,
	OPTION_WINDOW,
	OPTION_COMPENSATE,
	OPTION_COSTS,
	OPTION_EXCLUDE,
	OPTION_INCLUDE
};

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
	{"in-place", no_argument, NULL, OPTION_IN_PLACE},
	{"emit", required_argument, NULL, OPTION_EMIT},
	{"domain", required_argument, NULL, OPTION_DOMAIN},
	{"presync", required_argument, NULL, OPTION_PRESYNC},
	{"extrapolate", required_argument, NULL, OPTION_EXTRAPOLATE},
	{"lmin", required_argument, NULL, OPTION_LMIN},
	{"gamma", required_argument, NULL, OPTION_GAMMA},
	{"backward", required_argument, NULL, OPTION_BACKWARD},
	{"relations", required_argument, NULL, OPTION_RELATIONS},
	{"rendezvous", required_argument, NULL, OPTION_RENDEZVOUS},
	{"statistics", required_argument, NULL, OPTION_STATISTICS},
	{"window", required_argument, NULL, OPTION_WINDOW},
	{"memory", required_argument, NULL, OPTION_MEMORY},
	{"compensate", required_argument, NULL, OPTION_COMPENSATE},
	{"costs", required_argument, NULL, OPTION_COSTS}, {"filter", required_argument, NULL, 'f'},
	{"exclude", required_argument, NULL, OPTION_EXCLUDE},
	{"include", required_argument, NULL, OPTION_INCLUDE},
	{"threads", required_argument, NULL, 't'}, {"report", required_argument, NULL, 'r'},
	{"json", no_argument, NULL, 'j'}, {"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

/* Words in the order of their enum. */
static const char *const emits[] = {"offsets", "events"};
static const char *const domains[] = {"location", "process", "node"};
static const char *const presyncs[] = {"none", "const", "linear", "piecewise", "messages"};
static const char *const extrapolations[] = {"linear", "clamp"};
static const char *const rules[] = {"hull", "sum", "none"};
static const char *const compensations[] = {"none", "frequency", "classic"};
static const char *const statistics[] = {"short", "full"};

/* 1 - gamma, exactly as written: 0.99999 is 1/100000. */
static int parse_gamma(const char *text, struct measure_sync_rate *rate)
{
	int64_t numerator = 0, denominator = 1;
	const char *digit = text + 2;
	int nr = 0;

	rate->numerator = 0;
	rate->denominator = 1;
	if (!strcmp(text, "1"))
		return -1;
	if (strncmp(text, "0.", 2) == 0)
		for (; *digit >= '0' && *digit <= '9' && nr < GAMMA_DIGITS; digit++, nr++) {
			numerator = 10 * numerator + (*digit - '0');
			denominator *= 10;
		}
	if (nr == 0 || *digit || numerator == 0)
		return measure_cli_usage("--gamma: '%s' is not a number like 0.99999, of %d digits "
					 "at most, or 1",
			text, GAMMA_DIGITS);
	rate->numerator = denominator - numerator;
	rate->denominator = denominator;
	return -1;
}

/* Seconds from the start of the trace; what is left out is no bound. */
static int parse_window(const char *text, struct measure_sync_window *window)
{
	const char *colon = strchr(text, ':');
	char *end = NULL;

	*window = (struct measure_sync_window){-HUGE_VAL, HUGE_VAL};
	if (colon && colon > text) {
		window->from = strtod(text, &end);
		if (end != colon)
			colon = NULL;
	}
	if (colon && colon[1]) {
		window->to = strtod(colon + 1, &end);
		if (*end)
			colon = NULL;
	}
	if (!colon || !(window->from <= window->to))
		return measure_cli_usage("--window: '%s' is not a range like 1.5:20", text);
	return -1;
}

static int parse_threads(const char *text, unsigned *nr_threads)
{
	long value;
	const int early = measure_take_number("--threads", text, 1, MOST_THREADS, &value);

	*nr_threads = (unsigned)value;
	return early;
}

/* Sets what a word stands for; -1: go on. */
#define CHOICE(name, words, field)                                                                 \
	{                                                                                          \
		int chosen =                                                                       \
			measure_choose_word(name, optarg, words, sizeof(words) / sizeof(*words));  \
                                                                                                   \
		options->field = chosen;                                                           \
		return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;                                      \
	}

/* How it is corrected. */
static int take_rule(int option, char **argv, struct sync_options *options)
{
	switch (option) {
	case OPTION_EMIT:
		CHOICE("--emit", emits, emit)
	case OPTION_DOMAIN:
		CHOICE("--domain", domains, domain)
	case OPTION_PRESYNC:
		options->is_presync_chosen = true;
		CHOICE("--presync", presyncs, presync)
	case OPTION_EXTRAPOLATE:
		CHOICE("--extrapolate", extrapolations, ends)
	case OPTION_BACKWARD:
		CHOICE("--backward", rules, rule)
	case OPTION_STATISTICS:
		CHOICE("--statistics", statistics, has_full_statistics)
	case OPTION_COMPENSATE:
		CHOICE("--compensate", compensations, compensation)
	case OPTION_COSTS:
		options->costs = optarg;
		return -1;
	case OPTION_WINDOW:
		return parse_window(optarg, &options->window);
	case OPTION_RELATIONS:
		return measure_relations_parse(optarg, &options->selection);
	case OPTION_RENDEZVOUS:
		if (measure_selection_set_rendezvous(&options->selection, optarg))
			return -1;
		return measure_cli_usage("--rendezvous: '%s' is not a number of bytes", optarg);
	case OPTION_LMIN:
		return measure_min_latencies_parse(optarg, &options->latencies);
	case OPTION_GAMMA:
		return parse_gamma(optarg, &options->rate);
	case OPTION_MEMORY:
		if (measure_size_parse(optarg, &options->memory))
			return -1;
		return measure_cli_usage("--memory: '%s' is not a size like 512M or 8G", optarg);
	default:
		return measure_refuse_option(option, argv, long_options);
	}
}

static int take_option(int option, char **argv, struct sync_options *options)
{
	switch (option) {
	case 'o':
		options->output = optarg;
		return -1;
	case OPTION_IN_PLACE:
		options->is_in_place = true;
		return -1;
	case 'f':
		options->rules.file = optarg;
		return -1;
	case OPTION_EXCLUDE:
	case OPTION_INCLUDE:
		sync_rules_add(&options->rules, option == OPTION_INCLUDE, optarg);
		return -1;
	case 't':
		return parse_threads(optarg, &options->nr_threads);
	case 'r':
		options->report = optarg;
		return -1;
	case 'j':
		options->is_json = true;
		return -1;
	case 'q':
		options->is_quiet = true;
		return -1;
	case 'h':
		fputs(usage, stdout);
		return MEASURE_EXIT_DONE;
	case 'V':
		return measure_cli_version();
	default:
		return take_rule(option, argv, options);
	}
}

static int take_arguments(int argc, char **argv, struct sync_options *options)
{
	if (optind == argc)
		return measure_cli_usage("no archive given");
	if (optind + 1 < argc)
		return measure_cli_usage("'%s': one archive at a time", argv[optind + 1]);
	options->input = argv[optind];
	if (options->is_in_place && options->output)
		return measure_cli_usage("-o and --in-place are mutually exclusive");
	if (!options->has_full_statistics &&
		(options->window.from > -HUGE_VAL || options->window.to < HUGE_VAL))
		return measure_cli_usage("--window: requires --statistics=full");
	if (options->has_full_statistics &&
		sync_rules_are_given(&options->rules))
		return measure_cli_usage("--statistics=full: cannot be combined with a filter; use "
					 "it without one, then filter the result");
	if (options->costs && options->compensation == MEASURE_COMPENSATION_NONE)
		return measure_cli_usage("--costs: requires --compensate=frequency or classic");
	if (options->has_full_statistics && options->compensation != MEASURE_COMPENSATION_NONE)
		return measure_cli_usage("--statistics=full: cannot be combined with --compensate");
	if (!options->is_in_place && (!options->output || !*options->output))
		return measure_cli_usage("no output given: use -o DIR or --in-place");
	return -1;
}

int sync_options_parse(
	int argc, char **argv, unsigned nr_threads, uint64_t memory, struct sync_options *options)
{
	sync_options_start(options);
	options->nr_threads = nr_threads < MOST_THREADS ? nr_threads : MOST_THREADS;
	options->memory = memory;
	opterr = 0;
	for (int option;
		(option = getopt_long(argc, argv, ":o:f:t:r:jq", long_options, NULL)) != -1;) {
		int result = take_option(option, argv, options);

		if (result >= 0)
			return result;
	}
	return take_arguments(argc, argv, options);
}
