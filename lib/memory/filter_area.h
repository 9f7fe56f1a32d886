/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of the segment for what a filter says of functions. Their names are not known in the
 * process: it asks for a module (an ELF object), by its number in the journal, and waits until
 * the keeper has read the symbols of that and of all modules before it. Judgements are
 * lib/filter's.
 *
 *	struct measure_filter_area | text of the filter | ranges of code */
#ifndef MEASURE_MEMORY_FILTER_AREA_H
#define MEASURE_MEMORY_FILTER_AREA_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_FILTER_MODULES 4096          /* others are not filtered */
#define MEASURE_FILTER_RANGES  (1024 * 1024) /* in all modules; 16 MiB, sparse */

/* Functions next to each other that have one judgement; addresses of the ELF file. */
struct measure_filter_range {
	uint64_t low;
	uint32_t size;
	uint32_t judgement;
};

/* Its ranges in the order of their addresses, and what holds elsewhere. */
struct measure_filter_module {
	uint32_t first;
	uint32_t nr;
	uint32_t otherwise;
};

struct measure_filter_area {
	uint64_t text_size;      /* three texts, each with its NUL: file, --exclude, --include */
	_Atomic uint32_t asked;  /* modules that the process has asked for; futex */
	_Atomic uint32_t judged; /* modules judged: release; futex */
	_Atomic uint32_t is_stopped; /* nobody judges any more */
	_Atomic uint32_t nr_unread;  /* modules for whose ranges there was no room, or no symbols */
	struct measure_filter_module modules[MEASURE_FILTER_MODULES];
	char text[];
};

static inline size_t measure_filter_ranges_offset(uint64_t text_size)
{
	return (sizeof(struct measure_filter_area) + text_size + 63) & ~(size_t)63;
}

static inline struct measure_filter_range *measure_filter_ranges(struct measure_filter_area *area)
{
	return (void *)((uint8_t *)area + measure_filter_ranges_offset(area->text_size));
}

#endif
