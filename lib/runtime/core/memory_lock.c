/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mlockall(), which is interposed: it would give memory to all of the segment, of which most is
 * never touched, and take seconds and gigabytes for it. All other mappings are locked as ever.
 * Where the limit would do without the segment, it does. Allocates nothing, and is no cancellation
 * point. */
#include "config.h"

#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "next_function.h"

struct address_range {
	uintptr_t begin, end;
};

typedef int (*mlockall_fn)(int flags);

static struct address_range ours; /* stays mapped, whatever becomes of the recording */

void measure_lock_leave_out(const struct measure_segment *segment)
{
	ours.begin = (uintptr_t)segment->header;
	ours.end = ours.begin + segment->layout.size;
}

/* -------------------------------------------------------------- the other mappings --- */

struct mappings {
	int fd;
	size_t used, size; /* of the text */
	char text[1024];
};

/* 0: the end. */
static int next_character(struct mappings *mappings)
{
	if (mappings->used == mappings->size) {
		long size = syscall(SYS_read, mappings->fd, mappings->text, sizeof(mappings->text));
		if (size <= 0)
			return 0;
		mappings->used = 0;
		mappings->size = (size_t)size;
	}
	return mappings->text[mappings->used++];
}

/* With the character after it. */
static uintptr_t next_address(struct mappings *mappings)
{
	uintptr_t address = 0;
	int c;

	while ((c = next_character(mappings)) > ' ' && c != '-')
		address = address * 16 + (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	return address;
}

static bool next_mapping(struct mappings *mappings, struct address_range *mapping)
{
	int c;

	mapping->begin = next_address(mappings);
	mapping->end = next_address(mappings);
	do
		c = next_character(mappings);
	while (c != 0 && c != '\n');
	return c != 0;
}

/* Bytes. An error is none of mlockall() either: of a page that cannot be had, of a mapping that
 * another thread takes away. */
static uint64_t lock_range(uintptr_t begin, uintptr_t end, bool is_meant, unsigned flags)
{
	if (begin >= end)
		return 0;
	if (is_meant)
		syscall(SYS_mlock2, begin, end - begin, flags);
	return end - begin;
}

/* Bytes of all; UINT64_MAX: they are not known. */
static uint64_t lock_others(bool is_meant, unsigned flags)
{
	struct mappings mappings = {.used = 0};
	struct address_range mapping;
	uint64_t size = 0;

	mappings.fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (mappings.fd < 0)
		return UINT64_MAX;
	while (next_mapping(&mappings, &mapping)) {
		uintptr_t before = mapping.end < ours.begin ? mapping.end : ours.begin;
		uintptr_t after = mapping.begin > ours.end ? mapping.begin : ours.end;
		size += lock_range(mapping.begin, before, is_meant, flags);
		size += lock_range(after, mapping.end, is_meant, flags);
	}
	syscall(SYS_close, mappings.fd);
	return size;
}

static bool others_fit(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && lock_others(false, 0) <= limit.rlim_cur;
}

/* ----------------------------------------------------------------------- mlockall() --- */

static mlockall_fn real_mlockall(void)
{
	static _Atomic mlockall_fn real;
	mlockall_fn call = atomic_load_explicit(&real, memory_order_relaxed);

	if (!call) {
		call = (mlockall_fn)measure_next_function("mlockall");
		atomic_store_explicit(&real, call, memory_order_relaxed);
	}
	return call;
}

/* First everything as it is touched, which costs nothing; then the rest as the program asks. */
static bool lock_but_ours(mlockall_fn real, int flags)
{
	if (real(flags | MCL_ONFAULT) != 0 && !(errno == ENOMEM && others_fit()))
		return false;
	munlock((void *)ours.begin, ours.end - ours.begin);
	lock_others(true, flags & MCL_ONFAULT ? MLOCK_ONFAULT : 0);
	return !(flags & MCL_FUTURE) || real(flags & ~MCL_CURRENT) == 0;
}

__attribute__((visibility("default"))) int mlockall(int flags)
{
	mlockall_fn real = real_mlockall();
	int saved = errno;

	if (!(flags & MCL_CURRENT) || ours.begin == 0 || !lock_but_ours(real, flags))
		return real(flags);
	errno = saved;
	return 0;
}
