/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mistakes and trouble: one policy for all that options name; see policy.h. */
#include "config.h"

#include "policy.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/cli.h"

#define LINE_SIZE 4096

static bool is_strict, is_lenient;

void measure_policy_set(bool strict, bool lenient)
{
	is_strict = strict;
	is_lenient = lenient && !strict;
}

bool measure_policy_is_lenient(void)
{
	return is_lenient;
}

measure_status_t measure_policy_mistake(const char *instead, const char *format, ...)
{
	char line[LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (is_lenient)
		measure_cli_say("%s (%s)", line, instead);
	else
		measure_cli_say("%s", line);
	return is_lenient ? MEASURE_OK : MEASURE_ERROR_USAGE;
}

measure_status_t measure_policy_trouble(const char *instead, const char *format, ...)
{
	char line[LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	measure_cli_say("%s: %s", line, is_strict ? "not starting the program" : instead);
	return is_strict ? MEASURE_ERROR_UNSUPPORTED : MEASURE_OK;
}
