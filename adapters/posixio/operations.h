/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations that operation data, or bring it to where it belongs. */
#ifndef MEASURE_POSIXIO_OPERATIONS_H
#define MEASURE_POSIXIO_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "adapter.h"
#include "posixio_calls.h"

#define MEASURE_BYTES_UNKNOWN UINT64_MAX
#define MEASURE_NO_OFFSET     (-1)

/* One that is under way, on the stack of the wrapper. */
struct measure_operation {
	measure_io_handle_t handle; /* MEASURE_UNDEFINED: a region and nothing else */
	bool is_recorded;
	uint64_t requested;
	uint64_t number; /* as in records */
	uint64_t outer;  /* what the thread was at before */
	uint32_t recording; /* measure_recording_number() before its handle was looked up */
};

/* The halves. `mode`: OTF2_IoOperationMode. `offset`: of the first byte in the file, where the call
 * names it. */
void measure_operation_begin(struct measure_operation *operation, enum measure_posixio_call call,
	measure_io_handle_t handle, uint8_t mode, uint64_t requested, int64_t offset);
void measure_operation_end(
	const struct measure_operation *operation, enum measure_posixio_call call, uint64_t moved);

/* From one handle (the second) to another. */
void measure_transfer_begin(struct measure_operation operations[2], enum measure_posixio_call call,
	measure_io_handle_t to, measure_io_handle_t from, uint64_t requested);
void measure_transfer_end(const struct measure_operation operations[2],
	enum measure_posixio_call call, uint64_t moved);

/* Bytes of all of them; MEASURE_BYTES_UNKNOWN where the number cannot be. */
uint64_t measure_vector_bytes(const struct iovec *vector, int nr);

/* The attribute "Offset". */
measure_attribute_t measure_offset_attribute(void);
void measure_operations_start(void);

/* The thread was cancelled: what it was at is over. */
void measure_operations_end_thread(void);

#endif
