/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether and why the recording of a process was cut short; cuts.def has the reasons. */
#ifndef MEASURE_ASSEMBLE_CUT_H
#define MEASURE_ASSEMBLE_CUT_H

#include "assemble/part.h"

enum measure_cut {
	MEASURE_CUT_NONE = 0,
#define CUT(NAME, number, word, meaning) MEASURE_CUT_##NAME = number,
#include "assemble/cuts.def"
#undef CUT
};

/* NULL stands for a rank that left no part. */
enum measure_cut measure_part_cut(const struct measure_part *part);

/* "" for MEASURE_CUT_NONE. */
const char *measure_cut_word(enum measure_cut cut);
const char *measure_cut_meaning(enum measure_cut cut);

#endif
