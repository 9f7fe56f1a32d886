/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes XML as Cube's own writer does: its parser insists on the order of elements. */
#include "config.h"

#include "cube_xml.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/report/profile_report.h"
#include "analysis/report/profile_view.h"
#include "analysis/report/view_rows.h"

/* ---------------------------------------------------------------------------- text --- */

static void put_element(FILE *out, const char *name, const char *text)
{
	fprintf(out, "<%s>", name);
	measure_print_xml_text(text, out);
	fprintf(out, "</%s>\n", name);
}

/* ------------------------------------------------------------------------- metrics --- */

static void put_metric(FILE *out, const struct cube_metrics *metrics, uint32_t number)
{
	const struct cube_metric *metric = &metrics->items[number];

	fprintf(out, "<metric id=\"%" PRIu32 "\" type=\"EXCLUSIVE\">\n", number);
	put_element(out, "disp_name", metric->title);
	put_element(out, "uniq_name", metric->name);
	put_element(out, "dtype", metric->is_count ? "UINT64" : "DOUBLE");
	put_element(out, "uom", metric->is_count ? "occ" : "sec");
	put_element(out, "url", "");
	put_element(out, "descr", metric->description);
	for (uint32_t i = number + 1; i < metrics->nr_items; i++)
		if (metrics->items[i].parent == number)
			put_metric(out, metrics, i);
	fputs("</metric>\n", out);
}

static void put_metrics(FILE *out, const struct cube_metrics *metrics)
{
	fputs("<metrics>\n", out);
	for (uint32_t i = 0; i < metrics->nr_items; i++)
		if (metrics->items[i].parent == MEASURE_NONE)
			put_metric(out, metrics, i);
	fputs("</metrics>\n", out);
}

/* ------------------------------------------------------------------------- program --- */

/* Cube's words are Score-P's. */
static void put_paradigm(FILE *out, const char *word)
{
	fputs("<paradigm>", out);
	for (; *word; word++)
		fputc(tolower((unsigned char)*word), out);
	fputs("</paradigm>\n", out);
}

static int32_t line_of(uint32_t line)
{
	return line > 0 && line <= INT32_MAX ? (int32_t)line : -1;
}

static void put_region(
	FILE *out, const struct measure_profile *profile, uint32_t region, uint32_t number)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	const struct measure_region *definition = measure_profile_region(profile, region);
	const char *name = measure_profile_region_name(profile, region);

	fprintf(out, "<region id=\"%" PRIu32 "\" mod=\"", number);
	measure_print_xml_text(definition ? measure_text(definitions, definition->file) : "", out);
	fprintf(out, "\" begin=\"%" PRId32 "\" end=\"%" PRId32 "\">\n",
		line_of(definition ? definition->begin_line : 0),
		line_of(definition ? definition->end_line : 0));
	put_element(out, "name", name);
	put_element(out, "mangled_name",
		definition ? measure_text(definitions, definition->canonical_name) : name);
	put_paradigm(out, definition ? measure_paradigm_word(definition->paradigm) : "measurement");
	put_element(out, "role",
		definition && definition->role == OTF2_REGION_ROLE_FUNCTION ? "function"
									    : "unknown");
	put_element(out, "url", "");
	put_element(out, "descr", "");
	fputs("</region>\n", out);
}

/* By path: the number of its region. To be freed. */
static uint32_t *put_regions(FILE *out, const struct measure_profile *profile)
{
	uint32_t *callees = measure_zeroed(profile->nr_paths, sizeof(*callees));
	struct measure_map numbers = {.nr_used = 0};

	for (size_t i = 0; i < profile->nr_paths; i++) {
		const uint32_t region = profile->paths[i].region;
		const uint32_t nr = (uint32_t)numbers.nr_used;

		callees[i] = measure_map_intern(&numbers, measure_key_of(region), nr);
		if (callees[i] == nr)
			put_region(out, profile, region, nr);
	}
	measure_map_free(&numbers);
	return callees;
}

/* In the order of the tree, without what is no time of its own. */
static void put_program(
	FILE *out, const struct measure_profile *profile, struct cube_numbers *numbers)
{
	struct measure_path_walk walk;
	uint32_t *callees;

	fputs("<program>\n", out);
	callees = put_regions(out, profile);
	numbers->paths = measure_zeroed(profile->nr_paths, sizeof(*numbers->paths));
	measure_path_walk_start(&walk, profile, NULL, profile->nr_paths);
	while (measure_path_walk_next(&walk)) {
		const uint32_t path = walk.path;

		if (profile->paths[path].region == MEASURE_PSEUDO_RUNNING_TASKS) {
			numbers->paths[path] = MEASURE_NONE;
			continue;
		}
		if (walk.is_leaving) {
			fputs("</cnode>\n", out);
			continue;
		}
		numbers->paths[path] = numbers->nr_paths++;
		fprintf(out, "<cnode id=\"%" PRIu32 "\" calleeId=\"%" PRIu32 "\">\n",
			numbers->paths[path], callees[path]);
	}
	measure_path_walk_end(&walk);
	measure_free(callees);
	fputs("</program>\n", out);
}

/* -------------------------------------------------------------------------- system --- */

struct cube_system {
	FILE *out;
	const struct measure_definitions *definitions;
	struct cube_numbers *numbers;
	uint32_t nr_nodes, nr_groups;
};

static const char *location_type(OTF2_LocationType type)
{
	return type == OTF2_LOCATION_TYPE_CPU_THREAD ? "thread"
	       : type == OTF2_LOCATION_TYPE_METRIC   ? "metric"
						     : "gpu";
}

/* `group`: its index; that after the last one has the locations without a group. */
static void put_group(struct cube_system *system, uint32_t group)
{
	const struct measure_definitions *definitions = system->definitions;
	const bool is_there = group < definitions->nr_location_groups;
	uint32_t rank = 0;

	fprintf(system->out, "<locationgroup Id=\"%" PRIu32 "\">\n", system->nr_groups);
	put_element(system->out, "name",
		is_there ? measure_text(definitions, definitions->location_groups[group].name)
			 : "(no process)");
	fprintf(system->out, "<rank>%" PRIu32 "</rank>\n<type>process</type>\n",
		system->nr_groups++);
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const struct measure_location_definition *location = &definitions->locations[i];
		const bool is_its = is_there ? location->group == group
					     : location->group >= definitions->nr_location_groups;

		if (!is_its)
			continue;
		system->numbers->locations[i] = system->numbers->nr_locations++;
		fprintf(system->out, "<location Id=\"%" PRIu32 "\">\n",
			system->numbers->locations[i]);
		put_element(system->out, "name", measure_text(definitions, location->name));
		fprintf(system->out, "<rank>%" PRIu32 "</rank>\n", rank++);
		put_element(system->out, "type", location_type(location->type));
		fputs("</location>\n", system->out);
	}
	fputs("</locationgroup>\n", system->out);
}

static void open_node(struct cube_system *system, const char *name, const char *class)
{
	fprintf(system->out, "<systemtreenode Id=\"%" PRIu32 "\">\n", system->nr_nodes++);
	put_element(system->out, "name", name);
	put_element(system->out, "class", class);
}

static void put_node(struct cube_system *system, uint32_t node)
{
	const struct measure_definitions *definitions = system->definitions;

	open_node(system, measure_text(definitions, definitions->tree_nodes[node].name),
		definitions->tree_nodes[node].parent == MEASURE_NONE ? "machine" : "node");
	for (uint32_t i = 0; i < definitions->nr_location_groups; i++)
		if (definitions->location_groups[i].tree_node == node)
			put_group(system, i);
	for (uint32_t i = 0; i < definitions->nr_tree_nodes; i++)
		if (definitions->tree_nodes[i].parent == node)
			put_node(system, i);
	fputs("</systemtreenode>\n", system->out);
}

/* False: in damaged archives nodes may be below themselves. */
static bool has_root(const struct measure_definitions *definitions, uint32_t node)
{
	for (size_t i = 0; i <= definitions->nr_tree_nodes; i++) {
		if (node == MEASURE_NONE)
			return i > 0;
		node = definitions->tree_nodes[node].parent;
	}
	return false;
}

/* Under a root of its own: Cube wants each location to be below a node. */
static void put_system(
	FILE *out, const struct measure_definitions *definitions, struct cube_numbers *numbers)
{
	struct cube_system system = {.out = out, .definitions = definitions, .numbers = numbers};
	bool is_homeless = false;

	numbers->locations = measure_zeroed(definitions->nr_locations, sizeof(*numbers->locations));
	fputs("<system>\n", out);
	open_node(&system, "all", "machine");
	for (uint32_t i = 0; i < definitions->nr_location_groups; i++)
		if (!has_root(definitions, definitions->location_groups[i].tree_node))
			put_group(&system, i);
	for (size_t i = 0; i < definitions->nr_locations; i++)
		is_homeless |= definitions->locations[i].group >= definitions->nr_location_groups;
	if (is_homeless)
		put_group(&system, (uint32_t)definitions->nr_location_groups);
	for (uint32_t i = 0; i < definitions->nr_tree_nodes; i++)
		if (definitions->tree_nodes[i].parent == MEASURE_NONE)
			put_node(&system, i);
	fputs("</systemtreenode>\n<topologies>\n</topologies>\n</system>\n", out);
}

void cube_write_anchor(const struct cube_metrics *metrics, struct cube_numbers *numbers, FILE *out)
{
	const struct measure_profile *profile = &metrics->waits->profile;

	*numbers = (struct cube_numbers){.nr_paths = 0};
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<cube version=\"4.4\">\n"
	      "<attr key=\"CREATOR\" value=\"measure-analyze " PACKAGE_VERSION "\"/>\n"
	      "<doc>\n<mirrors>\n</mirrors>\n</doc>\n",
		out);
	put_metrics(out, metrics);
	put_program(out, profile, numbers);
	put_system(out, &profile->trace->definitions, numbers);
	fputs("</cube>\n", out);
}

void cube_numbers_free(struct cube_numbers *numbers)
{
	measure_free(numbers->paths);
	measure_free(numbers->locations);
}
