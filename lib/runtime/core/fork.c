/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is done around fork(); see start.h. Our handlers are registered before those of anybody
 * else, so they come last before the fork and first after it: everybody else's are called as if
 * ours were not there. clone() and _Fork() call none, and then the gate, which the kernel closes,
 * has to do; vfork() makes no copy. */
#include "config.h"

#include "start.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "clock/clock_inline.h"
#include "follow.h"
#include "start.h"
#include "runtime/definitions/define.h"
#include "runtime/gate/gate.h"
#include "runtime/event/location.h"

static struct measure_segment segment; /* of this process */

/* Between the handlers; under the definition lock. */
static bool is_prepared;
static bool is_followed; /* the child that is being forked */
static struct measure_signals signals;
static uint64_t inherited; /* bytes of the journal; the parent goes on writing to it */

/* Nobody is in the middle of a definition when the memory is copied, nor is a signal handler of
 * ours to come before the child is ready. */
static void before(void)
{
	struct measure_signals saved;

	if (!measure_gate_is_open() || measure_define_is_locked_here())
		return;
	measure_count(MEASURE_COUNT_FORKS);
	measure_signals_block(&saved);
	measure_define_lock_blocked();
	signals = saved;
	is_prepared = true;
	is_followed = measure_follow_has_children() && measure_locations_prepare_fork();
	if (is_followed) {
		measure_follow_expect(1);
		inherited = atomic_load(&segment.header->journal_committed);
	}
}

static void release(void)
{
	struct measure_signals saved = signals;

	is_prepared = false;
	measure_define_unlock(&saved);
}

static void in_parent(void)
{
	if (is_prepared && measure_define_is_locked_here())
		release();
}

/* From here on a write to what is the parent's goes nowhere. */
static void leave_segment(void)
{
	measure_follow_end();
	mmap(segment.header, segment.layout.size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void follow(uint64_t ticks)
{
	struct measure_segment parents = segment, own;
	char name[512];

	if (measure_start_attach(measure_follow_part(), MEASURE_WISH_CHILD, &own, name,
		    sizeof(name)) != MEASURE_OK) {
		/* in the parent's recording, which is the last that we write there */
		measure_follow_expect(-1);
		measure_follow_miss(1);
		leave_segment();
		return;
	}
	measure_define_unlock_blocked(); /* for the start to take it */
	measure_start_child(&own, parents.journal, inherited, ticks);
	measure_define_lock_blocked();
	segment = own;
	measure_exit_watch(&own);
	measure_lock_leave_out(&own);
	measure_follow_move(&own, name);
	measure_segment_detach(&parents);
}

/* fork() is no cancellation point; what asks the keeper is. */
static void in_child(void)
{
	int saved_errno = errno, state;

	if (!is_prepared || !measure_define_is_locked_here())
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	measure_gate_close();
	if (is_followed)
		follow(measure_clock_read());
	else
		leave_segment();
	release();
	pthread_setcancelstate(state, NULL);
	errno = saved_errno;
}

void measure_fork_start(const struct measure_segment *attached)
{
	static bool has_handlers;

	segment = *attached;
	measure_exit_watch(attached);
	measure_lock_leave_out(attached);
	if (!has_handlers)
		has_handlers = pthread_atfork(before, in_parent, in_child) == 0;
}
