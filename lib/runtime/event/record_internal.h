/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What record.c has for the other files of the event path. */
#ifndef MEASURE_RUNTIME_EVENT_RECORD_INTERNAL_H
#define MEASURE_RUNTIME_EVENT_RECORD_INTERNAL_H

#include "transaction.h"

#define cold __attribute__((cold, noinline))

/* Does what was put off until now. It opens brackets of its own. */
void measure_run_deferred(struct measure_location *location);

/* As measure_record_begin_slow(), for the entry and the exit of a function. They are recorded also
 * where a signal handler has interrupted a record. At an exit what was put off stays so. */
struct measure_location *measure_enter_begin_slow(uintptr_t here);
struct measure_location *measure_exit_begin_slow(uintptr_t here);

/* Closes the `above` regions on top of the stack that were left without our seeing it. */
void measure_leave_unseen(struct measure_location *location, uint32_t above);

/* An entry's frame: its stack address in as many bits as addresses have, and above it a mark of
 * the place it returns to. */
#define MEASURE_FRAME_BITS 48

/* What the exit of a function tells. The hook is called from inside of the function, with the
 * stack as it was at the entry, or jumped to as the last thing, when the function's frame is gone:
 * then it seems to be called by the function's caller, and its frame lies above that of the
 * entry. */
struct measure_exit {
	const void *function;
	uint64_t frame;
	const void *return_address; /* of the hook; NULL: it was jumped to */
	uint64_t base; /* the function's frame pointer where it has one, else anything */
};

/* An entry of the region stack: by its region, or where `function` is not 0 by that. `is_marked`:
 * with that mark, and there may well be none. */
struct measure_sought {
	uint32_t region;
	uint32_t function;
	uint64_t mark;
	bool is_marked;
};

/* Both of these addresses lie on the thread's own stack, and none on that of its signals. */
bool measure_is_one_stack(struct measure_location *location, uint64_t frame, uint64_t other);

/* Makes sure that so many bytes lie behind the writer in one chunk, those that are left free at its
 * end among them; false: they do not, and there will be no next record either. */
bool measure_record_reserve(struct measure_location *location, size_t size);

static inline bool measure_has_room(const struct measure_location *location, size_t size)
{
	return location->writer.position + size <= location->writer.limit + MEASURE_RECORD_ROOM;
}

/* Takes back the Enter on top of the region stack and the metrics before it, which begin at `begin`
 * and are the last records: `committed` becomes what it was before them. */
void measure_record_take_back(
	struct measure_location *location, uint8_t *begin, uint64_t committed);

/* The bracket of an adapter. */
struct measure_location *measure_admitted_begin_slow(uintptr_t here);

static inline struct measure_location *measure_admitted_begin(void)
{
	return measure_bracket_open_or(measure_gate_is_admitting(), measure_admitted_begin_slow);
}

/* Attributes of an Enter or Leave that is not written are not those of what comes next. */
void measure_attributes_drop(struct measure_location *location);

/* The region left is not the one on top. */
void measure_leave_other(struct measure_location *location, const struct measure_sought *sought);

#endif
