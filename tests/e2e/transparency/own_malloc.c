/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program with an allocator of its own, which is instrumented and holds a lock: event memory
 * fills, functions are met and threads begin inside of it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char heap[1 << 28];
static size_t used;
static long nr_kept;

__attribute__((noinline)) void bookkeeping(void)
{
	nr_kept++;
}

/* Its size stands before a piece. */
void *take(size_t alignment, size_t size)
{
	size_t place;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < 20; i++)
		bookkeeping();
	place = (used + 15 + alignment) & ~(alignment - 1);
	if (place + size > sizeof(heap))
		_exit(9);
	used = place + size;
	pthread_mutex_unlock(&lock);
	memcpy(heap + place - sizeof(size), &size, sizeof(size));
	return heap + place;
}

void *malloc(size_t size)
{
	return take(16, size + 8);
}

void free(void *address)
{
	(void)address;
}

void *calloc(size_t number, size_t size)
{
	return memset(malloc(number * size), 0, number * size);
}

void *realloc(void *address, size_t size)
{
	void *piece = malloc(size);
	size_t before;

	if (!address)
		return piece;
	memcpy(&before, (char *)address - sizeof(before), sizeof(before));
	return memcpy(piece, address, before < size ? before : size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return take(alignment < 16 ? 16 : alignment, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
	return aligned_alloc(alignment, size);
}

int posix_memalign(void **address, size_t alignment, size_t size)
{
	*address = aligned_alloc(alignment, size);
	return 0;
}

PLAIN static void *allocate(void *unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++)
		*(volatile char *)malloc(100) = 0;
	return NULL;
}

PLAIN int main(void)
{
	pthread_t threads[16];
	long nr_before = nr_kept; /* some by libraries, before recording began */
	char line[64];
	int length;

	for (int i = 0; i < 10000; i++)
		*(volatile char *)malloc(100) = 0;
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 16; i++)
			pthread_create(&threads[i], NULL, allocate, NULL);
		for (int i = 0; i < 16; i++)
			pthread_join(threads[i], NULL);
	}
	length = snprintf(line, sizeof(line), "EXPECT bookkeeping %ld %ld\n", nr_kept, nr_before);
	return write(1, line, (size_t)length) == length ? 0 : 1;
}
