/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The option --mpi-groups. */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "groups.h"

enum when { OFF, AUTO, ALWAYS };

static const struct {
	const char *name;
	enum when when;
} groups[NR_GROUPS] = {
#define GROUP(name, when) {#name, when},
#include "groups.def"
#undef GROUP
};

#define BIT(group)    (1u << GROUP_##group)
#define ALL           ((1u << NR_GROUPS) - 1)
#define WITH_REQUESTS (BIT(p2p) | BIT(coll) | BIT(comm) | BIT(rma) | BIT(io) | BIT(ext))

/* All groups that are on at least so much. */
static uint32_t groups_from(enum when when)
{
	uint32_t found = 0;

	for (int group = 0; group < NR_GROUPS; group++)
		if (groups[group].when >= when)
			found |= 1u << group;
	return found;
}

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(word, name, length) == 0;
}

static uint32_t find_word(const char *word, size_t length)
{
	if (is_word(word, length, "all"))
		return ALL;
	if (is_word(word, length, "auto"))
		return groups_from(AUTO);
	for (int group = 0; group < NR_GROUPS; group++)
		if (is_word(word, length, groups[group].name))
			return 1u << group;
	if (length > 0)
		fprintf(stderr, "measure: there is no group of MPI calls named '%.*s'\n",
			(int)length, word);
	return 0;
}

uint32_t measure_groups_parse(const char *text)
{
	uint32_t chosen = *text == '+' || *text == '-' || !*text ? groups_from(AUTO) : 0;

	for (const char *word = text; *word;) {
		const char sign = *word;
		const size_t skip = sign == '+' || sign == '-' ? 1 : 0;
		const size_t length = strcspn(word, ",");
		const uint32_t found = find_word(word + skip, length - skip);

		chosen = sign == '-' ? chosen & ~found : chosen | found;
		word += length + (word[length] == ',' ? 1 : 0);
	}
	if (chosen & WITH_REQUESTS)
		chosen |= BIT(req);
	return chosen | groups_from(ALWAYS);
}
