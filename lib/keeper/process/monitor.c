/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watching a program; see monitor.h. */
#include "config.h"

#include "monitor.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/procfs.h"
#include "format/ipc.h"
#include "clock/clock.h"
#include "exit_status.h"
#include "base/posix.h"

#define TRIPLE_MS 1000 /* a process that is killed with us has ended by so much later at most */
#define BLIND_MS  100  /* between looks at a program where the kernel has no pidfd */
#define LATE_MS   2000 /* for a forked child to come when its parent is gone */
#define ASKING_MS 5000 /* for a program to be answered; so long it waits */
#define ANSWER_MS 2    /* between looks whether it was */
#define STATUS_MS 1000 /* for `measure` to tell how the program ended */

static void note_end(struct measure_monitor *watch, int status, const char *who)
{
	snprintf(watch->reason, sizeof(watch->reason), "%.*s", (int)sizeof(watch->reason) - 1, who);
	watch->end.reason = watch->reason;
	watch->end.how = WIFSIGNALED(status) ? MEASURE_END_SIGNALLED : MEASURE_END_EXITED;
	watch->end.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* Twice where a keeper has died and this one has found out by itself whom to watch. */
static void note_program(struct measure_monitor *watch, pid_t pid, int pidfd)
{
	if (watch->pidfd >= 0)
		close(watch->pidfd);
	watch->pid = pid;
	watch->pidfd = pidfd;
	atomic_store(&watch->known->start_time, measure_process_start(pid));
	atomic_store_explicit(&watch->known->pid, pid, memory_order_release);
}

void measure_monitor_recall(struct measure_monitor *watch)
{
	const struct measure_keeper_state *known = watch->known;
	pid_t pid = atomic_load_explicit(&known->pid, memory_order_acquire);

	watch->is_second = true;
	watch->is_served = atomic_load(&known->is_served) ||
			   atomic_load(&watch->header->state) != MEASURE_SEGMENT_CREATED;
	if (pid == 0 || watch->pid != 0)
		return;
	watch->pid = pid;
	watch->pidfd = measure_pidfd_open(pid);
	watch->is_gone = measure_process_start(pid) != atomic_load(&known->start_time);
}

static void hear(struct measure_monitor *watch)
{
	struct measure_ipc_message message;

	measure_ipc_receive(watch->channel, &message);
	switch (message.word) {
	case MEASURE_MSG_PROGRAM:
		note_program(watch, message.value, message.fd);
		break;
	case MEASURE_MSG_ENDED:
		note_end(watch, message.value, message.text);
		watch->is_gone = true;
		break;
	case MEASURE_MSG_SNAPSHOT:
		measure_segment_want_snapshot(watch->header);
		break;
	case MEASURE_MSG_GONE:
		watch->is_alone = true;
		watch->is_gone = watch->is_gone || watch->pid == 0 ||
				 (watch->is_attached && !watch->is_served);
		break;
	default:
		break;
	}
}

static void stop_listening(struct measure_monitor *watch)
{
	measure_rendezvous_close(watch->listen_fd);
	watch->listen_fd = -1;
}

void measure_monitor_note_served(struct measure_monitor *watch)
{
	watch->is_served = true;
	atomic_store(&watch->known->is_served, 1);
}

/* Once; who wants more of us are the program's children. */
static void hand_over(struct measure_monitor *watch, int connection)
{
	if (measure_rendezvous_hand_over(connection, watch->segment_fd, "") != MEASURE_OK)
		return;
	measure_monitor_note_served(watch);
	if (watch->follow || watch->is_attached)
		return;
	stop_listening(watch);
}

/* What it has recorded is complete; it says no more. */
static void note_detached(struct measure_monitor *watch)
{
	watch->end.ticks = measure_clock_now();
	watch->end.how = MEASURE_END_DETACHED;
	watch->end.processor_time = measure_process_time(watch->pid);
	watch->is_gone = true;
}

static void note_replaced(struct measure_monitor *watch, uint64_t ticks)
{
	watch->end.ticks = ticks;
	watch->end.how = MEASURE_END_REPLACED;
	watch->end.processor_time = measure_process_time(watch->pid);
	watch->is_gone = true;
}

/* What it was ends here, before what it has become begins. */
static void replace(
	struct measure_monitor *watch, int connection, const struct measure_visitor *visitor)
{
	bool is_again = watch->end.how == MEASURE_END_REPLACED;
	uint64_t ticks = is_again ? watch->end.ticks : measure_clock_now();

	if (!is_again)
		measure_clock_snapshots_take(&watch->triples);
	if (watch->follow(watch, connection, visitor, ticks))
		note_replaced(watch, ticks);
}

static void serve_child(
	struct measure_monitor *watch, int connection, const struct measure_visitor *visitor)
{
	if (!watch->follow || !watch->follow(watch, connection, visitor, 0))
		return;
	atomic_fetch_add(&watch->known->nr_followed, 1);
	atomic_fetch_add(&watch->known->nr_images, visitor->wish == MEASURE_WISH_SEGMENT);
}

/* It has asked, and goes on without us since: we were stopped, or had no processor. */
static bool has_given_up(int connection)
{
	struct pollfd polled = {connection, 0, 0};

	return poll(&polled, 1, 0) > 0 && polled.revents & POLLHUP;
}

static void serve_segment(
	struct measure_monitor *watch, int connection, const struct measure_visitor *visitor)
{
	if (has_given_up(connection)) {
		if (visitor->pid == watch->pid &&
			watch->is_served) /* children are counted elsewhere */
			atomic_fetch_add(&watch->header->counts[MEASURE_COUNT_UNFOLLOWED], 1);
	} else if (visitor->pid != watch->pid) {
		serve_child(watch, connection, visitor);
	} else if (!watch->is_served) {
		hand_over(watch, connection);
	} else if (watch->follow && !atomic_load(&watch->known->has_successor)) {
		replace(watch, connection, visitor);
	}
}

static void serve(struct measure_monitor *watch)
{
	static struct measure_visitor visitor;
	int connection = measure_rendezvous_accept(watch->listen_fd, &visitor);

	if (connection < 0 && errno == EINVAL) /* closed by a keeper that has died since */
		stop_listening(watch);
	if (connection < 0)
		return;
	if (visitor.wish == MEASURE_WISH_LEAVE && visitor.pid == watch->pid && watch->is_attached)
		note_detached(watch);
	else if (visitor.wish == MEASURE_WISH_SEGMENT || visitor.wish == MEASURE_WISH_CHILD)
		serve_segment(watch, connection, &visitor);
	else if (visitor.wish == MEASURE_WISH_IMAGE && watch->answer)
		watch->answer(connection, &visitor);
	close(connection);
}

static volatile sig_atomic_t is_told_to_end;

static void note_signal(int number)
{
	(void)number;
	is_told_to_end = 1;
}

/* As poll(), but SIGTERM, which is blocked, comes while it waits and ends it. */
static void await_any(struct pollfd *polled, nfds_t nr, int timeout)
{
	const struct timespec time = {timeout / 1000, timeout % 1000 * 1000000};
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	sigdelset(&mask, SIGTERM);
	ppoll(polled, nr, &time, &mask);
}

static void heed_signal(struct measure_monitor *watch)
{
	if (!is_told_to_end)
		return;
	is_told_to_end = 0;
	measure_clock_snapshots_take(&watch->triples);
	watch->hurry(watch->hurry_context);
}

/* Nobody may have waited for it yet: so long its processor time can be asked for. */
static void note_gone(struct measure_monitor *watch)
{
	watch->is_gone = true;
	watch->end.processor_time = measure_process_time(watch->pid);
}

/* One look at all that can happen. The rendezvous waits until we know whom to await. */
static void monitor_look(struct measure_monitor *watch, int timeout)
{
	struct pollfd polled[3] = {
		{watch->is_alone ? -1 : watch->channel, POLLIN, 0},
		{watch->pidfd, POLLIN, 0},
		{watch->pid ? watch->listen_fd : -1, POLLIN, 0},
	};

	if (watch->pid && watch->pidfd < 0 && timeout > BLIND_MS)
		timeout = BLIND_MS;
	await_any(polled, 3, timeout);
	heed_signal(watch);
	if (polled[0].revents)
		hear(watch);
	if (polled[2].revents)
		serve(watch);
	if (polled[1].revents)
		note_gone(watch);
	else if (watch->pid && watch->pidfd < 0 && measure_process_start(watch->pid) == 0)
		watch->is_gone = true;
}

/* The end is seen here before `measure` has waited for its child. */
static void await_status(struct measure_monitor *watch)
{
	int64_t deadline = measure_now_ms() + STATUS_MS;

	while (!watch->is_alone && watch->pid && watch->end.how == MEASURE_END_UNKNOWN) {
		int64_t left = deadline - measure_now_ms();
		struct pollfd polled = {watch->channel, POLLIN, 0};
		if (left <= 0 || poll(&polled, 1, (int)left) <= 0)
			return;
		hear(watch);
	}
}

/* While there was another keeper, which has died since. */
static void look_back(struct measure_monitor *watch)
{
	uint64_t ticks = atomic_load(&watch->known->replaced);

	if (watch->is_second && ticks != 0)
		note_replaced(watch, ticks);
}

/* `measure` would know, but is gone, or does not wait for this process. */
static void ask_kernel(struct measure_monitor *watch)
{
	int status;

	if (watch->end.how == MEASURE_END_UNKNOWN &&
		measure_exit_status_ask(watch->pid, watch->pidfd, &status))
		note_end(watch, status, "");
}

/* Returns when what comes next is due. */
static int64_t run_errand(struct measure_monitor *watch, int64_t begin, int64_t next)
{
	int64_t due = begin + watch->errand_after;

	if (watch->errand_after < 0)
		return next;
	if (measure_now_ms() < due)
		return due < next ? due : next;
	watch->errand_after = -1;
	watch->deferred_task(watch->errand_context);
	return next;
}

void measure_monitor_program(struct measure_monitor *watch)
{
	int64_t begin = measure_now_ms(), next = begin + TRIPLE_MS;

	watch->end = (struct measure_def_end){.how = MEASURE_END_UNKNOWN};
	sigaction(SIGTERM, &(struct sigaction){.sa_handler = note_signal}, NULL);
	measure_clock_snapshots_take(&watch->triples);
	look_back(watch);
	while (!watch->is_gone) {
		int64_t left = next - measure_now_ms();
		if (left <= 0) {
			measure_clock_snapshots_take(&watch->triples);
			next += TRIPLE_MS;
			continue;
		}
		left = run_errand(watch, begin, next) - measure_now_ms();
		monitor_look(watch, left > 0 ? (int)left : 0);
		look_back(watch);
	}
	if (watch->end.how == MEASURE_END_DETACHED)
		measure_clock_snapshots_take(&watch->triples);
	if (watch->end.how == MEASURE_END_REPLACED || watch->end.how == MEASURE_END_DETACHED)
		return;
	watch->end.ticks = measure_clock_now();
	await_status(watch);
	ask_kernel(watch);
	measure_clock_snapshots_take(&watch->triples);
}

void measure_monitor_late_children(struct measure_monitor *watch)
{
	const struct measure_segment_header *header = watch->header;
	int64_t deadline = measure_now_ms() + LATE_MS;

	while (watch->follow &&
		atomic_load(&watch->known->nr_followed) < atomic_load(&header->nr_expected)) {
		int64_t left = deadline - measure_now_ms();
		struct pollfd polled = {watch->listen_fd, POLLIN, 0};
		if (left <= 0 || poll(&polled, 1, (int)left) <= 0)
			return;
		serve(watch);
	}
}

void measure_monitor_await_successor(struct measure_monitor *watch)
{
	int64_t deadline = measure_now_ms() + ASKING_MS;

	while (watch->end.how == MEASURE_END_REPLACED && watch->follow &&
		!atomic_load(&watch->known->has_successor) && measure_now_ms() < deadline) {
		struct pollfd polled = {watch->listen_fd, POLLIN, 0};
		if (poll(&polled, 1, ANSWER_MS) > 0)
			serve(watch);
	}
}
