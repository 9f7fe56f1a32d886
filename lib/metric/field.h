/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers in files of /proc. */
#ifndef MEASURE_METRIC_FIELD_H
#define MEASURE_METRIC_FIELD_H

#include <stdbool.h>
#include <stdint.h>

/* The number behind "<key>:" at the begin of a line. */
bool measure_field_by_key(const char *text, const char *key, uint64_t *value);

/* The number-th word of /proc/<pid>/stat, as proc(5) counts, above 2: the name may have blanks. */
bool measure_field_of_stat(const char *text, uint32_t number, uint64_t *value);

#endif
