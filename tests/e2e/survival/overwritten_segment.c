/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that writes all over the memory that it shares with its keeper:
 *
 *	scribble SEED	what it writes where follows from SEED, and so does how it ends
 *	scribble sure	overwrites what must be noticed: the second chunk that is in work
 *	scribble words	overwrites all that its keepers could ask for how it stands, and what is where:
 *			layout and configuration, whose pages it makes writable
 *
 * It records all the while, prints "scribbled", and ends when its standard input does. */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "format/segment.h"

#define NR_ROUNDS  40
#define NR_CALLS   20000
#define PATIENCE_S 20 /* it may well hang, as its own memory is not what it was */

static volatile unsigned sink;
static uint64_t state;

static void leaf(int i)
{
	sink += (unsigned)i;
}

static void work(void)
{
	for (int i = 0; i < NR_CALLS; i++)
		leaf(i);
}

static void *work_too(void *unused)
{
	for (int i = 0; i < NR_ROUNDS; i++)
		work();
	return unused;
}

__attribute__((no_instrument_function)) static uint64_t draw(uint64_t limit)
{
	return measure_random(&state) % limit;
}

__attribute__((no_instrument_function)) static uint8_t *find_segment(void)
{
	char line[512];
	unsigned long begin = 0;
	FILE *maps = fopen("/proc/self/maps", "re");

	while (maps && !begin && fgets(line, sizeof(line), maps))
		if (strstr(line, MEASURE_SEGMENT_LINK))
			begin = strtoul(line, NULL, 16);
	if (maps)
		fclose(maps);
	return (uint8_t *)begin;
}

/* A place where something lies, more often than not. */
__attribute__((no_instrument_function)) static uint64_t choose_place(
	const struct measure_segment_layout *layout)
{
	const uint64_t parts[] = {0, offsetof(struct measure_segment_header, state),
		layout->locations_offset, layout->timings_offset, layout->releases_offset,
		layout->chunk_states_offset, layout->stacks_offset, layout->journal_offset,
		layout->chunks_offset, layout->chunks_offset + layout->chunk_size};
	const uint64_t place = parts[draw(sizeof(parts) / sizeof(parts[0]))];

	return draw(8) ? place + draw(draw(2) ? 256 : 4096) : draw(layout->size - 8);
}

__attribute__((no_instrument_function)) static uint64_t choose_value(void)
{
	switch (draw(4)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return draw(16);
	default:
		return measure_random(&state);
	}
}

/* With the layout, every fourth program makes its pages writable. */
__attribute__((no_instrument_function)) static void scribble(
	uint8_t *segment, const struct measure_segment_layout *layout, bool is_total)
{
	size_t constant = offsetof(struct measure_segment_header, state);
	uint64_t place = choose_place(layout), value = choose_value();
	size_t size = draw(2) ? 4 : 8;

	if (place < constant && !is_total)
		place += constant;
	memcpy(segment + place, &value, size);
}

__attribute__((no_instrument_function)) static void scribble_for_sure(
	uint8_t *segment, const struct measure_segment_layout *layout)
{
	struct measure_segment_chunk *chunks = (void *)(segment + layout->chunk_states_offset);

	for (uint32_t i = 0; i < layout->nr_chunks; i++)
		if (chunks[i].state == MEASURE_CHUNK_CURRENT)
			memset(segment + layout->chunks_offset + (uint64_t)i * layout->chunk_size,
				0xa5, 4096);
}

__attribute__((no_instrument_function)) static void wait_for_end(void)
{
	char byte;

	puts("scribbled");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
}

__attribute__((no_instrument_function)) static int scribble_words(uint8_t *segment)
{
	size_t size = sizeof(struct measure_segment_header);

	mprotect(segment, size, PROT_READ | PROT_WRITE);
	memset(segment, 0xff, size);
	wait_for_end();
	return 0;
}


int main(int argc, char **argv)
{
	struct measure_segment_layout layout;
	bool is_sure = argc > 1 && strcmp(argv[1], "sure") == 0;
	pthread_t thread;

	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	signal(SIGALRM, SIG_DFL);
	alarm(PATIENCE_S);
	work();
	uint8_t *segment = find_segment();
	if (!segment)
		return 3;
	if (argc > 1 && strcmp(argv[1], "words") == 0)
		return scribble_words(segment);
	memcpy(&layout, segment, sizeof(layout));
	bool is_total = draw(4) == 0;
	if (is_total)
		mprotect(segment, layout.locations_offset, PROT_READ | PROT_WRITE);
	pthread_create(&thread, NULL, work_too, NULL);
	for (int i = 0; i < NR_ROUNDS && !is_sure; i++) {
		work();
		if (i >= NR_ROUNDS / 2)
			scribble(segment, &layout, is_total);
	}
	pthread_join(thread, NULL);
	if (is_sure)
		scribble_for_sure(segment, &layout);
	wait_for_end();
	if (draw(3) == 0)
		raise(SIGSEGV);
	if (draw(2) == 0)
		kill(getpid(), SIGKILL);
	return 0;
}
