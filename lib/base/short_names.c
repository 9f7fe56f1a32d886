/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A list is what stands in brackets right behind a name: not "(anonymous namespace)", not the name
 * "operator()". */
#include "config.h"

#include "short_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char operator_word[] = "operator", const_word[] = " const";

static bool is_behind_operator(const char *names, size_t at)
{
	const size_t length = sizeof(operator_word) - 1;

	return at >= length && memcmp(names + at - length, operator_word, length) == 0;
}

static bool is_list(const char *names, size_t at, char open)
{
	const char before = at > 0 ? names[at - 1] : ' ';

	if (names[at] != open || is_behind_operator(names, at))
		return false;
	return isalnum((unsigned char)before) || before == '_' ||
	       (open == '(' && strchr(")>]}<=+-*%^&|~!,", before));
}

/* Behind the bracket that closes the one there, or that one if none does. */
static size_t end_of_list(const char *names, size_t at, char open, char close)
{
	size_t end = at;
	int depth = 0;

	for (; names[end]; end++) {
		depth += names[end] == open;
		depth -= names[end] == close;
		if (depth == 0)
			break;
	}
	if (!names[end])
		return at;
	end++;
	if (open == '(' && strncmp(names + end, const_word, sizeof(const_word) - 1) == 0)
		end += sizeof(const_word) - 1;
	return end;
}

static void remove_lists(char *names, char open, char close)
{
	size_t to = 0;

	for (size_t at = 0; names[at];) {
		const size_t end =
			is_list(names, at, open) ? end_of_list(names, at, open, close) : at;

		if (end > at)
			at = end;
		else
			names[to++] = names[at++];
	}
	names[to] = '\0';
}

/* Words with dots between them, but not those that compilers add to names of C: "f.part.0",
 * "f.cold". */
static bool is_of_python(const char *name)
{
	static const char letters[] = "_<>abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *dot = strrchr(name, '.');

	if (!dot || dot == name || strcmp(dot, ".cold") == 0)
		return false;
	for (const char *at = name; *at; at++) {
		const bool is_first = at == name || at[-1] == '.';

		if (*at == '.' ? is_first || !at[1]
			       : !((unsigned char)*at >= 0x80 || strchr(letters, *at) ||
					 (!is_first && isdigit((unsigned char)*at))))
			return false;
	}
	return true;
}

static void remove_locals(char *name)
{
	static const char locals[] = ".<locals>";

	for (char *found; (found = strstr(name, locals));)
		memmove(found, found + sizeof(locals) - 1, strlen(found + sizeof(locals) - 1) + 1);
}

const char *measure_name_of_python_end(const char *name, size_t size)
{
	const char *end = name;

	if (!is_of_python(name))
		return NULL;
	for (const char *dot; strlen(end) > size && (dot = strchr(end, '.'));) {
		if (dot[1] == '<') /* as in "module.<module>": no name of its own */
			break;
		end = dot + 1;
	}
	return end;
}

void measure_shorten_names(char *names, size_t size)
{
	if (strlen(names) >= size)
		remove_lists(names, '(', ')');
	if (strlen(names) >= size)
		remove_lists(names, '<', '>');
	if (strlen(names) >= size && is_of_python(names))
		remove_locals(names);
}
