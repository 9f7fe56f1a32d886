/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptors: every way to open one, to read, write and seek, copies of copies, pipes, flags, and
 * the ends of all; files that are opened again and again have one handle. */
#include "config.h"

#include <sys/sendfile.h>
#include <sys/uio.h>

#include "t_io.h"

static char path[512], other[512], buffer[8192];

/* As _FORTIFY_SOURCE makes them of open() and read(). */
int __open_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t offset, size_t room);

static void open_all_ways(void)
{
	char name[512];
	int fds[8], nr = 0;

	T_KEEPS(fds[nr++] = open(path, O_RDWR | O_CREAT | O_TRUNC, 0640));
	T_KEEPS(fds[nr++] = open64(path, O_RDONLY));
	T_KEEPS(fds[nr++] = openat(AT_FDCWD, path, O_WRONLY | O_APPEND));
	T_KEEPS(fds[nr++] = openat64(AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
	T_KEEPS(fds[nr++] = __open_2(path, O_RDONLY));
	T_KEEPS(fds[nr++] = __openat_2(AT_FDCWD, path, O_RDONLY));
	T_KEEPS(fds[nr++] = creat(other, 0600));
	T_KEEPS(fds[nr++] = mkstemp(t_path(name, "made.XXXXXX")));
	while (nr > 0)
		T_KEEPS(close(fds[--nr]));
	T_KEEPS(unlink(name));
	t_regions("open", 1);
	t_regions("open64", 1);
	t_regions("openat", 1 + 2 + 1000 + 1);
	t_regions("openat64", 1);
	t_regions("__open_2", 1);
	t_regions("__openat_2", 1);
	t_regions("creat", 1);
	t_regions("mkstemp", 1);
}

/* 5 reads, 4 writes, 3 seeks, a flush, and both sides of two copies. */
static void move_all_ways(void)
{
	struct iovec parts[2] = {{buffer, 100}, {buffer + 100, 28}};
	int fd, to;

	T_MUST((fd = openat(AT_FDCWD, path, O_RDWR)) >= 0);
	T_KEEPS(write(fd, buffer, 4096));
	T_KEEPS(pwrite(fd, buffer, 4096, 4096));
	T_KEEPS(writev(fd, parts, 2));
	T_KEEPS(pwritev(fd, parts, 2, 100));
	T_MUST(lseek(fd, 0, SEEK_CUR) == 4096 + 128);
	T_MUST(lseek(fd, -128, SEEK_END) == 8192 - 128);
	T_MUST(read(fd, buffer, sizeof(buffer)) == 128);
	T_MUST(pread(fd, buffer, sizeof(buffer), 8000) == 192);
	T_MUST(preadv(fd, parts, 2, 0) == 128);
	T_MUST(__read_chk(fd, buffer, 10, sizeof(buffer)) == 0);
	T_MUST(__pread_chk(fd, buffer, 10, 8190, sizeof(buffer)) == 2);
	T_KEEPS(fsync(fd));
	T_MUST((to = openat(AT_FDCWD, other, O_RDWR)) >= 0);
	T_MUST(lseek(fd, 0, SEEK_SET) == 0);
	T_MUST(sendfile(to, fd, NULL, 1000) == 1000);
	T_MUST(copy_file_range(fd, NULL, to, NULL, 1000, 0) == 1000);
	T_KEEPS(ftruncate(to, 10));
	T_KEEPS(close(to));
	T_KEEPS(close(fd));
	t_events("io_operation_begin", 14 + 2);
	t_events("io_operation_complete", 14 + 2);
	t_events("io_seek", 3);
}

static void copies(void)
{
	int chain[4];

	T_MUST((chain[0] = openat(AT_FDCWD, path, O_RDONLY)) >= 0);
	T_KEEPS(chain[1] = dup(chain[0]));
	T_KEEPS(chain[2] = dup2(chain[1], 400));
	T_KEEPS(chain[3] = fcntl(chain[2], F_DUPFD_CLOEXEC, 5000));
	T_MUST(chain[2] == 400 && chain[3] == 5000);
	T_KEEPS(dup2(chain[0], 400)); /* which closes what is there */
	T_KEEPS(dup2(400, 400));
	T_KEEPS(dup3(chain[3], chain[1], O_CLOEXEC));
	T_KEEPS(fcntl(chain[0], F_SETFL, O_APPEND | O_NONBLOCK));
	T_KEEPS(fcntl(chain[0], F_GETFL));
	for (int i = 0; i < 4; i++)
		T_KEEPS(close(chain[i]));
	t_events("io_duplicate_handle", 5);
	t_events("io_change_status_flags", 1);
	t_regions("fcntl", 2);
}

static void pipes(void)
{
	int fds[2];

	T_KEEPS(pipe2(fds, O_CLOEXEC));
	T_KEEPS(write(fds[1], "abc", 3));
	T_KEEPS(close(fds[1]));
	T_MUST(read(fds[0], buffer, 10) == 3);
	T_KEEPS(close(fds[0]));
	t_regions("pipe2", 1);
	t_regions("write", 2);
	t_regions("read", 2);
}

int main(void)
{
	t_path(path, "file");
	t_path(other, "other");
	open_all_ways();
	move_all_ways();
	for (int i = 0; i < 1000; i++)
		T_KEEPS(close(openat(AT_FDCWD, path, O_RDONLY)));
	copies();
	pipes();
	T_KEEPS(unlinkat(AT_FDCWD, path, 0));
	T_KEEPS(remove(other));
	t_events("io_delete_file", 3);
	t_events("io_create_handle", 8 + 2 + 1000 + 1 + 2);
	t_events("io_destroy_handle", 8 + 2 + 1000 + 1 + 5 + 2);
	/* the standard ones, what is open of three files at a time, copies, and a pipe */
	t_say(1, "most", "handles", 6 + 8 + 5 + 2);
	return 0;
}
