/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of SQLite, for debian_libraries.sh. */
#include <sqlite3.h>
#include <stdio.h>

static int print(void *data, int nr, char **values, char **names)
{
	(void)data;
	printf("%s %s %d\n", names[0], values[0], nr);
	return 0;
}

int main(void)
{
	sqlite3 *base;
	sqlite3_stmt *statement;

	sqlite3_open(":memory:", &base);
	sqlite3_exec(base, "create table t (a integer, b text)", NULL, NULL, NULL);
	sqlite3_prepare_v2(base, "insert into t values (?, ?)", -1, &statement, NULL);
	for (int i = 0; i < 10; i++) {
		sqlite3_bind_int(statement, 1, i);
		sqlite3_bind_text(statement, 2, "text", 4, SQLITE_STATIC);
		sqlite3_step(statement);
		sqlite3_reset(statement);
	}
	sqlite3_finalize(statement);
	sqlite3_exec(base, "select sum(a), b from t", print, NULL, NULL);
	char *text = sqlite3_mprintf("%d %s %q", 7, "of", "it's");
	printf("%s\n", text);
	sqlite3_free(text);
	sqlite3_close(base);
	fprintf(stderr, "count sqlite3_open 1\ncount sqlite3_exec 2\ncount sqlite3_step 10\ncount "
			"sqlite3_bind_int 10\n");
	return 0;
}
