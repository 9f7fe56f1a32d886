/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much of a file of events or definitions is whole. OTF2's reader does not ask: where a file
 * ends before its end mark, it goes on with what its memory had before, zeros or chunks of this or
 * another location, some of them without end. */
#ifndef MEASURE_TRACE_ARCHIVE_FILE_TRUNCATION_H
#define MEASURE_TRACE_ARCHIVE_FILE_TRUNCATION_H

#include <stdint.h>

struct measure_trace;

/* How many events of a location (its index) may be read. UINT64_MAX: all, up to the end mark that
 * is there, or the library itself has to say what is wrong with the file. */
uint64_t measure_trace_nr_intact(const struct measure_trace *trace, uint32_t location);

/* The same for definitions: of a location, and the global ones. */
uint64_t measure_trace_nr_intact_local(const struct measure_trace *trace, uint32_t location);
uint64_t measure_trace_nr_intact_global(const struct measure_trace *trace);

#endif
