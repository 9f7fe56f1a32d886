/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rules of a filter that is applied to an archive: what the first process of a job reads is
 * what all of them use. */
#ifndef MEASURE_SYNC_RUN_SYNC_RULES_H
#define MEASURE_SYNC_RUN_SYNC_RULES_H

#include <stdbool.h>

#include "filter/filter.h"
#include "sync/parallel/sync_ranks.h"

struct sync_rules {
	const char *file;              /* as named; or NULL */
	char *texts[3];                /* that in it, of --exclude, of --include; or NULL */
	struct measure_filter *filter; /* NULL: nothing is left out */
};

/* Another --exclude or --include. */
void sync_rules_add(struct sync_rules *rules, bool is_include, const char *rule);

static inline bool sync_rules_are_given(const struct sync_rules *rules)
{
	return rules->file || rules->texts[1] || rules->texts[2];
}

/* In the first process. False: something is wrong with them, which has been said with its place and
 * the `consequence`, such as "nothing was written". */
bool sync_rules_read(struct sync_rules *rules, const char *consequence);

/* Collective: texts and filter of the first process for all. */
void sync_rules_share(struct sync_rules *rules, const struct measure_sync_job *job);

void sync_rules_free(struct sync_rules *rules);

#endif
