/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One way to break each rule of checks.def. */
#ifndef TESTS_UNIT_TRACE_VIOLATIONS_H
#define TESTS_UNIT_TRACE_VIOLATIONS_H

#include "made_archive.h"
#include "trace/common/findings.h"

struct t_violation {
	enum measure_check check;
	/* Breaks the sound archive; returns a second check that has to find it too, or
	 * MEASURE_NR_CHECKS. */
	enum measure_check (*edit)(struct t_archive *archive);
};

extern const struct t_violation t_violations[];
extern const size_t t_nr_violations;

#endif
