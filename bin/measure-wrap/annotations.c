/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading annotations; see annotations.h. */
#include "config.h"

#include "annotations.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/suggest.h"

enum { NONE, SOME };
static const struct {
	const char *name;
	int arguments;
} known_annotations[] = {
#define ANNOTATION(name, ARGUMENTS) {#name, ARGUMENTS},
#include "annotations.def"
#undef ANNOTATION
};
#define NR_KNOWN (sizeof(known_annotations) / sizeof(known_annotations[0]))

char *wrap_word_next(const char **list)
{
	const char *word = *list + strspn(*list, ", \t\n");
	size_t length = strcspn(word, ", \t\n");

	*list = word + length;
	return length > 0 ? wrap_copy(word, length) : NULL;
}

/* ---------------------------------------------------------------- taking a file apart --- */

/* Where the reader is, and what the current declaration has been so far. */
struct reader {
	struct wrap_module *module;
	const char *path;
	char *text; /* annotations become blanks */
	char *at;
	unsigned int line;
	char *name; /* of the function; NULL: none so far */
	bool has_code;
	wrap_annotations_t annotations;
};

static bool reader_refuse(const struct reader *reader, const char *what, const char *remedy)
{
	measure_cli_say("%s:%u: %s: %s", reader->path, reader->line, what, remedy);
	return false;
}

static void reader_step(struct reader *reader)
{
	reader->line += *reader->at == '\n';
	reader->at++;
}

static void reader_skip_to(struct reader *reader, const char *end)
{
	while (reader->at < end)
		reader_step(reader);
}

/* The end of a comment, a string or a line of the preprocessor that begins here; NULL: none does.
 */
static const char *reader_opaque_end(const struct reader *reader)
{
	const char *at = reader->at, *end;

	if (at[0] == '/' && at[1] == '*') {
		end = strstr(at + 2, "*/");
		return end ? end + 2 : at + strlen(at);
	}
	if (at[0] == '/' && at[1] == '/')
		return at + strcspn(at, "\n");
	if (*at == '"' || *at == '\'') {
		for (end = at + 1; *end && *end != *at; end++)
			end += *end == '\\' && end[1];
		return *end ? end + 1 : end;
	}
	if (*at == '#' && !reader->has_code) {
		for (end = at; *end && *end != '\n'; end++)
			end += *end == '\\' && end[1];
		return end;
	}
	return NULL;
}

/* Behind the bracket that closes what is open here, or NULL. */
static const char *bracket_end(const char *at)
{
	unsigned int depth = 0;

	for (; *at; at++) {
		if (*at == '"' || *at == '\'') {
			const char quote = *at++;
			for (; *at && *at != quote; at++)
				at += *at == '\\' && at[1];
			if (!*at)
				return NULL;
			continue;
		}
		depth += *at == '(' || *at == '{';
		depth -= *at == ')' || *at == '}';
		if (depth == 0)
			return at + 1;
	}
	return NULL;
}

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

/* Of the whole file: @library(NAME...), @package(NAME...), @flags(...). */
static bool setting_take(struct wrap_module *module, const struct wrap_annotation *one)
{
	const char *list = one->arguments;

	if (!list)
		return false;
	if (strcmp(one->name, "library") == 0)
		module->library = one->arguments;
	else if (strcmp(one->name, "package") == 0)
		module->package = one->arguments;
	else if (strcmp(one->name, "flags") == 0)
		for (char *word; (word = wrap_word_next(&list));)
			wrap_push(&module->flags, word);
	else
		return false;
	return true;
}

/* @name or @name(arguments), here. */
static bool reader_take_annotation(struct reader *reader)
{
	char *begin = reader->at;
	size_t length = strspn(begin + 1, "abcdefghijklmnopqrstuvwxyz_");
	const char *end = begin + 1 + length, *open = end + strspn(end, " \t");
	struct wrap_annotation annotation = {
		.file = reader->path, .line = reader->line, .name = wrap_copy(begin + 1, length)};

	if (*open == '(') {
		end = bracket_end(open);
		if (!end)
			return reader_refuse(
				reader, "the parenthesis behind an @ is not closed", "close it");
		annotation.arguments = wrap_copy(open + 1, (size_t)(end - open - 2));
	}
	if (reader->has_code || !setting_take(reader->module, &annotation))
		wrap_push(&reader->annotations, annotation);
	reader_skip_to(reader, end);
	blank(begin, end);
	return true;
}

/* A name, of which the last one before the first parenthesis is the function's. */
static void reader_take_word(struct reader *reader)
{
	const char *begin = reader->at, *end = begin;

	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	if (!reader->name && end[strspn(end, " \t\n")] == '(')
		reader->name = wrap_copy(begin, (size_t)(end - begin));
	reader->has_code = true;
	reader_skip_to(reader, end);
}

static void reader_start(struct reader *reader)
{
	reader->name = NULL;
	reader->has_code = false;
	memset(&reader->annotations, 0, sizeof(reader->annotations));
}

/* @functions(PATTERN...), with what counts for these. */
static bool reader_end_settings(struct reader *reader)
{
	struct wrap_module *module = reader->module;
	struct wrap_statement statement = {.is_patterns = true};

	for (size_t i = 0; i < reader->annotations.nr; i++) {
		struct wrap_annotation *one = &reader->annotations.items[i];
		if (strcmp(one->name, "functions") == 0)
			statement.functions = one->arguments;
		else if (!statement.functions)
			return reader_refuse(reader,
				"an annotation here needs @functions(PATTERN...) before it",
				"or put it behind a prototype");
		else
			wrap_push(&statement.annotations, *one);
	}
	if (statement.functions)
		wrap_push(&module->statements, statement);
	return true;
}

/* At a semicolon, or at the end of a body. */
static bool reader_end_declaration(struct reader *reader)
{
	bool is_fine = true;

	if (!reader->has_code) {
		is_fine = reader_end_settings(reader);
		if (reader->annotations.nr > 0 && *reader->at == ';')
			*reader->at = ' ';
	} else if (reader->annotations.nr > 0 && !reader->name) {
		is_fine = reader_refuse(reader, "an annotation behind what is no function",
			"put it behind a prototype, before its semicolon");
	} else if (reader->name) {
		const struct wrap_statement statement = {.functions = reader->name,
			.annotations = {reader->annotations.items, reader->annotations.nr,
				reader->annotations.capacity}};
		wrap_push(&reader->module->statements, statement);
	}
	reader_start(reader);
	return is_fine;
}

static bool reader_take(struct reader *reader)
{
	const char *end = reader_opaque_end(reader);
	const char c = *reader->at;

	if (end) {
		reader_skip_to(reader, end);
	} else if (c == '@') {
		return reader_take_annotation(reader);
	} else if (c == ';') {
		bool is_fine = reader_end_declaration(reader);
		reader_step(reader);
		return is_fine;
	} else if (isalpha((unsigned char)c) || c == '_') {
		reader_take_word(reader);
	} else if (c == '{' || c == '(') {
		end = bracket_end(reader->at);
		if (!end)
			return reader_refuse(reader, "a bracket is not closed", "close it");
		bool is_body = c == '{' && reader->name;
		reader_skip_to(reader, end);
		if (is_body) /* of a function that is not wrapped */
			reader_start(reader);
	} else {
		reader->has_code = reader->has_code || !isspace((unsigned char)c);
		reader_step(reader);
	}
	return true;
}

bool wrap_annotations_read(struct wrap_module *module, const char *path, const char *text)
{
	struct reader reader = {.module = module, .path = path, .line = 1};

	reader.text = wrap_copy(text, strlen(text));
	reader.at = reader.text;
	while (*reader.at)
		if (!reader_take(&reader))
			return false;
	for (const char *at = reader.at; at > reader.text && isspace((unsigned char)at[-1]); at--)
		reader.line -= at[-1] == '\n';
	if (reader.has_code)
		return reader_refuse(&reader, "the last prototype has no semicolon", "add one");
	if (!reader_end_declaration(&reader))
		return false;
	module->prelude = wrap_format("%s#line 1 \"%s\"\n%s\n",
		module->prelude ? module->prelude : "", path, reader.text);
	return true;
}

/* ---------------------------------------------------------------------- using them --- */

const struct wrap_annotation *wrap_annotation_find(
	const struct wrap_function *function, const char *name)
{
	for (size_t i = function->annotations.nr; i-- > 0;)
		if (strcmp(function->annotations.items[i].name, name) == 0)
			return &function->annotations.items[i];
	return NULL;
}

static bool annotation_check(const struct wrap_annotation *annotation)
{
	struct measure_suggest nearest;
	char guess[64];

	measure_suggest_begin(&nearest, annotation->name);
	for (size_t i = 0; i < NR_KNOWN; i++) {
		measure_suggest_offer(&nearest, known_annotations[i].name);
		if (strcmp(annotation->name, known_annotations[i].name) != 0)
			continue;
		if ((known_annotations[i].arguments == SOME) == (annotation->arguments != NULL))
			return true;
		measure_cli_say("%s:%u: @%s: %s", annotation->file, annotation->line,
			annotation->name,
			annotation->arguments ? "takes no arguments: remove the parentheses"
					      : "lacks its arguments: add them in parentheses");
		return false;
	}
	measure_suggest_ask(&nearest, "@", guess, sizeof(guess));
	measure_cli_say("%s:%u: @%s: unknown annotation%s; man measure-wrap lists them",
		annotation->file, annotation->line, annotation->name, guess);
	return false;
}

static bool statement_matches(const struct wrap_statement *statement, const char *name)
{
	const char *list = statement->functions;

	if (!statement->is_patterns)
		return strcmp(statement->functions, name) == 0;
	for (char *word; (word = wrap_word_next(&list));)
		if (fnmatch(word, name, 0) == 0)
			return true;
	return false;
}

bool wrap_annotations_apply(struct wrap_module *module)
{
	for (size_t s = 0; s < module->statements.nr; s++) {
		const struct wrap_statement *statement = &module->statements.items[s];
		bool is_used = false;

		for (size_t i = 0; i < statement->annotations.nr; i++)
			if (!annotation_check(&statement->annotations.items[i]))
				return false;
		for (size_t f = 0; f < module->functions.nr; f++) {
			struct wrap_function *function = &module->functions.items[f];
			if (!statement_matches(statement, function->name))
				continue;
			is_used = true;
			for (size_t i = 0; i < statement->annotations.nr; i++)
				wrap_push(&function->annotations, statement->annotations.items[i]);
		}
		if (!is_used && statement->is_patterns && statement->annotations.nr > 0) {
			measure_cli_say(
				"%s:%u: @functions(%s): no function has such a name: correct the "
				"pattern or remove the line",
				statement->annotations.items[0].file,
				statement->annotations.items[0].line, statement->functions);
			return false;
		}
	}
	return true;
}
