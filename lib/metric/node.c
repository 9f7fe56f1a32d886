/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of a node: node.def; and the energy that parts of it have used, by zones of the kernel's
 * powercap ("intel-rapl:0": a processor, "intel-rapl:0:0": its cores). */
#include "config.h"

#include <dirent.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"
#include "metric/field.h"
#include "list.h"

#define FILE_SIZE  4096
#define MOST_ZONES 64
#define ZONE_NAME  64
#define ZONE_PATH  512

const char *measure_metric_powercap = "/sys/class/powercap";

enum node_kind { KIND_MEMORY, KIND_LOAD, KIND_ENERGY };

struct node_item {
	struct measure_metric_info info;
	enum node_kind kind;
	uint32_t number;
};

static const struct node_item items[] = {
#define MEMORY(name, description)                                                                  \
	{{#name, description, "bytes", OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,         \
		 OTF2_TYPE_UINT64, OTF2_BASE_BINARY, 10},                                          \
		KIND_MEMORY, 0},
#define LOAD(name, number, description)                                                            \
	{{#name, description, "#", OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,             \
		 OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0},                                          \
		KIND_LOAD, number},
#include "metric/node.def"
#undef MEMORY
#undef LOAD
};
#define NR_ITEMS (sizeof(items) / sizeof(*items))

/* Joules, as far as a reading knows: counters start anew at `range`. */
struct energy {
	char path[ZONE_PATH];
	uint64_t range, last, sum;
	bool is_known;
};

struct node_reading {
	uint32_t nr;
	const struct node_item *items[MEASURE_MOST_METRICS];
	struct energy energies[MEASURE_MOST_METRICS];
};

/* -------------------------------------------------------------------------- zones --- */

static struct node_item zones[MOST_ZONES];
static char zone_names[MOST_ZONES][ZONE_NAME];
static uint32_t nr_zones;

static void zone_path(const char *zone, const char *file, char path[ZONE_PATH])
{
	snprintf(path, ZONE_PATH, "%s/%s/%s", measure_metric_powercap, zone, file);
}

static void add_zone(const char *name)
{
	char path[ZONE_PATH];

	zone_path(name, "energy_uj", path);
	if (nr_zones == MOST_ZONES || strlen(name) >= ZONE_NAME || access(path, F_OK) != 0)
		return;
	strcpy(zone_names[nr_zones], name);
	zones[nr_zones] = (struct node_item){
		{zone_names[nr_zones],
			"energy used, as reported by the kernel's powercap interface", "J",
			OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
			OTF2_BASE_DECIMAL, -6},
		KIND_ENERGY, 0};
	nr_zones++;
}

static void find_zones(void)
{
	DIR *directory = nr_zones ? NULL : opendir(measure_metric_powercap);

	if (!directory)
		return;
	for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
		if (entry->d_name[0] != '.')
			add_zone(entry->d_name);
	closedir(directory);
}

static bool read_number(const char *path, uint64_t *value)
{
	char text[64], *end;

	if (measure_text_read(path, text, sizeof(text)) <= 0)
		return false;
	*value = strtoull(text, &end, 10);
	return end != text;
}

static bool read_energy(struct energy *energy, uint64_t *value)
{
	uint64_t now;

	if (!read_number(energy->path, &now))
		return false;
	if (!energy->is_known)
		energy->sum = now;
	else
		energy->sum += now >= energy->last ? now - energy->last
						   : now + energy->range - energy->last;
	energy->is_known = true;
	energy->last = now;
	*value = energy->sum;
	return true;
}

static void begin_energy(const char *zone, struct energy *energy)
{
	char path[ZONE_PATH];

	zone_path(zone, "energy_uj", energy->path);
	zone_path(zone, "max_energy_range_uj", path);
	read_number(path, &energy->range);
}

/* ------------------------------------------------------------------------- source --- */

static const struct node_item *item_at(uint32_t number)
{
	find_zones();
	if (number < NR_ITEMS)
		return &items[number];
	return number - NR_ITEMS < nr_zones ? &zones[number - NR_ITEMS] : NULL;
}

static const struct node_item *item_of(const char *name)
{
	const struct node_item *item;

	for (uint32_t i = 0; (item = item_at(i)); i++)
		if (strcmp(item->info.name, name) == 0)
			return item;
	return NULL;
}

static measure_status_t node_find(
	const char *metric, struct measure_metric_info *info, const char **why)
{
	const struct node_item *item = item_of(metric);
	struct energy energy = {.range = 0};
	uint64_t value;

	if (!item)
		return MEASURE_ERROR_NOT_FOUND;
	*why = "the kernel does not let this user read it (/sys/class/powercap)";
	if (item->kind == KIND_ENERGY) {
		begin_energy(metric, &energy);
		if (!read_energy(&energy, &value))
			return MEASURE_ERROR_UNSUPPORTED;
	}
	*info = item->info;
	return MEASURE_OK;
}

static const char *node_name_of(uint32_t number)
{
	const struct node_item *item = item_at(number);

	return item ? item->info.name : NULL;
}

static void *node_begin(const char *const *metrics, uint32_t nr, pid_t pid)
{
	struct node_reading *reading = calloc(1, sizeof(*reading));

	(void)pid;
	for (uint32_t i = 0; reading && i < nr; i++) {
		reading->items[i] = item_of(metrics[i]);
		begin_energy(metrics[i], &reading->energies[i]);
		reading->nr++;
	}
	return reading;
}

static bool read_load(uint32_t number, double *value)
{
	char text[128], *place = text, *end = text;

	if (measure_text_read("/proc/loadavg", text, sizeof(text)) <= 0)
		return false;
	for (uint32_t i = 0; i <= number; i++) {
		place = end;
		*value = strtod(place, &end);
	}
	return end != place;
}

static bool read_memory(const char *name, char text[FILE_SIZE], uint64_t *value)
{
	return (*text || measure_text_read("/proc/meminfo", text, FILE_SIZE) > 0) &&
	       measure_field_by_key(text, name, value);
}

static bool node_read_values(void *state, union measure_metric_value *values)
{
	struct node_reading *reading = state;
	char memory[FILE_SIZE] = "";
	bool is_read = true;

	for (uint32_t i = 0; is_read && i < reading->nr; i++) {
		const struct node_item *item = reading->items[i];
		if (item->kind == KIND_MEMORY)
			is_read = read_memory(item->info.name, memory, &values[i].unsigned_int);
		else if (item->kind == KIND_LOAD)
			is_read = read_load(item->number, &values[i].floating_point);
		else
			is_read = read_energy(&reading->energies[i], &values[i].unsigned_int);
	}
	return is_read;
}

const struct measure_metric_source measure_metric_node = {MEASURE_METRIC_ABI, MEASURE_METRIC_NODE,
	"node", node_find, node_name_of, node_begin, node_read_values, free, NULL};

const struct measure_metric_source *const measure_metric_sampled[] = {
	&measure_metric_proc,
	&measure_metric_node,
	NULL,
};
