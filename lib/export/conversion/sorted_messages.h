/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The messages of what is converted, in the order in which they were sent. */
#ifndef MEASURE_EXPORT_CONVERSION_SORTED_MESSAGES_H
#define MEASURE_EXPORT_CONVERSION_SORTED_MESSAGES_H

#include "conversion.h"

struct sorted_message {
	uint64_t send_ns, receive_ns;
	uint64_t bytes;
	uint64_t waiting_ns; /* of the receiver, for this message */
	uint32_t src, dst;   /* locations */
	uint32_t src_path, dst_path;
	uint32_t comm, tag; /* comm: index, or MEASURE_NONE */
	uint32_t pattern;   /* of the wait, or MEASURE_NO_PATTERN */
};

struct sorted_messages {
	MEASURE_GROWING(struct sorted_message, items); /* by send_ns, src, receive_ns, dst, ... */
};

void sorted_messages_add(
	struct sorted_messages *messages, const struct measure_conversion_message *message);
void sorted_messages_sort(struct sorted_messages *messages);
void sorted_messages_free(struct sorted_messages *messages);

/* Of sorted ones, their numbers by receive_ns; of equal ones, by number. To be freed by
 * measure_free(). */
uint32_t *sorted_messages_by_receive(const struct sorted_messages *messages);

#endif
