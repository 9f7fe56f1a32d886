/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of messages and collective operations, in the order of time: the matcher has them in
 * another one. */
#include "config.h"

#include <stdlib.h>

#include "tables_export.h"

/* ----------------------------------------------------------------------- matching --- */

static void take_message(void *data, const struct measure_conversion_message *message)
{
	sorted_messages_add(&((struct tables_export *)data)->messages, message);
}

static void take_collective(void *data, const struct measure_conversion_collective *collective)
{
	struct tables_export *export = data;
	struct tables_collective *made = measure_append(export, collectives);

	*made = (struct tables_collective){.start_ns = UINT64_MAX,
		.ordinal = collective->ordinal,
		.comm = collective->comm,
		.region = collective->region,
		.root = collective->root,
		.relation = collective->relation,
		.first_member = export->nr_members,
		.nr_members = collective->nr_members};
	for (size_t i = 0; i < collective->nr_members; i++) {
		const struct measure_conversion_end *member = &collective->members[i];

		made->start_ns = measure_earlier(made->start_ns, member->begin_ns);
		made->end_ns = measure_later(made->end_ns, member->end_ns);
		*measure_append(export, members) =
			(struct tables_member){.begin_ns = member->begin_ns,
				.end_ns = member->end_ns,
				.waiting_ns = collective->waiting_ns[i],
				.last_position = member->last_position,
				.location = member->location};
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Two of one kind in a communicator have different ordinals. */
static int collective_compare(const void *left, const void *right)
{
	const struct tables_collective *a = left, *b = right;
	const uint64_t keys[][2] = {{a->start_ns, b->start_ns}, {a->comm, b->comm},
		{a->relation, b->relation}, {a->ordinal, b->ordinal},
		{a->first_member, b->first_member}};
	int order = 0;

	for (size_t i = 0; order == 0 && i < sizeof(keys) / sizeof(*keys); i++)
		order = compare(keys[i][0], keys[i][1]);
	return order;
}

measure_status_t tables_find_matches(struct tables_export *export)
{
	const struct measure_conversion_matches matches = {
		.data = export, .message = take_message, .collective = take_collective};
	const measure_status_t status = measure_conversion_match(export->conversion, &matches);

	sorted_messages_sort(&export->messages);
	if (export->nr_collectives > 0)
		qsort(export->collectives, export->nr_collectives, sizeof(*export->collectives),
			collective_compare);
	return status;
}

/* ----------------------------------------------------------------------- messages --- */

static void write_message(struct tables_export *export, const struct sorted_message *message)
{
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, MESSAGES, SEND_NS) = tables_integer(message->send_ns);
	TABLES_CELL(row, MESSAGES, SRC) = tables_index(message->src);
	TABLES_CELL(row, MESSAGES, RECEIVE_NS) = tables_integer(message->receive_ns);
	TABLES_CELL(row, MESSAGES, DST) = tables_index(message->dst);
	TABLES_CELL(row, MESSAGES, COMM) = tables_index(message->comm);
	TABLES_CELL(row, MESSAGES, TAG) = tables_integer(message->tag);
	TABLES_CELL(row, MESSAGES, BYTES) = tables_integer(message->bytes);
	TABLES_CELL(row, MESSAGES, SRC_PATH) = tables_index(message->src_path);
	TABLES_CELL(row, MESSAGES, DST_PATH) = tables_index(message->dst_path);
	if (message->pattern != MEASURE_NO_PATTERN) {
		TABLES_CELL(row, MESSAGES, WAITING_NS) = tables_integer(message->waiting_ns);
		TABLES_CELL(row, MESSAGES, CLASS) =
			tables_text(measure_wait_patterns[message->pattern].word);
	}
	tables_add(export->writer, TABLES_MESSAGES, row);
}

/* -------------------------------------------------------------------- collectives --- */

/* Of the end of a member's part in a blocking operation the point may be its begin. NULL: the
 * archive does not say. */
static const struct tables_traffic *find_traffic(
	const struct tables_location *location, uint64_t position, bool is_blocking)
{
	size_t low = 0, high = location->nr_traffic;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (location->traffic[middle].position < position)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == location->nr_traffic)
		return NULL;
	return is_blocking || location->traffic[low].position == position ? &location->traffic[low]
									  : NULL;
}

static bool is_blocking(uint32_t relation)
{
	return relation != MEASURE_RELATION_NONBLOCKING_COLLECTIVE &&
	       relation != MEASURE_RELATION_NONBLOCKING_SCAN;
}

static void write_member(
	struct tables_export *export, uint32_t collective, const struct tables_member *member)
{
	const struct tables_traffic *traffic = find_traffic(&export->per_location[member->location],
		member->last_position, is_blocking(export->collectives[collective].relation));
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, COLLECTIVE_MEMBERS, ID) = tables_index(collective);
	TABLES_CELL(row, COLLECTIVE_MEMBERS, LOCATION) = tables_index(member->location);
	TABLES_CELL(row, COLLECTIVE_MEMBERS, BEGIN_NS) = tables_integer(member->begin_ns);
	TABLES_CELL(row, COLLECTIVE_MEMBERS, END_NS) = tables_integer(member->end_ns);
	if (traffic) {
		TABLES_CELL(row, COLLECTIVE_MEMBERS, SENT) = tables_integer(traffic->sent);
		TABLES_CELL(row, COLLECTIVE_MEMBERS, RECEIVED) = tables_integer(traffic->received);
	}
	if (member->waiting_ns > 0)
		TABLES_CELL(row, COLLECTIVE_MEMBERS, WAITING_NS) =
			tables_integer(member->waiting_ns);
	tables_add(export->writer, TABLES_COLLECTIVE_MEMBERS, row);
}

static void write_collective(struct tables_export *export, uint32_t number)
{
	const struct tables_collective *collective = &export->collectives[number];
	const struct measure_profile *profile = &export->conversion->profile;
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, COLLECTIVES, ID) = tables_index(number);
	TABLES_CELL(row, COLLECTIVES, COMM) = tables_index(collective->comm);
	TABLES_CELL(row, COLLECTIVES, ORDINAL) = tables_integer(collective->ordinal);
	if (collective->region != MEASURE_NONE)
		TABLES_CELL(row, COLLECTIVES, OP) =
			tables_text(measure_profile_region_name(profile, collective->region));
	TABLES_CELL(row, COLLECTIVES, ROOT) = tables_index(collective->root);
	TABLES_CELL(row, COLLECTIVES, START_NS) = tables_integer(collective->start_ns);
	TABLES_CELL(row, COLLECTIVES, END_NS) = tables_integer(collective->end_ns);
	tables_add(export->writer, TABLES_COLLECTIVES, row);
	for (size_t i = 0; i < collective->nr_members; i++)
		write_member(export, number, &export->members[collective->first_member + i]);
}

void tables_write_matches(struct tables_export *export)
{
	for (size_t i = 0; i < export->messages.nr_items; i++)
		write_message(export, &export->messages.items[i]);
	for (uint32_t i = 0; i < export->nr_collectives; i++)
		write_collective(export, i);
}
