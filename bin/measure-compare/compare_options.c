/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-compare. */
#include "config.h"

#include "compare_options.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/wrong_option.h"

#define MOST_THREADS    1024
#define USUAL_ROWS      20

static const char usage[] =
	"Usage: measure-compare [OPTION]... BASE NEW\n"
	"Compare runs of a program with runs of another version of it, call path by call\n"
	"path: what became slower, and how sure that is.\n"
	"\n"
	"  measure-compare old1,old2,old3,old4,old5 new1,new2,new3,new4,new5\n"
	"  measure-compare --fail-above 5% old1,old2,old3 new1,new2,new3     as a gate\n"
	"  measure-compare --single old new         one run each: by the threshold alone\n"
	"  measure-compare --map solve_v1=solve old1,old2,old3 new1,new2,new3\n"
	"  measure-compare --format junit old1,old2,old3 new1,new2,new3 >compare.xml\n"
	"\n"
	"BASE and NEW are archives, separated by commas: their directories or .otf2\n"
	"files. A comma in a name is written \\, unless the name is the only one.\n"
	"\n"
	"What counts:\n"
	"      --threshold SHARE\n"
	"                    smaller changes are the same (default: 2%)\n"
	"      --fail-above SHARE\n"
	"                    only what is slower by more than SHARE is a regression\n"
	"                    (default: the threshold)\n"
	"      --unclear fail|pass\n"
	"                    whether an unclear run time is a regression (default: pass)\n"
	"      --paired      the first runs belong together, the second ones, and so on:\n"
	"                    they were made in turn\n"
	"      --single      with one run on a side, compare by the threshold alone\n"
	"      --by path|region\n"
	"                    what is compared (default: path)\n"
	"      --map OLD=NEW a function OLD of base runs is called NEW in new ones; may\n"
	"                    be repeated\n"
	"\n"
	"Output:\n"
	"      --format text|json|junit|folded\n"
	"                    (default: text); folded is for differential flame graphs\n"
	"      --top N       at most N rows of the table; 0: all (default: 20)\n"
	"  -t, --threads N   (default: one per processor)\n"
	"      --help        print this help\n"
	"      --version     print the version\n"
	"\n"
	"Exit status: 0 no regression, 1 regression, 2 the runs cannot be compared, or\n"
	"usage error. More: man measure-compare.\n";

enum {
	OPTION_THRESHOLD = 256,
	OPTION_FAIL_ABOVE,
	OPTION_UNCLEAR,
	OPTION_PAIRED,
	OPTION_SINGLE,
	OPTION_BY,
	OPTION_MAP,
	OPTION_FORMAT,
	OPTION_TOP
};

static const struct option long_options[] = {
	{"threshold", required_argument, NULL, OPTION_THRESHOLD},
	{"fail-above", required_argument, NULL, OPTION_FAIL_ABOVE},
	{"unclear", required_argument, NULL, OPTION_UNCLEAR},
	{"paired", no_argument, NULL, OPTION_PAIRED}, {"single", no_argument, NULL, OPTION_SINGLE},
	{"by", required_argument, NULL, OPTION_BY}, {"map", required_argument, NULL, OPTION_MAP},
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"top", required_argument, NULL, OPTION_TOP}, {"threads", required_argument, NULL, 't'},
	{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

/* -------------------------------------------------------------------------- values --- */

/* Below 1: nobody means 5 by 500 %. */
static int take_change(const char *name, double *share)
{
	char *end;

	*share = strtod(optarg, &end);
	if (end != optarg && !strcmp(end, "%"))
		*share /= 100;
	else if (*end || *share >= 1)
		end = optarg;
	if (end == optarg || !(*share >= 0 && *share <= 1000))
		return measure_cli_usage("%s: '%s' is not a share like 5%% or 0.05", name, optarg);
	return -1;
}

static int take_format(struct compare_options *options)
{
	static const char *const words[] = {"text", "json", "junit", "folded"};
	const int chosen =
		measure_choose_word("--format", optarg, words, sizeof(words) / sizeof(*words));

	options->format = (enum compare_format)chosen;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_unclear(struct compare_options *options)
{
	static const char *const words[] = {"pass", "fail"};
	const int chosen = measure_choose_word("--unclear", optarg, words, 2);

	options->comparison.fails_unclear = chosen == 1;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_by(struct compare_options *options)
{
	static const char *const words[] = {"path", "region"};
	const int chosen = measure_choose_word("--by", optarg, words, 2);

	options->comparison.by_region = chosen == 1;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

/* Names of C++ have = in them, of operators: what does not separate is written \=. */
static char *find_separator(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == '=') {
			memmove(to + 1, from + 1, strlen(from + 1) + 1);
			*to = '\0';
			return to + 1;
		}
		if (from[0] == '\\' && from[1] == '=')
			from++;
		*to++ = *from;
	}
	return NULL;
}

static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (from[0] == '\\' && from[1] == '=')
			from++;
		*to++ = *from;
	}
	*to = '\0';
}

static int take_map(struct compare_options *options)
{
	char *old = measure_copy_text(optarg);
	char *new = find_separator(old);

	if (!new || !*old || !*new) {
		measure_free(old);
		return measure_cli_usage(
			"--map: '%s' is not OLD=NEW, two names of functions", optarg);
	}
	unescape(new);
	options->renames = measure_grow(options->renames, options->nr_renames,
		&options->room_renames, sizeof(*options->renames));
	options->renames[options->nr_renames++] = (struct measure_rename){old, new};
	return -1;
}

/* ------------------------------------------------------------------------- options --- */

/* The thresholds that were given. */
struct given_thresholds {
	bool threshold, fail_above;
};

static int take_flag(int option, char **argv, struct compare_options *options)
{
	long number;
	int early;

	switch (option) {
	case OPTION_PAIRED:
		options->comparison.is_paired = true;
		return -1;
	case OPTION_SINGLE:
		options->comparison.is_single = true;
		return -1;
	case OPTION_TOP:
		early = measure_take_number("--top", optarg, 0, 1000000000, &number);
		options->nr_most = (size_t)number;
		return early;
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

static int take_option(
	int option, char **argv, struct compare_options *options, struct given_thresholds *given)
{
	switch (option) {
	case OPTION_THRESHOLD:
		given->threshold = true;
		return take_change("--threshold", &options->comparison.threshold);
	case OPTION_FAIL_ABOVE:
		given->fail_above = true;
		return take_change("--fail-above", &options->comparison.fail_above);
	case OPTION_UNCLEAR:
		return take_unclear(options);
	case OPTION_BY:
		return take_by(options);
	case OPTION_MAP:
		return take_map(options);
	case OPTION_FORMAT:
		return take_format(options);
	default:
		return take_flag(option, argv, options);
	}
}

/* ----------------------------------------------------------------------------- runs --- */

static void list_add(struct compare_list *list, char *path)
{
	list->paths = measure_grow(list->paths, list->nr, &list->room, sizeof(*list->paths));
	list->paths[list->nr++] = path;
}

static bool exists(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0;
}

/* Up to the next comma that is not written \, ; *rest: behind it, or NULL. */
static char *split_first(const char *text, const char **rest)
{
	char *path = measure_copy_text(text), *to = path;

	for (; *text && *text != ','; text++) {
		if (text[0] == '\\' && text[1] == ',')
			text++;
		*to++ = *text;
	}
	*to = '\0';
	*rest = *text == ',' ? text + 1 : NULL;
	return path;
}

/* An archive with commas in its name, or several archives. */
static int take_list(const char *argument, struct compare_list *list)
{
	if (exists(argument)) {
		list_add(list, measure_copy_text(argument));
		return -1;
	}
	for (const char *rest = argument; rest;) {
		char *path = split_first(rest, &rest);

		list_add(list, path);
		if (!*path)
			return measure_cli_usage("'%s': an empty name between commas", argument);
		if (!exists(path)) {
			measure_cli_say("%s: %s: name archives, separated by commas", path,
				strerror(errno));
			return MEASURE_EXIT_CANNOT;
		}
	}
	return -1;
}

static int check_lists(const struct compare_options *options)
{
	const size_t nr_base = options->runs[MEASURE_BASE].nr,
		     nr_new = options->runs[MEASURE_NEW].nr;

	if (options->comparison.is_paired && nr_base != nr_new)
		return measure_cli_usage(
			"--paired: %zu base and %zu new runs do not make pairs: give "
			"as many of each",
			nr_base, nr_new);
	return -1;
}

static int take_arguments(int argc, char **argv, struct compare_options *options,
	const struct given_thresholds *given)
{
	int early = -1;

	if (argc - optind < 2)
		return measure_cli_usage(argc == optind ? "no archives given"
							: "'%s': nothing to compare it with: give "
							  "archives of BASE and NEW",
			argv[argc - 1]);
	if (argc - optind > 2)
		return measure_cli_usage(
			"'%s': a third argument: separate the archives of a side by "
			"commas",
			argv[optind + 2]);
	for (int side = 0; early < 0 && side < MEASURE_NR_SIDES; side++)
		early = take_list(argv[optind + side], &options->runs[side]);
	if (early >= 0)
		return early;
	if (!given->fail_above)
		options->comparison.fail_above = options->comparison.threshold;
	if (!given->threshold && options->comparison.fail_above < options->comparison.threshold)
		options->comparison.threshold = options->comparison.fail_above;
	return check_lists(options);
}

static unsigned count_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

int compare_options_parse(int argc, char **argv, struct compare_options *options)
{
	struct given_thresholds given = {false, false};
	int early = -1;

	*options = (struct compare_options){.comparison = {.threshold = MEASURE_USUAL_THRESHOLD},
		.nr_most = USUAL_ROWS,
		.nr_threads = count_processors()};
	opterr = 0;
	for (int option;
		early < 0 && (option = getopt_long(argc, argv, ":t:", long_options, NULL)) != -1;)
		early = take_option(option, argv, options, &given);
	return early >= 0 ? early : take_arguments(argc, argv, options, &given);
}

void compare_options_free(struct compare_options *options)
{
	for (int side = 0; side < MEASURE_NR_SIDES; side++) {
		for (size_t i = 0; i < options->runs[side].nr; i++)
			measure_free(options->runs[side].paths[i]);
		measure_free(options->runs[side].paths);
	}
	for (size_t i = 0; i < options->nr_renames; i++)
		measure_free((char *)(uintptr_t)options->renames[i].old);
	measure_free(options->renames);
}
