/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Colours of what locations do: functions that took long have one of their own, all else that of
 * its class. */
#ifndef MEASURE_PICTURE_TIMELINE_INKS_H
#define MEASURE_PICTURE_TIMELINE_INKS_H

#include "picture/picture_internal.h"

struct timeline_inks {
	uint8_t *of_paths; /* enum measure_ink, by call path of the profile */
	size_t nr_paths;
	uint32_t functions[MEASURE_NR_INKS];  /* region of an ink, or MEASURE_NONE */
	const char *classes[MEASURE_NR_INKS]; /* text of others, or NULL */
};

/* Depends on the profile of the whole run only, so that all pictures of a run are alike. */
void timeline_inks_make(struct timeline_inks *inks, const struct measure_profile *profile);
void timeline_inks_free(struct timeline_inks *inks);

#endif
