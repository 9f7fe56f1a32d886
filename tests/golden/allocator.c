/* SPDX-License-Identifier: BSD-3-Clause
 * A program that brings an allocator of its own, instrumented like the rest: it makes events
 * while recording starts, and whenever a location is made. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HEAP_SIZE ((size_t)64 << 20)
#define ALIGNMENT ((size_t)64)

static _Alignas(ALIGNMENT) char heap[HEAP_SIZE];
static size_t used;

/* Before each piece its size. Nothing is ever given back. */
static void *take(size_t size)
{
	size_t whole = (size + 2 * ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	char *piece = heap + __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);

	if (piece + whole > heap + HEAP_SIZE)
		return NULL;
	*(size_t *)piece = size;
	return piece + ALIGNMENT;
}

void *malloc(size_t size)
{
	return take(size);
}

/* The C library's own calls are many, and another number in each version. */
__attribute__((no_instrument_function)) void free(void *piece)
{
	(void)piece;
}

void *calloc(size_t nr, size_t size)
{
	return take(nr * size); /* the heap is all zero */
}

void *realloc(void *piece, size_t size)
{
	void *grown = take(size);

	if (piece && grown) {
		size_t old = *(size_t *)((char *)piece - ALIGNMENT);
		memcpy(grown, piece, old < size ? old : size);
	}
	return grown;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return alignment <= ALIGNMENT ? take(size) : NULL;
}

int posix_memalign(void **piece, size_t alignment, size_t size)
{
	*piece = aligned_alloc(alignment, size);
	return *piece ? 0 : ENOMEM;
}

static void *work(void *argument)
{
	return malloc((size_t)(uintptr_t)argument);
}

int main(void)
{
	pthread_t thread;
	void *result = NULL;

	if (pthread_create(&thread, NULL, work, (void *)(uintptr_t)100) != 0)
		return 1;
	pthread_join(thread, &result);
	return result == NULL;
}
