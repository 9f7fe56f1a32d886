/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What to call locations, communicators, windows and files in messages, so that whoever reads
 * one knows which it is: made once, when the definitions are linked. */
#include "config.h"

#include "definitions.h"

#include <stdio.h>
#include <string.h>

#define NAME_LENGTH 120 /* of a name inside a label */

/* "window 2 (halo)"; "window 2" where it has no name. */
static char *label(const struct measure_definitions *definitions, const char *word, uint32_t id,
	uint32_t name)
{
	const char *text = measure_text(definitions, name);
	char buffer[NAME_LENGTH + 60];

	if (*text)
		snprintf(buffer, sizeof(buffer), "%s %u (%.*s)", word, id, NAME_LENGTH, text);
	else
		snprintf(buffer, sizeof(buffer), "%s %u", word, id);
	return measure_copy_text(buffer);
}

static bool is_team(const struct measure_definitions *definitions, const struct measure_comm *comm)
{
	return comm->groups[0] != MEASURE_NONE &&
	       definitions->groups[comm->groups[0]].paradigm != OTF2_PARADIGM_MPI;
}

/* "MPI Rank 1, Master thread"; the location's name alone where it has the process's in it. */
static char *label_location(const struct measure_definitions *definitions,
	const struct measure_location_definition *location)
{
	const char *group = "", *name = measure_text(definitions, location->name);
	char buffer[2 * NAME_LENGTH + 10];

	if (location->group != MEASURE_NONE)
		group = measure_text(
			definitions, definitions->location_groups[location->group].name);
	if (strstr(name, group))
		group = "";
	snprintf(buffer, sizeof(buffer), "%.*s%s%.*s", NAME_LENGTH, group,
		*group && *name ? ", " : "", NAME_LENGTH, name);
	return measure_copy_text(buffer);
}

void measure_definitions_label(struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_locations; i++)
		definitions->locations[i].label =
			label_location(definitions, &definitions->locations[i]);
	for (size_t i = 0; i < definitions->nr_comms; i++) {
		struct measure_comm *comm = &definitions->comms[i];

		comm->label =
			label(definitions, is_team(definitions, comm) ? "team" : "communicator",
				comm->id, comm->name);
	}
	for (size_t i = 0; i < definitions->nr_windows; i++)
		definitions->windows[i].label = label(definitions, "window",
			definitions->windows[i].id, definitions->windows[i].name);
	for (size_t i = 0; i < definitions->nr_io_handles; i++)
		definitions->io_handles[i].label = label(definitions, "handle",
			definitions->io_handles[i].id, definitions->io_handles[i].name);
}

void measure_definitions_unlabel(struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_locations; i++)
		measure_free(definitions->locations[i].label);
	for (size_t i = 0; i < definitions->nr_comms; i++)
		measure_free(definitions->comms[i].label);
	for (size_t i = 0; i < definitions->nr_windows; i++)
		measure_free(definitions->windows[i].label);
	for (size_t i = 0; i < definitions->nr_io_handles; i++)
		measure_free(definitions->io_handles[i].label);
}

const char *measure_name_of_location(
	const struct measure_definitions *definitions, uint32_t location)
{
	if (location >= definitions->nr_locations)
		return "no location";
	return definitions->locations[location].label;
}
