/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What keepers of a node tell one another; see node_sharing.h. A function is named by a hash of its
 * module's build id, or path where it has none, and its address in that: the same in all processes.
 * Where the file cannot be written, or there is no memory, each process is on its own. */
#include "config.h"

#include "node_sharing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "format/run_layout.h"
#include "base/procfs.h"
#include "base/posix.h"

#define NONE UINT32_MAX

/* Ids beyond are damage. */
#define MOST_MODULES (1U << 16)
#define MOST_REGIONS (1U << 22)

enum { NOTE_OFF = 1, NOTE_WRITTEN = 2 };

#define PERIOD_MS         100 /* between looks at the file and the journal */
#define PERIOD_BOUNDED_MS 10

/* What the file consists of. Appended whole by one write(). */
struct note {
	uint64_t kind;
	uint64_t self;
	uint64_t value; /* the function's key; bytes */
};

#define NOTES_AT_ONCE 256

static int open_file(int parts_fd)
{
	char name[sizeof(MEASURE_SHARED_PREFIX) + MEASURE_NODE_TEXT] = MEASURE_SHARED_PREFIX;
	char *node = name + strlen(name);

	measure_node_read(node);
	for (; *node; node++)
		if (*node == '/' || *node == ' ')
			*node = '_';
	return measure_file_open(parts_fd, name, O_RDWR | O_CREAT | O_APPEND);
}

static void node_sharing_append(struct measure_node_sharing *sharing, uint64_t kind, uint64_t value)
{
	const struct note note = {kind, sharing->self, value};

	if (sharing->fd >= 0 && write(sharing->fd, &note, sizeof(note)) < 0 && errno != EINTR) {
		close(sharing->fd);
		sharing->fd = -1;
	}
}

/* ------------------------------------------------------------------------ functions --- */

/* NULL: without memory. */
static struct measure_shared_function *function_of(
	struct measure_node_sharing *sharing, uint64_t key, uint32_t *id)
{
	const struct measure_shared_function unknown = {.region = NONE};

	if (measure_intern_put(&sharing->functions, &key, sizeof(key), id, NULL) != MEASURE_OK)
		return NULL;
	while (sharing->states.nr <= *id)
		if (measure_array_push(&sharing->states, unknown) != MEASURE_OK)
			return NULL;
	return &sharing->states.items[*id];
}

/* To the process, where it calls it at all. */
static void offer(struct measure_node_sharing *sharing, struct measure_shared_function *function)
{
	struct measure_segment_header *header = sharing->segment->header;
	uint32_t nr = atomic_load_explicit(&header->nr_offers, memory_order_relaxed);

	if (function->region == NONE || !function->is_told || function->is_off ||
		nr >= MEASURE_OFFERS)
		return;
	function->is_off = true;
	atomic_store_explicit(&header->offers[nr], function->region, memory_order_relaxed);
	atomic_store_explicit(&header->nr_offers, nr + 1, memory_order_release);
}

static void note_module(struct measure_node_sharing *sharing, const struct measure_def_module *def)
{
	const char *name = *def->build_id ? def->build_id : def->path;

	if (def->id >= MOST_MODULES)
		return;
	while (sharing->modules.nr <= def->id)
		if (measure_array_push(&sharing->modules, ((struct measure_shared_module){0, 0})) !=
			MEASURE_OK)
			return;
	sharing->modules.items[def->id] = (struct measure_shared_module){
		measure_hash(MEASURE_HASH_START, name, strlen(name)), def->bias};
}

static void note_region(
	struct measure_node_sharing *sharing, const struct measure_def_code_region *def)
{
	struct measure_shared_function *function;
	uint32_t id;

	if (*def->prefix || def->module >= sharing->modules.nr || def->id >= MOST_REGIONS)
		return;
	const struct measure_shared_module *module = &sharing->modules.items[def->module];
	uint64_t address = def->address - module->bias;
	function = function_of(sharing, measure_hash(module->name, &address, sizeof(address)), &id);
	while (function && sharing->regions.nr <= def->id)
		if (measure_array_push(&sharing->regions, NONE) != MEASURE_OK)
			return;
	if (!function)
		return;
	sharing->regions.items[def->id] = id;
	function->region = def->id;
	offer(sharing, function);
}

/* Here. Of what a child has from its parent, or the process from others, they know. */
static void note_throttle(
	struct measure_node_sharing *sharing, const struct measure_def_throttle *def)
{
	uint32_t id = def->region < sharing->regions.nr ? sharing->regions.items[def->region] : NONE;

	if (id == NONE)
		return;
	struct measure_shared_function *function = &sharing->states.items[id];
	function->is_off = true;
	if (function->is_told || def->calls == 0)
		return;
	function->is_told = true;
	node_sharing_append(
		sharing, NOTE_OFF, *(const uint64_t *)sharing->functions.entries.items[id].key);
}

static void read_journal(struct measure_node_sharing *sharing)
{
	struct measure_decoder payload;
	struct measure_def_module module;
	struct measure_def_code_region region;
	struct measure_def_throttle throttle;
	uint32_t kind;

	while (measure_journal_tail_next(&sharing->journal, &kind, &payload)) {
		if (kind == MEASURE_RECORD_MODULE &&
			measure_def_module_decode(&payload, &module) == MEASURE_OK)
			note_module(sharing, &module);
		if (kind == MEASURE_RECORD_CODE_REGION &&
			measure_def_code_region_decode(&payload, &region) == MEASURE_OK)
			note_region(sharing, &region);
		if (kind == MEASURE_RECORD_THROTTLE &&
			measure_def_throttle_decode(&payload, &throttle) == MEASURE_OK)
			note_throttle(sharing, &throttle);
	}
}

/* ------------------------------------------------------------------------- the file --- */

static void read_note(struct measure_node_sharing *sharing, const struct note *note)
{
	struct measure_shared_function *function;
	uint32_t id;

	if (note->kind == NOTE_WRITTEN && note->self != sharing->self)
		sharing->written += note->value;
	if (note->kind != NOTE_OFF || !sharing->is_throttling)
		return;
	function = function_of(sharing, note->value, &id);
	if (!function)
		return;
	function->is_told = true;
	offer(sharing, function);
}

static void read_file(struct measure_node_sharing *sharing)
{
	struct note notes[NOTES_AT_ONCE];
	size_t got;

	while (sharing->fd >= 0 &&
		measure_file_read_at(sharing->fd, notes, sizeof(notes), sharing->position, &got) ==
			MEASURE_OK &&
		got >= sizeof(notes[0])) {
		size_t nr = got / sizeof(notes[0]);
		for (size_t i = 0; i < nr; i++)
			read_note(sharing, &notes[i]);
		sharing->position += nr * sizeof(notes[0]);
	}
}

void measure_node_sharing_begin(struct measure_node_sharing *sharing,
	const struct measure_segment *segment, int parts_fd, bool is_throttling, bool is_bounded)
{
	const int64_t self[] = {getpid(), measure_now_ms()};

	sharing->segment = segment;
	sharing->journal.segment = segment;
	sharing->parts_fd = parts_fd;
	sharing->is_throttling = is_throttling;
	sharing->fd = -1;
	sharing->self = measure_hash(MEASURE_HASH_START, self, sizeof(self));
	sharing->period = is_bounded ? PERIOD_BOUNDED_MS : PERIOD_MS;
	sharing->next = is_bounded ? 0 : measure_now_ms() + PERIOD_MS;
}

/* The file first: a keeper that has died may have told what is in the journal. */
void measure_node_sharing_look(struct measure_node_sharing *sharing)
{
	int64_t now = measure_now_ms();

	if (now < sharing->next)
		return;
	sharing->next = now + sharing->period;
	if (!sharing->is_open)
		sharing->fd = open_file(sharing->parts_fd);
	sharing->is_open = true;
	read_file(sharing);
	if (sharing->is_throttling)
		read_journal(sharing);
}

void measure_node_sharing_tell_written(struct measure_node_sharing *sharing, uint64_t bytes)
{
	node_sharing_append(sharing, NOTE_WRITTEN, bytes);
}
