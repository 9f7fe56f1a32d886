/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Protocol buffers, as they are on the wire: what little writing them takes. */
#ifndef MEASURE_EXPORT_FORMATS_PROTO_WRITER_H
#define MEASURE_EXPORT_FORMATS_PROTO_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/common/containers.h"

struct proto_writer {
	MEASURE_GROWING(uint8_t, bytes);
};

/* Fields of a message, by their numbers in its schema. */
void proto_write_uint(struct proto_writer *writer, uint32_t field, uint64_t value);
void proto_write_int(struct proto_writer *writer, uint32_t field, int64_t value);
void proto_write_fixed64(struct proto_writer *writer, uint32_t field, uint64_t value);
void proto_write_double(struct proto_writer *writer, uint32_t field, double value);

/* What is no UTF-8 in it is replaced. */
void proto_write_text(struct proto_writer *writer, uint32_t field, const char *text);

/* A message in a message: what is written between these. */
size_t proto_begin(struct proto_writer *writer, uint32_t field);
void proto_end(struct proto_writer *writer, size_t begin);

#endif
