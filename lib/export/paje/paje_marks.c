/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages and markers of a Paje file. Of a link both ends are known before its first line is
 * written. */
#include "config.h"

#include <inttypes.h>

#include "paje.h"

static void take_message(void *data, const struct measure_conversion_message *message)
{
	sorted_messages_add(data, message);
}

measure_status_t paje_marks_find(struct paje_marks *marks, struct measure_conversion *conversion)
{
	const struct measure_conversion_matches matches = {
		.data = &marks->messages, .message = take_message};
	measure_status_t status;

	*marks = (struct paje_marks){.next_send = 0};
	status = measure_conversion_match(conversion, &matches);
	sorted_messages_sort(&marks->messages);
	marks->by_receive = sorted_messages_by_receive(&marks->messages);
	archive_markers_read(&marks->markers, conversion);
	return status;
}

void paje_marks_free(struct paje_marks *marks)
{
	sorted_messages_free(&marks->messages);
	archive_markers_free(&marks->markers);
	measure_free(marks->by_receive);
}

static void write_mark_begin(struct paje_file *file, enum paje_event event, uint64_t ns)
{
	fprintf(file->out, "%d", event);
	paje_write_time(file->out, ns);
	if (ns > file->last_ns)
		file->last_ns = ns;
}

static void write_send(struct paje_file *file, const struct sorted_message *message, size_t number)
{
	const char *comm = message->comm == MEASURE_NONE
				   ? ""
				   : file->conversion->definitions->comms[message->comm].label;

	write_mark_begin(file, PAJE_START_LINK, message->send_ns);
	fprintf(file->out,
		" L " PAJE_MACHINE "0 " PAJE_THREAD "%" PRIu32 " message %zu %" PRIu64 " %" PRIu32
		" ",
		message->src, number, message->bytes, message->tag);
	paje_write_name(file->out, comm);
	putc('\n', file->out);
}

static void write_receive(
	struct paje_file *file, const struct sorted_message *message, size_t number)
{
	write_mark_begin(file, PAJE_END_LINK, message->receive_ns);
	fprintf(file->out, " L " PAJE_MACHINE "0 " PAJE_THREAD "%" PRIu32 " message %zu\n",
		message->dst, number);
}

static void write_marker(struct paje_file *file, const struct archive_marker *marker)
{
	write_mark_begin(file, PAJE_NEW_EVENT, marker->ns);
	if (marker->location == MEASURE_NONE)
		fputs(" E " PAJE_MACHINE "0 ", file->out);
	else
		fprintf(file->out, " ET " PAJE_THREAD "%" PRIu32 " ", marker->location);
	paje_write_name(file->out, marker->text);
	putc('\n', file->out);
}

/* The first of the marks that are still to come: when, and which; UINT64_MAX: there is none. */
enum paje_mark { PAJE_MARK_MARKER, PAJE_MARK_SEND, PAJE_MARK_RECEIVE };

static uint64_t next_mark(const struct paje_marks *marks, enum paje_mark *which)
{
	const struct sorted_message *items = marks->messages.items;
	const size_t nr = marks->messages.nr_items;
	const uint64_t times[] = {
		[PAJE_MARK_MARKER] = marks->next_marker < marks->markers.nr_items
					     ? marks->markers.items[marks->next_marker].ns
					     : UINT64_MAX,
		[PAJE_MARK_SEND] =
			marks->next_send < nr ? items[marks->next_send].send_ns : UINT64_MAX,
		[PAJE_MARK_RECEIVE] =
			marks->next_receive < nr
				? items[marks->by_receive[marks->next_receive]].receive_ns
				: UINT64_MAX,
	};

	*which = PAJE_MARK_MARKER;
	for (enum paje_mark i = PAJE_MARK_SEND; i <= PAJE_MARK_RECEIVE; i++)
		if (times[i] < times[*which])
			*which = i;
	return times[*which];
}

void paje_marks_write(struct paje_marks *marks, struct paje_file *file, uint64_t ns)
{
	const struct sorted_message *items = marks->messages.items;
	enum paje_mark which;
	uint64_t time;

	while ((time = next_mark(marks, &which)) <= ns && time < UINT64_MAX) {
		uint32_t number;

		switch (which) {
		case PAJE_MARK_MARKER:
			write_marker(file, &marks->markers.items[marks->next_marker++]);
			break;
		case PAJE_MARK_SEND:
			write_send(file, &items[marks->next_send], marks->next_send);
			marks->next_send++;
			break;
		case PAJE_MARK_RECEIVE:
			number = marks->by_receive[marks->next_receive++];
			write_receive(file, &items[number], number);
			break;
		}
	}
}
