/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calibration of events; see calibrate_events.h. A program that makes events of all kinds is
 * recorded by another `measure`, with nothing of the user's settings, into a scratch directory; the
 * table that it leaves there is printed and put where others look for it. */
#include "config.h"

#include "calibrate_events.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "costs/event_costs.h"
#include "launch/plan/launcher.h"
#include "launch/plan/libdir.h"

#define HELPER        "measure-event-costs"
#define MPI_HELPER    "measure-mpi-event-costs"
#define USUAL_BLOCKS  41
#define MOST_VARIABLE 64

struct event_calibration {
	char measure[PATH_MAX], helper[PATH_MAX];
	char mpi_helper[PATH_MAX]; /* empty: built without MPI */
	char scratch[PATH_MAX];
	char table[PATH_MAX + 8], run[PATH_MAX + 8]; /* in there */
	char output[PATH_MAX];
	char nr_blocks[16];
};

/* ---------------------------------------------------------------------- its program --- */

/* All of ours but where to find ourselves. */
static void clear_environment(void)
{
	char name[MOST_VARIABLE];
	char **variable = environ;

	while (*variable) {
		const size_t length = strcspn(*variable, "=");
		if (strncmp(*variable, "MEASURE_", 8) != 0 || length >= sizeof(name) ||
			strncmp(*variable, "MEASURE_LIBDIR=", 15) == 0) {
			variable++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)length, *variable);
		unsetenv(name);
		variable = environ;
	}
}

static void become_recorded(
	const struct event_calibration *calibration, const char *helper, const char *adapters)
{
	const int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	clear_environment();
	execl(calibration->measure, "measure", "--quiet", "--output", calibration->run, adapters,
		"--pthread-groups=+signal,+mutex", "--overhead=off", "--topology=no", "--", helper,
		calibration->table, calibration->nr_blocks, (char *)NULL);
	measure_cli_say("%s: cannot execute: %s", calibration->measure, strerror(errno));
	_exit(MEASURE_EXIT_CANNOT);
}

static bool run_recorded(
	const struct event_calibration *calibration, const char *helper, const char *adapters)
{
	int status = 0;
	pid_t child;

	measure_file_remove_tree(AT_FDCWD, calibration->run);
	child = fork();
	if (child == 0)
		become_recorded(calibration, helper, adapters);
	if (child < 0) {
		measure_cli_say("cannot start a run: %s", strerror(errno));
		return false;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		measure_cli_say("%s: ended by signal %d", helper, WTERMSIG(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --------------------------------------------------------------------------- table --- */

static void print_curve(const struct measure_event_costs *costs, unsigned kind, unsigned set)
{
	const struct measure_event_cost_curve *curve = &costs->curves[kind][set];

	if (curve->nr == 0)
		return;
	printf("%-14s  %-4s", measure_event_cost_word(kind), measure_working_set_word(set));
	for (unsigned i = 0; i < curve->nr; i++)
		printf("  %9.0f: %5.1f", curve->points[i].rate,
			curve->points[i].before + curve->points[i].after);
	printf("\n");
}

static void calibrate_events_print(const struct measure_event_costs *costs)
{
	printf("%s\n"
	       "Cost of one event: kind, working set of the program, events per second: ns\n",
		costs->processor);
	for (unsigned kind = 0; kind < MEASURE_NR_EVENT_COSTS; kind++)
		for (unsigned set = 0; set < MEASURE_NR_WORKING_SETS; set++)
			print_curve(costs, kind, set);
}

static int calibrate_events_keep(const struct event_calibration *calibration)
{
	static struct measure_event_costs costs;
	char error[MEASURE_EVENT_COSTS_ERROR];

	if (measure_event_costs_read_file(calibration->table, &costs, error) != MEASURE_OK) {
		measure_cli_say("%s: %s", calibration->table, error);
		return MEASURE_EXIT_CANNOT;
	}
	calibrate_events_print(&costs);
	if (measure_event_costs_write_file(calibration->output, &costs, error) != MEASURE_OK) {
		measure_cli_say("%s: cannot write: %s: name another file with --output",
			calibration->output, error);
		return MEASURE_EXIT_CANNOT;
	}
	printf("The table is in %s.\n", calibration->output);
	return MEASURE_EXIT_DONE;
}

/* -------------------------------------------------------------------------- begin --- */

/* That of the command line; MEASURE_OUTPUT is about run directories. */
static bool choose_output(
	struct event_calibration *calibration, const struct measure_options *options)
{
	const char *output = options->settings.output, *inherited = getenv("MEASURE_OUTPUT");

	if (strchr(output, '%') || (inherited && strcmp(inherited, output) == 0))
		return measure_event_costs_usual_path(calibration->output, true);
	return snprintf(calibration->output, PATH_MAX, "%s", output) < PATH_MAX;
}

static bool make_scratch(struct event_calibration *calibration)
{
	const char *directory = getenv("TMPDIR");

	snprintf(calibration->scratch, PATH_MAX, "%s/measure-event-costs-XXXXXX",
		directory && *directory ? directory : "/tmp");
	if (!mkdtemp(calibration->scratch)) {
		measure_cli_say("%s: %s: set TMPDIR", calibration->scratch, strerror(errno));
		return false;
	}
	snprintf(calibration->table, sizeof(calibration->table), "%s/table", calibration->scratch);
	snprintf(calibration->run, sizeof(calibration->run), "%s/run", calibration->scratch);
	return true;
}

static bool calibrate_events_prepare(
	struct event_calibration *calibration, const struct measure_options *options)
{
	const ssize_t length = readlink("/proc/self/exe", calibration->measure, PATH_MAX - 1);

	snprintf(calibration->nr_blocks, sizeof(calibration->nr_blocks), "%u",
		options->has_runs ? options->nr_runs : USUAL_BLOCKS);
	if (!choose_output(calibration, options)) {
		measure_cli_say("neither XDG_CACHE_HOME nor HOME is set: name a file with "
				"--output");
		return false;
	}
	if (length <= 0 || !measure_libdir_locate(calibration->helper, PATH_MAX, HELPER)) {
		measure_cli_say(HELPER ": not found: reinstall Measure or set MEASURE_LIBDIR");
		return false;
	}
	if (!measure_libdir_locate(calibration->mpi_helper, PATH_MAX, MPI_HELPER))
		*calibration->mpi_helper = '\0';
	return make_scratch(calibration);
}

/* Without MPI, or where it does not start, the costs of other calls stand for those of its own. */
static bool run_all_recorded(const struct event_calibration *calibration)
{
	if (!run_recorded(calibration, calibration->helper, "--adapters=compiler,user,pthread"))
		return false;
	if (*calibration->mpi_helper &&
		!run_recorded(calibration, calibration->mpi_helper, "--adapters=compiler,user,mpi"))
		measure_cli_say("MPI cannot be started here: calls of MPI are taken to cost what "
				"others do");
	return true;
}

int measure_calibrate_events(const struct measure_options *options)
{
	static struct event_calibration calibration;
	static struct measure_settings settings;
	int status = MEASURE_EXIT_CANNOT;

	measure_settings_defaults(&settings);
	measure_launcher_detect(&settings, getpid());
	if (measure_launcher_is_there(&settings))
		return measure_cli_usage("--calibrate-events: start it without a launcher");
	if (options->program[0])
		return measure_cli_usage("--calibrate-events: takes no program");
	if (options->is_wrong || !calibrate_events_prepare(&calibration, options))
		return MEASURE_EXIT_CANNOT;
	if (run_all_recorded(&calibration))
		status = calibrate_events_keep(&calibration);
	measure_file_remove_tree(AT_FDCWD, calibration.scratch);
	return status;
}
