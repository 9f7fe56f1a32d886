/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a write of 4 KiB to a file costs, in the directory of the argument: where the file grows
 * ("append_ns MEDIAN"), and where its pages are in memory already ("overwrite_ns MEDIAN");
 * fwrite() of 64 bytes ("stream_ns MEDIAN"); and where the data get to the disk, with fdatasync()
 * after each batch ("disk_ns MEDIAN"). Medians over short batches with pauses, so that event memory
 * is always there. */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "bench.h"

enum { BATCHES = 101, CALLS_PER_BATCH = 256, SIZE = 4096, FEW = 64 };

static char block[SIZE];

/* All batches in the same 1 MiB. */
static double batch(int fd, int is_append, int is_synced)
{
	uint64_t begin;

	if (is_append && ftruncate(fd, 0) != 0)
		exit(1);
	lseek(fd, 0, SEEK_SET);
	begin = bench_now();
	for (int i = 0; i < CALLS_PER_BATCH; i++)
		if (write(fd, block, SIZE) != SIZE)
			exit(1);
	if (is_synced && fdatasync(fd) != 0)
		exit(1);
	return (double)(bench_now() - begin) / CALLS_PER_BATCH;
}

static double stream_batch(FILE *file)
{
	uint64_t begin;

	rewind(file);
	begin = bench_now();
	for (int i = 0; i < CALLS_PER_BATCH; i++)
		fwrite(block, FEW, 1, file);
	return (double)(bench_now() - begin) / CALLS_PER_BATCH;
}

static void run(const char *name, int fd, FILE *file, int is_append, int is_synced)
{
	double values[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		values[i] = file ? stream_batch(file) : batch(fd, is_append, is_synced);
	}
	printf("%s %.2f\n", name, bench_median(values, BATCHES));
}

int main(int argc, char **argv)
{
	char path[4096];
	FILE *file;
	int fd;

	snprintf(path, sizeof(path), "%s/bench.files.XXXXXX", argc > 1 ? argv[1] : ".");
	fd = mkstemp(path);
	file = fd >= 0 ? fopen(path, "w") : NULL;
	if (!file)
		return 1;
	unlink(path);
	/* The first batch makes threads of the tool, which must not inherit the pin. */
	batch(fd, 1, 0);
	bench_pause(100);
	bench_pin();
	run("append_ns", fd, NULL, 1, 0);
	run("overwrite_ns", fd, NULL, 0, 0);
	run("stream_ns", fd, file, 0, 0);
	run("disk_ns", fd, NULL, 1, 1);
	return 0;
}
