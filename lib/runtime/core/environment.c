/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking our variables out of the environment, in place: the strings stay where they are, and
 * nothing is allocated. See exec_environment.h. */
#include "config.h"

#include "exec_environment.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#define OURS "libmeasure"

static char **environment_find(char **environment, const char *prefix)
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

/* Ours come first, each with a colon behind it where the user preloads something too (maybe
 * nothing, in an empty variable): what is left is the user's text as it was. Up to the last of
 * ours all is ours: another library may be among them. NULL: the variable was not there. */
static char *skip_ours(char *list)
{
	char *users = list;
	size_t length;

	for (;; list += length + 1) {
		length = strcspn(list, ":");
		if (is_ours(list, length))
			users = list[length] ? list + length + 1 : NULL;
		if (list[length] == '\0')
			return users;
	}
}

bool measure_environment_take(char **environment, char *part, size_t size)
{
	char **variable = environment_find(environment, MEASURE_PART_VARIABLE);

	/* A program with more rights than its user believes nothing that he says. */
	if (!variable || getauxval(AT_SECURE))
		return false;
	snprintf(part, size, "%s", *variable + strlen(MEASURE_PART_VARIABLE));
	remove_variable(variable);

	variable = environment_find(environment, MEASURE_PRELOAD_VARIABLE);
	if (!variable)
		return true;
	char *list = *variable + strlen(MEASURE_PRELOAD_VARIABLE);
	char *users = skip_ours(list);
	if (users)
		memmove(list, users, strlen(users) + 1);
	else
		remove_variable(variable);
	return true;
}
