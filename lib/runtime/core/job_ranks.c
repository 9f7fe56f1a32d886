/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which ranks of a job are recorded, by files beside the parts: each rank leaves a mark before
 * MPI_Init, and one of them writes down who has. That is a link, which is made at once and never
 * twice, so that all read the same. */
#include "config.h"

#include "job_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adapter.h"
#include "base/file.h"
#include "follow.h"
#include "format/run_layout.h"

#define ALL "all"

/* MPI_Init of one rank may end before that of another one has begun, but not for long. Who made the
 * first mark decides; the others do so where that one does not come. */
#define PATIENCE_MS	   1000
#define PATIENCE_OTHERS_MS 3000
#define LONGEST_NAP_NS	   20000000

static struct {
	uint64_t rank; /* MEASURE_RANK_NONE: nobody said so */
	uint64_t world;
	bool has_joined;
	bool is_first;
} own = {.rank = MEASURE_RANK_NONE};

void measure_job_ranks_start(const struct measure_settings *settings)
{
	own.rank = settings->rank;
}

static int parts_open(void)
{
	char path[4096 + 8];

	snprintf(path, sizeof(path), "%s/..", measure_follow_part());
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool file_make(int parts_fd, const char *name, int flags)
{
	const int fd = measure_file_open(parts_fd, name, O_WRONLY | O_CREAT | flags);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool measure_ranks_join(uint64_t world)
{
	char name[64];
	int parts_fd;

	if (own.rank == MEASURE_RANK_NONE || !measure_is_recording())
		return false;
	parts_fd = parts_open();
	if (parts_fd < 0)
		return false;
	own.world = world;
	snprintf(name, sizeof(name), MEASURE_RANK_MARK "%" PRIu64, world, own.rank);
	own.has_joined = file_make(parts_fd, name, 0);
	snprintf(name, sizeof(name), MEASURE_RANKS_FIRST, world);
	own.is_first = own.has_joined && file_make(parts_fd, name, O_EXCL);
	close(parts_fd);
	return own.has_joined;
}

/* ------------------------------------------------------------------- who has come --- */

struct rank_list {
	uint32_t *ranks;
	uint32_t nr;
	uint32_t size; /* of the world: no more than these can come */
};

static int rank_compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static measure_status_t list_add(void *data, int parts_fd, const char *name)
{
	struct rank_list *list = data;
	char beginning[64], *end;
	unsigned long rank;

	(void)parts_fd;
	snprintf(beginning, sizeof(beginning), MEASURE_RANK_MARK, own.world);
	if (strncmp(name, beginning, strlen(beginning)) != 0)
		return MEASURE_OK;
	rank = strtoul(name + strlen(beginning), &end, 10);
	if (*end == '\0' && rank < list->size && list->nr < list->size)
		list->ranks[list->nr++] = (uint32_t)rank;
	return MEASURE_OK;
}

static bool list_read_marks(struct rank_list *list, int parts_fd)
{
	list->nr = 0;
	if (measure_file_visit(parts_fd, list_add, list) != MEASURE_OK)
		return false;
	qsort(list->ranks, list->nr, sizeof(*list->ranks), rank_compare);
	return true;
}

/* ------------------------------------------------------------------- the decision --- */

/* The list has the size of the world in front: list->ranks has room for it. */
static bool decision_write(const struct rank_list *list, int parts_fd)
{
	char link[64], file[64] = ALL;
	const uint32_t size = list->size;

	snprintf(link, sizeof(link), MEASURE_RANKS_DECISION, own.world);
	if (list->nr < list->size) {
		snprintf(file, sizeof(file), MEASURE_RANKS_DECISION "-%" PRIu64, own.world,
			own.rank);
		memmove(list->ranks + 1, list->ranks, list->nr * sizeof(*list->ranks));
		list->ranks[0] = size;
		if (measure_file_store(parts_fd, file, list->ranks,
			    (list->nr + 1) * sizeof(*list->ranks)) != MEASURE_OK)
			return false;
	}
	return symlinkat(file, parts_fd, link) == 0 || errno == EEXIST;
}

static enum measure_ranks_known decision_read_list(
	struct rank_list *list, int parts_fd, const char *name)
{
	const int fd = measure_file_open(parts_fd, name, O_RDONLY);
	enum measure_ranks_known found = MEASURE_RANKS_UNKNOWN;
	size_t bytes = 0;

	if (fd < 0)
		return found;
	if (measure_file_read_at(fd, list->ranks, list->size * sizeof(*list->ranks),
		    sizeof(*list->ranks), &bytes) == MEASURE_OK)
		list->nr = (uint32_t)(bytes / sizeof(*list->ranks));
	for (uint32_t i = 0; i < list->nr; i++)
		if (list->ranks[i] == own.rank)
			found = MEASURE_RANKS_SOME;
	close(fd);
	return found;
}

/* False: nobody has decided yet. */
static bool decision_read(struct rank_list *list, int parts_fd, enum measure_ranks_known *found)
{
	char link[64], file[64];
	ssize_t length;

	snprintf(link, sizeof(link), MEASURE_RANKS_DECISION, own.world);
	length = readlinkat(parts_fd, link, file, sizeof(file) - 1);
	if (length < 0)
		return false;
	file[length] = '\0';
	if (strcmp(file, ALL) == 0)
		*found = MEASURE_RANKS_ALL;
	else
		*found = decision_read_list(list, parts_fd, file);
	return true;
}

static uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Where links cannot be made, all decide for themselves: they are right where all have come. */
static enum measure_ranks_known ranks_decide(struct rank_list *list, int parts_fd)
{
	const uint32_t patience = own.is_first ? PATIENCE_MS : PATIENCE_OTHERS_MS;
	struct timespec nap = {0, 100000};
	const uint64_t start = clock_ms();
	enum measure_ranks_known found;
	bool is_late;

	for (;;) {
		if (decision_read(list, parts_fd, &found))
			return found;
		is_late = clock_ms() - start > patience;
		if ((own.is_first || is_late) && list_read_marks(list, parts_fd) &&
			(is_late || list->nr == list->size) && !decision_write(list, parts_fd))
			return list->nr == list->size ? MEASURE_RANKS_ALL : MEASURE_RANKS_UNKNOWN;
		if (is_late && clock_ms() - start > 2 * PATIENCE_OTHERS_MS)
			return MEASURE_RANKS_UNKNOWN;
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < LONGEST_NAP_NS)
			nap.tv_nsec += nap.tv_nsec / 2;
	}
}

enum measure_ranks_known measure_ranks_agree(
	uint32_t rank, uint32_t size, uint32_t *ranks, uint32_t *nr)
{
	struct rank_list list = {.ranks = ranks, .size = size};
	enum measure_ranks_known found = MEASURE_RANKS_ALL;
	int parts_fd;

	*nr = 0;
	if (!measure_is_recording())
		return MEASURE_RANKS_UNKNOWN;
	/* A launcher that we know nothing of: all or nothing. */
	if (own.rank != rank || size == 1)
		return found;
	parts_fd = own.has_joined ? parts_open() : -1;
	if (parts_fd < 0)
		return MEASURE_RANKS_UNKNOWN;
	found = ranks_decide(&list, parts_fd);
	close(parts_fd);
	if (found == MEASURE_RANKS_SOME)
		*nr = list.nr;
	return found;
}
