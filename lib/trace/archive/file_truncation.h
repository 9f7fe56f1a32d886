/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much of a file of definitions is whole. OTF2's reader does not ask: where a file
 * ends before its end mark, it goes on with what its memory had before, zeros or chunks of
 * another file, some of them without end. Of events decoder.h knows. */
#ifndef MEASURE_TRACE_ARCHIVE_FILE_TRUNCATION_H
#define MEASURE_TRACE_ARCHIVE_FILE_TRUNCATION_H

#include <stdint.h>

struct measure_trace;

/* How many definitions may be read: of a location (its index), and the global ones. UINT64_MAX: all,
 * up to the end mark that is there, or the library itself has to say what is wrong with the file. */
uint64_t measure_trace_nr_intact_local(const struct measure_trace *trace, uint32_t location);
uint64_t measure_trace_nr_intact_global(const struct measure_trace *trace);

#endif
