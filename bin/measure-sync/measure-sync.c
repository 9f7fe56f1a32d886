/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-sync: writes an archive whose times agree with what must have happened before what. The
 * work is done in a child process: the OTF2 library is not safe against damaged files, and a crash
 * inside it must become a line of text. All is written to a directory of its own beside the output,
 * which gets its name when it is complete. Exit status: 0 done, 1 done, but the archive
 * contradicts itself, 2 cannot do it (then nothing was written) or wrong use.
 *
 * Where a launcher has started several processes, their children work together as a job, and the
 * first process speaks for all: what it makes, says and returns is the result. The others return
 * 0 (launchers end a job as soon as one process returns something else) unless they crash. */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "bin/common/job_launch.h"
#include "sync_options.h"
#include "sync/run/sync_run.h"
#include "sync/run/sync_target.h"
#include "trace/common/containers.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* ---------------------------------------------------------------------- the child --- */

static bool write_report(const struct sync_run *run, const char *path)
{
	const size_t length = strlen(path);
	FILE *file = fopen(path, "we");
	bool is_good;

	if (!file) {
		measure_cli_say("%s: %s; name another file", path, strerror(errno));
		return false;
	}
	if (length >= strlen(".json") && !strcmp(path + length - strlen(".json"), ".json"))
		sync_report_json(run, file);
	else
		sync_report_text(run, file);
	is_good = !ferror(file);
	if (fclose(file) == 0 && is_good)
		return true;
	measure_cli_say("%s: %s; name another file", path, strerror(errno));
	return false;
}

static enum measure_exit_code measure_sync_report(
	const struct sync_run *run, const struct sync_options *options)
{
	if (options->is_json)
		sync_report_json(run, stdout);
	else if (!options->is_quiet)
		sync_report_text(run, stdout);
	/* The archive is complete even if its results cannot be printed. */
	if ((fflush(stdout) != 0 || ferror(stdout)) && errno != EPIPE)
		measure_cli_say("cannot write the results: %s", strerror(errno));
	return sync_run_is_clean(run) ? MEASURE_EXIT_DONE : MEASURE_EXIT_FOUND;
}

/* From now on it is too late to change one's mind. */
static bool measure_sync_finish(const struct sync_target *target)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return sync_target_take_name(target);
}

static enum measure_exit_code work(const struct measure_sync_job *job,
	const struct sync_options *options, const struct sync_target *target, const char *making)
{
	const bool is_first = job->rank == 0;
	enum measure_exit_code result = is_first ? MEASURE_EXIT_CANNOT : MEASURE_EXIT_DONE;
	struct sync_run run;
	measure_status_t status;

	measure_progress_start("reading");
	status = sync_run(&run, job, options, making,
		is_first && isatty(STDERR_FILENO) ? measure_progress_show : NULL);
	measure_progress_end();
	if (is_first && status != MEASURE_OK)
		measure_cli_say("%s", measure_trace_error());
	else if (is_first && (!options->report || write_report(&run, options->report)) &&
		 measure_sync_finish(target))
		result = measure_sync_report(&run, options);
	sync_run_free(&run);
	return result;
}

/* `target` is NULL where it could not be made, and in all processes but the first. */
static enum measure_exit_code work_in_job(const struct job_launch *launch,
	struct sync_options *options, const struct sync_target *target)
{
	enum measure_exit_code result =
		job_launch_is_first(launch) ? MEASURE_EXIT_CANNOT : MEASURE_EXIT_DONE;
	struct measure_sync_job job;
	char *making;

	if (!job_launch_join(launch, &job))
		return result;
	making = measure_sync_job_share_text(&job, target ? target->making : NULL);
	if (making) {
		sync_rules_share(&options->rules, &job);
		result = work(&job, options, target, making);
		sync_rules_free(&options->rules);
	}
	measure_sync_job_close(&job);
	measure_free(making);
	return result;
}

/* --------------------------------------------------------------------- the parent --- */

static volatile sig_atomic_t child, is_told;

static void pass_on(int signal)
{
	is_told = true;
	if (child > 0)
		kill((pid_t)child, signal);
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

static enum measure_exit_code say_signal(
	const struct sync_options *options, const struct sync_target *target, int status)
{
	const int number = WTERMSIG(status);

	measure_cli_say("%s: correction was ended by signal %d (%s)%s", options->input, number,
		strsignal(number),
		target && sync_target_has_name(target) ? ", but the new archive is complete"
		: number == SIGSEGV || number == SIGBUS || number == SIGABRT
			? ": the archive is damaged or memory ran out; check it with measure-check"
			: "; nothing was written");
	return MEASURE_EXIT_CANNOT;
}

static enum measure_exit_code work_in_child(const struct job_launch *launch,
	struct sync_options *options, const struct sync_target *target)
{
	const struct rlimit no_core = {0, 0};
	const pid_t parent = getpid();
	sigset_t all, before;
	pid_t pid;
	int status;

	fflush(stdout);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setrlimit(RLIMIT_CORE, &no_core);
		_exit(getppid() == parent ? work_in_job(launch, options, target)
					  : MEASURE_EXIT_CANNOT);
	}
	child = pid;
	catch_signals();
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0) {
		measure_cli_say("cannot start a process: %s", strerror(errno));
		return MEASURE_EXIT_CANNOT;
	}
	while (waitpid(pid, &status, 0) != pid)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	/* Launchers end the others when one has crashed, which has said it. */
	return is_told && launch->size > 1 ? MEASURE_EXIT_CANNOT
					   : say_signal(options, target, status);
}

int main(int argc, char **argv)
{
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;
	struct sync_options options;
	struct job_launch launch;
	struct sync_target target = {.lock = -1};
	bool is_ready = false;
	int early;

	measure_cli_start("measure-sync");
	job_launch_detect(&launch, argv);
	early = sync_options_parse(argc, argv, launch.nr_threads, launch.memory, &options);
	if (early >= 0)
		return job_launch_is_first(&launch) ? early : MEASURE_EXIT_DONE;
	job_launch_speak();
	if (job_launch_is_first(&launch))
		is_ready = sync_rules_read(&options.rules, "nothing was written") &&
			   sync_target_make(&target, options.input, options.output, "-o",
				   options.is_in_place);
	/* The others wait for its word. */
	if (is_ready || launch.size > 1)
		result = work_in_child(&launch, &options, is_ready ? &target : NULL);
	if (job_launch_is_first(&launch))
		sync_target_free(&target);
	return result;
}
