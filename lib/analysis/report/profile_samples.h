/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Samples of a profile by function. */
#ifndef MEASURE_ANALYSIS_REPORT_PROFILE_SAMPLES_H
#define MEASURE_ANALYSIS_REPORT_PROFILE_SAMPLES_H

#include "analysis/profile/profile.h"

struct measure_sampled_function {
	uint64_t self;  /* samples in which it is the innermost one */
	uint64_t whole; /* in which it is anywhere in the stack */
	uint32_t region;
};

/* The most `self` first, nr of them; to be freed by measure_free(). */
struct measure_sampled_function *measure_profile_sampled_functions(
	const struct measure_profile *profile, size_t *nr);

#endif
