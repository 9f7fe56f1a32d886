/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-check: checks OTF2 archives. Each archive is read in a child process, because the OTF2
 * library is not safe against damaged files: a crash in it becomes a message. Exit status: 0 sound,
 * 1 violations, 2 unreadable input or usage error. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/check.h"
#include "cli/cli.h"
#include "cli/json_text.h"
#include "sync/graph/min_latency.h"
#include "cli/progress.h"
#include "cli/wrong_option.h"

struct measure_check_options {
	bool is_json, is_quiet, is_verbose, has_times;
	struct measure_sync_latencies latencies; /* nanoseconds */
	struct measure_selection selection;
};

#define CASES_PER_CHECK   5
#define CASES_IF_VERBOSE  50

static const char usage[] =
	"Usage: measure-check [OPTION]... TRACE...\n"
	"Check OTF2 archives: definitions, events, matching of messages and\n"
	"collectives, and the clock condition. TRACE is the directory of an archive or\n"
	"its .otf2 file.\n"
	"\n"
	"  measure-check run1          check an archive\n"
	"  measure-check -c run1       also show message times between nodes\n"
	"\n"
	"  -c, --clock             also show message times for each pair of nodes\n"
	"      --lmin LIST         minimum message times\n"
	"                          (default: process=0,node=50ns,network=500ns)\n"
	"      --relations LIST    enable (+NAME) or disable (-NAME) relations\n"
	"      --rendezvous BYTES  an MPI_Send of at least BYTES waits for its receive\n"
	"  -j, --json              print the results as JSON\n"
	"  -q, --quiet             print only errors; the exit status is the result\n"
	"  -v, --verbose           list all checks, and more cases of each\n"
	"      --help              print this help\n"
	"      --version           print the version\n"
	"\n"
	"Exit status: 0 all archives are sound, 1 violations found, 2 unreadable input\n"
	"or usage error. More: man measure-check.\n";

static void print_unreadable(
	const char *path, const char *why, const struct measure_check_options *options)
{
	measure_cli_say("%s", why);
	if (!options->is_json)
		return;
	printf("{\"archive\": ");
	measure_json_text(stdout, path);
	printf(", \"status\": \"unreadable\", \"error\": ");
	measure_json_text(stdout, why);
	printf("}");
}

static enum measure_exit_code check_one(
	const char *path, const struct measure_check_options *options)
{
	struct check check;
	const struct check_wishes wishes = {
		.nr_kept_per_check = options->is_verbose ? CASES_IF_VERBOSE : CASES_PER_CHECK,
		.selection = &options->selection,
		.latencies = options->has_times ? &options->latencies : NULL,
		.progress = isatty(STDERR_FILENO) ? measure_progress_show : NULL};
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;

	measure_progress_start("checking");
	if (check_archive(path, &wishes, &check) != MEASURE_OK) {
		measure_progress_end();
		print_unreadable(path, measure_trace_error(), options);
		goto free_check;
	}
	measure_progress_end();
	result = check_is_sound(&check) ? MEASURE_EXIT_DONE : MEASURE_EXIT_FOUND;
	if (options->is_json)
		check_print_json(&check, path);
	else if (!options->is_quiet)
		check_print_text(&check, options->is_verbose);
free_check:
	check_free(&check);
	return result;
}

static enum measure_exit_code check_in_child(
	const char *path, const struct measure_check_options *options)
{
	const struct rlimit no_core = {0, 0};
	char why[600];
	int status = 0;
	pid_t child;

	fflush(stdout);
	signal(SIGCHLD, SIG_DFL); /* a parent that ignores it leaves nothing to wait for */
	child = fork();
	if (child < 0)
		return check_one(path, options);
	if (child == 0) {
		enum measure_exit_code result;

		setrlimit(RLIMIT_CORE, &no_core);
		result = check_one(path, options);
		if (fflush(stdout) != 0 || ferror(stdout)) {
			measure_cli_say("cannot write the results: %s", strerror(errno));
			result = MEASURE_EXIT_CANNOT;
		}
		_exit(result);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGPIPE) /* nobody reads on, which ends other commands too */
		raise(SIGPIPE);
	snprintf(why, sizeof(why),
		"%.400s: reading was ended by signal %d (%s): the archive is damaged or memory ran "
		"out; copy the archive again",
		path, WTERMSIG(status), strsignal(WTERMSIG(status)));
	print_unreadable(path, why, options);
	return MEASURE_EXIT_CANNOT;
}

/* -1: go on; otherwise the exit status. */
static int parse_options(int argc, char **argv, struct measure_check_options *options)
{
	static const struct option long_options[] = {{"json", no_argument, NULL, 'j'},
		{"clock", no_argument, NULL, 'c'}, {"lmin", required_argument, NULL, 'l'},
		{"quiet", no_argument, NULL, 'q'}, {"verbose", no_argument, NULL, 'v'},
		{"relations", required_argument, NULL, 'R'},
		{"rendezvous", required_argument, NULL, 'B'}, {"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};
	int early;

	opterr = 0;
	for (int option; (option = getopt_long(argc, argv, ":cjqv", long_options, NULL)) != -1;) {
		switch (option) {
		case 'c':
			options->has_times = true;
			break;
		case 'l':
			early = measure_min_latencies_parse(optarg, &options->latencies);
			if (early >= 0)
				return early;
			break;
		case 'j':
			options->is_json = true;
			break;
		case 'q':
			options->is_quiet = true;
			break;
		case 'v':
			options->is_verbose = true;
			break;
		case 'R':
			early = measure_relations_parse(optarg, &options->selection);
			if (early >= 0)
				return early;
			break;
		case 'B':
			if (!measure_selection_set_rendezvous(&options->selection, optarg))
				return measure_cli_usage(
					"--rendezvous: '%s' is not a number of bytes", optarg);
			break;
		case 'h':
			fputs(usage, stdout);
			return MEASURE_EXIT_DONE;
		case 'V':
			return measure_cli_version();
		default:
			return measure_refuse_option(option, argv, long_options);
		}
	}
	if (optind < argc)
		return -1;
	return measure_cli_usage("no archive given");
}

int main(int argc, char **argv)
{
	struct measure_check_options options = {.latencies = measure_min_latencies_usual};
	enum measure_exit_code worst = MEASURE_EXIT_DONE;
	int early;

	measure_cli_start("measure-check");
	measure_selection_default(&options.selection);
	early = parse_options(argc, argv, &options);
	if (early >= 0)
		return early;
	for (int i = optind; i < argc; i++) {
		enum measure_exit_code result;

		if (options.is_json)
			fputs(i == optind ? "[" : ",\n", stdout);
		result = check_in_child(argv[i], &options);
		if (result > worst)
			worst = result;
	}
	if (options.is_json)
		puts("]");
	return worst;
}
