/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of PAPI, of the calling thread: presets, and native events of all its components, those
 * that a program defines itself (libsde) among them. A module of its own, so that only programs
 * that are measured with it load PAPI. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "metric.h"

#define MOST_NAMES 65536

/* Counters of one component of PAPI are an event set. */
struct papi_set {
	int component;
	int set;
	uint32_t nr;
	uint32_t places[MEASURE_MOST_METRICS]; /* of its values among all */
};

struct papi_counting {
	uint32_t nr_sets;
	struct papi_set sets[MEASURE_MOST_METRICS];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_there;

static unsigned long own_id(void)
{
	return (unsigned long)syscall(SYS_gettid);
}

static void papi_start(void)
{
	is_there = PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT &&
		   PAPI_thread_init(own_id) == PAPI_OK;
}

/* ------------------------------------------------------------------------- names --- */

/* They come to be while the program runs: `measure` cannot know them. */
static bool is_of_program(const char *name)
{
	return strncmp(name, "sde:::", 6) == 0;
}

/* Of a processor that PAPI does not know, the kernel's counters are missing, too. */
static bool is_of_missing_component(const char *name)
{
	const int component = PAPI_get_component_index("perf_event");
	const PAPI_component_info_t *info =
		component >= 0 ? PAPI_get_component_info(component) : NULL;

	return strncmp(name, "perf::", 6) == 0 && (!info || info->disabled != PAPI_OK);
}

static uint8_t value_type(const PAPI_event_info_t *about)
{
	switch (about->data_type) {
	case PAPI_DATATYPE_FP64:
		return OTF2_TYPE_DOUBLE;
	case PAPI_DATATYPE_UINT64:
		return OTF2_TYPE_UINT64;
	default:
		return OTF2_TYPE_INT64;
	}
}

static void papi_describe(
	const char *name, const PAPI_event_info_t *about, struct measure_metric_info *info)
{
	*info = (struct measure_metric_info){.name = name,
		.description = strdup(about->long_descr),
		.unit = about->units[0] ? strdup(about->units) : "#",
		.type = OTF2_METRIC_TYPE_PAPI,
		.mode = about->timescope == PAPI_TIMESCOPE_POINT ? OTF2_METRIC_ABSOLUTE_POINT
								 : OTF2_METRIC_ACCUMULATED_START,
		.value_type = value_type(about),
		.base = OTF2_BASE_DECIMAL};
	if (!info->unit)
		info->unit = "#";
}

static measure_status_t papi_find(
	const char *metric, struct measure_metric_info *info, const char **why)
{
	PAPI_event_info_t about;
	int code;

	pthread_once(&once, papi_start);
	*why = "PAPI cannot be initialised";
	if (!is_there)
		return MEASURE_ERROR_UNSUPPORTED;
	memset(&about, 0, sizeof(about));
	*why = "not available on this machine";
	if (PAPI_event_name_to_code(metric, &code) != PAPI_OK) {
		if (is_of_missing_component(metric))
			return MEASURE_ERROR_UNSUPPORTED;
		if (!is_of_program(metric))
			return MEASURE_ERROR_NOT_FOUND;
	} else if (PAPI_get_event_info(code, &about) != PAPI_OK ||
		   (!is_of_program(metric) && PAPI_query_event(code) != PAPI_OK)) {
		return MEASURE_ERROR_UNSUPPORTED;
	}
	papi_describe(metric, &about, info);
	return MEASURE_OK;
}

static char *names[MOST_NAMES];
static uint32_t nr_names;

static void add_name(int code)
{
	char name[PAPI_MAX_STR_LEN];

	if (nr_names < MOST_NAMES && PAPI_event_code_to_name(code, name) == PAPI_OK &&
		(names[nr_names] = strdup(name)))
		nr_names++;
}

/* All that PAPI knows, also what this machine does not have: who mistypes one of these wants to
 * learn its right name first. */
static void add_presets(void)
{
	int code = (int)PAPI_PRESET_MASK;

	if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK)
		return;
	do
		add_name(code);
	while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
}

static void add_natives(int component)
{
	int code = (int)PAPI_NATIVE_MASK;

	if (PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component) != PAPI_OK)
		return;
	do {
		if (PAPI_query_event(code) == PAPI_OK)
			add_name(code);
	} while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) == PAPI_OK);
}

static const char *papi_name_of(uint32_t number)
{
	pthread_once(&once, papi_start);
	if (is_there && nr_names == 0) {
		add_presets();
		for (int i = 0; i < PAPI_num_components(); i++)
			add_natives(i);
	}
	return number < nr_names ? names[number] : NULL;
}

/* ----------------------------------------------------------------------- counting --- */

static void papi_end(void *thread)
{
	struct papi_counting *counting = thread;
	long long values[MEASURE_MOST_METRICS];

	for (uint32_t i = 0; i < counting->nr_sets; i++) {
		PAPI_stop(counting->sets[i].set, values);
		PAPI_cleanup_eventset(counting->sets[i].set);
		PAPI_destroy_eventset(&counting->sets[i].set);
	}
	PAPI_unregister_thread();
	free(counting);
}

static struct papi_set *set_of(struct papi_counting *counting, int component)
{
	struct papi_set *set;

	for (uint32_t i = 0; i < counting->nr_sets; i++)
		if (counting->sets[i].component == component)
			return &counting->sets[i];
	set = &counting->sets[counting->nr_sets];
	*set = (struct papi_set){.component = component, .set = PAPI_NULL};
	if (PAPI_create_eventset(&set->set) != PAPI_OK)
		return NULL;
	counting->nr_sets++;
	return set;
}

static bool papi_add(struct papi_counting *counting, const char *metric, uint32_t place)
{
	struct papi_set *set;
	int code;

	if (PAPI_event_name_to_code(metric, &code) != PAPI_OK)
		return false;
	set = set_of(counting, PAPI_get_event_component(code));
	if (!set || PAPI_add_event(set->set, code) != PAPI_OK)
		return false;
	set->places[set->nr++] = place;
	return true;
}

static bool start_sets(struct papi_counting *counting)
{
	for (uint32_t i = 0; i < counting->nr_sets; i++)
		if (PAPI_start(counting->sets[i].set) != PAPI_OK)
			return false;
	return true;
}

static void *papi_begin(const char *const *metrics, uint32_t nr, pid_t pid)
{
	struct papi_counting *counting = calloc(1, sizeof(*counting));
	bool is_whole = counting && PAPI_register_thread() == PAPI_OK;

	(void)pid;
	for (uint32_t i = 0; is_whole && i < nr; i++)
		is_whole = papi_add(counting, metrics[i], i);
	if (is_whole && start_sets(counting))
		return counting;
	if (counting)
		papi_end(counting);
	return NULL;
}

static bool read_set(const struct papi_set *set, union measure_metric_value *values)
{
	long long read[MEASURE_MOST_METRICS];

	if (PAPI_read(set->set, read) != PAPI_OK)
		return false;
	for (uint32_t k = 0; k < set->nr; k++)
		values[set->places[k]].signed_int = read[k];
	return true;
}

static bool papi_read_values(void *thread, union measure_metric_value *values)
{
	const struct papi_counting *counting = thread;
	int saved = errno;
	bool is_read = true;

	for (uint32_t i = 0; i < counting->nr_sets; i++)
		is_read &= read_set(&counting->sets[i], values);
	errno = saved;
	return is_read;
}

static void forked(void)
{
	papi_start();
}

static const struct measure_metric_source papi = {MEASURE_METRIC_ABI, MEASURE_METRIC_THREAD, "papi",
	papi_find, papi_name_of, papi_begin, papi_read_values, papi_end, forked};
MEASURE_METRIC_SOURCE(papi)
