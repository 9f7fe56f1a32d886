/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one-line error of the reading side. OTF2 calls back for each error on its way up; the
 * first message since measure_error_start() is the cause and is kept. */
#ifndef MEASURE_TRACE_COMMON_TRACE_ERROR_H
#define MEASURE_TRACE_COMMON_TRACE_ERROR_H

/* Silences the OTF2 library and forgets earlier messages. */
void measure_error_start(void);

/* Sets the line that measure_trace_error() returns. */
void measure_error_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* OTF2's own words for what went wrong first; "the file is damaged" at least. */
const char *measure_error_cause(void);

#endif
