/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether all has arrived is asked in waves: each adds up what was sent and what was received, by
 * ranks that have nothing to do at that moment. Nothing was on its way during a wave when as much
 * was sent until it as had been received before it. */
#include "config.h"

#include "exchange.h"

#include <stdlib.h>

#include "trace/common/containers.h"

/* 32 KiB: from here on networks give their full rate, and it still fits caches. */
#define VALUES_PER_MESSAGE (32768 / sizeof(struct measure_exchange_value))

void measure_exchange_start(struct measure_exchange *exchange, const struct measure_sync_job *job)
{
	*exchange = (struct measure_exchange){.job = job,
		.open = measure_zeroed(job->size, sizeof(*exchange->open)),
		.last_received = UINT64_MAX};
	pthread_mutex_init(&exchange->lock, NULL);
}

void measure_exchange_end(struct measure_exchange *exchange)
{
	pthread_mutex_destroy(&exchange->lock);
	measure_free(exchange->open);
	measure_free(exchange->full);
}

/* Under the lock. */
static void close_buffer(struct measure_exchange *exchange, uint32_t to)
{
	struct measure_exchange_buffer *open = &exchange->open[to];

	*measure_append(exchange, full) = (struct measure_exchange_full){*open, to};
	*open = (struct measure_exchange_buffer){NULL, 0};
}

/* The library frees it: not of the store. */
static struct measure_exchange_value *new_buffer(void)
{
	struct measure_exchange_value *values = malloc(VALUES_PER_MESSAGE * sizeof(*values));

	if (!values)
		measure_out_of_memory();
	return values;
}

void measure_exchange_put(
	struct measure_exchange *exchange, uint32_t to, const struct measure_exchange_value *value)
{
	struct measure_exchange_buffer *open = &exchange->open[to];

	pthread_mutex_lock(&exchange->lock);
	if (!open->values)
		open->values = new_buffer();
	open->values[open->nr++] = *value;
	if (open->nr == VALUES_PER_MESSAGE)
		close_buffer(exchange, to);
	pthread_mutex_unlock(&exchange->lock);
}

static void post(struct measure_exchange *exchange, bool is_idle)
{
	pthread_mutex_lock(&exchange->lock);
	for (uint32_t r = 0; is_idle && r < exchange->job->size; r++)
		if (exchange->open[r].nr)
			close_buffer(exchange, r);
	for (size_t i = 0; i < exchange->nr_full; i++) {
		const struct measure_exchange_buffer *buffer = &exchange->full[i].buffer;

		exchange->nr_sent += buffer->nr;
		exchange->nr_messages++;
		exchange->job->ops->post(
			exchange->full[i].to, &(struct measure_sync_job_part){buffer->values,
						      buffer->nr * sizeof(*buffer->values)});
	}
	exchange->nr_full = 0;
	pthread_mutex_unlock(&exchange->lock);
}

bool measure_exchange_turn(
	struct measure_exchange *exchange, bool is_idle, measure_exchange_fn deliver, void *data)
{
	struct measure_sync_job_part message;
	bool has_come = false;

	post(exchange, is_idle);
	while (exchange->job->ops->poll(&message)) {
		const struct measure_exchange_value *values = message.data;
		size_t nr = message.size / sizeof(*values);

		for (size_t i = 0; i < nr; i++)
			deliver(data, &values[i]);
		exchange->nr_received += nr;
		has_come |= nr > 0;
		measure_free(message.data);
	}
	return has_come;
}

bool measure_exchange_is_over(struct measure_exchange *exchange)
{
	uint64_t received;

	if (!exchange->is_asking) {
		exchange->sums[0] = exchange->nr_sent;
		exchange->sums[1] = exchange->nr_received;
		exchange->job->ops->begin_sum(exchange->sums, 2);
		exchange->is_asking = true;
	}
	if (!exchange->job->ops->test_sum())
		return false;
	exchange->is_asking = false;
	received = exchange->last_received;
	exchange->last_received = exchange->sums[1];
	if (exchange->sums[0] != received && exchange->job->size > 1)
		return false;
	exchange->last_received = UINT64_MAX;
	return true;
}
