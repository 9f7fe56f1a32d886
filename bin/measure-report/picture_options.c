/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses options of pictures; see picture_options.h. */
#include "config.h"

#include "picture_options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option_values.h"

static int print_charts(void)
{
	for (int i = 0; i < MEASURE_NR_PICTURE_CHARTS; i++)
		printf("%-14s %s\n", measure_picture_charts[i].word,
			measure_picture_charts[i].text);
	return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
}

static int take_chart(struct picture_options *options)
{
	const char *words[MEASURE_NR_PICTURE_CHARTS];
	int chosen;

	if (!strcmp(optarg, "list"))
		return print_charts();
	for (int i = 0; i < MEASURE_NR_PICTURE_CHARTS; i++)
		words[i] = measure_picture_charts[i].word;
	chosen = measure_choose_word("--chart", optarg, words, MEASURE_NR_PICTURE_CHARTS);
	if (chosen < 0)
		return MEASURE_EXIT_CANNOT;
	options->chart = (enum measure_picture_chart)chosen;
	options->has_chart = true;
	return -1;
}

static int take_calls(struct measure_named_calls *calls)
{
	if (measure_named_calls_parse(optarg, calls))
		return -1;
	return measure_cli_usage("--phase: '%s': give NAME, NAME#3 or NAME#3-5", optarg);
}

static int take_side(const char *name, unsigned *side)
{
	long number = 0;
	const int early = measure_take_number(
		name, optarg, MEASURE_PICTURE_LEAST, MEASURE_PICTURE_MOST, &number);

	*side = (unsigned)number;
	return early;
}

int picture_options_take(enum picture_option option, struct picture_options *options)
{
	switch (option) {
	case PICTURE_OPTION_PNG:
		options->paths[MEASURE_PICTURE_PNG] = optarg;
		return -1;
	case PICTURE_OPTION_SVG:
		options->paths[MEASURE_PICTURE_SVG] = optarg;
		return -1;
	case PICTURE_OPTION_PDF:
		options->paths[MEASURE_PICTURE_PDF] = optarg;
		return -1;
	case PICTURE_OPTION_CHART:
		return take_chart(options);
	case PICTURE_OPTION_FROM:
		return measure_take_time_bound("--from", optarg, &options->from);
	case PICTURE_OPTION_UNTIL:
		return measure_take_time_bound("--until", optarg, &options->until);
	case PICTURE_OPTION_PHASE:
		return take_calls(&options->phase);
	case PICTURE_OPTION_WIDTH:
		return take_side("--width", &options->width);
	case PICTURE_OPTION_HEIGHT:
		return take_side("--height", &options->height);
	default:
		options->is_dark = true;
		return -1;
	}
}

static bool has_window(const struct picture_options *options)
{
	return options->from.is_given || options->until.is_given || options->phase.name;
}

int picture_options_check(const struct picture_options *options, size_t nr_inputs)
{
	if (!picture_options_are_wanted(options)) {
		if (options->has_chart || has_window(options) || options->width ||
			options->height || options->is_dark)
			return measure_cli_usage("--chart, --from, --until, --phase, --width, "
						 "--height and --dark need --png, --svg or --pdf");
		return -1;
	}
	if (!measure_picture_is_possible())
		return measure_cli_usage("this build draws no pictures: install cairo (Debian: "
					 "libcairo2-dev), and configure and build Measure again");
	if (nr_inputs > 1)
		return measure_cli_usage("pictures show one run: give one archive");
	if (has_window(options) && options->chart != MEASURE_PICTURE_TIMELINE &&
		options->chart != MEASURE_PICTURE_TASKS)
		return measure_cli_usage(
			"--from, --until and --phase are for --chart=timeline and --chart=tasks");
	if (options->phase.name && (options->from.is_given || options->until.is_given))
		return measure_cli_usage("--phase excludes --from and --until");
	return measure_check_time_bounds(&options->from, &options->until);
}
