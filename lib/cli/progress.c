/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How far a tool has come; see progress.h. */
#include "config.h"

#include "progress.h"

#include <stdio.h>

#include "base/posix.h"

#define PROGRESS_AFTER    2000 /* milliseconds */
#define PROGRESS_INTERVAL 200

static const char *doing;
static int64_t started, last_shown;

void measure_progress_start(const char *what)
{
	doing = what;
	started = measure_now_ms();
}

void measure_progress_show(double share)
{
	const int64_t time = measure_now_ms();

	if (time - started < PROGRESS_AFTER || time - last_shown < PROGRESS_INTERVAL)
		return;
	last_shown = time;
	fprintf(stderr, "\r%s: %3.0f %%", doing, share < 1 ? 100 * share : 100.0);
}

void measure_progress_end(void)
{
	if (last_shown > 0)
		fprintf(stderr, "\r%20s\r", "");
}
