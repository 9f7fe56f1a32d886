/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data that tasks of the program's own run-time access, its transfers between memory nodes, and the
 * threads that are its workers. */
#include "config.h"

#include <stdatomic.h>

#include "../common/task_facts.h"
#include "../common/texts.h"
#include "mutex.h"
#include "sites.h"
#include "user_start.h"

/* Handles are unique in the process: another task run-time in it counts from 1. */
#define FIRST_NUMBER (UINT64_C(1) << 32)

static _Atomic uint64_t nr_handles;
static _Atomic uint64_t nr_transfers;

/* False: nothing is recorded. */
static bool data_facts_are_defined(void)
{
	static struct measure_mutex mutex;
	static atomic_bool are_defined;

	if (!measure_user_is_on() || !measure_is_recording())
		return false;
	if (atomic_load_explicit(&are_defined, memory_order_acquire))
		return true;
	measure_mutex_lock(&mutex);
	if (!atomic_load_explicit(&are_defined, memory_order_relaxed))
		measure_data_facts_define();
	atomic_store_explicit(&are_defined, true, memory_order_release);
	measure_mutex_unlock(&mutex);
	return true;
}

static void write_facts(
	struct measure_location *location, const struct measure_data_info *info, uint32_t name)
{
	if (info->fields & MEASURE_DATA_HAS_BYTES)
		measure_data_fact_write(location, MEASURE_DATA_BYTES, info->bytes);
	if (info->fields & MEASURE_DATA_HAS_HOME)
		measure_data_fact_write(location, MEASURE_DATA_HOME, info->home);
	if (info->fields & MEASURE_DATA_HAS_TAG)
		measure_data_fact_write(location, MEASURE_DATA_TAG, info->tag);
	for (uint32_t i = 0; info->coordinates && i < info->nr_coordinates; i++)
		measure_data_fact_write(location, MEASURE_DATA_COORDINATE, info->coordinates[i]);
	if (name)
		measure_data_fact_write(location, MEASURE_DATA_NAME, name - 1);
}

/* `fact` introduces the handle. False: nothing is recorded. */
static bool write_data(
	uint64_t data, enum measure_data_fact fact, const struct measure_data_info *info)
{
	uint32_t name = info && info->name ? measure_text_value(info->name) : 0;
	struct measure_location *location = measure_record_begin();

	if (!location)
		return false;
	measure_data_fact_write(location, fact, data);
	if (info)
		write_facts(location, info, name);
	measure_record_end(location);
	return true;
}

uint64_t measure_user_data_register(const struct measure_data_info *info)
{
	uint64_t data;

	if (!data_facts_are_defined())
		return 0;
	data = FIRST_NUMBER + atomic_fetch_add_explicit(&nr_handles, 1, memory_order_relaxed);
	return write_data(data, MEASURE_DATA_REGISTER, info) ? data : 0;
}

void measure_user_data_describe(uint64_t data, const struct measure_data_info *info)
{
	if (data && info && data_facts_are_defined())
		write_data(data, MEASURE_DATA_HANDLE, info);
}

void measure_user_data_unregister(uint64_t data)
{
	if (data && data_facts_are_defined())
		write_data(data, MEASURE_DATA_UNREGISTER, NULL);
}

uint64_t measure_user_transfer_begin(uint64_t data, uint32_t from, uint32_t to, uint64_t bytes)
{
	struct measure_location *location;
	uint64_t transfer;

	if (!data || !data_facts_are_defined())
		return 0;
	transfer = FIRST_NUMBER + atomic_fetch_add_explicit(&nr_transfers, 1, memory_order_relaxed);
	location = measure_record_begin();
	if (!location)
		return 0;
	measure_data_fact_write(location, MEASURE_DATA_TRANSFER, transfer);
	measure_data_fact_write(location, MEASURE_DATA_HANDLE, data);
	measure_data_fact_write(location, MEASURE_DATA_FROM, from);
	measure_data_fact_write(location, MEASURE_DATA_TO, to);
	measure_data_fact_write(location, MEASURE_DATA_BYTES, bytes);
	measure_record_end(location);
	return transfer;
}

void measure_user_transfer_end(uint64_t transfer)
{
	struct measure_location *location =
		transfer && data_facts_are_defined() ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_data_fact_write(location, MEASURE_DATA_TRANSFERRED, transfer);
	measure_record_end(location);
}

/* ------------------------------------------------------------------------- workers --- */

void measure_user_worker(const struct measure_worker_info *info)
{
	uint32_t location;

	if (!info || !measure_user_is_on() || !measure_is_recording() ||
		(location = measure_location_index()) == MEASURE_UNDEFINED)
		return;
	measure_location_property(location,
		measure_worker_properties[MEASURE_WORKER_PROPERTY_CLASS],
		info->class_name ? info->class_name : "thread");
	if (info->fields & MEASURE_WORKER_HAS_NUMBER)
		measure_location_property_uint64(location,
			measure_worker_properties[MEASURE_WORKER_PROPERTY_NUMBER], info->number);
	if (info->fields & MEASURE_WORKER_HAS_MEMORY_NODE)
		measure_location_property_uint64(location,
			measure_worker_properties[MEASURE_WORKER_PROPERTY_MEMORY_NODE],
			info->memory_node);
	if (info->fields & MEASURE_WORKER_HAS_CORE)
		measure_location_property_uint64(location,
			measure_worker_properties[MEASURE_WORKER_PROPERTY_CORE], info->core);
}
