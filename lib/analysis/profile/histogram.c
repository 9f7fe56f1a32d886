/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Histograms of durations: pages, merging, quantiles. */
#include "config.h"

#include "histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/common/containers.h"

#define FIRST_PAGES 2

uint64_t measure_histogram_representative(uint32_t bucket)
{
	uint32_t e, step;

	if (bucket < 64)
		return bucket;
	e = (bucket - 64) / 64;
	step = (bucket - 64) % 64;
	return ((uint64_t)(64 + step) << e) + (((uint64_t)1 << e) >> 1);
}

uint32_t measure_histogram_add_page(struct measure_histogram *histogram, uint32_t page)
{
	const uint32_t nr = histogram->nr_pages;

	if (nr == histogram->room) {
		const uint32_t room = nr == 0                            ? FIRST_PAGES
				      : nr > MEASURE_HISTOGRAM_PAGES / 2 ? MEASURE_HISTOGRAM_PAGES
									 : 2 * nr;
		measure_histogram_page_t *counts =
			realloc(histogram->counts, room * sizeof(*counts));

		if (!counts)
			measure_out_of_memory();
		histogram->counts = counts;
		histogram->room = (uint8_t)room;
	}
	memset(histogram->counts[nr], 0, sizeof(*histogram->counts));
	histogram->nr_pages++;
	return histogram->pages[page] = (uint8_t)(nr + 1);
}

void measure_histogram_free(struct measure_histogram *histogram)
{
	if (histogram)
		free(histogram->counts);
}

void measure_histogram_merge(
	struct measure_histogram *sum, const struct measure_histogram *histogram)
{
	for (uint32_t page = 0; histogram && page < MEASURE_HISTOGRAM_PAGES; page++) {
		const uint32_t from = histogram->pages[page];
		uint32_t to = sum->pages[page];

		if (from == 0)
			continue;
		if (to == 0)
			to = measure_histogram_add_page(sum, page);
		for (uint32_t i = 0; i < MEASURE_HISTOGRAM_PAGE_SIZE; i++)
			sum->counts[to - 1][i] += histogram->counts[from - 1][i];
	}
}

uint64_t measure_histogram_total(const struct measure_histogram *histogram)
{
	uint64_t total = 0;

	for (uint32_t page = 0; histogram && page < histogram->nr_pages; page++)
		for (uint32_t i = 0; i < MEASURE_HISTOGRAM_PAGE_SIZE; i++)
			total += histogram->counts[page][i];
	return total;
}

uint64_t measure_histogram_quantile(const struct measure_histogram *histogram, double share)
{
	const uint64_t total = measure_histogram_total(histogram);
	const double rank = ceil(share * (double)total);
	uint64_t seen = 0;

	for (uint32_t page = 0; total > 0 && page < MEASURE_HISTOGRAM_PAGES; page++) {
		const uint32_t place = histogram->pages[page];

		for (uint32_t i = 0; place > 0 && i < MEASURE_HISTOGRAM_PAGE_SIZE; i++) {
			seen += histogram->counts[place - 1][i];
			if (seen > 0 && (double)seen >= rank)
				return measure_histogram_representative(
					page * MEASURE_HISTOGRAM_PAGE_SIZE + i);
		}
	}
	return 0;
}
