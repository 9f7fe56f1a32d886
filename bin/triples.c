/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock triples; see triples.h. */
#include "config.h"

#include "triples.h"

#include <string.h>
#include <unistd.h>

#include "clock/clock.h"

void measure_triples_take(struct measure_triples *triples)
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
static bool fetch(struct measure_triples *triples, struct measure_def_clock_triple *triple)
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

/* What cannot be written is not worth a word: the spooler meets the same disk. Half of one is taken
 * back, which needs no space: nothing behind it could be read. */
static void write_one(int journal_fd, const struct measure_def_clock_triple *triple)
{
	uint8_t frame[128];
	size_t size = measure_def_clock_triple_frame(triple, frame, sizeof(frame));
	off_t end = lseek(journal_fd, 0, SEEK_END);
	ssize_t written = write(journal_fd, frame, size);

	if (end >= 0 && written > 0 && written < (ssize_t)size && ftruncate(journal_fd, end) != 0)
		return;
}

void measure_triples_write(struct measure_triples *triples)
{
	struct measure_def_clock_triple triple;

	while (fetch(triples, &triple))
		write_one(triples->journal_fd, &triple);
}
