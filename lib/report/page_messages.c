/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The block of messages. Where they are too many, those that somebody waited for longest are in
 * it, then those with the most bytes. */
#include "config.h"

#include <stdlib.h>

#include "page_run.h"

#define SHARE      20 /* per cent of the room */
#define CHARACTERS 14 /* of a message, about */

struct rated_messages {
	const struct measure_page_message *messages;
	uint64_t *waiting; /* ticks of the page */
};

static int compare_importance(const void *left, const void *right, void *data)
{
	const struct rated_messages *rated = data;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (rated->waiting[a] != rated->waiting[b])
		return rated->waiting[a] > rated->waiting[b] ? -1 : 1;
	if (rated->messages[a].bytes != rated->messages[b].bytes)
		return rated->messages[a].bytes > rated->messages[b].bytes ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int compare_times(const void *left, const void *right, void *data)
{
	const struct rated_messages *rated = data;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (rated->messages[a].send != rated->messages[b].send)
		return rated->messages[a].send < rated->messages[b].send ? -1 : 1;
	return a < b ? -1 : a > b;
}

static struct rated_messages rate_messages(const struct measure_page_run *run)
{
	const struct measure_page_contacts *contacts = run->contacts;
	struct rated_messages rated = {contacts->messages,
		measure_uncleared(contacts->nr_messages, sizeof(*rated.waiting))};

	for (size_t i = 0; i < contacts->nr_messages; i++) {
		const struct measure_page_message *message = &contacts->messages[i];

		rated.waiting[i] = measure_page_wait_of(
			run, message->to, message->receive_call, message->from, message->send_call);
	}
	return rated;
}

static void write_message(struct measure_page_run *run, struct measure_page_block *block,
	const struct measure_page_message *message, uint64_t waiting, uint64_t *last)
{
	const uint64_t send = measure_page_time(run, message->send);

	measure_page_block_number(block, send - *last);
	measure_page_block_number(block, run->rows[message->from]);
	measure_page_block_number(block, run->rows[message->to]);
	measure_page_block_signed(
		block, (int64_t)(measure_page_time(run, message->receive) - send));
	measure_page_block_number(block, message->bytes);
	measure_page_block_number(block, message->tag);
	measure_page_block_number(block, measure_page_comm_row(run, message->comm));
	measure_page_block_number(block, waiting);
	*last = send;
}

void measure_page_write_messages(struct measure_page_run *run)
{
	const struct measure_page_contacts *contacts = run->contacts;
	struct measure_page_share *share = &run->shares[MEASURE_PAGE_MESSAGES];
	struct measure_page_block *block;
	struct rated_messages rated;
	uint64_t last = 0;
	size_t *order;

	if (contacts->nr_messages == 0)
		return;
	*share = measure_page_share_of(
		contacts->nr_messages, measure_page_most(run, SHARE, CHARACTERS));
	rated = rate_messages(run);
	order = measure_page_choose(share, compare_importance, compare_times, &rated);
	block = measure_page_open(run->page, run->number, "messages");
	measure_page_block_number(block, share->shown);
	for (size_t i = 0; i < share->shown; i++)
		write_message(
			run, block, &contacts->messages[order[i]], rated.waiting[order[i]], &last);
	measure_page_close(run->page);
	measure_free(order);
	measure_free(rated.waiting);
}
