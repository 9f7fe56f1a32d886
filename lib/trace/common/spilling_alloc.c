/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mappings, and the file that some of them are of. No place in the file is used twice: what is
 * freed becomes a hole, and what has just been made is zero. */
#include "config.h"

#include "spilling_alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/page.h"
#include "containers.h"

#define PAGE       ((size_t)MEASURE_LARGEST_PAGE)
#define LEAST_PAGE 4096
#define LARGE_PAGE ((size_t)1 << 21)

/* Bytes. What is smaller belongs to malloc; under a small bound that is less, for the sum of many
 * is not small then. */
#define LEAST_LARGE    ((size_t)1 << 20)
#define LEAST_OF_SHARE 256 /* of the bound */

#define NAME "/.measure-XXXXXX"

struct spilling_alloc_piece {
	char *start;
	size_t size; /* whole pages */
	bool is_for_long, is_spilled;
	off_t offset; /* in the file */
};

static struct {
	pthread_mutex_t lock;
	void *pieces; /* a tree of them, by start */
	uint64_t bound;
	size_t least;                                    /* size of a piece */
	uint64_t nr_anonymous, nr_spilled, most_spilled; /* bytes */
	char *directory;                                 /* NULL: there is no bound */
	int fd;
	off_t end; /* of the file */
} large = {.lock = PTHREAD_MUTEX_INITIALIZER, .bound = UINT64_MAX, .least = LEAST_LARGE, .fd = -1};

void measure_spill_bound(uint64_t bound, const char *directory)
{
	const uint64_t least = bound / LEAST_OF_SHARE;

	large.bound = bound;
	large.least = least > LEAST_LARGE ? LEAST_LARGE : least > PAGE ? (size_t)least : PAGE;
	free(large.directory);
	large.directory = measure_copy_text(directory);
	if (large.fd >= 0)
		close(large.fd);
	large.fd = -1;
	large.end = 0;
	large.most_spilled = 0;
}

bool measure_spill_is(size_t size)
{
	return size >= large.least;
}

uint64_t measure_spill_spilled(void)
{
	return large.most_spilled;
}

static int compare_pieces(const void *left, const void *right)
{
	const struct spilling_alloc_piece *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static size_t whole_pages(size_t size)
{
	return (size + PAGE - 1) & ~(PAGE - 1);
}

/* ----------------------------------------------------------------------- the file --- */

__attribute__((noreturn)) static void no_room(size_t size, int error)
{
	measure_end("%s: no space for another %zu MiB of temporary data: %s; free space, increase "
		    "--memory, or choose another output with -o",
		large.directory, (size >> 20) + 1, strerror(error));
}

/* It has no name, or loses it at once: whatever happens, nothing is left. */
static int open_file(void)
{
	const size_t size = strlen(large.directory) + sizeof(NAME);
	int fd = open(large.directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *name;

	if (fd >= 0)
		return fd;
	name = measure_zeroed(size, 1);
	snprintf(name, size, "%s" NAME, large.directory);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	free(name);
	return fd;
}

/* A page that finds no room when it is written would be a signal, or lost. Where a file system
 * cannot reserve, zeros are written, and have to arrive. */
static int reserve(off_t offset, size_t size)
{
	int error;

	while (fallocate(large.fd, 0, offset, (off_t)size) != 0) {
		if (errno == EINTR)
			continue;
		if (errno != EOPNOTSUPP)
			return errno;
		error = posix_fallocate(large.fd, offset, (off_t)size);
		return error ? error : fdatasync(large.fd) == 0 ? 0 : errno;
	}
	return 0;
}

static void map_file(struct spilling_alloc_piece *piece)
{
	int error;

	if (large.fd < 0)
		large.fd = open_file();
	error = large.fd < 0 ? errno : reserve(large.end, piece->size);
	if (error)
		no_room(piece->size, error);
	piece->offset = large.end;
	piece->start = mmap(
		NULL, piece->size, PROT_READ | PROT_WRITE, MAP_SHARED, large.fd, piece->offset);
	if (piece->start == MAP_FAILED)
		measure_out_of_memory();
	piece->is_spilled = true;
	large.end += (off_t)piece->size;
}

/* ------------------------------------------------------------------------- pieces --- */

/* What sticks out of whole pages at either end goes back at once. */
static char *map_anonymous(size_t size)
{
	const size_t slack = size >= LARGE_PAGE ? LARGE_PAGE : 0;
	char *memory = mmap(
		NULL, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (memory == MAP_FAILED || slack == 0)
		return memory;
	before = -(uintptr_t)memory & (LARGE_PAGE - 1);
	if (before > 0)
		munmap(memory, before);
	if (before < slack)
		munmap(memory + before + size, slack - before);
	/* These arrays are filled from one end to the other: few large pages cost less than many
	 * small ones. Only advice. */
	madvise(memory + before, size, MADV_HUGEPAGE);
	return memory + before;
}

/* Under the lock. */
static void spilling_alloc_add(struct spilling_alloc_piece *piece)
{
	if (piece->is_spilled)
		large.nr_spilled += piece->size;
	else
		large.nr_anonymous += piece->size;
	if (large.nr_spilled > large.most_spilled)
		large.most_spilled = large.nr_spilled;
	if (!tsearch(piece, &large.pieces, compare_pieces))
		measure_out_of_memory();
}

/* Under the lock. */
static void take_out(const struct spilling_alloc_piece *piece)
{
	tdelete(piece, &large.pieces, compare_pieces);
	if (piece->is_spilled)
		large.nr_spilled -= piece->size;
	else
		large.nr_anonymous -= piece->size;
}

/* Under the lock: is there room for so much more? */
static bool is_within_bound(uint64_t size, bool is_for_long)
{
	return large.nr_anonymous + size <= (is_for_long ? large.bound / 4 * 3 : large.bound);
}

/* Under the lock. */
static void map(struct spilling_alloc_piece *piece)
{
	const bool is_bounded = large.directory != NULL;

	piece->start = MAP_FAILED;
	if (!is_bounded || is_within_bound(piece->size, piece->is_for_long))
		piece->start = map_anonymous(piece->size);
	if (piece->start == MAP_FAILED && is_bounded)
		map_file(piece);
	if (piece->start == MAP_FAILED)
		measure_out_of_memory();
	spilling_alloc_add(piece);
}

static void unmap(const struct spilling_alloc_piece *piece)
{
	munmap(piece->start, piece->size);
	if (piece->is_spilled)
		(void)!fallocate(large.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			piece->offset, (off_t)piece->size);
}

/* Most of what is asked for is of malloc, and seldom begins where a page begins. */
static bool may_be_piece(const void *memory)
{
	return memory && (uintptr_t)memory % LEAST_PAGE == 0;
}

/* Under the lock. NULL: it is none. */
static struct spilling_alloc_piece *spilling_alloc_find(void *memory)
{
	const struct spilling_alloc_piece key = {.start = memory};
	struct spilling_alloc_piece **found = tfind(&key, &large.pieces, compare_pieces);

	return found ? *found : NULL;
}

bool measure_spill_has(void *memory)
{
	bool is_there;

	if (!may_be_piece(memory))
		return false;
	pthread_mutex_lock(&large.lock);
	is_there = spilling_alloc_find(memory) != NULL;
	pthread_mutex_unlock(&large.lock);
	return is_there;
}

void *measure_spill(size_t size, bool is_for_long)
{
	struct spilling_alloc_piece *piece = calloc(1, sizeof(*piece));

	if (!piece)
		measure_out_of_memory();
	piece->size = whole_pages(size);
	piece->is_for_long = is_for_long;
	pthread_mutex_lock(&large.lock);
	map(piece);
	pthread_mutex_unlock(&large.lock);
	return piece->start;
}

/* False: it has to be copied. Under the lock. */
static bool remap(struct spilling_alloc_piece *piece, size_t size)
{
	char *start;

	if (piece->is_spilled || (size > piece->size && large.directory &&
					 !is_within_bound(size - piece->size, false)))
		return false;
	start = mremap(piece->start, piece->size, size, MREMAP_MAYMOVE);
	if (start == MAP_FAILED)
		return false;
	take_out(piece);
	piece->start = start;
	piece->size = size;
	spilling_alloc_add(piece);
	return true;
}

void *measure_spill_resize(void *memory, size_t used, size_t size)
{
	struct spilling_alloc_piece *piece;
	void *copy;
	bool is_done;

	pthread_mutex_lock(&large.lock);
	piece = spilling_alloc_find(memory);
	is_done = remap(piece, whole_pages(size));
	pthread_mutex_unlock(&large.lock);
	if (is_done)
		return piece->start;
	copy = measure_spill(size, false);
	memcpy(copy, memory, used);
	measure_spill_free(memory);
	return copy;
}

bool measure_spill_free(void *memory)
{
	struct spilling_alloc_piece *piece;

	if (!may_be_piece(memory))
		return false;
	pthread_mutex_lock(&large.lock);
	piece = spilling_alloc_find(memory);
	if (piece)
		take_out(piece);
	pthread_mutex_unlock(&large.lock);
	if (!piece)
		return false;
	unmap(piece);
	free(piece);
	return true;
}
