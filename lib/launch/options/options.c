/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of `measure`; see options.h. */
#include "config.h"

#include "options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample_rate.h"
#include "cli/cli.h"
#include "launch/plan/launcher.h"
#include "cli/suggest.h"
#include "policy.h"
#include "cli/wrong_option.h"

#define MOST_OPTIONS 64

/* Values that getopt_long() returns: rows of config.def are their index + OPTION_ROW. */
enum {
	OPTION_SINGLE_DASH = 256, /* of our own: see next_option() */
#define REQUEST(NAME, name, letter, argument, text) OPTION_##NAME,
#include "requests.def"
#undef REQUEST
	OPTION_ROW
};

static const struct option requests[] = {
#define REQUEST(NAME, name, letter, argument, text)                                                \
	{name, argument ? required_argument : no_argument, NULL, OPTION_##NAME},
#include "requests.def"
#undef REQUEST
};
#define NR_REQUESTS (sizeof(requests) / sizeof(requests[0]))

#define SOURCE_SIZE 80

static char sources[MOST_OPTIONS][SOURCE_SIZE]; /* by row of config.def */

/* getopt's tables: long options, and the letters after a + (stop at the program) and a : (tell
 * a missing argument from an unknown option). */
struct tables {
	char names[MOST_OPTIONS][64];
	struct option options[MOST_OPTIONS];
	char letters[MOST_OPTIONS * 2];
};

/* A flag may have a value, so that --strict=no takes back MEASURE_STRICT=yes. */
static int argument_of(const struct measure_setting *setting)
{
	return setting->argument && !measure_setting_is_optional(setting) ? required_argument
									  : optional_argument;
}

static void make_tables(struct tables *tables)
{
	int nr = 0;
	size_t letters = 4;

	memset(tables, 0, sizeof(*tables));
	strcpy(tables->letters, "+:n:");
	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (!setting->is_option || nr >= MOST_OPTIONS - (int)NR_REQUESTS - 1)
			continue;
		measure_option_name(setting, tables->names[nr]);
		tables->options[nr] = (struct option){
			tables->names[nr], argument_of(setting), NULL, OPTION_ROW + (int)i};
		nr++;
		if (setting->letter)
			tables->letters[letters++] = setting->letter;
		if (setting->letter && setting->argument)
			tables->letters[letters++] = ':';
	}
	memcpy(&tables->options[nr], requests, sizeof(requests));
}

/* A mistake: the program is not run, unless --lenient says so. */
static void options_refuse(struct measure_options *options, const char *text)
{
	if (measure_policy_mistake("ignored", "%s", text) != MEASURE_OK)
		options->is_wrong = true;
}

static void set_runs(struct measure_options *options)
{
	char *end;
	unsigned long nr = strtoul(optarg, &end, 10);
	char text[128];

	options->has_runs = true;
	if (*end == '\0' && end != optarg && nr >= 2 && nr <= 1000) {
		options->nr_runs = (uint32_t)nr;
		return;
	}
	snprintf(text, sizeof(text), "--runs: '%.40s' is not a number from 2 to 1000", optarg);
	options_refuse(options, text);
}

static void set_process(struct measure_options *options, const char *name, pid_t *pid)
{
	char *end, text[128];
	long number = strtol(optarg, &end, 10);

	*pid = *end == '\0' && number > 0 && number <= INT_MAX ? (pid_t)number : 0;
	if (*pid)
		return;
	snprintf(text, sizeof(text),
		"--%s: '%.40s' is not the number of a process: give one that ps or pgrep prints",
		name, optarg);
	options_refuse(options, text);
	options->is_wrong = true;
}

static const struct measure_setting *find_letter(int letter)
{
	for (size_t i = 0; i < measure_settings_nr; i++)
		if (measure_settings_table[i].letter == letter && letter != 0)
			return &measure_settings_table[i];
	return NULL;
}

static void options_set(struct measure_options *options, const struct measure_setting *setting,
	const char *value, const char *source)
{
	const char *why;
	char text[512], guess[64];

	snprintf(sources[setting - measure_settings_table], sizeof(sources[0]), "%s", source);
	if (measure_settings_set(&options->settings, setting->name, value, &why) == MEASURE_OK)
		return;
	if (setting->type == MEASURE_SETTING_CHOICE) {
		measure_suggest_word(setting->argument, "|", value, guess, sizeof(guess));
		snprintf(text, sizeof(text), "%s: '%.200s' is not one of %s%s", source, value,
			setting->argument, guess);
	} else {
		snprintf(text, sizeof(text), "%s: '%.200s' %s", source, value, why);
	}
	options_refuse(options, text);
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
			options_set(options, &measure_settings_table[i], value, name);
	}
}

/* A variable whose name is nearly that of one of ours is meant for us. What else begins with
 * MEASURE_ may be the program's own. */
static void look_at_variable(struct measure_options *options, const char *variable)
{
	static char names[MOST_OPTIONS][64];
	struct measure_suggest nearest;
	char name[64], guess[128], text[256];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(variable, "="), variable);
	measure_suggest_begin(&nearest, name + strlen("MEASURE_"));
	measure_suggest_offer(&nearest, "LIBDIR");
	measure_suggest_offer(&nearest, "EVENT_COSTS");
	for (size_t i = 0; i < measure_settings_nr && i < MOST_OPTIONS; i++) {
		if (!measure_settings_table[i].is_option)
			continue;
		measure_setting_environment(&measure_settings_table[i], names[i]);
		measure_suggest_offer(&nearest, names[i] + strlen("MEASURE_"));
	}
	measure_suggest_ask(&nearest, "MEASURE_", guess, sizeof(guess));
	if (!guess[0] || nearest.best[0].distance == 0)
		return;
	snprintf(text, sizeof(text), "%s: unknown variable%s", name, guess);
	options_refuse(options, text);
}

static void look_for_wrong_variables(struct measure_options *options)
{
	for (char **variable = environ; *variable; variable++) {
		const char *equals = strchr(*variable, '=');
		if (strncmp(*variable, "MEASURE_", 8) == 0 && equals && equals[1] &&
			equals - *variable < 63)
			look_at_variable(options, *variable);
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

	measure_option_name(setting, name);
	snprintf(source, SOURCE_SIZE, "--%s", name);
}

static void set_option(
	struct measure_options *options, const struct measure_setting *setting, const char *word)
{
	char source[SOURCE_SIZE];

	name_option(setting, source);
	options_set(options, setting, optarg ? optarg : setting->argument ? "on" : "yes", source);
	if (optarg && optarg == word) {
		options->last_value = word;
		options->last_option = setting;
	}
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

static const struct measure_setting *row_of(int option)
{
	return option >= OPTION_ROW ? &measure_settings_table[option - OPTION_ROW]
				    : find_letter(option);
}

/* A number, also one that is out of range, "wall:" with anything, or "off". */
static bool is_meant_as_rate(const char *word)
{
	struct measure_sample_rate rate;
	double hertz;

	return measure_sample_clock(word, &rate) != word || measure_hertz_parse(word, &hertz) ||
	       strcmp(word, "off") == 0;
}

/* getopt_long(), but that a value that may be left out may be the next word too, where that cannot
 * be the program: --sample 997 ./app. */
static int next_option(int count, char **arguments, const struct tables *tables)
{
	const char *word = arguments[optind ? optind : 1];

	if (word && measure_has_single_dash(word, tables->options)) {
		optind = optind ? optind + 1 : 2;
		return OPTION_SINGLE_DASH;
	}
	int option = getopt_long(count, arguments, tables->letters, tables->options, NULL);
	const struct measure_setting *row = row_of(option);
	if (row && measure_setting_is_optional(row) && !optarg && optind < count &&
		is_meant_as_rate(arguments[optind]))
		optarg = arguments[optind++];
	return option;
}

/* --strict and --lenient hold for what comes before them, too. */
static void find_policy(
	struct measure_options *options, int count, char **arguments, const struct tables *tables)
{
	static const char *const names[] = {"strict", "lenient"};
	const char *why, *values[2] = {getenv("MEASURE_STRICT"), getenv("MEASURE_LENIENT")};

	optind = 0;
	for (int option; (option = next_option(count, arguments, tables)) != -1;) {
		const struct measure_setting *row = row_of(option);
		for (int i = 0; row && i < 2; i++)
			if (strcmp(row->name, names[i]) == 0)
				values[i] = optarg ? optarg : "yes";
	}
	for (int i = 0; i < 2; i++)
		if (values[i])
			measure_settings_set(&options->settings, names[i], values[i], &why);
	measure_policy_set(options->settings.strict, options->settings.lenient);
}

static void refuse_word(
	struct measure_options *options, int error, char **arguments, const struct tables *tables)
{
	const char *word = arguments[optind - 1];
	char text[512];

	if (error == OPTION_SINGLE_DASH)
		snprintf(text, sizeof(text), "%.100s: did you mean -%.100s?", word, word);
	else
		measure_wrong_option(text, sizeof(text), error, arguments, tables->options);
	options_refuse(options, text);
}

static void take_option(
	struct measure_options *options, int option, char **arguments, const struct tables *tables)
{
	const struct measure_setting *row = row_of(option);

	if (option == OPTION_DRY_RUN)
		options->is_dry_run = true;
	else if (option == OPTION_CALIBRATE)
		options->is_calibration = true;
	else if (option == OPTION_CALIBRATE_EVENTS)
		options->is_event_calibration = true;
	else if (option == OPTION_ATTACH)
		set_process(options, "attach", &options->attach_pid);
	else if (option == OPTION_DETACH)
		set_process(options, "detach", &options->detach_pid);
	else if (option == OPTION_RUNS || option == 'n')
		set_runs(options);
	else if (option == OPTION_JSON)
		options->is_json = true;
	else if (row)
		set_option(options, row, arguments[optind - 1]);
	else
		refuse_word(options, option, arguments, tables);
}

/* A process is named in place of a program. */
static void look_at_attaching(struct measure_options *options)
{
	if (options->attach_pid && options->detach_pid)
		options_refuse(options, "--attach: cannot be combined with --detach");
	if ((options->attach_pid || options->detach_pid) && options->program[0])
		options_refuse(options, "--attach, --detach: name a process, not a program");
}

static void look_for_contradictions(struct measure_options *options)
{
	if (options->is_calibration)
		return;
	if (options->has_runs && !options->is_event_calibration)
		options_refuse(options,
			"-n: requires --calibrate; to set the number of processes, use the "
			"launcher: mpirun -n 4 measure ./app");
	if (options->is_json)
		options_refuse(options, "--json: requires --calibrate");
}

enum measure_option_request measure_options_parse(
	struct measure_options *options, int count, char **arguments)
{
	static struct tables tables;

	memset(options, 0, sizeof(*options));
	measure_settings_defaults(&options->settings);
	options->nr_runs = 10;
	make_tables(&tables);
	opterr = 0;
	find_policy(options, count, arguments, &tables);
	read_parents(options);
	read_environment(options);
	look_for_wrong_variables(options);
	optind = 0;
	for (int option; (option = next_option(count, arguments, &tables)) != -1;) {
		if (option == OPTION_HELP)
			return MEASURE_REQUEST_HELP;
		if (option == OPTION_HELP_CONFIG)
			return MEASURE_REQUEST_HELP_CONFIG;
		if (option == OPTION_VERSION)
			return MEASURE_REQUEST_VERSION;
		take_option(options, option, arguments, &tables);
	}
	options->program = arguments + optind;
	look_for_contradictions(options);
	look_at_attaching(options);
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
