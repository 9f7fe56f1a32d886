/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values on their way between the ranks of a job: gathered into large messages, sent when one is
 * full or when there is nothing else to do, and the question whether all has arrived. */
#ifndef MEASURE_SYNC_PARALLEL_EXCHANGE_H
#define MEASURE_SYNC_PARALLEL_EXCHANGE_H

#include <pthread.h>

#include "sync_ranks.h"

struct measure_exchange_value {
	uint64_t name; /* what sender and receiver call it */
	int64_t value;
};

typedef void (*measure_exchange_fn)(void *data, const struct measure_exchange_value *value);

struct measure_exchange {
	const struct measure_sync_job *job;
	pthread_mutex_t lock;
	/* by rank, under the lock: being filled */
	struct measure_exchange_buffer {
		struct measure_exchange_value *values;
		size_t nr;
	} * open;
	/* those that are full, under the lock */
	struct measure_exchange_full {
		struct measure_exchange_buffer buffer;
		uint32_t to;
	} * full;
	size_t nr_full, room_full;
	uint64_t nr_sent, nr_received; /* values */
	uint64_t nr_messages;          /* sent */
	/* the wave that asks who is through, and what the one before it said */
	bool is_asking;
	uint64_t sums[2], last_received;
};

void measure_exchange_start(struct measure_exchange *exchange, const struct measure_sync_job *job);
void measure_exchange_end(struct measure_exchange *exchange);

/* Any thread. `to` must be another rank. */
void measure_exchange_put(
	struct measure_exchange *exchange, uint32_t to, const struct measure_exchange_value *value);

/* The job's thread: sends what is full, or all where `is_idle`, and hands over what has come. True:
 * something has. */
bool measure_exchange_turn(
	struct measure_exchange *exchange, bool is_idle, measure_exchange_fn deliver, void *data);

/* The job's thread, with nothing left to do and after a turn as idle that gave nothing: true once
 * this holds on all ranks and nothing is on its way, on all of them in the same wave. False: ask
 * again after the next turn. */
bool measure_exchange_is_over(struct measure_exchange *exchange);

#endif
