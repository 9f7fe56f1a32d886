/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A disk that is slow, full or hangs, as keepers see it: to be preloaded into `measure`. But
 * for the last two, only what is as long as a chunk is disturbed.
 *
 *	DISK_SLOW=MS	each write takes so long
 *	DISK_FULL=FILE	there is no space left while this file exists
 *	DISK_HANGS=FILE	nothing is written while this file exists
 *	DISK_TORN=FILE	of what is shorter only half is written while this file exists; it becomes a
 *			byte longer each time
 *	DISK_STANDS=FILE	nothing is written, opened or made while this file exists
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LONG (200 * 1024)

typedef ssize_t (*pwrite_fn)(int fd, const void *data, size_t size, off_t offset);

static int is_keeper(void)
{
	char name[16] = "";

	return prctl(PR_GET_NAME, name) == 0 && strcmp(name, "measure-keeper") == 0;
}

static void take(long milliseconds)
{
	struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};

	nanosleep(&pause, NULL);
}

static int is_there(const char *variable)
{
	const char *file = getenv(variable);

	return file && access(file, F_OK) == 0;
}

static void stand(void)
{
	while (is_keeper() && is_there("DISK_STANDS"))
		take(10);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
	pwrite_fn real = (pwrite_fn)dlsym(RTLD_NEXT, "pwrite");

	stand();
	if (size < LONG || !is_keeper())
		return real(fd, data, size, offset);
	while (is_there("DISK_HANGS"))
		take(10);
	if (is_there("DISK_FULL")) {
		errno = ENOSPC;
		return -1;
	}
	if (getenv("DISK_SLOW"))
		take(atol(getenv("DISK_SLOW")));
	return real(fd, data, size, offset);
}

ssize_t write(int fd, const void *data, size_t size)
{
	ssize_t (*real)(int, const void *, size_t) =
		(ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");

	stand();
	if (!is_keeper() || !is_there("DISK_TORN"))
		return real(fd, data, size);
	ssize_t written = real(fd, data, size / 2);
	int note = open(getenv("DISK_TORN"), O_WRONLY | O_APPEND);
	if (note >= 0 && real(note, data, 1) == 1)
		close(note);
	return written;
}

int openat(int fd, const char *name, int flags, ...)
{
	int (*real)(int, const char *, int, ...) =
		(int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");

	stand();
	return real(fd, name, flags, 0666);
}

int mkdirat(int fd, const char *name, mode_t mode)
{
	int (*real)(int, const char *, mode_t) =
		(int (*)(int, const char *, mode_t))dlsym(RTLD_NEXT, "mkdirat");

	stand();
	return real(fd, name, mode);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset)
{
	return pwrite(fd, data, size, offset);
}
