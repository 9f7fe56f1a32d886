/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading a filter word by word, and saying where it is wrong; see rules.h. */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "filter/rules.h"

#define MOST_MISTAKES 20 /* that are listed */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void end_line(struct measure_filter_reader *reader)
{
	reader->place++;
	reader->line++;
	reader->line_begin = reader->place;
}

/* A backslash at the very end of a line. */
static bool is_continued(const char *place)
{
	return place[0] == '\\' && (place[1] == '\n' || (place[1] == '\r' && place[2] == '\n'));
}

/* Blanks, comments and, with `over_lines`, ends of lines. */
static void skip_blank(struct measure_filter_reader *reader, bool over_lines)
{
	for (;;) {
		if (is_blank(*reader->place)) {
			reader->place++;
		} else if (*reader->place == '#') {
			reader->place += strcspn(reader->place, "\n");
		} else if (is_continued(reader->place)) {
			reader->place = strchr(reader->place, '\n');
			end_line(reader);
		} else if (over_lines && *reader->place == '\n') {
			end_line(reader);
		} else {
			return;
		}
	}
}

/* One byte of a word more, and room for the end of it. */
static measure_status_t words_append(struct measure_filter_reader *reader, size_t length, char c)
{
	char *word = measure_array_room(reader->word, &reader->room, length + 2, 1);

	if (!word)
		return MEASURE_ERROR_MEMORY;
	reader->word = word;
	word[length] = c;
	word[length + 1] = '\0';
	return MEASURE_OK;
}

static bool ends_word(const char *place)
{
	return *place == '\0' || *place == '\n' || is_blank(*place) || *place == '#' ||
	       is_continued(place);
}

measure_status_t measure_filter_fail(struct measure_filter_reader *reader, const char *format, ...)
{
	va_list arguments;
	char *text = reader->error->text;
	size_t size = sizeof(reader->error->text), length;

	if (reader->word_line > 0)
		snprintf(text, size, "%s:%u:%u: ", reader->source, reader->word_line,
			reader->word_column);
	else
		snprintf(text, size, "%s: ", reader->source);
	length = strlen(text);
	va_start(arguments, format);
	vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	reader->error->nr++;
	if (reader->error->say)
		reader->error->say(text);
	return MEASURE_ERROR_FORMAT;
}

bool measure_filter_goes_on(const struct measure_filter_reader *reader, measure_status_t status)
{
	return status == MEASURE_ERROR_FORMAT && reader->error->say &&
	       reader->error->nr < MOST_MISTAKES;
}

bool measure_filter_is_block_next(const struct measure_filter_reader *reader)
{
	struct measure_filter_reader ahead = *reader;

	skip_blank(&ahead, true);
	return strncmp(ahead.place, "SCOREP_", strlen("SCOREP_")) == 0;
}

/* Quotes protect blanks and # only: what is in them is still a pattern. */
static measure_status_t read_word(struct measure_filter_reader *reader)
{
	measure_status_t status = words_append(reader, 0, '\0');
	bool is_in_quotes = false;
	size_t length = 0;

	while (status == MEASURE_OK && (is_in_quotes || !ends_word(reader->place))) {
		char c = *reader->place;
		if (c == '\0' || c == '\n')
			return measure_filter_fail(reader, "unterminated quote");
		reader->place++;
		if (c == '"') {
			is_in_quotes = !is_in_quotes;
			reader->is_quoted = true;
			continue;
		}
		status = words_append(reader, length++, c);
		if (c == '\\' && *reader->place && *reader->place != '\n' && status == MEASURE_OK)
			status = words_append(reader, length++, *reader->place++);
	}
	return status;
}

measure_status_t measure_filter_next_word(struct measure_filter_reader *reader, bool over_lines)
{
	skip_blank(reader, over_lines);
	reader->word_line = reader->line;
	reader->word_column = (unsigned int)(reader->place - reader->line_begin) + 1;
	reader->is_quoted = false;
	if (*reader->place == '\0' || *reader->place == '\n')
		return MEASURE_ERROR_NOT_FOUND;
	return read_word(reader);
}

bool measure_filter_next_line(struct measure_filter_reader *reader)
{
	if (*reader->place != '\n')
		return false;
	end_line(reader);
	return true;
}
