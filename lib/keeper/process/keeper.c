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
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "assemble/close/truncation.h"
#include "assemble/close/part_close.h"
#include "assemble/part/journal_file.h"
#include "format/run_layout.h"
#include "base/procfs.h"
#include "format/ipc.h"
#include "cli/cli.h"
#include "children.h"
#include "clock/clock.h"
#include "keeper/sampling/topology_probe.h"
#include "keeper/symbols/filter_resolver.h"
#include "segment_owner.h"
#include "snapshots.h"
#include "finalizer.h"
#include "launch/plan/launcher.h"
#include "format/rendezvous.h"
#include "format/segment.h"
#include "metric/list.h"
#include "base/posix.h"
#include "keeper/spool/populator.h"
#include "keeper/sampling/sampler.h"
#include "seconds.h"
#include "keeper/spool/spooler.h"
#include "hang_watch.h"
#include "monitor.h"

#define LIFE_STACK (4 << 20) /* assembly reads other people's debug information */

/* First record of our journal: repair needs the chunk size, others whether we live. A second keeper
 * has one as well. */
static measure_status_t open_journal(const struct measure_keeper *keeper, int *journal_fd)
{
	char host[256] = "";
	uint8_t frame[512];

	gethostname(host, sizeof(host) - 1);
	struct measure_def_keeper def = {host, getpid(), measure_process_start(getpid()),
		keeper->settings->chunk, measure_settings_kept(keeper->settings)};
	size_t size = measure_def_keeper_frame(&def, frame, sizeof(frame));
	if (measure_journal_append(keeper->part_fd, MEASURE_JOURNAL_OF_KEEPER, frame, size) !=
		MEASURE_OK)
		return MEASURE_ERROR_IO;
	*journal_fd =
		openat(keeper->part_fd, MEASURE_JOURNAL_OF_KEEPER, O_WRONLY | O_APPEND | O_CLOEXEC);
	return *journal_fd >= 0 ? MEASURE_OK : MEASURE_ERROR_IO;
}

/* ---------------------------------------------------------------------- part --- */

enum outcome {
	OUTCOME_DONE,	/* the part is done */
	OUTCOME_OFF,	/* nothing was recorded */
	OUTCOME_BROKEN	/* something was, but could not be finished */
};

static enum outcome keeper_refuse(const struct measure_keeper *keeper, const char *why)
{
	measure_cli_say("%s: cannot write: %s: free space or choose another --output",
		keeper->rundir->path, why);
	return OUTCOME_OFF;
}

static const char *stop_text(measure_status_t reason)
{
	return reason == MEASURE_ERROR_OFF
		       ? "it forbids reading the clock (PR_SET_TSC, strict seccomp)"
		       : measure_status_text(reason);
}

/* Recording ended before the program did. */
static void note_stop(
	const struct measure_spooler *spooler, struct measure_def_end *end, char *reason, size_t size)
{
	const struct measure_segment_header *header = spooler->spool.segment->header;

	if (spooler->spool.status != MEASURE_OK)
		return;
	if (atomic_load(&header->state) == MEASURE_SEGMENT_STOPPED)
		snprintf(reason, size, "recording stopped in the program: %s",
			stop_text(atomic_load(&header->stop_reason)));
	else if (atomic_load(&spooler->volume.is_reached))
		snprintf(reason, size, "recording stopped when --max-size was reached");
	else if (spooler->settings->full == MEASURE_FULL_STOP && atomic_load(&header->is_over))
		snprintf(
			reason, size, "recording stopped when event memory was full (--full=stop)");
	else
		return;
	if (!atomic_load(&spooler->volume.is_reached)) /* else it was said */
		measure_cli_say("%s", reason);
	end->reason = reason;
	end->cut = MEASURE_TRUNCATION_STOPPED;
}

/* The part's files could not be written: for want of space, or because somebody removed them. */
static void complain(
	const struct measure_keeper *keeper, const struct measure_spooler *spooler, measure_status_t status)
{
	measure_part_break(keeper->part_fd);
	if (!measure_part_say_removed(keeper->part_fd, keeper->rundir->path) &&
		spooler->spool.status == MEASURE_OK) /* else it was said */
		measure_cli_say("%s: cannot write the recorded events: %s: free space and run "
				"measure-repair",
			keeper->rundir->path, measure_status_text(status));
}

/* Where no `measure` has waited for the process, or it was waited for before we looked. What is no
 * exit status was overwritten. */
static void note_exit(const struct measure_segment *segment, const struct measure_monitor *watch,
	struct measure_def_end *end)
{
	uint32_t said = atomic_load(&segment->header->exit_said);

	if (end->processor_time == 0 && (said & ~UINT32_C(0xff)) == MEASURE_EXIT_SAID)
		end->processor_time = atomic_load(&segment->header->exit_time);
	if (end->processor_time > watch->time_before)
		end->processor_time -= watch->time_before;
	if (end->how != MEASURE_END_UNKNOWN || (said & ~UINT32_C(0xff)) != MEASURE_EXIT_SAID)
		return;
	end->how = MEASURE_END_EXITED;
	end->status = said & ~MEASURE_EXIT_SAID;
}

/* The process is gone: the rest to the files, and the part is done. What cannot be written now
 * stays for measure-repair. */
static enum outcome keeper_finish(struct measure_keeper *keeper, struct measure_spooler *spooler,
	struct measure_monitor *watch)
{
	struct measure_def_end *end = &watch->end;
	const struct measure_segment *segment = spooler->spool.segment;
	char reason[128];

	note_stop(spooler, end, reason, sizeof(reason));
	if (measure_spooler_pass(spooler, true) != MEASURE_OK)
		end->cut = MEASURE_TRUNCATION_DISK;
	measure_spool_close(&spooler->spool);
	unlinkat(keeper->part_fd, MEASURE_RENDEZVOUS_NAME, 0);
	note_exit(segment, watch, end);
	measure_segment_owner_count_keepers(keeper, segment->header);
	measure_children_count_missing(segment->header);
	measure_status_t status =
		measure_unrecorded_write(&keeper->known->unrecorded, keeper->part_fd);
	if (status == MEASURE_OK)
		status = measure_part_close(segment, keeper->part_fd, end);
	if (status == MEASURE_OK)
		status = measure_part_done(keeper->rundir->parts_fd, keeper->part);
	if (status == MEASURE_OK)
		return OUTCOME_DONE;
	complain(keeper, spooler, status);
	return OUTCOME_BROKEN;
}

static measure_status_t open_spool(struct measure_spool *spool, bool is_second,
	const struct measure_keeper *keeper, const struct measure_segment *segment)
{
	enum measure_spool_mode mode = (enum measure_spool_mode)keeper->settings->spool;
	measure_status_t status =
		is_second ? measure_spool_resume(spool, segment, keeper->part_fd, mode)
			  : measure_spool_open(spool, segment, keeper->part_fd, mode);
	double seconds;

	if (status != MEASURE_OK)
		return status;
	spool->status = (measure_status_t)atomic_load(&keeper->known->stopped);
	if (*keeper->settings->metrics)
		spool->flush.most_taken_back = 1 + MEASURE_METRIC_MOST;
	if (measure_seconds_parse(keeper->settings->flush_interval, &seconds))
		measure_flush_set(spool, seconds);
	if (measure_settings_kept(keeper->settings) != MEASURE_KEPT_ALL)
		measure_retention_open(spool, keeper->settings);
	return MEASURE_OK;
}

/* By more than one word, as the process may have overwritten that. */
static bool is_claimed(const struct measure_spool *spool)
{
	return atomic_load(&spool->segment->header->state) != MEASURE_SEGMENT_CREATED ||
	       spool->journal_written > 0 || measure_segment_journal_size(spool->segment) > 0;
}

/* What `measure` names while nothing comes from here. */
static void stop_writers(struct measure_keeper *keeper, struct measure_monitor *watch,
	struct measure_sampler *sampler, struct measure_spooler *spooler)
{
	if (sampler->is_running)
		measure_ipc_send(keeper->channel, MEASURE_MSG_DOES, 0, -1,
			"the last metrics to be read (does a plug-in hang?)");
	measure_sampler_stop(sampler, watch->end.ticks, watch->end.how == MEASURE_END_REPLACED);
	measure_ipc_send(keeper->channel, MEASURE_MSG_DOES, 0, -1,
		"the last events to be written (does the disk hang?)");
	measure_spooler_stop(spooler);
}

/* To the end of the program. */
static void keeper_watch(const struct measure_keeper *keeper, struct measure_monitor *watch,
	const struct measure_segment *segment)
{
	static struct measure_snapshots snapshots;
	static struct measure_hang_watch hang_watch;

	measure_snapshots_start(&snapshots, keeper, segment->header, watch->is_second);
	measure_hang_watch_start(&hang_watch, keeper, segment);
	measure_monitor_program(watch);
	measure_hang_watch_stop(&hang_watch);
	measure_snapshots_stop(&snapshots);
}

static enum outcome keeper_keep(struct measure_keeper *keeper, struct measure_monitor *watch,
	struct measure_segment *segment)
{
	static struct measure_spooler spooler;
	static struct measure_filter_resolver resolver;
	static struct measure_sampler sampler;
	static struct measure_topology_probe discovery;
	static struct measure_populator populator;

	/* of a child, they have been its parent's */
	memset(&spooler, 0, sizeof(spooler));
	memset(&resolver, 0, sizeof(resolver));
	spooler.settings = keeper->settings;
	spooler.run_directory = keeper->rundir->path;
	spooler.triples = &watch->triples;
	spooler.known = keeper->known;
	if (open_spool(&spooler.spool, watch->is_second, keeper, segment) != MEASURE_OK)
		return keeper_refuse(keeper, strerror(errno));
	measure_sampler_start(&sampler, keeper, segment, &watch->triples, watch->is_second);
	watch->hurry = measure_spooler_hurry;
	watch->hurry_context = &spooler;
	measure_node_sharing_begin(&spooler.sharing, segment, keeper->rundir->parts_fd,
		strcmp(keeper->settings->overhead, "off") != 0, keeper->settings->max_size > 0);
	measure_written_bytes_begin(
		&spooler.volume, keeper->settings, keeper->rundir->path, keeper->rundir->parts_fd);
	int error = measure_spooler_start(&spooler);
	if (error != 0) {
		measure_cli_say("cannot start a thread to write events: %s: check ulimit -u",
			strerror(error));
		return OUTCOME_OFF;
	}
	measure_populator_start(&populator, segment);
	resolver.segment = segment;
	resolver.filter = keeper->rules->filter;
	resolver.rank =
		measure_launcher_is_there(keeper->settings) ? (uint32_t)keeper->settings->rank : 0;
	measure_filter_resolver_begin(&resolver);
	measure_topology_probe_plan(&discovery, keeper, watch);
	keeper_watch(keeper, watch, segment);
	measure_filter_resolver_end(&resolver);
	if (watch->end.how == MEASURE_END_REPLACED)
		keeper->channel = -1; /* it is the next keeper's */
	measure_monitor_late_children(watch);
	measure_monitor_await_successor(watch);
	measure_populator_stop(&populator);
	stop_writers(keeper, watch, &sampler, &spooler);
	measure_children_await_parts();
	measure_topology_probe_await(&discovery);
	measure_clock_snapshots_write(&watch->triples);
	close(watch->triples.journal_fd);
	if (is_claimed(&spooler.spool))
		return keeper_finish(keeper, &spooler, watch);
	if (!keeper->followed)
		measure_ipc_send(
			keeper->channel, MEASURE_MSG_UNCLAIMED, watch->is_served, -1, NULL);
	return OUTCOME_OFF;
}

/* ---------------------------------------------------------------------- life --- */

/* It waits for its segment since before this keeper was there, unless another one has given it. */
static void meet(struct measure_keeper *keeper, struct measure_monitor *watch)
{
	watch->pid = keeper->followed;
	watch->pidfd = keeper->pidfd;
	watch->is_alone = keeper->channel < 0;
	watch->time_before = measure_process_time(keeper->followed);
	if (measure_rendezvous_hand_over(keeper->connection, watch->segment_fd, keeper->part) ==
		MEASURE_OK)
		measure_monitor_note_served(watch);
	close(keeper->connection);
	if (!keeper->before)
		return;
	atomic_store(&keeper->before->has_successor, 1);
	measure_keeper_state_drop(keeper->before);
	keeper->before = NULL;
}

/* What the one before has written is left to measure-repair: the process may go on, and nothing of
 * it must be taken away. */
static enum outcome let_be(const struct measure_keeper *keeper, measure_status_t status)
{
	measure_cli_say("%s: a new keeper cannot take over the event memory of part %s: %s: later "
			"events are lost; run measure-repair when the program has ended",
		keeper->rundir->path, keeper->part, measure_status_text(status));
	return OUTCOME_BROKEN;
}

/* From nothing to the end of the program, or from the death of another keeper. */
static enum outcome keeper_run(struct measure_keeper *keeper)
{
	struct measure_monitor watch = {.channel = keeper->channel,
		.listen_fd = keeper->listen_fd,
		.known = keeper->known,
		.is_attached = keeper->attached && !keeper->followed,
		.triples.lock = PTHREAD_MUTEX_INITIALIZER,
		.triples.journal_lock = PTHREAD_MUTEX_INITIALIZER,
		.pidfd = -1};
	struct measure_segment segment;

	if (!measure_part_is_in_work(keeper->rundir->parts_fd, keeper->part))
		return OUTCOME_DONE; /* the other one has come that far */
	if (measure_part_own(keeper->part_fd) != MEASURE_OK ||
		open_journal(keeper, &watch.triples.journal_fd) != MEASURE_OK)
		return keeper_refuse(keeper, strerror(errno));
	bool is_second = measure_segment_owner_is_there(keeper);
	measure_status_t status = is_second ? measure_segment_owner_take_over(keeper, &segment)
					    : measure_segment_owner_make(keeper, &segment);
	watch.segment_fd = keeper->memory_fd;
	if (is_second && status != MEASURE_OK)
		return let_be(keeper, status);
	if (status != MEASURE_OK) {
		measure_cli_say(
			"cannot allocate event memory: %s: check --buffer, ulimit -f and ulimit -v",
			measure_status_text(status));
		return OUTCOME_OFF;
	}
	watch.header = segment.header;
	if (watch.is_attached)
		watch.time_before = measure_process_time(keeper->attached);
	measure_children_start(keeper, &segment, &watch);
	if (keeper->followed)
		meet(keeper, &watch);
	if (is_second)
		measure_monitor_recall(&watch);
	enum outcome outcome = keeper_keep(keeper, &watch, &segment);
	keeper->listen_fd = watch.listen_fd; /* closed after the rendezvous */
	return outcome;
}

/* Does not return. */
static void *live(void *argument)
{
	struct measure_keeper *keeper = argument;
	enum outcome outcome = keeper_run(keeper);

	/* A program that comes now is turned away at once. */
	measure_rendezvous_close(keeper->listen_fd);
	if (outcome == OUTCOME_OFF)
		measure_part_off(keeper->rundir->parts_fd, keeper->part);
	if (outcome == OUTCOME_BROKEN)
		measure_ipc_send(keeper->channel, MEASURE_MSG_SAFE, 0, -1, NULL);
	else
		measure_finalizer_run(keeper);
	_exit(0);
}

void measure_keeper_run(struct measure_keeper *keeper)
{
	pthread_t thread;

	prctl(PR_SET_NAME, MEASURE_KEEPER_NAME);
	signal(SIGCHLD, SIG_IGN); /* guards of children need nobody to wait for them */
	if (measure_thread_start(&thread, LIFE_STACK, live, keeper) == 0)
		pthread_join(thread, NULL);
	live(keeper);
	_exit(0);
}
