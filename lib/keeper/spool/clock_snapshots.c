/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock triples; see clock_snapshots.h. */
#include "config.h"

#include "clock_snapshots.h"

#include <string.h>
#include <unistd.h>

#include "clock/clock.h"

void measure_clock_snapshots_take(struct measure_clock_snapshots *triples)
{
	struct measure_def_clock_triple triple;

	measure_clock_triple(&triple);
	pthread_mutex_lock(&triples->lock);
	if (triples->nr < MEASURE_TRIPLES)
		triples->nr++;
	triples->waiting[triples->nr - 1] = triple;
	pthread_mutex_unlock(&triples->lock);
}

/* The oldest one. */
static bool fetch(struct measure_clock_snapshots *triples, struct measure_def_clock_triple *triple)
{
	pthread_mutex_lock(&triples->lock);
	bool is_there = triples->nr > 0;
	if (is_there) {
		*triple = triples->waiting[0];
		triples->nr--;
		memmove(triples->waiting, triples->waiting + 1,
			triples->nr * sizeof(triples->waiting[0]));
	}
	pthread_mutex_unlock(&triples->lock);
	return is_there;
}

/* What cannot be written is not worth a word: the spooler meets the same disk. Half of it is taken
 * back, which needs no space: nothing behind it could be read. */
bool measure_clock_snapshots_append(
	struct measure_clock_snapshots *triples, const uint8_t *frames, size_t size)
{
	int fd = triples->journal_fd;
	bool is_whole = false;

	pthread_mutex_lock(&triples->journal_lock);
	off_t end = lseek(fd, 0, SEEK_END);
	ssize_t written = end >= 0 ? write(fd, frames, size) : -1;
	if (written > 0 && written < (ssize_t)size && ftruncate(fd, end) == 0)
		written = -1;
	is_whole = written == (ssize_t)size;
	pthread_mutex_unlock(&triples->journal_lock);
	return is_whole;
}

static void write_one(
	struct measure_clock_snapshots *triples, const struct measure_def_clock_triple *triple)
{
	uint8_t frame[128];
	size_t size = measure_def_clock_triple_frame(triple, frame, sizeof(frame));

	measure_clock_snapshots_append(triples, frame, size);
}

void measure_clock_snapshots_write(struct measure_clock_snapshots *triples)
{
	struct measure_def_clock_triple triple;

	while (fetch(triples, &triple))
		write_one(triples, &triple);
}
