/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is preloaded into programs that a recorded process starts, and what their environment tells
 * about them. For keepers, whose environment is that of their program. */
#ifndef MEASURE_KEEPER_PROCESS_EXEC_PRELOAD_H
#define MEASURE_KEEPER_PROCESS_EXEC_PRELOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "config/settings.h"
#include "format/rendezvous.h"
#include "keeper_state.h"

/* Answers one who asks for LD_PRELOAD. None for programs into which nothing can be preloaded, or
 * may be, which are counted: those that get rights by being started; and `measure` itself, which does that for itself.
 */
void measure_exec_preload_answer(const struct measure_settings *settings,
	struct measure_unrecorded_programs *unrecorded, int connection,
	const struct measure_visitor *visitor);

/* This keeper is one for the program that process `pid` has become: its environment is ours from
 * now on, and `settings`, so far those of its creator, say what it says of rank and launcher.
 * is_same: the creator was in the same process. `buffer`: of --buffer, 0: by the processes on this
 * node. */
void measure_exec_preload_adopt(
	struct measure_settings *settings, pid_t pid, bool is_same, uint64_t buffer);

#endif
