/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asynchronous operations of POSIX: started one by one and as a list, asked for, waited for, and
 * forgotten by the program. */
#include "config.h"

#include <aio.h>

#include "t_io.h"

static char path[512], buffer[4][1000];

static void wait_for(struct aiocb *block)
{
	const struct aiocb *const list[] = {block};

	while (aio_error(block) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
}

static struct aiocb block_of(int fd, int i, int opcode)
{
	return (struct aiocb){.aio_fildes = fd,
		.aio_buf = buffer[i],
		.aio_nbytes = sizeof(buffer[i]),
		.aio_offset = (off_t)sizeof(buffer[i]) * i,
		.aio_lio_opcode = opcode};
}

int main(void)
{
	const int fd = open(t_path(path, "file"), O_RDWR | O_CREAT, 0600);
	struct aiocb blocks[4], *list[4], flush = {.aio_fildes = fd};
	struct aiocb forgotten;

	T_MUST(fd >= 0);
	for (int i = 0; i < 4; i++) {
		blocks[i] = block_of(fd, i, i == 3 ? LIO_NOP : LIO_WRITE);
		list[i] = &blocks[i];
	}
	T_KEEPS(lio_listio(LIO_WAIT, list, 4, NULL)); /* 3 */
	T_KEEPS(aio_write(&blocks[3]));
	wait_for(&blocks[3]);
	T_MUST(aio_return(&blocks[3]) == 1000);
	T_KEEPS(aio_fsync(O_SYNC, &flush));
	wait_for(&flush);
	blocks[0] = block_of(fd, 3, LIO_READ);
	T_KEEPS(aio_read64((void *)&blocks[0]));
	wait_for(&blocks[0]);
	T_MUST(aio_return(&blocks[0]) == 1000);
	/* the same block again, of which nobody has asked what became of it */
	forgotten = block_of(fd, 0, LIO_READ);
	for (int i = 0; i < 2; i++) {
		const struct aiocb *const one[] = {&forgotten};

		T_KEEPS(aio_read(&forgotten));
		aio_suspend(one, 1, NULL);
	}
	wait_for(&forgotten);
	blocks[1] = block_of(-1, 0, LIO_READ);
	if (aio_read(&blocks[1]) == 0)
		wait_for(&blocks[1]);
	close(fd);
	unlink(path);
	t_events("io_operation_begin", 3 + 1 + 1 + 1 + 2);
	t_events("io_operation_issued", 3 + 1 + 1 + 1 + 2);
	t_events("io_operation_complete", 3 + 1 + 1 + 1 + 2);
	return 0;
}
