/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses --panels; see panel_options.h. */
#include "config.h"

#include "panel_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "trace/common/containers.h"

#define SEPARATORS ", \t\r\n"

static int print_panels(void)
{
	for (int i = 0; i < MEASURE_NR_TASK_PANELS; i++) {
		const struct measure_task_panel_info *info = &measure_task_panel_infos[i];

		printf("%-20s %s%s%s%s\n", info->id, info->title, *info->starvz ? " (StarVZ: " : "",
			info->starvz, *info->starvz ? ")" : "");
	}
	return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
}

/* Each is shown once. */
static void choice_add(struct measure_panel_choice *choice, enum measure_task_panel_id id)
{
	for (size_t i = 0; i < choice->nr; i++)
		if (choice->ids[i] == id)
			return;
	choice->ids[choice->nr++] = id;
}

/* Names in a text, which is cut into words. NULL: all are known; else the first one that is not. */
static const char *choice_add_words(struct measure_panel_choice *choice, char *text)
{
	char *rest = NULL;

	for (char *word = strtok_r(text, SEPARATORS, &rest); word;
		word = strtok_r(NULL, SEPARATORS, &rest)) {
		const enum measure_task_panel_id id = measure_task_panel_find(word);

		if (id == MEASURE_NR_TASK_PANELS)
			return word;
		choice_add(choice, id);
	}
	return NULL;
}

/* --------------------------------------------------------------------------- files --- */

/* A section of a configuration of StarVZ: a panel where its own "active" is true. */
struct panel_section {
	enum measure_task_panel_id panel; /* MEASURE_NR_TASK_PANELS: none */
	size_t indent;                    /* of its name */
	size_t inner;                     /* of what is directly in it; 0: nothing has come yet */
};

static bool is_true(const char *value)
{
	static const char *const words[] = {"true", "yes", "on", "1", "t"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(value, words[i]))
			return true;
	return false;
}

static char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\"'");
	for (length = strlen(text); length > 0 && strchr(" \t\r\n\"'", text[length - 1]); length--)
		text[length - 1] = '\0';
	return text;
}

/* "name: value" */
static void take_key(struct measure_panel_choice *choice, struct panel_section *section,
	size_t indent, char *name, const char *value)
{
	enum measure_task_panel_id panel;

	if (section->panel < MEASURE_NR_TASK_PANELS && indent > section->indent) {
		if (section->inner == 0)
			section->inner = indent;
		if (indent == section->inner && !strcasecmp(name, "active") && is_true(value))
			choice_add(choice, section->panel);
		return;
	}
	panel = measure_task_panel_find(name);
	*section = (struct panel_section){.panel = panel, .indent = indent};
	if (panel < MEASURE_NR_TASK_PANELS && is_true(value))
		choice_add(choice, panel);
}

static bool take_line(struct measure_panel_choice *choice, struct panel_section *section,
	char *line, const char *place)
{
	const size_t indent = strspn(line, " \t");
	const char *unknown;
	char *colon;

	line[strcspn(line, "#")] = '\0';
	colon = strchr(line, ':');
	if (colon) {
		*colon = '\0';
		take_key(choice, section, indent, trim(line), trim(colon + 1));
		return true;
	}
	unknown = choice_add_words(choice, line);
	if (!unknown)
		return true;
	measure_cli_usage("%s: '%s' is no panel; --panels list prints all", place, unknown);
	return false;
}

static int take_file(const char *path, FILE *file, struct measure_panel_choice *choice)
{
	struct panel_section section = {.panel = MEASURE_NR_TASK_PANELS};
	bool is_good = true;
	char *line = NULL;
	size_t room = 0;

	while (is_good && getline(&line, &room, file) >= 0)
		is_good = take_line(choice, &section, line, path);
	free(line);
	if (!is_good)
		return MEASURE_EXIT_CANNOT;
	if (choice->nr == 0)
		return measure_cli_usage("--panels: %s names no panel", path);
	return -1;
}

int panel_options_take(const char *text, struct panel_options *options)
{
	char *copy;
	const char *unknown;
	int early = -1;
	FILE *file;

	if (!strcmp(text, "list"))
		return print_panels();
	options->are_given = true;
	options->choice.nr = 0;
	copy = measure_copy_text(text);
	unknown = choice_add_words(&options->choice, copy);
	if (unknown) {
		options->choice.nr = 0;
		file = fopen(text, "r");
		if (file) {
			early = take_file(text, file, &options->choice);
			fclose(file);
		} else if (strchr(text, '/')) {
			early = measure_cli_usage("--panels: %s: %s", text, strerror(errno));
		} else {
			early = measure_cli_usage("--panels: '%s' is no panel, and '%s' no file; "
						  "--panels list prints "
						  "all",
				unknown, text);
		}
	} else if (options->choice.nr == 0) {
		early = measure_cli_usage("--panels: name at least one panel");
	}
	measure_free(copy);
	return early;
}
