/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of the table as regions, with sizes, addresses, and what is in use. */
#ifndef MEASURE_MEMORY_CALLS_H
#define MEASURE_MEMORY_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "adapter.h"

#define ROW(type, symbol, name, role, otherwise, parameters, arguments) CALL_##symbol,
enum measure_memory_call {
#include "memory_calls.def"
	NR_CALLS
};

/* One on its way, on the stack of its wrapper. */
struct measure_memory_open {
	enum measure_memory_call call;
	bool is_open;
	bool is_recorded; /* else only what is in use is counted */
	size_t released;  /* what a call that changes takes away; it may yet fail */
};

/* Recording has started. */
void measure_memory_start(void);

/* `address` goes back and so many bytes are asked for / so many bytes there go back / both, of
 * memory that is not counted. */
void measure_memory_changes(struct measure_memory_open *open, const void *address, size_t size);
void measure_memory_unmaps(struct measure_memory_open *open, const void *address, size_t size);
void measure_memory_remaps(
	struct measure_memory_open *open, const void *address, size_t old_size, size_t size);

/* It has returned. `result` NULL: it failed. */
void measure_memory_changed(
	struct measure_memory_open *open, const void *address, const void *result, size_t size);
void measure_memory_mapped(struct measure_memory_open *open, const void *result);

#endif
