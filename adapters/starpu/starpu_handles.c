/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data handles: when they come and go, and what is known of them; see starpu_handles.h. */
#include "config.h"

#include "starpu_handles.h"

#include <stdarg.h>

#include "starpu_table.h"
#include "starpu_wait.h"

struct starpu_data {
	uint64_t number;
};

static struct measure_starpu_table handles = {.item_size = sizeof(struct starpu_data)};
static _Atomic uint64_t nr_handles;

static uint64_t handle_key(starpu_data_handle_t handle)
{
	return (uint64_t)(uintptr_t)handle;
}

/* --------------------------------------------------------------------- coming and going --- */

static void write_register(uint64_t number, uint64_t bytes, int home)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_data_fact_write(location, MEASURE_DATA_REGISTER, number);
	measure_data_fact_write(location, MEASURE_DATA_BYTES, bytes);
	if (home >= 0)
		measure_data_fact_write(location, MEASURE_DATA_HOME, (uint64_t)home);
	measure_record_end(location);
}

/* A new number, whatever was at this address before. */
static uint64_t data_register(starpu_data_handle_t handle)
{
	bool is_new;
	struct starpu_data *data = measure_starpu_have(&handles, handle_key(handle), &is_new);

	if (!data)
		return 0;
	data->number = atomic_fetch_add_explicit(&nr_handles, 1, memory_order_relaxed) + 1;
	write_register(data->number, REAL(starpu_data_get_size)(handle),
		REAL(starpu_data_get_home_node)(handle));
	return data->number;
}

uint64_t measure_starpu_data_number(starpu_data_handle_t handle)
{
	const struct starpu_data *data = measure_starpu_find(&handles, handle_key(handle));

	return data ? data->number : data_register(handle);
}

uint64_t measure_starpu_data_known(starpu_data_handle_t handle)
{
	const struct starpu_data *data = measure_starpu_find(&handles, handle_key(handle));

	return data ? data->number : 0;
}

/* Another thread may have registered data at the same address since StarPU has freed it. */
static void data_unregister(starpu_data_handle_t handle, uint64_t number)
{
	struct measure_location *location;

	if (!number)
		return;
	location = measure_record_begin();
	if (location) {
		measure_data_fact_write(location, MEASURE_DATA_UNREGISTER, number);
		measure_record_end(location);
	}
	if (measure_starpu_data_known(handle) == number)
		measure_starpu_drop(&handles, handle_key(handle));
}

void starpu_data_register(starpu_data_handle_t *handle, int home_node, void *data_interface,
	struct starpu_data_interface_ops *operations)
{
	REAL(starpu_data_register)(handle, home_node, data_interface, operations);
	if (measure_starpu_records(MEASURE_STARPU_data))
		data_register(*handle);
}

/* ------------------------------------------------------------------------------ facts --- */

void measure_starpu_data_fact(
	starpu_data_handle_t handle, enum measure_data_fact fact, uint64_t value)
{
	const uint64_t number = measure_starpu_data_number(handle);
	struct measure_location *location = number ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_data_fact_write(location, MEASURE_DATA_HANDLE, number);
	measure_data_fact_write(location, fact, value);
	measure_record_end(location);
}

void starpu_data_set_name(starpu_data_handle_t handle, const char *name)
{
	REAL(starpu_data_set_name)(handle, name);
	if (name && measure_starpu_records(MEASURE_STARPU_data))
		measure_starpu_data_fact(handle, MEASURE_DATA_NAME, measure_string_define(name));
}

static void data_coordinates(starpu_data_handle_t handle, unsigned nr, const int *coordinates)
{
	const uint64_t number = measure_starpu_data_number(handle);
	struct measure_location *location = number ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_data_fact_write(location, MEASURE_DATA_HANDLE, number);
	for (unsigned i = 0; i < nr; i++)
		measure_data_fact_write(
			location, MEASURE_DATA_COORDINATE, (uint64_t)(int64_t)coordinates[i]);
	measure_record_end(location);
}

void starpu_data_set_coordinates_array(
	starpu_data_handle_t handle, unsigned dimensions, int coordinates[])
{
	REAL(starpu_data_set_coordinates_array)(handle, dimensions, coordinates);
	if (measure_starpu_records(MEASURE_STARPU_data))
		data_coordinates(handle, dimensions, coordinates);
}

/* StarPU keeps fewer. */
#define MOST_DIMENSIONS 16

void starpu_data_set_coordinates(starpu_data_handle_t handle, unsigned dimensions, ...)
{
	int coordinates[MOST_DIMENSIONS];
	unsigned nr = dimensions < MOST_DIMENSIONS ? dimensions : MOST_DIMENSIONS;
	va_list arguments;

	va_start(arguments, dimensions);
	for (unsigned i = 0; i < nr; i++)
		coordinates[i] = va_arg(arguments, int);
	va_end(arguments);
	starpu_data_set_coordinates_array(handle, nr, coordinates);
}

/* ---------------------------------------------------------------------------- parts of data --- */

/* Those of handles that are partitioned themselves are known by their own calls. */
static void parts_register(starpu_data_handle_t handle)
{
	const int nr = REAL(starpu_data_get_nb_children)(handle);

	for (int i = 0; i < nr; i++)
		data_register(REAL(starpu_data_get_child)(handle, (unsigned)i));
}

static void parts_unregister(starpu_data_handle_t handle)
{
	const int nr = REAL(starpu_data_get_nb_children)(handle);

	for (int i = 0; i < nr; i++) {
		starpu_data_handle_t part = REAL(starpu_data_get_child)(handle, (unsigned)i);

		parts_unregister(part);
		data_unregister(part, measure_starpu_data_known(part));
	}
}

void starpu_data_partition(starpu_data_handle_t handle, struct starpu_data_filter *filter)
{
	REAL(starpu_data_partition)(handle, filter);
	if (measure_starpu_records(MEASURE_STARPU_data))
		parts_register(handle);
}

void starpu_data_partition_plan(
	starpu_data_handle_t handle, struct starpu_data_filter *filter, starpu_data_handle_t *parts)
{
	REAL(starpu_data_partition_plan)(handle, filter, parts);
	if (!measure_starpu_records(MEASURE_STARPU_data))
		return;
	for (unsigned i = 0; i < filter->nchildren; i++)
		data_register(parts[i]);
}

void starpu_data_partition_clean(
	starpu_data_handle_t handle, unsigned nr, starpu_data_handle_t *parts)
{
	if (measure_starpu_records(MEASURE_STARPU_data))
		for (unsigned i = 0; i < nr; i++)
			data_unregister(parts[i], measure_starpu_data_known(parts[i]));
	REAL(starpu_data_partition_clean)(handle, nr, parts);
}

/* ------------------------------------------------------------------ what may wait as well --- */

void starpu_data_unpartition(starpu_data_handle_t handle, unsigned node)
{
	struct measure_starpu_wait wait;

	measure_starpu_wait_begin(&wait, "starpu_data_unpartition", MEASURE_TASK_STATE_WAITING);
	if (measure_starpu_records(MEASURE_STARPU_data))
		parts_unregister(handle);
	REAL(starpu_data_unpartition)(handle, node);
	measure_starpu_wait_end(&wait);
}

#define UNREGISTER(name)                                                                           \
	void name(starpu_data_handle_t handle)                                                     \
	{                                                                                          \
		const uint64_t number = measure_starpu_data_known(handle);                         \
		struct measure_starpu_wait wait;                                                   \
                                                                                                   \
		measure_starpu_wait_begin(&wait, #name, MEASURE_TASK_STATE_WAITING);               \
		REAL(name)(handle);                                                                \
		if (measure_starpu_records(MEASURE_STARPU_data))                                   \
			data_unregister(handle, number);                                           \
		measure_starpu_wait_end(&wait);                                                    \
	}
UNREGISTER(starpu_data_unregister)
UNREGISTER(starpu_data_unregister_no_coherency)

/* StarPU frees it when its last task has ended, maybe at once. */
void starpu_data_unregister_submit(starpu_data_handle_t handle)
{
	if (measure_starpu_records(MEASURE_STARPU_data))
		data_unregister(handle, measure_starpu_data_known(handle));
	REAL(starpu_data_unregister_submit)(handle);
}
