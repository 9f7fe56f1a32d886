/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a read of 4 KiB by io_uring costs, of a file whose pages are in memory: submitted and waited
 * for one by one ("one_ns MEDIAN"), and 64 at a time ("many_ns MEDIAN"). Medians over short batches
 * with pauses, so that event memory is always there. */
#include <fcntl.h>
#include <liburing.h>
#include <unistd.h>

#include "bench.h"

enum { BATCHES = 101, READS = 256, AT_ONCE = 64, SIZE = 4096 };

static char block[AT_ONCE][SIZE];

static void start(struct io_uring *ring, int fd, int i)
{
	struct io_uring_sqe *entry = io_uring_get_sqe(ring);

	io_uring_prep_read(entry, fd, block[i], SIZE, (__u64)i * SIZE);
	io_uring_sqe_set_data(entry, block[i]);
}

static void end(struct io_uring *ring)
{
	struct io_uring_cqe *entry;

	if (io_uring_wait_cqe(ring, &entry) != 0 || entry->res != SIZE)
		exit(1);
	io_uring_cqe_seen(ring, entry);
}

static double batch(struct io_uring *ring, int fd, int at_once)
{
	const uint64_t begin = bench_now();

	for (int i = 0; i < READS; i += at_once) {
		for (int k = 0; k < at_once; k++)
			start(ring, fd, k);
		io_uring_submit(ring);
		for (int k = 0; k < at_once; k++)
			end(ring);
	}
	return (double)(bench_now() - begin) / READS;
}

static void run(const char *name, struct io_uring *ring, int fd, int at_once)
{
	double values[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		values[i] = batch(ring, fd, at_once);
	}
	printf("%s %.2f\n", name, bench_median(values, BATCHES));
}

int main(int argc, char **argv)
{
	struct io_uring ring;
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/bench.ring.XXXXXX", argc > 1 ? argv[1] : ".");
	fd = mkstemp(path);
	unlink(path);
	if (fd < 0 || write(fd, block, sizeof(block)) != sizeof(block) ||
		io_uring_queue_init(AT_ONCE, &ring, 0) != 0)
		return 1;
	batch(&ring, fd, AT_ONCE);
	bench_pause(100);
	bench_pin();
	run("one_ns", &ring, fd, 1);
	run("many_ns", &ring, fd, AT_ONCE);
	io_uring_queue_exit(&ring);
	return 0;
}
