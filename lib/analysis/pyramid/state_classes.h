/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classes of what a location does, see state_classes.def, and the class of each region. */
#ifndef MEASURE_ANALYSIS_PYRAMID_STATE_CLASSES_H
#define MEASURE_ANALYSIS_PYRAMID_STATE_CLASSES_H

#include <stdint.h>

#include "trace/archive/definitions.h"

enum measure_state_class {
#define STATE_CLASS(NAME, word, text) MEASURE_STATE_##NAME,
#include "state_classes.def"
#undef STATE_CLASS
	MEASURE_NR_STATE_CLASSES
};

struct measure_state_class_info {
	const char *word, *text;
};

extern const struct measure_state_class_info measure_state_classes[MEASURE_NR_STATE_CLASSES];

/* By region; to be freed by measure_free(). */
uint8_t *measure_state_classes_find(const struct measure_definitions *definitions);

/* Of a region, or of an enum measure_pseudo_region. */
enum measure_state_class measure_state_class_of(
	const uint8_t *classes, const struct measure_definitions *definitions, uint32_t region);

#endif
