/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading what nodes consist of; see node_topology.h. */
#include "config.h"

#include "node_topology.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble/part/journal_file.h"
#include "base/file.h"
#include "format/run_layout.h"

#define MOST_DEPTH 16 /* of what is said in words; damaged files may have more */

/* ------------------------------------------------------------------------ reading --- */

static measure_status_t note_place(
	struct measure_node_topology *topology, const struct measure_def_place *place)
{
	const size_t nr = topology->places.nr;
	const bool is_node = place->level == MEASURE_LEVEL_NODE;

	if (place->level >= MEASURE_NR_LEVELS || is_node != (nr == 0) ||
		(!is_node && place->parent >= nr) || nr >= topology->said.nr_places ||
		place->processors.nr > MEASURE_MOST_PROCESSORS / 32)
		return MEASURE_ERROR_FORMAT;
	return measure_array_push(&topology->places, *place);
}

static measure_status_t note_fact(
	struct measure_node_topology *topology, const struct measure_def_place_fact *fact)
{
	if (fact->place >= topology->places.nr || topology->facts.nr >= topology->said.nr_facts)
		return MEASURE_ERROR_FORMAT;
	return measure_array_push(&topology->facts, *fact);
}

static measure_status_t note_begin(
	struct measure_node_topology *topology, const struct measure_def_topology *said)
{
	if (topology->has_begun)
		return MEASURE_ERROR_FORMAT;
	topology->has_begun = true;
	topology->said = *said;
	return MEASURE_OK;
}

static measure_status_t node_topology_note_record(
	void *context, uint32_t kind, struct measure_decoder *payload)
{
	union {
		struct measure_def_topology topology;
		struct measure_def_place place;
		struct measure_def_place_fact fact;
	} def;
	struct measure_node_topology *topology = context;
	measure_status_t status = MEASURE_ERROR_FORMAT;

	switch (kind) {
	case MEASURE_RECORD_TOPOLOGY:
		status = measure_def_topology_decode(payload, &def.topology);
		return status == MEASURE_OK ? note_begin(topology, &def.topology) : status;
	case MEASURE_RECORD_PLACE:
		status = measure_def_place_decode(payload, &def.place);
		return status == MEASURE_OK ? note_place(topology, &def.place) : status;
	case MEASURE_RECORD_PLACE_FACT:
		status = measure_def_place_fact_decode(payload, &def.fact);
		return status == MEASURE_OK ? note_fact(topology, &def.fact) : status;
	default:
		return status;
	}
}

measure_status_t measure_node_topology_decode(
	uint8_t *data, size_t size, struct measure_node_topology *topology)
{
	size_t end;

	memset(topology, 0, sizeof(*topology));
	topology->data = data;
	measure_status_t status =
		measure_journal_visit(data, size, node_topology_note_record, topology, &end);
	if (status != MEASURE_OK)
		return status;
	if (topology->places.nr == 0 || topology->places.nr != topology->said.nr_places ||
		topology->facts.nr != topology->said.nr_facts)
		return MEASURE_ERROR_FORMAT;
	return MEASURE_OK;
}

void measure_node_topology_free(struct measure_node_topology *topology)
{
	free(topology->places.items);
	free(topology->facts.items);
	free(topology->data);
	memset(topology, 0, sizeof(*topology));
}

static measure_status_t read_file(void *data, int parts_fd, const char *name)
{
	struct measure_topologies *topologies = data;
	struct measure_node_topology topology;
	uint8_t *bytes;
	size_t size;

	if (strncmp(name, MEASURE_TOPOLOGY_PREFIX, strlen(MEASURE_TOPOLOGY_PREFIX)) != 0 ||
		measure_file_load(parts_fd, name, MEASURE_TOPOLOGY_MOST, &bytes, &size) !=
			MEASURE_OK)
		return MEASURE_OK;
	measure_status_t status = measure_node_topology_decode(bytes, size, &topology);
	if (status == MEASURE_OK && !measure_topologies_find(topologies, topology.said.node)) {
		status = measure_array_push(&topologies->nodes, topology);
		if (status == MEASURE_OK)
			return status;
	}
	measure_node_topology_free(&topology);
	return status == MEASURE_ERROR_MEMORY ? status : MEASURE_OK;
}

measure_status_t measure_topologies_read(int parts_fd, struct measure_topologies *topologies)
{
	return measure_file_visit(parts_fd, read_file, topologies);
}

void measure_topologies_free(struct measure_topologies *topologies)
{
	for (size_t i = 0; i < topologies->nodes.nr; i++)
		measure_node_topology_free(&topologies->nodes.items[i]);
	free(topologies->nodes.items);
	memset(topologies, 0, sizeof(*topologies));
}

const struct measure_node_topology *measure_topologies_find(
	const struct measure_topologies *topologies, const char *node)
{
	for (size_t i = 0; i < topologies->nodes.nr; i++)
		if (strcmp(topologies->nodes.items[i].said.node, node) == 0)
			return &topologies->nodes.items[i];
	return NULL;
}

/* ------------------------------------------------------------------------- places --- */

static uint32_t word_of(const struct measure_def_place *place, uint32_t i)
{
	return i < place->processors.nr ? place->processors.items[i] : 0;
}

static bool has_all(
	const struct measure_def_place *place, const struct measure_processors *processors)
{
	for (uint32_t i = 0; i < MEASURE_MOST_PROCESSORS / 32; i++)
		if (processors->words[i] & ~word_of(place, i))
			return false;
	return true;
}

static bool has_others(
	const struct measure_def_place *place, const struct measure_processors *processors)
{
	for (uint32_t i = 0; i < place->processors.nr; i++)
		if (place->processors.items[i] & ~processors->words[i])
			return true;
	return false;
}

uint32_t measure_node_topology_place(
	const struct measure_node_topology *topology, const struct measure_processors *processors)
{
	const struct measure_def_place *places = topology->places.items;
	uint32_t at = 0;

	for (uint32_t i = 1; i < topology->places.nr && has_others(&places[at], processors); i++)
		if (places[i].parent == at && has_all(&places[i], processors))
			at = i;
	return at;
}

/* From the largest place on. */
static void write_path(
	const struct measure_node_topology *topology, uint32_t place, char *text, size_t size)
{
	const struct measure_def_place *path[MOST_DEPTH], *places = topology->places.items;
	size_t depth = 0, end = 0;

	for (; place != 0 && depth < MOST_DEPTH; place = places[place].parent)
		path[depth++] = &places[place];
	while (depth-- > 0) {
		snprintf(text + end, size - end, end ? ", %s" : "%s", path[depth]->name);
		end += strlen(text + end);
	}
}

void measure_node_topology_describe(
	const struct measure_node_topology *topology, uint32_t processor, char *text, size_t size)
{
	struct measure_processors processors = {.words = {0}};

	text[0] = '\0';
	if (processor >= MEASURE_MOST_PROCESSORS)
		return;
	processors.words[processor / 32] = UINT32_C(1) << processor % 32;
	write_path(topology, measure_node_topology_place(topology, &processors), text, size);
}

static bool add_range(
	struct measure_processors *processors, unsigned long first, unsigned long last)
{
	if (first > last || last >= MEASURE_MOST_PROCESSORS)
		return false;
	for (unsigned long i = first; i <= last; i++)
		processors->words[i / 32] |= UINT32_C(1) << i % 32;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool measure_processors_parse(const char *text, struct measure_processors *processors)
{
	memset(processors, 0, sizeof(*processors));
	for (bool is_next = true; is_next; text++) {
		unsigned long first, last;
		char *end;

		if (!is_digit(*text))
			return false;
		first = last = strtoul(text, &end, 10);
		if (end[0] == '-' && is_digit(end[1]))
			last = strtoul(end + 1, &end, 10);
		if (!add_range(processors, first, last))
			return false;
		is_next = *end == ',';
		text = end;
		if (!is_next && *end)
			return false;
	}
	return true;
}
