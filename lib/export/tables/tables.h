/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the rows of the tables of tables.def, to SQLite or to CSV. Tables may take turns; rows of
 * each come in the order of its first columns. */
#ifndef MEASURE_EXPORT_TABLES_TABLES_H
#define MEASURE_EXPORT_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLES_SCHEMA 1 /* PRAGMA user_version */

enum tables_name {
#define TABLE(NAME, ...) TABLES_##NAME,
#define COLUMN(...)
#define INDEX(...)
#include "tables.def"
#undef TABLE
#undef COLUMN
#undef INDEX
	TABLES_NR
};

/* The columns of all tables are numbered one after the other. */
enum tables_column_name {
#define TABLE(NAME, ...)         TABLES_FIRST_OF_##NAME, TABLES_BEFORE_##NAME = TABLES_FIRST_OF_##NAME - 1,
#define COLUMN(TABLE, NAME, ...) TABLES_COLUMN_##TABLE##_##NAME,
#define INDEX(...)
#include "tables.def"
#undef TABLE
#undef COLUMN
#undef INDEX
	TABLES_NR_COLUMNS
};

enum tables_type {
	TABLES_TYPE_ID,
	TABLES_TYPE_INTEGER,
	TABLES_TYPE_REAL,
	TABLES_TYPE_TEXT,
	TABLES_TYPE_NUMBER
};

struct tables_info {
	const char *word, *meaning;
	uint32_t first_column;
};

struct tables_column {
	const char *word, *meaning;
	enum tables_type type;
};

struct tables_index {
	enum tables_name table;
	const char *columns;
};

/* The one behind the last table only ends its columns; that behind the last index has none. */
extern const struct tables_info tables_infos[TABLES_NR + 1];
extern const struct tables_column tables_columns[TABLES_NR_COLUMNS];
extern const struct tables_index tables_indices[];

static inline uint32_t tables_width(enum tables_name name)
{
	return tables_infos[name + 1].first_column - tables_infos[name].first_column;
}

/* ------------------------------------------------------------------------- values --- */

#define TABLES_MOST_COLUMNS 16

/* All zero is no value. */
struct tables_value {
	enum { TABLES_VALUE_NONE, TABLES_VALUE_INTEGER, TABLES_VALUE_REAL, TABLES_VALUE_TEXT } kind;
	union {
		int64_t integer;
		double real;
		const char *text;
	};
};

typedef struct tables_value tables_row_t[TABLES_MOST_COLUMNS];

/* The cell of a row: TABLES_CELL(row, MESSAGES, TAG) = tables_integer(7). */
#define TABLES_CELL(row, TABLE, COLUMN)                                                            \
	((row)[TABLES_COLUMN_##TABLE##_##COLUMN - TABLES_FIRST_OF_##TABLE])

static inline struct tables_value tables_signed(int64_t integer)
{
	return (struct tables_value){.kind = TABLES_VALUE_INTEGER, .integer = integer};
}

static inline struct tables_value tables_real(double real)
{
	return (struct tables_value){.kind = TABLES_VALUE_REAL, .real = real};
}

/* What does not fit the integers of SQL is a real number. */
static inline struct tables_value tables_integer(uint64_t integer)
{
	return integer <= INT64_MAX ? tables_signed((int64_t)integer)
				    : tables_real((double)integer);
}

/* NULL: no value. The text is used until the row has been added. */
static inline struct tables_value tables_text(const char *text)
{
	return (struct tables_value){
		.kind = text ? TABLES_VALUE_TEXT : TABLES_VALUE_NONE, .text = text};
}

/* UINT32_MAX, MEASURE_NONE: no value. */
static inline struct tables_value tables_index(uint32_t index)
{
	return index == UINT32_MAX ? (struct tables_value){.kind = TABLES_VALUE_NONE}
				   : tables_signed(index);
}

/* ------------------------------------------------------------------------- writing --- */

struct tables_writer;

/* A kind of output. On false errno, or writer->error, says why. */
struct tables_format {
	bool (*add)(struct tables_writer *writer, enum tables_name name,
		const struct tables_value *row);
	bool (*finish)(struct tables_writer *writer); /* all rows are there */
	void (*free)(struct tables_writer *writer);
};

#define TABLES_ERROR 256

struct tables_writer {
	const struct tables_format *format;
	bool has_failed; /* nothing more is written */
	char error[TABLES_ERROR];
	uint64_t nr_rows[TABLES_NR];
};

/* Makes the file `path`, which must not exist, or the files in the directory `path`, which exists.
 * NULL: errno says why. */
struct tables_writer *tables_open_sqlite(const char *path);
struct tables_writer *tables_open_csv(const char *path);

/* A row: tables_width() values. Failures are kept for tables_close(). */
void tables_add(
	struct tables_writer *writer, enum tables_name name, const struct tables_value *row);

/* False: not all could be written, and `error` says why. */
bool tables_close(struct tables_writer *writer, char error[TABLES_ERROR]);

/* The text, or a copy without what is no UTF-8 in *copy, which is to be freed by free(). */
const char *tables_valid_text(const char *text, char **copy);

#endif
