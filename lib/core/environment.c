/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking our variables out of the environment, in place: the strings stay where they are, and
 * nothing is allocated. See environment.h. */
#include "config.h"

#include "core/environment.h"

#include <stdio.h>
#include <string.h>

#define PART	"MEASURE_PART="
#define PRELOAD "LD_PRELOAD="
#define OURS	"libmeasure"

static char **find(char **environment, const char *prefix)
{
	for (char **variable = environment; variable && *variable; variable++) {
		if (strncmp(*variable, prefix, strlen(prefix)) == 0)
			return variable;
	}
	return NULL;
}

static void remove_variable(char **variable)
{
	do
		variable[0] = variable[1];
	while (*variable++);
}

static bool is_ours(const char *path, size_t length)
{
	const char *name = path;

	for (size_t i = 0; i < length; i++) {
		if (path[i] == '/')
			name = path + i + 1;
	}
	return (size_t)(path + length - name) >= strlen(OURS) &&
		strncmp(name, OURS, strlen(OURS)) == 0;
}

/* Keeps the others in their order; separators are colons and blanks. Returns what is left. */
static size_t keep_others(char *list)
{
	char *kept = list;

	for (char *path = list; *path;) {
		size_t length = strcspn(path, ": ");
		bool has_next = path[length] != '\0';

		if (length > 0 && !is_ours(path, length)) {
			if (kept != list)
				*kept++ = ':';
			memmove(kept, path, length);
			kept += length;
		}
		path += length + has_next;
	}
	*kept = '\0';
	return (size_t)(kept - list);
}

bool measure_environment_take(char **environment, char *part, size_t size)
{
	char **variable = find(environment, PART);

	if (!variable)
		return false;
	snprintf(part, size, "%s", *variable + strlen(PART));
	remove_variable(variable);

	variable = find(environment, PRELOAD);
	if (variable && keep_others(*variable + strlen(PRELOAD)) == 0)
		remove_variable(variable);
	return true;
}
