/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes what is kept of a run from its archive; see compared_run.h. */
#include "config.h"

#include "compared_run.h"

#include <string.h>

#include "analysis/profile/profile.h"
#include "analysis/report/profile_view.h"
#include "base/hash.h"
#include "cli/cli.h"
#include "trace/archive/trace.h"

#define PSEUDO "PSEUDO" /* paradigm of pseudo regions */

/* -------------------------------------------------------------------------- frames --- */

static uint32_t frames_add(struct measure_compared_frames *frames, const char *canonical,
	const char *name, const char *paradigm)
{
	struct measure_compared_frame *frame;

	frames->frames =
		measure_grow(frames->frames, frames->nr, &frames->room, sizeof(*frames->frames));
	frame = &frames->frames[frames->nr];
	*frame = (struct measure_compared_frame){.canonical = measure_copy_text(canonical),
		.name = measure_copy_text(name),
		.paradigm = paradigm,
		.is_pseudo = !strcmp(paradigm, PSEUDO)};
	return (uint32_t)frames->nr++;
}

uint32_t measure_compared_frames_intern(struct measure_compared_frames *frames,
	const char *canonical, const char *name, const char *paradigm)
{
	const uint64_t hash =
		measure_hash(measure_hash(MEASURE_HASH_START, paradigm, strlen(paradigm) + 1),
			canonical, strlen(canonical));

	for (uint64_t i = 0;; i++) {
		const struct measure_key key = measure_key_pair(hash, i);
		const uint32_t known = measure_map_get(&frames->index, key);

		if (known == MEASURE_NONE) {
			measure_map_set(&frames->index, key, (uint32_t)frames->nr);
			return frames_add(frames, canonical, name, paradigm);
		}
		if (!strcmp(frames->frames[known].canonical, canonical) &&
			!strcmp(frames->frames[known].paradigm, paradigm))
			return known;
	}
}

void measure_compared_frames_free(struct measure_compared_frames *frames)
{
	for (size_t i = 0; i < frames->nr; i++) {
		measure_free(frames->frames[i].canonical);
		measure_free(frames->frames[i].name);
	}
	measure_free(frames->frames);
	measure_map_free(&frames->index);
	*frames = (struct measure_compared_frames){.nr = 0};
}

/* ----------------------------------------------------------------------------- run --- */

void measure_compared_run_start(
	struct measure_compared_run *run, const char *name, uint64_t resolution)
{
	*run = (struct measure_compared_run){
		.name = measure_copy_text(name), .resolution = resolution};
}

void measure_compared_run_free(struct measure_compared_run *run)
{
	measure_free(run->name);
	measure_free(run->paths);
	*run = (struct measure_compared_run){.nr_paths = 0};
}

uint32_t measure_compared_run_add(struct measure_compared_run *run, uint32_t parent, uint32_t frame,
	uint64_t exclusive, uint64_t visits)
{
	run->paths = measure_grow(run->paths, run->nr_paths, &run->room_paths, sizeof(*run->paths));
	run->paths[run->nr_paths] =
		(struct measure_compared_path){parent, frame, exclusive, visits};
	return (uint32_t)run->nr_paths++;
}

/* ------------------------------------------------------------------------- reading --- */

/* The new name of a region, or NULL. */
static const char *find_rename(
	const struct measure_renames *renames, const char *canonical, const char *name)
{
	for (size_t i = 0; i < renames->nr; i++)
		if (!strcmp(renames->items[i].old, canonical) ||
			!strcmp(renames->items[i].old, name))
			return renames->items[i].new;
	return NULL;
}

/* A new name may be that to print: then the region has the canonical name of the frame. Base runs
 * are read after new ones, so that the frame is known. */
static uint32_t frames_find(
	const struct measure_compared_frames *frames, const char *name, const char *paradigm)
{
	for (size_t i = 0; i < frames->nr; i++)
		if ((!strcmp(frames->frames[i].name, name) ||
			    !strcmp(frames->frames[i].canonical, name)) &&
			!strcmp(frames->frames[i].paradigm, paradigm))
			return (uint32_t)i;
	return MEASURE_NONE;
}

static uint32_t intern_region(struct measure_compared_frames *frames,
	const struct measure_renames *renames, const struct measure_profile *profile,
	uint32_t region)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	const struct measure_region *definition = measure_profile_region(profile, region);
	const char *name = measure_profile_region_name(profile, region);
	const char *canonical =
		definition ? measure_text(definitions, definition->canonical_name) : "";
	const char *paradigm = definition ? measure_paradigm_word(definition->paradigm) : PSEUDO;
	const char *renamed;
	uint32_t frame;

	if (!*canonical)
		canonical = name;
	renamed = find_rename(renames, canonical, name);
	if (renamed) {
		frame = frames_find(frames, renamed, paradigm);
		return frame != MEASURE_NONE
			       ? frame
			       : measure_compared_frames_intern(frames, renamed, renamed, paradigm);
	}
	frame = measure_compared_frames_intern(frames, canonical, name, paradigm);
	frames->frames[frame].is_measurement =
		region == MEASURE_PSEUDO_RECORDING_OFF || region == MEASURE_PSEUDO_BUFFER_FLUSH;
	return frame;
}

/* (running tasks) is a reference to time that is elsewhere, and has no children. */
static void keep_paths(struct measure_compared_run *run, struct measure_compared_frames *frames,
	const struct measure_renames *renames, const struct measure_profile *profile)
{
	uint64_t *exclusive = measure_profile_exclusive(profile);
	uint32_t *numbers = measure_zeroed(profile->nr_paths, sizeof(*numbers));

	for (size_t i = 0; i < profile->nr_paths; i++) {
		const struct measure_profile_path *path = &profile->paths[i];

		if (path->region != MEASURE_PSEUDO_RUNNING_TASKS)
			numbers[i] = measure_compared_run_add(run,
				i > 0 ? numbers[path->parent] : MEASURE_NONE,
				intern_region(frames, renames, profile, path->region), exclusive[i],
				path->visits);
	}
	measure_free(numbers);
	measure_free(exclusive);
}

static void keep_numbers(struct measure_compared_run *run, const struct measure_profile *profile)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;

	run->span = profile->last > profile->first ? profile->last - profile->first : 0;
	run->nr_locations = profile->nr_locations;
	run->nr_processes = (uint32_t)definitions->nr_processes;
	for (size_t i = 0; i < definitions->nr_locations; i++)
		run->nr_cut += definitions->locations[i].is_truncated;
}

/* Parts of the events are no run: it would seem to be faster. */
static measure_status_t check_profile(const struct measure_profile *profile, const char *path)
{
	if (profile->nr_broken) {
		measure_cli_say("%s: not all events can be read, so it cannot be compared: see "
				"measure-check %s",
			path, path);
		return MEASURE_ERROR_FORMAT;
	}
	if (profile->nr_events == 0 || profile->last <= profile->first) {
		measure_cli_say(
			"%s: no events, so it cannot be compared: record the run again", path);
		return MEASURE_ERROR_FORMAT;
	}
	return MEASURE_OK;
}

measure_status_t measure_compared_run_keep(struct measure_compared_run *run,
	struct measure_compared_frames *frames, const struct measure_renames *renames,
	const struct measure_profile *profile, const char *path)
{
	const struct measure_clock *clock = &profile->trace->definitions.clock;
	const measure_status_t status = check_profile(profile, path);

	measure_compared_run_start(run, path, clock->resolution ? clock->resolution : 1);
	if (status != MEASURE_OK)
		return status;
	keep_paths(run, frames, renames, profile);
	keep_numbers(run, profile);
	return MEASURE_OK;
}

measure_status_t measure_compared_run_read(struct measure_compared_run *run,
	struct measure_compared_frames *frames, const struct measure_renames *renames,
	const char *path, unsigned nr_threads, void (*progress)(double share))
{
	const struct measure_profile_options how = {.nr_threads = nr_threads, .progress = progress};
	struct measure_findings findings = {0};
	struct measure_profile profile;
	struct measure_trace *trace;
	measure_status_t status = measure_trace_open(path, &findings, &trace);

	if (status != MEASURE_OK) {
		measure_cli_say("%s", measure_trace_error());
		measure_findings_free(&findings);
		measure_compared_run_start(run, path, 1);
		return status;
	}
	status = measure_profile_read(trace, &how, &profile);
	if (status == MEASURE_OK || status == MEASURE_ERROR_FORMAT) {
		status = measure_compared_run_keep(run, frames, renames, &profile, path);
	} else {
		measure_cli_say("%s", measure_trace_error());
		measure_compared_run_start(run, path, 1);
	}
	measure_profile_free(&profile);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return status;
}
