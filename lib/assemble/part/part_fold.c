/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Folding the chunks of a part; see part_fold.h. */
#include "config.h"

#include "part_fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fold/fold_state.h"
#include "analysis/profile/profile_file.h"
#include "base/file.h"
#include "format/event_chunk.h"
#include "format/run_layout.h"
#include "format/segment.h"

void measure_part_fold_open(
	struct measure_part_fold *fold, int part_fd, uint32_t chunk_size, enum measure_kept kept)
{
	*fold = (struct measure_part_fold){
		.part_fd = part_fd, .chunk_size = chunk_size, .kept = kept};
	measure_local_trace_start(&fold->local, chunk_size);
}

static void start(struct measure_part_fold *fold, struct measure_folded *folded)
{
	measure_profile_start(&folded->profile, &fold->local.trace);
	measure_fold_start(&folded->fold, &folded->profile, NULL, 0);
	if (fold->kept == MEASURE_KEPT_LAST)
		folded->cut = measure_zeroed(1, sizeof(*folded->cut));
}

static void forget_cut(struct measure_folded *folded)
{
	if (folded->cut)
		measure_cut_free(folded->cut);
	measure_free(folded->cut);
	folded->cut = NULL;
}

static void stop(struct measure_folded *folded)
{
	if (!folded->is_over)
		measure_fold_end(&folded->fold);
	measure_profile_free(&folded->profile);
	forget_cut(folded);
	free(folded->state.open.items);
	memset(&folded->state, 0, sizeof(folded->state));
}

void measure_part_fold_close(struct measure_part_fold *fold)
{
	for (size_t i = 0; i < fold->locations.nr; i++) {
		if (!fold->locations.items[i])
			continue;
		stop(fold->locations.items[i]);
		measure_free(fold->locations.items[i]);
	}
	free(fold->locations.items);
	measure_local_trace_free(&fold->local);
}

/* ---------------------------------------------------------------------- saved states --- */

/* Before the open regions, the cut and the fold. The chunk size and what is kept are those of the
 * part. */
struct saved_state {
	uint64_t chunk_size, kept;
	uint64_t nr_events, last_time, sequence, sequence_of_thread;
	uint64_t has_program_end, has_thread, contingent, of_metrics;
	uint64_t nr_open, cut_size;
};

static bool restore(struct measure_folded *folded, const uint8_t *data, size_t size)
{
	struct measure_location_state *state = &folded->state;
	struct saved_state saved;
	size_t open_size;

	if (size < sizeof(saved))
		return false;
	memcpy(&saved, data, sizeof(saved));
	data += sizeof(saved);
	size -= sizeof(saved);
	if (saved.nr_open > size / sizeof(uint32_t))
		return false;
	open_size = saved.nr_open * sizeof(uint32_t);
	if (saved.cut_size > size - open_size)
		return false;
	*state = (struct measure_location_state){.nr_events = saved.nr_events,
		.last_time = saved.last_time,
		.sequence = saved.sequence,
		.sequence_of_thread = saved.sequence_of_thread,
		.has_program_end = saved.has_program_end,
		.has_thread = saved.has_thread,
		.contingent = (uint32_t)saved.contingent};
	folded->cursor.of_metrics = saved.of_metrics;
	if (measure_array_reserve(&state->open, saved.nr_open) != MEASURE_OK)
		measure_out_of_memory();
	if (saved.nr_open > 0)
		memcpy(state->open.items, data, open_size);
	state->open.nr = saved.nr_open;
	data += open_size;
	size -= open_size;
	if (folded->cut && !measure_cut_restore(folded->cut, data, saved.cut_size))
		return false;
	return measure_fold_restore(&folded->fold, data + saved.cut_size, size - saved.cut_size);
}

static measure_status_t load_saved(int part_fd, uint32_t location, struct saved_state *saved)
{
	char name[32];
	uint8_t *bytes;
	const void *data;
	size_t size;
	measure_status_t status;

	snprintf(name, sizeof(name), MEASURE_FOLD_FORMAT, location);
	status = measure_profile_file_load(part_fd, name, &bytes, &data, &size);
	if (status != MEASURE_OK)
		return status;
	if (size >= sizeof(*saved))
		memcpy(saved, data, sizeof(*saved));
	free(bytes);
	return size >= sizeof(*saved) ? MEASURE_OK : MEASURE_ERROR_FORMAT;
}

measure_status_t measure_part_fold_reach(int part_fd, uint32_t location, uint64_t *nr_chunks)
{
	struct saved_state saved;
	const measure_status_t status = load_saved(part_fd, location, &saved);

	if (status == MEASURE_OK)
		*nr_chunks = saved.sequence;
	return status;
}

bool measure_part_fold_find(
	int part_fd, uint32_t nr_locations, uint32_t *chunk_size, enum measure_kept *kept)
{
	struct saved_state saved;

	for (uint32_t i = 0; i < nr_locations; i++) {
		if (load_saved(part_fd, i, &saved) != MEASURE_OK ||
			!measure_chunk_size_is_valid(saved.chunk_size) ||
			saved.kept > MEASURE_KEPT_LAST)
			continue;
		*chunk_size = (uint32_t)saved.chunk_size;
		*kept = (enum measure_kept)saved.kept;
		return true;
	}
	return false;
}

static void load(struct measure_part_fold *fold, uint32_t location, struct measure_folded *folded)
{
	char name[32];
	uint8_t *bytes;
	const void *data;
	size_t size;
	measure_status_t status;

	start(fold, folded);
	snprintf(name, sizeof(name), MEASURE_FOLD_FORMAT, location);
	status = measure_profile_file_load(fold->part_fd, name, &bytes, &data, &size);
	if (status == MEASURE_ERROR_NOT_FOUND)
		return;
	if (status == MEASURE_OK && restore(folded, data, size)) {
		free(bytes);
		return;
	}
	if (status == MEASURE_OK) {
		stop(folded);
		start(fold, folded);
		free(bytes);
	}
	folded->profile.nr_broken = 1;
	if (folded->cut)
		folded->cut->is_unknown = true;
}

struct measure_folded *measure_part_fold_location(struct measure_part_fold *fold, uint32_t location)
{
	const size_t nr = fold->locations.nr;

	if (location >= nr) {
		if (measure_array_reserve(&fold->locations, (size_t)location + 1) != MEASURE_OK)
			measure_out_of_memory();
		memset(fold->locations.items + nr, 0,
			(location + 1 - nr) * sizeof(*fold->locations.items));
		fold->locations.nr = (size_t)location + 1;
	}
	if (!fold->locations.items[location]) {
		fold->locations.items[location] = measure_zeroed(1, sizeof(struct measure_folded));
		load(fold, location, fold->locations.items[location]);
	}
	return fold->locations.items[location];
}

static struct measure_profile_note note_of(const struct measure_profile *profile)
{
	return (struct measure_profile_note){profile->nr_events, profile->last};
}

measure_status_t measure_part_fold_save(struct measure_part_fold *fold, uint32_t location)
{
	struct measure_folded *folded = measure_part_fold_location(fold, location);
	const struct measure_location_state *state = &folded->state;
	struct saved_state saved = {fold->chunk_size, fold->kept, state->nr_events,
		state->last_time, state->sequence, state->sequence_of_thread,
		state->has_program_end, state->has_thread, state->contingent,
		folded->cursor.of_metrics, state->open.nr, 0};
	const size_t open_size = state->open.nr * sizeof(*state->open.items);
	measure_profile_pack_t pack = {.nr = 0};
	measure_status_t status;
	char name[32];

	if (!folded->is_changed)
		return MEASURE_OK;
	if (measure_array_reserve(&pack, sizeof(saved) + open_size) != MEASURE_OK)
		measure_out_of_memory();
	if (open_size > 0)
		memcpy(pack.items + sizeof(saved), state->open.items, open_size);
	pack.nr = sizeof(saved) + open_size;
	if (folded->cut)
		measure_cut_save(folded->cut, &pack);
	saved.cut_size = pack.nr - sizeof(saved) - open_size;
	memcpy(pack.items, &saved, sizeof(saved));
	measure_fold_store_counts(&folded->fold, &folded->cursor);
	measure_fold_save(&folded->fold, &pack);
	snprintf(name, sizeof(name), MEASURE_FOLD_FORMAT, location);
	status = measure_profile_file_store(
		fold->part_fd, name, note_of(&folded->profile), pack.items, pack.nr);
	free(pack.items);
	folded->is_changed = status != MEASURE_OK;
	return status;
}

/* --------------------------------------------------------------------------- folding --- */

/* A chunk that does not follow the one before: what lies between them is lost. */
static void pass_over(struct measure_folded *folded, const struct measure_chunk_walk *walk)
{
	folded->profile.nr_broken = 1;
	measure_fold_skip(&folded->fold, walk->first_time);
	folded->state.open.nr = 0;
	if (folded->cut)
		folded->cut->is_unknown = true;
}

static inline void take_state(
	struct measure_location_state *state, const struct measure_event *event)
{
	switch (event->kind) {
	case MEASURE_EVENT_ENTER:
		if (measure_array_push(&state->open, event->ref) != MEASURE_OK)
			measure_out_of_memory();
		break;
	case MEASURE_EVENT_LEAVE:
		measure_location_state_leave(state, event->ref);
		break;
	case MEASURE_EVENT_PROGRAM_END:
		state->has_program_end = true;
		break;
	case MEASURE_EVENT_THREAD_BEGIN:
		state->has_thread = true;
		state->contingent = event->ref;
		state->sequence_of_thread = event->number;
		break;
	case MEASURE_EVENT_THREAD_END:
		state->has_thread = false;
		break;
	}
}

static void fold_chunk(struct measure_part_fold *fold, struct measure_folded *folded,
	const uint8_t *chunk, size_t size)
{
	struct measure_location_state *state = &folded->state;
	const struct measure_event *event;
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	struct measure_stream stream;
	uint64_t nr_read;

	state->sequence++;
	folded->is_changed = true;
	if (measure_chunk_header_read(chunk, size, &header) != MEASURE_OK) {
		folded->profile.nr_broken = 1;
		return;
	}
	if (measure_chunk_walk(chunk, size, header.first_event, NULL, NULL, &walk) == MEASURE_OK &&
		header.first_event != state->nr_events + 1)
		pass_over(folded, &walk);
	measure_stream_open_memory(&stream, &fold->local.trace, 0, chunk, size);
	folded->cursor.next_chunk = 0;
	while ((event = measure_fold_next(&folded->fold, &stream, &folded->cursor))) {
		take_state(state, event);
		if (folded->cut)
			measure_cut_take(folded->cut, event);
	}
	measure_stream_close(&stream, &nr_read);
	folded->profile.nr_events += nr_read;
	state->nr_events = header.first_event - 1 + nr_read;
	state->last_time = folded->fold.last;
}

void measure_part_fold_chunk(struct measure_part_fold *fold, uint32_t location,
	const uint8_t *chunk, size_t size, const uint8_t *journal, size_t journal_size)
{
	measure_local_trace_read(&fold->local, journal, journal_size);
	fold_chunk(fold, measure_part_fold_location(fold, location), chunk, size);
}

/* -------------------------------------------------------------------------- the end --- */

static measure_status_t read_journal(struct measure_part_fold *fold)
{
	uint8_t *journal;
	size_t size;
	measure_status_t status = measure_file_load(
		fold->part_fd, MEASURE_JOURNAL_OF_PROCESS, MEASURE_JOURNAL_MOST, &journal, &size);

	if (status != MEASURE_OK)
		return status == MEASURE_ERROR_NOT_FOUND ? MEASURE_OK : status;
	measure_local_trace_read(&fold->local, journal, size);
	free(journal);
	return MEASURE_OK;
}

static measure_status_t fold_rest(
	struct measure_part_fold *fold, struct measure_folded *folded, int fd)
{
	uint8_t *chunk = malloc(fold->chunk_size);
	measure_status_t status = chunk ? MEASURE_OK : MEASURE_ERROR_MEMORY;
	size_t got = 0;

	while (status == MEASURE_OK) {
		status = measure_file_read_at(fd, chunk, fold->chunk_size,
			folded->state.sequence * fold->chunk_size, &got);
		if (status != MEASURE_OK || got < MEASURE_CHUNK_HEADER)
			break;
		fold_chunk(fold, folded, chunk, got);
	}
	free(chunk);
	return status;
}

static measure_status_t store_profile(
	struct measure_part_fold *fold, const struct measure_profile *profile, uint32_t location)
{
	measure_profile_pack_t pack = {.nr = 0};
	measure_status_t status;
	char name[32];

	measure_profile_pack(profile, &pack);
	snprintf(name, sizeof(name), MEASURE_PROFILE_FORMAT, location);
	status = measure_profile_file_store(
		fold->part_fd, name, note_of(profile), pack.items, pack.nr);
	free(pack.items);
	return status;
}

measure_status_t measure_part_fold_store_cut(struct measure_part_fold *fold, uint32_t location)
{
	struct measure_folded *folded = measure_part_fold_location(fold, location);
	measure_status_t status = MEASURE_OK;

	if (folded->cut && (folded->state.nr_events > 0 || folded->cut->is_unknown)) {
		folded->cut->nr_enters = folded->state.open.nr;
		status = measure_cut_store(fold->part_fd, location, folded->cut);
	}
	if (status == MEASURE_OK)
		forget_cut(folded);
	return status;
}

measure_status_t measure_part_fold_finish(struct measure_part_fold *fold, uint32_t location, int fd)
{
	struct measure_folded *folded = measure_part_fold_location(fold, location);
	measure_status_t status = read_journal(fold);

	if (folded->is_over)
		return MEASURE_OK;
	if (status == MEASURE_OK)
		status = fold_rest(fold, folded, fd);
	if (status == MEASURE_OK) {
		measure_fold_store_counts(&folded->fold, &folded->cursor);
		measure_fold_end(&folded->fold);
		folded->is_over = true;
		folded->profile.nr_locations = folded->profile.nr_events > 0;
		status = store_profile(fold, &folded->profile, location);
	}
	return status;
}
