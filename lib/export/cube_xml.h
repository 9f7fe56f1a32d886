/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The anchor of a file of Cube: its metrics, call paths and locations. */
#ifndef MEASURE_EXPORT_CUBE_XML_H
#define MEASURE_EXPORT_CUBE_XML_H

#include <stdio.h>

#include "cube_metrics.h"

/* Numbers in the file: ascending in the order in which things stand in it, which is that of the
 * values in the data of metrics. */
struct cube_numbers {
	uint32_t *paths;     /* by path; MEASURE_NONE: it is not there */
	uint32_t *locations; /* by location */
	uint32_t nr_paths, nr_locations;
};

void cube_write_anchor(const struct cube_metrics *metrics, struct cube_numbers *numbers, FILE *out);
void cube_numbers_free(struct cube_numbers *numbers);

#endif
