/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure` prints of its options and settings; see options.h. */
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

/* Words of `text` in lines from COLUMN on, after `used` columns of something else. */
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

static void print_option(char letter, const char *name, const char *argument, const char *text)
{
	int used = letter ? printf("  -%c, ", letter) : printf("      ");

	used += printf("--%s%s%s", name, argument && *argument != '[' ? " " : "",
		argument ? argument : "");
	print_wrapped(used, text);
}

void measure_options_help(void)
{
	char name[64];

	printf("Usage: measure [OPTION]... PROGRAM [ARGUMENT]...\n"
	       "Run PROGRAM and record what it does as an OTF2 archive.\n\n");
	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (!setting->is_option)
			continue;
		measure_option_name(setting, name);
		print_option(setting->letter, name, setting->argument, setting->text);
	}
	for (size_t i = 0; i < NR_REQUESTS; i++)
		print_option(requests[i].letter, requests[i].name, requests[i].argument,
			requests[i].text);
	printf("\nEvery option has an environment variable, MEASURE_OUTPUT for --output; options\n"
	       "win. measure ends as the program ended. In a parallel job, put it before the\n"
	       "program:\n  mpirun -n 4 measure ./app\n");
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
