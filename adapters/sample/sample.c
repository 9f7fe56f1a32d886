/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Samples of call stacks, for programs that were not compiled for it: --sample. Each thread has a
 * timer, whose signal interrupts it; the handler records where it is. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>

#include "sample_real.h"
#include "sample.h"

struct measure_sample_rate measure_sample_rate;
measure_generator_t measure_sample_generator = MEASURE_UNDEFINED;

/* Also for another recording of the process, at another rate. */
static void sample_started(void)
{
	const char *text = measure_option_text("sample");
	struct measure_generator_info info = {.mode = OTF2_INTERRUPT_GENERATOR_MODE_TIME,
		.base = OTF2_BASE_DECIMAL,
		.exponent = -9};

	if (!text || !measure_sample_rate_parse(text, &measure_sample_rate) ||
		measure_sample_rate.period == 0)
		return;
	info.name = measure_sample_rate.clock_name;
	info.period = measure_sample_rate.period;
	measure_sample_generator = measure_interrupt_generator_define(&info);
	if (measure_sample_generator == MEASURE_UNDEFINED)
		return;
	measure_callstack_start();
	if (!measure_signal_start() || !measure_threads_start())
		measure_sample_lost(MEASURE_SAMPLE_REFUSED, 1);
}

static void sample_child_started(void)
{
	if (measure_signal_number() == 0)
		return;
	measure_signal_restart();
	measure_threads_restart();
}

/* Timers first: no signal of theirs comes to what the program has set. */
static void sample_detached(void)
{
	measure_threads_stop();
	measure_signal_stop();
}

static const struct measure_adapter measure_sample_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "sample",
	.started = sample_started,
	.child_started = sample_child_started,
	.detached = sample_detached,
	.attached = sample_started,
};

__attribute__((constructor)) static void sample_init(void)
{
	measure_sample_resolve();
	measure_adapter_register(&measure_sample_adapter);
}
