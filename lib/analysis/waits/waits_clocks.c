/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clocks that disagree; see waits_clocks.h. */
#include "config.h"

#include "waits_clocks.h"

#include <inttypes.h>

#include "cli/json_text.h"
#include "waits_figures.h"

struct measure_waits_clocks measure_waits_clocks_find(const struct measure_waits *waits)
{
	struct measure_waits_clocks clocks = {.violations = 0};

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct measure_wait_faults *faults = &waits->faults[i];

		clocks.violations += faults->violations;
		if (faults->worst_violation > clocks.worst)
			clocks.worst = faults->worst_violation;
	}
	return clocks;
}

void measure_waits_clocks_print_text(const struct measure_waits *waits, FILE *out)
{
	const struct measure_waits_clocks *clocks = &waits->clocks;
	char text[MEASURE_FIGURE_TEXT];

	if (!clocks->is_corrected)
		return;
	fprintf(out,
		"clocks: %s %s ended before %s began,\n"
		"by up to %s; times are corrected, as by measure-sync\n",
		measure_figure(clocks->violations),
		clocks->violations == 1 ? "message or other relation"
					: "messages or other relations",
		clocks->violations == 1 ? "it" : "they",
		measure_waits_seconds(waits, clocks->worst, text));
}

void measure_waits_clocks_print_json(const struct measure_waits *waits, FILE *out)
{
	const struct measure_waits_clocks *clocks = &waits->clocks;

	fprintf(out,
		",\n\"clocks\": {\"sync\": \"%s\", \"is_corrected\": %s, "
		"\"violations_before\": %" PRIu64 ", \"worst_before_ns\": %" PRIu64
		", \"failure\": ",
		clocks->is_wanted ? "auto" : "none", clocks->is_corrected ? "true" : "false",
		clocks->violations, measure_waits_ns(waits, clocks->worst));
	if (clocks->failure)
		measure_json_text(out, clocks->failure);
	else
		fputs("null", out);
	fputc('}', out);
}

const char *measure_waits_clocks_remedy(const struct measure_waits *waits)
{
	if (waits->clocks.is_corrected)
		return "no clocks explain these: check the archive with measure-check";
	return waits->clocks.failure ? "the clocks disagree and cannot be corrected"
				     : "the clocks disagree: correct them with --sync=auto";
}
