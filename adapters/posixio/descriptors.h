/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which handle a descriptor or stream stands for: a table by number, without a lock. */
#ifndef MEASURE_POSIXIO_DESCRIPTORS_H
#define MEASURE_POSIXIO_DESCRIPTORS_H

#include <stdatomic.h>
#include <stdio.h>

#include "io_handles.h"

/* Of a handle, or what is known where there is none. */
enum {
	MEASURE_DESCRIPTOR_UNSEEN, /* never closed as far as we know: what is open was so before */
	MEASURE_DESCRIPTOR_CLOSED, /* or opened in a way that we did not see */
	MEASURE_DESCRIPTOR_SILENT, /* open, and not recorded */
	MEASURE_DESCRIPTOR_FIRST   /* the handle 0 */
};

struct measure_descriptor {
	_Atomic uint32_t handle;
	_Atomic uint32_t stream;
	_Atomic uint32_t file; /* MEASURE_UNDEFINED: none */
	_Atomic uint32_t is_inherited;
};

#define MEASURE_DESCRIPTOR_BITS   10
#define MEASURE_DESCRIPTORS       (1 << MEASURE_DESCRIPTOR_BITS) /* of a block */
#define MEASURE_DESCRIPTOR_BLOCKS 1024
extern _Atomic(struct measure_descriptor *) measure_descriptor_blocks[MEASURE_DESCRIPTOR_BLOCKS];

/* NULL: nothing was ever known of it. Acquire pairs with the release in descriptors.c: the block
 * is whole. */
static inline struct measure_descriptor *measure_descriptor_at(int fd)
{
	struct measure_descriptor *block;

	if (fd < 0 || fd >= MEASURE_DESCRIPTORS * MEASURE_DESCRIPTOR_BLOCKS)
		return NULL;
	block = atomic_load_explicit(
		&measure_descriptor_blocks[fd >> MEASURE_DESCRIPTOR_BITS], memory_order_acquire);
	return block ? &block[fd & (MEASURE_DESCRIPTORS - 1)] : NULL;
}

/* Handles, or MEASURE_UNDEFINED. What is not known yet is looked up, and where it was opened out of
 * our sight its creation is recorded. On the path of an operation; not in a transaction; keeps
 * errno. */
measure_io_handle_t measure_descriptor_look_up(int fd);
measure_io_handle_t measure_stream_look_up(int fd);

/* Without looking it up: in a transaction. */
static inline measure_io_handle_t measure_descriptor_known(int fd)
{
	const struct measure_descriptor *descriptor = measure_descriptor_at(fd);
	const uint32_t state =
		descriptor ? atomic_load_explicit(&descriptor->handle, memory_order_acquire) : 0;

	return state >= MEASURE_DESCRIPTOR_FIRST ? state - MEASURE_DESCRIPTOR_FIRST
						 : MEASURE_UNDEFINED;
}

static inline measure_io_handle_t measure_handle_of_descriptor(int fd)
{
	const measure_io_handle_t known = measure_descriptor_known(fd);

	return known != MEASURE_UNDEFINED ? known : measure_descriptor_look_up(fd);
}

measure_io_handle_t measure_handle_of_stream(FILE *stream);

/* The descriptor of a stream; -1: it has none. Keeps errno. */
int measure_stream_descriptor(FILE *stream);

/* It was opened, as this; what was known of it is over. */
void measure_descriptor_put(int fd, const struct measure_opened *opened);

/* It is closed, or about to be: what it was. */
struct measure_opened measure_descriptor_take(int fd);

/* Its stream is closed or goes elsewhere, the descriptor stays. */
struct measure_opened measure_descriptor_take_stream(int fd);

/* As fcntl() has them; -1: it is not open. Keeps errno. */
int measure_descriptor_flags(int fd);

/* Nothing is known any more: the process was not recorded for a while. */
void measure_descriptors_forget(void);

/* Standard input, output and error output, as they are when recording begins. */
void measure_descriptors_start(void);

#endif
