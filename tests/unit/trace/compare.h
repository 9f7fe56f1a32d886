/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads event files with our decoder and with the OTF2 library, and compares all that they give:
 * kinds, times, positions, fields, arrays and attributes of each record, and how it ends. */
#ifndef TESTS_UNIT_TRACE_COMPARE_H
#define TESTS_UNIT_TRACE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/archive/trace.h"

/* Adds up over calls. All zero at first. */
struct t_comparison {
	uint64_t nr_locations, nr_records, nr_attributes;
	uint64_t nr_whole, nr_cut, nr_damaged; /* locations, by how they end */
	/* locations where the library goes on with memory that is not of the file: fields of a record lie
	 * behind the end */
	uint64_t nr_outside;
	/* locations that were cut, with a record that is none behind the last one: the library does not ask */
	uint64_t nr_behind;
	char difference[400]; /* the first one */
};

/* True: they are the same. */
bool t_compare_location(
	struct measure_trace *trace, uint32_t location, struct t_comparison *comparison);
bool t_compare_all(struct measure_trace *trace, struct t_comparison *comparison);

#endif
