/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gate; see gate.h. */
#include "config.h"

#include "event/gate.h"

#include <pthread.h>
#include <sys/mman.h>

#include "adapter.h"

union measure_gate measure_gate __attribute__((aligned(MEASURE_GATE_PAGE)));

/* The handler serves kernels before 4.14; it does not see clone() called directly. */
measure_status_t measure_gate_open(void)
{
	if (madvise(&measure_gate, sizeof(measure_gate), MADV_WIPEONFORK) != 0 &&
		pthread_atfork(NULL, NULL, measure_gate_close) != 0)
		return MEASURE_ERROR_UNSUPPORTED;
	measure_gate.is_open = 1;
	measure_gate.is_admitting = 1;
	return MEASURE_OK;
}

void measure_gate_open_in_child(void)
{
	measure_gate.is_open = 1;
}

void measure_gate_close(void)
{
	measure_gate.is_open = 0;
	measure_gate.is_admitting = 0;
}

bool measure_is_recording_followed(void)
{
	return measure_gate_is_open();
}

bool measure_is_recording(void)
{
	return measure_gate_is_admitting();
}
