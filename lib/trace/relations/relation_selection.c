/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The names of relations on the command line. */
#include "config.h"

#include "relation_selection.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void measure_selection_default(struct measure_selection *selection)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		selection->is_on[i] = measure_relations[i].is_on;
	selection->rendezvous = UINT64_MAX;
}

static bool is_name_of(const char *word, const char *name, size_t length)
{
	if (strlen(word) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (name[i] != (word[i] == ' ' ? '-' : tolower((unsigned char)word[i])))
			return false;
	return true;
}

/* False: no relation is called so. */
static bool relation_selection_set(
	struct measure_selection *selection, const char *name, size_t length, bool is_on)
{
	const bool is_all = is_name_of("all", name, length);
	bool is_found = is_all;

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		if (!is_all && !is_name_of(measure_relations[i].word, name, length))
			continue;
		selection->is_on[i] = is_on;
		is_found = true;
	}
	return is_found;
}

bool measure_selection_parse(
	struct measure_selection *selection, const char *list, const char **wrong)
{
	for (const char *item = list, *next; item; item = next) {
		size_t length = strcspn(item, ",");

		*wrong = item;
		next = item[length] ? item + length + 1 : NULL;
		if ((*item != '+' && *item != '-') ||
			!relation_selection_set(selection, item + 1, length - 1, *item == '+'))
			return false;
	}
	return true;
}

bool measure_selection_set_rendezvous(struct measure_selection *selection, const char *bytes)
{
	char *end;

	errno = 0;
	selection->rendezvous = strtoull(bytes, &end, 10);
	selection->is_on[MEASURE_RELATION_RENDEZVOUS] = true;
	return isdigit((unsigned char)*bytes) && *end == '\0' && errno == 0;
}
