/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening and closing the gate; see gate.h. */
#include "config.h"

#include "runtime/gate/gate.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

#include "adapter.h"
#include "clock/clock_inline.h"

union measure_gate measure_gate __attribute__((aligned(MEASURE_LARGEST_PAGE)));

/* The same to adapters. A name of its own, as this one is bound here and needs no table. By the
 * assembler: the compiler's alias is a second variable to AddressSanitizer, that ends after its
 * first words. */
__asm__(".globl measure_gates\n\t.set measure_gates, measure_gate");
_Static_assert(offsetof(union measure_gate, state) ==
			       offsetof(struct measure_gates, is_open_for_functions) &&
		       offsetof(union measure_gate, adapters_enabled) ==
			       offsetof(struct measure_gates, is_open_for_adapters),
	"adapters see the first words");

/* The handler serves kernels before 4.14; it does not see clone() called directly. */
measure_status_t measure_gate_open(void)
{
	if (madvise(&measure_gate, sizeof(measure_gate), MADV_WIPEONFORK) != 0 &&
		pthread_atfork(NULL, NULL, measure_gate_close) != 0)
		return MEASURE_ERROR_UNSUPPORTED;
	measure_gate.state = MEASURE_GATE_OPEN;
	measure_gate.is_direct = measure_clock_is_counter && measure_gate.nr_counters == 0;
	measure_gate.adapters_enabled = 1;
	return MEASURE_OK;
}

void measure_gate_open_in_child(void)
{
	measure_gate.state = MEASURE_GATE_OPEN;
}

void measure_gate_count(uint32_t nr_counters)
{
	measure_gate.nr_counters = nr_counters;
	measure_gate.is_direct = 0;
}

void measure_gate_close(void)
{
	measure_gate.is_direct = 0;
	measure_gate.state = MEASURE_GATE_CLOSED;
	measure_gate.adapters_enabled = 0;
}

bool measure_is_recording_followed(void)
{
	return measure_gate_is_open();
}
