/* SPDX-License-Identifier: BSD-3-Clause
 *
 * To be preloaded: a file system whose metadata are on a server. Each operation first waits as long
 * as SLOW_FILES says, "LOOK,CREATE,REMOVE" in microseconds, and is counted in the file
 * SLOW_FILES_COUNTS, three numbers of 8 bytes that all processes share. Calls inside of the C
 * library are not seen. */
#include "config.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum operation { LOOK, CREATE, REMOVE, NR_OPERATIONS };

static long delays[NR_OPERATIONS]; /* us */
static unsigned long own_counts[NR_OPERATIONS], *counts = own_counts;

__attribute__((constructor)) static void slow_files_start(void)
{
	const char *text = getenv("SLOW_FILES"), *path = getenv("SLOW_FILES_COUNTS");
	FILE *file = path ? fopen(path, "r+") : NULL;

	if (file) {
		void *shared = mmap(NULL, sizeof(own_counts), PROT_READ | PROT_WRITE, MAP_SHARED,
			fileno(file), 0);
		if (shared != MAP_FAILED)
			counts = shared;
		fclose(file);
	}
	if (text)
		sscanf(text, "%ld,%ld,%ld", &delays[LOOK], &delays[CREATE], &delays[REMOVE]);
}

static void operate(enum operation operation)
{
	const struct timespec delay = {
		delays[operation] / 1000000, delays[operation] % 1000000 * 1000};

	__atomic_add_fetch(&counts[operation], 1, __ATOMIC_RELAXED);
	nanosleep(&delay, NULL);
}

static void *find_next(const char *name, void **next)
{
	void *found = __atomic_load_n(next, __ATOMIC_RELAXED);

	if (!found) {
		found = dlsym(RTLD_NEXT, name);
		__atomic_store_n(next, found, __ATOMIC_RELAXED);
	}
	return found;
}

#define FILE_CALL(kind, result, name, parameters, arguments)                                       \
	result name parameters                                                                     \
	{                                                                                          \
		static void *next;                                                                 \
		result(*real) parameters = find_next(#name, &next);                                \
		operate(kind);                                                                     \
		return real arguments;                                                             \
	}
#define OPEN_CALL(name, parameters, arguments)                                                     \
	int name parameters                                                                        \
	{                                                                                          \
		static void *next;                                                                 \
		int(*real) parameters = find_next(#name, &next);                                   \
		va_list list;                                                                      \
		va_start(list, flags);                                                             \
		const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;                    \
		va_end(list);                                                                      \
		operate(flags & O_CREAT ? CREATE : LOOK);                                          \
		return real arguments;                                                             \
	}
#include "slow_files.def"
