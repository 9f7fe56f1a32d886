/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An allocator of its own, preloaded into measure-sync: that of the C library is never called and
 * begins with the first malloc_trim(). It must not do so in a thread, beside which there may be
 * another one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM ((size_t)8 << 30) /* never given back */

static _Atomic(char *) next;
static _Atomic int has_begun;

/* The size stands before what is allocated. */
static void *take(size_t size, size_t alignment)
{
	size_t whole = (size + alignment + 31) & ~(size_t)15;
	char *none = NULL, *memory;

	if (!atomic_load(&next)) {
		memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		atomic_compare_exchange_strong(&next, &none, memory);
	}
	memory = atomic_fetch_add(&next, whole) + 16;
	memory += -(uintptr_t)memory & (alignment - 1);
	memcpy(memory - sizeof(size), &size, sizeof(size));
	return memory;
}

void *malloc(size_t size)
{
	return take(size, 16);
}

void free(void *memory)
{
	(void)memory;
}

void *calloc(size_t nr, size_t size)
{
	return take(nr * size, 16);
}

void *realloc(void *memory, size_t size)
{
	size_t before = 0;
	void *more = take(size, 16);

	if (memory)
		memcpy(&before, (char *)memory - sizeof(before), sizeof(before));
	return memory ? memcpy(more, memory, before < size ? before : size) : more;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return take(size, alignment);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	*memory = take(size, alignment);
	return 0;
}

int malloc_trim(size_t pad)
{
	int (*real)(size_t) = (int (*)(size_t))dlsym(RTLD_NEXT, "malloc_trim");
	int status = real(pad);

	atomic_store(&has_begun, 1);
	return status;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
	void *argument)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
			RTLD_NEXT, "pthread_create");

	fputs(atomic_load(&has_begun) ? "a thread\n" : "a thread before malloc_trim()\n", stderr);
	return real(thread, attributes, function, argument);
}
