/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start of recording in a process: by the constructor, or by the first event if that comes
 * earlier. There is no end: the keeper sees the process go. */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "clock/clock.h"
#include "config/settings.h"
#include "exec_environment.h"
#include "follow.h"
#include "job_ranks.h"
#include "next_function.h"
#include "start.h"
#include "runtime/definitions/code_region.h"
#include "runtime/definitions/define.h"
#include "runtime/definitions/region_filter.h"
#include "runtime/select/call_filter.h"
#include "runtime/event/counters.h"
#include "runtime/event/transaction.h"
#include "format/rendezvous.h"
#include "format/segment.h"
#include "runtime/patch/patch.h"

static struct measure_settings settings;

measure_status_t measure_start_attach(const char *part, enum measure_wish wish,
	struct measure_segment *segment, char *other, size_t size)
{
	int fd;
	measure_status_t status = measure_rendezvous_connect(part, wish, &fd, other, size);

	if (status != MEASURE_OK)
		return status;
	status = measure_segment_attach(fd, segment);
	close(fd);
	return status;
}

static measure_status_t start_clock(void)
{
	struct measure_clock_choice choice = {settings.clock, 0, settings.clock_origin};

	if (settings.rank != MEASURE_RANK_NONE)
		choice.rank = (uint32_t)settings.rank;
	return measure_clock_start(&choice);
}

static const void *find_option(const char *name, enum measure_setting_type type)
{
	for (size_t i = 0; measure_is_recording() && i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];

		if (setting->type == type && strcmp(setting->name, name) == 0)
			return (const char *)&settings + setting->offset;
	}
	return NULL;
}

const char *measure_option_text(const char *name)
{
	const char *text = find_option(name, MEASURE_SETTING_TEXT);

	return text ? text : find_option(name, MEASURE_SETTING_RULES);
}

uint64_t measure_option_size(const char *name)
{
	const uint64_t *size = find_option(name, MEASURE_SETTING_SIZE);

	return size ? *size : 0;
}

/* Location 0 and its ProgramBegin come first of all events. */
static measure_status_t begin_program(const struct measure_segment *segment)
{
	struct measure_location *location = measure_location_create();
	uint32_t nr_arguments;

	if (!location)
		return MEASURE_ERROR_MEMORY;
	location->time = measure_clock_read();
	nr_arguments = measure_process_define(&settings, location->time, 0);
	measure_binding_describe();
	measure_region_filter_describe();
	measure_throttle_describe();
	measure_call_filter_start(location->time);
	measure_write_program_begin(location, nr_arguments);
	atomic_store(&segment->header->state, MEASURE_SEGMENT_RECORDING);
	return MEASURE_OK;
}

static void count_patched(void)
{
	measure_count(MEASURE_COUNT_PATCHED);
}

static const struct measure_patch_host patch_host = {measure_stacks_may_hold, count_patched};

static measure_status_t claim(struct measure_segment *segment)
{
	static char config[MEASURE_SEGMENT_CONFIG_SIZE];
	const char *why;

	atomic_store(&segment->header->pid, getpid());
	atomic_store(&segment->header->state, MEASURE_SEGMENT_CLAIMED);
	measure_settings_defaults(&settings);
	measure_segment_config(segment, config);
	return measure_settings_parse(&settings, config, &why);
}

static uint32_t own_rank(void)
{
	return settings.rank == MEASURE_RANK_NONE ? 0 : (uint32_t)settings.rank;
}

static _Atomic uint32_t recording_number;

uint32_t measure_recording_number(void)
{
	return atomic_load_explicit(&recording_number, memory_order_relaxed);
}

/* What all recordings of a process begin with: who it is, and the gate. */
static measure_status_t begin_recording(const struct measure_segment *segment)
{
	measure_status_t status = begin_program(segment);

	atomic_fetch_add(&recording_number, 1);
	return status == MEASURE_OK ? measure_gate_open() : status;
}

static measure_status_t start_recording(struct measure_segment *segment)
{
	measure_status_t status = claim(segment);

	if (status != MEASURE_OK)
		return status;
	status = start_clock();
	if (status != MEASURE_OK)
		return status;
	measure_define_start(segment);
	measure_region_filter_start(segment, own_rank());
	status = measure_code_start();
	if (status != MEASURE_OK)
		return status;
	status = measure_locations_start(segment, settings.thread_locations == 0);
	if (status != MEASURE_OK)
		return status;
	measure_throttle_start(segment, settings.overhead);
	if (!settings.no_patch && !measure_is_attached())
		measure_patch_start(&patch_host);
	status = begin_recording(segment);
	if (status == MEASURE_OK)
		measure_counters_start(settings.metrics);
	return status;
}

/* Once more in this process: ids keep their meaning, threads renew their locations by
 * themselves. */
static measure_status_t start_again(struct measure_segment *segment)
{
	measure_status_t status = claim(segment);

	if (status == MEASURE_OK)
		status = start_clock();
	if (status != MEASURE_OK)
		return status;
	measure_define_start(segment);
	measure_region_filter_again(segment, own_rank());
	measure_journal_resume();
	measure_io_again();
	measure_generators_again();
	measure_locations_again(segment, settings.thread_locations == 0);
	measure_code_decide_again();
	measure_throttle_start(segment, settings.overhead);
	return begin_recording(segment);
}

/* Clock, code table and modules are those of the parent. */
static measure_status_t start_child(
	struct measure_segment *segment, const uint8_t *journal, size_t size, uint64_t ticks)
{
	measure_status_t status = claim(segment);
	uint32_t nr_arguments;

	if (status != MEASURE_OK)
		return status;
	measure_define_start(segment);
	measure_region_filter_restart(segment);
	measure_journal_inherit(journal, size);
	nr_arguments = measure_process_define(&settings, ticks, measure_locations_inherited());
	measure_binding_describe();
	measure_region_filter_describe();
	measure_throttle_start(segment, settings.overhead);
	measure_throttle_describe();
	if (!measure_locations_restart(
		    segment, settings.thread_locations == 0, ticks, nr_arguments))
		return MEASURE_ERROR_MEMORY;
	measure_patch_restart();
	atomic_store(&segment->header->state, MEASURE_SEGMENT_RECORDING);
	measure_gate_open_in_child();
	measure_counters_restart();
	measure_adapters_restart();
	return MEASURE_OK;
}

/* Claimed, but could not go on; the keeper says so. */
static void give_up(const struct measure_segment *segment, measure_status_t status)
{
	atomic_store(&segment->header->stop_reason, status);
	atomic_store(&segment->header->state, MEASURE_SEGMENT_STOPPED);
}

void measure_start_child(
	struct measure_segment *segment, const uint8_t *journal, size_t size, uint64_t ticks)
{
	measure_status_t status = start_child(segment, journal, size, ticks);

	if (status != MEASURE_OK)
		give_up(segment, status);
}

/* Off: nothing was claimed. */
static void start_start(char **environment)
{
	struct measure_segment segment;
	char part[4096], own[512];

	if (!measure_environment_take(environment, part, sizeof(part)))
		return;
	if (measure_start_attach(part, MEASURE_WISH_SEGMENT, &segment, own, sizeof(own)) !=
		MEASURE_OK)
		return;

	measure_status_t status = start_recording(&segment);
	if (status != MEASURE_OK) {
		give_up(&segment, status);
		return;
	}
	measure_follow_start(&segment, part, &settings);
	measure_job_ranks_start(&settings);
	measure_follow_move(&segment, own);
	measure_fork_start(&segment);
}

static struct {
	struct measure_segment segment;
	struct measure_segment_place place;
	bool is_on;
	char part[4096];
} attached;

static measure_status_t attach_segment(enum measure_wish wish)
{
	char own[512];
	int fd;
	measure_status_t status =
		measure_rendezvous_connect(attached.part, wish, &fd, own, sizeof(own));

	if (status != MEASURE_OK)
		return status;
	status = measure_segment_attach_at(fd, &attached.place, &attached.segment);
	close(fd);
	return status;
}

measure_status_t measure_start_attached(const char *part)
{
	measure_status_t status;

	if (strlen(part) >= sizeof(attached.part))
		return MEASURE_ERROR_USAGE;
	strcpy(attached.part, part);
	status = attach_segment(MEASURE_WISH_SEGMENT);
	if (status != MEASURE_OK)
		return status;
	if (measure_recording_number() == 0)
		status = start_recording(&attached.segment);
	else
		status = start_again(&attached.segment);
	attached.is_on = true;
	if (status != MEASURE_OK) {
		give_up(&attached.segment, status);
		measure_gate_close();
		measure_start_detached();
		return status;
	}
	measure_follow_start(&attached.segment, part, &settings);
	measure_fork_start(&attached.segment);
	return MEASURE_OK;
}

/* The keeper closes the part when it is told. */
void measure_start_detached(void)
{
	struct measure_signals saved;

	measure_follow_end();
	measure_exit_watch(NULL);
	measure_define_lock(&saved);
	measure_journal_keep();
	measure_define_unlock(&saved);
	attached.is_on = false;
	measure_rendezvous_leave(attached.part);
	measure_segment_vacate(&attached.segment, &attached.place);
}

bool measure_start_is_attached(void)
{
	return attached.is_on;
}

void measure_start_part(char *part, size_t size)
{
	snprintf(part, size, "%s", attached.part);
}

static char **first_environment; /* the constructor's; `environ` may not be set by then */

static _Atomic pid_t starter; /* thread that is starting; only that thread finds its own id */

static void start_once(void)
{
	int saved = errno;

	atomic_store_explicit(&starter, gettid(), memory_order_relaxed);
	start_start(first_environment ? first_environment : environ);
	atomic_store_explicit(&starter, 0, memory_order_relaxed);
	errno = saved;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* An event before our constructor ran: other libraries may come earlier. A forked child finds
 * the gate closed and `once` done. Starting itself makes events where the program's allocator
 * is instrumented: `once` would wait for itself. */
void measure_start_lazily(void)
{
	pid_t who = atomic_load_explicit(&starter, memory_order_relaxed);

	if (who == 0 || who != gettid())
		pthread_once(&once, start_once);
}

/* With a priority of its own: link-time optimization joins those of one priority, and passes no
 * arguments then. */
__attribute__((constructor(65534))) static void construct(int count, char **arguments, char **environment)
{
	(void)count, (void)arguments;
	first_environment = environment;
	measure_start_lazily();
}
