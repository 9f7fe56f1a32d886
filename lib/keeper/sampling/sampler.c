/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sampling metrics; see sampler.h. */
#include "config.h"

#include "sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "format/run_layout.h"
#include "cli/cli.h"
#include "clock/clock.h"
#include "base/posix.h"

#define STACK   (1024 * 1024) /* plug-ins may take some */
#define LOOK_MS 5             /* between looks whether the program has begun to record */
#define END_MS  10000         /* for plug-ins to give their last values and to stop */

/* ------------------------------------------------------------ the node, and the job --- */

static void claim_name(char name[320], bool is_of_job)
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++) /* a host's name may not be just any file's */
		if (*c == '/')
			*c = '_';
	if (is_of_job)
		snprintf(name, 320, MEASURE_ONCE_NAME);
	else
		snprintf(name, 320, MEASURE_NODE_FORMAT, host);
}

/* By this part: the keeper before this one has died. */
static bool is_claimed_by_us(const struct measure_keeper *keeper, const char *name)
{
	uint8_t *text;
	size_t size;

	if (measure_file_load(keeper->rundir->parts_fd, name, MEASURE_OWNER_MOST, &text, &size) !=
		MEASURE_OK)
		return false;
	bool is_ours = size == strlen(keeper->part) && memcmp(text, keeper->part, size) == 0;
	free(text);
	return is_ours;
}

/* One keeper of each node, or of the job: who makes the file, until it is gone. */
static bool claim(const struct measure_keeper *keeper, bool is_of_job, bool *has)
{
	char name[320];

	if (*has)
		return true;
	claim_name(name, is_of_job);
	int fd = openat(
		keeper->rundir->parts_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return *has = errno == EEXIST && is_claimed_by_us(keeper, name);
	*has = write(fd, keeper->part, strlen(keeper->part)) > 0;
	close(fd);
	if (!*has)
		unlinkat(keeper->rundir->parts_fd, name, 0);
	return *has;
}

/* Not after the keeper has given it up. */
static bool claim_once(struct measure_sampler *sampler, bool is_of_job)
{
	pthread_mutex_lock(&sampler->lock);
	bool has = !sampler->is_cut && claim(sampler->keeper, is_of_job,
					       is_of_job ? &sampler->has_job : &sampler->has_node);
	pthread_mutex_unlock(&sampler->lock);
	return has;
}

static void sampler_leave(const struct measure_keeper *keeper, bool is_of_job, bool has)
{
	char name[320];

	if (!has)
		return;
	claim_name(name, is_of_job);
	unlinkat(keeper->rundir->parts_fd, name, 0);
}

/* ---------------------------------------------------------------------- sampling --- */

static bool open_scope(const struct measure_sampler *sampler, struct measure_sampler_scope *scope)
{
	pid_t pid = atomic_load_explicit(&sampler->keeper->known->pid, memory_order_acquire);

	if (scope->is_open || scope->is_off)
		return scope->is_open;
	scope->is_off = measure_sample_file_open(sampler->keeper->part_fd, scope->sampling.scope,
				sampler->segment->layout.chunk_size, &scope->file) != MEASURE_OK;
	if (scope->is_off)
		return false;
	scope->is_open = measure_sampled_metrics_begin(&scope->sampling, pid);
	scope->is_off = !scope->is_open;
	if (scope->is_off)
		measure_sample_file_close(&scope->file);
	return scope->is_open;
}

static void close_scope(struct measure_sampler_scope *scope)
{
	if (!scope->is_open)
		return;
	measure_sampled_metrics_end(&scope->sampling);
	measure_sample_file_close(&scope->file);
}

/* The time is that before they are read: nothing in them is of earlier. */
static void sample(struct measure_sampler *sampler, struct measure_sampler_scope *scope)
{
	union measure_metric_value values[MEASURE_MOST_SAMPLED];
	uint8_t types[MEASURE_MOST_SAMPLED];
	uint64_t time = measure_clock_now();

	atomic_store(&sampler->busy, NULL);
	if (!open_scope(sampler, scope) ||
		!measure_sampled_metrics_read(&scope->sampling, types, values))
		return;
	pthread_mutex_lock(&sampler->lock);
	if (!sampler->is_cut && measure_sample_file_put(&scope->file, time, 0, types, values,
					scope->sampling.nr) != MEASURE_OK)
		atomic_fetch_add(&sampler->segment->header->counts[MEASURE_COUNT_UNSAMPLED], 1);
	pthread_mutex_unlock(&sampler->lock);
}

static bool is_for_us(struct measure_sampler *sampler, const struct measure_collector *plugin)
{
	return claim_once(sampler, plugin->plugin.info.scope != MEASURE_SCOREP_NODE);
}

/* With --exec processes of which nothing but the begin is recorded are not in the archive; and in
 * the keeper of what they start, or become, a plug-in cannot start once more. */
static bool will_stay(const struct measure_sampler *sampler)
{
	const struct measure_segment *segment = sampler->segment;

	return !sampler->keeper->settings->exec ||
	       measure_committed_events(atomic_load(&segment->locations[0].committed)) > 1 ||
	       atomic_load(&segment->header->nr_locations) > 1;
}

static void sampler_collect(struct measure_sampler *sampler)
{
	if (!will_stay(sampler))
		return;
	for (uint32_t i = 0; i < sampler->plugins.nr; i++) {
		struct measure_collector *plugin = &sampler->plugins.items[i];
		atomic_store(&sampler->busy, plugin->path);
		if (!plugin->is_off && is_for_us(sampler, plugin) &&
			measure_collector_begin(plugin))
			measure_collector_read(plugin, measure_clock_now());
	}
}

/* Until then there is no time that belongs to the program. */
static bool has_begun(const struct measure_sampler *sampler)
{
	return atomic_load(&sampler->segment->header->state) == MEASURE_SEGMENT_RECORDING &&
	       atomic_load(&sampler->segment->locations[0].committed) != 0;
}

/* Returns whether to go on, at a time in milliseconds. */
static bool await(struct measure_sampler *sampler, int64_t time)
{
	struct timespec until = {time / 1000, time % 1000 * 1000000};

	pthread_mutex_lock(&sampler->lock);
	while (!sampler->is_over &&
		pthread_cond_timedwait(&sampler->wake, &sampler->lock, &until) != ETIMEDOUT)
		;
	bool is_over = sampler->is_over;
	pthread_mutex_unlock(&sampler->lock);
	return !is_over;
}

/* On the thread that has begun them, and when it is known up to when they are to be read. */
static void *end_plugins(struct measure_sampler *sampler)
{
	pthread_mutex_lock(&sampler->lock);
	while (!sampler->is_over)
		pthread_cond_wait(&sampler->wake, &sampler->lock);
	pthread_mutex_unlock(&sampler->lock);
	for (uint32_t i = 0; i < sampler->plugins.nr; i++) {
		atomic_store(&sampler->busy, sampler->plugins.items[i].path);
		measure_collector_end(
			&sampler->plugins.items[i], sampler->end, sampler->is_replaced);
	}
	pthread_mutex_lock(&sampler->lock);
	sampler->is_done = true;
	pthread_cond_signal(&sampler->wake);
	pthread_mutex_unlock(&sampler->lock);
	return NULL;
}

static void *sampler_run(void *argument)
{
	struct measure_sampler *sampler = argument;
	int64_t interval = (int64_t)sampler->keeper->settings->metric_interval;
	int64_t next = measure_now_ms();

	while (!has_begun(sampler))
		if (!await(sampler, next += LOOK_MS))
			return end_plugins(sampler);
	do {
		sample(sampler, &sampler->process);
		if (!sampler->node.is_off && claim_once(sampler, false))
			sample(sampler, &sampler->node);
		sampler_collect(sampler);
		next += interval;
		if (next <= measure_now_ms()) /* those that were missed are not made up for */
			next = measure_now_ms() + interval;
	} while (await(sampler, next) && has_begun(sampler));
	return end_plugins(sampler);
}

/* ------------------------------------------------------------------------- life --- */

static void sampler_choose(struct measure_sampler *sampler, struct measure_sampler_scope *scope,
	uint32_t which, bool is_second)
{
	const struct measure_keeper *keeper = sampler->keeper;

	measure_sampled_metrics_choose(&scope->sampling, keeper->settings->metrics, which);
	scope->is_off = scope->sampling.nr == 0;
	if (is_second && scope->sampling.has_plugin)
		scope->is_off = true; /* the plug-in may be what the first one has died of */
	if (scope->is_off || is_second)
		return;
	scope->is_off =
		measure_sampled_metrics_describe(&scope->sampling, keeper->part_fd) != MEASURE_OK;
}

static void sampler_prepare(struct measure_sampler *sampler)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&sampler->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&sampler->wake, &attributes);
	pthread_condattr_destroy(&attributes);
}

void measure_sampler_start(struct measure_sampler *sampler, const struct measure_keeper *keeper,
	const struct measure_segment *segment, struct measure_clock_snapshots *triples,
	bool is_second)
{
	memset(sampler, 0, sizeof(*sampler)); /* of a child, it has been its parent's */
	sampler->keeper = keeper;
	sampler->segment = segment;
	if (!*keeper->settings->metrics)
		return;
	sampler_choose(sampler, &sampler->process, MEASURE_METRIC_PROCESS, is_second);
	sampler_choose(sampler, &sampler->node, MEASURE_METRIC_NODE, is_second);
	if (!is_second) /* they may be what the first one has died of */
		measure_collectors_choose(&sampler->plugins,
			&(struct measure_collecting){keeper->settings->metrics, keeper->part_fd,
				segment, triples, &sampler->lock, &sampler->is_cut});
	if (sampler->process.is_off && sampler->node.is_off && sampler->plugins.nr == 0)
		return;
	sampler_prepare(sampler);
	int error = measure_thread_start(&sampler->thread, STACK, sampler_run, sampler);
	if (error)
		measure_cli_say("cannot start a thread to sample metrics: %s: recording without "
				"them; check ulimit -u",
			strerror(error));
	sampler->is_running = !error;
}

/* Code of others must not keep the events from being written. */
static bool await_thread(struct measure_sampler *sampler)
{
	int64_t time = measure_now_ms() + END_MS;
	struct timespec until = {time / 1000, time % 1000 * 1000000};

	pthread_mutex_lock(&sampler->lock);
	while (!sampler->is_done &&
		pthread_cond_timedwait(&sampler->wake, &sampler->lock, &until) != ETIMEDOUT)
		;
	sampler->is_cut = !sampler->is_done;
	pthread_mutex_unlock(&sampler->lock);
	if (!sampler->is_cut)
		pthread_join(sampler->thread, NULL);
	return !sampler->is_cut;
}

static void say_cut(struct measure_sampler *sampler)
{
	const char *path = atomic_load(&sampler->busy);

	atomic_fetch_add(&sampler->segment->header->counts[MEASURE_COUNT_UNPLUGGED], 1);
	measure_cli_say("%s: plug-in has not returned for %d s since the program ended: not "
			"waiting for it; its last values are missing",
		path ? path : "metrics that are sampled", END_MS / 1000);
}

void measure_sampler_stop(struct measure_sampler *sampler, uint64_t end, bool is_replaced)
{
	if (!sampler->is_running)
		return;
	pthread_mutex_lock(&sampler->lock);
	sampler->is_over = true;
	sampler->end = end;
	sampler->is_replaced = is_replaced;
	pthread_cond_signal(&sampler->wake);
	pthread_mutex_unlock(&sampler->lock);
	if (await_thread(sampler)) {
		close_scope(&sampler->process);
		close_scope(&sampler->node);
	} else {
		say_cut(sampler);
	}
	sampler_leave(sampler->keeper, false, sampler->has_node);
	sampler_leave(sampler->keeper, true, sampler->has_job);
}
