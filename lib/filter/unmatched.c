/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which patterns of a filter fit nothing: they may be misspelt. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "filter/names.h"
#include "base/file.h"
#include "filter/rules.h"

struct unmatched_visit {
	const struct measure_filter_region *regions;
	struct measure_filter_name *names; /* of the regions */
	size_t nr;
	bool is_exact; /* the rule that is looked at */
	void (*tell)(void *context, const char *pattern);
	void *context;
};

static bool fits(const struct unmatched_visit *visit, const struct measure_patterns *pattern,
	enum measure_filter_key key, size_t place)
{
	const struct measure_filter_region *region = &visit->regions[place];

	switch (key) {
	case MEASURE_KEY_MANGLED:
		return region->mangled && measure_patterns_match(pattern, region->mangled);
	case MEASURE_KEY_FILE:
		return region->file &&
		       (measure_patterns_match(pattern, region->file) ||
			       measure_patterns_match(pattern, measure_base_name(region->file)));
	case MEASURE_KEY_NAME:
	case MEASURE_KEY_WITHIN:
		return visit->is_exact ? measure_patterns_match(pattern, visit->names[place].whole)
				       : measure_patterns_match_name(pattern, &visit->names[place]);
	default:
		return true;
	}
}

static void unmatched_look(const struct unmatched_visit *visit,
	const struct measure_patterns *pattern, enum measure_filter_key key, const char *text)
{
	for (size_t i = 0; i < visit->nr; i++)
		if (fits(visit, pattern, key, i))
			return;
	visit->tell(visit->context, text);
}

static void look_at_rule(struct unmatched_visit *visit, const struct measure_filter_rule *rule)
{
	visit->is_exact = rule->is_exact;
	for (int key = 0; key < MEASURE_KEYS; key++) {
		const struct measure_patterns *all = &rule->texts[key];
		for (size_t i = 0; i < all->literals.nr; i++)
			unmatched_look(visit,
				&(struct measure_patterns){
					.literals = {.items = &all->literals.items[i], .nr = 1}},
				(enum measure_filter_key)key, all->literals.items[i]);
		for (size_t i = 0; i < all->globs.nr; i++)
			unmatched_look(visit,
				&(struct measure_patterns){
					.globs = {.items = &all->globs.items[i], .nr = 1}},
				(enum measure_filter_key)key, all->globs.items[i]);
	}
}

void measure_filter_visit_unmatched(const struct measure_filter *filter,
	const struct measure_filter_region *regions, size_t nr,
	void (*tell)(void *context, const char *pattern), void *context)
{
	struct measure_filter_name *names = malloc((nr + 1) * sizeof(*names));
	struct unmatched_visit visit = {
		.regions = regions, .names = names, .nr = nr, .tell = tell, .context = context};

	if (!names)
		return;
	for (size_t i = 0; i < nr; i++)
		measure_filter_name_make(&names[i], regions[i].name ? regions[i].name : "");
	for (size_t i = 0; i < filter->files.rules.nr; i++)
		look_at_rule(&visit, &filter->files.rules.items[i]);
	for (size_t i = 0; i < filter->main.rules.nr; i++)
		look_at_rule(&visit, &filter->main.rules.items[i]);
	for (size_t i = 0; i < nr; i++)
		measure_filter_name_free(&names[i]);
	free(names);
}
