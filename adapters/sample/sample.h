/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of this adapter have for each other. doc/sampling.md has the whole story. */
#ifndef MEASURE_SAMPLE_SAMPLE_H
#define MEASURE_SAMPLE_SAMPLE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

#include "adapter.h"
#include "cfi.h"
#include "sample_rate.h"

/* A function that runs or waits for a callee: where it begins (0: not known), and an address of
 * what runs, or of the last byte of the call. */
struct measure_frame {
	uint64_t function;
	uint64_t address;
};

#define MEASURE_MOST_FRAMES 128

struct measure_callstack {
	uint32_t nr;
	struct measure_frame frames[MEASURE_MOST_FRAMES]; /* the innermost first */
};

/* How a frame's caller is found, where it is as simple as nearly always. */
#define MEASURE_STEP_REGISTERS 8
struct measure_step {
	uint64_t address; /* 0: of none */
	uint64_t function;
	int32_t cfa_offset;
	uint8_t cfa_register;
	bool is_signal;
	uint8_t nr; /* registers that the frame has saved */
	uint8_t numbers[MEASURE_STEP_REGISTERS];
	int16_t words[MEASURE_STEP_REGISTERS]; /* from the frame's address on, of 8 bytes */
};

#define MEASURE_STEPS 256

/* Of a thread. */
struct measure_unwinder {
	uint64_t stack_begin;
	uint64_t stack_end;
	uint64_t used_begin; /* from here on it is in use, and therefore there */
	uint64_t registers[MEASURE_CFI_REGISTERS];
	uint64_t known; /* bit by bit: which of these */
	struct measure_cfi cfi;
	struct measure_step steps[MEASURE_STEPS]; /* by a hash of the address */
};

/* A thread that is sampled. Only its own; in memory straight from the system. */
struct measure_sampled {
	timer_t timer;
	bool has_timer;
	void *(*start)(void *data);
	thrd_start_t c11_start;
	void *data;
	bool is_homed; /* it is to have a location, whether or not somebody else records on it */

	/* Where Measure was loaded into the running process: */
	_Atomic pid_t thread; /* 0: of none */
	struct measure_sampled *next; /* of all that there ever were */
	uint32_t recording; /* measure_recording_number() of what follows */

	struct measure_unwinder unwinder;

	/* Of the last sample that is in the archive, and of the one that is being taken. A thread goes
	 * on in another location where a signal handler has left what it was recording. */
	const struct measure_location *location;
	struct measure_callstack stacks[2];
	measure_context_t contexts[MEASURE_MOST_FRAMES]; /* of the last one, the outermost first */
	uint32_t last;                                   /* which one of the stacks that is */
};

extern struct measure_sample_rate measure_sample_rate;
extern measure_generator_t measure_sample_generator;

/* --- unwind.c, stack.c ---------------------------------------------------------------- */

/* Finds what is to be known before the first signal. */
void measure_callstack_start(void);

/* For the calling thread; not async-signal-safe. */
void measure_unwinder_start(struct measure_unwinder *unwinder);

/* The stack of what a signal has interrupted. Async-signal-safe; reads nothing but the stack and
 * unwind tables, whatever the stack holds. */
void measure_unwind(struct measure_unwinder *unwinder, const ucontext_t *interrupted,
	struct measure_callstack *stack);

/* Takes a sample, in the handler. */
void measure_callstack_sample(struct measure_sampled *sampled, const ucontext_t *interrupted);

/* --- signal.c ------------------------------------------------------------------------- */

/* Takes a signal that the program does not use; false: there is none. */
bool measure_signal_start(void);

/* Recording leaves the process; there are no timers any more. The signal is the program's again;
 * those of ours that are pending are thrown away. */
void measure_signal_stop(void);

/* In a forked child: another thread may have been in here. */
void measure_signal_restart(void);

/* The signal's number; 0: not sampling. */
int measure_signal_number(void);

/* Of timers, so that their signals are known from anybody else's. */
union sigval measure_signal_mark(void);

/* --- sample_thread.c ------------------------------------------------------------------------- */

/* The calling thread's; NULL: it is not sampled. In the handler. */
struct measure_sampled *measure_sampled_self(void);

bool measure_threads_start(void);

/* Recording leaves the process: deletes all timers. */
void measure_threads_stop(void);

/* In a forked child, whose only thread has no timer, as the kernel copies none. */
void measure_threads_restart(void);

/* Before exec: no signal will come that this thread's timer has sent. Tells whether to go on, where
 * exec has failed. */
bool measure_thread_rest(void);
void measure_thread_resume(void);

#endif
