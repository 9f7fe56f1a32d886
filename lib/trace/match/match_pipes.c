/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pipes: the n-th byte read is the n-th byte written, so a read waits for the write of its first
 * byte. Handles of the same pipe have the same name on a node. Where not as many bytes are read as
 * are written, somebody else has an end of the pipe, or records are missing: nothing is told of it
 * then. Bytes of several writers or readers at a time are taken to come as their calls end. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define PIPE_NAME "pipe:["

/* What Linux calls a pipe: "pipe:[NUMBER]". False: it is something else. */
static bool number_of_pipe(const struct measure_match *match, uint32_t handle, uint64_t *number)
{
	const struct measure_io_handle *definition = &match->definitions->io_handles[handle];
	const char *name;

	if (definition->file != MEASURE_NONE)
		return false;
	name = measure_text(match->definitions, definition->name);
	if (strncmp(name, PIPE_NAME, strlen(PIPE_NAME)) != 0)
		return false;
	*number = strtoull(name + strlen(PIPE_NAME), NULL, 10);
	return true;
}

void pipes_add(struct measure_match *match, const struct io_operation *operation, uint64_t bytes,
	const struct measure_point *end)
{
	const uint32_t host = match->definitions->location_groups[match->process].host;
	uint64_t number;

	if (!match->selection.is_on[MEASURE_RELATION_PIPE] || operation->is_nonblocking ||
		bytes == 0 || bytes == OTF2_UNDEFINED_UINT64 ||
		(operation->mode != OTF2_IO_OPERATION_MODE_READ &&
			operation->mode != OTF2_IO_OPERATION_MODE_WRITE) ||
		!number_of_pipe(match, operation->handle, &number))
		return;
	*measure_append_item(&match->pipes) = (struct pipe_step){.number = number,
		.host = host,
		.is_read = operation->mode == OTF2_IO_OPERATION_MODE_READ,
		.bytes = bytes,
		.begin = mark_of(match, &operation->begin),
		.end = mark_of(match, end)};
}

/* With its end, by which it is sorted. */
struct ended_step {
	const struct pipe_step *step;
	struct measure_point end;
};

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_pipes(const struct pipe_step *a, const struct pipe_step *b)
{
	return a->host != b->host ? COMPARE(a->host, b->host) : COMPARE(a->number, b->number);
}

/* Of a pipe, writes before reads. */
static int compare_ends(const void *left, const void *right)
{
	const struct ended_step *a = left, *b = right;
	int order = compare_pipes(a->step, b->step);

	if (order == 0)
		order = COMPARE(a->step->is_read, b->step->is_read);
	if (order == 0)
		order = COMPARE(a->end.time, b->end.time);
	if (order == 0)
		order = COMPARE(a->end.location, b->end.location);
	return order ? order : COMPARE(a->end.position, b->end.position);
}

static uint64_t bytes_of(const struct ended_step *steps, size_t nr)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < nr; i++)
		bytes += steps[i].step->bytes;
	return bytes;
}

static void hand_out_reads(struct measure_match *match, const struct ended_step *writes,
	const struct ended_step *reads, size_t nr_reads)
{
	uint64_t offset = 0, written = writes->step->bytes;

	for (size_t i = 0; i < nr_reads; i++) {
		for (; written <= offset; writes++)
			written += writes[1].step->bytes;
		const struct measure_point begin = point_of_mark(match, writes->step->begin, 0);

		instance_add_send(match, &begin);
		instance_add_receive(match, &reads[i].end);
		instance_hand_out(match, MEASURE_RELATION_PIPE, MEASURE_NONE, 0, offset);
		offset += reads[i].step->bytes;
	}
}

static void hand_out_pipe(struct measure_match *match, const struct ended_step *steps, size_t nr)
{
	size_t nr_writes = 0;

	while (nr_writes < nr && !steps[nr_writes].step->is_read)
		nr_writes++;
	if (bytes_of(steps, nr_writes) == bytes_of(steps + nr_writes, nr - nr_writes))
		hand_out_reads(match, steps, steps + nr_writes, nr - nr_writes);
}

void pipes_finish(struct measure_match *match)
{
	const struct pipes *pipes = &match->pipes;
	struct ended_step *steps = measure_zeroed(pipes->nr, sizeof(*steps));
	size_t end;

	for (size_t i = 0; i < pipes->nr; i++)
		steps[i] = (struct ended_step){
			&pipes->items[i], point_of_mark(match, pipes->items[i].end, 0)};
	if (pipes->nr > 1)
		qsort(steps, pipes->nr, sizeof(*steps), compare_ends);
	for (size_t i = 0; i < pipes->nr; i = end) {
		for (end = i + 1; end < pipes->nr; end++)
			if (compare_pipes(steps[end].step, steps[i].step) != 0)
				break;
		hand_out_pipe(match, steps + i, end - i);
	}
	measure_free(steps);
}

void pipes_join(struct pipes *pipes, const struct pipes *others, uint32_t base)
{
	for (size_t i = 0; i < others->nr; i++) {
		struct pipe_step step = others->items[i];

		step.begin += base;
		step.end += base;
		*measure_append_item(pipes) = step;
	}
}
