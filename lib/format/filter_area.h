/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of the segment for what a filter says of functions. Their names are not known in the
 * process: it asks for a module (an ELF object), by its number in the journal, and waits until
 * the keeper has read the symbols of that and of all modules before it. Judgements are
 * lib/filter's.
 *
 * Behind that, how many calls of each region were left out by rules that look at single calls, and
 * counted there by the threads themselves.
 *
 *	struct measure_filter_area | text of the filter | ranges of code | calls left out */
#ifndef MEASURE_FORMAT_FILTER_AREA_H
#define MEASURE_FORMAT_FILTER_AREA_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "segment.h"

#define MEASURE_FILTER_MODULES 4096          /* others are not filtered */
#define MEASURE_FILTER_RANGES  (1024 * 1024) /* in all modules; 16 MiB, sparse */
#define MEASURE_FILTER_REGIONS (256 * 1024)  /* of others all calls are recorded */
#define MEASURE_FILTER_ROWS    16            /* of counters; 32 MiB, sparse */

/* Functions next to each other that have one outcome; addresses of the ELF file. */
struct measure_filter_range {
	uint64_t low;
	uint32_t size;
	uint32_t outcome;
};

/* Its ranges in the order of their addresses, and what holds elsewhere. */
struct measure_filter_module {
	uint32_t first;
	uint32_t nr;
	uint32_t otherwise;
};

struct measure_filter_area {
	_Atomic uint32_t asked;  /* modules that the process has asked for; futex */
	_Atomic uint32_t nr_decided; /* modules decided: release; futex */
	_Atomic uint32_t is_stopped; /* the resolver has ended */
	_Atomic uint32_t nr_unread;  /* modules for whose ranges there was no room, or no symbols */
	_Atomic uint32_t nr_regions; /* above the last one of which calls may be left out */
	struct measure_filter_module modules[MEASURE_FILTER_MODULES];
	char text[]; /* three, each with its NUL: file, --exclude, --include */
};

static inline size_t measure_filter_ranges_offset(uint64_t text_size)
{
	return (sizeof(struct measure_filter_area) + text_size + 63) & ~(size_t)63;
}

static inline size_t measure_filter_counters_offset(uint64_t text_size)
{
	return measure_filter_ranges_offset(text_size) +
	       MEASURE_FILTER_RANGES * sizeof(struct measure_filter_range);
}

static inline size_t measure_filter_area_size(uint64_t text_size)
{
	return measure_filter_counters_offset(text_size) +
	       (size_t)MEASURE_FILTER_ROWS * MEASURE_FILTER_REGIONS * sizeof(uint64_t);
}

/* A row: by region. The first locations have one each, all others share the last one. */
static inline _Atomic uint64_t *measure_filter_counters(
	const struct measure_segment *segment, uint32_t row)
{
	return segment->filter_counters + (size_t)row * MEASURE_FILTER_REGIONS;
}

#endif
