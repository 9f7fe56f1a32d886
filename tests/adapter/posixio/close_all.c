/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that closes all descriptors there can be, as daemons do: one by one, and by the calls
 * that exist for it. What is open of ours is ended once. */
#include "config.h"

#include <dirent.h>
#include <sys/socket.h>

#include "t_io.h"

static char path[512];

static void open_some(void)
{
	for (int i = 0; i < 5; i++)
		T_MUST(open(path, O_RDWR | O_CREAT, 0600) >= 0);
	T_MUST(dup2(3, 300) == 300);
	T_MUST(dup2(3, 800) == 800);
}

/* Its number goes to sockets, which are no files. */
static void use_directory(void)
{
	const int fd = open("/", O_RDONLY | O_DIRECTORY);
	DIR *directory = fdopendir(fd), *volatile none = NULL;
	int ends[2];

	T_MUST(directory && readdir(directory));
	T_KEEPS(closedir(directory));
	T_MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	T_MUST(ends[0] == fd);
	for (int i = 0; i < 10; i++)
		T_MUST(write(ends[0], "x", 1) == 1);
	syscall(SYS_close, ends[0]);
	syscall(SYS_close, ends[1]);
	T_FAILS(EINVAL, closedir(none));
}

int main(void)
{
	/* what is said goes out by a number that nothing here closes */
	const int out = 900;
	const int has_out = syscall(SYS_dup3, 1, out, 0) == out;

	if (!has_out)
		return 77; /* a low limit */
	t_path(path, "file");
	open_some();
	for (int fd = 3; fd < out; fd++)
		close(fd);
	open_some();
	T_KEEPS(close_range(3, 899, 0));
	open_some();
	T_KEEPS(close_range(3, 899, CLOSE_RANGE_CLOEXEC));
	T_KEEPS(write(300, "x", 1));
	T_KEEPS(close_range(3, 850, 0));
	use_directory();
	unlink(path);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	syscall(SYS_dup3, out, 1, 0);
	t_events("io_create_handle", 3 * 5 + 1);
	t_events("io_duplicate_handle", 3 * 2);
	t_events("io_destroy_handle", 3 * 7 + 1 + 6);
	t_regions("closedir", 2);
	t_events("io_operation_begin", 1);
	closefrom(0);
	return 0;
}
