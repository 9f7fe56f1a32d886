/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The definition lock and the journal's end in the process; see define.h. The smaller
 * definitions of adapter.h are here too; regions and communicators have files of their own. */
#define _GNU_SOURCE
#include "config.h"

#include "define.h"

#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapter.h"
#include "format/journal.h"
#include "runtime/gate/gate.h"
#include "format/segment.h"
#include "mutex.h"
#include "pages.h"

static struct measure_segment segment;
static struct measure_mutex lock;
static _Atomic pthread_t holder; /* 0: nobody; only the thread that holds it finds itself */

void measure_define_start(const struct measure_segment *attached)
{
	segment = *attached;
}

#define KERNEL_SET (_NSIG / 8) /* bytes */

/* By hand: pthread_sigmask() leaves out the signal by which the C library cancels threads, and a
 * thread that was cancelled asynchronously would keep the lock for good. */
void measure_signals_block(struct measure_signals *saved)
{
	sigset_t all;

	memset(&all, 0xff, sizeof(all));
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &saved->mask, KERNEL_SET);
}

void measure_signals_restore(const struct measure_signals *saved)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &saved->mask, NULL, KERNEL_SET);
}

void measure_define_lock_blocked(void)
{
	measure_mutex_lock(&lock);
	atomic_store_explicit(&holder, pthread_self(), memory_order_relaxed);
}

bool measure_define_try_blocked(void)
{
	if (!measure_mutex_try(&lock))
		return false;
	atomic_store_explicit(&holder, pthread_self(), memory_order_relaxed);
	return true;
}

void measure_define_unlock_blocked(void)
{
	atomic_store_explicit(&holder, 0, memory_order_relaxed);
	measure_mutex_unlock(&lock);
}

void measure_define_lock(struct measure_signals *saved)
{
	measure_signals_block(saved);
	measure_define_lock_blocked();
}

void measure_define_unlock(const struct measure_signals *saved)
{
	measure_define_unlock_blocked();
	measure_signals_restore(saved);
}

bool measure_define_is_locked_here(void)
{
	return atomic_load_explicit(&holder, memory_order_relaxed) == pthread_self();
}

static uint64_t committed(void)
{
	return measure_segment_journal_size(&segment);
}

uint8_t *measure_journal_place(void)
{
	return segment.journal + committed();
}

size_t measure_journal_room(void)
{
	return segment.layout.journal_size - committed();
}

/* Release pairs with the spooler's acquire: it copies whole frames only. */
void measure_journal_commit(size_t length)
{
	if (length > measure_journal_room()) {
		atomic_store(&segment.header->stop_reason, MEASURE_ERROR_MEMORY);
		atomic_store(&segment.header->state, MEASURE_SEGMENT_STOPPED);
		measure_gate_close();
		return;
	}
	atomic_store_explicit(&segment.header->journal_committed, committed() + length,
		memory_order_release);
}

/* What child_started is promised, and what functions need. */
static bool is_inherited(uint32_t kind)
{
	switch (kind) {
	case MEASURE_RECORD_MODULE:
	case MEASURE_RECORD_CODE_REGION:
	case MEASURE_RECORD_REGION:
	case MEASURE_RECORD_REGION_OFF:
	case MEASURE_RECORD_THROTTLE:
	case MEASURE_RECORD_ATTRIBUTE:
	case MEASURE_RECORD_PARAMETER:
	case MEASURE_RECORD_STRING:
	case MEASURE_RECORD_METRIC:
	case MEASURE_RECORD_METRIC_CLASS:
	case MEASURE_RECORD_INTERRUPT_GENERATOR:
	case MEASURE_RECORD_CALLING_CONTEXT:
		return true;
	default:
		return false;
	}
}

/* Of the process as it is: what adapters and the program remember by its id. What each recording
 * defines again would add up. */
static bool is_kept(uint32_t kind)
{
	switch (kind) {
	case MEASURE_RECORD_REGION_OFF: /* functions are decided again */
	case MEASURE_RECORD_THROTTLE:
	case MEASURE_RECORD_INTERRUPT_GENERATOR:
		return false;
	case MEASURE_RECORD_COMM:
	case MEASURE_RECORD_COMM_NAME:
	case MEASURE_RECORD_CART:
	case MEASURE_RECORD_WINDOW:
	case MEASURE_RECORD_WINDOW_NAME:
	case MEASURE_RECORD_GROUP:
	case MEASURE_RECORD_IO_PARADIGM:
		return true;
	default:
		return is_inherited(kind);
	}
}

/* Every recording has the program's arguments of its own. */
static bool is_argument(uint32_t kind, struct measure_decoder payload)
{
	struct measure_def_string def;

	return kind == MEASURE_RECORD_STRING &&
	       measure_def_string_decode(&payload, &def) == MEASURE_OK &&
	       def.id <= MEASURE_MOST_ARGUMENTS;
}

static void inherit(const uint8_t *parents, size_t size, bool (*is_wanted)(uint32_t kind))
{
	struct measure_journal_reader reader = {.data = parents, .size = size};
	struct measure_decoder payload;
	uint32_t kind;

	for (size_t begin = 0; measure_journal_next(&reader, &kind, &payload) == MEASURE_OK;
		begin = reader.position) {
		size_t length = reader.position - begin;
		if (!is_wanted(kind) || is_argument(kind, payload))
			continue;
		if (length <= measure_journal_room())
			memcpy(measure_journal_place(), parents + begin, length);
		measure_journal_commit(length);
	}
}

void measure_journal_inherit(const uint8_t *parents, size_t size)
{
	inherit(parents, size, is_inherited);
}

static uint8_t *kept;
static size_t kept_size, kept_room;

bool measure_journal_keep(void)
{
	const size_t size = committed();

	kept_size = 0;
	if (size > kept_room) {
		measure_pages_return(kept, kept_room);
		kept_room = 0;
		kept = measure_pages_get(2 * size);
		if (!kept)
			return false;
		kept_room = 2 * size;
	}
	memcpy(kept, segment.journal, size);
	kept_size = size;
	return true;
}

void measure_journal_resume(void)
{
	inherit(kept, kept_size, is_kept);
}

void measure_world_define(uint32_t rank, uint32_t size, struct measure_comm_key world)
{
	struct measure_def_world def = {rank, size, world.high, world.low};

	measure_comm_note_world_rank(rank);
	if (!measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(world, &def);
}

void measure_clock_sample_define(const struct measure_clock_sample *sample)
{
	struct measure_def_clock_sample def = {sample->ticks, sample->offset, sample->bound};

	if (!measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(clock_sample, &def);
}

void measure_property_define(const char *name, const char *value)
{
	struct measure_def_property def = {name, value};

	if (!measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(property, &def);
}
