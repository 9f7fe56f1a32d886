/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profile as bytes, for another process that has the same archive open. */
#ifndef MEASURE_ANALYSIS_PROFILE_PROFILE_PACK_H
#define MEASURE_ANALYSIS_PROFILE_PROFILE_PACK_H

#include "pack.h"
#include "profile.h"

void measure_profile_pack(const struct measure_profile *profile, measure_profile_pack_t *pack);

/* Makes a profile of a pack. False: it is none. */
bool measure_profile_unpack(struct measure_profile *profile, const struct measure_trace *trace,
	const void *data, size_t size);

/* The same as a part of something larger, into an empty profile. All call paths that are named are
 * there, but locations and other definitions may be any. */
void measure_profile_take(struct measure_profile *profile, struct measure_pack_reader *reader);

#endif
