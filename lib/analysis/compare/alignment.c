/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Aligns call trees in one pass over each run, in the order of its paths; see alignment.h. */
#include "config.h"

#include "alignment.h"

#include <string.h>

#define BOTH_SIDES ((1 << MEASURE_BASE) | (1 << MEASURE_NEW))

static enum measure_side side_of(const struct measure_alignment *alignment, size_t run)
{
	return run < alignment->nr[MEASURE_BASE] ? MEASURE_BASE : MEASURE_NEW;
}

/* ------------------------------------------------------------------------- frames --- */

static void note_frames(struct measure_alignment *alignment, size_t number)
{
	const struct measure_compared_run *run = alignment->runs[number];

	for (size_t i = 0; i < run->nr_paths; i++) {
		const struct measure_compared_path *path = &run->paths[i];

		alignment->sides[path->frame] |= (uint8_t)(1 << side_of(alignment, number));
		alignment->by_frame[path->frame * alignment->nr_runs + number] += path->exclusive;
	}
}

/* A pseudo region is no call: a run without any is not another program. */
bool measure_alignment_keeps(const struct measure_alignment *alignment, uint32_t frame)
{
	return alignment->sides[frame] == BOTH_SIDES || alignment->frames->frames[frame].is_pseudo;
}

/* -------------------------------------------------------------------------- paths --- */

static uint32_t find_child(struct measure_alignment *alignment, uint32_t parent, uint32_t frame)
{
	const uint32_t child = measure_map_intern(&alignment->children,
		measure_key_pair(parent, frame), (uint32_t)alignment->nr_paths);

	if (child == alignment->nr_paths) {
		alignment->paths = measure_grow(alignment->paths, alignment->nr_paths,
			&alignment->room_paths, sizeof(*alignment->paths));
		alignment->paths[alignment->nr_paths++] =
			(struct measure_aligned_path){parent, frame};
	}
	return child;
}

/* The aligned path of each path of a run; to be freed. */
static uint32_t *translate_paths(
	struct measure_alignment *alignment, const struct measure_compared_run *run, bool by_region)
{
	uint32_t *paths = measure_zeroed(run->nr_paths, sizeof(*paths));

	for (size_t i = 0; i < run->nr_paths; i++) {
		const struct measure_compared_path *path = &run->paths[i];

		if (i == 0)
			paths[i] = find_child(alignment, MEASURE_NONE, path->frame);
		else if (measure_alignment_keeps(alignment, path->frame))
			paths[i] = find_child(
				alignment, by_region ? 0 : paths[path->parent], path->frame);
		else
			paths[i] = paths[path->parent];
	}
	return paths;
}

/* Visits of a removed frame are none of the one that its time goes to. */
static void add_run(struct measure_alignment *alignment, size_t number, const uint32_t *paths)
{
	const struct measure_compared_run *run = alignment->runs[number];

	for (size_t i = 0; i < run->nr_paths; i++) {
		const struct measure_compared_path *path = &run->paths[i];
		const size_t cell = paths[i] * alignment->nr_runs + number;

		alignment->exclusive[cell] += path->exclusive;
		if (i == 0 || measure_alignment_keeps(alignment, path->frame))
			alignment->visits[cell] += path->visits;
	}
}

void measure_alignment_make(struct measure_alignment *alignment,
	const struct measure_compared_frames *frames,
	const struct measure_compared_run *const *runs, size_t nr_base, size_t nr_new,
	bool by_region)
{
	const size_t nr_runs = nr_base + nr_new;
	uint32_t **paths = measure_zeroed(nr_runs, sizeof(*paths));

	*alignment = (struct measure_alignment){
		.frames = frames, .runs = runs, .nr = {nr_base, nr_new}, .nr_runs = nr_runs};
	alignment->sides = measure_zeroed(frames->nr, sizeof(*alignment->sides));
	alignment->by_frame = measure_zeroed(frames->nr * nr_runs, sizeof(*alignment->by_frame));
	for (size_t i = 0; i < nr_runs; i++)
		note_frames(alignment, i);
	for (size_t i = 0; i < nr_runs; i++)
		paths[i] = translate_paths(alignment, runs[i], by_region);
	alignment->exclusive =
		measure_zeroed(alignment->nr_paths * nr_runs, sizeof(*alignment->exclusive));
	alignment->visits =
		measure_zeroed(alignment->nr_paths * nr_runs, sizeof(*alignment->visits));
	for (size_t i = 0; i < nr_runs; i++) {
		add_run(alignment, i, paths[i]);
		measure_free(paths[i]);
	}
	measure_free(paths);
}

void measure_alignment_free(struct measure_alignment *alignment)
{
	measure_free(alignment->paths);
	measure_map_free(&alignment->children);
	measure_free(alignment->exclusive);
	measure_free(alignment->visits);
	measure_free(alignment->sides);
	measure_free(alignment->by_frame);
	*alignment = (struct measure_alignment){.nr_runs = 0};
}

/* --------------------------------------------------------------------------- names --- */

/* From the end of the buffer to its front. */
static char *put_before(char *place, const char *front, const char *text)
{
	const size_t length = strlen(text), room = (size_t)(place - front);
	const size_t taken = length < room ? length : room;

	memcpy(place - taken, text + length - taken, taken);
	return place - taken;
}

char *measure_alignment_text(const struct measure_alignment *alignment, uint32_t path,
	const char *separator, char *buffer, size_t size)
{
	char *place = buffer + size - 1;

	*place = '\0';
	for (uint32_t at = path; at != MEASURE_NONE && (at != 0 || path == 0);
		at = alignment->paths[at].parent) {
		if (at != path)
			place = put_before(place, buffer, separator);
		place = put_before(
			place, buffer, alignment->frames->frames[alignment->paths[at].frame].name);
	}
	memmove(buffer, place, (size_t)(buffer + size - place));
	return buffer;
}
