/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapters of this process and the phases they are told of. */
#include "config.h"

#include "adapter.h"

#include <stdatomic.h>

#include "start.h"
#include "runtime/gate/gate.h"
#include "runtime/event/location.h"
#include "mutex.h"

#define MAX_ADAPTERS 32

static const struct measure_adapter *adapters[MAX_ADAPTERS];
static _Atomic uint32_t nr_adapters;
static struct measure_mutex lock;

measure_status_t measure_adapter_register(const struct measure_adapter *adapter)
{
	if (adapter->abi != MEASURE_ADAPTER_ABI)
		return MEASURE_ERROR_UNSUPPORTED;
	measure_start_lazily();
	if (!measure_gate_adapters_enabled())
		return MEASURE_ERROR_OFF;

	measure_mutex_lock(&lock);
	uint32_t place = atomic_load(&nr_adapters);
	if (place < MAX_ADAPTERS) {
		adapters[place] = adapter;
		atomic_store(&nr_adapters, place + 1);
	}
	measure_mutex_unlock(&lock);
	if (place >= MAX_ADAPTERS)
		return MEASURE_ERROR_MEMORY;
	if (adapter->started)
		adapter->started();
	return MEASURE_OK;
}

void measure_adapters_restart(void)
{
	lock = (struct measure_mutex){0};
	for (uint32_t i = 0; i < atomic_load(&nr_adapters); i++) {
		if (adapters[i]->child_started)
			adapters[i]->child_started();
	}
}

/* Those that have not taken part before are loaded, and start by themselves. */
void measure_adapters_attached(
	measure_adapter_fn is_chosen, void (*load)(char *list), char *list)
{
	const uint32_t nr = atomic_load(&nr_adapters);

	load(list);
	for (uint32_t i = 0; i < nr; i++) {
		if (adapters[i]->attached && is_chosen(adapters[i]))
			adapters[i]->attached();
	}
}

void measure_adapters_detached(void)
{
	for (uint32_t i = 0; i < atomic_load(&nr_adapters); i++) {
		if (adapters[i]->detached)
			adapters[i]->detached();
	}
}

void measure_thread_ends(void)
{
	if (!measure_gate_adapters_enabled())
		return;
	for (uint32_t i = 0; i < atomic_load(&nr_adapters); i++) {
		if (adapters[i]->thread_ends)
			adapters[i]->thread_ends();
	}
}

void measure_parallel_begin(const struct measure_transport *transport)
{
	for (uint32_t i = 0; i < atomic_load(&nr_adapters); i++) {
		if (adapters[i]->parallel_begin)
			adapters[i]->parallel_begin(transport);
	}
}

void measure_parallel_end(const struct measure_transport *transport)
{
	for (uint32_t i = 0; i < atomic_load(&nr_adapters); i++) {
		if (adapters[i]->parallel_end)
			adapters[i]->parallel_end(transport);
	}
}

void measure_parallel_point(
	const struct measure_transport *transport, struct measure_points *points)
{
	for (uint32_t i = 0; i < atomic_load(&nr_adapters); i++) {
		if (!adapters[i]->parallel_point)
			continue;
		adapters[i]->parallel_point(transport, points);
		return;
	}
	points->left = 0;
}
