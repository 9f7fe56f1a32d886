/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attaching and detaching; see attach.h. Run directory, guard and keeper are those of a program that
 * is started; only how the library comes into the process is different. What goes wrong before it
 * is there is a refusal: nothing has changed then. */
#include "config.h"

#include "attach.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/posix.h"
#include "cli/cli.h"
#include "format/ipc.h"
#include "format/run_layout.h"
#include "launch/attach/attach_process.h"
#include "launch/run/rank_speaker.h"
#include "launch/run/supervisor.h"
#include "recording.h"

#define ARCHIVE_MS 30000 /* for the keeper of a process that was detached to complete it */
#define LOOK_MS    5
#define CLEAR_MS   5000 /* for the keeper of a process that could not be attached to to clear up */

/* ------------------------------------------------------------------------ detaching --- */

/* The run directory of a part: DIR/.parts/PART. */
static void cut_part(char *part)
{
	for (int i = 0; i < 2; i++)
		if (strrchr(part, '/'))
			*strrchr(part, '/') = '\0';
}

static bool await_archive(const char *directory)
{
	const int64_t end = measure_now_ms() + ARCHIVE_MS;
	const struct timespec nap = {0, LOOK_MS * 1000000};
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/" MEASURE_ANCHOR_NAME, directory);
	while (access(path, F_OK) != 0 && measure_now_ms() < end)
		nanosleep(&nap, NULL);
	return access(path, F_OK) == 0;
}

static int detach(pid_t pid)
{
	static struct measure_target target;
	char directory[PATH_MAX];

	if (!measure_target_inspect(&target, pid, false) ||
		!measure_detach_process(&target, directory, sizeof(directory)))
		return MEASURE_EXIT_CANNOT;
	cut_part(directory);
	if (await_archive(directory))
		return MEASURE_EXIT_DONE;
	measure_cli_say("%s: its keeper has not completed the archive yet", directory);
	return MEASURE_EXIT_FOUND;
}

/* ------------------------------------------------------------------------- waiting --- */

static bool is_to_detach(int signal_fd)
{
	struct signalfd_siginfo signal;
	bool is_wanted = false;

	while (read(signal_fd, &signal, sizeof(signal)) == sizeof(signal))
		is_wanted |= signal.ssi_signo == SIGINT || signal.ssi_signo == SIGTERM ||
			     signal.ssi_signo == SIGHUP || signal.ssi_signo == SIGQUIT;
	return is_wanted;
}

/* False: no more will come. */
static bool pass_on_lines(int lines)
{
	struct measure_ipc_message message;

	do {
		measure_ipc_receive(lines, &message);
		if (message.word == MEASURE_MSG_TEXT &&
			write(STDERR_FILENO, message.text, strlen(message.text)) < 0)
			return false;
	} while (message.word == MEASURE_MSG_TEXT);
	return message.word != MEASURE_MSG_GONE;
}

struct attach_wait {
	const struct recording *recording;
	bool is_over;	 /* the archive is complete, or nobody is left to complete it */
	bool is_lost;
	bool has_lines;
};

static void hear(struct attach_wait *wait)
{
	struct measure_ipc_message message;

	measure_ipc_receive(wait->recording->channel, &message);
	if (message.word == MEASURE_MSG_SAFE)
		wait->is_over = true;
	else if (message.word == MEASURE_MSG_GONE)
		wait->is_over = wait->is_lost = true;
	else if (message.word == MEASURE_MSG_ANOTHER)
		measure_ipc_send(wait->recording->channel, MEASURE_MSG_PROGRAM,
			wait->recording->attached, measure_pidfd_open(wait->recording->attached),
			NULL);
}

/* Up to the end of the recording: the process has ended, or somebody has detached it. */
static int attach_wait(const struct recording *recording)
{
	struct attach_wait wait = {.recording = recording, .has_lines = true};
	sigset_t all;

	sigfillset(&all);
	const int signal_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	while (!wait.is_over) {
		const bool has_late = !measure_remote_release_late();
		struct pollfd polled[3] = {{recording->channel, POLLIN, 0},
			{wait.has_lines ? recording->lines : -1, POLLIN, 0},
			{signal_fd, POLLIN, 0}};

		poll(polled, 3, has_late ? LOOK_MS : -1);
		if (polled[1].revents)
			wait.has_lines = pass_on_lines(recording->lines);
		if (polled[0].revents)
			hear(&wait);
		if (polled[2].revents && is_to_detach(signal_fd) && !wait.is_over)
			detach(recording->attached);
	}
	pass_on_lines(recording->lines);
	if (wait.is_lost)
		measure_cli_say("%s: the keeper of this process died: run measure-repair %s",
			recording->rundir.path, recording->rundir.path);
	return wait.is_lost ? MEASURE_EXIT_FOUND : MEASURE_EXIT_DONE;
}

/* ------------------------------------------------------------------------ attaching --- */

static void tell_keeper(const struct recording *recording)
{
	const int pidfd = measure_pidfd_open(recording->attached);

	measure_ipc_send(
		recording->channel, MEASURE_MSG_PROGRAM, recording->attached, pidfd, NULL);
	if (pidfd >= 0)
		close(pidfd);
}

/* Without the first object, which is the library itself. */
static const char *adapters_of(const struct measure_preload *preload)
{
	const char *colon = strchr(preload->list, ':');

	return colon ? colon + 1 : "";
}

static bool load_into(struct recording *recording, struct measure_target *target)
{
	const struct measure_preload *preload = &recording->plan->preload;
	char library[PATH_MAX + 16], part[RECORDING_PART_PATH];
	struct measure_remote_time time;

	snprintf(library, sizeof(library), "%s/libmeasure.so", preload->directory);
	recording_part_path(recording, part);
	if (!measure_attach_process(target, library, part, adapters_of(preload), &time))
		return false;
	if (recording->plan->settings.verbose)
		measure_cli_say("process %d: recording into %s: a thread was held up for %.1f ms, "
				"stopped for %.1f ms of them",
			(int)target->pid, recording->rundir.path, time.whole, time.stopped);
	else if (!recording->plan->settings.quiet)
		measure_cli_say("process %d: recording into %s until measure --detach %d, or "
				"interrupt",
			(int)target->pid, recording->rundir.path, (int)target->pid);
	return true;
}

/* The keeper sees that the channel is closed, removes the run directory, and ends: with it, the
 * lines. */
static void withdraw(const struct recording *recording)
{
	struct pollfd lines = {recording->lines, POLLIN, 0};
	struct measure_ipc_message message = {.word = MEASURE_MSG_TEXT};

	close(recording->channel);
	while (message.word != MEASURE_MSG_GONE && poll(&lines, 1, CLEAR_MS) > 0)
		measure_ipc_receive(recording->lines, &message);
}

static int attach(struct measure_plan *plan, struct measure_target *target)
{
	static struct recording recording;

	recording.plan = plan;
	recording.attached = target->pid;
	if (recording_prepare(&recording) != MEASURE_OK)
		return MEASURE_EXIT_CANNOT;
	measure_blocked_signals_block();
	if (recording_start_guard(&recording) != MEASURE_OK) {
		measure_cli_say("cannot start the keeper: %s: not recording", strerror(errno));
		recording_withdraw(&recording);
		return MEASURE_EXIT_CANNOT;
	}
	tell_keeper(&recording);
	if (load_into(&recording, target))
		return attach_wait(&recording);
	withdraw(&recording);
	return MEASURE_EXIT_CANNOT;
}

int measure_attach(const struct measure_options *options)
{
	static struct measure_plan plan;
	static struct measure_target target;

	if (options->is_wrong)
		return MEASURE_EXIT_CANNOT;
	if (!measure_remote_is_possible()) {
		measure_cli_say("%s: not supported on this processor: start the program with "
				"measure",
			options->detach_pid ? "--detach" : "--attach");
		return MEASURE_EXIT_CANNOT;
	}
	measure_speaker_end();
	if (options->detach_pid)
		return detach(options->detach_pid);
	if (!measure_target_inspect(&target, options->attach_pid, true))
		return MEASURE_EXIT_CANNOT;
	measure_program_find(&plan.program, target.program);
	plan.program.loaded = target.elf.needed;
	if (measure_plan_make(&plan, options) != MEASURE_OK)
		return MEASURE_EXIT_CANNOT;
	if (!options->is_dry_run)
		return attach(&plan, &target);
	measure_plan_print(&plan, MEASURE_OK);
	return MEASURE_EXIT_DONE;
}
