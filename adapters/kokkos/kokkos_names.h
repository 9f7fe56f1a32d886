/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of Kokkos, by kind, label and type of device. */
#ifndef MEASURE_KOKKOS_NAMES_H
#define MEASURE_KOKKOS_NAMES_H

#include <stdint.h>

#include "adapter.h"

enum kokkos_kind {
	KOKKOS_FOR,
	KOKKOS_REDUCE,
	KOKKOS_SCAN,
	KOKKOS_FENCE,
	KOKKOS_REGION,
	KOKKOS_DEEP_COPY,
	KOKKOS_ALLOCATE,
	KOKKOS_DEALLOCATE,
	KOKKOS_STRAY_POP,
	NR_KOKKOS_KINDS
};

/* What Kokkos calls a host: kernels there are part of the calling thread. */
#define KOKKOS_HOST 0

/* The type of an accelerator, as in the highest 8 bits of its id; KOKKOS_HOST: it is none. */
uint32_t kokkos_accelerator(uint32_t device);

/* MEASURE_UNDEFINED: nothing is recorded. Takes a lock where a label is new. */
measure_region_t kokkos_region(enum kokkos_kind kind, uint32_t accelerator, const char *label);

#endif
