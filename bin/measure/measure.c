/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `measure`: runs a program so that it is recorded. The story: make a plan; make the run
 * directory and this process' part in it; start the keeper's guard; start the program; wait; end as
 * the program ended. Whatever goes wrong on our side, the program runs; where the user has made a
 * mistake, nothing does (policy.h). */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/run/calibrate.h"
#include "launch/run/calibrate_events.h"
#include "cli/cli.h"
#include "launch/plan/launcher.h"
#include "launch/options/options.h"
#include "launch/options/snapshot_signal.h"
#include "launch/plan/plan.h"
#include "launch/run/rank_speaker.h"
#include "launch/run/supervisor.h"
#include "attach.h"
#include "recording.h"

#define RECORD_NO 1 /* of --record=yes|no */

static struct measure_blocked_signals signals;

static int say_exec_error(const char *name, int error)
{
	struct stat stat_;

	if (error == EACCES && stat(name, &stat_) == 0 && S_ISDIR(stat_.st_mode))
		measure_cli_say("%s: cannot execute: is a directory", name);
	else
		measure_cli_say(
			"%s: cannot execute: %s: check the name and PATH", name, strerror(error));
	return error == ENOENT ? MEASURE_EXIT_NO_PROGRAM : MEASURE_EXIT_NOT_EXECUTABLE;
}

/* Not recorded: become the program. */
static int run_plainly(char **program)
{
	measure_blocked_signals_restore(&signals);
	execvp(program[0], program);
	return say_exec_error(program[0], errno);
}

/* As above, but other ranks of the job may be recorded. They come together in MPI_Init, where
 * this one has to be too, so the adapters are preloaded all the same; without a part they stay
 * off. */
static int run_unrecorded(const struct measure_plan *plan, char **program)
{
	char **environment = NULL;

	if (measure_launcher_is_there(&plan->settings) &&
		measure_preload_has(&plan->preload, "mpi"))
		environment = measure_preload_environment(&plan->preload, "");
	if (!environment)
		return run_plainly(program);
	measure_blocked_signals_restore(&signals);
	execvpe(program[0], program, environment);
	return say_exec_error(program[0], errno);
}

/* 0: none. */
static int snapshot_signal(const struct recording *recording)
{
	int number = 0;

	measure_snapshot_signal_parse(recording->plan->settings.snapshot_signal, &number);
	return number;
}

/* Returns only in `measure`. *failure: reads the errno of an exec that failed, else nothing. */
static pid_t start_program(const struct recording *recording, char **program, int *failure)
{
	int ends[2] = {-1, -1};

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		measure_blocked_signals_restore(&signals);
		/* launchers, and kill of a whole group, send it to the program, too */
		if (snapshot_signal(recording) != 0)
			signal(snapshot_signal(recording), SIG_IGN);
		execvpe(program[0], program, recording->environment);
		if (errno == E2BIG) /* our two variables were too much */
			execvp(program[0], program);
		int error = errno;
		if (write(ends[1], &error, sizeof(error)) < 0)
			_exit(MEASURE_EXIT_NOT_EXECUTABLE);
		_exit(MEASURE_EXIT_NO_PROGRAM);
	}
	close(ends[1]);
	*failure = ends[0];
	return child;
}

/* Another `measure` started this one and preloads into what it starts, with --exec. */
static bool is_recorded(void)
{
	return dlopen("libmeasure.so", RTLD_LAZY | RTLD_NOLOAD) != NULL;
}

static void say_unclaimed(const char *program, bool is_served)
{
	if (is_served)
		measure_cli_say("%s: could not map the event memory: lower --buffer: nothing was "
				"recorded",
			program);
	else if (is_recorded())
		measure_cli_say("%s: recorded by the measure that started this one", program);
	else
		measure_cli_say("%s: did not load libmeasure.so: run measure on the program itself: "
				"nothing was recorded",
			program);
}

static void wait_and_end(
	const struct recording *recording, char **program, pid_t child, int failure)
{
	const struct measure_settings *settings = &recording->plan->settings;
	struct measure_exit_info ending;
	int error = 0;

	const struct measure_supervise_args care = {recording->rundir.path, recording->channel,
		recording->lines, measure_launcher_is_there(settings), snapshot_signal(recording)};

	measure_supervise(child, &care, &ending);
	if (read(failure, &error, sizeof(error)) == sizeof(error))
		_exit(say_exec_error(program[0], error));
	if (ending.is_unclaimed && measure_is_speaker(settings))
		say_unclaimed(recording->plan->program.path, ending.is_served);
	if (ending.is_keeper_lost)
		measure_cli_say("%s: the keeper of this process died: run measure-repair %s",
			recording->rundir.path, recording->rundir.path);
	measure_end_as(ending.status);
}

/* Returns only where nothing was started. */
static void record(struct measure_plan *plan, char **program)
{
	static struct recording recording;
	int failure;

	recording.plan = plan;
	if (recording_prepare(&recording) != MEASURE_OK)
		return;
	if (plan->settings.verbose && measure_is_speaker(&plan->settings))
		measure_cli_say("%s: recording into %s", plan->program.path, recording.rundir.path);

	measure_blocked_signals_block();
	if (recording_start_guard(&recording) != MEASURE_OK) {
		measure_cli_say("cannot start the keeper: %s: not recording", strerror(errno));
		recording_withdraw(&recording);
		return;
	}
	pid_t child = start_program(&recording, program, &failure);
	if (child < 0) {
		close(recording.channel); /* the keeper sees it and clears up */
		return;
	}
	wait_and_end(&recording, program, child, failure);
}

/* A mistake, or trouble with --strict: nothing is run. */
static int measure_refuse(void)
{
	measure_speaker_refuse();
	return MEASURE_EXIT_CANNOT;
}

static int refuse_for_want_of_program(const struct measure_options *options)
{
	char name[64];

	if (!options->is_wrong && options->last_value &&
		options->program[-1] == options->last_value) {
		measure_option_name(options->last_option, name);
		measure_cli_say("no program given: '%s' was taken as the value of --%s",
			options->last_value, name);
	} else if (!options->is_wrong) {
		measure_cli_usage("no program given");
	}
	return measure_refuse();
}

static int measure_run(const struct measure_options *options)
{
	static struct measure_plan plan;
	char **program = options->program;

	if (!program[0])
		return refuse_for_want_of_program(options);
	if (options->is_wrong)
		return measure_refuse();
	int error = measure_program_find(&plan.program, program[0]);
	if (error != 0) {
		int status = say_exec_error(program[0], error);
		measure_speaker_refuse();
		return status;
	}
	if (options->settings.record == RECORD_NO) {
		measure_launcher_hide();
		return run_plainly(program);
	}
	measure_status_t status = measure_plan_make(&plan, options);
	measure_launcher_hide();
	if (options->is_dry_run) {
		measure_speaker_end();
		measure_plan_print(&plan, status);
		return status == MEASURE_OK ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
	}
	if (status == MEASURE_ERROR_USAGE || (status != MEASURE_OK && plan.settings.strict))
		return measure_refuse();
	measure_speaker_end();
	if (status != MEASURE_OK)
		return run_plainly(program);
	record(&plan, program);
	return plan.settings.strict ? MEASURE_EXIT_CANNOT : run_unrecorded(&plan, program);
}

static int calibrate(const struct measure_options *options)
{
	static struct measure_program program;
	const char *name = options->program[0];
	int error = name && !options->is_wrong ? measure_program_find(&program, name) : 0;

	return error ? say_exec_error(name, error) : measure_calibrate(options);
}

/* Where standard descriptors are closed, our own must not take their numbers: messages would go
 * there. The program finds them closed as they were. */
static void hold_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int count, char **arguments)
{
	static struct measure_options options;

	hold_standard_descriptors();
	measure_cli_start("measure");
	measure_blocked_signals_save(&signals);
	measure_speaker_begin();
	switch (measure_options_parse(&options, count, arguments)) {
	case MEASURE_REQUEST_HELP:
		measure_options_help();
		return MEASURE_EXIT_DONE;
	case MEASURE_REQUEST_HELP_CONFIG:
		measure_options_help_config();
		return MEASURE_EXIT_DONE;
	case MEASURE_REQUEST_VERSION:
		return measure_cli_version();
	case MEASURE_REQUEST_RUN:
		break;
	}
	if (options.is_calibration)
		return calibrate(&options);
	if (options.is_event_calibration)
		return measure_calibrate_events(&options);
	if (options.attach_pid || options.detach_pid)
		return measure_attach(&options);
	return measure_run(&options);
}
