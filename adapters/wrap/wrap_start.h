/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the parts of libmeasure-wrap.so share. Wrappers are in libraries that measure-wrap(1) has
 * written; lib/api/wrap.h is what they call. */
#ifndef MEASURE_WRAP_START_H
#define MEASURE_WRAP_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapter.h"
#include "wrap.h"

/* Bytes of a text that are recorded, without its NUL. */
#define MEASURE_WRAP_LONGEST_TEXT 63

/* Copies a text that may be no text at all: what cannot be read is "(unreadable)", and what the
 * text has beyond the limit, or behind what is no UTF-8, is cut off. Returns the length. Keeps
 * errno. The first text on a page asks the system whether the page can be read. */
size_t measure_wrap_text_copy(const char *text, char copy[MEASURE_WRAP_LONGEST_TEXT + 1]);

/* Can the page of this address be read? */
bool measure_wrap_can_read(const void *address);

/* The definition of a text, made at its first use; beyond the limit all texts are one. */
#define MEASURE_WRAP_MOST_TEXTS 8192
measure_string_t measure_wrap_text_define(const char *text, size_t length);

/* Values as attributes of the next record. Returns how many. */
uint32_t measure_wrap_values_convert(const struct measure_wrap_attribute *attributes, uint32_t nr,
	const union measure_wrap_value *values,
	struct measure_typed_value converted[MEASURE_WRAP_MOST_VALUES]);

#endif
