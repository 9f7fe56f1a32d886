/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A short report for terminals. */
#include "config.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/text/report_text.h"
#include "report_outputs.h"
#include "trace/common/containers.h"

struct text_output {
	struct measure_report_text_style style;
	unsigned nr_threads;
};

static bool text_is_wanted(const struct report_options *options)
{
	return options->is_text;
}

static bool text_start(const struct report_options *options, void **state)
{
	struct text_output *output = measure_zeroed(1, sizeof(*output));
	const char *no_colour = getenv("NO_COLOR");

	output->nr_threads = options->nr_threads;
	setlocale(LC_CTYPE, "");
	output->style.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	output->style.is_coloured = isatty(STDOUT_FILENO) && !(no_colour && *no_colour);
	*state = output;
	return true;
}

static bool text_take(void *state, struct report_run *run)
{
	const struct text_output *output = state;
	const struct measure_report_text_facts facts = {.trace = run->trace,
		.nr_threads = output->nr_threads,
		.waits = run->has_events ? &run->corrected.waits : NULL,
		.profile = &run->corrected.waits.profile,
		.efficiency = run->has_events ? &run->efficiency : NULL};

	measure_report_text_print(&facts, &output->style, stdout);
	return true;
}

static bool text_finish(void *state)
{
	(void)state;
	return true;
}

static void text_end(void *state)
{
	measure_free(state);
}

const struct report_output report_text_output = {.is_wanted = text_is_wanted,
	.start = text_start,
	.take = text_take,
	.finish = text_finish,
	.end = text_end};
