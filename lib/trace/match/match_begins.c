/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Begins of collectives on communicators and of those on windows: which end ends which of them. A
 * collective runs inside another one where that calls the program back, as MPI_Comm_free does for
 * attributes. A call that MPI refuses has a begin and returns without an end. */
#include "config.h"

#include "match_internal.h"

static enum measure_check pair_check(const struct collectives *collectives)
{
	return collectives->is_rma ? MEASURE_CHECK_RMA_PAIR : MEASURE_CHECK_COLLECTIVE_PAIR;
}

static enum measure_check left_check(const struct collectives *collectives)
{
	return collectives->is_rma ? MEASURE_CHECK_RMA_LEFT : MEASURE_CHECK_COLLECTIVE_LEFT;
}

static const char *kind_of(const struct collectives *collectives)
{
	return collectives->is_rma ? "Rma" : "Mpi";
}

void begins_begin_location(struct collectives *collectives)
{
	collectives->begins.nr = 0;
	collectives->begins.nr_left = 0;
}

void begins_free(struct begins *begins)
{
	measure_free(begins->items);
}

void begins_add(struct measure_match *match, struct collectives *collectives,
	const struct measure_event *event)
{
	struct begins *begins = &collectives->begins;

	if (begins->nr > 0 && begins->items[begins->nr - 1].depth >= match->calls.depth)
		measure_report(match->findings, pair_check(collectives),
			place_of(&begins->items[--begins->nr].point),
			"%sCollectiveBegin without %sCollectiveEnd", kind_of(collectives),
			kind_of(collectives));
	*measure_append_item(begins) = (struct begin){point_of(match, event), match->calls.depth};
}

bool begins_take(struct measure_match *match, struct collectives *collectives,
	const struct measure_point *end, struct measure_point *begin)
{
	struct begins *begins = &collectives->begins;

	if (begins->nr == 0) {
		measure_report(match->findings, pair_check(collectives), place_of(end),
			"%sCollectiveEnd without %sCollectiveBegin", kind_of(collectives),
			kind_of(collectives));
		return false;
	}
	*begin = begins->items[--begins->nr].point;
	return true;
}

void begins_leave(struct measure_match *match, struct collectives *collectives, bool is_refused)
{
	struct begins *begins = &collectives->begins;

	for (; begins->nr > 0 && begins->items[begins->nr - 1].depth > match->calls.depth; begins->nr--) {
		match->processes[match->process].has_refused_collective = true;
		if (!is_refused && begins->nr_left++ == 0)
			begins->left = begins->items[begins->nr - 1].point;
	}
}

void begins_end_location(struct measure_match *match, const struct collectives *collectives)
{
	const struct begins *begins = &collectives->begins;
	const bool is_cut = measure_match_is_cut(match, match->process);

	for (size_t i = 0; i < begins->nr; i++)
		measure_report_excused(match->findings, pair_check(collectives), is_cut,
			place_of(&begins->items[i].point),
			"%sCollectiveBegin without %sCollectiveEnd", kind_of(collectives),
			kind_of(collectives));
	if (begins->nr_left > 0)
		measure_report_excused(match->findings, left_check(collectives), is_cut,
			place_of(&begins->left),
			"%u calls were left without %sCollectiveEnd, this one first",
			begins->nr_left, kind_of(collectives));
}
