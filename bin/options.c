/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of `measure`; see options.h. */
#include "config.h"

#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "launcher.h"

#define MOST_OPTIONS 64
#define COLUMN	     26
#define WIDTH	     79

/* Values that getopt_long() returns: rows of config.def are their index + OPTION_ROW. */
enum {
	OPTION_CALIBRATE = 256,
	OPTION_RUNS,
	OPTION_JSON,
	OPTION_DRY_RUN,
	OPTION_HELP,
	OPTION_HELP_CONFIG,
	OPTION_VERSION,
	OPTION_ROW
};

static const struct extra {
	const char *name;
	int value;
	const char *text;
	int has_argument;
} extras[] = {
	{"calibrate", OPTION_CALIBRATE,
		"run the program several times with recording and without, and say how much slower "
		"recording makes it",
		no_argument},
	{"runs", OPTION_RUNS, "-n N: of a calibration, of each kind (10)", required_argument},
	{"json", OPTION_JSON, "the result of a calibration for programs", no_argument},
	{"dry-run", OPTION_DRY_RUN, "say what would be preloaded and why, and run nothing",
		no_argument},
	{"help", OPTION_HELP, "this text", no_argument},
	{"help-config", OPTION_HELP_CONFIG, "all settings with environment variables and defaults",
		no_argument},
	{"version", OPTION_VERSION, "the version of Measure", no_argument},
};
#define NR_EXTRAS (sizeof(extras) / sizeof(extras[0]))

#define SOURCE_SIZE 80

static char sources[MOST_OPTIONS][SOURCE_SIZE]; /* by row of config.def */

static void option_name(const struct measure_setting *setting, char name[64])
{
	snprintf(name, 64, "%s", setting->name);
	for (char *c = name; *c; c++)
		if (*c == '_')
			*c = '-';
}

/* getopt's tables: long options, and the letters after a + (stop at the program) and a : (tell
 * a missing argument from an unknown option). */
struct tables {
	char names[MOST_OPTIONS][64];
	struct option options[MOST_OPTIONS];
	char letters[MOST_OPTIONS * 2];
};

static void make_tables(struct tables *tables)
{
	int nr = 0;
	size_t letters = 4;

	memset(tables, 0, sizeof(*tables));
	strcpy(tables->letters, "+:n:");
	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		int has_argument = setting->argument ? required_argument : no_argument;
		if (!setting->is_option || nr >= MOST_OPTIONS - (int)NR_EXTRAS - 1)
			continue;
		option_name(setting, tables->names[nr]);
		tables->options[nr] =
			(struct option){tables->names[nr], has_argument, NULL, OPTION_ROW + (int)i};
		nr++;
		if (setting->letter)
			tables->letters[letters++] = setting->letter;
		if (setting->letter && setting->argument)
			tables->letters[letters++] = ':';
	}
	for (size_t i = 0; i < NR_EXTRAS; i++)
		tables->options[nr++] = (struct option){
			extras[i].name, extras[i].has_argument, NULL, extras[i].value};
}

static void set_runs(struct measure_options *options)
{
	char *end;
	unsigned long nr = strtoul(optarg, &end, 10);

	options->nr_runs = (uint32_t)nr;
	if (*end == '\0' && end != optarg && nr >= 2 && nr <= 1000)
		return;
	measure_cli_say("--runs: '%s' is not a number from 2 to 1000", optarg);
	options->is_wrong = true;
}

static const struct measure_setting *find_letter(int letter)
{
	for (size_t i = 0; i < measure_settings_nr; i++)
		if (measure_settings_table[i].letter == letter && letter != 0)
			return &measure_settings_table[i];
	return NULL;
}

static void set(struct measure_options *options, const struct measure_setting *setting,
	const char *value, const char *source)
{
	const char *why;

	snprintf(sources[setting - measure_settings_table], sizeof(sources[0]), "%s", source);
	if (measure_settings_set(&options->settings, setting->name, value, &why) == MEASURE_OK)
		return;
	if (setting->type == MEASURE_SETTING_CHOICE)
		measure_cli_say("%s: '%s' is not one of %s: not recording", source, value,
			setting->argument);
	else
		measure_cli_say("%s: '%s' %s: not recording", source, value, why);
	options->is_wrong = true;
}

static void read_environment(struct measure_options *options)
{
	char name[64];

	for (size_t i = 0; i < measure_settings_nr; i++) {
		if (!measure_settings_table[i].is_option)
			continue;
		measure_setting_environment(&measure_settings_table[i], name);
		const char *value = getenv(name);
		if (value && *value)
			set(options, &measure_settings_table[i], value, name);
	}
}

/* Put there by the MPI adapter of those who spawned this process: the archive of both is one,
 * unless the user says otherwise. */
static void read_parents(struct measure_options *options)
{
	const char *why, *output = getenv(MEASURE_SPAWNED_OUTPUT);

	if (output)
		measure_settings_set(&options->settings, "output", output, &why);
}

static void name_option(const struct measure_setting *setting, char source[SOURCE_SIZE])
{
	char name[64];

	option_name(setting, name);
	snprintf(source, SOURCE_SIZE, "--%s", name);
}

static void set_option(struct measure_options *options, const struct measure_setting *setting)
{
	char source[SOURCE_SIZE];

	name_option(setting, source);
	set(options, setting, setting->argument ? optarg : "yes", source);
}

static void refuse(struct measure_options *options, int error, char **arguments)
{
	const char *argument = arguments[optind - 1];

	if (error == ':')
		measure_cli_say("%s: needs a value: see measure --help", argument);
	else if (optopt > 0 && optopt < 256)
		measure_cli_say("-%c: unknown option: see measure --help", optopt);
	else
		measure_cli_say("%s: unknown option: see measure --help", argument);
	options->is_wrong = true;
}

const char *measure_options_source(const char *name)
{
	for (size_t i = 0; i < measure_settings_nr && i < MOST_OPTIONS; i++)
		if (strcmp(measure_settings_table[i].name, name) == 0) {
			if (!sources[i][0])
				name_option(&measure_settings_table[i], sources[i]);
			return sources[i];
		}
	return name;
}

enum measure_request measure_options_parse(struct measure_options *options, int count,
	char **arguments)
{
	static struct tables tables;
	int option;

	memset(options, 0, sizeof(*options));
	measure_settings_defaults(&options->settings);
	options->nr_runs = 10;
	read_parents(options);
	read_environment(options);
	make_tables(&tables);
	opterr = 0;
	while ((option = getopt_long(count, arguments, tables.letters, tables.options,
			NULL)) != -1) {
		const struct measure_setting *row = find_letter(option);
		if (option == OPTION_HELP)
			return MEASURE_REQUEST_HELP;
		if (option == OPTION_HELP_CONFIG)
			return MEASURE_REQUEST_HELP_CONFIG;
		if (option == OPTION_VERSION)
			return MEASURE_REQUEST_VERSION;
		if (option == OPTION_DRY_RUN)
			options->is_dry_run = true;
		else if (option == OPTION_CALIBRATE)
			options->is_calibration = true;
		else if (option == OPTION_RUNS || option == 'n')
			set_runs(options);
		else if (option == OPTION_JSON)
			options->is_json = true;
		else if (option >= OPTION_ROW)
			set_option(options, &measure_settings_table[option - OPTION_ROW]);
		else if (row)
			set_option(options, row);
		else
			refuse(options, option, arguments);
	}
	options->program = arguments + optind;
	return MEASURE_REQUEST_RUN;
}

measure_status_t measure_options_export(const struct measure_options *options)
{
	char name[64], value[MEASURE_SETTINGS_TEXT];

	for (size_t i = 0; i < measure_settings_nr && i < MOST_OPTIONS; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (!setting->is_option || !sources[i][0])
			continue;
		measure_setting_environment(setting, name);
		measure_setting_print(&options->settings, setting, value, sizeof(value));
		if (setenv(name, value, 1) != 0)
			return MEASURE_ERROR_MEMORY;
	}
	return MEASURE_OK;
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

void measure_options_help(void)
{
	char name[64];

	printf("Usage: measure [OPTION]... PROGRAM [ARGUMENT]...\n"
	       "Run PROGRAM and record what it does as an OTF2 archive.\n\n");
	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (!setting->is_option)
			continue;
		option_name(setting, name);
		int used = setting->letter ? printf("  -%c, ", setting->letter) : printf("      ");
		used += printf("--%s%s%s", name, setting->argument ? " " : "",
			setting->argument ? setting->argument : "");
		print_wrapped(used, setting->text);
	}
	for (size_t i = 0; i < NR_EXTRAS; i++)
		print_wrapped(printf("      --%s", extras[i].name), extras[i].text);
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
		printf("%s = %s\n", setting->name, value);
	}
}
