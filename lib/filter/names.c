/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of functions without what is around them. C++ names as demanglers print them are read
 * just far enough: brackets are counted, and operators known. */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "filter/rules.h"

struct part {
	const char *begin;
	const char *end;
};

/* Behind the bracket that opens here, or the end of the text. */
static const char *skip_bracket(const char *c)
{
	int depth = 0;

	for (; *c; c++) {
		if (strchr("<([{", *c))
			depth++;
		else if (strchr(">)]}", *c) && !(*c == '>' && c[-1] == '-') && --depth == 0)
			return c + 1;
	}
	return c;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Behind "()", "<<", " new[]". */
static const char *skip_symbol(const char *c)
{
	static const char *const symbols[] = {"()", "[]", "<=>", "<<=", "<<", "<=", "->*", "->"};

	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		if (strncmp(c, symbols[i], strlen(symbols[i])) == 0)
			return c + strlen(symbols[i]);
	if (*c == '<' || *c == '>')
		c++;
	while (*c && *c != '(' && *c != '<')
		c = *c == '[' ? skip_bracket(c) : c + 1;
	return c;
}

/* Behind "operator()", "operator<< <char>", "operator new[]": up to the parameters. */
static const char *skip_operator(const char *c)
{
	c = skip_symbol(c + strlen("operator"));
	if (c[0] == ' ' && c[1] == '<')
		c++;
	return *c == '<' ? skip_bracket(c) : c;
}

static bool is_operator(const char *name, const char *c)
{
	return strncmp(c, "operator", 8) == 0 && !is_word(c[8]) && (c == name || !is_word(c[-1]));
}

static bool is_anonymous(const char *c)
{
	return strncmp(c, "(anonymous namespace)", 21) == 0 ||
	       strncmp(c, "(anonymous class)", 17) == 0;
}

/* Up to the parameters, from behind the last blank before. */
static struct part find_bare(const char *name)
{
	struct part part = {name, NULL};
	const char *c = name;

	while (*c) {
		if (is_operator(name, c)) {
			c = skip_operator(c);
		} else if (*c == '(' && !is_anonymous(c) && c > part.begin) {
			break;
		} else if (strchr("<([{", *c)) {
			c = skip_bracket(c);
		} else {
			if (*c == ' ' && c[1] != '[')
				part.begin = c + 1;
			else if (*c == ' ')
				break;
			c++;
		}
	}
	part.end = c;
	return part;
}

/* "step.constprop.0", "step.part.0.cold"; outlined bodies and contained procedures are others. */
static const char *clone_mark(const char *begin, const char *end)
{
	static const char *const marks[] = {
		".constprop", ".isra", ".part", ".cold", ".lto_priv", ".localalias"};

	for (const char *c = begin; c < end; c++)
		for (size_t i = 0; *c == '.' && i < sizeof(marks) / sizeof(*marks); i++)
			if (strncmp(c, marks[i], strlen(marks[i])) == 0)
				return c;
	return end;
}

const char *measure_filter_bare_name(const char *name, char *buffer, size_t size, char **allocated)
{
	struct part part = find_bare(name);
	size_t length;

	*allocated = NULL;
	part.end = clone_mark(part.begin, part.end);
	length = (size_t)(part.end - part.begin);
	if (part.begin == name && name[length] == '\0')
		return NULL;
	if (length + 1 > size && !(buffer = *allocated = malloc(length + 1)))
		return NULL;
	memcpy(buffer, part.begin, length);
	buffer[length] = '\0';
	return buffer;
}
