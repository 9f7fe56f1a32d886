/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The events of a rank: steps that send to the next rank and receive from the one before, every
 * fourth one with an MPI_Allreduce, on the communicators in turn. */
#include "config.h"

#include "make_parts.h"

#include <otf2/OTF2_Events.h>
#include <stdlib.h>
#include <string.h>

#include "format/event_chunk.h"
#include "format/event_encode.h"

#define BEGIN_TIME          UINT64_C(1000000)
#define EVENTS_OF_STEP      10
#define STEPS_OF_COLLECTIVE 4 /* one of so many has a collective */

struct rank_writer {
	const struct job *job;
	struct event_file *file;
	struct measure_otf2_writer out;
	size_t chunk; /* where it begins in the file */
	uint32_t rank;
};

static void writer_begin_chunk(struct rank_writer *writer)
{
	struct event_file *file = writer->file;
	const size_t needed = writer->chunk + writer->job->chunk_size;

	if (needed > file->capacity) {
		file->bytes = realloc(file->bytes, needed);
		if (!file->bytes)
			fail("out of memory", "");
		file->capacity = needed;
	}
	memset(file->bytes + writer->chunk, 0, writer->job->chunk_size);
	writer->out = (struct measure_otf2_writer){
		.position = file->bytes + writer->chunk +
			    measure_chunk_begin(file->bytes + writer->chunk, file->nr_events + 1),
		.limit = file->bytes + needed - MEASURE_RECORD_ROOM,
		.time = UINT64_MAX};
}

static size_t writer_seal(struct rank_writer *writer, bool is_last)
{
	uint8_t *chunk = writer->file->bytes + writer->chunk;

	return measure_chunk_seal(chunk, writer->job->chunk_size,
		(size_t)(writer->out.position - chunk), writer->file->nr_events, is_last);
}

/* Where the next record goes, behind its time. */
static uint8_t *writer_place(struct rank_writer *writer, uint64_t time)
{
	if (writer->out.position > writer->out.limit) {
		writer_seal(writer, false);
		writer->chunk += writer->job->chunk_size;
		writer_begin_chunk(writer);
	}
	writer->file->nr_events++;
	writer->file->last_time = job_clock(writer->job, writer->rank, time);
	return measure_put_time(&writer->out, writer->file->last_time);
}

#define WRITE(writer, time, name, ...)                                                             \
	((writer)->out.position = measure_put_##name(writer_place(writer, time), ##__VA_ARGS__))

static void write_call(struct rank_writer *writer, uint64_t time, uint64_t length, uint32_t region)
{
	WRITE(writer, time, enter, region);
	WRITE(writer, time + length, leave, region);
}

static void write_exchange(struct rank_writer *writer, uint64_t time)
{
	const uint32_t nr = writer->job->nr_ranks, rank = writer->rank;

	WRITE(writer, time, enter, REGION_SEND);
	WRITE(writer, time + 10, mpi_send, (rank + 1) % nr, 0, 7, 1024);
	WRITE(writer, time + 2000, leave, REGION_SEND);
	WRITE(writer, time + 3000, enter, REGION_RECV);
	WRITE(writer, time + 9000 + rank % 97, mpi_recv, (rank + nr - 1) % nr, 0, 7, 1024);
	WRITE(writer, time + 9100, leave, REGION_RECV);
}

/* On the world and on those that the rank is in, in turn: all members take the same turns. */
static uint32_t choose_comm(const struct job *job, uint32_t step)
{
	const bool is_in_one = job->shape == SHAPE_BLOCKS || job->shape == SHAPE_CYCLIC;
	const uint32_t nr = is_in_one ? job->nr_comms > 0 : job->nr_comms;
	const uint32_t turn = step / STEPS_OF_COLLECTIVE % (nr + 1);

	return turn == 0 ? 0 : FIRST_COMM + turn - 1;
}

static void write_allreduce(struct rank_writer *writer, uint64_t time, uint32_t step)
{
	const uint32_t comm = choose_comm(writer->job, step);

	WRITE(writer, time, enter, REGION_ALLREDUCE);
	WRITE(writer, time, mpi_collective_begin);
	WRITE(writer, time + 20000, mpi_collective_end, OTF2_COLLECTIVE_OP_ALLREDUCE, comm,
		OTF2_UNDEFINED_UINT32, 8, 8);
	WRITE(writer, time + 20000, leave, REGION_ALLREDUCE);
}

static void write_step(struct rank_writer *writer, uint64_t time, uint32_t step)
{
	const uint32_t function = NR_REGIONS + step % (writer->job->nr_functions + 1);

	WRITE(writer, time, enter, REGION_STEP);
	if (function < NR_REGIONS + writer->job->nr_functions)
		write_call(writer, time + 100, 5000 + writer->rank % 1009, function);
	write_exchange(writer, time + 10000);
	if (step % STEPS_OF_COLLECTIVE == 0)
		write_allreduce(writer, time + 40000, step);
	WRITE(writer, time + 90000, leave, REGION_STEP);
}

void make_events(const struct job *job, uint32_t rank, bool is_open, struct event_file *file)
{
	struct rank_writer writer = {.job = job, .file = file, .rank = rank};
	const uint32_t nr_steps = job->nr_events / EVENTS_OF_STEP;
	uint64_t time = BEGIN_TIME;

	file->nr_events = 0;
	writer_begin_chunk(&writer);
	WRITE(&writer, time, program_begin, 0, 0, NULL);
	WRITE(&writer, time + 10, enter, REGION_MAIN);
	write_call(&writer, time + 20, 900, REGION_INIT);
	for (uint32_t i = 0; i < nr_steps; i++)
		write_step(&writer, time + 1000 + (uint64_t)i * STEP_TICKS, i);
	time += 2000 + (uint64_t)nr_steps * STEP_TICKS;
	if (is_open) {
		file->size = (size_t)(writer.out.position - file->bytes);
		return;
	}
	write_call(&writer, time, 100, REGION_FINALIZE);
	WRITE(&writer, time + 200, leave, REGION_MAIN);
	WRITE(&writer, time + 300, program_end, 0);
	file->size = writer.chunk + writer_seal(&writer, true);
}
