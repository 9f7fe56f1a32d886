/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table, parser and printer of settings; see settings.h and config.def. */
#include "config.h"

#include "settings.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "seconds.h"

#define OPTION(name, TYPE, letter, argument, initial, text)                                        \
	{#name, MEASURE_SETTING_##TYPE, true, letter, argument, initial, text,                     \
		offsetof(struct measure_settings, name)},
#define INTERNAL(name, TYPE, initial, text)                                                        \
	{#name, MEASURE_SETTING_##TYPE, false, 0, NULL, initial, text,                             \
		offsetof(struct measure_settings, name)},
const struct measure_setting measure_settings_table[] = {
#include "config.def"
};
#undef OPTION
#undef INTERNAL

const size_t measure_settings_nr =
	sizeof(measure_settings_table) / sizeof(measure_settings_table[0]);

/* "local-size" as an option is local_size in a file. */
static bool is_name(const char *name, const char *given, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char c = given[i] == '-' ? '_' : given[i];
		if (name[i] != c)
			return false;
	}
	return name[length] == '\0';
}

static const struct measure_setting *settings_find(const char *name, size_t length)
{
	for (size_t i = 0; i < measure_settings_nr; i++)
		if (is_name(measure_settings_table[i].name, name, length))
			return &measure_settings_table[i];
	return NULL;
}

static bool parse_number(const char *value, uint64_t *number, const char **end)
{
	char *after;

	if (!isdigit((unsigned char)value[0]))
		return false;
	errno = 0;
	unsigned long long parsed = strtoull(value, &after, 10);
	*number = parsed;
	*end = after;
	return errno == 0;
}

/* "K", "MB", "GiB": the power of 1024; -1: it is no unit. */
static int size_unit(const char *unit)
{
	static const char units[] = "KMGT";
	const char *found = *unit ? strchr(units, toupper((unsigned char)*unit)) : NULL;

	if (!*unit)
		return 0;
	if (found)
		unit++;
	if (found && *unit == 'i')
		unit++;
	if (toupper((unsigned char)*unit) == 'B')
		unit++;
	return *unit ? -1 : found ? (int)(found - units + 1) : 0;
}

/* Binary units, as every tool around memory has them. */
bool measure_size_parse(const char *value, uint64_t *size)
{
	const char *unit;
	double fraction = 0;

	if (!parse_number(value, size, &unit))
		return false;
	bool has_fraction = *unit == '.';
	if (has_fraction)
		unit = measure_decimal_read(unit, &fraction);
	else if (*unit == ' ' && unit[1])
		unit++;
	int power = unit ? size_unit(unit) : -1;
	if (power < 0 || (power == 0 && has_fraction) || *size > UINT64_MAX >> (10 * power))
		return false;
	*size = (*size << (10 * power)) +
		(uint64_t)(fraction * (double)(UINT64_C(1) << (10 * power)));
	return true;
}

bool measure_share_parse(const char *value, double *share)
{
	double percent;

	*share = 0;
	if (strcmp(value, "off") == 0)
		return true;
	const char *end = measure_decimal_read(value, &percent);
	if (!end || (*end && strcmp(end, "%") != 0) || !(percent > 0 && percent <= 100))
		return false;
	*share = percent / 100;
	return true;
}

static bool parse_size(const char *value, uint64_t *size)
{
	*size = 0;
	return strcmp(value, "auto") == 0 || measure_size_parse(value, size);
}

/* A whole number of them, as what is printed is read again. */
static bool parse_time(const char *value, double unit, uint64_t *number)
{
	double seconds;

	if (!measure_time_parse(value, unit, &seconds) || seconds / unit > 1e15)
		return false;
	*number = (uint64_t)(seconds / unit + 0.5);
	return fabs((double)*number - seconds / unit) < 1e-6;
}

static bool parse_flag(const char *value, bool *flag)
{
	static const char *const words[] = {"no", "yes", "0", "1", "off", "on", "false", "true"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(value, words[i]) == 0) {
			*flag = i % 2 == 1;
			return true;
		}
	}
	return false;
}

static bool parse_choice(const char *words, const char *value, uint32_t *choice)
{
	uint32_t index = 0;

	for (const char *word = words; *word; index++) {
		size_t length = strcspn(word, "|");
		if (strlen(value) == length && strncasecmp(word, value, length) == 0) {
			*choice = index;
			return true;
		}
		word += length + (word[length] == '|');
	}
	return false;
}

static measure_status_t set_text(char *text, const char *value, const char **why)
{
	if (strlen(value) >= MEASURE_SETTINGS_TEXT) {
		*why = "is longer than 1023 bytes";
		return MEASURE_ERROR_USAGE;
	}
	if (strchr(value, '\n')) {
		*why = "contains a line break";
		return MEASURE_ERROR_USAGE;
	}
	strcpy(text, value);
	return MEASURE_OK;
}

static measure_status_t add_text(char *text, const char *value, const char **why)
{
	char both[2 * MEASURE_SETTINGS_TEXT];

	if (!*text || strlen(value) >= MEASURE_SETTINGS_TEXT)
		return set_text(text, value, why);
	snprintf(both, sizeof(both), "%s; %s", text, value);
	return set_text(text, both, why);
}

static measure_status_t settings_set(struct measure_settings *settings,
	const struct measure_setting *setting, const char *value, const char **why)
{
	void *field = (char *)settings + setting->offset;
	const char *end;
	uint64_t number;
	bool is_good = false;

	switch (setting->type) {
	case MEASURE_SETTING_TEXT:
		return set_text(field, value, why);
	case MEASURE_SETTING_RULES:
		return add_text(field, value, why);
	case MEASURE_SETTING_SIZE:
		*why = "is not a size (512K, 64M, 1.5G, auto)";
		is_good = parse_size(value, &number);
		break;
	case MEASURE_SETTING_NUMBER:
		*why = "is not a number";
		is_good = parse_number(value, &number, &end) && *end == '\0';
		break;
	case MEASURE_SETTING_SECONDS:
		*why = "is not a whole number of seconds (10, 10s, 2min)";
		is_good = parse_time(value, 1, &number);
		break;
	case MEASURE_SETTING_MILLISECONDS:
		*why = "is not a whole number of milliseconds (100, 100ms, 2s)";
		is_good = parse_time(value, 1e-3, &number);
		break;
	case MEASURE_SETTING_FLAG:
		*why = "is neither yes nor no";
		is_good = parse_flag(value, field);
		return is_good ? MEASURE_OK : MEASURE_ERROR_USAGE;
	case MEASURE_SETTING_CHOICE:
		*why = "is not one of the values in --help";
		is_good = parse_choice(setting->argument, value, field);
		return is_good ? MEASURE_OK : MEASURE_ERROR_USAGE;
	}
	if (!is_good)
		return MEASURE_ERROR_USAGE;
	memcpy(field, &number, sizeof(number));
	return MEASURE_OK;
}

bool measure_keep_parse(const char *value, uint64_t *ns, uint64_t *bytes)
{
	const char *unit = value + strspn(value, "0123456789.");
	double seconds;

	*ns = *bytes = UINT64_MAX;
	if (strcmp(value, "all") == 0)
		return true;
	if (unit == value || *unit == '\0')
		return false;
	if (measure_seconds_parse(value, &seconds)) {
		*ns = (uint64_t)(seconds * 1e9);
		return seconds > 0;
	}
	return measure_size_parse(value, bytes) && *bytes > 0;
}

enum measure_kept measure_settings_kept(const struct measure_settings *settings)
{
	uint64_t ns, bytes;

	if (measure_keep_parse(settings->keep, &ns, &bytes) && (ns & bytes) != UINT64_MAX)
		return MEASURE_KEPT_LAST;
	return settings->profile ? MEASURE_KEPT_NONE : MEASURE_KEPT_ALL;
}

void measure_settings_defaults(struct measure_settings *settings)
{
	const char *why;

	memset(settings, 0, sizeof(*settings));
	for (size_t i = 0; i < measure_settings_nr; i++)
		settings_set(settings, &measure_settings_table[i],
			measure_settings_table[i].initial, &why);
}

measure_status_t measure_settings_set(struct measure_settings *settings, const char *name,
	const char *value, const char **why)
{
	const struct measure_setting *setting = settings_find(name, strlen(name));

	*why = "is not known";
	if (!setting)
		return MEASURE_ERROR_NOT_FOUND;
	return settings_set(settings, setting, value, why);
}

/* A text may begin with blanks of its own, behind the one that is printed. */
static const char *skip_blanks(
	const struct measure_setting *setting, const char *start, const char *end)
{
	bool is_text =
		setting->type == MEASURE_SETTING_TEXT || setting->type == MEASURE_SETTING_RULES;
	const char *most = is_text && start < end ? start + 1 : end;

	while (start < most && isspace((unsigned char)*start))
		start++;
	return start;
}

/* One line without its line break: "name = value". */
static measure_status_t parse_line(struct measure_settings *settings, const char *line,
	size_t length, const char **why)
{
	char value[MEASURE_SETTINGS_TEXT];
	const char *end = line + length;
	const char *equals = memchr(line, '=', length);

	*why = "contains a line without =";
	if (!equals)
		return MEASURE_ERROR_FORMAT;

	const char *name_end = equals;
	while (name_end > line && isspace((unsigned char)name_end[-1]))
		name_end--;
	const struct measure_setting *setting = settings_find(line, (size_t)(name_end - line));
	*why = "contains an unknown name";
	if (!setting)
		return MEASURE_ERROR_NOT_FOUND;

	const char *start = skip_blanks(setting, equals + 1, end);
	*why = "contains a line that is too long";
	if ((size_t)(end - start) >= sizeof(value))
		return MEASURE_ERROR_FORMAT;
	memcpy(value, start, (size_t)(end - start));
	value[end - start] = '\0';
	return settings_set(settings, setting, value, why);
}

measure_status_t measure_settings_parse(struct measure_settings *settings, const char *text,
	const char **why)
{
	while (*text) {
		const char *end = strchrnul(text, '\n');
		size_t blank = strspn(text, " \t");
		const char *line = text + blank;

		if (line < end && *line != '#') {
			measure_status_t status =
				parse_line(settings, line, (size_t)(end - line), why);
			if (status != MEASURE_OK)
				return status;
		}
		text = *end ? end + 1 : end;
	}
	return MEASURE_OK;
}

static int print_size(uint64_t size, char *buffer, size_t room)
{
	static const char units[] = "KMGT";
	int unit = -1;

	if (size == 0)
		return snprintf(buffer, room, "auto");
	while (unit < 3 && size % 1024 == 0) {
		size /= 1024;
		unit++;
	}
	if (unit < 0)
		return snprintf(buffer, room, "%llu", (unsigned long long)size);
	return snprintf(buffer, room, "%llu%c", (unsigned long long)size, units[unit]);
}

static int print_choice(const char *words, uint32_t choice, char *buffer, size_t room)
{
	for (; choice > 0 && *words; choice--) {
		words += strcspn(words, "|");
		words += *words == '|';
	}
	return snprintf(buffer, room, "%.*s", (int)strcspn(words, "|"), words);
}

size_t measure_setting_print(const struct measure_settings *settings,
	const struct measure_setting *setting, char *buffer, size_t size)
{
	const void *field = (const char *)settings + setting->offset;
	uint64_t number;
	uint32_t choice;
	int length = 0;

	switch (setting->type) {
	case MEASURE_SETTING_TEXT:
	case MEASURE_SETTING_RULES:
		length = snprintf(buffer, size, "%s", (const char *)field);
		break;
	case MEASURE_SETTING_SIZE:
		memcpy(&number, field, sizeof(number));
		length = print_size(number, buffer, size);
		break;
	case MEASURE_SETTING_NUMBER:
	case MEASURE_SETTING_SECONDS:
	case MEASURE_SETTING_MILLISECONDS:
		memcpy(&number, field, sizeof(number));
		length = snprintf(buffer, size, "%llu", (unsigned long long)number);
		break;
	case MEASURE_SETTING_FLAG:
		length = snprintf(buffer, size, "%s", *(const bool *)field ? "yes" : "no");
		break;
	case MEASURE_SETTING_CHOICE:
		memcpy(&choice, field, sizeof(choice));
		length = print_choice(setting->argument, choice, buffer, size);
		break;
	}
	return length > 0 ? (size_t)length : 0;
}

measure_status_t measure_settings_print(const struct measure_settings *settings, char *buffer,
	size_t size, size_t *length)
{
	size_t used = 0;

	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		char value[MEASURE_SETTINGS_TEXT];

		measure_setting_print(settings, setting, value, sizeof(value));
		int printed =
			snprintf(buffer + used, size - used, "%s = %s\n", setting->name, value);
		if (printed < 0 || (size_t)printed >= size - used)
			return MEASURE_ERROR_MEMORY;
		used += (size_t)printed;
	}
	*length = used;
	return MEASURE_OK;
}

void measure_setting_environment(const struct measure_setting *setting, char name[64])
{
	snprintf(name, 64, "MEASURE_%s", setting->name);
	for (char *c = name; *c; c++)
		*c = (char)toupper((unsigned char)*c);
}
