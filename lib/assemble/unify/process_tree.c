/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Creators of processes; see process_tree.h. */
#include "config.h"

#include "process_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"

#define DONE ".done"

/* A part that is done has more behind its name. */
static size_t name_length(const char *name)
{
	size_t length = strlen(name), end = strlen(DONE);

	return length > end && strcmp(name + length - end, DONE) == 0 ? length - end : length;
}

/* Ids are indices of parts as long as all names are new, which a directory sees to; of two that are
 * the same for all that, the first one holds. */
static measure_status_t index_names(const struct measure_part *parts, size_t nr_parts,
	struct measure_intern *names, uint32_t *index)
{
	for (size_t i = 0; i < nr_parts; i++) {
		const char *name = parts[i].name ? parts[i].name : "";
		uint32_t id;
		bool is_new;
		measure_status_t status =
			measure_intern_put(names, name, name_length(name), &id, &is_new);
		if (status != MEASURE_OK)
			return status;
		if (is_new)
			index[id] = (uint32_t)i;
	}
	return MEASURE_OK;
}

static uint32_t process_tree_find(struct measure_intern *names, const uint32_t *index,
	size_t nr_names, const struct measure_part *part)
{
	const char *creator = part->has_process ? part->process.creator : "";
	uint32_t id;

	if (!*creator ||
		measure_intern_put(names, creator, strlen(creator), &id, NULL) != MEASURE_OK ||
		id >= nr_names)
		return MEASURE_NO_ID;
	return index[id];
}

/* Nothing but ProgramBegin and ProgramEnd, and the regions that it was forked in. Of one that runs
 * nobody has counted the events. One that started what is not recorded says so. */
static bool is_bare(const struct measure_part *part)
{
	uint64_t nr_events = 2 + 2 * (uint64_t)part->process.nr_inherited;

	return part->has_process && part->has_end && part->end.how != MEASURE_END_RUNNING &&
	       !part->has_world && !part->is_damaged && measure_part_losses(part) == 0 &&
	       measure_part_count(part, "unfollowed") == 0 && part->locations.nr <= 1 &&
	       (part->locations.nr == 0 ||
		       part->locations.items[0].events.nr_recorded <= nr_events);
}

static bool is_replaced(const struct measure_part *part)
{
	return part->has_end && part->end.how == MEASURE_END_REPLACED;
}

static void process_tree_choose(
	const struct measure_part *parts, size_t nr_parts, struct measure_process_tree *lines)
{
	size_t nr_full = 0;

	for (size_t i = 0; i < nr_parts; i++)
		nr_full += !is_bare(&parts[i]);
	for (size_t i = 0; i < nr_parts; i++) {
		bool is_step = parts[i].has_process && parts[i].process.is_step;
		lines[i].is_omitted = is_bare(&parts[i]) && (is_replaced(&parts[i]) || is_step) &&
				      (lines[i].has_made || (is_step && nr_full > 0));
	}
}

/* Files may say anything, also that two have made each other. */
static void skip_omitted(struct measure_process_tree *lines, size_t nr_parts)
{
	for (size_t i = 0; i < nr_parts; i++) {
		size_t nr_steps = 0;
		while (lines[i].creator != MEASURE_NO_ID && lines[lines[i].creator].is_omitted &&
			nr_steps++ < nr_parts)
			lines[i].creator = lines[lines[i].creator].creator;
		if (lines[i].creator != MEASURE_NO_ID && lines[lines[i].creator].is_omitted)
			lines[i].creator = MEASURE_NO_ID;
	}
}

struct measure_process_tree *measure_process_tree_make(
	const struct measure_part *parts, size_t nr_parts)
{
	struct measure_process_tree *lines = calloc(nr_parts + 1, sizeof(*lines));
	uint32_t *index = calloc(nr_parts + 1, sizeof(*index));
	struct measure_intern names = {.nr_slots = 0};

	if (!lines || !index || index_names(parts, nr_parts, &names, index) != MEASURE_OK) {
		free(lines);
		lines = NULL;
		goto end;
	}
	size_t nr_names = names.entries.nr;
	for (size_t i = 0; i < nr_parts; i++) {
		uint32_t creator = process_tree_find(&names, index, nr_names, &parts[i]);
		lines[i].creator = creator == i ? MEASURE_NO_ID : creator;
		if (lines[i].creator != MEASURE_NO_ID)
			lines[creator].has_made = true;
	}
	process_tree_choose(parts, nr_parts, lines);
	skip_omitted(lines, nr_parts);
end:
	measure_intern_free(&names);
	free(index);
	return lines;
}
