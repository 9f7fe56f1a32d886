/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps messages and collective operations; see page_contacts.h. */
#include "config.h"

#include "page_contacts.h"

static void contacts_start(void *data, struct measure_call_table *tables)
{
	struct measure_page_contacts *contacts = data;

	contacts->tables = tables;
	contacts->nr_messages = 0;
	contacts->nr_collectives = 0;
	contacts->nr_members = 0;
}

static uint32_t call_of(struct measure_page_contacts *contacts, const struct measure_point *point)
{
	return measure_call_table_find(&contacts->tables[point->location], point->position);
}

static void contacts_take_message(void *data, const struct measure_instance *instance)
{
	struct measure_page_contacts *contacts = data;
	const struct measure_point *send = &instance->sends[0], *receive = &instance->receives[0];

	*measure_append(contacts, messages) = (struct measure_page_message){.send = send->time,
		.receive = receive->time,
		.bytes = instance->length,
		.from = send->location,
		.to = receive->location,
		.send_call = call_of(contacts, send),
		.receive_call = call_of(contacts, receive),
		.tag = instance->tag,
		.comm = instance->comm};
}

/* From the begin of the call that begins it to the end of the one that completes it. */
static struct measure_page_member make_member(struct measure_page_contacts *contacts,
	const struct measure_point *begin, const struct measure_point *end)
{
	struct measure_page_member member = {.begin = begin->time,
		.end = end->time,
		.location = begin->location,
		.begin_call = call_of(contacts, begin),
		.end_call = MEASURE_NONE};

	if (end->location == begin->location)
		member.end_call = call_of(contacts, end);
	if (member.begin_call != MEASURE_NONE)
		member.begin = contacts->tables[begin->location].calls[member.begin_call].enter;
	if (member.end_call != MEASURE_NONE)
		member.end = contacts->tables[begin->location].calls[member.end_call].leave;
	return member;
}

static void contacts_take_collective(void *data, const struct measure_collective *collective)
{
	struct measure_page_contacts *contacts = data;
	struct measure_page_collective kept = {.first = contacts->nr_members,
		.nr_members = (uint32_t)collective->nr_members,
		.root = MEASURE_NONE,
		.path = MEASURE_NONE,
		.comm = collective->comm,
		.op = collective->op};

	for (size_t i = 0; i < collective->nr_members; i++) {
		const struct measure_page_member member =
			make_member(contacts, &collective->begins[i], &collective->ends[i]);

		if (kept.path == MEASURE_NONE && member.begin_call != MEASURE_NONE)
			kept.path = contacts->tables[member.location].calls[member.begin_call].path;
		*measure_append(contacts, members) = member;
	}
	if (collective->root != MEASURE_NONE)
		kept.root = collective->begins[collective->root].location;
	*measure_append(contacts, collectives) = kept;
}

struct measure_waits_observer measure_page_contacts_observer(struct measure_page_contacts *contacts)
{
	return (struct measure_waits_observer){.start = contacts_start,
		.message = contacts_take_message,
		.collective = contacts_take_collective,
		.data = contacts};
}

void measure_page_contacts_free(struct measure_page_contacts *contacts)
{
	measure_free(contacts->messages);
	measure_free(contacts->collectives);
	measure_free(contacts->members);
}
