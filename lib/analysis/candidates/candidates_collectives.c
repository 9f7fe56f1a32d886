/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is told of collectives beside their relations: how long calls stayed when all had come, how
 * long they may have waited where nobody knows for whom, and steps with files, in which MPI need
 * not let anybody wait. */
#include "config.h"

#include "candidates_internal.h"

void candidates_add_completions(struct measure_candidates *candidates,
	const struct measure_instance *instance, uint64_t until, enum measure_wait_pattern pattern)
{
	const uint64_t first = candidates_first_leave(candidates, instance);
	const uint64_t from = first > until ? first : until;
	uint32_t index;

	for (size_t i = 0; i < instance->nr_receives; i++) {
		const struct measure_point *point = &instance->receives[i];
		const struct measure_sync_call *call =
			candidates_call_of(candidates, point, &index);

		if (call && !call->is_cut && call->leave > from)
			*measure_append(candidates, completions) = (struct measure_completion){
				call->leave - from, call->leave, point->location, index, pattern};
	}
}

/* An upper bound: nobody knows who has sent something to whom. */
void measure_candidates_exchange(void *data, const struct measure_instance *instance)
{
	struct measure_candidates *candidates = data;
	uint64_t until = 0, end;
	uint32_t index;

	for (size_t i = 0; i < instance->nr_sends; i++) {
		const struct wait_send send =
			candidates_send_of(candidates, instance->relation, &instance->sends[i]);

		until = send.begin > until ? send.begin : until;
	}
	for (size_t i = 0; i < instance->nr_receives; i++) {
		const struct measure_point *point = &instance->receives[i];
		const struct measure_sync_call *call =
			candidates_call_of(candidates, point, &index);

		if (!call || call->is_cut || call->enter >= until)
			continue;
		end = call->leave < until ? call->leave : until;
		*measure_append(candidates, completions) =
			(struct measure_completion){end - call->enter, until, point->location,
				index, MEASURE_WAIT_POSSIBLE_ALL_TO_ALL};
	}
}

/* Files: all who take part are taken to wait for each other, unless somebody has gone on before the
 * last one came. */
void measure_candidates_files(void *data, const struct measure_instance *instance)
{
	struct measure_candidates *candidates = data;
	bool is_any = false;
	struct measure_instance as_all = *instance;
	struct wait_send last = {.begin = 0};

	as_all.relation = MEASURE_RELATION_ALL_TO_ALL;
	for (size_t i = 0; i < instance->nr_sends; i++) {
		const struct wait_send send =
			candidates_send_of(candidates, as_all.relation, &instance->sends[i]);

		if (i == 0 || candidates_is_later(&send, &last))
			last = send;
	}
	if (candidates_first_leave(candidates, instance) < last.begin)
		return;
	for (size_t i = 0; i < instance->nr_receives; i++) {
		const struct measure_point *point = &instance->receives[i];
		uint32_t index;
		const struct measure_sync_call *call =
			candidates_call_of(candidates, point, &index);
		struct measure_candidate candidate;

		if (!call || call->is_cut)
			continue;
		candidate = candidates_make(call, index, &as_all, point, &last);
		candidate.pattern = MEASURE_WAIT_MPI_FILE;
		candidate.instance = (uint32_t)candidates->nr_instances;
		candidate.nr_sends = (uint32_t)instance->nr_sends;
		candidates_add(candidates, &candidate);
		is_any = true;
	}
	if (is_any)
		candidates_add_instance(candidates, &as_all, instance->sends);
}
