/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start of recording in a process and in its forked children, and what happens around both;
 * lib/runtime/core only. */
#ifndef MEASURE_RUNTIME_CORE_START_H
#define MEASURE_RUNTIME_CORE_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/rendezvous.h"
#include "format/segment.h"
#include "status.h"

struct measure_settings;

/* Maps the segment that the keeper of a part has for this process; `other` as in rendezvous.h. */
measure_status_t measure_start_attach(const char *part, enum measure_wish wish,
	struct measure_segment *segment, char *other, size_t size);

/* Records a forked child, from `ticks` on, into a segment of its own. `journal`: its
 * parent's at the moment of the fork. The calling thread is the only one and in no transaction; signals
 * are blocked. Allocates nothing. */
void measure_start_child(
	struct measure_segment *segment, const uint8_t *journal, size_t size, uint64_t ticks);

/* Tells adapters of a forked child, which records already. */
void measure_adapters_restart(void);

/* Begins to record a running process, for the first time or once more: in the part that this
 * directory has. The calling thread holds no lock of the C library. And ends that: the gate is
 * closed, and nobody is in an event. */
measure_status_t measure_start_attached(const char *part);
void measure_start_detached(void);

/* It has begun, and not ended; in which directory. */
bool measure_start_is_attached(void);
void measure_start_part(char *part, size_t size);

/* Adapters that have taken part before and are chosen begin once more, `load` those of a list that
 * have not; or recording leaves the process. */
struct measure_adapter;
typedef bool (*measure_adapter_fn)(const struct measure_adapter *adapter);
void measure_adapters_attached(
	measure_adapter_fn is_chosen, void (*load)(char *list), char *list);
void measure_adapters_detached(void);

/* First records of the journal: who this process is. Takes the definition lock. PROCESS, LAUNCH and, for a simulated clock, CLOCK_TRUTH. nr_inherited:
 * regions that are open from the beginning. Returns how many arguments ProgramBegin is to name. */
uint32_t measure_process_define(
	const struct measure_settings *settings, uint64_t begin_ticks, uint32_t nr_inherited);

/* Around fork(), from now on: recording has started in this process, and follow.h knows whom to
 * follow. */
void measure_fork_start(const struct measure_segment *segment);

/* The process that has this segment (NULL: it has none any more) says there how it ends: nobody but its parent is told of its exit
 * status for certain, and a forked child's parent is not ours. */
void measure_exit_watch(const struct measure_segment *segment);

/* mlockall() locks what the process maps, but not this segment. */
void measure_lock_leave_out(const struct measure_segment *segment);

#endif
