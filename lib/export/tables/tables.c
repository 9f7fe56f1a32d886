/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tables there are, and what their writers share. */
#include "config.h"

#include "tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

const struct tables_info tables_infos[TABLES_NR + 1] = {
#define TABLE(NAME, word, meaning) {#word, meaning, TABLES_FIRST_OF_##NAME},
#define COLUMN(...)
#define INDEX(...)
#include "tables.def"
#undef TABLE
#undef COLUMN
#undef INDEX
	{.first_column = TABLES_NR_COLUMNS}};

const struct tables_column tables_columns[TABLES_NR_COLUMNS] = {
#define TABLE(...)
#define COLUMN(TABLE, NAME, word, type, meaning) {#word, meaning, TABLES_TYPE_##type},
#define INDEX(...)
#include "tables.def"
#undef TABLE
#undef COLUMN
#undef INDEX
};

const struct tables_index tables_indices[] = {
#define TABLE(...)
#define COLUMN(...)
#define INDEX(TABLE, columns) {TABLES_##TABLE, columns},
#include "tables.def"
#undef TABLE
#undef COLUMN
#undef INDEX
	{.columns = NULL}};

/* A row has room for the columns of each table. */
#define TABLE(...)
#define COLUMN(TABLE, NAME, ...)                                                                   \
	_Static_assert(                                                                            \
		TABLES_COLUMN_##TABLE##_##NAME - TABLES_FIRST_OF_##TABLE < TABLES_MOST_COLUMNS,    \
		#TABLE);
#define INDEX(...)
#include "tables.def"
#undef TABLE
#undef COLUMN
#undef INDEX

static void writer_fail(struct tables_writer *writer)
{
	writer->has_failed = true;
	if (writer->error[0] == '\0')
		snprintf(writer->error, sizeof(writer->error), "%s", strerror(errno));
}

void tables_add(struct tables_writer *writer, enum tables_name name, const struct tables_value *row)
{
	if (writer->has_failed)
		return;
	writer->nr_rows[name]++;
	if (!writer->format->add(writer, name, row))
		writer_fail(writer);
}

bool tables_close(struct tables_writer *writer, char error[TABLES_ERROR])
{
	const bool is_written = !writer->has_failed && writer->format->finish(writer);

	if (!is_written)
		writer_fail(writer);
	memcpy(error, writer->error, TABLES_ERROR);
	writer->format->free(writer);
	return is_written;
}

static bool text_is_valid(const char *text)
{
	while (*text) {
		const size_t length = (unsigned char)*text < 0x80 ? 1 : measure_utf8_length(text);

		if (length == 0)
			return false;
		text += length;
	}
	return true;
}

const char *tables_valid_text(const char *text, char **copy)
{
	static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
	char *end;

	*copy = NULL;
	if (text_is_valid(text))
		return text;
	*copy = end = malloc(strlen(text) * strlen(replacement) + 1);
	if (!end)
		return "";
	while (*text) {
		const size_t length = (unsigned char)*text < 0x80 ? 1 : measure_utf8_length(text);
		const size_t nr = length ? length : strlen(replacement);

		memcpy(end, length ? text : replacement, nr);
		end += nr;
		text += length ? length : 1;
	}
	*end = '\0';
	return *copy;
}
