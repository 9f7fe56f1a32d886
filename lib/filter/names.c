/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The qualified name in the name of a function. Demanglers print a C++ function as it would be
 * declared, "int (*ns::get<int>(int))(double)": the text is read as a declaration, just far enough
 * to tell where the name begins and where the parameters end. Both the GNU and the LLVM demangler
 * are known here; what is not understood is left as it is. */
#include "config.h"

#include "filter/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 256 /* brackets in brackets */

struct names_found {
	const char *begin; /* of the qualified name */
	const char *end;   /* of the name, where its parameters begin */
	const char *until; /* the end of the parameters and of the qualifiers after them */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool starts(const char *c, const char *with)
{
	return strncmp(c, with, strlen(with)) == 0;
}

/* --------------------------------------------------------------------- operators --- */

static bool is_operator(const char *name, const char *c)
{
	return *c == 'o' && starts(c, "operator") && !is_word(c[8]) &&
	       (c == name || !is_word(c[-1]));
}

/* Past the symbol of an operator; stays where a type follows: "operator bool". */
static const char *skip_symbol(const char *c)
{
	static const char *const symbols[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "->",
		"<=", ">=", ">>", " new[]", " new", " delete[]", " delete", " co_await"};

	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		if (starts(c, symbols[i]))
			return c + strlen(symbols[i]);
	if (starts(c, "\"\"")) {
		c += 2 + strspn(c + 2, " ");
		while (is_word(*c))
			c++;
		return c;
	}
	/* LLVM's "operator<<int>" is operator< of int. */
	if (starts(c, "<<"))
		return c + (c[2] && !strchr("(< ", c[2]) ? 1 : 2);
	if (*c == '<' || *c == '>')
		return c + 1;
	return c + strspn(c, "+-*/%^&|~!=,");
}

/* To the template arguments of an operator, which may have a blank before them. */
static const char *skip_operator(const char *c)
{
	c = skip_symbol(c + strlen("operator"));
	return c + (c[0] == ' ' && c[1] == '<');
}

/* ---------------------------------------------------------------------- brackets --- */

static bool is_opening(char c)
{
	return c && strchr("<([{", c);
}

static char closing_of(char c)
{
	return c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : '}';
}

/* In expressions: "(a)<(b)", "(a)<<(b)", "(a)>(b)", "a->b". */
static bool is_comparison(const char *c, char innermost)
{
	if (*c == '<')
		return c[-1] == ')' || c[-1] == '<';
	return *c == '>' && (innermost != '<' || c[-1] == '-');
}

/* Past the bracket that opens here and what is in it, or to the end of the text. */
static const char *skip_bracket(const char *name, const char *c)
{
	char open[DEEPEST];
	size_t depth = 0;

	do {
		bool is_after_operator = is_operator(name, c);
		if (is_after_operator)
			c = skip_operator(c);
		if (!*c || depth == DEEPEST)
			break;
		if (is_opening(*c) &&
			(depth == 0 || is_after_operator || !is_comparison(c, open[depth - 1]))) {
			open[depth++] = *c;
		} else if (strchr(">)]}", *c) && !is_comparison(c, open[depth - 1])) {
			/* A < that has no > was none. */
			while (depth > 0 && closing_of(open[depth - 1]) != *c)
				depth--;
			if (depth <= 1)
				return depth ? c + 1 : c + strlen(c);
			depth--;
		}
		c++;
	} while (*c);
	return c + strlen(c);
}

/* Past the type that a conversion operator converts to, "operator int (*)(double)": its own
 * parameters, which are none, are the last ones. */
static const char *skip_conversion(const char *name, const char *c)
{
	while (*c && *c != ')' && !(starts(c, "()") && c[2] != '(' && c[2] != '<'))
		c = is_opening(*c) ? skip_bracket(name, c) : c + 1;
	return c;
}

/* ------------------------------------------------------------------- declarations --- */

/* Past "const", "&" and their kin after parameters. */
static const char *skip_qualifiers(const char *c)
{
	static const char *const words[] = {" const", " volatile", " restrict", " __restrict",
		" noexcept", " transaction_safe", " &&", " &"};
	size_t i = 0;

	while (i < sizeof(words) / sizeof(*words)) {
		size_t length = strlen(words[i]);
		bool is_it = starts(c, words[i]) && !is_word(c[length]);
		c += is_it ? length : 0;
		i = is_it ? 0 : i + 1;
	}
	return c;
}

/* Of the declaration, or of the one in parentheses. */
static bool is_end(const char *c)
{
	return *c == '\0' || *c == ')' || starts(c, " [clone ") || starts(c, " (.") ||
	       starts(c, " requires ") || starts(c, " [enable_if");
}

/* Past "ns::type::*"; NULL: there is none. */
static const char *skip_member_pointer(const char *name, const char *c)
{
	while (*c && !strchr(" )*&", *c)) {
		if (starts(c, "::*"))
			return c + 3;
		c = is_opening(*c) ? skip_bracket(name, c) : c + 1;
	}
	return NULL;
}

/* Past the "*" in "int (*f())()"; where there is none, `c` itself. */
static const char *skip_pointers(const char *name, const char *c)
{
	for (;;) {
		const char *member = skip_member_pointer(name, c);
		if (member)
			c = member;
		else if (*c == '*' || *c == '&')
			c++;
		else
			return c;
		c = skip_qualifiers(c);
		c += *c == ' ';
	}
}

/* "(*f())" of "int (*f())()", in which the name is. Not so in "decltype (*x)". */
static const char *find_declarator(const char *name, const char *c)
{
	const char *inner = skip_pointers(name, c + 1);
	bool is_expression = (c - name >= 9 && starts(c - 9, "decltype ")) ||
			     (c - name >= 7 && starts(c - 7, "typeof "));

	return inner == c + 1 || is_expression ? NULL : inner;
}

/* Parentheses that nothing stands before are of the type or of an unnamed namespace. What stands
 * before the others is a function, this one or one around it, or a word of a type:
 * "double __vector(2)". A blank ends the type, or a word of it. False: it has no parameters. */
static bool find_name(const char *name, const char *c, struct names_found *found)
{
	for (found->begin = c; *c && *c != ')';) {
		const char *next = is_opening(*c) ? skip_bracket(name, c) : c + 1;
		if (is_operator(name, c)) {
			next = skip_operator(c);
			if (*next == ' ')
				next = skip_conversion(name, next);
			else if (*next == '<')
				next = skip_bracket(name, next);
		} else if (*c == '(' && c == found->begin) {
			const char *inner = find_declarator(name, c);
			if (inner)
				return find_name(name, inner, found);
		} else if (*c == '(') {
			found->end = c;
			found->until = skip_qualifiers(next);
			if (next[-1] == ')' && is_end(found->until))
				return true;
			next = starts(found->until, "::") ? found->until : next;
		} else if (*c == ' ') {
			found->begin = next;
		}
		c = next;
	}
	return false;
}

/* ------------------------------------------------------------------------- results --- */

/* Without marks of the ABI, "name[abi:cxx11]", which nobody has written. Returns the end. */
static char *copy(char *to, const char *from, const char *end)
{
	while (from < end) {
		const char *mark = starts(from, "[abi:") ? strchr(from, ']') : NULL;
		if (mark && mark < end)
			from = mark + 1;
		else
			*to++ = *from++;
	}
	*to = '\0';
	return to + 1;
}

static void split(struct measure_filter_name *name, const struct names_found *found)
{
	size_t size = (size_t)(found->end - found->begin) + (size_t)(found->until - found->begin);
	char *to = name->buffer;

	if (size + 2 > sizeof(name->buffer))
		to = name->allocated = malloc(size + 2);
	if (!to)
		return;
	name->begin = (size_t)(found->begin - name->whole);
	name->bare = to;
	to = copy(to, found->begin, found->end);
	if (name->has_parameters)
		name->signature = to;
	copy(to, found->begin, found->until);
}

void measure_filter_name_make(struct measure_filter_name *name, const char *whole)
{
	struct names_found found;

	name->whole = name->bare = name->signature = whole;
	name->begin = 0;
	name->allocated = NULL;
	name->has_parameters = find_name(whole, whole, &found);
	if (!name->has_parameters) {
		found.begin = whole;
		found.end = found.until = measure_filter_clone_mark(whole);
		if (!*found.end)
			return;
	}
	split(name, &found);
}

void measure_filter_name_free(struct measure_filter_name *name)
{
	if (name->allocated) /* else nothing is called: this may be under the definition lock */
		free(name->allocated);
}
