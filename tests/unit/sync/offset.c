/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: offsets between clocks that are wrong in known ways come out within their own
 * bounds, for any number of clock domains. Ranks are threads, the transport runs over sockets,
 * and what offset.c wants of lib/api is answered here. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "adapter.h"
#include "../t_suite.h"

#define MAX_RANKS 12
#define NR_PHASES 2

/* A rank's clock shows offset + rate * real time. */
struct t_rank {
	struct measure_transport transport;
	uint64_t domain;
	int64_t offset;
	double rate;
	struct measure_clock_sample samples[NR_PHASES];
	int nr_samples;
	uint32_t nr_sent;
};

static const struct measure_adapter *adapter;
static struct t_rank ranks[MAX_RANKS];
static int sockets[MAX_RANKS][MAX_RANKS]; /* [self][other] */
static bool is_broken;
static __thread struct t_rank *self;

measure_status_t measure_adapter_register(const struct measure_adapter *registered)
{
	adapter = registered;
	return MEASURE_OK;
}

static uint64_t t_real_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t measure_clock_now(void)
{
	return (uint64_t)((double)t_real_time() * self->rate) + (uint64_t)self->offset;
}

double measure_clock_frequency(void)
{
	return 1e9;
}

uint64_t measure_clock_domain(void)
{
	return self->domain;
}

void measure_clock_sample_define(const struct measure_clock_sample *sample)
{
	self->samples[self->nr_samples++] = *sample;
}

/* ----------------------------------------------------------------- transport --- */

static measure_status_t t_send(void *context, const void *data, size_t bytes, uint32_t receiver)
{
	struct t_rank *rank = context;

	rank->nr_sent++;
	if (is_broken ||
		write(sockets[rank->transport.rank][receiver], data, bytes) != (ssize_t)bytes)
		return MEASURE_ERROR_IO;
	return MEASURE_OK;
}

static measure_status_t t_receive(void *context, void *data, size_t bytes, uint32_t sender)
{
	struct t_rank *rank = context;

	if (is_broken || recv(sockets[rank->transport.rank][sender], data, bytes, MSG_WAITALL) !=
				 (ssize_t)bytes)
		return MEASURE_ERROR_IO;
	return MEASURE_OK;
}

static measure_status_t t_broadcast(void *context, void *data, size_t bytes, uint32_t root)
{
	struct t_rank *rank = context;
	measure_status_t status = MEASURE_OK;

	if (rank->transport.rank != root)
		return t_receive(context, data, bytes, root);
	for (uint32_t i = 0; status == MEASURE_OK && i < rank->transport.size; i++)
		if (i != root)
			status = t_send(context, data, bytes, i);
	return status;
}

static measure_status_t t_gather(
	void *context, const void *data, size_t bytes, void *all, uint32_t root)
{
	struct t_rank *rank = context;
	measure_status_t status = MEASURE_OK;

	if (rank->transport.rank != root)
		return t_send(context, data, bytes, root);
	for (uint32_t i = 0; status == MEASURE_OK && i < rank->transport.size; i++) {
		char *place = (char *)all + i * bytes;

		if (i == root)
			for (size_t byte = 0; byte < bytes; byte++)
				place[byte] = ((const char *)data)[byte];
		else
			status = t_receive(context, place, bytes, i);
	}
	return status;
}

/* ----------------------------------------------------------------------- job --- */

static void *t_run(void *argument)
{
	self = argument;
	adapter->parallel_begin(&self->transport);
	adapter->parallel_end(&self->transport);
	return NULL;
}

/* Rank i is in domain i % nr_domains; clocks of one domain are the same. */
static void t_job(uint32_t size, uint32_t nr_domains)
{
	pthread_t threads[MAX_RANKS];

	for (uint32_t i = 0; i < size; i++) {
		const uint32_t domain = i % nr_domains;

		for (uint32_t j = 0; j < i; j++) {
			int pair[2];

			CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
			sockets[i][j] = pair[0];
			sockets[j][i] = pair[1];
		}
		ranks[i] = (struct t_rank){
			.transport = {i, size, &ranks[i], t_send, t_receive, t_broadcast, t_gather,
				NULL},
			.domain = 1000 - domain,
			.offset =
				1000000000000 + (int64_t)domain * 777777777 * (domain % 2 ? 1 : -1),
			.rate = 1 + 45e-6 * domain * (domain % 3 ? 1 : -0.5),
		};
	}
	for (uint32_t i = 0; i < size; i++)
		pthread_create(&threads[i], NULL, t_run, &ranks[i]);
	for (uint32_t i = 0; i < size; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < size; i++)
		for (uint32_t j = 0; j < size; j++)
			if (i != j)
				close(sockets[i][j]);
}

static double t_error(const struct t_rank *rank, const struct measure_clock_sample *sample)
{
	const double real = (double)(int64_t)(sample->ticks - (uint64_t)rank->offset) / rank->rate;
	const double reference = real * ranks[0].rate + (double)ranks[0].offset;

	return (double)sample->ticks + (double)sample->offset - reference;
}

static void t_check(uint32_t size, uint32_t nr_domains)
{
	t_job(size, nr_domains);
	for (uint32_t i = 0; i < size; i++) {
		CU_ASSERT_EQUAL(ranks[i].nr_samples, NR_PHASES);
		CU_ASSERT(ranks[i].samples[0].ticks < ranks[i].samples[1].ticks);
		for (int phase = 0; phase < NR_PHASES; phase++) {
			const struct measure_clock_sample *sample = &ranks[i].samples[phase];
			const double error = t_error(&ranks[i], sample);

			/* Doubles hold the times here to within 2 ticks. */
			CU_ASSERT(error <= (double)sample->bound + 2);
			CU_ASSERT(error >= -(double)sample->bound - 2);
			CU_ASSERT(sample->bound < 1000000000);
			CU_ASSERT_EQUAL(sample->bound == 0, i % nr_domains == 0);
		}
	}
}

static void test_domains(void)
{
	static const uint32_t nrs[] = {1, 2, 3, 5, 8};

	for (size_t i = 0; i < sizeof(nrs) / sizeof(*nrs); i++)
		t_check(nrs[i], nrs[i]);
}

static void test_shared_domains(void)
{
	t_check(4, 2);
	t_check(12, 5);
	t_check(7, 3);
}

/* One domain: nothing is sent but who is in which domain. */
static void test_one_domain(void)
{
	t_check(6, 1);
	CU_ASSERT_EQUAL(ranks[0].nr_sent, NR_PHASES * 5);
	for (uint32_t i = 1; i < 6; i++)
		CU_ASSERT_EQUAL(ranks[i].nr_sent, NR_PHASES);
}

static void test_broken_transport(void)
{
	is_broken = true;
	t_job(3, 3);
	is_broken = false;
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(ranks[i].nr_samples, 0);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"one domain per rank", test_domains},
		{"shared domains", test_shared_domains},
		{"one domain", test_one_domain},
		{"broken transport", test_broken_transport},
		CU_TEST_INFO_NULL,
	};

	return t_suite("offset", NULL, NULL, tests);
}
