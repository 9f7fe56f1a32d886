/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one-line error of the reading side. */
#include "config.h"

#include "trace_error.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <otf2/otf2.h>

#include "trace/archive/trace.h"

/* Of each thread that reads. */
static _Thread_local char line[1200];
static _Thread_local char cause[300];
static atomic_flag is_registered = ATOMIC_FLAG_INIT;

__attribute__((format(printf, 6, 0))) static OTF2_ErrorCode keep_cause(void *data, const char *file,
	uint64_t line_nr, const char *function, OTF2_ErrorCode code, const char *format,
	va_list arguments)
{
	char text[200];

	(void)data;
	(void)file;
	(void)line_nr;
	(void)function;
	if (cause[0])
		return code;
	vsnprintf(text, sizeof(text), format, arguments);
	for (size_t end = strlen(text); end && strchr("!.\n", text[end - 1]);)
		text[--end] = '\0';
	snprintf(cause, sizeof(cause), "%s (%s)", text, OTF2_Error_GetName(code));
	return code;
}

void measure_error_start(void)
{
	cause[0] = '\0';
	if (!atomic_flag_test_and_set(&is_registered))
		OTF2_Error_RegisterCallback(keep_cause, NULL);
}

const char *measure_error_cause(void)
{
	return cause[0] ? cause : "the file is damaged";
}

void measure_error_set(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
}

const char *measure_trace_error(void)
{
	return line[0] ? line : "no error";
}
