/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts that come again: each has one entry, found without a lock. Entries are never freed. */
#ifndef MEASURE_USER_TEXTS_H
#define MEASURE_USER_TEXTS_H

#include <stdint.h>

#include "user_start.h"

/* Of names of sites, the kind of the site; of values of parameters this. */
#define MEASURE_TEXT_VALUE UINT32_MAX

#define MEASURE_MOST_TEXTS   65536      /* of values, and as many names; each takes a definition */
#define MEASURE_MOST_BYTES   (16 << 20) /* of either */
#define MEASURE_LONGEST_TEXT 4096       /* bytes; what is behind that of a value is cut off */

struct measure_user_text {
	struct measure_site site; /* its name is the text; of a value only the id is of use */
	uint32_t kind;
	uint64_t hash;
	struct measure_user_text *next; /* never changes */
};

/* The entry, made where there was none; NULL: there are too many, or there is no memory. */
struct measure_user_text *measure_text_find(const char *text, uint32_t kind);

/* The definition of a text as a value + 1; beyond the limit all are one. 0: nothing is recorded. */
uint32_t measure_text_value(const char *text);

/* In a forked child: another thread may have been in here. */
void measure_texts_restart(void);

#endif
