/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine, its nodes, and in these the packages, memories, caches, cores and processors that
 * processes are bound to, with what they are in. Not the others: a large node has many of them, and
 * viewers show each. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <stdlib.h>
#include <string.h>

#include "node_topology.h"
#include "unify.h"

#define MACHINE 0 /* id of the root node */

/* A node of the machine. */
struct host {
	const struct measure_part *part;         /* the first process on it */
	const struct measure_node_topology *topology; /* NULL: not known */
	uint32_t *ids; /* of its places; MEASURE_NO_ID: it is not needed, 0: it is, but has none yet
			*/
};

struct hosts {
	struct measure_unified *unified;
	struct measure_intern identities;
	MEASURE_ARRAY(struct host) list; /* by their ids, from the machine's on */
};

/* Where a process is; a rank without a part is nowhere. */
struct stay {
	uint32_t host; /* MEASURE_NO_ID: nowhere */
	uint32_t place;
};

static const struct {
	const char *class;
	uint8_t domain;
} levels[] = {
#define LEVEL(NAME, class, DOMAIN) {class, OTF2_SYSTEM_TREE_DOMAIN_##DOMAIN},
#include "format/topology_levels.def"
#undef LEVEL
};

static void add_node(struct measure_unified *unified, const char *name, const char *class,
	uint32_t parent, uint8_t domain)
{
	const struct measure_otf2_node node = {measure_unify_string(unified, name),
		measure_unify_string(unified, class), parent, domain};

	measure_unify_push(unified, &unified->definitions.nodes, node);
}

/* ---------------------------------------------------------------------- who is where --- */

static uint32_t *make_ids(const struct measure_node_topology *topology)
{
	uint32_t *ids = malloc(topology->places.nr * sizeof(*ids));

	for (size_t i = 0; ids && i < topology->places.nr; i++)
		ids[i] = MEASURE_NO_ID;
	return ids;
}

static void add_host(struct hosts *hosts, const struct measure_part *part)
{
	const struct measure_topologies *known = hosts->unified->job->topologies;
	struct host host = {.part = part};

	if (known)
		host.topology = measure_topologies_find(known, part->process.node);
	if (host.topology && !(host.ids = make_ids(host.topology)))
		measure_unify_note(hosts->unified, MEASURE_ERROR_MEMORY);
	if (!host.ids)
		host.topology = NULL;
	measure_unify_push(hosts->unified, &hosts->list, host);
}

/* Nodes are told apart by their boot, not by their name. */
static uint32_t host_of(struct hosts *hosts, const struct measure_part *part)
{
	uint32_t id = MEASURE_NO_ID;
	bool is_new = false;

	if (!part || !part->has_process)
		return MEASURE_NO_ID;
	measure_unify_note(
		hosts->unified, measure_intern_put(&hosts->identities, part->process.node,
					strlen(part->process.node) + 1, &id, &is_new));
	if (is_new)
		add_host(hosts, part);
	return id < hosts->list.nr ? id : MEASURE_NO_ID;
}

/* With what it is in. */
static void need(const struct host *host, uint32_t place)
{
	const struct measure_def_place *places = host->topology->places.items;

	for (; place != 0 && host->ids[place] == MEASURE_NO_ID; place = places[place].parent)
		host->ids[place] = 0;
}

/* By what it was bound to when it began. */
static uint32_t nodes_place_of(const struct host *host, const struct measure_part *part)
{
	struct measure_processors processors;

	for (size_t i = 0; i < part->properties.nr; i++)
		if (strcmp(part->properties.items[i].name, "MEASURE::PROCESSORS") == 0 &&
			measure_processors_parse(part->properties.items[i].value, &processors))
			return measure_node_topology_place(host->topology, &processors);
	return 0;
}

static struct stay find_stay(struct hosts *hosts, const struct measure_part *part)
{
	struct stay stay = {host_of(hosts, part), 0};
	const struct host *host;

	if (stay.host == MEASURE_NO_ID || !hosts->list.items[stay.host].topology)
		return stay;
	host = &hosts->list.items[stay.host];
	stay.place = nodes_place_of(host, part);
	need(host, stay.place);
	return stay;
}

/* ----------------------------------------------------------------------- definitions --- */

static void add_places(struct measure_unified *unified, const struct host *host)
{
	for (uint32_t i = 1; i < host->topology->places.nr; i++) {
		const struct measure_def_place *place = &host->topology->places.items[i];

		if (host->ids[i] == MEASURE_NO_ID)
			continue;
		host->ids[i] = (uint32_t)unified->definitions.nodes.nr;
		add_node(unified, place->name, levels[place->level].class, host->ids[place->parent],
			levels[place->level].domain);
	}
}

static void add_facts(struct measure_unified *unified, const struct host *host)
{
	for (size_t i = 0; i < host->topology->facts.nr; i++) {
		const struct measure_def_place_fact *fact = &host->topology->facts.items[i];
		struct measure_otf2_property property = {.of = MEASURE_OTF2_OF_NODE,
			.owner = host->ids[fact->place],
			.type = MEASURE_OTF2_UINT64,
			.number = fact->number};

		if (property.owner == MEASURE_NO_ID)
			continue;
		property.name = measure_unify_string(unified, fact->name);
		if (fact->text[0]) {
			property.type = MEASURE_OTF2_STRING;
			property.number = measure_unify_string(unified, fact->text);
		}
		measure_unify_push(unified, &unified->definitions.properties, property);
	}
}

static void nodes_define(struct hosts *hosts)
{
	struct measure_unified *unified = hosts->unified;

	unified->nr_nodes = (uint32_t)hosts->list.nr;
	add_node(unified, "machine", "machine", MEASURE_NO_ID, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
	for (uint32_t i = 0; i < hosts->list.nr; i++) {
		const struct host *host = &hosts->list.items[i];

		add_node(unified, host->part->process.host, levels[MEASURE_LEVEL_NODE].class,
			MACHINE, levels[MEASURE_LEVEL_NODE].domain);
		if (host->topology)
			host->ids[0] = MACHINE + 1 + i;
	}
	for (uint32_t i = 0; i < hosts->list.nr; i++) {
		const struct host *host = &hosts->list.items[i];

		if (!host->topology)
			continue;
		add_places(unified, host);
		add_facts(unified, host);
	}
}

static void take_seat(const struct hosts *hosts, const struct stay *stay, struct measure_seat *seat)
{
	*seat = (struct measure_seat){MACHINE, MACHINE, NULL};
	if (stay->host == MEASURE_NO_ID)
		return;
	seat->node = seat->host = MACHINE + 1 + stay->host;
	seat->topology = hosts->list.items[stay->host].topology;
	if (seat->topology)
		seat->node = hosts->list.items[stay->host].ids[stay->place];
}

static void free_hosts(struct hosts *hosts)
{
	for (size_t i = 0; i < hosts->list.nr; i++)
		free(hosts->list.items[i].ids);
	free(hosts->list.items);
	measure_intern_free(&hosts->identities);
}

void measure_unify_nodes(struct measure_unified *unified, struct measure_seat *seats)
{
	const size_t nr = unified->job->processes.nr;
	struct stay *stays = calloc(nr + 1, sizeof(*stays));
	struct hosts hosts = {.unified = unified};

	if (!stays)
		measure_unify_note(unified, MEASURE_ERROR_MEMORY);
	for (size_t i = 0; stays && i < nr; i++)
		stays[i] = find_stay(&hosts, unified->job->processes.items[i].part);
	nodes_define(&hosts);
	for (size_t i = 0; stays && i < nr; i++)
		take_seat(&hosts, &stays[i], &seats[i]);
	free_hosts(&hosts);
	free(stays);
}
