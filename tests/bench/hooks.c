/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a compiler Enter or Leave costs, compiled with -finstrument-functions. Without measure the hooks are
 * libc's empty ones. Usage: hooks MODE [MEVENTS]
 *
 *	batches      short bursts with pauses, so that memory is always there: "event_ns MEDIAN"
 *	sustained    MEVENTS million events at a stretch: "event_ns MEAN", and the longest time that
 *	             100 events took, "longest_us" (less is not told from what other programs do) */
#include "config.h"

#include "leaf.h"

enum { BATCHES = 151, PAIRS_PER_LOOK = 50 };

BENCH_PLAIN void batches(void)
{
	double values[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		values[i] = batch();
	}
	printf("event_ns %.2f\n", bench_median(values, BATCHES));
}

BENCH_PLAIN void sustained(double million_events)
{
	uint64_t nr_looks = (uint64_t)(million_events * 1e6 / (2.0 * PAIRS_PER_LOOK));
	uint64_t begin = bench_now(), last = begin, longest = 0;

	for (uint64_t look = 0; look < nr_looks; look++) {
		uint64_t now;

		for (int i = 0; i < PAIRS_PER_LOOK; i++)
			leaf();
		now = bench_now();
		if (now - last > longest)
			longest = now - last;
		last = now;
	}
	printf("event_ns %.2f\n", (double)(last - begin) / ((double)nr_looks * 2 * PAIRS_PER_LOOK));
	printf("longest_us %.1f\n", (double)longest / 1e3);
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: hooks batches | sustained [MEVENTS]\n", stderr);
		return 2;
	}
	/* The first event makes threads of the tool, which must not inherit the pin. */
	leaf();
	bench_pause(100);
	bench_pin();
	if (strcmp(argv[1], "batches") == 0)
		batches();
	else
		sustained(argc > 2 ? atof(argv[2]) : 20);
	return 0;
}
