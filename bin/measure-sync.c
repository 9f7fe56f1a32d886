/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-sync: writes an archive whose times agree with what must have happened before what. The
 * work is done in a child process: the OTF2 library is not safe against damaged files, and a crash
 * inside it must become a line of text. All is written to a directory of its own beside the output,
 * which gets its name when it is complete. Exit status: 0 done, 1 done, but the archive
 * contradicts itself, 2 cannot do it (then nothing was written) or wrong use. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cli.h"
#include "progress.h"
#include "sync/options.h"
#include "sync/run.h"

/* Where the result goes, and where it is made. */
struct target {
	char *path, *making;
};

/* ---------------------------------------------------------------------- the child --- */

/* The new archive takes its name at one instant; that of an old one becomes `making`. */
static bool take_name(const struct sync_options *options, const struct target *target)
{
	const unsigned flags = options->is_in_place ? RENAME_EXCHANGE : RENAME_NOREPLACE;

	if (renameat2(AT_FDCWD, target->making, AT_FDCWD, target->path, flags) == 0)
		return true;
	/* Not all file systems know the flags; a directory is not replaced unless it is empty. */
	if (!options->is_in_place && errno == EINVAL && rename(target->making, target->path) == 0)
		return true;
	measure_cli_say("%s: %s; name another output with -o", target->path, strerror(errno));
	return false;
}

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

static enum measure_exit report(const struct sync_run *run, const struct sync_options *options)
{
	if (options->is_json)
		sync_report_json(run, stdout);
	else if (!options->is_quiet)
		sync_report_text(run, stdout);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		measure_cli_say("cannot write the results: %s", strerror(errno));
		return MEASURE_EXIT_CANNOT;
	}
	return sync_run_is_clean(run) ? MEASURE_EXIT_DONE : MEASURE_EXIT_FOUND;
}

static enum measure_exit work(const struct sync_options *options, const struct target *target)
{
	enum measure_exit result = MEASURE_EXIT_CANNOT;
	struct sync_run run;
	measure_status_t status;

	measure_progress_start("reading");
	status = sync_run(&run, options, target->making,
		isatty(STDERR_FILENO) ? measure_progress_show : NULL);
	measure_progress_end();
	if (status != MEASURE_OK)
		measure_cli_say("%s", measure_trace_error());
	else if ((!options->report || write_report(&run, options->report)) &&
		 take_name(options, target))
		result = report(&run, options);
	sync_run_free(&run);
	return result;
}

/* --------------------------------------------------------------------- the parent --- */

static volatile sig_atomic_t child;

static void pass_on(int signal)
{
	if (child > 0)
		kill((pid_t)child, signal);
}

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

static enum measure_exit say_signal(const struct sync_options *options, int status)
{
	const int number = WTERMSIG(status);

	measure_cli_say("%s: correcting it ended with signal %d (%s)%s", options->input, number,
		strsignal(number),
		number == SIGSEGV || number == SIGBUS || number == SIGABRT
			? ": the archive is damaged, or memory ran out; check it with measure-check"
			: "; nothing was written");
	return MEASURE_EXIT_CANNOT;
}

static enum measure_exit work_in_child(
	const struct sync_options *options, const struct target *target)
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
		_exit(getppid() == parent ? work(options, target) : MEASURE_EXIT_CANNOT);
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
	return WIFEXITED(status) ? WEXITSTATUS(status) : say_signal(options, status);
}

/* ---------------------------------------------------------------------- the target --- */

/* The directory that the archive is in; NULL: it cannot be told. */
static char *input_directory(const char *input)
{
	char *path = realpath(input, NULL), *slash;
	struct stat status;

	if (!path || stat(path, &status) != 0) {
		measure_cli_say("%s: %s; name a directory or an .otf2 file", input, strerror(errno));
		free(path);
		return NULL;
	}
	slash = strrchr(path, '/');
	if (!S_ISDIR(status.st_mode) && slash)
		*(slash == path ? slash + 1 : slash) = '\0';
	return path;
}

static char *without_slashes(const char *path)
{
	char *copy = strdup(path);
	size_t length = copy ? strlen(copy) : 0;

	while (length > 1 && copy[length - 1] == '/')
		copy[--length] = '\0';
	return copy;
}

static bool make_directory(const struct sync_options *options, struct target *target)
{
	struct stat status;
	size_t size;

	if (!target->path)
		return false;
	size = strlen(target->path) + sizeof(".XXXXXX");
	if (!options->is_in_place && lstat(target->path, &status) == 0) {
		measure_cli_say("%s: exists; name another output with -o, or use --in-place",
			target->path);
		return false;
	}
	target->making = malloc(size);
	if (!target->making)
		return false;
	snprintf(target->making, size, "%s.XXXXXX", target->path);
	if (mkdtemp(target->making))
		return true;
	measure_cli_say("%s: %s; name another output with -o", target->path, strerror(errno));
	return false;
}

/* As if mkdir had made it, or as it was. */
static void set_mode(const struct sync_options *options, const struct target *target)
{
	const mode_t mask = umask(0);
	struct stat status;

	umask(mask);
	if (options->is_in_place && stat(target->path, &status) == 0)
		(void)!chmod(target->making, status.st_mode & 07777);
	else
		(void)!chmod(target->making, 0777 & ~mask);
}

int main(int argc, char **argv)
{
	struct sync_options options;
	struct target target = {NULL, NULL};
	enum measure_exit result = MEASURE_EXIT_CANNOT;
	char *directory;
	int early;

	measure_cli_start("measure-sync");
	early = sync_options_parse(argc, argv, &options);
	if (early >= 0)
		return early;
	directory = input_directory(options.input);
	if (directory)
		target.path = without_slashes(options.is_in_place ? directory : options.output);
	if (directory && make_directory(&options, &target)) {
		set_mode(&options, &target);
		result = work_in_child(&options, &target);
		measure_file_remove_tree(AT_FDCWD, target.making);
	}
	free(directory);
	free(target.path);
	free(target.making);
	return result;
}
