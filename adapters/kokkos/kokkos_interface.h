/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kokkos's interface for tools, as far as this adapter implements it: functions that Kokkos 3 and 4
 * look up by name. No header of Kokkos is needed. */
#ifndef MEASURE_KOKKOS_INTERFACE_H
#define MEASURE_KOKKOS_INTERFACE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

struct kokkos_space {
	char name[64];
};

/* The rest is for later versions. */
struct kokkos_tool_settings {
	bool requires_global_fencing; /* around each call below; Kokkos presets it */
	bool padding[255];
};

void kokkosp_request_tool_settings(uint32_t nr, struct kokkos_tool_settings *settings);

/* Kernels, fences: the tool chooses the number that their end has. `device`: its type is in the
 * highest 8 bits; those below are device and instance. */
void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *number);
void kokkosp_end_parallel_for(uint64_t number);
void kokkosp_begin_parallel_reduce(const char *name, uint32_t device, uint64_t *number);
void kokkosp_end_parallel_reduce(uint64_t number);
void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *number);
void kokkosp_end_parallel_scan(uint64_t number);
void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *number);
void kokkosp_end_fence(uint64_t number);

void kokkosp_push_profile_region(const char *name);
void kokkosp_pop_profile_region(void);
void kokkosp_profile_event(const char *name);

void kokkosp_create_profile_section(const char *name, uint32_t *section);
void kokkosp_destroy_profile_section(uint32_t section);
void kokkosp_start_profile_section(uint32_t section);
void kokkosp_stop_profile_section(uint32_t section);

void kokkosp_begin_deep_copy(struct kokkos_space to, const char *to_label, const void *to_address,
	struct kokkos_space from, const char *from_label, const void *from_address, uint64_t bytes);
void kokkosp_end_deep_copy(void);
void kokkosp_allocate_data(
	struct kokkos_space space, const char *label, const void *address, uint64_t bytes);
void kokkosp_deallocate_data(
	struct kokkos_space space, const char *label, const void *address, uint64_t bytes);

#pragma GCC visibility pop

#endif
