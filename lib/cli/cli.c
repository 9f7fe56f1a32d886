/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of the tools; see cli.h. */
#include "config.h"

#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"

#define LINE_SIZE 4096

static const char *tool_name = "measure";
static void (*say_elsewhere)(const char *line);

void measure_cli_start(const char *tool)
{
	tool_name = tool;
}

const char *measure_cli_tool(void)
{
	return tool_name;
}

void measure_cli_redirect(void (*say)(const char *line))
{
	say_elsewhere = say;
}

/* One line. What does not fit is cut, the line break stays. */
__attribute__((format(printf, 1, 0))) static void say(
	const char *format, va_list arguments, const char *end)
{
	char text[LINE_SIZE], escaped[LINE_SIZE], line[LINE_SIZE];
	int saved = errno;
	int used = snprintf(text, sizeof(text), "%s: ", tool_name);

	vsnprintf(text + used, sizeof(text) - (size_t)used, format, arguments);
	snprintf(line, sizeof(line), "%.*s%s\n", (int)(sizeof(line) - strlen(end) - 2),
		measure_printable(text, escaped, sizeof(escaped)), end);

	if (say_elsewhere)
		say_elsewhere(line);
	else if (write(STDERR_FILENO, line, strlen(line)) < 0)
		errno = saved; /* nowhere left to say it */
	errno = saved;
}

void measure_cli_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments, "");
	va_end(arguments);
}

int measure_cli_usage(const char *format, ...)
{
	char end[64];
	va_list arguments;

	snprintf(end, sizeof(end), ": see %.40s --help", tool_name);
	va_start(arguments, format);
	say(format, arguments, end);
	va_end(arguments);
	return MEASURE_EXIT_CANNOT;
}

int measure_cli_version(void)
{
	printf("%s (Measure) %s\n", tool_name, PACKAGE_VERSION);
	return fflush(stdout) == 0 ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
}
