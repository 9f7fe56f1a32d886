/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deciding what is recorded of a function; see values.h. */
#include "config.h"

#include "values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"
#include "cli/cli.h"
#include "cli/suggest.h"

#define MOST_VALUES 6 /* MEASURE_WRAP_MOST_VALUES of lib/api/wrap.h */
#define MOST_DEPTH  8

static bool annotation_refuse(
	const struct wrap_annotation *annotation, const char *what, const char *remedy)
{
	measure_cli_say("%s:%u: @%s(%s): %s: %s", annotation->file, annotation->line,
		annotation->name, annotation->arguments ? annotation->arguments : "", what, remedy);
	return false;
}

static bool values_have(const wrap_values_t *values, const char *name)
{
	for (size_t i = 0; i < values->nr; i++)
		if (strcmp(values->items[i].name, name) == 0)
			return true;
	return false;
}

/* A record has each attribute once, and so many of them. */
static void values_add(wrap_values_t *values, const char *name, const struct wrap_type *type,
	enum wrap_class class, const char *expression)
{
	const struct wrap_value value = {.name = wrap_format("%s", name),
		.class = class,
		.enumeration = type ? type->enumeration : -1,
		.expression = wrap_format("%s", expression)};

	if (values->nr < MOST_VALUES && !values_have(values, name))
		wrap_push(values, value);
}

static bool class_is_value(enum wrap_class class)
{
	return class != WRAP_VOID && class != WRAP_OTHER;
}

static const struct wrap_parameter *parameter_find(
	const struct wrap_function *function, const char *name)
{
	for (size_t i = 0; i < function->parameters.nr; i++)
		if (strcmp(function->parameters.items[i].name, name) == 0)
			return &function->parameters.items[i];
	return NULL;
}

/* What is between two ends, without blanks there. */
static char *trimmed(const char *begin, const char *end)
{
	while (begin < end && isspace((unsigned char)*begin))
		begin++;
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	return wrap_copy(begin, (size_t)(end - begin));
}

/* ------------------------------------------------------------------------- values --- */

/* [TYPE] NAME, EXPRESSION */
static bool value_take(const struct wrap_annotation *annotation, wrap_values_t *values)
{
	static const struct {
		const char *word;
		enum wrap_class class;
	} types[] = {{"signed", WRAP_SIGNED}, {"unsigned", WRAP_UNSIGNED}, {"double", WRAP_DOUBLE},
		{"text", WRAP_TEXT}};
	const char *comma = strchr(annotation->arguments, ',');
	const char *list = comma ? trimmed(annotation->arguments, comma) : "";
	char *first = wrap_word_next(&list), *second = first ? wrap_word_next(&list) : NULL;
	enum wrap_class class = WRAP_VOID;

	if (!first)
		return annotation_refuse(annotation, "it lacks a name or an expression",
			"write (NAME, EXPRESSION) or (TYPE NAME, EXPRESSION)");
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(first, types[i].word) == 0)
			class = types[i].class;
	if (second && class == WRAP_VOID)
		return annotation_refuse(
			annotation, "unknown type", "use signed, unsigned, double or text");
	if (values->nr == MOST_VALUES)
		return annotation_refuse(annotation, "a record has at most 6 values",
			"choose arguments by @args(NAME, ...)");
	values_add(values, second ? second : first, NULL, second ? class : WRAP_SIGNED,
		trimmed(comma + 1, comma + strlen(comma)));
	return true;
}

static bool argument_refuse(const struct wrap_annotation *annotation,
	const struct wrap_function *function, const char *name)
{
	struct measure_suggest nearest;
	char guess[64];

	measure_suggest_begin(&nearest, name);
	for (size_t i = 0; i < function->parameters.nr; i++)
		measure_suggest_offer(&nearest, function->parameters.items[i].name);
	measure_suggest_ask(&nearest, "", guess, sizeof(guess));
	return annotation_refuse(annotation,
		wrap_format("%s has no argument '%s'%s", function->name, name, guess),
		"correct the name");
}

/* @args(NAME, ...): these and no others. */
static bool arguments_take(const struct wrap_annotation *annotation, struct wrap_plan *plan)
{
	const char *list = annotation->arguments;

	for (char *name; (name = wrap_word_next(&list));) {
		const struct wrap_parameter *parameter = parameter_find(plan->function, name);
		if (!parameter)
			return argument_refuse(annotation, plan->function, name);
		if (!class_is_value(parameter->type.class))
			return annotation_refuse(annotation,
				wrap_format("'%s' is not a single value", name),
				"record a part of it by @value(NAME, EXPRESSION)");
		if (plan->before.nr == MOST_VALUES)
			return annotation_refuse(
				annotation, "a record has at most 6 values", "name fewer");
		values_add(&plan->before, name, &parameter->type, parameter->type.class, name);
	}
	return true;
}

/* @out(NAME, ...): what the function has written there. */
static bool outputs_take(const struct wrap_annotation *annotation, struct wrap_plan *plan)
{
	const char *list = annotation->arguments;

	if (plan->function->is_variadic)
		return annotation_refuse(annotation,
			"of a function with a variable number of arguments these are not known "
			"after the call",
			"remove it");
	for (char *name; (name = wrap_word_next(&list));) {
		const struct wrap_parameter *parameter = parameter_find(plan->function, name);
		if (!parameter)
			return argument_refuse(annotation, plan->function, name);
		if (parameter->type.class != WRAP_POINTER ||
			!class_is_value(parameter->type.pointee))
			return annotation_refuse(annotation,
				wrap_format("'%s' does not point to a single value", name),
				"record a part of it by @returned(NAME, EXPRESSION)");
		char *expression = wrap_format("%s ? *%s : 0", name, name);
		values_add(
			&plan->after, name, &parameter->type, parameter->type.pointee, expression);
	}
	return true;
}

static bool result_has(const struct wrap_plan *plan)
{
	return class_is_value(plan->function->result.class) &&
	       !(plan->function->is_variadic && plan->function->result.size > 8);
}

static bool values_plan(struct wrap_plan *plan)
{
	const struct wrap_function *function = plan->function;
	const struct wrap_annotation *arguments = wrap_annotation_find(function, "args");

	if (arguments && !arguments_take(arguments, plan))
		return false;
	for (size_t i = 0; i < function->annotations.nr; i++) {
		const struct wrap_annotation *one = &function->annotations.items[i];
		if ((strcmp(one->name, "value") == 0 && !value_take(one, &plan->before)) ||
			(strcmp(one->name, "returned") == 0 && !value_take(one, &plan->after)) ||
			(strcmp(one->name, "out") == 0 && !outputs_take(one, plan)))
			return false;
	}
	for (size_t i = 0; i < function->parameters.nr && !arguments; i++) {
		const struct wrap_parameter *one = &function->parameters.items[i];
		if (class_is_value(one->type.class))
			values_add(
				&plan->before, one->name, &one->type, one->type.class, one->name);
	}
	const struct wrap_annotation *error = wrap_annotation_find(function, "errno");
	const enum wrap_class class = function->result.class;
	if (error && class != WRAP_SIGNED && class != WRAP_POINTER)
		return annotation_refuse(error,
			"the result does not tell whether a call has failed",
			"use it where the result is a pointer or a signed number");
	if (error)
		values_add(&plan->after, "errno", NULL, WRAP_SIGNED,
			wrap_format("MEASURE_WRAP_ERRNO(%s%s)", plan->result,
				class == WRAP_POINTER ? " == NULL" : " < 0"));
	if (result_has(plan) && !wrap_annotation_find(function, "noresult"))
		values_add(&plan->after, "result", &function->result, class, plan->result);
	return true;
}

/* ------------------------------------------------------------------------- others --- */

/* "text" or "text", EXPRESSION */
static bool step_take(
	struct wrap_plan *plan, const struct wrap_annotation *annotation, bool is_after)
{
	struct wrap_step step = {.name = annotation->name, .is_after = is_after};
	const char *text = annotation->arguments, *end;

	if (!text) {
		wrap_push(&plan->steps, step);
		return true;
	}
	text += strspn(text, " \t\n");
	for (end = text + (*text == '"'); *text == '"' && *end && *end != '"'; end++)
		end += *end == '\\' && end[1];
	if (*text != '"' || *end != '"')
		return annotation_refuse(
			annotation, "it does not begin with a text", "write (\"NAME\"...)");
	step.text = wrap_copy(text, (size_t)(end + 1 - text));
	end++;
	end += strspn(end, " \t\n");
	bool needs_value = strcmp(step.name, "event") != 0 && strcmp(step.name, "push") != 0;
	if ((*end == ',') != needs_value)
		return annotation_refuse(annotation,
			needs_value ? "it lacks a value" : "it takes nothing but a text",
			needs_value ? "write (\"NAME\", EXPRESSION)" : "write (\"NAME\")");
	step.expression = needs_value ? trimmed(end + 1, end + strlen(end)) : NULL;
	wrap_push(&plan->steps, step);
	return true;
}

static bool steps_plan(struct wrap_plan *plan)
{
	static const char *const names[] = {"event", "push", "pop", "set", "add", "sub"};
	bool is_after = false;

	for (size_t i = 0; i < plan->function->annotations.nr; i++) {
		const struct wrap_annotation *one = &plan->function->annotations.items[i];
		is_after = is_after || strcmp(one->name, "call") == 0;
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (strcmp(one->name, names[k]) == 0 && !step_take(plan, one, is_after))
				return false;
	}
	return true;
}

static bool role_plan(struct wrap_plan *plan)
{
	static const struct {
		const char *name;
		unsigned int number;
	} roles[] = {
#define ROLE(name, number) {#name, number},
#include "roles.def"
#undef ROLE
	};
	const struct wrap_annotation *role = wrap_annotation_find(plan->function, "role");
	struct measure_suggest nearest;
	char guess[64];

	plan->role = 1; /* function */
	if (!role)
		return true;
	measure_suggest_begin(&nearest, role->arguments);
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		measure_suggest_offer(&nearest, roles[i].name);
		if (strcmp(roles[i].name, role->arguments) != 0)
			continue;
		plan->role = roles[i].number;
		return true;
	}
	measure_suggest_ask(&nearest, "", guess, sizeof(guess));
	return annotation_refuse(
		role, "no role of OTF2", *guess ? guess + 2 : "see man measure-wrap");
}

/* A number of an annotation from 1 on, behind `before`; 0 where there is no such annotation. */
static bool number_plan(const struct wrap_plan *plan, const char *name, const char *before,
	unsigned long most, unsigned long *number)
{
	const struct wrap_annotation *annotation = wrap_annotation_find(plan->function, name);
	const size_t length = strlen(before);
	char *end;

	*number = 0;
	if (!annotation)
		return true;
	if (strncmp(annotation->arguments, before, length) == 0 &&
		isdigit((unsigned char)annotation->arguments[length])) {
		*number = strtoul(annotation->arguments + length, &end, 10);
		if (!*end && *number >= 1 && *number <= most)
			return true;
	}
	return annotation_refuse(annotation, "not a number that can be used",
		*before ? "write (1/N)" : "write (1) to (8)");
}

bool wrap_plan_make(struct wrap_plan *plan, const struct wrap_function *function)
{
	const struct wrap_annotation *condition = wrap_annotation_find(function, "if");
	const struct wrap_annotation *group = wrap_annotation_find(function, "group");

	*plan = (struct wrap_plan){.function = function,
		.has_region = !wrap_annotation_find(function, "silent"),
		.condition = condition ? condition->arguments : NULL,
		.result = parameter_find(function, "result") ? "measure_result" : "result",
		.group = group ? group->arguments : NULL};
	if (group && (!*plan->group || plan->group[strcspn(plan->group, " ,;:+\n\"\\")]))
		return annotation_refuse(group, "not one word", "write (NAME)");
	return role_plan(plan) && number_plan(plan, "sample", "1/", UINT32_MAX, &plan->one_in) &&
	       number_plan(plan, "depth", "", MOST_DEPTH, &plan->depth) && values_plan(plan) &&
	       steps_plan(plan);
}
