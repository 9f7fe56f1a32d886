/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What recording costs, by the histograms of events that timed themselves. */
#include "config.h"

#include "summary_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERRUPTED 8 /* medians */

bool summary_timing_parse(struct summary_timing *timing, const char *text)
{
	uint64_t floor, nr;
	int length;

	memset(timing, 0, sizeof(*timing));
	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64 "%n", &timing->samples, &timing->events,
		    &timing->ticks, &length) != 3)
		return false;
	for (text += length; sscanf(text, " %" SCNu64 ":%" SCNu64 "%n", &floor, &nr, &length) == 2;
		text += length)
		timing->buckets[measure_timing_bucket(floor)] += nr;
	return true;
}

/* The middle of a bucket. */
static double middle(uint32_t bucket)
{
	return ((double)measure_timing_floor(bucket) + (double)measure_timing_floor(bucket + 1)) /
	       2;
}

double summary_timing_median(const struct summary_timing *timing)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS; i++) {
		seen += timing->buckets[i];
		if (2 * seen >= timing->samples && seen)
			return middle(i);
	}
	return 0;
}

double summary_timing_mean(const struct summary_timing *timing)
{
	double limit = INTERRUPTED * summary_timing_median(timing), sum = 0;
	uint64_t nr = 0;

	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS && middle(i) <= limit; i++) {
		sum += (double)timing->buckets[i] * middle(i);
		nr += timing->buckets[i];
	}
	return nr && timing->events
		       ? sum / (double)nr * (double)timing->samples / (double)timing->events
		       : 0;
}

#define FASTEST 0.4 /* of all transactions */

/* Of the fastest transactions, the mean: clocks may count in steps as long as an event. */
static double fastest(const struct summary_timing *timing)
{
	double wanted = FASTEST * (double)timing->samples, left = wanted, sum = 0;

	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS && left > 0; i++) {
		double nr = (double)timing->buckets[i] < left ? (double)timing->buckets[i] : left;
		sum += nr * middle(i);
		left -= nr;
	}
	return wanted > 0 ? sum / wanted : 0;
}

/* An event that times itself runs code that no other one does, which is not in the caches: it takes
 * some 10 ns more. Of functions that are called all the time the fastest ones take what the
 * processor time of paired runs tells of all of them: 10 ns where the median is 20, 30 where it is
 * 37 (tests/e2e/overhead/cost_estimate.sh). Other calls are fewer, and find the caches as the
 * program left them. */
double summary_timing_typical(const struct summary_timing *timing, uint32_t kind)
{
	double ticks =
		kind == MEASURE_TIMING_FUNCTION_ENTER || kind == MEASURE_TIMING_FUNCTION_LEAVE
			? fastest(timing)
			: summary_timing_median(timing);

	if (kind == MEASURE_TIMING_SAMPLE || timing->events == 0)
		return summary_timing_mean(timing);
	return ticks * (double)timing->samples / (double)timing->events;
}
