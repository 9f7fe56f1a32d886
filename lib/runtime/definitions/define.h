/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making definitions in the recording process: one lock, one journal in the segment. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_DEFINE_H
#define MEASURE_RUNTIME_DEFINITIONS_DEFINE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/journal_records.h"

struct measure_segment;

struct measure_signals {
	sigset_t mask;
};

void measure_define_start(const struct measure_segment *segment);

/* Signals are blocked meanwhile: a handler that makes events must not find the lock held by
 * the thread that it interrupted. */
void measure_define_lock(struct measure_signals *saved);
void measure_define_unlock(const struct measure_signals *saved);

/* The parts of it: for who has to keep handlers out for longer. */
void measure_signals_block(struct measure_signals *saved);
void measure_signals_restore(const struct measure_signals *saved);
void measure_define_lock_blocked(void);
void measure_define_unlock_blocked(void);

/* The same from a signal handler that all signals are blocked in. False: somebody has the lock. */
bool measure_define_try_blocked(void);

/* True where the calling thread holds the lock: it is in an allocator that is instrumented. */
bool measure_define_is_locked_here(void);

/* Where the next frame may be built, and how long it may be. Under the lock. */
uint8_t *measure_journal_place(void);

/* This process is that rank of the world whose ranks communicators list. */
void measure_comm_note_world_rank(uint32_t rank);
size_t measure_journal_room(void);

/* Publishes a frame built there: from now on the keeper sees it. Commit a definition before
 * its id is used in an event. A length that does not fit stops all recording. */
void measure_journal_commit(size_t length);

/* In a forked child, whose journal is new: takes over from its parent's what is right in both,
 * so that the ids in its memory keep their meaning. What a child does has functions only. Under
 * the lock. */
void measure_journal_inherit(const uint8_t *parents, size_t size);

/* Recording leaves the process: copies its journal, for the next recording to take over all
 * definitions whose ids somebody may remember. False: there is no memory. Under the lock. */
bool measure_journal_keep(void);
void measure_journal_resume(void);

/* The same of what is not taken over: ids begin again. */
void measure_io_again(void);
void measure_generators_again(void);

#define MEASURE_JOURNAL(name, def)                                                                 \
	measure_journal_commit(                                                                    \
		measure_def_##name##_frame(def, measure_journal_place(), measure_journal_room()))

/* The same of a definition that needs the lock for nothing else, and its lock. */
#define MEASURE_JOURNAL_ALONE(name, def)                                                           \
	do {                                                                                       \
		struct measure_signals saved_;                                                     \
                                                                                                   \
		measure_define_lock(&saved_);                                                      \
		MEASURE_JOURNAL(name, def);                                                        \
		measure_define_unlock(&saved_);                                                    \
	} while (0)

/* ... or for its id, the next one of a counter. */
#define MEASURE_JOURNAL_NEXT(name, def, counter)                                                   \
	do {                                                                                       \
		struct measure_signals saved_;                                                     \
                                                                                                   \
		measure_define_lock(&saved_);                                                      \
		(def)->id = (counter)++;                                                           \
		MEASURE_JOURNAL(name, def);                                                        \
		measure_define_unlock(&saved_);                                                    \
	} while (0)

/* --- region ids: one number space for regions defined by name and by code address ------- */

/* Under the definition lock. */
uint32_t measure_region_next_id(void);

/* An entry or exit of a region that was defined by name has been repaired: writes it down, once for
 * each region and way. May be called in a transaction. */
void measure_region_unbalanced(uint32_t region, enum measure_unbalanced how);

/* --- others -------------------------------------------------------------------------- */

/* Of call stacks that samples name: a module is not loaded any more: its addresses may come to mean something else. Under the
 * definition lock. */
void measure_contexts_forget(void);

/* Puts the processors that the calling thread may use into a property of the process. One system
 * call. */
void measure_binding_describe(void);

#endif
