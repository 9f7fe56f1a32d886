/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: offsets between clocks that are wrong in known ways come out within their own
 * bounds, for any number of clock domains, at both ends and at points in between, on which all
 * ranks agree. Ranks are processes, the transport runs over sockets, and what offset.c wants of
 * lib/api is answered here. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adapter.h"
#include "sync/online/offset_schedule.h"
#include "../t_suite.h"

#define MAX_RANKS   12
#define MAX_SAMPLES 50
#define NR_PHASES   2
#define NO_RANK     MAX_RANKS

struct measure_location {
	int nr_records;
};

/* One set of sockets for the phases and one for the points. */
enum { T_PHASES, T_POINTS, T_NR_CHANNELS };
struct t_channel {
	struct t_rank *rank;
	int number;
};

/* A rank's clock shows offset + rate * real time. */
struct t_rank {
	struct measure_transport transports[T_NR_CHANNELS];
	struct t_channel channels[T_NR_CHANNELS];
	uint64_t domain;
	int64_t offset;
	double rate;
	struct measure_clock_sample samples[MAX_SAMPLES];
	int nr_samples;
	uint32_t nr_sent;
	uint64_t agreed; /* over all that it was told at points */
	struct measure_location location;
};

/* Shared by all ranks. */
struct t_shared {
	pthread_barrier_t meeting;
	struct t_rank ranks[MAX_RANKS];
};

static const struct measure_adapter *adapter;
static struct t_shared *shared;
static struct t_rank *ranks;
static int sockets[T_NR_CHANNELS][MAX_RANKS][MAX_RANKS]; /* [self][other] */
static bool is_broken;
static int nr_meetings;
static uint32_t absent = NO_RANK; /* does not come to the points */
static const char *interval = "0";
static struct t_rank *self;
static uint64_t set_time; /* of the clock; 0: it goes */

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
	if (set_time)
		return set_time;
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
	if (self->nr_samples < MAX_SAMPLES)
		self->samples[self->nr_samples++] = *sample;
}

const char *measure_option_text(const char *name)
{
	return strcmp(name, "sync_interval") == 0 ? interval : NULL;
}

measure_region_t measure_region_define(const struct measure_region_info *info)
{
	return info->name ? 7 : MEASURE_UNDEFINED;
}

struct measure_location *measure_record_begin(void)
{
	return &self->location;
}

void measure_record_end(struct measure_location *location)
{
	location->nr_records++;
}

void measure_write_enter(struct measure_location *location, measure_region_t region)
{
	location->nr_records += region == 7 ? 0 : 1000;
}

void measure_write_leave(struct measure_location *location, measure_region_t region)
{
	measure_write_enter(location, region);
}

/* ----------------------------------------------------------------- transport --- */

static measure_status_t t_send(void *context, const void *data, size_t bytes, uint32_t receiver)
{
	const struct t_channel *channel = context;
	const uint32_t rank = channel->rank->transports[0].rank;

	channel->rank->nr_sent++;
	if (is_broken ||
		write(sockets[channel->number][rank][receiver], data, bytes) != (ssize_t)bytes)
		return MEASURE_ERROR_IO;
	return MEASURE_OK;
}

static measure_status_t t_receive(void *context, void *data, size_t bytes, uint32_t sender)
{
	const struct t_channel *channel = context;
	const uint32_t rank = channel->rank->transports[0].rank;

	if (is_broken || recv(sockets[channel->number][rank][sender], data, bytes, MSG_WAITALL) !=
				 (ssize_t)bytes)
		return MEASURE_ERROR_IO;
	return MEASURE_OK;
}

static measure_status_t t_broadcast(void *context, void *data, size_t bytes, uint32_t root)
{
	const struct t_channel *channel = context;
	const struct measure_transport *transport = &channel->rank->transports[0];
	measure_status_t status = MEASURE_OK;

	if (transport->rank != root)
		return t_receive(context, data, bytes, root);
	for (uint32_t i = 0; status == MEASURE_OK && i < transport->size; i++)
		if (i != root)
			status = t_send(context, data, bytes, i);
	return status;
}

static measure_status_t t_gather(
	void *context, const void *data, size_t bytes, void *all, uint32_t root)
{
	const struct t_channel *channel = context;
	const struct measure_transport *transport = &channel->rank->transports[0];
	measure_status_t status = MEASURE_OK;

	if (transport->rank != root)
		return t_send(context, data, bytes, root);
	for (uint32_t i = 0; status == MEASURE_OK && i < transport->size; i++) {
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

static void t_meet(struct measure_points *points)
{
	pthread_barrier_wait(&shared->meeting);
	if (points->left == 0 || --points->left > 0)
		return;
	if (self->transports[0].rank == absent)
		points->left = 1;
	else
		adapter->parallel_point(&self->transports[T_POINTS], points);
	self->agreed = self->agreed * 31 + points->left;
}

static void t_run(void)
{
	struct measure_points points = {.left = 1, .step = 1};

	adapter->parallel_begin(&self->transports[T_PHASES]);
	for (int i = 0; i < nr_meetings; i++)
		t_meet(&points);
	adapter->parallel_end(&self->transports[T_PHASES]);
}

/* Who waits for somebody who does not come to a point gives up. */
static void t_connect(int channel, uint32_t size)
{
	const struct timeval patience = {
		.tv_usec = channel == T_POINTS && absent != NO_RANK ? 300000 : 0};

	for (uint32_t i = 0; i < size; i++)
		for (uint32_t j = 0; j < i; j++) {
			int pair[2];

			CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
			for (int end = 0; end < 2; end++)
				setsockopt(pair[end], SOL_SOCKET, SO_RCVTIMEO, &patience,
					sizeof(patience));
			sockets[channel][i][j] = pair[0];
			sockets[channel][j][i] = pair[1];
		}
}

static void t_disconnect(int channel, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		for (uint32_t j = 0; j < size; j++)
			if (i != j)
				close(sockets[channel][i][j]);
}

static void t_fill(struct t_rank *rank, uint32_t number, uint32_t size, uint32_t domain)
{
	*rank = (struct t_rank){
		.domain = 1000 - domain,
		.offset = 1000000000000 + (int64_t)domain * 777777777 * (domain % 2 ? 1 : -1),
		.rate = 1 + 45e-6 * domain * (domain % 3 ? 1 : -0.5),
	};
	for (int i = 0; i < T_NR_CHANNELS; i++) {
		rank->channels[i] = (struct t_channel){rank, i};
		rank->transports[i] = (struct measure_transport){
			number, size, &rank->channels[i], t_send, t_receive, NULL, NULL, NULL, number};
	}
	rank->transports[T_PHASES].broadcast = t_broadcast;
	rank->transports[T_PHASES].gather = t_gather;
}

/* Rank i is in domain i % nr_domains; clocks of one domain are the same. */
static void t_job(uint32_t size, uint32_t nr_domains)
{
	pid_t processes[MAX_RANKS];
	pthread_barrierattr_t attributes;

	pthread_barrierattr_init(&attributes);
	pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->meeting, &attributes, size);
	for (int channel = 0; channel < T_NR_CHANNELS; channel++)
		t_connect(channel, size);
	for (uint32_t i = 0; i < size; i++)
		t_fill(&ranks[i], i, size, i % nr_domains);
	for (uint32_t i = 0; i < size; i++) {
		processes[i] = fork();
		if (processes[i] == 0) {
			self = &ranks[i];
			t_run();
			_exit(0);
		}
	}
	for (uint32_t i = 0; i < size; i++) {
		int status = 1;

		CU_ASSERT_EQUAL(waitpid(processes[i], &status, 0), processes[i]);
		CU_ASSERT_EQUAL(status, 0);
	}
	for (int channel = 0; channel < T_NR_CHANNELS; channel++)
		t_disconnect(channel, size);
	pthread_barrier_destroy(&shared->meeting);
}

static double t_error(const struct t_rank *rank, const struct measure_clock_sample *sample)
{
	const double real = (double)(int64_t)(sample->ticks - (uint64_t)rank->offset) / rank->rate;
	const double reference = real * ranks[0].rate + (double)ranks[0].offset;

	return (double)sample->ticks + (double)sample->offset - reference;
}

static void t_check_sample(
	const struct t_rank *rank, const struct measure_clock_sample *sample, bool is_reference)
{
	const double error = t_error(rank, sample);

	/* Doubles hold the times here to within 2 ticks. */
	CU_ASSERT(error <= (double)sample->bound + 2);
	CU_ASSERT(error >= -(double)sample->bound - 2);
	CU_ASSERT(sample->bound < 1000000000);
	CU_ASSERT_EQUAL(sample->bound == 0, is_reference);
}

static void t_check(uint32_t size, uint32_t nr_domains)
{
	t_job(size, nr_domains);
	for (uint32_t i = 0; i < size; i++) {
		CU_ASSERT(ranks[i].nr_samples >= NR_PHASES);
		for (int k = 0; k < ranks[i].nr_samples; k++) {
			t_check_sample(&ranks[i], &ranks[i].samples[k], i % nr_domains == 0);
			if (k > 0)
				CU_ASSERT(
					ranks[i].samples[k].ticks > ranks[i].samples[k - 1].ticks);
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
	CU_ASSERT_EQUAL(ranks[0].nr_sent, 5);
	for (uint32_t i = 1; i < 6; i++)
		CU_ASSERT_EQUAL(ranks[i].nr_sent, 1);
}

static void test_broken_transport(void)
{
	is_broken = true;
	t_job(3, 3);
	is_broken = false;
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(ranks[i].nr_samples, 0);
}

/* Points at which the job measures, in the shortest time possible. */
static void t_check_points(uint32_t size, uint32_t nr_domains)
{
	interval = "0.000001";
	nr_meetings = 30;
	t_check(size, nr_domains);
	interval = "0";
	nr_meetings = 0;
}

static void test_points(void)
{
	static const uint32_t nrs[] = {2, 3, 5, 8};

	for (size_t i = 0; i < sizeof(nrs) / sizeof(*nrs); i++) {
		t_check_points(nrs[i], nrs[i]);
		for (uint32_t k = 0; k < nrs[i]; k++) {
			CU_ASSERT(ranks[k].nr_samples > NR_PHASES);
			CU_ASSERT_EQUAL(ranks[k].nr_samples, ranks[0].nr_samples);
			CU_ASSERT_EQUAL(ranks[k].agreed, ranks[0].agreed);
			CU_ASSERT(ranks[k].location.nr_records >=
				  2 * (ranks[k].nr_samples - NR_PHASES));
			CU_ASSERT(ranks[k].location.nr_records <= 2 * 30);
		}
	}
}

static void test_points_of_shared_domains(void)
{
	t_check_points(7, 3);
	for (uint32_t k = 0; k < 7; k++) {
		CU_ASSERT(ranks[k].nr_samples > NR_PHASES);
		CU_ASSERT_EQUAL(ranks[k].nr_samples, ranks[0].nr_samples);
	}
}

/* Nothing to measure, or not wanted. */
static void test_no_points(void)
{
	t_check_points(4, 1);
	for (uint32_t k = 0; k < 4; k++)
		CU_ASSERT_EQUAL(ranks[k].nr_samples, NR_PHASES);
	nr_meetings = 30;
	t_check(4, 4);
	nr_meetings = 0;
	for (uint32_t k = 0; k < 4; k++)
		CU_ASSERT_EQUAL(ranks[k].nr_samples, NR_PHASES);
}

/* One that does not come, wherever it is in the trees: the others give up, and there is no point
 * any more; at the end all are there. */
static void test_absent(void)
{
	for (absent = 0; absent < 5; absent++) {
		t_check_points(5, 5);
		CU_ASSERT_EQUAL(ranks[absent].nr_samples, NR_PHASES);
		for (uint32_t k = 0; k < 5; k++)
			CU_ASSERT(ranks[k].location.nr_records <= 2 * 30);
	}
	absent = NO_RANK;
}

#define SECOND UINT64_C(1000000000)

static void test_due(void)
{
	struct measure_schedule schedule;

	set_time = 5 * SECOND;
	measure_schedule_start(&schedule, 10);
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 5 * SECOND));
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 4 * SECOND));
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 15 * SECOND - 1));
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 15 * SECOND));
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 15 * SECOND));
	measure_schedule_note(&schedule, SECOND / 2);
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 35 * SECOND - 1));
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 35 * SECOND));
	measure_schedule_note(&schedule, SECOND);
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 75 * SECOND - 1));
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 75 * SECOND));
	measure_schedule_note(&schedule, SECOND);
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 155 * SECOND - 1));
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 155 * SECOND));
	measure_schedule_note(&schedule, SECOND / 1000);
	measure_schedule_note(&schedule, SECOND);
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 165 * SECOND));
	/* Of ten seconds 20 ms are too much, of two seconds 10 ms are not. */
	set_time = 5 * SECOND;
	measure_schedule_start(&schedule, 10);
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 15 * SECOND));
	measure_schedule_note(&schedule, SECOND / 50);
	CU_ASSERT_FALSE(measure_schedule_is_due(&schedule, 35 * SECOND - 1));
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 35 * SECOND));
	measure_schedule_start(&schedule, 2);
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 7 * SECOND));
	measure_schedule_note(&schedule, SECOND / 100);
	CU_ASSERT_TRUE(measure_schedule_is_due(&schedule, 9 * SECOND));
	set_time = 0;
}

/* A program with a point every `ticks`: how many points later rank 0 speaks, in the end. */
static uint32_t t_settle(
	const struct measure_schedule *schedule, struct measure_points *points, uint64_t ticks)
{
	uint64_t now = points->ticks;

	for (int i = 0; i < 20; i++) {
		uint32_t next;

		now += points->step * ticks;
		next = measure_schedule_next(schedule, points, now);
		CU_ASSERT(next >= 1);
		CU_ASSERT(next <= 2 * points->step);
		points->step = next;
	}
	return points->step;
}

static void test_next(void)
{
	struct measure_points points = {.step = 1, .ticks = 5 * SECOND};
	struct measure_schedule schedule;

	set_time = 5 * SECOND;
	measure_schedule_start(&schedule, 10);
	CU_ASSERT_EQUAL(t_settle(&schedule, &points, SECOND), 1);
	CU_ASSERT_EQUAL(t_settle(&schedule, &points, SECOND / 1000), 500);
	CU_ASSERT_EQUAL(t_settle(&schedule, &points, 1000), 8192);
	CU_ASSERT_EQUAL(t_settle(&schedule, &points, 0), 8192);
	CU_ASSERT_EQUAL(t_settle(&schedule, &points, 20 * SECOND), 1);
	measure_schedule_start(&schedule, 1);
	CU_ASSERT_EQUAL(t_settle(&schedule, &points, SECOND / 1000), 100);
	measure_schedule_start(&schedule, 0.04);
	CU_ASSERT_EQUAL(t_settle(&schedule, &points, SECOND / 1000), 10);
	set_time = 0;
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"one domain per rank", test_domains},
		{"shared domains", test_shared_domains},
		{"one domain", test_one_domain},
		{"broken transport", test_broken_transport},
		{"points", test_points},
		{"points of shared domains", test_points_of_shared_domains},
		{"no points", test_no_points},
		{"absent from points", test_absent},
		{"when it is time", test_due},
		{"when to speak next", test_next},
		CU_TEST_INFO_NULL,
	};

	shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	ranks = shared->ranks;
	return t_suite("offset", NULL, NULL, tests);
}
