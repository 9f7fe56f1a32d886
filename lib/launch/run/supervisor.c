/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting for the program; see supervisor.h. */
#include "config.h"

#include "supervisor.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/procfs.h"
#include "format/ipc.h"
#include "cli/cli.h"
#include "base/posix.h"

/* After the program died of a signal its launcher wants to know soon; the keeper needs nobody
 * to wait for it. */
#define HURRY_MS 500

/* After the program has ended, for the keeper to be done before something is said. */
#define WORD_MS 10000

/* A group gets a signal at the same time as we do: give the program that long to end by it
 * before it gets it from us as well. */
#define FORWARD_MS 10

/* Stopping and going on is for the kernel to do with us as with the program. */
static void blocked_signals(sigset_t *set)
{
	static const int ours[] = {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGSEGV, SIGBUS, SIGFPE,
		SIGILL, SIGTRAP, SIGSYS};

	sigfillset(set);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		sigdelset(set, ours[i]);
}

void measure_blocked_signals_save(struct measure_blocked_signals *signals)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};

	sigprocmask(SIG_SETMASK, NULL, &signals->mask);
	sigaction(SIGCHLD, &plain, &signals->child);
}

void measure_blocked_signals_block(void)
{
	sigset_t set;

	blocked_signals(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
}

void measure_blocked_signals_restore(const struct measure_blocked_signals *signals)
{
	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

#define MOST_SAID 64

struct waiter {
	pid_t program;
	int channel; /* -1: the keeper is gone */
	int signal_fd;
	bool is_over; /* the program has ended */
	bool is_safe;
	bool has_lines; /* somebody may have something to say */
	const struct measure_supervise_args *care;
	struct measure_exit_info *ending;
	uint64_t pending; /* signals to forward soon, bit by number */
	char awaited[64]; /* what the keeper does just now, "the ... to be ..." */
	uint32_t heard;   /* the last signal that somebody sent us; 0: none */
	uint64_t said[MOST_SAID]; /* hashes of lines */
	size_t nr_said;
};

static bool is_to_us_alone(const struct waiter *waiter, const struct signalfd_siginfo *signal)
{
	if (waiter->care->is_launched || signal->ssi_signo == SIGINT ||
		signal->ssi_signo == SIGQUIT)
		return false;
	return signal->ssi_code == SI_USER || signal->ssi_code == SI_QUEUE ||
		signal->ssi_code == SI_TKILL;
}

static bool is_to_end_us(uint32_t number)
{
	return number == SIGTERM || number == SIGINT || number == SIGQUIT || number == SIGHUP;
}

/* Who sends us a signal sends it to the program as well, or has it forwarded. */
static void note_sender(struct waiter *waiter, const struct signalfd_siginfo *signal)
{
	char path[64], name[32] = "no longer running";
	ssize_t length;

	if (signal->ssi_code > 0) {
		snprintf(waiter->ending->who, sizeof(waiter->ending->who), "sent by the kernel");
	} else {
		snprintf(path, sizeof(path), "/proc/%u/comm", signal->ssi_pid);
		length = measure_text_read(path, name, sizeof(name));
		if (length > 0)
			name[strcspn(name, "\n")] = '\0';
		snprintf(waiter->ending->who, sizeof(waiter->ending->who),
			"sent by process %u (%s)", signal->ssi_pid, name);
	}
	waiter->heard = signal->ssi_signo;
}

static void tell_program(const struct waiter *waiter)
{
	int pidfd = measure_pidfd_open(waiter->program);

	measure_ipc_send(waiter->channel, MEASURE_MSG_PROGRAM, waiter->program, pidfd, NULL);
	if (pidfd >= 0)
		close(pidfd);
}

static void tell_end(const struct waiter *waiter)
{
	measure_ipc_send(waiter->channel, MEASURE_MSG_ENDED, waiter->ending->status, -1,
		waiter->ending->who);
}

/* The keeper too: the program asks whether it lives, and must not see a zombie. */
static void reap(struct waiter *waiter)
{
	pid_t child;
	int status;

	while ((child = waitpid(-1, &status, WNOHANG)) > 0 && child != waiter->program)
		;
	if (child <= 0)
		return;
	waiter->ending->status = status;
	waiter->is_over = true;
	if (!WIFSIGNALED(status) || (uint32_t)WTERMSIG(status) != waiter->heard)
		waiter->ending->who[0] = '\0';
	tell_end(waiter);
}

/* It is not the program's: a launcher has sent it to that as well, which ignores it. */
static bool is_for_snapshot(const struct waiter *waiter, const struct signalfd_siginfo *signal)
{
	if ((int)signal->ssi_signo != waiter->care->snapshot_signal)
		return false;
	if (!waiter->is_over)
		measure_ipc_send(waiter->channel, MEASURE_MSG_SNAPSHOT, 0, -1, NULL);
	return true;
}

static void take_signals(struct waiter *waiter)
{
	struct signalfd_siginfo signal;

	while (read(waiter->signal_fd, &signal, sizeof(signal)) == sizeof(signal)) {
		if (signal.ssi_signo == SIGCHLD || is_for_snapshot(waiter, &signal))
			continue;
		if (!waiter->is_over)
			note_sender(waiter, &signal);
		/* Only the keeper is waited for, and it needs nobody to wait. */
		if (waiter->is_over && is_to_end_us(signal.ssi_signo))
			waiter->is_safe = true;
		else if (!waiter->is_over && is_to_us_alone(waiter, &signal))
			waiter->pending |= UINT64_C(1) << (signal.ssi_signo - 1);
	}
	reap(waiter);
}

/* The keeper is gone, and whoever could start another one. */
static void note_loss(struct waiter *waiter)
{
	close(waiter->channel);
	waiter->channel = -1;
	waiter->ending->is_keeper_lost = !waiter->is_safe;
}

/* What many keepers find out is said once. */
static bool is_said(struct waiter *waiter, const char *line)
{
	uint64_t hash = measure_hash(MEASURE_HASH_START, line, strlen(line));

	for (size_t i = 0; i < waiter->nr_said && i < MOST_SAID; i++)
		if (waiter->said[i] == hash)
			return true;
	waiter->said[waiter->nr_said++ % MOST_SAID] = hash;
	return false;
}

/* All that there is just now. */
static void pass_on_lines(struct waiter *waiter)
{
	struct measure_ipc_message message;

	do {
		measure_ipc_receive(waiter->care->lines, &message);
		if (message.word == MEASURE_MSG_TEXT && !is_said(waiter, message.text) &&
			write(STDERR_FILENO, message.text, strlen(message.text)) < 0)
			return;
	} while (message.word == MEASURE_MSG_TEXT);
	waiter->has_lines = message.word != MEASURE_MSG_GONE;
}

static void hear(struct waiter *waiter)
{
	struct measure_ipc_message message;

	measure_ipc_receive(waiter->channel, &message);
	switch (message.word) {
	case MEASURE_MSG_UNCLAIMED:
		waiter->ending->is_unclaimed = true;
		waiter->ending->is_served = message.value;
		break;
	case MEASURE_MSG_GONE:
		note_loss(waiter);
		break;
	case MEASURE_MSG_ANOTHER:
		if (waiter->is_over)
			tell_end(waiter);
		else
			tell_program(waiter);
		break;
	case MEASURE_MSG_DOES:
		snprintf(waiter->awaited, sizeof(waiter->awaited), "%.*s",
			(int)sizeof(waiter->awaited) - 1, message.text);
		break;
	case MEASURE_MSG_SAFE:
		waiter->is_safe = true;
		break;
	default:
		break;
	}
}

static void forward(struct waiter *waiter)
{
	for (int number = 1; waiter->pending; number++, waiter->pending >>= 1)
		if (waiter->pending & 1)
			kill(waiter->program, number);
}

static void supervisor_look(struct waiter *waiter, int timeout)
{
	struct pollfd polled[3] = {{waiter->signal_fd, POLLIN, 0}, {waiter->channel, POLLIN, 0},
		{waiter->has_lines ? waiter->care->lines : -1, POLLIN, 0}};

	if (poll(polled, 3, timeout) == 0)
		forward(waiter);
	if (polled[0].revents)
		take_signals(waiter);
	if (polled[2].revents)
		pass_on_lines(waiter);
	if (polled[1].revents)
		hear(waiter);
}

/* No signalfd: wait as simply as can be. */
static void wait_plainly(pid_t program, int *status)
{
	while (waitpid(program, status, 0) < 0 && errno == EINTR)
		;
}

/* The disk may hang, or the keeper get no processor: who waits is told what for, once. */
static void say_what_for(struct waiter *waiter)
{
	measure_cli_say("%s: waiting for %s: interrupt to stop waiting; the keeper "
			"continues; if no archive appears, run measure-repair",
		waiter->care->directory, waiter->awaited);
}

/* The program has ended. */
static void await_safety(struct waiter *waiter)
{
	int64_t now = measure_now_ms(), word = now + WORD_MS, hurry = INT64_MAX;

	if (waiter->care->is_launched && WIFSIGNALED(waiter->ending->status))
		hurry = now + HURRY_MS;
	for (; !waiter->is_safe && waiter->channel >= 0 && now < hurry; now = measure_now_ms()) {
		int64_t next = hurry < word ? hurry : word;
		if (now >= word) {
			say_what_for(waiter);
			word = INT64_MAX;
		} else {
			supervisor_look(waiter, next == INT64_MAX ? -1 : (int)(next - now));
		}
	}
}

void measure_supervise(
	pid_t program, const struct measure_supervise_args *care, struct measure_exit_info *ending)
{
	struct waiter waiter = {.program = program,
		.channel = care->channel,
		.has_lines = true,
		.care = care,
		.ending = ending,
		.awaited = "its keeper, which does not answer (does the disk hang?)"};
	sigset_t set;

	memset(ending, 0, sizeof(*ending));
	tell_program(&waiter);
	blocked_signals(&set);
	waiter.signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (waiter.signal_fd < 0) {
		wait_plainly(program, &ending->status);
		return;
	}
	reap(&waiter);
	while (!waiter.is_over)
		supervisor_look(&waiter, waiter.pending ? FORWARD_MS : -1);
	waiter.pending = 0;
	await_safety(&waiter);
	pass_on_lines(&waiter);
	close(waiter.signal_fd);
}

void measure_end_as(int status)
{
	struct rlimit none = {0, 0};
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t set;

	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	int number = WTERMSIG(status);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	sigaction(number, &plain, NULL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + number);
}
