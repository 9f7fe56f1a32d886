/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What processes do with a file together: the k-th time they open it, the k-th collective operation
 * on it, the k-th time they close it. MPI does not say that they wait for each other there: it is
 * no relation, and is handed out on request only. */
#include "config.h"

#include "match_internal.h"

#include "base/array.h"

size_t files_add(struct measure_match *match, enum file_step_kind kind, uint32_t handle,
	uint64_t ordinal, const struct measure_point *begin)
{
	struct files *files = &match->files;

	if (!match->deliver_files || match->definitions->io_handles[handle].comm == MEASURE_NONE)
		return SIZE_MAX;
	*measure_append_item(files) = (struct file_step){.handle = handle,
		.process = match->process,
		.kind = kind,
		.ordinal = ordinal,
		.begin = mark_of(match, begin),
		.end = MEASURE_NONE};
	return files->nr - 1;
}

void files_end(struct measure_match *match, size_t step, const struct measure_point *end)
{
	if (step != SIZE_MAX)
		match->files.items[step].end = mark_of(match, end);
}

static int compare_steps(const struct file_step *a, const struct file_step *b)
{
	if (a->handle != b->handle)
		return a->handle < b->handle ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

static int compare_members(const void *left, const void *right)
{
	const struct file_step *a = left, *b = right;
	const int order = compare_steps(a, b);

	return order ? order : (a->process > b->process) - (a->process < b->process);
}

static void hand_out_members(
	struct measure_match *match, const struct file_step *members, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct measure_point begin = point_of_mark(match, members[i].begin, 0);

		instance_add_send(match, &begin);
		if (members[i].end == MEASURE_NONE)
			continue;
		const struct measure_point end = point_of_mark(match, members[i].end, 0);

		instance_add_receive(match, &end);
	}
	instance_hand_out_to(match, match->deliver_files, MEASURE_RELATION_NONE,
		match->definitions->io_handles[members->handle].comm, members->ordinal);
}

void files_finish(struct measure_match *match)
{
	struct files *files = &match->files;
	size_t end;

	if (files->nr > 0)
		measure_sort(files->items, files->nr, compare_members);
	for (size_t i = 0; i < files->nr; i = end) {
		for (end = i + 1; end < files->nr; end++)
			if (compare_steps(&files->items[end], &files->items[i]) != 0)
				break;
		if (end - i > 1)
			hand_out_members(match, files->items + i, end - i);
	}
}

void files_join(struct files *files, const struct files *others, uint32_t base)
{
	for (size_t i = 0; i < others->nr; i++) {
		struct file_step step = others->items[i];

		step.begin += base;
		step.end += step.end == MEASURE_NONE ? 0 : base;
		*measure_append_item(files) = step;
	}
}
