/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Domains, which have ranges, categories and names of their own, and names of categories. */
#ifndef MEASURE_RANGES_DOMAINS_H
#define MEASURE_RANGES_DOMAINS_H

#include <stdint.h>

#include "adapter.h"

/* Known by number; 0 is the one without a name. Equal names are one domain. Of more than
 * MOST_DOMAINS, and where nothing is recorded, the number is 0. */
#define MOST_DOMAINS 1024
uint32_t domain_find(const char *name);

/* NULL: it has none. */
const char *domain_name(uint32_t domain);

/* Names a category; a later name replaces it. Of more than 4096, further ones have their numbers as
 * names. */
void category_name(uint32_t domain, uint32_t category, const char *name);

/* The name as a definition + 1, and its text. Only while this process records. */
uint32_t category_text(uint32_t domain, uint32_t category, const char **text);

/* In a forked child: another thread may have been in here. */
void domains_restart(void);

#endif
