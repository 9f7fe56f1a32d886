/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of the table as regions, with sizes, addresses, and what is in use. */
#ifndef MEASURE_MEMORY_CALLS_H
#define MEASURE_MEMORY_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapter.h"

#define ALLOCATE(symbol, name, size, otherwise, parameters, arguments) CALL_##symbol,
#define NEW(symbol, name, size, otherwise, parameters, arguments)      CALL_##symbol,
#define FREE(symbol, name, address, otherwise, parameters, arguments)  CALL_##symbol,
#define OTHER(type, symbol, role, otherwise, parameters, arguments)    CALL_##symbol,
enum measure_memory_call {
#include "memory_calls.def"
	NR_CALLS
};
#undef ALLOCATE
#undef NEW
#undef FREE
#undef OTHER

/* One on its way, on the stack of its wrapper. */
struct measure_memory_open {
	enum measure_memory_call call;
	bool is_open;
	bool is_recorded; /* else only what is in use is counted */
	size_t released;  /* what a call takes away that may yet fail */
};

/* Recording has started. */
void measure_memory_start(void);

/* Whether a call is one that the program itself made. If so, one of the four beginnings is next,
 * and an end. `caller`: an address in the code that calls; `frame`: of the wrapper. */
bool measure_memory_is_call(struct measure_memory_open *open, enum measure_memory_call call,
	const void *caller, char *frame);

/* `size` bytes are asked for / what is at `address` goes back / both / so many bytes there do, of
 * memory that is not counted. */
void measure_memory_allocates(struct measure_memory_open *open, size_t size);
void measure_memory_frees(struct measure_memory_open *open, const void *address);
void measure_memory_changes(struct measure_memory_open *open, const void *address, size_t size);
void measure_memory_unmaps(struct measure_memory_open *open, const void *address, size_t size);
void measure_memory_remaps(
	struct measure_memory_open *open, const void *address, size_t old_size, size_t size);

/* It has returned. `result` NULL: it failed. */
void measure_memory_allocated(struct measure_memory_open *open, const void *result, size_t size);
void measure_memory_changed(
	struct measure_memory_open *open, const void *address, const void *result, size_t size);
void measure_memory_mapped(struct measure_memory_open *open, const void *result);
void measure_memory_freed(struct measure_memory_open *open);

#endif
