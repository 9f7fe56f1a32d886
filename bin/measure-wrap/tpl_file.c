/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading descriptions of plug-ins of EZTrace; see tpl_file.h. They are read line by line, as
 * EZTrace does: a command is the first word of its line. */
#include "config.h"

#include "tpl_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "cli/cli.h"

struct tpl {
	struct wrap_module *module;
	const char *path;
	const char *at;      /* the next line */
	char *line;          /* the current one, without blanks at both ends */
	unsigned int number; /* of the current one */
	char *text;          /* prototypes with annotations, so far */
};

static bool tpl_refuse(const struct tpl *tpl, const char *what, const char *remedy)
{
	measure_cli_say("%s:%u: %s: %s", tpl->path, tpl->number, what, remedy);
	return false;
}

static bool tpl_next_line(struct tpl *tpl)
{
	size_t length = strcspn(tpl->at, "\n"), begin = 0, end = length;

	if (!*tpl->at)
		return false;
	while (begin < end && isspace((unsigned char)tpl->at[begin]))
		begin++;
	while (end > begin && isspace((unsigned char)tpl->at[end - 1]))
		end--;
	tpl->line = wrap_copy(tpl->at + begin, end - begin);
	tpl->at += length + (tpl->at[length] == '\n');
	tpl->number++;
	return true;
}

/* What is behind the word that the line begins with; NULL: it begins otherwise. */
static const char *tpl_command(const struct tpl *tpl, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(tpl->line, word, length) != 0 || isalnum((unsigned char)tpl->line[length]) ||
		tpl->line[length] == '_')
		return NULL;
	return tpl->line + length + strspn(tpl->line + length, " \t");
}

static bool tpl_is_nothing(const struct tpl *tpl)
{
	return *tpl->line == '\0' || *tpl->line == '#';
}

static void tpl_append(struct tpl *tpl, const char *more)
{
	tpl->text = wrap_format("%s%s", tpl->text, more);
}

/* ------------------------------------------------------------------------ sections --- */

/* The lines up to the word END_..., as they are. NULL: it is missing, which is said. */
static char *tpl_section(struct tpl *tpl, const char *end)
{
	char *text = wrap_format("%s", "");

	for (const char *begin = tpl->at; tpl_next_line(tpl); begin = tpl->at) {
		if (tpl_command(tpl, end))
			return text;
		text = wrap_format("%s%.*s", text, (int)(tpl->at - begin), begin);
	}
	tpl_refuse(tpl, end, "is missing: add it");
	return NULL;
}

/* Flags go into a makefile with EZTrace, so that `pkg-config ...` is what a shell makes of it. */
static const char *flags_expand(const char *text)
{
	char *expanded = wrap_format("%s", ""), line[4096];
	FILE *shell = strchr(text, '`') ? popen(wrap_format("echo %s", text), "r") : NULL;

	if (!shell)
		return text;
	while (fgets(line, sizeof(line), shell))
		expanded = wrap_format("%s%s", expanded, line);
	pclose(shell);
	return expanded;
}

static bool tpl_flags(struct tpl *tpl, const char *end)
{
	const char *list = tpl_section(tpl, end);

	if (!list)
		return false;
	list = flags_expand(list);
	for (char *word; (word = wrap_word_next(&list));)
		wrap_push(&tpl->module->flags, word);
	return true;
}

/* DEFINE_SAMPLING_FUNCTION(name, interval) code END_DEFINE */
static bool tpl_sampling(struct tpl *tpl, const char *rest)
{
	struct wrap_sampling sampling = {0};
	const char *comma = strchr(rest, ','), *close = comma ? strchr(comma, ')') : NULL;
	char *end;

	if (*rest != '(' || !close)
		return tpl_refuse(tpl, "DEFINE_SAMPLING_FUNCTION", "write (NAME, MICROSECONDS)");
	const char *list = wrap_copy(rest + 1, (size_t)(comma - rest - 1));
	sampling.name = wrap_word_next(&list);
	sampling.interval = strtoul(comma + 1, &end, 0);
	if (!sampling.name || sampling.interval == 0 || sampling.interval > UINT32_MAX)
		return tpl_refuse(tpl, "DEFINE_SAMPLING_FUNCTION", "write (NAME, MICROSECONDS)");
	sampling.code = tpl_section(tpl, "END_DEFINE");
	if (!sampling.code)
		return false;
	sampling.code = wrap_format("%s%s", close + 1, sampling.code);
	wrap_push(&tpl->module->samplings, sampling);
	return true;
}

/* ----------------------------------------------------------------------- functions --- */

/* COMMAND("text", expression) as @name("text", expression). */
static const char *tpl_statement(const struct tpl *tpl)
{
	static const struct {
		const char *command, *name;
		bool has_region; /* so that the function needs none of its own */
	} commands[] = {{"CALL_FUNC", "call", false}, {"RECORD_STATE", "region", true},
		{"PUSH_STATE", "push", false}, {"POP_STATE", "pop", false},
		{"EVENT", "event", false}, {"SET_VAR", "set", false}, {"ADD_VAR", "add", false},
		{"SUB_VAR", "sub", false}};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		const char *rest = tpl_command(tpl, commands[i].command);
		if (!rest)
			continue;
		const char *close = strrchr(rest, ')');
		if (!close || strcmp(commands[i].name, "pop") == 0 ||
			strcmp(commands[i].name, "call") == 0)
			return wrap_format(" @%s", commands[i].name);
		return wrap_format(" @%s%.*s%s", commands[i].name, (int)(close + 1 - rest), rest,
			commands[i].has_region ? " @call" : "");
	}
	return NULL;
}

static bool tpl_body(struct tpl *tpl, char *prototype)
{
	bool has_region = false;

	tpl_append(tpl, prototype);
	while (tpl_next_line(tpl)) {
		if (tpl_is_nothing(tpl))
			continue;
		if (tpl_command(tpl, "END")) {
			tpl_append(tpl, has_region ? ";\n" : " @silent;\n");
			return true;
		}
		const char *statement = tpl_statement(tpl);
		if (!statement)
			return tpl_refuse(tpl, tpl->line,
				"unknown command: use CALL_FUNC, RECORD_STATE, PUSH_STATE, "
				"POP_STATE, "
				"EVENT, SET_VAR, ADD_VAR or SUB_VAR");
		has_region = has_region || strstr(statement, "@region");
		tpl_append(tpl, wrap_format("%s", statement));
	}
	return tpl_refuse(tpl, "END", "is missing: add it behind the last command of the function");
}

/* A prototype, over several lines, and what is to be recorded; without that, a region. */
static bool tpl_function(struct tpl *tpl)
{
	const char *first = tpl->line;
	char *prototype = wrap_format("%s", first);

	while (!strchr(prototype, ')')) {
		if (!tpl_next_line(tpl))
			return tpl_refuse(
				tpl, first, "neither a command nor a prototype: correct the line");
		prototype = wrap_format("%s\n%s", prototype, tpl->line);
	}
	for (size_t length = strlen(prototype);
		length > 0 && strchr("; \t", prototype[length - 1]);)
		prototype[--length] = '\0';
	for (;;) {
		struct tpl before = *tpl;
		if (!tpl_next_line(tpl))
			break;
		if (tpl_is_nothing(tpl))
			continue;
		if (tpl_command(tpl, "BEGIN"))
			return tpl_body(tpl, prototype);
		before.text = tpl->text;
		*tpl = before;
		break;
	}
	tpl_append(tpl, wrap_format("%s;\n", prototype));
	return true;
}

/* ---------------------------------------------------------------------------- file --- */

static bool tpl_item(struct tpl *tpl)
{
	const char *rest;

	if ((rest = tpl_command(tpl, "NAME"))) {
		if (!tpl->module->name)
			tpl->module->name = wrap_format("%s", rest);
		return true;
	}
	if (tpl_command(tpl, "BEGIN_MODULE") || tpl_command(tpl, "DESC") ||
		tpl_command(tpl, "LANGUAGE") || tpl_command(tpl, "ID"))
		return true;
	if (tpl_command(tpl, "BEGIN_INCLUDE")) {
		char *text = tpl_section(tpl, "END_INCLUDE");
		if (text)
			tpl_append(tpl, text);
		return text;
	}
	if (tpl_command(tpl, "BEGIN_CFLAGS"))
		return tpl_flags(tpl, "END_CFLAGS");
	if (tpl_command(tpl, "BEGIN_LDFLAGS"))
		return tpl_flags(tpl, "END_LDFLAGS");
	if ((rest = tpl_command(tpl, "DEFINE_SAMPLING_FUNCTION")))
		return tpl_sampling(tpl, rest);
	return tpl_function(tpl);
}

bool wrap_tpl_read(struct wrap_module *module, const char *path, const char *text)
{
	struct tpl tpl = {
		.module = module, .path = path, .at = text, .text = wrap_format("%s", "")};

	while (tpl_next_line(&tpl) && !tpl_command(&tpl, "END_MODULE"))
		if (!tpl_is_nothing(&tpl) && !tpl_item(&tpl))
			return false;
	return wrap_annotations_read(module, path, tpl.text);
}
