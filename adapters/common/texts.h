/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts that come again: each has one entry, found without a lock. Entries are never freed. Each
 * adapter is built with a copy of its own. */
#ifndef MEASURE_COMMON_TEXTS_H
#define MEASURE_COMMON_TEXTS_H

#include <stdint.h>

#include "site_ids.h"

/* Of names of sites, the kind of the site; of values this. */
#define MEASURE_TEXT_VALUE UINT32_MAX

#define MEASURE_MOST_TEXTS   65536      /* of values, and as many names; each takes a definition */
#define MEASURE_MOST_BYTES   (16 << 20) /* of either */
#define MEASURE_LONGEST_TEXT 4096       /* bytes; what is behind that of a value is cut off */

struct measure_text {
	struct measure_site site; /* its name is the text; of a value only the id is of use */
	uint32_t kind;
	uint64_t hash;
	struct measure_text *next; /* never changes */
};

/* The entry, made where there was none; NULL: there are too many, or there is no memory. */
struct measure_text *measure_text_find(const char *text, uint32_t kind);

/* The definition of a text as a value + 1; beyond the limit all are one. 0: nothing is recorded. */
uint32_t measure_text_value(const char *text);

/* The same of an entry that was found as a value; NULL: it is beyond the limit. */
uint32_t measure_text_id(struct measure_text *text);

/* In a forked child: another thread may have been in here. */
void measure_texts_restart(void);

#endif
