/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Definitions of the stand-in for libmeasure.so: each is a line, and a number of its kind. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "stub.h"

#define MAX_REGIONS 4096

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint nr_regions, nr_comms, nr_windows, nr_groups;
static atomic_uint nr_io_files, nr_io_handles, nr_attributes, nr_parameters, nr_metric_classes;
static struct {
	const void *address;
	const char *prefix;
} places[MAX_REGIONS];

measure_region_t measure_region_define(const struct measure_region_info *info)
{
	measure_region_t region = MEASURE_UNDEFINED;

	if (measure_is_recording()) {
		region = atomic_fetch_add(&nr_regions, 1);
		fprintf(stub_log, "region %u name %s role %u paradigm %u\n", region, info->name,
			info->role, info->paradigm);
	}
	return region;
}

measure_region_t measure_region_at(
	const void *address, const char *prefix, uint8_t role, uint8_t paradigm)
{
	uint32_t region;

	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	pthread_mutex_lock(&mutex);
	for (region = 0; region < nr_regions; region++)
		if (places[region % MAX_REGIONS].address == address &&
			places[region % MAX_REGIONS].prefix == prefix)
			break;
	if (region == nr_regions) {
		places[region % MAX_REGIONS].address = address;
		places[region % MAX_REGIONS].prefix = prefix;
		nr_regions++;
		fprintf(stub_log, "region %u at %p prefix \"%s\" role %u paradigm %u\n", region,
			address, prefix ? prefix : "", role, paradigm);
	}
	pthread_mutex_unlock(&mutex);
	return region;
}

static void write_numbers(const char *word, uint32_t nr, const uint32_t *numbers)
{
	fprintf(stub_log, " %s ", word);
	for (uint32_t i = 0; i < nr; i++)
		fprintf(stub_log, i ? ",%u" : "%u", numbers[i]);
	if (nr == 0)
		fputc('-', stub_log);
}

measure_comm_t measure_comm_reserve(void)
{
	return measure_is_recording() ? atomic_fetch_add(&nr_comms, 1) : MEASURE_UNDEFINED;
}

void measure_comm_describe(measure_comm_t comm, const struct measure_comm_info *info)
{
	if (!measure_is_recording())
		return;
	flockfile(stub_log);
	fprintf(stub_log, "comm %u kind %d", comm, (int)info->kind);
	write_numbers("members", info->nr_members, info->members);
	fprintf(stub_log, " parent %u key %llx:%llx events %d", info->parent,
		(unsigned long long)info->key.high, (unsigned long long)info->key.low,
		info->has_events);
	if (info->others)
		write_numbers("others", info->nr_others, info->others);
	else if (info->side != MEASURE_SIDES_BOTH)
		fprintf(stub_log, " side %d of another %u", info->side, info->nr_others);
	if (info->is_relative)
		fputs(" relative", stub_log);
	fputc('\n', stub_log);
	funlockfile(stub_log);
}

measure_comm_t measure_comm_define(const struct measure_comm_info *info)
{
	measure_comm_t comm = measure_comm_reserve();

	if (comm != MEASURE_UNDEFINED)
		measure_comm_describe(comm, info);
	return comm;
}

void measure_comm_name(measure_comm_t comm, const char *name)
{
	if (measure_is_recording())
		fprintf(stub_log, "comm_name %u %s\n", comm, name);
}

void measure_cart_define(measure_comm_t comm, const struct measure_cart_info *info)
{
	if (!measure_is_recording())
		return;
	flockfile(stub_log);
	fprintf(stub_log, "cart %u rank %u", comm, info->rank);
	write_numbers("sizes", info->nr_dimensions, info->sizes);
	write_numbers("periodic", info->nr_dimensions, info->are_periodic);
	write_numbers("at", info->nr_dimensions, info->coordinates);
	fputc('\n', stub_log);
	funlockfile(stub_log);
}

void measure_world_define(uint32_t rank, uint32_t size, struct measure_comm_key world)
{
	if (measure_is_recording())
		fprintf(stub_log, "world %u of %u key %llx:%llx\n", rank, size,
			(unsigned long long)world.high, (unsigned long long)world.low);
}

bool measure_ranks_join(uint64_t world)
{
	(void)world;
	return false;
}

enum measure_ranks_known measure_ranks_agree(
	uint32_t rank, uint32_t size, uint32_t *ranks, uint32_t *nr)
{
	(void)rank, (void)size, (void)ranks;
	*nr = 0;
	return MEASURE_RANKS_ALL;
}

void measure_clock_sample_define(const struct measure_clock_sample *sample)
{
	if (measure_is_recording())
		fprintf(stub_log, "clock_sample %llu offset %lld bound %llu\n",
			(unsigned long long)sample->ticks, (long long)sample->offset,
			(unsigned long long)sample->bound);
}

void measure_property_define(const char *name, const char *value)
{
	if (measure_is_recording())
		fprintf(stub_log, "property %s=%s\n", name, value);
}

measure_window_t measure_window_define(
	measure_comm_t comm, struct measure_comm_key key, bool has_events)
{
	measure_window_t window = MEASURE_UNDEFINED;

	if (measure_is_recording()) {
		window = atomic_fetch_add(&nr_windows, 1);
		fprintf(stub_log, "window %u comm %u key %llx:%llx events %d\n", window, comm,
			(unsigned long long)key.high, (unsigned long long)key.low, has_events);
	}
	return window;
}

void measure_window_name(measure_window_t window, const char *name)
{
	if (measure_is_recording() && window != MEASURE_UNDEFINED)
		fprintf(stub_log, "window_name %u %s\n", window, name);
}

measure_group_t measure_group_define(uint32_t nr_members, const uint32_t *members)
{
	measure_group_t group = MEASURE_UNDEFINED;

	if (!measure_is_recording())
		return group;
	group = atomic_fetch_add(&nr_groups, 1);
	flockfile(stub_log);
	fprintf(stub_log, "group %u members ", group);
	for (uint32_t i = 0; i < nr_members; i++)
		fprintf(stub_log, i ? ",%u" : "%u", members[i]);
	fprintf(stub_log, nr_members ? "\n" : "-\n");
	funlockfile(stub_log);
	return group;
}

void measure_io_paradigm_define(enum measure_io_paradigm paradigm, const char *version)
{
	if (measure_is_recording())
		fprintf(stub_log, "io_paradigm %d version %s\n", (int)paradigm,
			version ? version : "");
}

measure_io_file_t measure_io_file_define(const char *path)
{
	const char *slash = strrchr(path, '/');
	measure_io_file_t file = MEASURE_UNDEFINED;

	if (measure_is_recording()) {
		file = atomic_fetch_add(&nr_io_files, 1);
		fprintf(stub_log, "io_file %u name %s\n", file, slash ? slash + 1 : path);
	}
	return file;
}

measure_io_handle_t measure_io_handle_define(const struct measure_io_handle_info *info)
{
	measure_io_handle_t handle = MEASURE_UNDEFINED;

	if (measure_is_recording()) {
		handle = atomic_fetch_add(&nr_io_handles, 1);
		fprintf(stub_log,
			"io_handle %u file %u paradigm %d comm %u key %llx:%llx parent %u flags "
			"%u access %u status %u name %s\n",
			handle, info->file, (int)info->paradigm, info->comm,
			(unsigned long long)info->key.high, (unsigned long long)info->key.low,
			info->parent, info->flags, info->access, info->status_flags,
			info->name ? info->name : "");
	}
	return handle;
}

measure_attribute_t measure_attribute_define(
	const char *name, const char *description, uint8_t type)
{
	measure_attribute_t attribute = MEASURE_UNDEFINED;

	(void)description;
	if (measure_is_recording()) {
		attribute = atomic_fetch_add(&nr_attributes, 1);
		fprintf(stub_log, "attribute %u name %s type %u\n", attribute, name, type);
	}
	return attribute;
}

bool measure_metric_class_define(const struct measure_metric_info *metrics, uint32_t nr,
	uint8_t occurrence, struct measure_metric_class *metric_class)
{
	metric_class->id = MEASURE_UNDEFINED;
	if (!measure_is_recording())
		return false;
	metric_class->id = atomic_fetch_add(&nr_metric_classes, 1);
	metric_class->nr = (uint8_t)nr;
	fprintf(stub_log, "metric_class %u occurrence %u", metric_class->id, occurrence);
	for (uint32_t i = 0; i < nr; i++)
		fprintf(stub_log, " %s", metrics[i].name);
	fprintf(stub_log, "\n");
	return true;
}

measure_parameter_t measure_parameter_define(const char *name, enum measure_parameter_type type)
{
	measure_parameter_t parameter = MEASURE_UNDEFINED;

	(void)type;
	if (measure_is_recording()) {
		parameter = atomic_fetch_add(&nr_parameters, 1);
		fprintf(stub_log, "parameter %u name %s\n", parameter, name);
	}
	return parameter;
}

measure_string_t measure_string_define(const char *text)
{
	static atomic_uint nr_strings = 1;
	measure_string_t string = MEASURE_UNDEFINED;

	if (measure_is_recording()) {
		string = atomic_fetch_add(&nr_strings, 1);
		fprintf(stub_log, "string %u %s\n", string, text);
	}
	return string;
}

void measure_marker_define(const char *category, const char *text, uint8_t severity)
{
	if (measure_is_recording())
		fprintf(stub_log, "marker %s severity %u %s\n", category, severity, text);
}
