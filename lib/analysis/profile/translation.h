/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the words of one process to those of an archive: what keys and numbers in the profile of a
 * location that was folded by local_trace.h mean, once its definitions are known. */
#ifndef MEASURE_ANALYSIS_PROFILE_TRANSLATION_H
#define MEASURE_ANALYSIS_PROFILE_TRANSLATION_H

#include "profile.h"
#include "trace/archive/ranks.h"

struct measure_translation {
	const struct measure_trace *trace;
	struct measure_ranks *ranks;
	uint32_t location;
};

/* A region, or MEASURE_PSEUDO_UNDEFINED where there is no such definition. */
uint32_t measure_translate_region(const struct measure_translation *translation, uint32_t region);

/* The key of a row of a table, but for call paths in it. */
struct measure_key measure_translate_key(const struct measure_translation *translation,
	enum measure_table_name name, struct measure_key key);

/* A member of a metric class; MEASURE_NONE: there is no such definition. */
uint32_t measure_translate_member(const struct measure_translation *translation, uint32_t member);

#endif
