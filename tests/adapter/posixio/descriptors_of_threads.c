/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads open, copy and close descriptors at once, so that numbers go from one to the other, and
 * read from one that all have. */
#include "config.h"

#include <pthread.h>

#include "t_io.h"

enum { NR_THREADS = 8, NR_TURNS = 200 };

static char path[512];
static int shared;

static void *work(void *argument)
{
	char buffer[64];

	for (int i = 0; i < NR_TURNS; i++) {
		const int fd = open(path, O_RDONLY), copy = dup(fd);

		T_MUST(fd >= 0 && copy >= 0);
		T_KEEPS(read(fd, buffer, sizeof(buffer)));
		T_KEEPS(pread(shared, buffer, sizeof(buffer), i));
		T_KEEPS(close(fd));
		T_KEEPS(read(copy, buffer, sizeof(buffer)));
		T_KEEPS(close(copy));
	}
	return argument;
}

int main(void)
{
	pthread_t threads[NR_THREADS];

	t_path(path, "file");
	shared = open(path, O_RDWR | O_CREAT, 0600);
	T_MUST(write(shared, path, sizeof(path)) == sizeof(path));
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_create(&threads[i], NULL, work, NULL) == 0);
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_join(threads[i], NULL) == 0);
	close(shared);
	unlink(path);
	t_events("io_create_handle", NR_THREADS * NR_TURNS + 1);
	t_events("io_duplicate_handle", NR_THREADS * NR_TURNS);
	t_events("io_destroy_handle", 2 * NR_THREADS * NR_TURNS + 1);
	t_events("io_operation_begin", 3 * NR_THREADS * NR_TURNS + 1);
	t_events("io_operation_complete", 3 * NR_THREADS * NR_TURNS + 1);
	return 0;
}
