/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profile as bytes, for another process that has the same archive open on a machine of the same
 * kind. */
#ifndef MEASURE_ANALYSIS_PROFILE_PROFILE_PACK_H
#define MEASURE_ANALYSIS_PROFILE_PROFILE_PACK_H

#include "base/array.h"
#include "profile.h"

/* Freed by free(pack.items). */
typedef MEASURE_ARRAY(char) measure_profile_pack_t;

void measure_profile_pack(const struct measure_profile *profile, measure_profile_pack_t *pack);

/* Makes a profile of a pack. False: it is none. */
bool measure_profile_unpack(struct measure_profile *profile, const struct measure_trace *trace,
	const void *data, size_t size);

#endif
