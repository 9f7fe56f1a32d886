/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations that move data, or bring it to where it belongs. */
#ifndef MEASURE_POSIXIO_MOVES_H
#define MEASURE_POSIXIO_MOVES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "adapter.h"
#include "calls.h"

#define MEASURE_BYTES_UNKNOWN UINT64_MAX
#define MEASURE_NO_OFFSET     (-1)

/* One that is under way, on the stack of the wrapper. */
struct measure_move {
	measure_io_handle_t handle; /* MEASURE_UNDEFINED: a region and nothing else */
	bool is_recorded;
	uint64_t requested;
	uint64_t operation;
	uint64_t outer; /* what the thread was at before */
};

/* The halves. `mode`: OTF2_IoOperationMode. `offset`: of the first byte in the file, where the call
 * names it. */
void measure_move_begin(struct measure_move *move, enum measure_call call,
	measure_io_handle_t handle, uint8_t mode, uint64_t requested, int64_t offset);
void measure_move_end(const struct measure_move *move, enum measure_call call, uint64_t moved);

/* From one handle (the second) to another. */
void measure_between_begin(struct measure_move moves[2], enum measure_call call,
	measure_io_handle_t to, measure_io_handle_t from, uint64_t requested);
void measure_between_end(
	const struct measure_move moves[2], enum measure_call call, uint64_t moved);

/* Bytes of all of them; MEASURE_BYTES_UNKNOWN where the number cannot be. */
uint64_t measure_vector_bytes(const struct iovec *vector, int nr);

/* The attribute "Offset". */
measure_attribute_t measure_offset_attribute(void);
void measure_moves_start(void);

/* The thread was cancelled: what it was at is over. */
void measure_moves_end_thread(void);

#endif
