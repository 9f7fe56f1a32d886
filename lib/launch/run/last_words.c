/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure` says at its end; see last_words.h. */
#include "config.h"

#include "last_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/run_config.h"
#include "base/figures.h"
#include "cli/cli.h"
#include "cli/run_profile.h"

/* What was left out, joined by "; ". */
struct list {
	char text[512];
	size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct list *list, const char *format, ...)
{
	size_t room = sizeof(list->text) - list->used;
	va_list arguments;
	int length = snprintf(
		list->text + list->used, room, "%s", list->used ? "; " : "");

	list->used += (size_t)length < room ? (size_t)length : room - 1;
	room = sizeof(list->text) - list->used;
	va_start(arguments, format);
	length = vsnprintf(list->text + list->used, room, format, arguments);
	va_end(arguments);
	list->used += (size_t)length < room ? (size_t)length : room - 1;
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static void say_what_lacks(const struct measure_settings *settings,
	const struct measure_assemble_report *report, const char *name)
{
	struct list list = {.used = 0};

	if (report->nr_throttled)
		add(&list, "%s function%s disabled (--overhead=%s)",
			measure_figure(report->nr_throttled), plural(report->nr_throttled),
			settings->overhead);
	if (report->nr_polls)
		add(&list, "%s unsuccessful poll%s not recorded (--overhead=%s)",
			measure_figure(report->nr_polls), plural(report->nr_polls),
			settings->overhead);
	if (report->nr_lost)
		add(&list, "%s event%s lost", measure_figure(report->nr_lost),
			plural(report->nr_lost));
	if (report->nr_missing)
		add(&list, "no recording of %u rank%s", report->nr_missing,
			plural(report->nr_missing));
	if (report->nr_rescued || report->nr_damaged)
		add(&list, "the recording of %u process%s incomplete",
			report->nr_rescued + report->nr_damaged,
			report->nr_rescued + report->nr_damaged == 1 ? " is" : "es is");
	if (list.used)
		measure_cli_say("%s: see %s/" MEASURE_SUMMARY_NAME, list.text, name);
}

static void say_recorded(const struct measure_assemble_report *report, const char *name)
{
	const char *plural_processes = report->nr_processes == 1 ? "" : "es";
	char size[MEASURE_FIGURE_TEXT];

	measure_figure_size(report->nr_bytes, size);
	if (report->kept == MEASURE_KEPT_NONE)
		measure_cli_say("recorded a profile of %s event%s of %u process%s in %s",
			measure_figure(report->nr_recorded), plural(report->nr_recorded),
			report->nr_processes, plural_processes, name);
	else if (report->nr_recorded > report->nr_events)
		measure_cli_say("recorded a profile of %s event%s of %u process%s, and the last %s "
				"of them (%s) in %s/" MEASURE_ANCHOR_NAME,
			measure_figure(report->nr_recorded), plural(report->nr_recorded),
			report->nr_processes, plural_processes, measure_figure(report->nr_events),
			size, name);
	else
		measure_cli_say(
			"recorded %s event%s of %u process%s (%s) in %s/" MEASURE_ANCHOR_NAME,
			measure_figure(report->nr_events), plural(report->nr_events),
			report->nr_processes, plural_processes, size, name);
}

void measure_last_words(const struct measure_settings *settings, const char *directory,
	const struct measure_assemble_report *report)
{
	const char *name = measure_run_name(directory, settings->output);
	char text[MEASURE_PROFILE_TEXT];

	if (!settings->quiet) {
		say_recorded(report, name);
		say_what_lacks(settings, report, name);
	}
	if (!measure_run_profile_or_say(directory, name, text) || settings->quiet)
		return;
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		measure_cli_say("%s", line);
}
