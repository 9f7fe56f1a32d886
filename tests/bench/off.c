/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the hook of a function costs that is switched off, with the call of the function. The hooks
 * and the event path are linked in; events go into memory of this process. Prints "off_ns MEDIAN",
 * "on_ns MEDIAN" for the same function when it is on, measured in turns; and "patched_ns MEDIAN"
 * when its hook calls have been taken out of the code. */
#include "config.h"

#include "adapter.h"
#include "leaf.h"
#include "runtime/patch/patch.h"
#include "../unit/runtime/event/t_recording.h"

enum { BATCHES = 101, CHUNK = 1 << 20 };

BENCH_PLAIN bool start(void)
{
	struct measure_segment_size size = {64 * CHUNK, CHUNK, 1, 1 << 20};

	if (!t_make_segment(&size))
		return false;
	segment.layout.is_kept = 1;
	memset(segment.memory, 1, 64 * CHUNK);
	return t_record();
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

__attribute__((no_instrument_function)) measure_status_t measure_adapter_register(
	const struct measure_adapter *adapter)
{
	(void)adapter;
	return MEASURE_OK;
}

BENCH_PLAIN void taken_out(void)
{
}

BENCH_PLAIN void patch(void)
{
	static const struct measure_patch_host host = {measure_stacks_may_hold, taken_out};

	measure_patch_start(&host);
	measure_function_hooks(
		(const void *)__cyg_profile_func_enter, (const void *)__cyg_profile_func_exit);
	batch();
}

__attribute__((no_instrument_function)) int main(void)
{
	double off[BATCHES], on[BATCHES], patched[BATCHES];

	bench_pin();
	if (!start())
		return 1;
	for (int i = 0; i < BATCHES; i++) {
		measure_code_switch(measure_region_at(leaf, NULL, 0, 0), true);
		on[i] = batch();
		measure_code_switch(measure_region_at(leaf, NULL, 0, 0), false);
		off[i] = batch();
	}
	patch();
	for (int i = 0; i < BATCHES; i++)
		patched[i] = batch();
	printf("off_ns %.2f\n", bench_median(off, BATCHES));
	printf("on_ns %.2f\n", bench_median(on, BATCHES));
	printf("patched_ns %.2f\n", bench_median(patched, BATCHES));
	return 0;
}
