/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts together what several matches have read: only what joins processes is left by then, in order
 * of reading. */
#include "config.h"

#include "match_internal.h"

static void move_point(struct measure_point *point, uint32_t base)
{
	if (point->mark)
		point->mark += base;
}

static void join_processes(
	struct measure_match *match, const struct measure_match *other, uint32_t base)
{
	for (size_t i = 0; i < match->definitions->nr_location_groups; i++) {
		struct process *process = &match->processes[i];

		if (!other->processes[i].has_events && !other->processes[i].is_damaged)
			continue;
		*process = other->processes[i];
		move_point(&process->init_enter, base);
		move_point(&process->init_leave, base);
		move_point(&process->finalize_enter, base);
		move_point(&process->finalize_leave, base);
	}
}

uint32_t measure_match_join(struct measure_match *match, struct measure_match *other)
{
	const uint32_t base = measure_sync_points_append(&match->marks, &other->marks);

	join_processes(match, other, base);
	messages_join(&match->messages, &other->messages, base);
	collectives_join(&match->collectives, &other->collectives, base);
	collectives_join(&match->rma_collectives, &other->rma_collectives, base);
	io_join(&match->io, &other->io);
	files_join(&match->files, &other->files, base);
	pipes_join(&match->pipes, &other->pipes, base);
	rendezvous_join(&match->rendezvous, &other->rendezvous, base);
	spawns_join(&match->spawns, &other->spawns);
	epochs_join(&match->epochs, &other->epochs, base);
	measure_match_free(other);
	return base;
}
