/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of a time line: messages, from the row and the time of the send to those of the receive;
 * collectives, from member to member where they begin. */
#include "config.h"

#include <string.h>

#include "report/page_contacts.h"
#include "picture_timeline.h"

#define MOST_MESSAGES    2000
#define MOST_COLLECTIVES 200

static double row_middle(const struct timeline *timeline, uint32_t location)
{
	const uint32_t row = timeline->rows.of_location[location];

	return timeline->top + timeline->rows.rows[row].y + timeline->rows.rows[row].height / 2;
}

static bool message_is_seen(
	const struct timeline *timeline, const struct measure_page_message *message)
{
	const uint32_t *of_location = timeline->rows.of_location;

	return message->send < timeline->until && message->receive >= timeline->from &&
	       of_location[message->from] != MEASURE_NONE &&
	       of_location[message->to] != MEASURE_NONE;
}

/* Places outside of the picture, too. */
static double timeline_place_anywhere(const struct timeline *timeline, uint64_t time)
{
	const double length = (double)(timeline->until - timeline->from);

	return timeline->left + ((double)time - (double)timeline->from) / length * timeline->width;
}

/* That there are more than may be drawn. */
static bool timeline_leaves_out(struct timeline *timeline, size_t nr, size_t most, const char *what)
{
	char *note = timeline->picture->note;
	const size_t length = strlen(note);

	if (nr > most)
		snprintf(note + length, MEASURE_PICTURE_NOTE - length,
			"%s%s %s are not drawn: at most %s are", length > 0 ? "; " : "",
			measure_figure(nr), what, measure_figure(most));
	return nr > most;
}

static void timeline_draw_messages(struct timeline *timeline)
{
	const struct measure_page_contacts *contacts = timeline->picture->facts->contacts;
	struct measure_canvas *canvas = &timeline->picture->canvas;
	size_t nr = 0;

	for (size_t i = 0; i < contacts->nr_messages; i++)
		nr += message_is_seen(timeline, &contacts->messages[i]);
	if (timeline_leaves_out(timeline, nr, MOST_MESSAGES, "messages"))
		return;
	measure_canvas_ink(canvas, MEASURE_INK_MESSAGE);
	cairo_set_line_width(canvas->cairo, 0.8);
	for (size_t i = 0; i < contacts->nr_messages; i++) {
		const struct measure_page_message *message = &contacts->messages[i];

		if (!message_is_seen(timeline, message))
			continue;
		cairo_move_to(canvas->cairo, timeline_place_anywhere(timeline, message->send),
			row_middle(timeline, message->from));
		cairo_line_to(canvas->cairo, timeline_place_anywhere(timeline, message->receive),
			row_middle(timeline, message->to));
	}
	cairo_stroke(canvas->cairo);
}

static bool collective_is_seen(const struct timeline *timeline,
	const struct measure_page_contacts *contacts,
	const struct measure_page_collective *collective)
{
	bool is_seen = false;

	for (uint32_t i = 0; i < collective->nr_members; i++) {
		const struct measure_page_member *member =
			&contacts->members[collective->first + i];

		is_seen |= timeline->rows.of_location[member->location] != MEASURE_NONE &&
			   member->begin < timeline->until && member->end >= timeline->from;
	}
	return is_seen && collective->nr_members > 1;
}

/* From member to member: where they begin. */
static void collective_draw(struct timeline *timeline, const struct measure_page_contacts *contacts,
	const struct measure_page_collective *collective)
{
	cairo_t *cairo = timeline->picture->canvas.cairo;

	cairo_new_sub_path(cairo);
	for (uint32_t i = 0; i < collective->nr_members; i++) {
		const struct measure_page_member *member =
			&contacts->members[collective->first + i];

		if (timeline->rows.of_location[member->location] != MEASURE_NONE)
			cairo_line_to(cairo, timeline_place_anywhere(timeline, member->begin),
				row_middle(timeline, member->location));
	}
}

static void timeline_draw_collectives(struct timeline *timeline)
{
	static const double dashes[] = {3, 2};
	const struct measure_page_contacts *contacts = timeline->picture->facts->contacts;
	cairo_t *cairo = timeline->picture->canvas.cairo;
	size_t nr = 0;

	for (size_t i = 0; i < contacts->nr_collectives; i++)
		nr += collective_is_seen(timeline, contacts, &contacts->collectives[i]);
	if (nr == 0 || timeline_leaves_out(timeline, nr, MOST_COLLECTIVES, "collectives"))
		return;
	measure_canvas_ink(&timeline->picture->canvas, MEASURE_INK_MESSAGE);
	for (size_t i = 0; i < contacts->nr_collectives; i++)
		if (collective_is_seen(timeline, contacts, &contacts->collectives[i]))
			collective_draw(timeline, contacts, &contacts->collectives[i]);
	cairo_save(cairo);
	cairo_set_dash(cairo, dashes, 2, 0);
	cairo_set_line_width(cairo, 0.8);
	cairo_stroke(cairo);
	cairo_restore(cairo);
}

/* Nothing beside the bars. */
void timeline_draw_contacts(struct timeline *timeline)
{
	cairo_t *cairo = timeline->picture->canvas.cairo;

	if (!timeline->picture->facts->contacts)
		return;
	cairo_save(cairo);
	cairo_rectangle(
		cairo, timeline->left, timeline->top, timeline->width, timeline->rows.height);
	cairo_clip(cairo);
	timeline_draw_collectives(timeline);
	timeline_draw_messages(timeline);
	cairo_restore(cairo);
}
