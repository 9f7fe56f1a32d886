/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of commands on devices: locations, times, transfers. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <unistd.h>

#include "opencl_queue.h"

/* ---------------------------------------------------------------------- transfers --- */

/* Transfers are one-sided communication in a window of all locations of the process. */
static _Atomic uint32_t window = MEASURE_UNDEFINED;

static measure_window_t window_find(void)
{
	static struct measure_mutex mutex;
	const struct measure_comm_info info = {.kind = MEASURE_COMM_LOCATIONS,
		.name = "OpenCL",
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_OPENCL};
	const struct measure_comm_key key = {measure_clock_now(), (uint64_t)getpid()};

	if (atomic_load(&window) != MEASURE_UNDEFINED)
		return atomic_load(&window);
	measure_mutex_lock(&mutex);
	if (atomic_load(&window) == MEASURE_UNDEFINED)
		atomic_store(&window,
			measure_window_define(measure_comm_define(&info), key, false));
	measure_mutex_unlock(&mutex);
	return atomic_load(&window);
}

static bool is_transfer(const struct measure_opencl_command *command)
{
	return command->kind == MEASURE_OPENCL_TO_DEVICE ||
	       command->kind == MEASURE_OPENCL_FROM_DEVICE;
}

/* ---------------------------------------------------------------------- locations --- */

struct measure_opencl_lane *measure_opencl_lane_add(struct measure_opencl_queue *queue)
{
	struct measure_opencl_lane *lane = &queue->lanes[queue->nr_lanes];
	char name[64];
	int used = snprintf(name, sizeof(name), "Command queue %u", queue->number);

	if (queue->nr_lanes == MEASURE_OPENCL_MOST_LANES)
		return NULL;
	if (queue->nr_lanes > 0)
		snprintf(name + used, sizeof(name) - (size_t)used, ".%u", queue->nr_lanes + 1);
	lane->stream = measure_stream_make(queue->device->name, name);
	if (!lane->stream)
		return NULL;
	queue->nr_lanes++;
	return lane;
}

/* Where no other command is recorded at this time or later; a queue in order needs only one. NULL:
 * there are too many. */
static struct measure_opencl_lane *lane_find(struct measure_opencl_queue *queue, uint64_t start)
{
	for (uint32_t i = 0; i < queue->nr_lanes; i++)
		if (queue->is_in_order || start >= queue->lanes[i].end)
			return &queue->lanes[i];
	return measure_opencl_lane_add(queue);
}

/* ------------------------------------------------------------------------ records --- */

static void write_attributes(struct measure_location *stream,
	const struct measure_opencl_command *command, const struct measure_opencl_times *times)
{
	const struct measure_opencl_records *records = &measure_opencl_records;
	const bool is_kernel = command->kind == MEASURE_OPENCL_KERNEL;
	const bool has_queued = times->queued != 0 && times->queued <= times->start;
	const struct measure_typed_value values[] = {
		{records->command, OTF2_TYPE_UINT64, {.unsigned_int = command->number}},
		{is_kernel ? records->work_items : records->bytes, OTF2_TYPE_UINT64,
			{.unsigned_int = command->size}},
		{records->queue_time, OTF2_TYPE_UINT64,
			{.unsigned_int = times->start - times->queued}},
	};

	measure_write_attributes(stream, values, has_queued ? 3 : 2);
}

static void write_begin(struct measure_location *stream, uint64_t ticks,
	const struct measure_opencl_command *command, const struct measure_opencl_times *times)
{
	const measure_window_t transfers = is_transfer(command) ? window_find() : MEASURE_UNDEFINED;

	if (!measure_stream_record_begin(stream, ticks))
		return;
	write_attributes(stream, command, times);
	measure_write_enter(stream, command->region);
	if (command->kind == MEASURE_OPENCL_TO_DEVICE)
		measure_write_rma_get(
			stream, transfers, command->host, command->size, command->number);
	if (command->kind == MEASURE_OPENCL_FROM_DEVICE)
		measure_write_rma_put(
			stream, transfers, command->host, command->size, command->number);
	measure_record_end(stream);
}

static void write_end(struct measure_location *stream, uint64_t ticks,
	const struct measure_opencl_command *command)
{
	if (!measure_stream_record_begin(stream, ticks))
		return;
	if (is_transfer(command))
		measure_write_rma_op_complete_blocking(
			stream, atomic_load(&window), command->number);
	measure_write_leave(stream, command->region);
	measure_record_end(stream);
}

/* What the device says, within what the host knows: a command does not start before it was put into
 * the queue, nor ends after it was seen to have. It takes as long as the device says. */
static uint64_t find_start(struct measure_opencl_device *device,
	const struct measure_opencl_command *command, const struct measure_opencl_times *times,
	uint64_t *ticks)
{
	uint64_t start = command->begin, latest;

	measure_mutex_lock(&device->mutex);
	if (times->queued != 0 && times->queued <= times->start)
		measure_opencl_clock_note(
			&device->clock, times->queued, command->begin, command->end);
	if (device->clock.is_known)
		start = measure_opencl_clock_ticks(&device->clock, times->start);
	*ticks = measure_opencl_clock_length(&device->clock, times->end - times->start);
	measure_mutex_unlock(&device->mutex);
	latest = measure_clock_now() - *ticks;
	if (start > latest)
		start = latest;
	return start > command->begin ? start : command->begin;
}

/* Where the error of the clocks is longer than the time between two commands, the second one
 * follows the first. */
void measure_opencl_command_write(struct measure_opencl_queue *queue,
	const struct measure_opencl_command *command, const struct measure_opencl_times *times)
{
	struct measure_opencl_lane *lane = lane_find(queue, times->start);
	uint64_t start, ticks;

	if (!lane) {
		queue->nr_lost++;
		return;
	}
	start = find_start(queue->device, command, times, &ticks);
	if (start < lane->ticks)
		start = lane->ticks;
	write_begin(lane->stream, start, command, times);
	write_end(lane->stream, start + ticks, command);
	lane->ticks = start + ticks;
	if (times->end > lane->end)
		lane->end = times->end;
}
