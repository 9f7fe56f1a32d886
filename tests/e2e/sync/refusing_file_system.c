/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded, it stands for a file system that refuses: REFUSE_LINKS and REFUSE_WRITES are the errno
 * values of links and of writes to files whose names end in .evt. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refusal(const char *variable)
{
	const char *value = getenv(variable);

	return value ? atoi(value) : 0;
}

static int is_event_file(int fd)
{
	char link[64] = "/proc/self/fd/", name[4096], digits[16];
	size_t nr = 0;
	ssize_t length;

	do
		digits[nr++] = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	for (size_t at = strlen(link); nr > 0; link[at] = '\0')
		link[at++] = digits[--nr];
	length = readlink(link, name, sizeof(name));
	return length > 4 && memcmp(name + length - 4, ".evt", 4) == 0;
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
	int (*real)(int, const char *, int, const char *, int);

	errno = refusal("REFUSE_LINKS");
	if (errno)
		return -1;
	*(void **)&real = dlsym(RTLD_NEXT, "linkat");
	return real(from_directory, from, to_directory, to, flags);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
	ssize_t (*real)(int, const void *, size_t, off_t);

	errno = is_event_file(fd) ? refusal("REFUSE_WRITES") : 0;
	if (errno)
		return -1;
	*(void **)&real = dlsym(RTLD_NEXT, "pwrite");
	return real(fd, data, size, offset);
}
