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
 * Every thread has a location of its own; it ends as in libmeasure.so, a round earlier. What is
 * written in a bracket appears when it ends, all of it or nothing. */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "adapter.h"
#include "next_function.h"
#include "stub.h"

/* Of the destructors of a thread's keys; in the one after it, ThreadSanitizer knows it no more. */
#define LAST_ROUND (PTHREAD_DESTRUCTOR_ITERATIONS - 1)

#define BRACKET_LINES 65536
#define VALUE_DIGITS  21 /* with the space before them */

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
	size_t nr_bytes; /* of the lines of the bracket */
	char lines[BRACKET_LINES];
};

FILE *stub_log;
static pid_t owner;
static pthread_key_t thread_end;
static void (*thread_ends[8])(void);
static int nr_thread_ends;
static atomic_uint nr_locations;
static __thread struct measure_location *self __attribute__((tls_model("initial-exec")));

static void end_location(void *location);

/* A child of fork() finds it wiped. */
static union {
	struct measure_gates gates;
	char page[4096];
} stub_gates __attribute__((aligned(4096)));
extern const struct measure_gates measure_gates __attribute__((alias("stub_gates")));

static void open_gates(void)
{
	madvise(&stub_gates, sizeof(stub_gates), MADV_WIPEONFORK);
	stub_gates.gates.is_open_for_adapters = 1;
}

/* Not in a child of vfork() either. */
static bool stub_is_recording(void)
{
	return measure_is_recording() && owner == getpid();
}

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
	if (!stub_log)
		return;
	setvbuf(stub_log, NULL, _IOLBF, BRACKET_LINES);
	open_gates();
}

measure_status_t measure_adapter_register(const struct measure_adapter *adapter)
{
	stub_open();
	if (!stub_is_recording())
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
	if (stub_is_recording())
		fprintf(stub_log, "parallel_begin %u of %u\n", transport->rank, transport->size);
}

void measure_parallel_end(const struct measure_transport *transport)
{
	if (stub_is_recording())
		fprintf(stub_log, "parallel_end %u of %u\n", transport->rank, transport->size);
}

/* Every point is one to be told of, and written down on the first rank. */
void measure_parallel_point(
	const struct measure_transport *transport, struct measure_points *points)
{
	points->left = 1;
	if (stub_is_recording() && transport->rank == 0)
		fprintf(stub_log, "parallel_point\n");
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
	if (!stub_is_recording())
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
	if (stub_is_recording() && index != MEASURE_UNDEFINED)
		fprintf(stub_log, "name %u %s\n", index, name);
}

void measure_location_property(uint32_t index, const char *name, const char *value)
{
	if (stub_is_recording() && index != MEASURE_UNDEFINED)
		fprintf(stub_log, "location_property %u %s=%s\n", index, name, value);
}

void measure_location_property_uint64(uint32_t index, const char *name, uint64_t value)
{
	if (stub_is_recording() && index != MEASURE_UNDEFINED)
		fprintf(stub_log, "location_property %u %s=%llu\n", index, name,
			(unsigned long long)value);
}

/* Only archives show streams of devices: there is none here. */
struct measure_location *measure_stream_make(const char *device, const char *name)
{
	(void)device;
	(void)name;
	return NULL;
}

uint32_t measure_stream_index(const struct measure_location *stream)
{
	return stream->index;
}

bool measure_stream_record_begin(struct measure_location *stream, uint64_t time)
{
	(void)stream;
	(void)time;
	return false;
}

/* Only the archive shows it. */
void measure_location_rest(uint32_t release, measure_comm_t team)
{
	(void)release;
	(void)team;
}

/* Only measure-repair --live shows these. */
void measure_pending_note(struct measure_location *location, struct measure_pending_item item)
{
	(void)location;
	(void)item;
}

void measure_pending_note_all(struct measure_location *location, uint32_t nr,
	const struct measure_pending_item *items, bool is_any)
{
	(void)location;
	(void)nr;
	(void)items;
	(void)is_any;
}

void measure_lock_note(struct measure_location *location, uint32_t paradigm, uint32_t lock)
{
	(void)location;
	(void)paradigm;
	(void)lock;
}

void measure_unlock_note(struct measure_location *location, uint32_t paradigm, uint32_t lock)
{
	(void)location;
	(void)paradigm;
	(void)lock;
}

void measure_thread_note(uint64_t handle)
{
	(void)handle;
}

uint32_t measure_collective_count(measure_comm_t comm, uint8_t operation, uint32_t root)
{
	(void)comm;
	(void)operation;
	(void)root;
	return 0;
}

void measure_collective_doubt(measure_comm_t comm)
{
	(void)comm;
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

static void bracket_write(struct measure_location *location)
{
	int cancel_state;

	/* what writes can be cancelled, and would keep the file */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	fwrite(location->lines, 1, location->nr_bytes, stub_log);
	location->nr_bytes = 0;
	pthread_setcancelstate(cancel_state, NULL);
}

void measure_record_end(struct measure_location *location)
{
	bracket_write(location);
	location->is_open = false;
}

/* Room for that many bytes more, and a NUL. */
static void bracket_reserve(struct measure_location *location, size_t nr_bytes)
{
	if (location->nr_bytes + nr_bytes >= BRACKET_LINES)
		bracket_write(location);
}

__attribute__((format(printf, 2, 3))) static void bracket_add(
	struct measure_location *location, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	location->nr_bytes +=
		(size_t)vsprintf(location->lines + location->nr_bytes, format, arguments);
	va_end(arguments);
}

static void event_write(struct measure_location *location, const char *name, const uint64_t *values,
	size_t nr_values)
{
	bracket_reserve(location, 64 + strlen(name) + nr_values * VALUE_DIGITS);
	bracket_add(location, "event %u %" PRIu64 " %s", location->index, location->time, name);
	for (size_t i = 1; i < nr_values; i++) /* values[0] is a dummy: lists may be empty */
		bracket_add(location, " %" PRIu64, values[i]);
	bracket_add(location, "\n");
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

/* A stub records all of them. */
void measure_write_poll_leave(struct measure_location *location, measure_region_t region)
{
	measure_write_leave(location, region);
}

void measure_write_attribute_uint64(
	struct measure_location *location, measure_attribute_t attribute, uint64_t value)
{
	EVENT_WRITE(attribute, (attribute, value));
}

void measure_write_attributes(struct measure_location *location,
	const struct measure_typed_value *values, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		EVENT_WRITE(attribute, (values[i].attribute, values[i].unsigned_int));
}

void measure_write_metric(struct measure_location *location,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values)
{
	bracket_reserve(location, 64 + metric_class->nr * VALUE_DIGITS);
	bracket_add(location, "metric %u", metric_class->id);
	for (uint32_t i = 0; i < metric_class->nr; i++)
		bracket_add(location, " %" PRIu64, values[i].unsigned_int);
	bracket_add(location, "\n");
}

#define WRITE_ADAPTERS(name, ...)                                                                  \
	void measure_write_##name(struct measure_location *location MEASURE_EACH_FIELD(            \
		MEASURE_PARAMETER, ##__VA_ARGS__))                                                 \
	{                                                                                          \
		const uint64_t values[] = {0 MEASURE_EACH_FIELD(MEASURE_ARGUMENT, ##__VA_ARGS__)}; \
                                                                                                   \
		event_write(location, #name, values, sizeof(values) / sizeof(uint64_t));           \
	}
#define WRITE_OTHERS(name, ...)
#define EVENT(number, Name, NAME, name, shape, by, in, ...) WRITE_##by(name, ##__VA_ARGS__)
#include "../../lib/format/otf2_records.def"

/* A head has nothing but the attribute here. */
bool measure_attribute_list_make(
	struct measure_attribute_list *list, const measure_attribute_t *attributes, uint32_t nr)
{
	list->nr = nr;
	for (uint32_t i = 0; i < nr; i++)
		list->heads[i].size = attributes[i];
	return true;
}

static void write_list(struct measure_location *location, const struct measure_attribute_list *list,
	const uint64_t *values)
{
	for (uint32_t i = 0; list && i < list->nr; i++)
		EVENT_WRITE(attribute, (list->heads[i].size, values[i]));
}

bool measure_record_enter(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return false;
	if (metrics)
		measure_write_metric(location, metrics->metric_class, metrics->values);
	write_list(location, attributes, values);
	measure_write_enter(location, region);
	measure_record_end(location);
	return true;
}

void measure_record_leave(measure_region_t region, const struct measure_attribute_list *attributes,
	const uint64_t *values, const struct measure_metrics_beside *metrics)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	write_list(location, attributes, values);
	measure_write_leave(location, region);
	if (metrics)
		measure_write_metric(location, metrics->metric_class, metrics->values);
	measure_record_end(location);
}

void measure_region_enter(measure_region_t region)
{
	measure_record_enter(region, NULL, NULL, NULL);
}

void measure_region_leave(measure_region_t region)
{
	measure_record_leave(region, NULL, NULL, NULL);
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

	if (!stub_is_recording())
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

/* ------------------------------------------------------- what is attached, which it is not --- */

bool measure_is_attached(void)
{
	return false;
}

void *measure_function_behind(const char *name, const void *caller)
{
	(void)name, (void)caller;
	return NULL;
}

uint32_t measure_recording_number(void)
{
	return 1;
}
