/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-repair: assembles the archive of a run whose keepers are gone. lib/assemble does the
 * work; this file decides which runs must not be disturbed, and prints the result. */
#include "config.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "assemble/write/assemble.h"
#include "assemble/close/part_close.h"
#include "assemble/part/parts.h"
#include "assemble/shared/part_workers.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/run_profile.h"
#include "live/live_run.h"
#include "launch/rundir/run_agreement.h"
#include "cli/wrong_option.h"

#define LOOK_MS	    50
#define PATIENCE_MS 1000

#define MOST_THREADS 1024

struct measure_repair_options {
	bool is_forced;
	bool is_quiet;
	bool is_live;
	struct live_options live;
};

static const char usage[] =
	"Usage: measure-repair [OPTION]... DIR...\n"
	"       measure-repair --live [--output=OUT] [--json] DIR\n"
	"Assemble the archive of run directory DIR after an interrupted run, or inspect\n"
	"a run in progress. If DIR already has an archive, only a missing summary.txt is\n"
	"written.\n"
	"\n"
	"  measure-repair run1         assemble the archive of a job that was killed\n"
	"  measure-repair --live run1  show where each thread of a running job is\n"
	"\n"
	"  -f, --force         also repair parts that another host has just written to\n"
	"      --live          show who waits for whom in a running job, and the call\n"
	"                      stack of each thread; the job is not disturbed\n"
	"  -r, --roll-call     with --live: print only who waits for whom\n"
	"  -o, --output OUT    with --live: also write an archive OUT of the events\n"
	"                      so far\n"
	"  -j, --json          with --live: print the result as JSON\n"
	"  -t, --threads N     use so many threads [16]\n"
	"  -q, --quiet         print only errors\n"
	"      --help          print this help\n"
	"      --version       print the version\n"
	"\n"
	"Exit status: 0 the archive is complete, 1 events were lost, 2 the archive\n"
	"cannot be assembled (the parts are unchanged) or usage error.\n"
	"More: man measure-repair.\n";

static int parts_of(const char *directory)
{
	int fd = -1, directory_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (directory_fd < 0)
		return -1;
	fd = measure_file_open_directory(directory_fd, MEASURE_PARTS_NAME);
	close(directory_fd);
	return fd;
}

static bool take_by_force(int parts_fd, const struct measure_part_entry *entry)
{
	int fd = measure_file_open_directory(parts_fd, entry->name);
	measure_status_t status = fd < 0 ? MEASURE_ERROR_IO : measure_part_close(NULL, fd, NULL);

	if (fd >= 0)
		close(fd);
	return status == MEASURE_OK;
}

/* Processes that were killed just now may take a moment to be gone. */
static void list_when_quiet(int parts_fd, measure_part_list_t *list)
{
	const struct timespec pause = {0, LOOK_MS * 1000000L};

	for (int left = PATIENCE_MS; left > 0; left -= LOOK_MS) {
		bool is_alive = false;
		measure_parts_list_free(list);
		measure_parts_list(parts_fd, list);
		for (size_t i = 0; i < list->nr; i++)
			is_alive |= list->items[i].is_alive && !list->items[i].is_elsewhere;
		if (!is_alive)
			return;
		nanosleep(&pause, NULL);
	}
}

/* False: a part is still being written, which was said. */
static bool may_begin(
	const char *directory, int parts_fd, const struct measure_repair_options *options)
{
	measure_part_list_t list = {0};
	bool may = true;

	list_when_quiet(parts_fd, &list);
	for (size_t i = 0; i < list.nr && may; i++) {
		const struct measure_part_entry *entry = &list.items[i];
		if (!entry->is_alive)
			continue;
		if (!entry->is_elsewhere)
			measure_cli_say("%s: part %s is in use by process %lld: wait until it ends",
				directory, entry->name, (long long)entry->owner_pid);
		else if (!options->is_forced)
			measure_cli_say("%s: part %s was written to less than %d s ago on host %s: "
					"wait, or use --force",
				directory, entry->name, MEASURE_PART_SILENCE, entry->owner_host);
		may = entry->is_elsewhere && options->is_forced && take_by_force(parts_fd, entry);
	}
	measure_parts_list_free(&list);
	return may;
}

static void print_losses(const struct measure_assemble_report *report)
{
	if (report->nr_rescued)
		printf("; parts that lost their last events: %u", report->nr_rescued);
	if (report->nr_lost)
		printf("; events lost: %llu", (unsigned long long)report->nr_lost);
	if (report->nr_missing)
		printf("; ranks without a recording: %u", report->nr_missing);
	if (report->nr_damaged)
		printf("; damaged parts: %u", report->nr_damaged);
}

/* While .parts is still there: a repair that is killed meanwhile is done once more. */
static void make_summary(void *data, const struct measure_assemble_report *report)
{
	const char *directory = data;
	char text[MEASURE_PROFILE_TEXT];

	(void)report;
	measure_run_profile_or_say(directory, directory, text);
}

/* A run directory, not an archive of another tool. */
static bool lacks_summary(const char *directory)
{
	char config[PATH_MAX], summary[PATH_MAX];

	snprintf(config, sizeof(config), "%s/" MEASURE_CONFIGURATION_NAME, directory);
	snprintf(summary, sizeof(summary), "%s/" MEASURE_SUMMARY_NAME, directory);
	return access(config, F_OK) == 0 && access(summary, F_OK) != 0;
}

static enum measure_exit_code repair(
	const char *directory, const struct measure_repair_options *options)
{
	struct measure_assemble_report report;
	char agreement[PATH_MAX];
	int parts_fd = parts_of(directory);
	bool may = parts_fd < 0 || may_begin(directory, parts_fd, options);

	if (parts_fd >= 0)
		close(parts_fd);
	if (!may)
		return MEASURE_EXIT_CANNOT;
	measure_run_agreement_find(directory, agreement);
	if (measure_assemble_then(directory, &report, make_summary, (void *)directory) !=
		MEASURE_OK) {
		measure_cli_say("%s", report.trouble);
		return MEASURE_EXIT_CANNOT;
	}
	measure_run_agreement_remove(agreement);
	if (report.was_complete) {
		if (lacks_summary(directory))
			make_summary((void *)directory, &report);
		if (!options->is_quiet)
			printf("%s/%s: already exists\n", directory, MEASURE_ANCHOR_NAME);
		return MEASURE_EXIT_DONE;
	}
	if (!options->is_quiet) {
		printf("%s/%s: events: %llu; locations: %u", directory, MEASURE_ANCHOR_NAME,
			(unsigned long long)report.nr_events, report.nr_locations);
		if (report.kept != MEASURE_KEPT_ALL)
			printf("; events in the profile: %llu",
				(unsigned long long)report.nr_recorded);
		print_losses(&report);
		putchar('\n');
	}
	return report.nr_rescued || report.nr_lost || report.nr_missing || report.nr_damaged
		       ? MEASURE_EXIT_FOUND
		       : MEASURE_EXIT_DONE;
}

static bool take_threads(const char *text)
{
	char *end;
	const unsigned long nr = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || nr == 0 || nr > MOST_THREADS)
		return false;
	measure_part_workers_limit((unsigned)nr);
	return true;
}

/* -1: go on; otherwise the exit status. */
static int parse_options(int nr_arguments, char **arguments, struct measure_repair_options *options)
{
	static const struct option long_options[] = {{"force", no_argument, NULL, 'f'},
		{"quiet", no_argument, NULL, 'q'}, {"live", no_argument, NULL, 'l'},
		{"output", required_argument, NULL, 'o'}, {"roll-call", no_argument, NULL, 'r'},
		{"json", no_argument, NULL, 'j'}, {"threads", required_argument, NULL, 't'},
		{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0}};
	int option;

	opterr = 0;
	while ((option = getopt_long(nr_arguments, arguments, ":fqo:jrt:", long_options, NULL)) !=
		-1) {
		switch (option) {
		case 'f':
			options->is_forced = true;
			break;
		case 'q':
			options->is_quiet = options->live.is_quiet = true;
			break;
		case 'l':
			options->is_live = true;
			break;
		case 'o':
			options->live.output = optarg;
			break;
		case 'j':
			options->live.is_json = true;
			break;
		case 'r':
			options->live.is_roll_call = true;
			break;
		case 't':
			if (!take_threads(optarg))
				return measure_cli_usage("--threads requires a number, 1 or more");
			break;
		case 'h':
			fputs(usage, stdout);
			return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
		case 'V':
			return measure_cli_version();
		default:
			return measure_refuse_option(option, arguments, long_options);
		}
	}
	if (optind == nr_arguments)
		return measure_cli_usage("no run directory given");
	if (!options->is_live &&
		(options->live.output || options->live.is_json || options->live.is_roll_call))
		return measure_cli_usage("--output, --json and --roll-call require --live");
	if (options->is_live && (options->is_forced || optind + 1 < nr_arguments))
		return measure_cli_usage(
			"--live takes one run directory and cannot be combined with --force");
	return -1;
}

int main(int nr_arguments, char **arguments)
{
	struct measure_repair_options options = {.is_forced = false};
	enum measure_exit_code worst = MEASURE_EXIT_DONE;

	measure_cli_start("measure-repair");
	int early = parse_options(nr_arguments, arguments, &options);
	if (early >= 0)
		return early;
	for (int i = optind; i < nr_arguments; i++) {
		enum measure_exit_code status =
			options.is_live ? measure_live_run(arguments[i], &options.live)
					: repair(arguments[i], &options);
		worst = status > worst ? status : worst;
	}
	return fflush(stdout) == 0 ? worst : MEASURE_EXIT_CANNOT;
}
