/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What interfaces of annotations have in common: ranges of a thread, ranges that overlap, marks. */
#ifndef MEASURE_RANGES_ANNOTATIONS_H
#define MEASURE_RANGES_ANNOTATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/texts.h"
#include "adapter.h"

/* One, as the program describes it. */
struct annotation {
	struct measure_text *text; /* its name, of annotation_text(); NULL: there are too many */
	uint32_t domain;
	uint32_t category; /* 0: none */
	bool has_payload;
	uint8_t payload_type; /* OTF2_TYPE_UINT64, _INT64, _DOUBLE */
	union {
		uint64_t unsigned_int;
		int64_t signed_int;
		double floating_point;
	} payload;
};

/* A name in a domain. Only while this process records. */
struct measure_text *annotation_text(const char *name, uint32_t domain);

/* Begins a region; returns how many of the domain this thread has pushed before. */
int32_t annotation_push(const struct annotation *annotation);

/* Ends the region that the thread has pushed last in the domain; returns how many remain, or -1
 * where there was none. */
int32_t annotation_pop(uint32_t domain);

/* A range that any thread may end, with measure_range_stop(); returns its number, which is `number`
 * where that is not 0. */
uint64_t annotation_start(const struct annotation *annotation, uint64_t number);

void annotation_mark(const struct annotation *annotation, const char *interface);

#endif
