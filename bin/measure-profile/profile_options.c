/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-profile. */
#include "config.h"

#include "profile_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/wrong_option.h"
#include "config/settings.h"

#define MOST_THREADS 1024
#define USUAL_ROWS   20

static const char usage[] =
	"Usage: [mpirun -n K] measure-profile [OPTION]... TRACE\n"
	"Show where the time of a program went, from its OTF2 archive.\n"
	"TRACE is the directory of an archive or its .otf2 file.\n"
	"\n"
	"  measure-profile run1                     the regions with the most time\n"
	"  measure-profile --tree run1              by call path\n"
	"  measure-profile --by process run1        MPI, OpenMP, I/O and idle time\n"
	"  measure-profile --score run1             what a filter would save\n"
	"  measure-profile --format json run1       everything, for programs\n"
	"\n"
	"What to show:\n"
	"      --by region|path|paradigm|process|location|phase|file\n"
	"                    rows of the table (default: region)\n"
	"      --tree        call paths as a tree\n"
	"      --waits       waiting time, delays that made others wait, and time on the\n"
	"                    critical path, of regions and call paths (waits.md)\n"
	"      --sort exclusive|inclusive|visits|mean|max|imbalance|waiting|name\n"
	"                    (default: exclusive; in a tree, inclusive)\n"
	"      --top N       at most N rows; 0: all (default: 20; csv, html: all)\n"
	"      --min SHARE   only rows with at least this share of the time, such as 1%\n"
	"      --from TIME   begin of a time window: seconds since the start of the\n"
	"                    trace, or a share of its length, such as 25%\n"
	"      --until TIME  its end\n"
	"      --compensated without what recording cost, as measure-sync --compensate\n"
	"                    removes it\n"
	"  -f, --filter FILE only regions that a filter keeps, measure-filter(5)\n"
	"      --format text|csv|json|folded|html-fragment\n"
	"                    (default: text); json has all tables, folded is for flame\n"
	"                    graphs\n"
	"\n"
	"Instead of a table:\n"
	"      --score       size of the trace by region, and a filter that makes it\n"
	"                    smaller\n"
	"      --summary     what was recorded and lost, what it cost (summary.txt)\n"
	"  -w, --write       write summary.txt and suggested.filter beside the archive,\n"
	"                    and print one line: what to do next\n"
	"  -p, --properties  names and values for programs\n"
	"      --save DIR    write the profile as a small archive of its own, which\n"
	"                    measure-profile and measure-compare read as the trace\n"
	"\n"
	"Resources:\n"
	"  -t, --threads N   threads per process (default: one per processor)\n"
	"      --memory SIZE memory for the profile, such as 512M; the rest is kept in a\n"
	"                    temporary file (default: half of the free memory)\n"
	"      --help        print this help\n"
	"      --version     print the version\n"
	"\n"
	"Exit status: 0 success, 1 some events could not be read and are not counted,\n"
	"2 unreadable input or usage error. More: man measure-profile.\n";

/* From OPTION_BY to OPTION_FORMAT: of tables only. */
enum {
	OPTION_BY = 256,
	OPTION_TREE,
	OPTION_SORT,
	OPTION_WAITS,
	OPTION_TOP,
	OPTION_MIN,
	OPTION_FROM,
	OPTION_UNTIL,
	OPTION_FORMAT,
	OPTION_SCORE,
	OPTION_SUMMARY,
	OPTION_SAVE,
	OPTION_COMPENSATED,
	OPTION_MEMORY
};

static const struct option long_options[] = {{"by", required_argument, NULL, OPTION_BY},
	{"tree", no_argument, NULL, OPTION_TREE}, {"waits", no_argument, NULL, OPTION_WAITS},
	{"sort", required_argument, NULL, OPTION_SORT},
	{"top", required_argument, NULL, OPTION_TOP}, {"min", required_argument, NULL, OPTION_MIN},
	{"from", required_argument, NULL, OPTION_FROM},
	{"until", required_argument, NULL, OPTION_UNTIL}, {"filter", required_argument, NULL, 'f'},
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"score", no_argument, NULL, OPTION_SCORE}, {"summary", no_argument, NULL, OPTION_SUMMARY},
	{"save", required_argument, NULL, OPTION_SAVE}, {"write", no_argument, NULL, 'w'},
	{"compensated", no_argument, NULL, OPTION_COMPENSATED},
	{"properties", no_argument, NULL, 'p'}, {"threads", required_argument, NULL, 't'},
	{"memory", required_argument, NULL, OPTION_MEMORY}, {"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

/* What has been given, to find what excludes each other. */
struct given {
	const char *task;
	int table; /* an option that is of tables only, or 0 */
	bool by, sort, top;
};

static int take_format(struct profile_options *options)
{
	static const char *const words[] = {"text", "csv", "json", "folded", "html-fragment"};
	const int chosen =
		measure_choose_word("--format", optarg, words, sizeof(words) / sizeof(*words));

	options->format = (enum profile_format)chosen;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_by(struct profile_options *options)
{
	const int chosen =
		measure_choose_word("--by", optarg, measure_view_words, MEASURE_NR_VIEWS);

	options->view.by = (enum measure_view_by)chosen;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_sort(struct profile_options *options)
{
	const int chosen =
		measure_choose_word("--sort", optarg, measure_sort_words, MEASURE_NR_SORTS);

	options->view.sort = (enum measure_view_sort)chosen;
	return chosen < 0 ? MEASURE_EXIT_CANNOT : -1;
}

static int take_share(double *share)
{
	char *end;

	*share = strtod(optarg, &end);
	if (end != optarg && !strcmp(end, "%"))
		*share /= 100;
	else if (*end)
		end = optarg;
	if (end == optarg || !(*share >= 0 && *share <= 1))
		return measure_cli_usage("--min: '%s' is not a share like 0.5%% or 0.01", optarg);
	return -1;
}

static int take_task(struct profile_options *options, struct given *given, enum profile_task task,
	const char *name)
{
	if (given->task && strcmp(given->task, name) != 0)
		return measure_cli_usage("%s and %s are mutually exclusive", given->task, name);
	given->task = name;
	options->task = task;
	return -1;
}

static int take_resource(int option, char **argv, struct profile_options *options)
{
	long number;
	int early;

	switch (option) {
	case 't':
		early = measure_take_number("--threads", optarg, 1, MOST_THREADS, &number);
		options->nr_threads = (unsigned)number;
		return early;
	case OPTION_MEMORY:
		if (measure_size_parse(optarg, &options->memory))
			return -1;
		return measure_cli_usage("--memory: '%s' is not a size like 512M or 8G", optarg);
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
	int option, char **argv, struct profile_options *options, struct given *given)
{
	long number;
	int early;

	if (option >= OPTION_BY && option <= OPTION_FORMAT)
		given->table = option;
	switch (option) {
	case OPTION_BY:
		given->by = true;
		return take_by(options);
	case OPTION_TREE:
		options->view.is_tree = true;
		return -1;
	case OPTION_WAITS:
		options->has_waits = true;
		return -1;
	case OPTION_SORT:
		given->sort = true;
		return take_sort(options);
	case OPTION_TOP:
		given->top = true;
		early = measure_take_number("--top", optarg, 0, 1000000000, &number);
		options->view.nr_most = (size_t)number;
		return early;
	case OPTION_MIN:
		return take_share(&options->view.least);
	case OPTION_FROM:
		return measure_take_time_bound("--from", optarg, &options->from);
	case OPTION_UNTIL:
		return measure_take_time_bound("--until", optarg, &options->until);
	case 'f':
		options->rules.file = optarg;
		return -1;
	case OPTION_FORMAT:
		return take_format(options);
	case OPTION_SCORE:
		return take_task(options, given, PROFILE_SCORE, "--score");
	case OPTION_SUMMARY:
		return take_task(options, given, PROFILE_SUMMARY, "--summary");
	case OPTION_SAVE:
		options->directory = optarg;
		return take_task(options, given, PROFILE_SAVE, "--save");
	case OPTION_COMPENSATED:
		options->is_compensated = true;
		return -1;
	case 'w':
		return take_task(options, given, PROFILE_WRITE_SUMMARY, "--write");
	case 'p':
		return take_task(options, given, PROFILE_PROPERTIES, "--properties");
	default:
		return take_resource(option, argv, options);
	}
}

static const char *name_of_option(int option)
{
	const struct option *known = long_options;

	while (known->name && known->val != option)
		known++;
	return known->name;
}

/* -1: it can be done. What would have no effect is refused. */
static int check_filter(const struct profile_options *options)
{
	const bool is_table = options->format != PROFILE_JSON && options->format != PROFILE_FOLDED;
	const bool has_regions = options->view.is_tree || options->view.by == MEASURE_BY_REGION ||
				 options->view.by == MEASURE_BY_PATH;

	if (!options->rules.file || options->task == PROFILE_SCORE ||
		(options->task == PROFILE_PRINT && is_table && has_regions))
		return -1;
	return measure_cli_usage(
		"--filter is for --score and for tables of regions and call paths");
}

static int check_waits(const struct profile_options *options)
{
	const bool has_regions = options->view.is_tree || options->view.by == MEASURE_BY_REGION ||
				 options->view.by == MEASURE_BY_PATH;

	if (!options->has_waits && options->view.sort == MEASURE_SORT_WAITING)
		return measure_cli_usage("--sort waiting: give --waits, too");
	if (!options->has_waits)
		return -1;
	if (options->from.is_given || options->until.is_given)
		return measure_cli_usage("--waits is of the whole trace: omit --from and --until");
	if (options->format == PROFILE_FOLDED || (options->format != PROFILE_JSON && !has_regions))
		return measure_cli_usage("--waits is for tables of regions and call paths, and for "
					 "json: use --by region, --by path or --tree");
	return -1;
}

static int take_arguments(
	int argc, char **argv, struct profile_options *options, const struct given *given)
{
	const bool is_table = options->format == PROFILE_CSV || options->format == PROFILE_HTML;

	if (optind == argc)
		return measure_cli_usage("no archive given");
	if (optind + 1 < argc)
		return measure_cli_usage("'%s': one archive at a time", argv[optind + 1]);
	options->input = argv[optind];
	if (given->by && options->view.is_tree)
		return measure_cli_usage("--by and --tree are mutually exclusive");
	if (given->task && given->table)
		return measure_cli_usage("%s and --%s are mutually exclusive", given->task,
			name_of_option(given->table));
	if (measure_check_time_bounds(&options->from, &options->until) >= 0)
		return MEASURE_EXIT_CANNOT;
	if (!given->top)
		options->view.nr_most = is_table ? 0 : USUAL_ROWS;
	if (!given->sort && options->view.is_tree)
		options->view.sort = MEASURE_SORT_INCLUSIVE;
	if (options->is_compensated && given->task && options->task != PROFILE_SAVE)
		return measure_cli_usage(
			"%s and --compensated are mutually exclusive", given->task);
	return check_waits(options) >= 0 ? MEASURE_EXIT_CANNOT : check_filter(options);
}

int profile_options_parse(int argc, char **argv, struct profile_options *options)
{
	struct given given = {.task = NULL};
	int early = -1;

	opterr = 0;
	for (int option; early < 0 &&
			 (option = getopt_long(argc, argv, ":f:t:wp", long_options, NULL)) != -1;)
		early = take_option(option, argv, options, &given);
	return early >= 0 ? early : take_arguments(argc, argv, options, &given);
}
