/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting messages and collectives that are not kept; see part_cut.h. */
#include "config.h"

#include "part_cut.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/profile/profile_file.h"
#include "format/run_layout.h"

/* Of messages, for each location: 2 MiB and what the map of them takes. */
#define MOST_LANES 65536

const struct measure_cut_step measure_cut_steps[MEASURE_NR_EVENT_KINDS] = {
#define STEP(RECORD, ROLE, KIND, is_rma)                                                           \
	[MEASURE_EVENT_##RECORD] = {MEASURE_CUT_##ROLE, MEASURE_CUT_##KIND, is_rma}
	STEP(MPI_SEND, ALONE, SEND, 0),
	STEP(MPI_ISEND, POST, SEND, 0),
	STEP(MPI_ISEND_COMPLETE, DONE, NOTHING, 0),
	STEP(MPI_IRECV_REQUEST, POST, NOTHING, 0),
	STEP(MPI_RECV, ALONE, RECEIVE, 0),
	STEP(MPI_IRECV, DONE, RECEIVE, 0),
	STEP(MPI_REQUEST_TEST, TEST, NOTHING, 0),
	STEP(MPI_REQUEST_CANCELLED, DONE, NOTHING, 0),
	STEP(MPI_COLLECTIVE_BEGIN, BEGIN, NOTHING, 0),
	STEP(MPI_COLLECTIVE_END, END, COLLECTIVE, 0),
	STEP(NON_BLOCKING_COLLECTIVE_REQUEST, POST, NOTHING, 0),
	STEP(NON_BLOCKING_COLLECTIVE_COMPLETE, DONE, COLLECTIVE, 0),
	STEP(RMA_COLLECTIVE_BEGIN, BEGIN, NOTHING, 1),
	STEP(RMA_COLLECTIVE_END, END, WINDOW, 1),
#undef STEP
};

void measure_cut_free(struct measure_cut *cut)
{
	measure_map_free(&cut->ids);
	measure_free(cut->lanes);
	measure_free(cut->begins[0].items);
	measure_free(cut->begins[1].items);
	*cut = (struct measure_cut){.nr_lanes = 0};
}

static bool is_message(uint32_t kind)
{
	return kind == MEASURE_CUT_SEND || kind == MEASURE_CUT_RECEIVE;
}

struct measure_key measure_cut_key(
	enum measure_cut_kind kind, uint32_t space, uint32_t peer, uint32_t tag)
{
	const uint64_t lane = is_message(kind) ? (uint64_t)tag << 32 | peer : 0;

	return measure_key_pair((uint64_t)kind << 32 | space, lane);
}

/* NULL: there are too many. */
static struct measure_cut_lane *find_lane(struct measure_cut *cut, enum measure_cut_kind kind,
	uint32_t space, uint32_t peer, uint32_t tag)
{
	const struct measure_key key = measure_cut_key(kind, space, peer, tag);
	uint32_t index = measure_map_get(&cut->ids, key);

	if (index != MEASURE_NONE)
		return &cut->lanes[index];
	if (is_message(kind) && cut->nr_messages++ >= MOST_LANES) {
		cut->has_overflowed = true;
		return NULL;
	}
	index = (uint32_t)cut->nr_lanes;
	measure_map_set(&cut->ids, key, index);
	*measure_append(cut, lanes) = (struct measure_cut_lane){
		space, is_message(kind) ? peer : 0, is_message(kind) ? tag : 0, kind, 0};
	return &cut->lanes[index];
}

/* A call that MPI refuses has a begin and no end. */
void measure_cut_leave(struct measure_cut *cut)
{
	for (int i = 0; i < 2; i++) {
		struct measure_cut_begins *begins = &cut->begins[i];

		while (begins->nr > 0 && begins->items[begins->nr - 1] > cut->depth)
			begins->nr--;
	}
}

void measure_cut_record(struct measure_cut *cut, const struct measure_event *event)
{
	const struct measure_cut_step *step = &measure_cut_steps[event->kind];
	struct measure_cut_begins *begins = &cut->begins[step->is_rma];
	struct measure_cut_lane *lane;

	cut->last = event->time;
	if (step->role == MEASURE_CUT_POST)
		cut->nr_open++;
	else if (step->role == MEASURE_CUT_DONE)
		cut->nr_open--;
	else if (step->role == MEASURE_CUT_BEGIN)
		*measure_append_item(begins) = cut->depth;
	else if (step->role == MEASURE_CUT_END && begins->nr > 0)
		begins->nr--;
	if (step->kind == MEASURE_CUT_NOTHING)
		return;
	lane = find_lane(
		cut, (enum measure_cut_kind)step->kind, event->ref, event->peer, event->tag);
	if (lane)
		lane->nr++;
}

/* ------------------------------------------------------------------------- as bytes --- */

static void save_begins(const struct measure_cut_begins *begins, measure_profile_pack_t *pack)
{
	measure_pack_put(pack, begins->nr);
	measure_pack_put_all(pack, begins->items, begins->nr);
}

void measure_cut_save(const struct measure_cut *cut, measure_profile_pack_t *pack)
{
	const uint64_t numbers[] = {cut->depth, cut->nr_enters, cut->last, (uint64_t)cut->nr_open,
		cut->has_overflowed, cut->is_unknown};

	measure_pack_put_all(pack, numbers, sizeof(numbers) / sizeof(*numbers));
	save_begins(&cut->begins[0], pack);
	save_begins(&cut->begins[1], pack);
	measure_pack_put(pack, cut->nr_lanes);
	for (size_t i = 0; i < cut->nr_lanes; i++) {
		const struct measure_cut_lane *lane = &cut->lanes[i];
		const uint64_t words[] = {lane->kind, lane->space, lane->peer, lane->tag, lane->nr};

		measure_pack_put_all(pack, words, sizeof(words) / sizeof(*words));
	}
}

static void take_begins(struct measure_cut_begins *begins, struct measure_pack_reader *reader)
{
	for (size_t left = measure_pack_take_length(reader, 1); left > 0; left--)
		*measure_append_item(begins) = measure_pack_take(reader);
}

static void take_lane(struct measure_cut *cut, struct measure_pack_reader *reader)
{
	const uint32_t kind = measure_pack_take_index(reader, MEASURE_CUT_KINDS);
	const uint32_t space = measure_pack_take_word(reader);
	const uint32_t peer = measure_pack_take_word(reader);
	const uint32_t tag = measure_pack_take_word(reader);
	const uint64_t nr = measure_pack_take(reader);
	struct measure_cut_lane *lane =
		find_lane(cut, (enum measure_cut_kind)kind, space, peer, tag);

	if (!lane || kind == MEASURE_CUT_NOTHING)
		measure_pack_refuse(reader);
	else
		lane->nr = nr;
}

bool measure_cut_restore(struct measure_cut *cut, const void *data, size_t size)
{
	struct measure_pack_reader reader = {data, (const unsigned char *)data + size, true};

	cut->depth = measure_pack_take(&reader);
	cut->nr_enters = measure_pack_take(&reader);
	cut->last = measure_pack_take(&reader);
	cut->nr_open = (int64_t)measure_pack_take(&reader);
	cut->has_overflowed = measure_pack_take_index(&reader, 2);
	cut->is_unknown = measure_pack_take_index(&reader, 2);
	take_begins(&cut->begins[0], &reader);
	take_begins(&cut->begins[1], &reader);
	for (size_t left = measure_pack_take_length(&reader, 5); left > 0 && reader.is_good; left--)
		take_lane(cut, &reader);
	return reader.is_good && reader.at == reader.end;
}

/* --------------------------------------------------------------------------- a file --- */

measure_status_t measure_cut_store(int part_fd, uint32_t location, const struct measure_cut *cut)
{
	const struct measure_profile_note note = {0, cut->last};
	measure_profile_pack_t pack = {.nr = 0};
	measure_status_t status;
	char name[32];

	measure_cut_save(cut, &pack);
	snprintf(name, sizeof(name), MEASURE_CUT_FORMAT, location);
	status = measure_profile_file_store(part_fd, name, note, pack.items, pack.nr);
	free(pack.items);
	return status;
}

measure_status_t measure_cut_load(int part_fd, uint32_t location, struct measure_cut *cut)
{
	char name[32];
	uint8_t *bytes;
	const void *data;
	size_t size;
	measure_status_t status;

	snprintf(name, sizeof(name), MEASURE_CUT_FORMAT, location);
	status = measure_profile_file_load(part_fd, name, &bytes, &data, &size);
	if (status != MEASURE_OK)
		return status;
	if (!measure_cut_restore(cut, data, size))
		status = MEASURE_ERROR_FORMAT;
	free(bytes);
	return status;
}
