/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: what users and files say in words (measure.cfg, options, environment): every
 * parser takes any text, and what it takes is printed and read again as the same. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "api/call_groups.h"
#include "api/seconds.h"
#include "clock/clock.h"
#include "clock/simulated.h"
#include "config/settings.h"
#include "fuzz.h"
#include "trace/relations/relation_selection.h"

#define LONGEST 8192

static const struct measure_call_group items[] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "api/groups_mpi.def"
#undef GROUP
};

static void check_printed(const struct measure_settings *settings)
{
	static char first[64 * MEASURE_SETTINGS_TEXT], second[sizeof(first)];
	struct measure_settings again;
	const char *why = "";
	size_t length;

	if (measure_settings_print(settings, first, sizeof(first), &length) != MEASURE_OK)
		fuzz_fault("settings cannot be printed");
	measure_settings_defaults(&again);
	for (size_t i = 0; i < measure_settings_nr; i++) /* else what is given is appended */
		if (measure_settings_table[i].type == MEASURE_SETTING_RULES)
			memset((char *)&again + measure_settings_table[i].offset, 0,
				MEASURE_SETTINGS_TEXT);
	if (measure_settings_parse(&again, first, &why) != MEASURE_OK)
		fuzz_fault("what was printed %s:\n%s", why, first);
	measure_settings_print(&again, second, sizeof(second), &length);
	if (strcmp(first, second) != 0)
		fuzz_fault("printed:\n%s\nread again:\n%s", first, second);
}

static void parse_file(const char *text)
{
	struct measure_settings settings;
	const char *why = NULL;

	measure_settings_defaults(&settings);
	if (measure_settings_parse(&settings, text, &why) != MEASURE_OK && !why)
		fuzz_fault("refused without a reason");
	check_printed(&settings);
}

/* The text as the value of every option in turn: line breaks in it as well. */
static void set_values(const char *text)
{
	struct measure_settings settings;
	const char *why;

	measure_settings_defaults(&settings);
	for (size_t i = 0; i < measure_settings_nr; i++) {
		char name[64];

		measure_setting_environment(&measure_settings_table[i], name);
		measure_settings_set(&settings, measure_settings_table[i].name, text, &why);
	}
	check_printed(&settings);
}

static void parse_words(const char *text)
{
	const struct measure_call_groups groups = {items, sizeof(items) / sizeof(*items)};
	static struct measure_simulated simulated;
	struct measure_selection selection;
	const char *wrong;
	uint64_t size;
	size_t length;
	double seconds;

	measure_size_parse(text, &size);
	measure_seconds_parse(text, &seconds);
	measure_clock_check(text, &wrong);
	measure_simulated_parse(&simulated, text, 3);
	wrong = measure_groups_unknown(&groups, text, &length);
	if (wrong && (wrong < text || wrong + length > text + strlen(text)))
		fuzz_fault("a word that is not in the text");
	measure_groups_choose(&groups, text);
	measure_selection_default(&selection);
	measure_selection_parse(&selection, text, &wrong);
	measure_selection_set_rendezvous(&selection, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size < LONGEST ? size : LONGEST);

	parse_file(text);
	set_values(text);
	parse_words(text);
	free(text);
	return 0;
}
