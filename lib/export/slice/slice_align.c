/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times at which all processes are in one collective operation that waits for all of them: no
 * message of a program with blocking calls crosses such a cut. */
#include "config.h"

#include "slice_internal.h"

/* The k-th operation on the communicator of all. */
struct align_point {
	uint64_t begin; /* of the last one that comes to it */
	uint32_t nr_members;
	bool is_full;
};

struct aligner {
	uint32_t comm;
	uint32_t nr_members;
	MEASURE_GROWING(struct align_point, points);
	/* of the location being read */
	size_t nr;
	uint64_t begin;
};

static bool waits_for_all(uint8_t operation)
{
	switch (operation) {
	case OTF2_COLLECTIVE_OP_BARRIER:
	case OTF2_COLLECTIVE_OP_ALLREDUCE:
	case OTF2_COLLECTIVE_OP_ALLGATHER:
	case OTF2_COLLECTIVE_OP_ALLGATHERV:
	case OTF2_COLLECTIVE_OP_ALLTOALL:
	case OTF2_COLLECTIVE_OP_ALLTOALLV:
	case OTF2_COLLECTIVE_OP_ALLTOALLW:
	case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
	case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
		return true;
	default:
		return false;
	}
}

/* The largest communicator. */
static void find_comm(const struct measure_definitions *definitions, struct aligner *aligner)
{
	aligner->comm = MEASURE_NONE;
	for (uint32_t i = 0; i < definitions->nr_comms; i++) {
		const struct measure_comm *comm = &definitions->comms[i];
		const uint32_t group = comm->groups[0];

		if (comm->is_inter || group >= definitions->nr_groups ||
			definitions->groups[group].type != OTF2_GROUP_TYPE_COMM_GROUP ||
			definitions->groups[group].paradigm != OTF2_PARADIGM_MPI ||
			definitions->groups[group].nr_members <= aligner->nr_members)
			continue;
		aligner->comm = i;
		aligner->nr_members = definitions->groups[group].nr_members;
	}
}

static void align_take(void *data, const struct measure_event *event)
{
	struct aligner *aligner = data;
	struct align_point *point;

	if (event->kind == MEASURE_EVENT_MPI_COLLECTIVE_BEGIN)
		aligner->begin = event->time;
	if (event->kind != MEASURE_EVENT_MPI_COLLECTIVE_END || event->ref != aligner->comm)
		return;
	if (aligner->nr == aligner->nr_points)
		*measure_append(aligner, points) = (struct align_point){.is_full = true};
	point = &aligner->points[aligner->nr++];
	point->nr_members++;
	point->is_full &= waits_for_all(event->op);
	if (point->begin < aligner->begin)
		point->begin = aligner->begin;
}

/* The begin and the end of the trace are such times, too. */
static void align_window(const struct aligner *aligner, const struct measure_clock *clock,
	struct measure_slice_options *options)
{
	uint64_t from = clock->is_defined ? clock->offset : 0;
	uint64_t until = clock->is_defined ? clock->offset + clock->length : UINT64_MAX;

	for (size_t i = 0; i < aligner->nr_points; i++) {
		const struct align_point *point = &aligner->points[i];

		if (!point->is_full || point->nr_members != aligner->nr_members)
			continue;
		if (point->begin <= options->from && point->begin > from)
			from = point->begin;
		if (point->begin >= options->until && point->begin < until)
			until = point->begin;
	}
	options->from = from;
	options->until = until;
}

void measure_slice_align(struct measure_trace *trace, struct measure_slice_options *options)
{
	const struct measure_definitions *definitions = &trace->definitions;
	struct aligner aligner = {.comm = MEASURE_NONE};
	uint64_t nr_read;

	find_comm(definitions, &aligner);
	for (uint32_t i = 0; i < definitions->nr_locations && aligner.comm != MEASURE_NONE; i++) {
		aligner.nr = 0;
		measure_stream_read(trace, i, align_take, &aligner, &nr_read);
	}
	align_window(&aligner, &definitions->clock, options);
	measure_free(aligner.points);
}
