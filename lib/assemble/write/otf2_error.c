/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OTF2's errors as ours; see otf2_error.h. */
#include "config.h"

#include "otf2_error.h"

#include <stdarg.h>

static OTF2_ErrorCode say_nothing(void *context, const char *file, uint64_t line,
	const char *function, OTF2_ErrorCode code, const char *format, va_list arguments)
{
	(void)context;
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)arguments;
	return code;
}

void measure_otf2_silence(void)
{
	OTF2_Error_RegisterCallback(say_nothing, NULL);
}

measure_status_t measure_otf2_status(OTF2_ErrorCode code)
{
	switch (code) {
	case OTF2_SUCCESS:
		return MEASURE_OK;
	case OTF2_ERROR_MEM_FAULT:
	case OTF2_ERROR_MEM_ALLOC_FAILED:
	case OTF2_ERROR_ENOMEM:
		return MEASURE_ERROR_MEMORY;
	case OTF2_ERROR_INVALID_ARGUMENT:
	case OTF2_ERROR_INVALID_CALL:
		return MEASURE_ERROR_USAGE;
	case OTF2_ERROR_INVALID_DATA:
	case OTF2_ERROR_INTEGRITY_FAULT:
		return MEASURE_ERROR_FORMAT;
	default:
		return MEASURE_ERROR_IO;
	}
}
