/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writing the source of a library of wrappers; see generate.h. Wrappers call what lib/api/wrap.h
 * has; what is written here is tables, and one short function for each that is wrapped. */
#include "config.h"

#include "generate.h"

#include <ctype.h>
#include <string.h>

#include "values.h"

typedef MEASURE_ARRAY(const char *) words_t;

struct generator {
	FILE *file;
	const struct wrap_module *module;
	MEASURE_ARRAY(struct wrap_plan) plans; /* of functions, in their order */
	words_t groups, states, variables;
};

static size_t word_index(words_t *words, const char *word)
{
	for (size_t i = 0; i < words->nr; i++)
		if (strcmp(words->items[i], word) == 0)
			return i;
	wrap_push(words, word);
	return words->nr - 1;
}

/* ------------------------------------------------------------------------- tables --- */

static void print_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void print_enumerations(const struct generator *generator)
{
	for (size_t i = 0; i < generator->module->enumerations.nr; i++) {
		const struct wrap_enumeration *one = &generator->module->enumerations.items[i];
		fprintf(generator->file,
			"static const struct measure_wrap_enumerator measure_names_%zu[] = {", i);
		for (size_t k = 0; k < one->items.nr; k++)
			fprintf(generator->file, "{%lld, \"%s\"}, ",
				(long long)one->items.items[k].value, one->items.items[k].name);
		fprintf(generator->file, "{0, NULL}};\n");
	}
}

static void print_attributes(const struct generator *generator, const char *when, size_t number,
	const wrap_values_t *values)
{
	static const char *const types[] = {[WRAP_UNSIGNED] = "UNSIGNED",
		[WRAP_SIGNED] = "SIGNED",
		[WRAP_DOUBLE] = "DOUBLE",
		[WRAP_TEXT] = "TEXT",
		[WRAP_ENUM] = "ENUM",
		[WRAP_POINTER] = "UNSIGNED"};

	if (values->nr == 0)
		return;
	fprintf(generator->file, "static struct measure_wrap_attribute measure_%s_%zu[] = {", when,
		number);
	for (size_t i = 0; i < values->nr; i++) {
		const struct wrap_value *one = &values->items[i];
		fprintf(generator->file, "%s{\"%s\", MEASURE_WRAP_%s", i ? ", " : "", one->name,
			types[one->class]);
		if (one->class == WRAP_ENUM)
			fprintf(generator->file, ", measure_names_%d", one->enumeration);
		fprintf(generator->file, "}");
	}
	fprintf(generator->file, "};\n");
}

/* Is there anything to do but to enter and leave? */
static bool stub_needs_code(const struct wrap_plan *plan)
{
	return plan->condition || plan->one_in || plan->depth || plan->steps.nr > 0 ||
	       plan->before.nr > 0 || plan->after.nr > 0;
}

static bool function_is_stub(const struct wrap_function *function)
{
	return function->is_stub || function->is_variadic;
}

static void print_table_row(struct generator *generator, size_t number)
{
	const struct wrap_plan *plan = &generator->plans.items[number];
	const struct wrap_function *function = plan->function;
	FILE *file = generator->file;

	fprintf(file, "\t{.library = &measure_wrap_library, .symbol = \"%s\"", function->symbol);
	if (function->version)
		fprintf(file, ", .version = \"%s\"", function->version);
	if (plan->has_region) {
		fprintf(file, ", .region = ");
		if (function->region[0] == '"')
			fputs(function->region, file); /* of @region("...") */
		else
			print_text(file, function->region);
	}
	if (plan->before.nr > 0)
		fprintf(file, ", .before = measure_before_%zu, .nr_before = %zu", number,
			plan->before.nr);
	if (plan->after.nr > 0)
		fprintf(file, ", .after = measure_after_%zu, .nr_after = %zu", number,
			plan->after.nr);
	fprintf(file, ", .role = %u", plan->role);
	if (plan->group)
		fprintf(file, ", .group = %zu", word_index(&generator->groups, plan->group) + 1);
	if (function_is_stub(function) && stub_needs_code(plan))
		fprintf(file,
			",\n\t .enter = (bool (*)(void))measure_enter_%zu, .leave = (void "
			"(*)(void))measure_leave_%zu",
			number, number);
	fprintf(file, "},\n");
}

static void print_words(const struct generator *generator, const char *what, const words_t *words)
{
	fprintf(generator->file, "static struct measure_wrap_%s measure_wrap_%ss[] = {", what,
		what);
	for (size_t i = 0; i < words->nr; i++)
		fprintf(generator->file, "%s{%s}", i ? ", " : "", words->items[i]);
	fprintf(generator->file, "};\n");
}

/* ----------------------------------------------------------------------- functions --- */

static void print_value(FILE *file, const struct wrap_value *value)
{
	static const char *const members[][2] = {[WRAP_UNSIGNED] = {"unsigned_int", "uint64_t"},
		[WRAP_SIGNED] = {"signed_int", "int64_t"},
		[WRAP_DOUBLE] = {"floating_point", "double"},
		[WRAP_TEXT] = {"text", "const char *"},
		[WRAP_ENUM] = {"signed_int", "int64_t"},
		[WRAP_POINTER] = {"unsigned_int", "uintptr_t"}};

	fprintf(file, ", {.%s = (%s)(%s)}", members[value->class][0], members[value->class][1],
		value->expression);
}

static void print_values(FILE *file, const char *call, size_t number, const wrap_values_t *values)
{
	fprintf(file, "%s(%zu", call, number);
	for (size_t i = 0; i < values->nr; i++)
		print_value(file, &values->items[i]);
	fprintf(file, ");\n");
}

static void print_steps(struct generator *generator, const struct wrap_plan *plan, bool is_after)
{
	FILE *file = generator->file;

	for (size_t i = 0; i < plan->steps.nr; i++) {
		const struct wrap_step *step = &plan->steps.items[i];
		if (step->is_after != is_after)
			continue;
		if (strcmp(step->name, "pop") == 0)
			fprintf(file, "\t\tmeasure_wrap_pop();\n");
		else if (!step->expression)
			fprintf(file, "\t\tmeasure_wrap_%s(&measure_wrap_states[%zu]);\n",
				step->name, word_index(&generator->states, step->text));
		else
			fprintf(file,
				"\t\tmeasure_wrap_%s(&measure_wrap_variables[%zu], "
				"%s(double)(%s));\n",
				strcmp(step->name, "set") == 0 ? "set" : "add",
				word_index(&generator->variables, step->text),
				strcmp(step->name, "sub") == 0 ? "-" : "", step->expression);
	}
}

static bool has_steps(const struct wrap_plan *plan, bool is_after)
{
	for (size_t i = 0; i < plan->steps.nr; i++)
		if (plan->steps.items[i].is_after == is_after)
			return true;
	return false;
}

/* The condition under which a call is recorded, and what is recorded of it before. */
static void print_before(struct generator *generator, const struct wrap_plan *plan, size_t number)
{
	FILE *file = generator->file;

	fprintf(file, "\tif (MEASURE_WRAP_IS_ON(%zu)", number);
	if (plan->condition)
		fprintf(file, " && (%s)", plan->condition);
	if (plan->one_in)
		fprintf(file, " && MEASURE_WRAP_IS_ONE_IN(%lu)", plan->one_in);
	if (plan->depth)
		fprintf(file, " && MEASURE_WRAP_IS_SHALLOW(%lu)", plan->depth);
	fprintf(file, ") {\n");
	if (plan->steps.nr > 0)
		fprintf(file, "\t\tmeasure_is_recorded = true;\n");
	if (generator->module->samplings.nr > 0)
		fprintf(file, "\t\tmeasure_wrap_sample(&measure_wrap_library);\n");
	print_steps(generator, plan, false);
	if (plan->has_region)
		print_values(file, "\t\tMEASURE_WRAP_ENTER", number, &plan->before);
	fprintf(file, "\t}\n");
}

static void print_after(struct generator *generator, const struct wrap_plan *plan, size_t number)
{
	if (plan->has_region)
		print_values(generator->file, "\tMEASURE_WRAP_LEAVE", number, &plan->after);
	if (!has_steps(plan, true))
		return;
	fprintf(generator->file, "\tif (measure_is_recorded) {\n");
	print_steps(generator, plan, true);
	fprintf(generator->file, "\t}\n");
}

static void print_parameters(FILE *file, const struct wrap_function *function)
{
	for (size_t i = 0; i < function->parameters.nr; i++) {
		const struct wrap_parameter *one = &function->parameters.items[i];
		fprintf(file, "%s%s%s%s", i ? ", " : "", one->type.before, one->name,
			one->type.after);
	}
	if (function->parameters.nr == 0)
		fprintf(file, "void");
}

/* TYPE NAME(PARAMETERS), of which TYPE may be written around the rest. */
static void print_prototype(FILE *file, const struct wrap_function *function, size_t number)
{
	fprintf(file, "%smeasure_wrapped_%zu(", function->result.before, number);
	print_parameters(file, function);
	fprintf(file, ")%s", function->result.after);
}

static void print_wrapper(struct generator *generator, size_t number)
{
	const struct wrap_plan *plan = &generator->plans.items[number];
	const struct wrap_function *function = plan->function;
	const struct wrap_type *type = &function->result;
	const bool is_void = type->class == WRAP_VOID;
	FILE *file = generator->file;

	fprintf(file, "\n");
	print_prototype(file, function, number);
	if (!function->version)
		fprintf(file, " __asm__(\"%s\")", function->symbol);
	fprintf(file, ";\n");
	print_prototype(file, function, number);
	fprintf(file, "\n{\n\tMEASURE_WRAP_BEGIN;\n");
	if (!is_void)
		fprintf(file, "\t%s%s%s;\n", type->before, plan->result, type->after);
	if (plan->steps.nr > 0)
		fprintf(file, "\tbool measure_is_recorded = false;\n");
	fprintf(file, "\n");
	print_before(generator, plan, number);
	fprintf(file, "\t%s%sMEASURE_WRAP_REAL(%zu, measure_wrapped_%zu)(",
		is_void ? "" : plan->result, is_void ? "" : " = ", number, number);
	for (size_t i = 0; i < function->parameters.nr; i++)
		fprintf(file, "%s%s", i ? ", " : "", function->parameters.items[i].name);
	fprintf(file, ");\n");
	print_after(generator, plan, number);
	if (!is_void)
		fprintf(file, "\treturn %s;\n", plan->result);
	fprintf(file, "}\n");
}

/* What a stub calls before and after: with the arguments of the function, and its result. */
static void print_stub(struct generator *generator, size_t number)
{
	const struct wrap_plan *plan = &generator->plans.items[number];
	const struct wrap_function *function = plan->function;
	const bool has_result = plan->after.nr > 0;
	FILE *file = generator->file;

	fprintf(file, "\n");
	if (stub_needs_code(plan)) {
		fprintf(file, "static bool measure_enter_%zu(", number);
		print_parameters(file, function);
		fprintf(file, ")\n{\n\tstruct measure_wrap_call measure_call = {NULL, 0};\n");
		if (plan->steps.nr > 0)
			fprintf(file, "\tbool measure_is_recorded = false;\n");
		fprintf(file, "\n");
		print_before(generator, plan, number);
		fprintf(file, "\treturn measure_wrap_stub_entered(&measure_call)%s;\n}\n\n",
			has_steps(plan, true) ? " || measure_is_recorded" : "");
		fprintf(file, "static void measure_leave_%zu(%s%s%s)\n{\n", number,
			has_result ? function->result.before : "void",
			has_result ? plan->result : "", has_result ? function->result.after : "");
		if (plan->has_region)
			fprintf(file,
				"\tstruct measure_wrap_call measure_call = "
				"{MEASURE_WRAP_ROW_OF(%zu), 0};\n",
				number);
		if (plan->steps.nr > 0)
			fprintf(file, "\tbool measure_is_recorded = true;\n");
		print_after(generator, plan, number);
		if (plan->depth)
			fprintf(file, "\tmeasure_wrap_stub_left();\n");
		fprintf(file, "}\n");
	}
	if (function->version)
		fprintf(file, "MEASURE_WRAP_STUB(\"measure_wrapped_%zu\", %zu)\n", number, number);
	else
		fprintf(file, "MEASURE_WRAP_STUB(\"%s\", %zu)\n", function->symbol, number);
}

/* -------------------------------------------------------------------- sampling functions --- */

/* SAMPLING_RECORD(value, "name") in the code of one sets a variable. */
static char *sampling_code(struct generator *generator, const char *code)
{
	static const char call[] = "SAMPLING_RECORD";
	char *written = wrap_format("%s", "");
	const char *found;

	while ((found = strstr(code, call))) {
		const char *open = strchr(found, '('), *text = open ? strchr(open, '"') : NULL;
		const char *close = text ? strchr(text + 1, '"') : NULL;
		const char *comma = text, *end = close ? strchr(close, ')') : NULL;
		if (!end)
			break;
		while (comma > open && *comma != ',')
			comma--;
		size_t variable = word_index(
			&generator->variables, wrap_copy(text, (size_t)(close + 1 - text)));
		written = wrap_format(
			"%s%.*smeasure_wrap_set(&measure_wrap_variables[%zu], (double)(%.*s))",
			written, (int)(found - code), code, variable, (int)(comma - open - 1),
			open + 1);
		code = end + 1;
	}
	return wrap_format("%s%s", written, code);
}

/* The code is a function of that name, or what is in its body. */
static bool is_function(const char *code, const char *name)
{
	const char *brace = strchr(code, '{'), *found = strstr(code, name);

	return found && brace && found < brace &&
	       found[strlen(name) + strspn(found + strlen(name), " ")] == '(';
}

static void print_samplings(struct generator *generator)
{
	FILE *file = generator->file;

	if (generator->module->samplings.nr > 0)
		fprintf(file,
			"struct ezt_sampling_callback_instance {\n\tvoid *plugin_data;\n};\n");
	for (size_t i = 0; i < generator->module->samplings.nr; i++) {
		const struct wrap_sampling *one = &generator->module->samplings.items[i];
		char *code = sampling_code(generator, one->code);
		if (is_function(one->code, one->name))
			fprintf(file,
				"%s\n"
				"static void measure_sampling_%zu(void)\n{\n"
				"\tstatic struct ezt_sampling_callback_instance instance;\n\n"
				"\t((void (*)(void *))%s)(&instance);\n}\n\n",
				code, i, one->name);
		else
			fprintf(file,
				"static int %s(void)\n{\n%s\n\treturn 0;\n}\n"
				"static void measure_sampling_%zu(void)\n{\n\t%s();\n}\n\n",
				one->name, code, i, one->name);
	}
}

static void print_sampling_table(const struct generator *generator)
{
	fprintf(generator->file,
		"static struct measure_wrap_sampling measure_wrap_samplings[] = {");
	for (size_t i = 0; i < generator->module->samplings.nr; i++)
		fprintf(generator->file, "{measure_sampling_%zu, %lu}, ", i,
			generator->module->samplings.items[i].interval);
	fprintf(generator->file, "};\n");
}

/* ---------------------------------------------------------------------------- all --- */

/* Words of all plans get their numbers before tables are written. */
static bool generator_plan(struct generator *generator)
{
	for (size_t i = 0; i < generator->module->functions.nr; i++) {
		struct wrap_plan plan;
		if (!wrap_plan_make(&plan, &generator->module->functions.items[i]))
			return false;
		wrap_push(&generator->plans, plan);
		for (size_t k = 0; k < plan.steps.nr; k++)
			if (plan.steps.items[k].text)
				word_index(plan.steps.items[k].expression ? &generator->variables
									  : &generator->states,
					plan.steps.items[k].text);
	}
	for (size_t i = 0; i < generator->module->samplings.nr; i++)
		sampling_code(generator, generator->module->samplings.items[i].code);
	return true;
}

/* Symbols of which the library has several versions are defined with theirs. */
static void print_versions(const struct generator *generator)
{
	for (size_t i = 0; i < generator->module->functions.nr; i++) {
		const struct wrap_function *one = &generator->module->functions.items[i];
		if (one->version)
			fprintf(generator->file,
				"__asm__(\".symver measure_wrapped_%zu, %s%s%s\");\n", i,
				one->symbol, one->is_default_version ? "@@" : "@", one->version);
	}
}

bool wrap_generate(FILE *file, const struct wrap_module *module)
{
	struct generator generator = {.file = file, .module = module};

	if (!generator_plan(&generator))
		return false;
	fprintf(file,
		"/* Written by measure-wrap %s: wrappers of `%s'. */\n"
		"#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n%s\n#line 1 "
		"\"libmeasure-wrap-%s.c\"\n"
		"#include <measure/wrap.h>\n\n",
		VERSION, module->name, module->prelude ? module->prelude : "", module->name);
	print_enumerations(&generator);
	for (size_t i = 0; i < generator.plans.nr; i++) {
		print_attributes(&generator, "before", i, &generator.plans.items[i].before);
		print_attributes(&generator, "after", i, &generator.plans.items[i].after);
	}
	print_words(&generator, "state", &generator.states);
	print_words(&generator, "variable", &generator.variables);
	print_samplings(&generator);
	print_sampling_table(&generator);
	for (size_t i = 0; i < generator.plans.nr; i++)
		if (function_is_stub(&module->functions.items[i]))
			print_stub(&generator, i);
		else
			print_wrapper(&generator, i);
	print_versions(&generator);
	fprintf(file, "\nstruct measure_wrap_function measure_wrap_functions[] = {\n");
	for (size_t i = 0; i < generator.plans.nr; i++)
		print_table_row(&generator, i);
	fprintf(file, "};\n\nMEASURE_WRAP_LIBRARY(\"%s\", \"", module->name);
	for (size_t i = 0; i < generator.groups.nr; i++)
		fprintf(file, "%s%s", i ? ", " : "", generator.groups.items[i]);
	fprintf(file, "\")\n");
	return true;
}

char *wrap_version_script(const struct wrap_module *module)
{
	words_t versions = {0};
	char *script = wrap_format("%s", "");

	for (size_t i = 0; i < module->functions.nr; i++)
		if (module->functions.items[i].version)
			word_index(&versions, module->functions.items[i].version);
	for (size_t i = 0; i < versions.nr; i++)
		script = wrap_format("%s%s { };\n", script, versions.items[i]);
	return versions.nr > 0 ? script : NULL;
}
