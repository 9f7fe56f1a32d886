/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding declarations of functions; see declarations.h. */
#include "config.h"

#include "declarations.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct token {
	const char *text;
	size_t length;
};
typedef MEASURE_ARRAY(struct token) tokens_t;

static bool token_is(const struct token *token, const char *text)
{
	return token->length == strlen(text) && strncmp(token->text, text, token->length) == 0;
}

static bool token_is_name(const struct token *token)
{
	return isalpha((unsigned char)*token->text) || *token->text == '_';
}

static bool token_is_one_of(const struct token *token, const char *const *words)
{
	for (; *words; words++)
		if (token_is(token, *words))
			return true;
	return false;
}

/* Words that are no name of anything that is declared. */
static bool token_is_keyword(const struct token *token)
{
	static const char *const words[] = {"void", "char", "short", "int", "long", "float",
		"double", "signed", "unsigned", "_Bool", "_Complex", "const", "volatile",
		"restrict", "__restrict", "__restrict__", "__const", "__volatile__", "struct",
		"union", "enum", "extern", "inline", "__inline", "__inline__", "_Noreturn",
		"__signed__", "__int128", "_Atomic", NULL};

	return token_is_one_of(token, words);
}

/* ------------------------------------------------------------------------ tokens --- */

/* A marker of the preprocessor: # LINE "FILE" ... */
static const char *marker_take(const char *at, const char **file)
{
	const char *end = strchr(at, '\n'), *quote = strchr(at, '"');

	end = end ? end : at + strlen(at);
	if (quote && quote < end) {
		const char *close = memchr(quote + 1, '"', (size_t)(end - quote - 1));
		if (close)
			*file = wrap_copy(quote + 1, (size_t)(close - quote - 1));
	}
	return end;
}

static const char *literal_end(const char *at)
{
	const char quote = *at++;

	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

/* The next token, behind markers; false: there is none. */
static bool token_next(const char **at, const char **file, struct token *token)
{
	const char *begin = *at;

	while (*begin && (isspace((unsigned char)*begin) || *begin == '#'))
		begin = *begin == '#' ? marker_take(begin, file) : begin + 1;
	const char *end = begin;
	if (*begin == '"' || *begin == '\'')
		end = literal_end(begin);
	else if (isalnum((unsigned char)*begin) || *begin == '_')
		while (isalnum((unsigned char)*end) || *end == '_')
			end++;
	else if (*begin)
		end++;
	*token = (struct token){begin, (size_t)(end - begin)};
	*at = end;
	return end > begin;
}

/* Attributes and the like do not change what is declared; they have parentheses behind them. */
static bool token_is_decoration(const struct token *token)
{
	static const char *const words[] = {"__attribute__", "__attribute", "__asm__", "__asm",
		"asm", "_Alignas", "__declspec", NULL};

	return token_is_one_of(token, words);
}

/* The tokens of one declaration, up to its semicolon or the end of its body; *is_body: it has one
 * in braces. False: there are no more. */
static bool declaration_take(
	const char **at, const char **file, tokens_t *tokens, const char **its_file, bool *is_body)
{
	unsigned int braces = 0, parens = 0, decoration = 0;
	struct token token;

	tokens->nr = 0;
	*is_body = false;
	while (token_next(at, file, &token)) {
		if (tokens->nr == 0)
			*its_file = *file;
		if (token_is_decoration(&token) && braces == 0)
			decoration = parens + 1;
		parens += *token.text == '(';
		parens -= *token.text == ')' && parens > 0;
		braces += *token.text == '{';
		*is_body = *is_body || *token.text == '{';
		bool is_left_out = decoration || braces || token_is(&token, "__extension__");
		if (decoration && *token.text == ')' && parens + 1 == decoration)
			decoration = 0;
		if (*token.text == '}') {
			braces -= braces > 0;
			if (braces == 0 && tokens->nr > 0 &&
				*tokens->items[tokens->nr - 1].text == ')')
				return true; /* the body of a function */
			continue;
		}
		if (*token.text == ';' && braces == 0 && parens == 0)
			return true;
		if (!is_left_out)
			wrap_push(tokens, token);
	}
	return tokens->nr > 0;
}

/* -------------------------------------------------------------------- parameters --- */

/* Behind the parenthesis that belongs to the one at `open`. */
static size_t paren_end(const tokens_t *tokens, size_t open)
{
	unsigned int depth = 0;

	for (size_t i = open; i < tokens->nr; i++) {
		depth += *tokens->items[i].text == '(';
		depth -= *tokens->items[i].text == ')';
		if (depth == 0)
			return i + 1;
	}
	return tokens->nr;
}

static size_t without_brackets(const tokens_t *tokens, size_t begin, size_t end)
{
	while (end > begin && *tokens->items[end - 1].text == ']') {
		while (end > begin && *tokens->items[end - 1].text != '[')
			end--;
		end -= end > begin;
	}
	return end;
}

/* The name of the parameter in tokens from `begin` on, or NULL: (*NAME), or the last word, if it is
 * not the type. */
static char *parameter_name(const tokens_t *tokens, size_t begin, size_t end)
{
	const struct token *items = tokens->items;
	bool has_type = false;

	for (size_t i = begin; i + 2 < end; i++)
		if (*items[i].text == '(' && *items[i + 1].text == '*') {
			for (i += 2; i < end && *items[i].text != ')'; i++)
				if (token_is_name(&items[i]) && !token_is_keyword(&items[i]))
					return wrap_copy(items[i].text, items[i].length);
			return NULL;
		}
	end = without_brackets(tokens, begin, end);
	if (end <= begin || !token_is_name(&items[end - 1]) || token_is_keyword(&items[end - 1]))
		return NULL;
	for (size_t i = begin; i + 1 < end; i++)
		if (!token_is(&items[i], "const") && !token_is(&items[i], "volatile") &&
			!token_is(&items[i], "register"))
			has_type = true;
	if (!has_type || (end - begin >= 2 && (token_is(&items[end - 2], "struct") ||
						      token_is(&items[end - 2], "union") ||
						      token_is(&items[end - 2], "enum"))))
		return NULL;
	return wrap_copy(items[end - 1].text, items[end - 1].length);
}

/* Those in the parentheses at `open`. */
static void parameters_take(
	const tokens_t *tokens, size_t open, struct wrap_declaration *declaration)
{
	const size_t close = paren_end(tokens, open) - 1;
	size_t begin = open + 1;
	unsigned int depth = 0;

	for (size_t i = begin; i <= close; i++) {
		const char c = *tokens->items[i].text;
		if (i == close || (c == ',' && depth == 0)) {
			if (i > begin)
				wrap_push(
					&declaration->parameters, parameter_name(tokens, begin, i));
			begin = i + 1;
		}
		depth += c == '(' || c == '[';
		depth -= i < close && (c == ')' || c == ']');
	}
}

/* ------------------------------------------------------------------------ names --- */

/* NAME (..., TYPE (NAME)(...), or TYPE (*NAME(...))(...): the index of NAME and of the parenthesis
 * of its parameters; false: it declares no function. */
static bool function_find(const tokens_t *tokens, size_t *name, size_t *open)
{
	const struct token *items = tokens->items;
	size_t first = 0;

	while (first < tokens->nr && *items[first].text != '(' && *items[first].text != '=')
		first++;
	if (first == 0 || first + 1 >= tokens->nr || *items[first].text != '(')
		return false;
	if (*items[first + 1].text == '*') { /* a pointer to a function, or one that returns it */
		size_t i = first + 2;
		while (i < tokens->nr && token_is(&items[i], "const"))
			i++;
		if (i + 1 >= tokens->nr || !token_is_name(&items[i]) || *items[i + 1].text != '(')
			return false;
		*name = i;
		*open = i + 1;
		return true;
	}
	if (first + 3 < tokens->nr && token_is_name(&items[first + 1]) &&
		*items[first + 2].text == ')' && *items[first + 3].text == '(') {
		*name = first + 1;
		*open = first + 3;
		return true;
	}
	*name = first - 1;
	*open = first;
	return token_is_name(&items[*name]) && !token_is_keyword(&items[*name]) && *name > 0;
}

static struct wrap_declaration *declaration_find(
	wrap_declarations_t *declarations, const char *name)
{
	for (size_t i = 0; i < declarations->nr; i++)
		if (strcmp(declarations->items[i].name, name) == 0)
			return &declarations->items[i];
	return NULL;
}

static bool has_names(const struct wrap_declaration *declaration)
{
	for (size_t i = 0; i < declaration->parameters.nr; i++)
		if (declaration->parameters.items[i])
			return true;
	return false;
}

static void declaration_add(
	wrap_declarations_t *declarations, const tokens_t *tokens, const char *file)
{
	struct wrap_declaration declaration = {.file = file};
	size_t name, open;

	for (size_t i = 0; i < tokens->nr; i++)
		if (token_is(&tokens->items[i], "typedef") || token_is(&tokens->items[i], "static"))
			return;
	if (!function_find(tokens, &name, &open))
		return;
	declaration.name = wrap_copy(tokens->items[name].text, tokens->items[name].length);
	parameters_take(tokens, open, &declaration);
	struct wrap_declaration *known = declaration_find(declarations, declaration.name);
	if (!known)
		wrap_push(declarations, declaration);
	if (known && has_names(&declaration)) {
		declaration.file = known->file;
		*known = declaration;
	}
}

void wrap_declarations_read(const char *text, wrap_declarations_t *declarations)
{
	tokens_t tokens = {0};
	const char *at = text, *file = "", *its_file = "";
	bool is_body;

	while (declaration_take(&at, &file, &tokens, &its_file, &is_body))
		if (!is_body)
			declaration_add(declarations, &tokens, its_file);
	free(tokens.items);
}
