/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Saves and restores folds; see fold_state.h. What can be found again is not saved: maps, and the
 * current path, which is that of the innermost frame. */
#include "config.h"

#include "fold_state.h"

#include "fold_internal.h"
#include "analysis/profile/profile_pack.h"

#define ALL_SPECIAL 32 /* more than all bits of enum measure_fold_special together */

void measure_fold_save(const struct measure_fold *fold, measure_profile_pack_t *pack)
{
	const uint64_t numbers[] = {fold->special, fold->last, fold->bytes, fold->since,
		fold->flush_stop, fold->skipped, fold->team_depth, fold->is_outside,
		fold->is_worker};

	measure_profile_pack(fold->profile, pack);
	measure_pack_put_all(pack, numbers, sizeof(numbers) / sizeof(*numbers));
	fold_tasks_save(fold, pack);
	fold_traffic_save(fold, pack);
	fold_metrics_save(fold, pack);
}

/* Rows are made at the end; metrics are those of the location. */
static void take_profile(struct measure_fold *fold, struct measure_pack_reader *reader)
{
	struct measure_profile *profile = fold->profile;

	measure_profile_take(profile, reader);
	if (profile->nr_rows > 0)
		measure_pack_refuse(reader);
	for (size_t i = 0; i < profile->nr_metrics; i++)
		profile->metrics[i].location = fold->location;
}

static void take_numbers(struct measure_fold *fold, struct measure_pack_reader *reader)
{
	fold->special = (uint8_t)(fold->special & MEASURE_FOLD_WINDOW);
	fold->special |= (uint8_t)(measure_pack_take_index(reader, ALL_SPECIAL) &
				   ~(uint32_t)MEASURE_FOLD_WINDOW);
	fold->last = measure_pack_take(reader);
	fold->bytes = measure_pack_take(reader);
	fold->since = measure_pack_take(reader);
	fold->flush_stop = measure_pack_take(reader);
	fold->skipped = measure_pack_take(reader);
	fold->team_depth = measure_pack_take_word(reader);
	fold->is_outside = measure_pack_take_index(reader, 2);
	fold->is_worker = measure_pack_take_index(reader, 2);
}

/* Forgets what was restored up to the damage: there may be no sense in it. */
static void start_again(struct measure_fold *fold)
{
	struct measure_profile *profile = fold->profile;
	const struct measure_trace *trace = profile->trace;

	fold_free(fold);
	measure_profile_free(profile);
	measure_profile_start(profile, trace);
	measure_fold_start(fold, profile, fold->ranks, fold->location);
}

bool measure_fold_restore(struct measure_fold *fold, const void *data, size_t size)
{
	struct measure_pack_reader reader = {data, (const unsigned char *)data + size, true};

	take_profile(fold, &reader);
	take_numbers(fold, &reader);
	fold_tasks_restore(fold, &reader);
	fold_traffic_restore(fold, &reader);
	fold_metrics_restore(fold, &reader);
	if (reader.is_good && reader.at == reader.end)
		return true;
	start_again(fold);
	return false;
}
