/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of adapters that choose groups of calls (--mpi-groups): one way to write them. All of
 * it inline, as adapters have no code in common. `measure` reads the option first and refuses
 * words that are no group. */
#ifndef MEASURE_API_CALL_GROUPS_H
#define MEASURE_API_CALL_GROUPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum measure_group_when {
	MEASURE_GROUP_OFF,  /* only where the option says so */
	MEASURE_GROUP_AUTO, /* unless the option says otherwise */
	MEASURE_GROUP_ALWAYS
};

/* A row of groups_mpi.def or groups_pthread.def. Group i is bit i of a choice. */
struct measure_call_group {
	const char *name;
	enum measure_group_when when;
};

struct measure_call_groups {
	const struct measure_call_group *items;
	unsigned nr;
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
	return 0;
}

static inline size_t measure_groups_sign(const char *word)
{
	return *word == '+' || *word == '-' ? 1 : 0;
}

/* The first word that is no group, and its length; NULL: all are. */
static inline const char *measure_groups_unknown(
	const struct measure_call_groups *groups, const char *text, size_t *nr)
{
	while (*text) {
		const size_t skip = measure_groups_sign(text);

		*nr = strcspn(text, ",") - skip;
		if (skip + *nr > 0 && !measure_groups_find(groups, text + skip, *nr))
			return text + skip;
		text += skip + *nr;
		text += *text == ',';
	}
	return NULL;
}

/* The groups as bits, from the option's text: names with commas, "auto", "all"; where the first
 * has a sign, auto is changed. */
static inline uint32_t measure_groups_choose(const struct measure_call_groups *groups,
	const char *text)
{
	uint32_t chosen = *text == '+' || *text == '-' || !*text
				  ? measure_groups_from(groups, MEASURE_GROUP_AUTO)
				  : 0;

	for (const char *word = text; *word;) {
		const char sign = *word;
		const size_t skip = measure_groups_sign(word);
		const size_t length = strcspn(word, ",");
		const uint32_t found = measure_groups_find(groups, word + skip, length - skip);

		chosen = sign == '-' ? chosen & ~found : chosen | found;
		word += length + (word[length] == ',' ? 1 : 0);
	}
	return chosen | measure_groups_from(groups, MEASURE_GROUP_ALWAYS);
}

#endif
