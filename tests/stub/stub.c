/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A stand-in for libmeasure.so that writes what adapters ask for as text lines into the file
 * named by MEASURE_STUB_LOG ("%p" becomes the process id): adapters are tested with nothing
 * of Measure but lib/api/adapter.h. Preload it before the adapter. One line per call:
 *
 *	region ID name NAME role R paradigm P
 *	comm ID kind K members A,B,... parent P key HIGH:LOW events 0|1 [others A,B,...]
 *						[side S of another N]
 *	comm_name ID TEXT		cart ID rank R sizes A,B,... periodic A,B,... at A,B,...
 *	window ID comm C key HIGH:LOW events 0|1		window_name ID TEXT
 *	group ID members A,B,...
 *	region ID at ADDRESS prefix "P" role R paradigm P
 *	io_file ID name LAST-COMPONENT	attribute ID name NAME type T
 *	parameter ID name NAME		string ID TEXT		marker CATEGORY severity S TEXT
 *	io_handle ID file F paradigm P comm C key HIGH:LOW
 *	event LOCATION TIME NAME ARGUMENT...		name LOCATION TEXT
 *
 * Every thread has a location of its own; it ends as in libmeasure.so,
 * a round earlier. */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adapter.h"

#define MAX_REGIONS 4096

/* Of the destructors of a thread's keys; in the one after it, ThreadSanitizer knows it no more. */
#define LAST_ROUND (PTHREAD_DESTRUCTOR_ITERATIONS - 1)

struct measure_location {
	uint32_t index;
	bool is_open;
	uint64_t time;
	int end_rounds;
	bool has_begun; /* by measure_thread_begin() */
	measure_comm_t contingent;
	uint64_t sequence;
	void (*action)(void *data); /* put off, or NULL */
	void *action_data;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *stub_log;
static pid_t owner;
static pthread_key_t thread_end;
static void (*thread_ends[8])(void);
static int nr_thread_ends;
static atomic_uint nr_locations, nr_regions, nr_comms, nr_windows, nr_groups;
static atomic_uint nr_io_files, nr_io_handles, nr_attributes, nr_parameters, nr_metric_classes;
static struct {
	const void *address;
	const char *prefix;
} places[MAX_REGIONS];
static __thread struct measure_location *self __attribute__((tls_model("initial-exec")));

static void end_location(void *location);

__attribute__((constructor)) static void stub_open(void)
{
	const char *pattern = getenv("MEASURE_STUB_LOG");
	const char *mark = pattern ? strstr(pattern, "%p") : NULL;
	char path[4096];

	if (!pattern || owner)
		return;
	if (mark)
		snprintf(path, sizeof(path), "%.*s%d%s", (int)(mark - pattern), pattern,
			(int)getpid(), mark + 2);
	else
		snprintf(path, sizeof(path), "%s", pattern);
	stub_log = fopen(path, "we");
	owner = getpid();
	pthread_key_create(&thread_end, end_location);
	if (stub_log)
		setvbuf(stub_log, NULL, _IOLBF, 0);
}

bool measure_is_recording(void)
{
	return stub_log && owner == getpid();
}

measure_status_t measure_adapter_register(const struct measure_adapter *adapter)
{
	stub_open();
	if (!measure_is_recording())
		return MEASURE_ERROR_OFF;
	fprintf(stub_log, "adapter %s\n", adapter->name);
	if (adapter->thread_ends && nr_thread_ends < 8)
		thread_ends[nr_thread_ends++] = adapter->thread_ends;
	if (adapter->started)
		adapter->started();
	return MEASURE_OK;
}

/* Options come from the environment, as MEASURE_MPI_GROUPS. */
const char *measure_option_text(const char *name)
{
	char variable[64] = "MEASURE_";
	size_t length = strlen(variable);

	for (const char *c = name; *c && length + 1 < sizeof(variable); c++)
		variable[length++] = (char)toupper((unsigned char)*c);
	variable[length] = '\0';
	return getenv(variable);
}

uint64_t measure_option_size(const char *name)
{
	const char *text = measure_option_text(name);

	return text ? strtoull(text, NULL, 10) : 0;
}

void measure_parallel_begin(const struct measure_transport *transport)
{
	if (measure_is_recording())
		fprintf(stub_log, "parallel_begin %u of %u\n", transport->rank, transport->size);
}

void measure_parallel_end(const struct measure_transport *transport)
{
	if (measure_is_recording())
		fprintf(stub_log, "parallel_end %u of %u\n", transport->rank, transport->size);
}

/* Every point is one to be told of, and written down on the first rank. */
void measure_parallel_point(
	const struct measure_transport *transport, struct measure_points *points)
{
	points->left = 1;
	if (measure_is_recording() && transport->rank == 0)
		fprintf(stub_log, "parallel_point\n");
}

/* --------------------------------------------------------------- definitions --- */

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

measure_region_t measure_region_at(const void *address, const char *prefix, uint8_t role,
	uint8_t paradigm)
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

void measure_write_metric(struct measure_location *location,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values)
{
	(void)location;
	fprintf(stub_log, "metric %u", metric_class->id);
	for (uint32_t i = 0; i < metric_class->nr; i++)
		fprintf(stub_log, " %" PRIu64, values[i].unsigned_int);
	fprintf(stub_log, "\n");
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

/* Only the archive shows it. */
void measure_record_switch(bool is_on)
{
	(void)is_on;
}

/* ----------------------------------------------------------- clock, locations --- */

uint64_t measure_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double measure_clock_frequency(void)
{
	return 1e9;
}

uint64_t measure_clock_domain(void)
{
	return 1;
}

static struct measure_location *location_self(void)
{
	if (!measure_is_recording())
		return NULL;
	if (!self) {
		self = calloc(1, sizeof(*self));
		if (self) {
			self->index = atomic_fetch_add(&nr_locations, 1);
			pthread_setspecific(thread_end, self);
		}
	}
	return self;
}

uint32_t measure_location_index(void)
{
	struct measure_location *location = location_self();

	return location ? location->index : MEASURE_UNDEFINED;
}

void measure_location_rename(uint32_t index, const char *name)
{
	if (measure_is_recording() && index != MEASURE_UNDEFINED)
		fprintf(stub_log, "name %u %s\n", index, name);
}

/* Only the archive shows it. */
void measure_location_rest(uint32_t release, measure_comm_t team)
{
	(void)release;
	(void)team;
}

uint32_t measure_release_new(void)
{
	return MEASURE_UNDEFINED;
}

void measure_release(uint32_t release, uint64_t time)
{
	(void)release;
	(void)time;
}

void measure_location_name(const char *name)
{
	measure_location_rename(measure_location_index(), name);
}

/* ------------------------------------------------------------------- records --- */

/* What was put off. */
static void run_deferred(struct measure_location *location)
{
	void (*action)(void *data) = location->action;

	location->action = NULL;
	if (action)
		action(location->action_data);
}

struct measure_location *measure_record_begin(void)
{
	struct measure_location *location = location_self();

	if (!location || location->is_open)
		return NULL;
	run_deferred(location);
	location->is_open = true;
	location->time = measure_clock_now();
	return location;
}

struct measure_location *measure_record_begin_at(uint64_t time)
{
	struct measure_location *location = location_self();
	uint64_t last;

	if (!location || location->is_open)
		return NULL;
	run_deferred(location);
	last = location->time;
	location = measure_record_begin();
	if (location)
		location->time = time > last ? time : last;
	return location;
}

void measure_record_later(void (*action)(void *data), void *data)
{
	struct measure_location *location = location_self();

	if (!location)
		return;
	run_deferred(location);
	location->action = action;
	location->action_data = data;
}

uint64_t measure_record_time(const struct measure_location *location)
{
	return location->time;
}

void measure_record_end(struct measure_location *location)
{
	location->is_open = false;
}

static void event_write(const struct measure_location *location, const char *name,
	const uint64_t *values, size_t nr_values)
{
	int cancel_state;

	/* what writes can be cancelled, and would keep the file */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	flockfile(stub_log);
	fprintf(stub_log, "event %u %llu %s", location->index, (unsigned long long)location->time,
		name);
	for (size_t i = 1; i < nr_values; i++) /* values[0] is a dummy: lists may be empty */
		fprintf(stub_log, " %llu", (unsigned long long)values[i]);
	fputc('\n', stub_log);
	funlockfile(stub_log);
	pthread_setcancelstate(cancel_state, NULL);
}

#define VALUES(...) ((const uint64_t[]){0, __VA_ARGS__})
#define EVENT_WRITE(name, arguments)                                                               \
	event_write(location, #name, VALUES arguments, sizeof(VALUES arguments) / sizeof(uint64_t))

void measure_write_enter(struct measure_location *location, measure_region_t region)
{
	EVENT_WRITE(enter, (region));
}

void measure_write_leave(struct measure_location *location, measure_region_t region)
{
	EVENT_WRITE(leave, (region));
}

void measure_write_attributes_uint64(struct measure_location *location,
	const struct measure_attribute_value *values, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		EVENT_WRITE(attribute, (values[i].attribute, values[i].value));
}

void measure_write_attribute_uint64(
	struct measure_location *location, measure_attribute_t attribute, uint64_t value)
{
	const struct measure_attribute_value values[] = {{attribute, value}};

	measure_write_attributes_uint64(location, values, 1);
}

void measure_write_attributes(struct measure_location *location,
	const struct measure_typed_value *values, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		EVENT_WRITE(attribute, (values[i].attribute, values[i].unsigned_int));
}

void measure_region_enter(measure_region_t region)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_enter(location, region);
	measure_record_end(location);
}

void measure_region_leave(measure_region_t region)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_leave(location, region);
	measure_record_end(location);
}

#define EVENT(name, otf2, parameters, arguments)                                                   \
	void measure_write_##name parameters                                                       \
	{                                                                                          \
		EVENT_WRITE(name, arguments);                                                      \
	}
#include "events.def"

bool measure_record_enter(measure_region_t region, const struct measure_beside *beside)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return false;
	if (beside->metric_class)
		measure_write_metric(location, beside->metric_class, beside->metrics);
	measure_write_attributes(location, beside->attributes, beside->nr_attributes);
	measure_write_enter(location, region);
	measure_record_end(location);
	return true;
}

void measure_record_leave(measure_region_t region, const struct measure_beside *beside)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_attributes(location, beside->attributes, beside->nr_attributes);
	measure_write_leave(location, region);
	if (beside->metric_class)
		measure_write_metric(location, beside->metric_class, beside->metrics);
	measure_record_end(location);
}

/* --------------------------------------------------------------------- threads --- */

bool measure_thread_begin(measure_comm_t contingent, uint64_t sequence)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return false;
	location->has_begun = true;
	location->contingent = contingent;
	location->sequence = sequence;
	measure_write_thread_begin(location, contingent, sequence);
	measure_record_end(location);
	return true;
}

static void end_location(void *data)
{
	struct measure_location *location = data;

	if (!measure_is_recording())
		return;
	if (++location->end_rounds < LAST_ROUND) {
		pthread_setspecific(thread_end, location);
		return;
	}
	for (int i = 0; i < nr_thread_ends; i++)
		thread_ends[i]();
	if (location->has_begun && measure_record_begin()) {
		measure_write_thread_end(location, location->contingent, location->sequence);
		measure_record_end(location);
	}
}
