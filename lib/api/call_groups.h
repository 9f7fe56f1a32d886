/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of adapters that choose groups of calls (--mpi-groups): one way to write them. All of
 * it inline, as adapters have no code in common. */
#ifndef MEASURE_API_CALL_GROUPS_H
#define MEASURE_API_CALL_GROUPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum measure_group_when {
	MEASURE_GROUP_OFF,  /* only where the option says so */
	MEASURE_GROUP_AUTO, /* unless the option says otherwise */
	MEASURE_GROUP_ALWAYS
};

/* A row of an adapter's groups.def. Group i is bit i of a choice. */
struct measure_call_group {
	const char *name;
	enum measure_group_when when;
};

struct measure_call_groups {
	const struct measure_call_group *items;
	unsigned nr;
	const char *paradigm; /* "MPI": for what is said */
};

/* All groups that are on at least so much. */
static inline uint32_t measure_groups_from(const struct measure_call_groups *groups,
	enum measure_group_when when)
{
	uint32_t found = 0;

	for (unsigned i = 0; i < groups->nr; i++)
		if (groups->items[i].when >= when)
			found |= UINT32_C(1) << i;
	return found;
}

static inline bool measure_groups_is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(word, name, length) == 0;
}

static inline uint32_t measure_groups_find(const struct measure_call_groups *groups,
	const char *word, size_t length)
{
	if (measure_groups_is_word(word, length, "all"))
		return measure_groups_from(groups, MEASURE_GROUP_OFF);
	if (measure_groups_is_word(word, length, "auto"))
		return measure_groups_from(groups, MEASURE_GROUP_AUTO);
	for (unsigned i = 0; i < groups->nr; i++)
		if (measure_groups_is_word(word, length, groups->items[i].name))
			return UINT32_C(1) << i;
	if (length > 0)
		fprintf(stderr, "measure: there is no group of %s calls named '%.*s'\n",
			groups->paradigm, (int)length, word);
	return 0;
}

/* The groups as bits, from the option's text: names with commas, "auto", "all"; where the first
 * has a sign, auto is changed. A name that is no group is said on stderr, once each. */
static inline uint32_t measure_groups_choose(const struct measure_call_groups *groups,
	const char *text)
{
	uint32_t chosen = *text == '+' || *text == '-' || !*text
				  ? measure_groups_from(groups, MEASURE_GROUP_AUTO)
				  : 0;

	for (const char *word = text; *word;) {
		const char sign = *word;
		const size_t skip = sign == '+' || sign == '-' ? 1 : 0;
		const size_t length = strcspn(word, ",");
		const uint32_t found = measure_groups_find(groups, word + skip, length - skip);

		chosen = sign == '-' ? chosen & ~found : chosen | found;
		word += length + (word[length] == ',' ? 1 : 0);
	}
	return chosen | measure_groups_from(groups, MEASURE_GROUP_ALWAYS);
}

#endif
