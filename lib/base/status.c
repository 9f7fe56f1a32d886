/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts of the status values. */
#include "config.h"

#include "status.h"

const char *measure_status_text(measure_status_t status)
{
	switch (status) {
	case MEASURE_OK:
		return "done";
	case MEASURE_ERROR_USAGE:
		return "invalid argument";
	case MEASURE_ERROR_MEMORY:
		return "out of memory";
	case MEASURE_ERROR_IO:
		return "input/output error";
	case MEASURE_ERROR_FORMAT:
		return "unexpected data";
	case MEASURE_ERROR_NOT_FOUND:
		return "not found";
	case MEASURE_ERROR_EXISTS:
		return "already exists";
	case MEASURE_ERROR_UNSUPPORTED:
		return "not supported";
	case MEASURE_ERROR_OFF:
		return "recording is off";
	}
	return "unknown status";
}
