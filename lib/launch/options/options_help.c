/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the options and settings of `measure`; see options.h. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "options.h"

#define COLUMN 26
#define WIDTH  79

static const struct {
	const char *name;
	char letter;
	const char *argument;
	const char *text;
} requests[] = {
#define REQUEST(NAME, name, letter, argument, text) {name, letter, argument, text},
#include "requests.def"
#undef REQUEST
};
#define NR_REQUESTS (sizeof(requests) / sizeof(requests[0]))

void measure_option_name(const struct measure_setting *setting, char name[64])
{
	snprintf(name, 64, "%s", setting->name);
	for (char *c = name; *c; c++)
		if (*c == '_')
			*c = '-';
}

/* Prints `text`, wrapped and indented to COLUMN; `used` columns of the first line are taken. */
static void print_wrapped(int used, const char *text)
{
	int column = used;
	bool is_first = true;

	if (used >= COLUMN - 1) {
		printf("\n");
		column = 0;
	}
	column += printf("%*s", COLUMN - column, "");
	while (*text) {
		int length = (int)strcspn(text, " ");
		if (column + 1 + length > WIDTH) {
			printf("\n");
			column = printf("%*s", COLUMN, "");
			is_first = true;
		}
		column += printf("%s%.*s", is_first ? "" : " ", length, text);
		is_first = false;
		text += length + (text[length] == ' ');
	}
	printf("\n");
}

/* The first option below each heading of the help. */
static const struct {
	const char *option, *text;
} headings[] = {
	{"output", "Run directory and event memory"},
	{"adapters", "What to record"},
	{"filter", "Regions and overhead"},
	{"metrics", "Counters and samples"},
	{"clock", "Clocks"},
	{"strict", "Mistakes and messages"},
	{"calibrate", "Instead of recording"},
};

static void print_heading(const char *option)
{
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		if (strcmp(headings[i].option, option) == 0)
			printf("\n%s:\n", headings[i].text);
}

static void print_option(char letter, const char *name, const char *argument, const char *text)
{
	int used;

	print_heading(name);
	used = letter ? printf("  -%c, ", letter) : printf("      ");

	used += printf("--%s%s%s", name, argument && *argument != '[' ? " " : "",
		argument ? argument : "");
	print_wrapped(used, text);
}

void measure_options_help(void)
{
	char name[64], text[512];

	printf("Usage: measure [OPTION]... PROGRAM [ARGUMENT]...\n"
	       "Run PROGRAM and record it as an OTF2 archive.\n\n"
	       "  measure ./app                      record a program\n"
	       "  mpirun -n 4 measure -o run1 ./app  record an MPI program into run1\n"
	       "  measure --sample ./app             sample a program that was not instrumented\n");
	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (!setting->is_option)
			continue;
		measure_option_name(setting, name);
		bool has_default = setting->argument && *setting->initial;
		snprintf(text, sizeof(text), "%s%s%s%s", setting->text,
			has_default ? " (default: " : "", has_default ? setting->initial : "",
			has_default ? ")" : "");
		print_option(setting->letter, name, setting->argument, text);
	}
	for (size_t i = 0; i < NR_REQUESTS; i++)
		print_option(requests[i].letter, requests[i].name, requests[i].argument,
			requests[i].text);
	printf("\nEach setting has an environment variable, MEASURE_OUTPUT for --output; options\n"
	       "override variables. The exit status is that of PROGRAM. More: man measure.\n");
}

void measure_options_help_config(void)
{
	char name[64];

	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (!setting->is_option)
			continue;
		measure_setting_environment(setting, name);
		printf("%s = %s\n", name, setting->initial);
		if (setting->argument)
			print_wrapped(printf("    %s", setting->argument), setting->text);
		else
			print_wrapped(printf("    yes|no"), setting->text);
	}
}

void measure_options_print(const struct measure_settings *settings, bool want_options)
{
	char value[MEASURE_SETTINGS_TEXT];

	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (setting->is_option != want_options)
			continue;
		measure_setting_print(settings, setting, value, sizeof(value));
		if (strcmp(setting->name, "rank") == 0 && settings->rank == MEASURE_RANK_NONE)
			strcpy(value, "none");
		printf("%s = %s\n", setting->name, value);
	}
}
