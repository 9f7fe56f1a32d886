/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages in the order of time: the matcher has them lane by lane. */
#include "config.h"

#include "sorted_messages.h"

#include <stdlib.h>

void sorted_messages_add(
	struct sorted_messages *messages, const struct measure_conversion_message *message)
{
	*measure_append(messages, items) = (struct sorted_message){.send_ns = message->send.ns,
		.receive_ns = message->receive.ns,
		.bytes = message->bytes,
		.waiting_ns = message->waiting_ns,
		.src = message->send.location,
		.dst = message->receive.location,
		.src_path = message->send.path,
		.dst_path = message->receive.path,
		.comm = message->comm,
		.tag = message->tag,
		.pattern = message->pattern};
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* All of what tells two messages apart, so that the order does not depend on that of the matcher.
 */
static int message_compare(const void *left, const void *right)
{
	const struct sorted_message *a = left, *b = right;
	const uint64_t keys[][2] = {{a->send_ns, b->send_ns}, {a->src, b->src},
		{a->receive_ns, b->receive_ns}, {a->dst, b->dst}, {a->comm, b->comm},
		{a->tag, b->tag}, {a->bytes, b->bytes}, {a->src_path, b->src_path},
		{a->dst_path, b->dst_path}, {a->waiting_ns, b->waiting_ns}};
	int order = 0;

	for (size_t i = 0; order == 0 && i < sizeof(keys) / sizeof(*keys); i++)
		order = compare(keys[i][0], keys[i][1]);
	return order;
}

void sorted_messages_sort(struct sorted_messages *messages)
{
	if (messages->nr_items > 0)
		qsort(messages->items, messages->nr_items, sizeof(*messages->items),
			message_compare);
}

static int receive_compare(const void *left, const void *right, void *data)
{
	const struct sorted_message *items = data;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const int order = compare(items[a].receive_ns, items[b].receive_ns);

	return order ? order : compare(a, b);
}

uint32_t *sorted_messages_by_receive(const struct sorted_messages *messages)
{
	uint32_t *numbers = measure_uncleared(messages->nr_items + 1, sizeof(*numbers));

	for (size_t i = 0; i < messages->nr_items; i++)
		numbers[i] = (uint32_t)i;
	if (messages->nr_items > 0)
		qsort_r(numbers, messages->nr_items, sizeof(*numbers), receive_compare,
			messages->items);
	return numbers;
}

void sorted_messages_free(struct sorted_messages *messages)
{
	measure_free(messages->items);
}
