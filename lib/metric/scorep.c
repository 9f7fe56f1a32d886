/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metric plug-ins of Score-P; see scorep.h. */
#include "config.h"

#include "metric/scorep.h"

#include <ctype.h>
#include <dlfcn.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct measure_scorep_info entry_fn(void);

static const uint8_t modes[MEASURE_SCOREP_MODES] = {OTF2_METRIC_ACCUMULATED_START,
	OTF2_METRIC_ACCUMULATED_POINT, OTF2_METRIC_ACCUMULATED_LAST, OTF2_METRIC_ACCUMULATED_NEXT,
	OTF2_METRIC_ABSOLUTE_POINT, OTF2_METRIC_ABSOLUTE_LAST, OTF2_METRIC_ABSOLUTE_NEXT,
	OTF2_METRIC_RELATIVE_POINT, OTF2_METRIC_RELATIVE_LAST, OTF2_METRIC_RELATIVE_NEXT};

static const uint8_t value_types[MEASURE_SCOREP_TYPES] = {[MEASURE_SCOREP_INT64] = OTF2_TYPE_INT64,
	[MEASURE_SCOREP_UINT64] = OTF2_TYPE_UINT64,
	[MEASURE_SCOREP_DOUBLE] = OTF2_TYPE_DOUBLE};

static const uint8_t bases[MEASURE_SCOREP_BASES] = {
	[MEASURE_SCOREP_BINARY] = OTF2_BASE_BINARY, [MEASURE_SCOREP_DECIMAL] = OTF2_BASE_DECIMAL};

/* "energy" of /opt/libenergy.so.1; false: no such file is one. */
static bool take_name(const char *path, char name[MEASURE_SCOREP_NAME])
{
	const char *file = strrchr(path, '/'), *end;

	file = file ? file + 1 : path;
	end = strstr(file, ".so");
	if (strncmp(file, "lib", 3) != 0 || !end || end - file - 3 >= MEASURE_SCOREP_NAME)
		return false;
	snprintf(name, MEASURE_SCOREP_NAME, "%.*s", (int)(end - file - 3), file + 3);
	return true;
}

bool measure_scorep_is(void *object, const char *path, struct measure_scorep *plugin)
{
	char symbol[sizeof(MEASURE_SCOREP_ENTRY) + MEASURE_SCOREP_NAME];
	entry_fn *entry;

	memset(plugin, 0, sizeof(*plugin));
	if (!take_name(path, plugin->name))
		return false;
	snprintf(symbol, sizeof(symbol), MEASURE_SCOREP_ENTRY, plugin->name);
	entry = (entry_fn *)dlsym(object, symbol);
	if (!entry)
		return false;
	plugin->info = entry();
	plugin->is_in_program = plugin->info.scope == MEASURE_SCOREP_THREAD ||
				plugin->info.scope == MEASURE_SCOREP_PROCESS;
	return true;
}

bool measure_scorep_open(const char *path, struct measure_scorep *plugin)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	return object && measure_scorep_is(object, path, plugin);
}

static bool can_be_asked(const struct measure_scorep_info *info)
{
	switch (info->timing) {
	case MEASURE_SCOREP_ALWAYS:
		return info->value;
	case MEASURE_SCOREP_SOMETIMES:
		return info->new_value;
	default:
		return info->values && info->take_clock;
	}
}

const char *measure_scorep_fault(const struct measure_scorep *plugin)
{
	const struct measure_scorep_info *info = &plugin->info;

	if (info->version > MEASURE_SCOREP_VERSION)
		return "the plug-in was built for a newer interface of Score-P than 1";
	if (info->scope >= MEASURE_SCOREP_SCOPES || info->timing >= MEASURE_SCOREP_TIMINGS ||
		!info->start || !info->stop || !info->metrics_of || !info->add ||
		!can_be_asked(info))
		return "the plug-in lacks functions of Score-P's interface";
	if (plugin->is_in_program && info->timing > MEASURE_SCOREP_SOMETIMES)
		return "thread and process values with their own timestamps are not supported";
	return NULL;
}

bool measure_scorep_start(const struct measure_scorep *plugin, measure_scorep_clock_fn *clock)
{
	if (plugin->info.take_clock)
		plugin->info.take_clock(clock);
	return plugin->info.start() == 0;
}

static bool scorep_describe(
	const struct measure_scorep_metric *from, struct measure_metric_info *info)
{
	if (from->mode >= MEASURE_SCOREP_MODES || from->value_type >= MEASURE_SCOREP_TYPES ||
		from->base >= MEASURE_SCOREP_BASES)
		return false;
	*info = (struct measure_metric_info){.name = from->name,
		.description = from->description,
		.unit = from->unit ? from->unit : "#",
		.type = OTF2_METRIC_TYPE_OTHER,
		.mode = modes[from->mode],
		.value_type = value_types[from->value_type],
		.base = bases[from->base],
		.exponent = from->exponent};
	return true;
}

/* Those beyond `most` are counted only. */
static uint32_t metrics_of(const struct measure_scorep *plugin, char *word,
	struct measure_metric_info *metrics, uint32_t most)
{
	const struct measure_scorep_metric *list = plugin->info.metrics_of(word);
	struct measure_metric_info info;
	uint32_t nr = 0;

	for (; list && list->name; list++)
		if (scorep_describe(list, &info)) {
			if (nr < most)
				metrics[nr] = info;
			nr++;
		}
	return nr;
}

/* As Score-P asks for them; NULL: it does not. */
static const char *words_of(const struct measure_scorep *plugin)
{
	char variable[sizeof("SCOREP_METRIC_") + MEASURE_SCOREP_NAME];

	snprintf(variable, sizeof(variable), "SCOREP_METRIC_%s", plugin->name);
	for (char *c = variable; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return getenv(variable);
}

uint32_t measure_scorep_metrics(const struct measure_scorep *plugin, const char *word,
	struct measure_metric_info *metrics, uint32_t most)
{
	const char *separators = getenv("SCOREP_METRIC_PLUGINS_SEP");
	const char *words = *word ? word : words_of(plugin);
	char *copy = words ? strdup(words) : NULL, *rest; /* lives on: they may keep it */
	uint32_t nr = 0;

	if (*word)
		return copy ? metrics_of(plugin, copy, metrics, most) : 0;
	if (!separators || !*separators)
		separators = ",";
	for (char *one = copy ? strtok_r(copy, separators, &rest) : NULL; one;
		one = strtok_r(NULL, separators, &rest))
		nr += metrics_of(
			plugin, one, nr < most ? metrics + nr : NULL, nr < most ? most - nr : 0);
	return nr;
}

void measure_scorep_tell(const struct measure_scorep *plugin, enum measure_scorep_moment moment)
{
	if (plugin->info.version > 0 && plugin->info.synchronize)
		plugin->info.synchronize(true, moment);
}
