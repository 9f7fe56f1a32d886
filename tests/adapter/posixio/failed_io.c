/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What fails, fails as ever: closed descriptors, wrong arguments, files that are not there. Nothing
 * of it opens or closes a handle; a descriptor that was closed behind our back is found out. */
#include "config.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include "t_io.h"

static char path[512], missing[512], buffer[16];

/* What the compiler knows to be wrong it would not translate. */
static char *volatile nowhere = (char *)1;
static volatile int too_few = -1, too_many = 1 << 20;

static void closed_descriptors(void)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);

	T_MUST(fd >= 0);
	T_KEEPS(close(fd));
	T_FAILS(EBADF, close(fd));
	T_FAILS(EBADF, read(fd, buffer, 1));
	T_FAILS(EBADF, write(fd, buffer, 1));
	T_FAILS(EBADF, pread(fd, buffer, 1, 0));
	T_FAILS(EBADF, lseek(fd, 0, SEEK_SET));
	T_FAILS(EBADF, dup(fd));
	T_FAILS(EBADF, dup2(fd, 77));
	T_FAILS(EBADF, fsync(fd));
	T_FAILS(EBADF, ftruncate(fd, 1));
	T_FAILS(EBADF, read(-1, buffer, 1));
	T_FAILS(EBADF, write(1 << 25, buffer, 1));
	T_FAILS(EBADF, close(-1));
	T_FAILS(EBADF, fcntl(fd, F_SETFL, 0));
	errno = 0;
	T_MUST(!fdopen(fd, "r") && errno == EBADF);
}

static void wrong_arguments(void)
{
	struct iovec part = {buffer, 1};
	int fd = open(path, O_RDONLY);

	T_FAILS(EBADF, write(fd, buffer, 1));
	T_FAILS(EINVAL, lseek(fd, -1, SEEK_SET));
	T_FAILS(EINVAL, lseek(fd, 0, 4711));
	T_FAILS(EINVAL, pread(fd, buffer, 1, too_few));
	T_FAILS(EINVAL, readv(fd, &part, too_few));
	T_FAILS(EINVAL, readv(fd, &part, too_many));
	T_FAILS(EINVAL, fcntl(fd, F_DUPFD, -1));
	T_FAILS(EFAULT, open(nowhere, O_RDONLY));
	T_FAILS(EFAULT, unlink(nowhere));
	T_FAILS(EFAULT, read(fd, nowhere, 1));
	T_KEEPS(close(fd));
}

static void missing_files(void)
{
	T_FAILS(ENOENT, open(missing, O_RDONLY));
	T_FAILS(ENOENT, openat(AT_FDCWD, missing, O_RDONLY));
	T_FAILS(ENOENT, unlink(missing));
	T_FAILS(ENOENT, remove(missing));
	T_FAILS(ENOENT, rename(missing, path));
	T_FAILS(ENOENT, truncate(missing, 0));
	errno = 0;
	T_MUST(!fopen(missing, "r") && errno == ENOENT);
	T_MUST(!fopen(path, "quite") && errno == EINVAL);
}

/* Its number is another file's afterwards. */
static void behind_our_back(void)
{
	int fd = open(path, O_RDWR), again;

	T_MUST(fd >= 0);
	syscall(SYS_close, fd);
	again = open(path, O_RDWR);
	T_MUST(again == fd);
	T_KEEPS(write(fd, buffer, 1));
	T_KEEPS(close(fd));
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
	T_MUST(fd == again);
	T_KEEPS(read(fd, buffer, 1));
	T_KEEPS(close(fd));
}

/* Sockets have regions, but no handles. */
static void sockets(void)
{
	int fds[2];

	T_MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
	T_KEEPS(write(fds[0], "a", 1));
	T_KEEPS(read(fds[1], buffer, 1));
	T_KEEPS(close(fds[0]));
	T_KEEPS(close(fds[1]));
}

int main(void)
{
	t_path(path, "file");
	t_path(missing, "no/such/file");
	closed_descriptors();
	int fd = open(path, O_WRONLY);
	T_MUST(write(fd, buffer, 10) == 10);
	close(fd);
	wrong_arguments();
	missing_files();
	behind_our_back();
	sockets();
	unlink(path);
	t_events("io_create_handle", 1 + 1 + 1 + 3);
	t_events("io_destroy_handle", 1 + 1 + 1 + 3);
	t_events("io_operation_begin", 1 + 5 + 2);
	t_events("io_operation_complete", 1 + 5 + 2);
	t_events("io_delete_file", 1);
	t_events("io_seek", 0);
	return 0;
}
