/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types and containers of a Paje file: machine, hosts, processes, threads. Containers are named by
 * a letter and the number of their definition; that without one has the number after the last. */
#include "config.h"

#include <inttypes.h>

#include "paje.h"

struct paje_place {
	uint32_t process, host;
};

static struct paje_place place_of(const struct paje_file *file, uint32_t location)
{
	const struct measure_definitions *definitions = file->conversion->definitions;
	struct paje_place place = {definitions->locations[location].group, MEASURE_NONE};

	if (place.process < definitions->nr_location_groups)
		place.host = definitions->location_groups[place.process].host;
	else
		place.process = (uint32_t)definitions->nr_location_groups;
	if (place.host >= definitions->nr_tree_nodes)
		place.host = (uint32_t)definitions->nr_tree_nodes;
	return place;
}

/* -------------------------------------------------------------------------- types --- */

static void write_type(
	FILE *out, enum paje_event event, const char *alias, const char *parent, const char *name)
{
	fprintf(out, "%d %s %s \"%s\"\n", event, alias, parent, name);
}

static void write_metric_types(const struct paje_file *file)
{
	const struct measure_definitions *definitions = file->conversion->definitions;

	for (size_t i = 0; i < definitions->nr_metric_members; i++) {
		const struct measure_metric_member *member = &definitions->metric_members[i];

		fprintf(file->out, "%d V%zu " PAJE_THREAD " ", PAJE_DEFINE_VARIABLE_TYPE, i);
		paje_write_name(file->out, measure_text(definitions, member->name));
		paje_write_colour(file->out, MEASURE_STATE_THREADS, (uint32_t)i);
		putc('\n', file->out);
	}
}

static void write_types(const struct paje_file *file)
{
	FILE *out = file->out;

	write_type(out, PAJE_DEFINE_CONTAINER_TYPE, PAJE_MACHINE, "0", "machine");
	write_type(out, PAJE_DEFINE_CONTAINER_TYPE, PAJE_HOST, PAJE_MACHINE, "host");
	write_type(out, PAJE_DEFINE_CONTAINER_TYPE, PAJE_PROCESS, PAJE_HOST, "process");
	write_type(out, PAJE_DEFINE_CONTAINER_TYPE, PAJE_THREAD, PAJE_PROCESS, "thread");
	write_type(out, PAJE_DEFINE_STATE_TYPE, "S", PAJE_THREAD,
		file->conversion->options->is_flat ? "class" : "region");
	write_type(out, PAJE_DEFINE_EVENT_TYPE, "E", PAJE_MACHINE, "marker");
	write_type(out, PAJE_DEFINE_EVENT_TYPE, "ET", PAJE_THREAD, "marker of a thread");
	fprintf(out, "%d L " PAJE_MACHINE " " PAJE_THREAD " " PAJE_THREAD " \"message\"\n",
		PAJE_DEFINE_LINK_TYPE);
	write_metric_types(file);
}

/* ------------------------------------------------------------------------- states --- */

static void write_value(const struct paje_file *file, uint32_t number, const char *name,
	enum measure_state_class class, uint32_t shade)
{
	fprintf(file->out, "%d R%" PRIu32 " S ", PAJE_DEFINE_ENTITY_VALUE, number);
	paje_write_name(file->out, name);
	paje_write_colour(file->out, class, shade);
	putc('\n', file->out);
}

static void write_classes(const struct paje_file *file)
{
	for (uint32_t i = 0; i < MEASURE_NR_STATE_CLASSES; i++)
		write_value(file, i, measure_state_classes[i].word, (enum measure_state_class)i, 0);
}

/* The regions of the archive, and those that it does not define. */
static void write_regions(const struct paje_file *file)
{
	const struct measure_profile *profile = &file->conversion->profile;
	const struct measure_definitions *definitions = file->conversion->definitions;
	uint32_t nr_of_class[MEASURE_NR_STATE_CLASSES] = {0};

	for (uint32_t i = 0; i < definitions->nr_regions; i++) {
		const enum measure_state_class class =
			measure_state_class_of(file->classes, definitions, i);

		if (!profile->same_regions || profile->same_regions[i] == i)
			write_value(file, i, measure_profile_region_name(profile, i), class,
				nr_of_class[class]++);
	}
	for (uint32_t i = MEASURE_PSEUDO_BEFORE + 1; i < MEASURE_PSEUDO_END; i++)
		write_value(file, i, measure_profile_region_name(profile, i),
			measure_state_class_of(file->classes, definitions, i), 0);
}

/* --------------------------------------------------------------------- containers --- */

static void create_container(const struct paje_file *file, const char *type, uint32_t number,
	const char *parent, uint32_t parent_number, const char *name)
{
	fprintf(file->out, "%d", PAJE_CREATE_CONTAINER);
	paje_write_time(file->out, file->conversion->from_ns);
	fprintf(file->out, " %s%" PRIu32 " %s %s%" PRIu32 " ", type, number, type, parent,
		parent_number);
	paje_write_name(file->out, name);
	putc('\n', file->out);
}

static void destroy_container(const struct paje_file *file, const char *type, uint32_t number)
{
	fprintf(file->out, "%d", PAJE_DESTROY_CONTAINER);
	paje_write_time(file->out, file->last_ns);
	fprintf(file->out, " %s %s%" PRIu32 "\n", type, type, number);
}

/* With its process and its host, unless these are there. */
static void create_thread(struct paje_file *file, uint32_t location)
{
	const struct measure_definitions *definitions = file->conversion->definitions;
	const struct paje_place place = place_of(file, location);

	if (!file->has_host[place.host])
		create_container(file, PAJE_HOST, place.host, PAJE_MACHINE, 0,
			place.host < definitions->nr_tree_nodes
				? measure_name_of_host(definitions, place.host)
				: "(no host)");
	if (!file->has_process[place.process])
		create_container(file, PAJE_PROCESS, place.process, PAJE_HOST, place.host,
			measure_conversion_process_name(file->conversion, place.process));
	file->has_host[place.host] = file->has_process[place.process] = true;
	create_container(file, PAJE_THREAD, location, PAJE_PROCESS, place.process,
		measure_name_of_location(definitions, location));
}

void paje_begin(struct paje_file *file)
{
	struct measure_conversion *conversion = file->conversion;
	const struct measure_definitions *definitions = conversion->definitions;

	file->classes = measure_state_classes_find(definitions);
	file->has_process = measure_zeroed(definitions->nr_location_groups + 1, sizeof(bool));
	file->has_host = measure_zeroed(definitions->nr_tree_nodes + 1, sizeof(bool));
	file->last_ns = conversion->from_ns;
	paje_write_header(file->out);
	write_types(file);
	if (conversion->options->is_flat)
		write_classes(file);
	else
		write_regions(file);
	fprintf(file->out, "%d", PAJE_CREATE_CONTAINER);
	paje_write_time(file->out, conversion->from_ns);
	fputs(" " PAJE_MACHINE "0 " PAJE_MACHINE " 0 \"machine\"\n", file->out);
	for (size_t i = 0; i < conversion->nr_locations; i++)
		create_thread(file, conversion->locations[i]);
}

void paje_end(struct paje_file *file)
{
	const struct measure_conversion *conversion = file->conversion;
	const struct measure_definitions *definitions = conversion->definitions;

	for (size_t i = 0; i < conversion->nr_locations; i++)
		destroy_container(file, PAJE_THREAD, conversion->locations[i]);
	for (uint32_t i = 0; i <= definitions->nr_location_groups; i++)
		if (file->has_process[i])
			destroy_container(file, PAJE_PROCESS, i);
	for (uint32_t i = 0; i <= definitions->nr_tree_nodes; i++)
		if (file->has_host[i])
			destroy_container(file, PAJE_HOST, i);
	destroy_container(file, PAJE_MACHINE, 0);
	measure_free(file->classes);
	measure_free(file->has_process);
	measure_free(file->has_host);
}
