/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life of a keeper; see keeper.h. */
#include "config.h"

#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "assemble/cut.h"
#include "assemble/finish.h"
#include "base/layout.h"
#include "base/procfs.h"
#include "channel.h"
#include "cli.h"
#include "clock/clock.h"
#include "last.h"
#include "launcher.h"
#include "memory/rendezvous.h"
#include "memory/segment.h"
#include "memory/spool.h"
#include "watch.h"

#define JOURNAL_SIZE  (UINT64_C(128) << 20) /* sparse; bounds the definitions of a process */
#define MAX_LOCATIONS 16384
#define SHARE_OF_SPARE 4 /* a quarter of the address space, where that is limited */

static int channel_for_lines = -1;

static void say_to_measure(const char *line)
{
	measure_channel_send(channel_for_lines, MEASURE_WORD_TEXT, 0, -1, line);
}

/* Our descriptors to 3, 4, ..., all others closed: nothing that we hold may keep a pipe of the
 * job open. */
static void keep_descriptors(struct measure_keeper *keeper)
{
	int *kept[] = {&keeper->channel, &keeper->listen_fd, &keeper->part_fd, &keeper->rundir->fd,
		&keeper->rundir->parts_fd};
	int nr = sizeof(kept) / sizeof(kept[0]);

	/* Out of the way of each other first; not further, the limit may be low. */
	for (int i = 0; i < nr; i++)
		*kept[i] = fcntl(*kept[i], F_DUPFD_CLOEXEC, 3 + nr);
	for (int i = 0; i < nr; i++)
		*kept[i] = dup3(*kept[i], 3 + i, O_CLOEXEC);
	closefrom(3 + nr);

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close(null);
}

/* How many threads may have a chunk beyond the bound of event memory: the program must have
 * room for them in its address space. */
static uint32_t spare_chunks(uint64_t chunk_size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
		limit.rlim_cur / SHARE_OF_SPARE / chunk_size > MAX_LOCATIONS)
		return MAX_LOCATIONS;
	return (uint32_t)(limit.rlim_cur / SHARE_OF_SPARE / chunk_size);
}

static void raise_limit(int resource)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(resource, &limit);
	}
}

/* A session of our own: signals to the job's process group do not come here, and no signal at
 * all ends a keeper early but KILL. */
static void leave_the_job(struct measure_keeper *keeper)
{
	sigset_t all;

	keeper->nr_spare_chunks = spare_chunks(keeper->settings->chunk);
	setsid();
	prctl(PR_SET_NAME, "measure-keeper");
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	raise_limit(RLIMIT_FSIZE);
	raise_limit(RLIMIT_AS);
	raise_limit(RLIMIT_NOFILE);
	keep_descriptors(keeper);
	if (chdir("/") != 0)
		return;
}

/* First record of our journal: repair needs the chunk size, others whether we live. */
static measure_status_t open_journal(const struct measure_keeper *keeper, int *journal_fd)
{
	char host[256] = "";
	uint8_t frame[512];

	gethostname(host, sizeof(host) - 1);
	struct measure_def_keeper def = {host, getpid(), measure_process_start(getpid()),
		keeper->settings->chunk};
	size_t size = measure_def_keeper_frame(&def, frame, sizeof(frame));
	int fd = openat(keeper->part_fd, MEASURE_JOURNAL_OF_KEEPER,
		O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	if (write(fd, frame, size) != (ssize_t)size) {
		close(fd);
		return MEASURE_ERROR_IO;
	}
	*journal_fd = fd;
	return MEASURE_OK;
}

static measure_status_t make_segment(const struct measure_keeper *keeper, int *fd,
	struct measure_segment *segment)
{
	struct measure_segment_size size = {keeper->settings->buffer,
		(uint32_t)keeper->settings->chunk, MAX_LOCATIONS, JOURNAL_SIZE,
		keeper->nr_spare_chunks};
	struct measure_settings told = *keeper->settings;
	struct measure_clock_choice choice = {told.clock,
		measure_launcher_is_there(&told) ? (uint32_t)told.rank : 0, 0};
	size_t length;

	measure_status_t status = measure_clock_start(&choice);
	if (status != MEASURE_OK)
		return status;
	status = measure_segment_create(&size, fd, segment);
	if (status != MEASURE_OK)
		return status;
	told.clock_origin = measure_clock_origin();
	segment->header->is_kept = told.spool == MEASURE_SPOOL_END;
	segment->header->full_policy = told.full;
	segment->header->patience = (uint32_t)told.patience;
	atomic_store(&segment->header->keeper_pid, getpid());
	return measure_settings_print(&told, segment->header->config,
		sizeof(segment->header->config), &length);
}

/* ------------------------------------------------------------------- spooler --- */

struct spooler {
	struct measure_spool spool;
	pthread_t thread;
	_Atomic bool is_over;
	bool was_blocked;
	const struct measure_settings *settings;
	const char *run_directory;
};

/* Once is enough: that may go on and off. */
static void say_full(struct spooler *spooler)
{
	if (spooler->was_blocked)
		return;
	spooler->was_blocked = true;
	if (spooler->settings->full == MEASURE_FULL_WAIT)
		measure_cli_say("%s: %s: when event memory is full the program will wait %llu s "
				"for space, then events are dropped until there is some: free "
				"space",
			spooler->run_directory, strerror(spooler->spool.error),
			(unsigned long long)spooler->settings->patience);
	else
		measure_cli_say("%s: %s: when event memory is full events are dropped until "
				"there is space: free space",
			spooler->run_directory, strerror(spooler->spool.error));
}

/* Says so at the first failure, while the program still runs. */
static measure_status_t pass(struct spooler *spooler, bool is_last)
{
	struct measure_spool *spool = &spooler->spool;

	if (spool->status != MEASURE_OK)
		return spool->status;
	measure_status_t status = measure_spool_pass(spool, is_last);
	if (spool->is_blocked)
		say_full(spooler);
	if (status == MEASURE_OK)
		return status;
	measure_cli_say("%s: event files cannot be written: %s: recording has stopped; free space "
			"and run measure-repair",
		spooler->run_directory, strerror(spool->error));
	return spool->status;
}

static void *run_spooler(void *argument)
{
	struct spooler *spooler = argument;
	const struct measure_segment *segment = spooler->spool.segment;

	while (!atomic_load(&spooler->is_over)) {
		uint32_t seen = atomic_load(&segment->header->full_events);
		if (pass(spooler, false) != MEASURE_OK)
			break;
		measure_spool_wait(segment, seen);
	}
	return NULL;
}

static void stop_spooler(struct spooler *spooler)
{
	atomic_store(&spooler->is_over, true);
	measure_spool_wake(spooler->spool.segment);
	pthread_join(spooler->thread, NULL);
}

/* ---------------------------------------------------------------------- part --- */

enum outcome {
	OUTCOME_DONE,	/* the part is done */
	OUTCOME_OFF,	/* nothing was recorded */
	OUTCOME_BROKEN	/* something was, but could not be finished */
};

static enum outcome refuse(const struct measure_keeper *keeper, const char *why)
{
	measure_cli_say("%s: cannot be written: %s: free space or choose another --output",
		keeper->rundir->path, why);
	return OUTCOME_OFF;
}

/* Recording ended before the program did. */
static void note_stop(
	const struct spooler *spooler, struct measure_def_end *end, char *reason, size_t size)
{
	const struct measure_segment_header *header = spooler->spool.segment->header;

	if (spooler->spool.status != MEASURE_OK)
		return;
	if (atomic_load(&header->state) == MEASURE_SEGMENT_STOPPED)
		snprintf(reason, size, "recording stopped in the program: %s",
			measure_status_text(atomic_load(&header->stop_reason)));
	else if (atomic_load(&header->is_over))
		snprintf(
			reason, size, "recording stopped when event memory was full (--full=stop)");
	else
		return;
	measure_cli_say("%s", reason);
	end->reason = reason;
	end->cut = MEASURE_CUT_STOPPED;
}

/* The process is gone: the rest to the files, and the part is done. What cannot be written now
 * stays for measure-repair. */
static enum outcome finish(struct measure_keeper *keeper, struct spooler *spooler,
	struct measure_def_end *end)
{
	const struct measure_segment *segment = spooler->spool.segment;
	char reason[128];

	note_stop(spooler, end, reason, sizeof(reason));
	if (pass(spooler, true) != MEASURE_OK)
		end->cut = MEASURE_CUT_DISK;
	measure_spool_close(&spooler->spool);
	unlinkat(keeper->part_fd, MEASURE_RENDEZVOUS_NAME, 0);
	measure_status_t status = measure_part_finish(segment, keeper->part_fd, end);
	if (status == MEASURE_OK)
		status = measure_part_done(keeper->rundir->parts_fd, keeper->part);
	if (status == MEASURE_OK)
		return OUTCOME_DONE;
	measure_part_break(keeper->part_fd);
	if (spooler->spool.status == MEASURE_OK) /* else it was said */
		measure_cli_say("%s: the recorded events cannot be written: %s: free space and run "
			"measure-repair", keeper->rundir->path, measure_status_text(status));
	return OUTCOME_BROKEN;
}

static enum outcome keep(struct measure_keeper *keeper, struct measure_watch *watch,
	struct measure_segment *segment)
{
	static struct spooler spooler;

	spooler.settings = keeper->settings;
	spooler.run_directory = keeper->rundir->path;
	if (measure_spool_open(&spooler.spool, segment, keeper->part_fd,
		    (enum measure_spool_mode)keeper->settings->spool) != MEASURE_OK ||
		pthread_create(&spooler.thread, NULL, run_spooler, &spooler) != 0)
		return refuse(keeper, strerror(errno));
	measure_watch_program(watch);
	stop_spooler(&spooler);
	close(watch->journal_fd);
	if (atomic_load(&segment->header->state) != MEASURE_SEGMENT_CREATED)
		return finish(keeper, &spooler, &watch->end);
	measure_channel_send(keeper->channel, MEASURE_WORD_UNCLAIMED, watch->segment_fd < 0, -1,
		NULL);
	return OUTCOME_OFF;
}

/* From nothing to the end of the program. */
static enum outcome run(struct measure_keeper *keeper)
{
	struct measure_watch watch = {.channel = keeper->channel, .listen_fd = keeper->listen_fd,
		.pidfd = -1};
	struct measure_segment segment;

	if (measure_part_own(keeper->part_fd) != MEASURE_OK ||
		open_journal(keeper, &watch.journal_fd) != MEASURE_OK)
		return refuse(keeper, strerror(errno));
	measure_status_t status = make_segment(keeper, &watch.segment_fd, &segment);
	if (status != MEASURE_OK) {
		measure_cli_say("event memory cannot be had: %s: check --buffer and --chunk",
			measure_status_text(status));
		return OUTCOME_OFF;
	}
	enum outcome outcome = keep(keeper, &watch, &segment);
	keeper->listen_fd = watch.listen_fd; /* closed after the rendezvous */
	return outcome;
}

void measure_keeper_run(struct measure_keeper *keeper)
{
	leave_the_job(keeper);
	channel_for_lines = keeper->channel;
	measure_cli_redirect(say_to_measure);

	enum outcome outcome = run(keeper);
	/* A program that comes now is turned away at once. */
	close(keeper->listen_fd);
	if (outcome == OUTCOME_OFF)
		measure_part_off(keeper->rundir->parts_fd, keeper->part);
	if (outcome == OUTCOME_BROKEN)
		measure_channel_send(keeper->channel, MEASURE_WORD_SAFE, 0, -1, NULL);
	else
		measure_last_out(keeper);
	_exit(0);
}
