/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads that hand work to each other, annotated with NVTX, as many programs are, and nothing
 * of Measure. NVTX needs neither a GPU nor a library, only its header:
 *
 *	cc -O2 ranges.c -o ranges -lpthread
 *	measure -o run ./ranges
 *	measure-profile run
 *
 * Prints how often it has begun which range. */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NR_BLOCKS = 50, BLOCK = 10000, READ = 1, WRITE = 2 };

static nvtxDomainHandle_t files; /* a library of the program has a domain of its own */

static struct {
	double values[BLOCK];
	nvtxRangeId_t in_flight; /* begun by one thread, ended by the other */
	int is_full;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
} block = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* A range with a category, and the number of bytes as its value. */
static void push_transfer(const char *name, uint32_t category)
{
	nvtxEventAttributes_t event;

	memset(&event, 0, sizeof(event));
	event.version = NVTX_VERSION;
	event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	event.category = category;
	event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	event.payload.ullValue = sizeof(block.values);
	event.messageType = NVTX_MESSAGE_TYPE_ASCII;
	event.message.ascii = name;
	nvtxDomainRangePushEx(files, &event);
}

static void wait_until(int is_full)
{
	nvtxRangePushA("wait");
	pthread_mutex_lock(&block.mutex);
	while (block.is_full != is_full)
		pthread_cond_wait(&block.changed, &block.mutex);
	pthread_mutex_unlock(&block.mutex);
	nvtxRangePop();
}

static void hand_over(int is_full)
{
	pthread_mutex_lock(&block.mutex);
	block.is_full = is_full;
	pthread_cond_signal(&block.changed);
	pthread_mutex_unlock(&block.mutex);
}

static void *produce(void *unused)
{
	for (int i = 0; i < NR_BLOCKS; i++) {
		wait_until(0);
		push_transfer("read", READ);
		for (int k = 0; k < BLOCK; k++)
			block.values[k] = i + k;
		nvtxDomainRangePop(files);
		block.in_flight = nvtxRangeStartA("block");
		hand_over(1);
	}
	return unused;
}

static double consume(void)
{
	double sum = 0;

	for (int i = 0; i < NR_BLOCKS; i++) {
		wait_until(1);
		nvtxRangeEnd(block.in_flight);
		nvtxRangePushA("compute");
		for (int k = 0; k < BLOCK; k++)
			sum += block.values[k];
		push_transfer("write", WRITE);
		nvtxDomainRangePop(files);
		nvtxRangePop();
		hand_over(0);
	}
	nvtxMarkA("all blocks done");
	return sum;
}

int main(void)
{
	pthread_t producer;
	double sum;

	files = nvtxDomainCreateA("files");
	nvtxDomainNameCategoryA(files, READ, "input");
	nvtxDomainNameCategoryA(files, WRITE, "output");
	if (pthread_create(&producer, NULL, produce, NULL) != 0)
		return 1;
	sum = consume();
	pthread_join(producer, NULL);
	printf("region wait %d\nregion compute %d\nregion files:read %d\nregion files:write %d\n",
		2 * NR_BLOCKS, NR_BLOCKS, NR_BLOCKS, NR_BLOCKS);
	printf("event parameter_string %d\nevent parameter_uint64 %d\n", NR_BLOCKS, 2 * NR_BLOCKS);
	printf("sum %.17g\n", sum);
	return 0;
}
