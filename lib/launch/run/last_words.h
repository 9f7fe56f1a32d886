/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last lines of `measure`: what was recorded, what was dropped or lost, what to do next. */
#ifndef MEASURE_LAUNCH_RUN_LAST_WORDS_H
#define MEASURE_LAUNCH_RUN_LAST_WORDS_H

#include "assemble/write/assemble.h"
#include "config/settings.h"

/* Up to four lines, by measure_cli_say(), the last ones when measure-profile has written the
 * summary; that is done and trouble with it is said also where settings want silence. `directory`
 * is where the run directory is now. */
void measure_last_words(const struct measure_settings *settings, const char *directory,
	const struct measure_assemble_report *report);

#endif
