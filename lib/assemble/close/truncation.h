/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether and why the recording of a process was cut short; cuts.def has the reasons. */
#ifndef MEASURE_ASSEMBLE_CLOSE_TRUNCATION_H
#define MEASURE_ASSEMBLE_CLOSE_TRUNCATION_H

#include "assemble/part/part.h"

enum measure_truncation {
	MEASURE_TRUNCATION_NONE = 0,
#define CUT(NAME, number, word, meaning) MEASURE_TRUNCATION_##NAME = number,
#include "format/truncations.def"
#undef CUT
};

/* NULL stands for a rank that left no part. */
enum measure_truncation measure_part_truncation(const struct measure_part *part);

/* "" for MEASURE_TRUNCATION_NONE. */
const char *measure_truncation_word(enum measure_truncation cut);

#endif
