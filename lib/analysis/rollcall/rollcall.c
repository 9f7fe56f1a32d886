/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who cannot go on: whoever waits for nobody is released, and then, again and again, whoever waits
 * for those that are. The rest is deadlocked. This decides a graph in which some wait for all of
 * several and some for one of several; a cycle alone would prove nothing there. */
#include "config.h"

#include "rollcall.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

struct roll_judge {
	struct measure_rollcall *call;
	struct measure_roll_graph graph;
	bool *is_released; /* by thread */
	bool is_certain;   /* only edges that are */
};

/* ----------------------------------------------------------------------- mismatches --- */

bool measure_roll_is_mismatched(
	const struct measure_rollcall *call, uint32_t comm, uint32_t ordinal)
{
	for (size_t i = 0; i < call->mismatches.nr; i++)
		if (call->mismatches.items[i].comm == comm &&
			call->mismatches.items[i].ordinal == ordinal && comm != NOBODY)
			return true;
	return false;
}

static bool is_other_collective(
	const struct measure_roll_collective *collective, const struct measure_roll_need *need)
{
	return collective->comm == need->comm && collective->ordinal == need->value &&
	       (collective->operation != need->operation || collective->root != need->peer);
}

static measure_status_t note_mismatch(
	struct measure_rollcall *call, const struct measure_roll_mismatch *mismatch)
{
	for (size_t i = 0; i < call->mismatches.nr; i++)
		if (memcmp(&call->mismatches.items[i], mismatch, sizeof(*mismatch)) == 0)
			return MEASURE_OK;
	return measure_array_push(&call->mismatches, *mismatch);
}

/* What a thread is blocked in against what other processes have begun under the same number. */
static measure_status_t compare_collective(
	struct measure_rollcall *call, const struct measure_roll_need *need)
{
	struct measure_roll_mismatch mismatch;

	memset(&mismatch, 0, sizeof(mismatch));
	mismatch.comm = need->comm;
	mismatch.ordinal = need->value;
	for (size_t i = 0; i < call->collectives.nr; i++)
		if (is_other_collective(&call->collectives.items[i], need))
			return note_mismatch(call, &mismatch);
	return MEASURE_OK;
}

/* At a barrier of a team; `*is_end`: at the last one. */
static bool is_at_barrier(const struct measure_roll_thread *thread, bool *is_end)
{
	*is_end = thread->nr_needs == 1 && thread->needs[0].operation != 0;
	return thread->nr_needs == 1 && thread->needs[0].kind == MEASURE_PENDING_GATHER &&
	       (thread->state == MEASURE_ROLL_BLOCKED || thread->state == MEASURE_ROLL_RESTING);
}

/* One is at the end of the team, and another one in a barrier that the first has not met and will
 * not meet any more; or both are at the end, and one has met more barriers. */
static bool is_short_of(
	const struct measure_roll_thread *early, const struct measure_roll_thread *late)
{
	bool is_end, is_other_end;

	if (!is_at_barrier(early, &is_end) || !is_at_barrier(late, &is_other_end) || !is_end ||
		early->needs[0].object != late->needs[0].object ||
		late->state != MEASURE_ROLL_BLOCKED)
		return false;
	return is_other_end ? early->needs[0].number < late->needs[0].number
			    : early->needs[0].number <= late->needs[0].number;
}

static measure_status_t compare_team(struct measure_rollcall *call, size_t first, size_t end)
{
	struct measure_roll_mismatch mismatch;

	memset(&mismatch, 0, sizeof(mismatch));
	mismatch.comm = NOBODY;
	mismatch.process = call->threads.items[first].process;
	for (size_t i = first; i < end; i++)
		for (size_t k = first; k < end; k++) {
			mismatch.object = call->threads.items[i].needs[0].object;
			if (is_short_of(&call->threads.items[i], &call->threads.items[k]))
				return note_mismatch(call, &mismatch);
		}
	return MEASURE_OK;
}

static measure_status_t find_mismatches(struct measure_rollcall *call)
{
	measure_status_t status = MEASURE_OK;
	size_t end;

	for (size_t i = 0; i < call->threads.nr && status == MEASURE_OK; i++) {
		const struct measure_roll_thread *thread = &call->threads.items[i];
		for (uint32_t k = 0; k < thread->nr_needs && status == MEASURE_OK &&
				     thread->state == MEASURE_ROLL_BLOCKED;
			k++)
			if (thread->needs[k].kind == MEASURE_PENDING_COLLECTIVE &&
				thread->needs[k].comm != NOBODY)
				status = compare_collective(call, &thread->needs[k]);
	}
	for (size_t i = 0; i < call->threads.nr && status == MEASURE_OK; i = end) {
		for (end = i + 1; end < call->threads.nr && call->threads.items[end].process ==
								    call->threads.items[i].process;)
			end++;
		status = compare_team(call, i, end);
	}
	return status;
}

/* ------------------------------------------------------------------------ releasing --- */

static bool is_process_released(const struct roll_judge *judge, uint32_t process)
{
	if (judge->call->processes.items[process].is_unknown)
		return true;
	for (uint32_t i = judge->graph.threads.items[process];
		i < judge->graph.threads.items[process + 1]; i++)
		if (judge->is_released[i])
			return true;
	return false;
}

static bool is_target_released(
	const struct roll_judge *judge, const struct measure_roll_target *target)
{
	return target->thread == NOBODY ? is_process_released(judge, target->process)
					: judge->is_released[target->thread];
}

static bool are_edges_met(const struct roll_judge *judge, const struct measure_roll_edges *edges)
{
	const struct measure_roll_target *targets = &judge->graph.targets.items[edges->first];

	if (edges->is_hopeless)
		return false;
	if (judge->is_certain && !edges->is_certain)
		return true;
	for (uint32_t i = 0; i < edges->nr; i++)
		if (is_target_released(judge, &targets[i]) == edges->is_any)
			return edges->is_any;
	return !edges->is_any;
}

/* A need may have edges of both kinds: it is met when both are. */
static bool is_thread_met(const struct roll_judge *judge, uint32_t index)
{
	const struct measure_roll_thread *thread = &judge->call->threads.items[index];
	uint32_t end = judge->graph.begins.items[index + 1];

	for (uint32_t i = judge->graph.begins.items[index]; i < end;) {
		const uint32_t need = judge->graph.edges.items[i].need;
		bool is_met = true;
		for (; i < end && judge->graph.edges.items[i].need == need; i++)
			is_met &= are_edges_met(judge, &judge->graph.edges.items[i]);
		if (is_met == thread->is_any)
			return thread->is_any;
	}
	return !thread->is_any || thread->is_partial;
}

static void release(struct roll_judge *judge)
{
	const struct measure_rollcall *call = judge->call;
	bool is_changed = true;

	for (uint32_t i = 0; i < call->threads.nr; i++)
		judge->is_released[i] = call->threads.items[i].state == MEASURE_ROLL_RUNNING;
	while (is_changed) {
		is_changed = false;
		for (uint32_t i = 0; i < call->threads.nr; i++) {
			if (judge->is_released[i] ||
				call->threads.items[i].state == MEASURE_ROLL_ENDED ||
				!is_thread_met(judge, i))
				continue;
			judge->is_released[i] = is_changed = true;
		}
	}
}

/* Twice: with certain edges, then with possible ones too. */
static measure_status_t find_verdicts(struct roll_judge *judge)
{
	struct measure_rollcall *call = judge->call;
	measure_status_t status = MEASURE_OK;

	judge->is_certain = true;
	release(judge);
	for (uint32_t i = 0; i < call->threads.nr && status == MEASURE_OK; i++)
		status = measure_array_push(&call->verdicts,
			judge->is_released[i] || call->threads.items[i].state == MEASURE_ROLL_ENDED
				? MEASURE_ROLL_FREE
				: MEASURE_ROLL_PROVEN);
	judge->is_certain = false;
	release(judge);
	for (uint32_t i = 0; i < call->verdicts.nr; i++)
		if (call->verdicts.items[i] == MEASURE_ROLL_FREE && !judge->is_released[i] &&
			call->threads.items[i].state != MEASURE_ROLL_ENDED)
			call->verdicts.items[i] = MEASURE_ROLL_SUSPECTED;
	return status;
}

/* ----------------------------------------------------------------------------- cores --- */

/* Strongly connected components by Tarjan's algorithm, without recursion. */
struct roll_components {
	uint32_t *order, *low, *stack, *work;
	uint32_t *component;
	uint32_t nr_seen, nr_stack, nr_components;
	bool *is_on_stack, *has_exit;
};

typedef void (*roll_visit_fn)(struct roll_judge *judge, uint32_t from, uint32_t to, void *data);

static bool is_relevant(
	const struct roll_judge *judge, uint32_t thread, const struct measure_roll_edges *edges)
{
	return edges->is_certain || judge->call->verdicts.items[thread] == MEASURE_ROLL_SUSPECTED;
}

static void visit_target(struct roll_judge *judge, uint32_t from,
	const struct measure_roll_target *target, roll_visit_fn visit, void *data)
{
	const uint32_t *threads = judge->graph.threads.items;
	uint32_t first = target->thread, end = target->thread + 1;

	if (target->thread == NOBODY) {
		first = threads[target->process];
		end = threads[target->process + 1];
	}
	for (uint32_t i = first; i < end; i++)
		if (judge->call->verdicts.items[i] != MEASURE_ROLL_FREE)
			visit(judge, from, i, data);
}

/* Those that are deadlocked too, whom a deadlocked thread waits for. */
static void visit_targets(
	struct roll_judge *judge, uint32_t thread, roll_visit_fn visit, void *data)
{
	for (uint32_t i = judge->graph.begins.items[thread];
		i < judge->graph.begins.items[thread + 1]; i++) {
		const struct measure_roll_edges *edges = &judge->graph.edges.items[i];
		for (uint32_t k = 0; k < edges->nr && is_relevant(judge, thread, edges); k++)
			visit_target(judge, thread, &judge->graph.targets.items[edges->first + k],
				visit, data);
	}
}

static void visit_component(struct roll_judge *judge, uint32_t root, struct roll_components *c);

static void visit_next(struct roll_judge *judge, uint32_t from, uint32_t to, void *data)
{
	struct roll_components *c = data;

	if (c->order[to] == 0)
		visit_component(judge, to, c);
	if (c->is_on_stack[to] && c->low[to] < c->low[from])
		c->low[from] = c->low[to];
}

/* Recursion as deep as the longest chain of threads that wait for each other. */
static void visit_component(struct roll_judge *judge, uint32_t root, struct roll_components *c)
{
	uint32_t thread;

	c->order[root] = c->low[root] = ++c->nr_seen;
	c->stack[c->nr_stack++] = root;
	c->is_on_stack[root] = true;
	visit_targets(judge, root, visit_next, c);
	if (c->low[root] != c->order[root])
		return;
	do {
		thread = c->stack[--c->nr_stack];
		c->is_on_stack[thread] = false;
		c->component[thread] = c->nr_components;
	} while (thread != root);
	c->nr_components++;
}

static void note_exit(struct roll_judge *judge, uint32_t from, uint32_t to, void *data)
{
	struct roll_components *c = data;

	(void)judge;
	if (c->component[from] != c->component[to])
		c->has_exit[c->component[from]] = true;
}

/* Strongest where all of its edges are; whoever may have help that is not recorded is suspected. */
static enum measure_roll_verdict core_verdict(
	const struct measure_rollcall *call, const struct measure_roll_core *core)
{
	enum measure_roll_verdict verdict = MEASURE_ROLL_PROVEN;

	for (size_t i = 0; i < core->threads.nr; i++) {
		const uint32_t thread = core->threads.items[i];
		const uint32_t process = call->threads.items[thread].process;
		if (call->verdicts.items[thread] == MEASURE_ROLL_SUSPECTED ||
			call->processes.items[process].is_open)
			verdict = MEASURE_ROLL_SUSPECTED;
	}
	return verdict;
}

static measure_status_t add_core(
	struct measure_rollcall *call, const struct roll_components *c, uint32_t component)
{
	struct measure_roll_core core = {.verdict = MEASURE_ROLL_PROVEN};
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < call->threads.nr && status == MEASURE_OK; i++)
		if (call->verdicts.items[i] != MEASURE_ROLL_FREE && c->component[i] == component)
			status = measure_array_push(&core.threads, i);
	core.verdict = core_verdict(call, &core);
	if (status == MEASURE_OK)
		status = measure_array_push(&call->cores, core);
	if (status != MEASURE_OK)
		free(core.threads.items);
	return status;
}

/* Whoever is in what was done wrong is named there. */
static bool is_hopeless(const struct roll_judge *judge, uint32_t thread)
{
	for (uint32_t i = judge->graph.begins.items[thread];
		i < judge->graph.begins.items[thread + 1]; i++)
		if (judge->graph.edges.items[i].is_hopeless)
			return true;
	return false;
}

static void note_hopeless(const struct roll_judge *judge, struct roll_components *c)
{
	for (uint32_t i = 0; i < judge->call->threads.nr; i++)
		if (judge->call->verdicts.items[i] != MEASURE_ROLL_FREE && is_hopeless(judge, i))
			c->has_exit[c->component[i]] = true;
}

static measure_status_t list_cores(struct roll_judge *judge, struct roll_components *c)
{
	struct measure_rollcall *call = judge->call;
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < call->threads.nr; i++)
		if (call->verdicts.items[i] != MEASURE_ROLL_FREE && c->order[i] == 0)
			visit_component(judge, i, c);
	for (uint32_t i = 0; i < call->threads.nr; i++)
		if (call->verdicts.items[i] != MEASURE_ROLL_FREE)
			visit_targets(judge, i, note_exit, c);
	note_hopeless(judge, c);
	for (uint32_t i = 0; i < c->nr_components && status == MEASURE_OK; i++)
		if (!c->has_exit[i])
			status = add_core(call, c, i);
	return status;
}

static measure_status_t find_cores(struct roll_judge *judge)
{
	const size_t nr = judge->call->threads.nr + 1;
	uint32_t *numbers = calloc(nr * 4, sizeof(*numbers));
	bool *flags = calloc(nr * 2, sizeof(*flags));
	struct roll_components c = {.order = numbers,
		.low = numbers + nr,
		.stack = numbers + 2 * nr,
		.component = numbers + 3 * nr,
		.is_on_stack = flags,
		.has_exit = flags + nr};
	measure_status_t status = MEASURE_ERROR_MEMORY;

	if (numbers && flags)
		status = list_cores(judge, &c);
	free(numbers);
	free(flags);
	return status;
}

/* --------------------------------------------------------------------------- awaited --- */

/* Processes with a thread that waits for `process`, also by way of others. */
static uint32_t count_waiting(const struct roll_judge *judge, uint32_t process, bool *is_waiting)
{
	const struct measure_rollcall *call = judge->call;
	bool is_changed = true;
	uint32_t nr = 0;

	memset(is_waiting, 0, call->processes.nr * sizeof(*is_waiting));
	is_waiting[process] = true;
	while (is_changed) {
		is_changed = false;
		for (uint32_t i = 0; i < call->threads.nr; i++) {
			const uint32_t own = call->threads.items[i].process;
			const uint32_t end =
				judge->graph.edges.nr ? judge->graph.begins.items[i + 1] : 0;
			for (uint32_t k = judge->graph.begins.items[i]; k < end && !is_waiting[own];
				k++) {
				const struct measure_roll_edges *edges =
					&judge->graph.edges.items[k];
				for (uint32_t t = 0; t < edges->nr; t++)
					is_waiting[own] |=
						is_waiting[judge->graph.targets
								   .items[edges->first + t]
								   .process];
				is_changed |= is_waiting[own];
				nr += is_waiting[own];
			}
		}
	}
	return nr;
}

/* All of its threads that are there wait. */
static bool is_process_blocked(const struct roll_judge *judge, uint32_t process)
{
	const struct measure_rollcall *call = judge->call;

	if (call->processes.items[process].is_unknown || call->processes.items[process].has_ended)
		return false;
	for (uint32_t i = judge->graph.threads.items[process];
		i < judge->graph.threads.items[process + 1]; i++)
		if (call->threads.items[i].state == MEASURE_ROLL_RUNNING)
			return false;
	return true;
}

static int compare_awaited(const void *left, const void *right)
{
	const struct measure_roll_awaited *a = left, *b = right;

	if (a->nr_waiting != b->nr_waiting)
		return a->nr_waiting < b->nr_waiting ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

static measure_status_t find_awaited(struct roll_judge *judge)
{
	struct measure_rollcall *call = judge->call;
	bool *is_waiting = calloc(call->processes.nr + 1, sizeof(*is_waiting));
	measure_status_t status = is_waiting ? MEASURE_OK : MEASURE_ERROR_MEMORY;

	for (uint32_t i = 0; i < call->processes.nr && status == MEASURE_OK; i++) {
		const uint32_t nr =
			is_process_blocked(judge, i) ? 0 : count_waiting(judge, i, is_waiting);
		if (nr > 0)
			status = measure_array_push(
				&call->awaited, (struct measure_roll_awaited){i, nr});
	}
	free(is_waiting);
	if (call->awaited.nr > 0)
		qsort(call->awaited.items, call->awaited.nr, sizeof(*call->awaited.items),
			compare_awaited);
	return status;
}

/* ----------------------------------------------------------------------------- whole --- */

static void forget(struct measure_rollcall *call)
{
	for (size_t i = 0; i < call->cores.nr; i++)
		free(call->cores.items[i].threads.items);
	call->verdicts.nr = call->cores.nr = call->mismatches.nr = call->awaited.nr = 0;
}

measure_status_t measure_rollcall_judge(struct measure_rollcall *call)
{
	struct roll_judge judge = {.call = call};
	measure_status_t status;

	forget(call);
	judge.is_released = calloc(call->threads.nr + 1, sizeof(*judge.is_released));
	if (!judge.is_released)
		return MEASURE_ERROR_MEMORY;
	status = find_mismatches(call);
	if (status == MEASURE_OK)
		status = measure_roll_graph_make(call, &judge.graph);
	if (status == MEASURE_OK)
		status = find_verdicts(&judge);
	if (status == MEASURE_OK)
		status = find_cores(&judge);
	if (status == MEASURE_OK)
		status = find_awaited(&judge);
	measure_roll_graph_free(&judge.graph);
	free(judge.is_released);
	return status;
}

void measure_rollcall_free(struct measure_rollcall *call)
{
	forget(call);
	for (size_t i = 0; i < call->comms.nr; i++) {
		free(call->comms.items[i].members.items);
		free(call->comms.items[i].begun.items);
	}
	free(call->processes.items);
	free(call->threads.items);
	free(call->comms.items);
	free(call->collectives.items);
	free(call->messages.items);
	free(call->verdicts.items);
	free(call->cores.items);
	free(call->mismatches.items);
	free(call->awaited.items);
}
