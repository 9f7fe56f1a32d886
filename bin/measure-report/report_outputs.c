/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The outputs of measure-report, one after the other; see report_outputs.h. */
#include "config.h"

#include "report_outputs.h"

#include <string.h>

#include "trace/common/containers.h"

static const struct report_output *const all[] = {
	&report_page_output, &report_picture_output, &report_text_output};

#define NR_ALL (sizeof(all) / sizeof(*all))
_Static_assert(NR_ALL <= REPORT_MOST_OUTPUTS, "each has a state");

char *report_directory_of(const char *path)
{
	char *copy = measure_copy_text(path), *slash = strrchr(copy, '/');

	if (!slash)
		strcpy(copy, ".");
	else
		*(slash == copy ? slash + 1 : slash) = '\0';
	return copy;
}

bool report_outputs_start(struct report_outputs *outputs)
{
	for (size_t i = 0; i < NR_ALL; i++)
		if (all[i]->is_wanted(outputs->options) &&
			!all[i]->start(outputs->options, &outputs->states[i]))
			return false;
	return true;
}

void report_outputs_see(struct report_outputs *outputs, struct report_run *run)
{
	for (size_t i = 0; i < NR_ALL; i++)
		if (outputs->states[i] && all[i]->see)
			all[i]->see(outputs->states[i], run);
}

bool report_outputs_take(struct report_outputs *outputs, struct report_run *run)
{
	for (size_t i = 0; i < NR_ALL; i++)
		if (outputs->states[i] && !all[i]->take(outputs->states[i], run))
			return false;
	return true;
}

bool report_outputs_finish(struct report_outputs *outputs)
{
	for (size_t i = 0; i < NR_ALL; i++)
		if (outputs->states[i] && !all[i]->finish(outputs->states[i]))
			return false;
	return true;
}

void report_outputs_end(struct report_outputs *outputs)
{
	for (size_t i = 0; i < NR_ALL; i++)
		if (outputs->states[i])
			all[i]->end(outputs->states[i]);
}
