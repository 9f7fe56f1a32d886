/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-profile: the summary of an archive. The last process of a job starts it when the archive
 * is complete; it may be started again at any time, also on a copy. The archive is read in a child
 * process: the OTF2 library is not safe against damaged files, and a crash inside it must become a
 * line of text. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/summary/summary.h"
#include "cli/cli.h"
#include "cli/wrong_option.h"
#include "trace/archive/trace.h"

struct profile_options {
	bool is_written;
	bool has_properties;
};

static const char usage[] =
	"Usage: measure-profile [OPTION]... TRACE\n"
	"Prints a summary of an archive: what was recorded and lost, which records and\n"
	"regions it consists of, what recording them cost, what to do about it.\n"
	"TRACE is the directory of an archive or its .otf2 file.\n"
	"\n"
	"  -w, --write       write summary.txt and suggested.filter beside the archive\n"
	"                    instead, and print one line: what to do next\n"
	"  -p, --properties  print names and values for programs instead\n"
	"      --help        this text\n"
	"      --version     version\n"
	"\n"
	"Exit status: 0 done, 1 some events could not be read and are not counted,\n"
	"2 unreadable input or usage error.\n";

static unsigned count_threads(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static enum measure_exit_code profile(const char *path, const struct profile_options *options)
{
	struct measure_summary *summary;
	enum measure_exit_code result = MEASURE_EXIT_DONE;

	if (measure_summary_open(path, count_threads(), &summary) != MEASURE_OK) {
		measure_cli_say("%s", measure_trace_error());
		return MEASURE_EXIT_CANNOT;
	}
	if (!measure_summary_is_whole(summary))
		result = MEASURE_EXIT_FOUND;
	if (options->has_properties)
		measure_summary_print_properties(summary, stdout);
	else if (!options->is_written)
		measure_summary_print(summary, stdout);
	else if (measure_summary_write(summary) == MEASURE_OK)
		measure_summary_print_next(summary, stdout);
	else
		result = MEASURE_EXIT_CANNOT;
	if (result == MEASURE_EXIT_CANNOT)
		measure_cli_say("%s: the summary cannot be written: %s", path, strerror(errno));
	measure_summary_close(summary);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return result;
	measure_cli_say("cannot write the summary: %s", strerror(errno));
	return MEASURE_EXIT_CANNOT;
}

static enum measure_exit_code profile_in_child(
	const char *path, const struct profile_options *options)
{
	const struct rlimit no_core = {0, 0};
	const pid_t parent = getpid();
	int status = 0;
	pid_t child;

	signal(SIGCHLD, SIG_DFL); /* a parent that ignores it leaves nothing to wait for */
	child = fork();

	if (child < 0)
		return profile(path, options);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(MEASURE_EXIT_CANNOT);
		setrlimit(RLIMIT_CORE, &no_core);
		_exit(profile(path, options));
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	measure_cli_say(
		"%s: reading it ended with signal %d (%s): the archive is damaged, or memory "
		"ran out; copy it again",
		path, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return MEASURE_EXIT_CANNOT;
}

/* -1: go on; otherwise the exit status. */
static int parse_options(int argc, char **argv, struct profile_options *options)
{
	static const struct option long_options[] = {{"write", no_argument, NULL, 'w'},
		{"properties", no_argument, NULL, 'p'}, {"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

	opterr = 0;
	for (int option; (option = getopt_long(argc, argv, ":wp", long_options, NULL)) != -1;) {
		switch (option) {
		case 'w':
			options->is_written = true;
			break;
		case 'p':
			options->has_properties = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
		case 'V':
			return measure_cli_version();
		default:
			return measure_refuse_option(option, argv, long_options);
		}
	}
	if (options->is_written && options->has_properties)
		return measure_cli_usage("--write and --properties exclude each other");
	if (optind + 1 == argc)
		return -1;
	return measure_cli_usage("name one archive");
}

int main(int argc, char **argv)
{
	struct profile_options options = {.is_written = false};
	int early;

	measure_cli_start("measure-profile");
	early = parse_options(argc, argv, &options);
	return early >= 0 ? early : (int)profile_in_child(argv[optind], &options);
}
