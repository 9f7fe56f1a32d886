/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes that correct one archive together, and the door to the library that lets them
 * talk. There is always a job: that of one process needs no library. All functions but
 * measure_sync_job_open are to be called by the thread that opened the job. Whatever fails in
 * between ends the whole job: a correction without one of its processes is worth nothing. */
#ifndef MEASURE_SYNC_PARALLEL_SYNC_RANKS_H
#define MEASURE_SYNC_PARALLEL_SYNC_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum measure_sync_job_combination {
	MEASURE_SYNC_JOB_SUM,
	MEASURE_SYNC_JOB_LEAST,
	MEASURE_SYNC_JOB_MOST
};

/* What goes to one rank or comes from there. NULL with size 0. */
struct measure_sync_job_part {
	void *data;
	size_t size;
};

/* What a library has to do. Collective functions are called by all ranks in one order. */
struct measure_sync_job_ops {
	size_t size; /* of this table: another one is of another version */
	const char *library;

	/* Collective. False: the library does not work here. */
	bool (*start)(uint32_t *rank, uint32_t *size);
	void (*finish)(void);

	/* Collective: each value becomes that of all ranks, put together. */
	void (*combine)(uint64_t *values, size_t nr, enum measure_sync_job_combination how);
	void (*broadcast)(void *data, size_t size, uint32_t root);
	/* Collective: out[r] goes to rank r, in[r] comes from there, in memory that has been
	 * allocated so; nothing to oneself. */
	void (*swap)(const struct measure_sync_job_part *out, struct measure_sync_job_part *in,
		void *(*allocate)(size_t nr, size_t size));

	/* A message to one rank; its memory, which malloc has made, belongs to the library from
	 * here on. */
	void (*post)(uint32_t to, const struct measure_sync_job_part *message);
	/* True: one has come, in memory of malloc. */
	bool (*poll)(struct measure_sync_job_part *message);
	/* A sum over all ranks that nobody waits for: begun, then asked for until it is there. One
	 * at a time. */
	void (*begin_sum)(uint64_t *values, size_t nr);
	bool (*test_sum)(void);
};

/* What a module exports. */
#define MEASURE_SYNC_JOB_SYMBOL "measure_sync_job_ops"
extern const struct measure_sync_job_ops measure_sync_job_ops;

struct measure_sync_job {
	uint32_t rank, size;
	const struct measure_sync_job_ops *ops;
};

extern const struct measure_sync_job measure_sync_job_of_one;

/* Opens a module and starts it. NULL: done; else why not, in words that follow a file name. */
const char *measure_sync_job_open(struct measure_sync_job *job, const char *module);
void measure_sync_job_close(struct measure_sync_job *job);

/* Collective: swaps; measure_free() what comes in. */
void measure_sync_job_swap(const struct measure_sync_job *job,
	const struct measure_sync_job_part *out, struct measure_sync_job_part *in);

/* Collective; one value. */
uint64_t measure_sync_job_sum(const struct measure_sync_job *job, uint64_t value);
uint64_t measure_sync_job_least(const struct measure_sync_job *job, uint64_t value);

/* Collective: the text of the first rank, for all; measure_free() it. NULL: it has none. */
char *measure_sync_job_share_text(const struct measure_sync_job *job, const char *text);

#endif
