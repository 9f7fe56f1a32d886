/* SPDX-License-Identifier: BSD-3-Clause
 *
 * system() and popen(). The C library's own start the shell without calling anything that could be
 * interposed, with the environment of the process. system() is made here of what POSIX says it is
 * made of; popen() has to stay theirs, as its stream is closed by their pclose(): it is called with
 * another environment, which is taken back as soon as it returns. */
#include "config.h"

#include <alloca.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "exec_environment.h"

#define EXPORTED __attribute__((visibility("default")))
#define SHELL    "/bin/sh"
#define NO_SHELL (127 << 8) /* as waitpid() tells of exit status 127 */

/* ------------------------------------------------------------------------- system() --- */

/* While any thread waits in system(), SIGINT and SIGQUIT are ignored. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int nr_waiting;
static struct sigaction interrupt, quit; /* as they were */

/* What was changed for one command, and its shell. */
struct command {
	sigset_t mask; /* as it was */
	pid_t shell;   /* 0: there is none */
};

static void hold_signals(struct command *command)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t child;

	pthread_mutex_lock(&lock);
	if (nr_waiting++ == 0) {
		sigaction(SIGINT, &ignore, &interrupt);
		sigaction(SIGQUIT, &ignore, &quit);
	}
	pthread_mutex_unlock(&lock);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &child, &command->mask);
}

static void release_signals(struct command *command)
{
	pthread_mutex_lock(&lock);
	if (--nr_waiting == 0) {
		sigaction(SIGINT, &interrupt, NULL);
		sigaction(SIGQUIT, &quit, NULL);
	}
	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &command->mask, NULL);
}

/* The shell has the signals as the program had them. */
static int start_shell(struct command *command, const char *text)
{
	char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)text, NULL};
	posix_spawnattr_t attributes;
	sigset_t defaults;

	sigemptyset(&defaults);
	if (interrupt.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGINT);
	if (quit.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGQUIT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &command->mask);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	int error = posix_spawn(&command->shell, SHELL, NULL, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	if (error != 0)
		command->shell = 0;
	return error;
}

/* The thread is cancelled while it waits. */
static void give_up(void *data)
{
	struct command *command = data;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	if (command->shell) {
		kill(command->shell, SIGKILL);
		while (waitpid(command->shell, NULL, 0) < 0 && errno == EINTR)
			;
	}
	release_signals(command);
	pthread_setcancelstate(state, NULL);
}

static int wait_for_shell(struct command *command)
{
	int status = -1;
	pid_t ended;

	pthread_cleanup_push(give_up, command);
	do
		ended = waitpid(command->shell, &status, 0);
	while (ended < 0 && errno == EINTR);
	pthread_cleanup_pop(0);
	return ended == command->shell ? status : -1;
}

static int run_shell(const char *text)
{
	struct command command = {.shell = 0};
	int status = NO_SHELL;

	hold_signals(&command);
	int error = start_shell(&command, text);
	if (error == 0)
		status = wait_for_shell(&command);
	int saved = error ? error : errno;
	release_signals(&command);
	errno = saved;
	return status;
}

EXPORTED int system(const char *text)
{
	if (!text || !measure_follow_has_images(true))
		return measure_starts.system(text);
	return run_shell(text);
}

/* -------------------------------------------------------------------------- popen() --- */

static bool is_in(char *const *variables, const char *variable)
{
	for (; *variables; variables++)
		if (*variables == variable)
			return true;
	return false;
}

/* Somebody has changed the environment meanwhile, and has taken over what was there: ours goes. */
static void take_out(char *const *ours, char *const *theirs)
{
	char **kept = environ;

	for (char **variable = environ; *variable; variable++)
		if (!is_in(ours, *variable) || (theirs && is_in(theirs, *variable)))
			*kept++ = *variable;
	*kept = NULL;
}

static FILE *run_with(
	struct measure_exec_environment *image, size_t size, const char *text, const char *mode)
{
	char *const *before = environ;
	char *const *ours = measure_exec_environment_make(image, alloca(size));

	environ = (char **)(uintptr_t)ours;
	FILE *stream = measure_starts.popen(text, mode);
	int saved = errno;
	if (environ == ours)
		environ = (char **)(uintptr_t)before;
	else
		take_out(ours, before);
	errno = saved;
	return stream;
}

EXPORTED FILE *popen(const char *text, const char *mode)
{
	struct measure_exec_environment image;
	size_t size = measure_exec_environment_ask(&image, SHELL, environ, true);

	FILE *stream = size ? run_with(&image, size, text, mode) : measure_starts.popen(text, mode);
	if (!stream)
		measure_exec_environment_failed(&image);
	return stream;
}
