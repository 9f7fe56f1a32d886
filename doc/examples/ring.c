/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies a file by io_uring: eight blocks at a time are read, and each is written as soon as it is
 * there. Prints how many bytes it has read and written.
 *
 *	cc -O2 -g -o ring ring.c -luring
 *	measure -a +posixio ./ring FROM TO
 *
 * The archive has each read and write as an operation of its own: submitted here, ended there, with
 * its bytes, and which of them were under way at the same time. */
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <unistd.h>

enum { BLOCKS = 8, SIZE = 16384 };

static struct block {
	char bytes[SIZE];
	off_t offset;
	int is_write;
} blocks[BLOCKS];

static long long nr_read, nr_written;

static void block_start(struct io_uring *ring, struct block *block, int fd, unsigned int size)
{
	struct io_uring_sqe *entry = io_uring_get_sqe(ring);

	if (block->is_write)
		io_uring_prep_write(entry, fd, block->bytes, size, (__u64)block->offset);
	else
		io_uring_prep_read(entry, fd, block->bytes, size, (__u64)block->offset);
	io_uring_sqe_set_data(entry, block);
}

/* The next thing to do with the block; 0: nothing is left. */
static int block_next(struct io_uring *ring, struct block *block, int from, int to, int result,
	off_t *offset)
{
	if (!block->is_write) {
		nr_read += result;
		if (result == 0)
			return 0;
		block->is_write = 1;
		block_start(ring, block, to, (unsigned int)result);
		return 1;
	}
	nr_written += result;
	block->is_write = 0;
	block->offset = *offset;
	*offset += SIZE;
	block_start(ring, block, from, SIZE);
	return 1;
}

static int copy(struct io_uring *ring, int from, int to)
{
	struct io_uring_cqe *completion;
	off_t offset = 0;
	int nr_open = 0;

	for (; nr_open < BLOCKS; nr_open++, offset += SIZE) {
		blocks[nr_open].offset = offset;
		block_start(ring, &blocks[nr_open], from, SIZE);
	}
	while (nr_open > 0) {
		struct block *block;
		int result;

		if (io_uring_submit_and_wait(ring, 1) < 0 ||
			io_uring_wait_cqe(ring, &completion) != 0)
			return 1;
		block = io_uring_cqe_get_data(completion);
		result = completion->res;
		io_uring_cqe_seen(ring, completion);
		if (result < 0)
			return 1;
		nr_open -= !block_next(ring, block, from, to, result, &offset);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const int from = argc > 2 ? open(argv[1], O_RDONLY) : -1;
	const int to = argc > 2 ? open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
	struct io_uring ring;

	if (from < 0 || to < 0) {
		fprintf(stderr, "usage: ring FROM TO\n");
		return 1;
	}
	if (io_uring_queue_init(BLOCKS, &ring, 0) != 0) {
		fprintf(stderr, "ring: the kernel allows no io_uring\n");
		return 77;
	}
	if (copy(&ring, from, to) != 0)
		return 1;
	io_uring_queue_exit(&ring);
	close(from);
	close(to);
	printf("read %lld, written %lld\n", nr_read, nr_written);
	return 0;
}
