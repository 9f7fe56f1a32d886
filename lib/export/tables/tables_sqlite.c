/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables in a database of SQLite: prepared statements, and indices when all rows are there. Nobody
 * else reads the file before, so nothing of it is journaled. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

#define SQLITE_ROWS_PER_TRANSACTION 100000

struct sqlite_writer {
	struct tables_writer writer;
	sqlite3 *database;
	sqlite3_stmt *inserts[TABLES_NR];
	uint32_t nr_rows; /* in this transaction */
};

static const char *const sqlite_types[] = {
	[TABLES_TYPE_ID] = "INTEGER PRIMARY KEY",
	[TABLES_TYPE_INTEGER] = "INTEGER",
	[TABLES_TYPE_REAL] = "REAL",
	[TABLES_TYPE_TEXT] = "TEXT",
	[TABLES_TYPE_NUMBER] = "NUMERIC",
};

/* False, with the reason in the writer. */
static bool sqlite_check(struct sqlite_writer *sqlite, int result)
{
	if (result == SQLITE_OK || result == SQLITE_DONE)
		return true;
	if (sqlite->writer.error[0] == '\0')
		snprintf(sqlite->writer.error, sizeof(sqlite->writer.error), "%s",
			sqlite->database ? sqlite3_errmsg(sqlite->database)
					 : sqlite3_errstr(result));
	return false;
}

static bool sqlite_run(struct sqlite_writer *sqlite, const char *statement)
{
	return sqlite_check(sqlite, sqlite3_exec(sqlite->database, statement, NULL, NULL, NULL));
}

/* ------------------------------------------------------------------------- schema --- */

/* The meaning of a table and its columns as comments: `.schema` shows them. To be freed by
 * sqlite3_free(). */
static char *sqlite_create(enum tables_name name)
{
	const struct tables_info *table = &tables_infos[name];
	const uint32_t nr = tables_width(name);
	sqlite3_str *text = sqlite3_str_new(NULL);

	sqlite3_str_appendf(text, "CREATE TABLE %s ( -- %s\n", table->word, table->meaning);
	for (uint32_t i = 0; i < nr; i++) {
		const struct tables_column *column = &tables_columns[table->first_column + i];

		sqlite3_str_appendf(text, "\t%s %s%s -- %s\n", column->word,
			sqlite_types[column->type], i + 1 < nr ? "," : "", column->meaning);
	}
	sqlite3_str_appendall(text, ")");
	return sqlite3_str_finish(text);
}

static bool sqlite_prepare(struct sqlite_writer *sqlite, enum tables_name name)
{
	sqlite3_str *text = sqlite3_str_new(sqlite->database);
	char *statement;
	int result;

	sqlite3_str_appendf(text, "INSERT INTO %s VALUES (?", tables_infos[name].word);
	for (uint32_t i = 1; i < tables_width(name); i++)
		sqlite3_str_appendall(text, ", ?");
	sqlite3_str_appendall(text, ")");
	statement = sqlite3_str_finish(text);
	if (!statement)
		return sqlite_check(sqlite, SQLITE_NOMEM);
	result = sqlite3_prepare_v3(sqlite->database, statement, -1, SQLITE_PREPARE_PERSISTENT,
		&sqlite->inserts[name], NULL);
	sqlite3_free(statement);
	return sqlite_check(sqlite, result);
}

static bool sqlite_add_table(struct sqlite_writer *sqlite, enum tables_name name)
{
	char *statement = sqlite_create(name);
	const bool is_made =
		statement ? sqlite_run(sqlite, statement) : sqlite_check(sqlite, SQLITE_NOMEM);

	sqlite3_free(statement);
	return is_made && sqlite_prepare(sqlite, name);
}

static bool sqlite_add_index(struct sqlite_writer *sqlite, const struct tables_index *index)
{
	const char *table = tables_infos[index->table].word;
	char *statement = sqlite3_mprintf("CREATE INDEX %s_by_%.*s ON %s(%s)", table,
		(int)strcspn(index->columns, ","), index->columns, table, index->columns);
	const bool is_made =
		statement ? sqlite_run(sqlite, statement) : sqlite_check(sqlite, SQLITE_NOMEM);

	sqlite3_free(statement);
	return is_made;
}

/* -------------------------------------------------------------------------- rows --- */

static int sqlite_bind_text(sqlite3_stmt *insert, int place, const char *name)
{
	char *copy;
	const char *text = tables_valid_text(name, &copy);

	if (copy)
		return sqlite3_bind_text(insert, place, copy, -1, free);
	return sqlite3_bind_text(insert, place, text, -1, SQLITE_STATIC);
}

static int sqlite_bind(sqlite3_stmt *insert, int place, const struct tables_value *value)
{
	switch (value->kind) {
	case TABLES_VALUE_INTEGER:
		return sqlite3_bind_int64(insert, place, value->integer);
	case TABLES_VALUE_REAL:
		return sqlite3_bind_double(insert, place, value->real);
	case TABLES_VALUE_TEXT:
		return sqlite_bind_text(insert, place, value->text);
	case TABLES_VALUE_NONE:
		break;
	}
	return sqlite3_bind_null(insert, place);
}

static bool sqlite_add(
	struct tables_writer *writer, enum tables_name name, const struct tables_value *row)
{
	struct sqlite_writer *sqlite = (struct sqlite_writer *)writer;
	sqlite3_stmt *insert = sqlite->inserts[name];

	for (uint32_t i = 0; i < tables_width(name); i++)
		if (!sqlite_check(sqlite, sqlite_bind(insert, (int)i + 1, &row[i])))
			return false;
	if (!sqlite_check(sqlite, sqlite3_step(insert)) ||
		!sqlite_check(sqlite, sqlite3_reset(insert)))
		return false;
	if (++sqlite->nr_rows < SQLITE_ROWS_PER_TRANSACTION)
		return true;
	sqlite->nr_rows = 0;
	return sqlite_run(sqlite, "COMMIT; BEGIN");
}

/* ------------------------------------------------------------------------- the file --- */

static void sqlite_free_inserts(struct sqlite_writer *sqlite)
{
	for (size_t i = 0; i < TABLES_NR; i++) {
		sqlite3_finalize(sqlite->inserts[i]);
		sqlite->inserts[i] = NULL;
	}
}

static bool sqlite_finish(struct tables_writer *writer)
{
	struct sqlite_writer *sqlite = (struct sqlite_writer *)writer;
	bool is_done;

	sqlite_free_inserts(sqlite);
	is_done = sqlite_run(sqlite, "COMMIT");
	for (const struct tables_index *index = tables_indices; is_done && index->columns; index++)
		is_done = sqlite_add_index(sqlite, index);
	return is_done;
}

static void sqlite_free(struct tables_writer *writer)
{
	struct sqlite_writer *sqlite = (struct sqlite_writer *)writer;

	sqlite_free_inserts(sqlite);
	sqlite3_close(sqlite->database);
	free(sqlite);
}

static const struct tables_format sqlite_format = {sqlite_add, sqlite_finish, sqlite_free};

static bool sqlite_start(struct sqlite_writer *sqlite)
{
	char version[64];
	bool is_made;

	snprintf(version, sizeof(version), "PRAGMA user_version = %d", TABLES_SCHEMA);
	is_made = sqlite_run(sqlite, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
				     "PRAGMA locking_mode = EXCLUSIVE") &&
		  sqlite_run(sqlite, version) && sqlite_run(sqlite, "BEGIN");
	for (int i = 0; is_made && i < TABLES_NR; i++)
		is_made = sqlite_add_table(sqlite, (enum tables_name)i);
	return is_made;
}

struct tables_writer *tables_open_sqlite(const char *path)
{
	struct sqlite_writer *sqlite = calloc(1, sizeof(*sqlite));
	int result;

	if (!sqlite)
		return NULL;
	sqlite->writer.format = &sqlite_format;
	result = sqlite3_open_v2(path, &sqlite->database,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
	if (!sqlite_check(sqlite, result) || !sqlite_start(sqlite))
		sqlite->writer.has_failed = true;
	return &sqlite->writer;
}
