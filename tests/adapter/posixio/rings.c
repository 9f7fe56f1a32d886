/* SPDX-License-Identifier: BSD-3-Clause
 *
 * io_uring in all ways that are recorded, and some that are not. Prints what the archive must have:
 * lines "operations NUMBER", "cancelled NUMBER", "read BYTES", "written BYTES", "opened NUMBER". */
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static long nr_operations, nr_cancelled, nr_opened, nr_read, nr_written;
static char buffer[64][1000];

static int end_one(struct io_uring *ring)
{
	struct io_uring_cqe *entry;
	int result;

	MUST(io_uring_wait_cqe(ring, &entry) == 0);
	result = entry->res;
	io_uring_cqe_seen(ring, entry);
	return result;
}

static int run_one(struct io_uring *ring)
{
	MUST(io_uring_submit(ring) == 1);
	return end_one(ring);
}

static int open_by_ring(struct io_uring *ring, const char *path)
{
	int fd;

	io_uring_prep_openat(
		io_uring_get_sqe(ring), AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	fd = run_one(ring);
	MUST(fd >= 0);
	nr_opened++;
	return fd;
}

/* Many at once, all of one word: the first that ends is taken for the first that began. */
static void write_many(struct io_uring *ring, int fd)
{
	for (int i = 0; i < 32; i++)
		io_uring_prep_write(io_uring_get_sqe(ring), fd, buffer[i], 1000, (__u64)i * 1000);
	MUST(io_uring_submit_and_wait(ring, 32) == 32);
	for (int i = 0; i < 32; i++)
		nr_written += end_one(ring);
	nr_operations += 32;
}

static void read_vectors(struct io_uring *ring, int fd)
{
	const struct iovec vectors[] = {{buffer[0], 700}, {buffer[1], 800}};
	struct io_uring_sqe *entry = io_uring_get_sqe(ring);

	io_uring_prep_readv(entry, fd, vectors, 2, 100);
	nr_read += run_one(ring);
	io_uring_prep_fsync(io_uring_get_sqe(ring), fd, 0);
	MUST(run_one(ring) == 0);
	io_uring_prep_nop(io_uring_get_sqe(ring));
	MUST(run_one(ring) == 0);
	io_uring_prep_read(io_uring_get_sqe(ring), fd, buffer[0], 1000, 1000000);
	MUST(run_one(ring) == 0);
	nr_operations += 3;
}

static void read_registered(struct io_uring *ring, int fd)
{
	const int files[] = {0, fd};
	struct io_uring_sqe *entry;

	MUST(io_uring_register_files(ring, files, 2) == 0);
	entry = io_uring_get_sqe(ring);
	io_uring_prep_read(entry, 1, buffer[0], 900, 0);
	io_uring_sqe_set_flags(entry, IOSQE_FIXED_FILE);
	nr_read += run_one(ring);
	MUST(io_uring_unregister_files(ring) == 0);
	nr_operations++;
}

/* One that is cancelled, and one that is under way when the ring is given up. */
static void cancel(struct io_uring *ring)
{
	int pipes[2], results[2];
	struct io_uring_sqe *entry;

	MUST(pipe(pipes) == 0);
	entry = io_uring_get_sqe(ring);
	io_uring_prep_read(entry, pipes[0], buffer[0], 10, 0);
	io_uring_sqe_set_data(entry, pipes);
	MUST(io_uring_submit(ring) == 1);
	entry = io_uring_get_sqe(ring);
	io_uring_prep_cancel(entry, pipes, 0);
	MUST(io_uring_submit(ring) == 1);
	results[0] = end_one(ring);
	results[1] = end_one(ring);
	MUST(results[0] == -ECANCELED || results[1] == -ECANCELED);
	io_uring_prep_read(io_uring_get_sqe(ring), pipes[0], buffer[0], 10, 0);
	MUST(io_uring_submit(ring) == 1);
	nr_operations += 2;
	nr_cancelled += 2;
}

static void *end_all(void *ring)
{
	for (int i = 0; i < 1000; i++)
		MUST(end_one(ring) == 1000);
	return NULL;
}

/* One thread submits, another one hears of the ends. */
static void two_threads(struct io_uring *ring, int fd)
{
	pthread_t thread;

	MUST(pthread_create(&thread, NULL, end_all, ring) == 0);
	for (int i = 0; i < 1000; i++) {
		struct io_uring_sqe *entry;

		while (!(entry = io_uring_get_sqe(ring)))
			;
		io_uring_prep_read(entry, fd, buffer[i % 64], 1000, 0);
		io_uring_sqe_set_data(entry, buffer[i % 64]);
		MUST(io_uring_submit(ring) == 1);
		if (i % 16 == 15)
			usleep(100);
	}
	pthread_join(thread, NULL);
	nr_operations += 1000;
	nr_read += 1000000;
}

int main(int argc, char **argv)
{
	struct io_uring ring, other;
	int fd;

	if (io_uring_queue_init(64, &ring, 0) != 0)
		return 77;
	MUST(argc == 2 && io_uring_queue_init(2048, &other, 0) == 0);
	fd = open_by_ring(&ring, argv[1]);
	write_many(&ring, fd);
	read_vectors(&ring, fd);
	read_registered(&ring, fd);
	two_threads(&other, fd);
	cancel(&other);
	io_uring_queue_exit(&other);
	io_uring_prep_read(io_uring_get_sqe(&ring), 999, buffer[0], 10, 0);
	MUST(run_one(&ring) == -EBADF);
	errno = 4711;
	io_uring_prep_close(io_uring_get_sqe(&ring), fd);
	MUST(run_one(&ring) == 0 && errno == 4711);
	io_uring_queue_exit(&ring);
	printf("operations %ld\ncancelled %ld\nopened %ld\nread %ld\nwritten %ld\n", nr_operations,
		nr_cancelled, nr_opened, nr_read, nr_written);
	return 0;
}
