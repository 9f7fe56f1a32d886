/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The matcher from its beginning to its end, process by process. */
#include "config.h"

#include "match_internal.h"

#include <otf2/OTF2_GeneralDefinitions.h>

/* Not all tools do it. */
static bool are_creations_recorded(const struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_comms; i++)
		if (definitions->comms[i].parent != MEASURE_NONE &&
			!(definitions->comms[i].flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS))
			return false;
	return true;
}

/* Where the first events are missing, nobody knows which is the k-th of those that are paired by
 * counting: no relation is better than a wrong one. Others have numbers of their own. Messages and
 * collectives of MPI may have been aligned when the archive was made. */
static void leave_out_counted(struct measure_selection *selection, bool is_aligned)
{
	static const enum measure_relation uncounted[] = {MEASURE_RELATION_INIT,
		MEASURE_RELATION_FINALIZE, MEASURE_RELATION_SPAWN, MEASURE_RELATION_SPAWN_END,
		MEASURE_RELATION_LOCK, MEASURE_RELATION_TASK_START, MEASURE_RELATION_TASK_END,
		MEASURE_RELATION_TASK_READY, MEASURE_RELATION_TASK_RESUME,
		MEASURE_RELATION_THREAD_CREATE, MEASURE_RELATION_THREAD_WAIT,
		MEASURE_RELATION_PROCESS_CREATE};
	struct measure_selection left = {0};

	for (size_t i = 0; i < sizeof(uncounted) / sizeof(*uncounted); i++)
		left.is_on[uncounted[i]] = selection->is_on[uncounted[i]];
	for (int i = MEASURE_RELATION_MESSAGE; is_aligned && i <= MEASURE_RELATION_COMM_FREE; i++)
		left.is_on[i] = selection->is_on[i];
	if (is_aligned) {
		left.is_on[MEASURE_RELATION_RMA_WINDOW] =
			selection->is_on[MEASURE_RELATION_RMA_WINDOW];
		left.is_on[MEASURE_RELATION_RMA_FENCE] =
			selection->is_on[MEASURE_RELATION_RMA_FENCE];
	}
	*selection = left;
}

struct measure_match *measure_match_new(
	struct measure_trace *trace, measure_instance_fn deliver, void *data)
{
	struct measure_match *match = measure_zeroed(1, sizeof(*match));
	const struct measure_definitions *definitions = &trace->definitions;

	match->trace = trace;
	match->definitions = definitions;
	match->findings = trace->findings;
	match->deliver = deliver;
	match->data = data;
	match->marks.archive = trace->anchor;
	measure_selection_default(&match->selection);
	if (trace->selection)
		match->selection = *trace->selection;
	if (trace->findings->has_lost_begins)
		leave_out_counted(&match->selection, !trace->findings->has_lost_partners);
	match->are_creations_recorded = are_creations_recorded(definitions);
	match->process = MEASURE_NONE;
	match->location = MEASURE_NONE;
	match->requests.first_free = MEASURE_NONE;
	match->io.first_free = MEASURE_NONE;
	match->rma_collectives.is_rma = true;
	match->rma.first_free = MEASURE_NONE;
	match->rma.lives = measure_zeroed(definitions->nr_windows, sizeof(uint8_t));
	measure_ranks_start(&match->ranks, definitions);
	regions_start(match);
	tasks_start(match);
	match->processes = measure_zeroed(definitions->nr_location_groups, sizeof(struct process));
	match->doing = measure_zeroed(definitions->nr_locations, sizeof(uint64_t));
	return match;
}

void measure_match_take_pairs(struct measure_match *match, measure_pairs_fn deliver)
{
	match->deliver_pairs = deliver;
}

void measure_match_take_exchanges(struct measure_match *match, measure_instance_fn deliver)
{
	match->deliver_exchange = deliver;
}

void measure_match_take_collectives(struct measure_match *match, measure_collective_fn deliver)
{
	match->deliver_collective = deliver;
}

void measure_match_take_files(struct measure_match *match, measure_instance_fn deliver)
{
	match->deliver_files = deliver;
}

struct measure_sync_points *measure_match_marks(struct measure_match *match)
{
	return &match->marks;
}

static void free_reading(struct measure_match *match)
{
	requests_free(&match->requests);
	rma_free(&match->rma);
	teams_free(&match->teams);
	tasks_free(&match->tasks);
	threads_free(&match->threads);
	measure_ranks_free(&match->ranks);
	measure_free(match->calls.region_kinds);
	measure_free(match->doing);
}

void measure_match_end_reading(struct measure_match *match)
{
	measure_match_end_process(match);
	free_reading(match);
	match->requests = (struct requests){.nr_slots = 0};
	match->rma = (struct rma){.nr_operations = 0};
	match->teams = (struct teams){.nr_teams = 0};
	match->tasks = (struct tasks){.nr = 0};
	match->threads = (struct threads){{0}};
	match->ranks = (struct measure_ranks){.is_filled = NULL};
	match->calls.region_kinds = NULL;
	match->doing = NULL;
	messages_end_reading(&match->messages);
	collectives_end_reading(&match->collectives);
	collectives_end_reading(&match->rma_collectives);
}

void measure_match_free(struct measure_match *match)
{
	if (!match)
		return;
	free_reading(match);
	messages_free(&match->messages);
	collectives_free(&match->collectives);
	collectives_free(&match->rma_collectives);
	io_free(&match->io);
	measure_free(match->files.items);
	measure_free(match->pipes.items);
	epochs_free(&match->epochs);
	rendezvous_free(&match->rendezvous);
	spawns_free(&match->spawns);
	measure_sync_points_free(&match->marks);
	measure_free(match->processes);
	measure_free(match->sends);
	measure_free(match->receives);
	measure_free(match);
}

/* Of MPI_Init and MPI_Finalize. */
static void mark_program(struct measure_match *match, struct process *process)
{
	struct measure_point *points[] = {&process->init_enter, &process->init_leave,
		&process->finalize_enter, &process->finalize_leave};
	const bool are_there[] = {process->has_init, process->has_init_leave, process->has_finalize,
		process->has_finalize_leave};

	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++)
		if (are_there[i])
			points[i]->mark = mark_of(match, points[i]) + 1;
}

void measure_match_end_process(struct measure_match *match)
{
	if (match->process == MEASURE_NONE)
		return;
	mark_program(match, &match->processes[match->process]);
	requests_end_process(match);
	messages_end_process(match);
	collectives_end_process(&match->collectives);
	collectives_end_process(&match->rma_collectives);
	rma_end_process(match);
	io_end_process(match);
	waits_prepare(match);
	teams_end_process(match);
	tasks_end_process(match);
	threads_end_process(match);
	match->process = MEASURE_NONE;
}

void measure_match_finish(struct measure_match *match)
{
	measure_match_end_process(match);
	processes_finish(match);
	messages_finish(match);
	collectives_finish(match, &match->collectives);
	collectives_finish(match, &match->rma_collectives);
	io_finish(match);
	files_finish(match);
	pipes_finish(match);
	epochs_finish(match);
}
