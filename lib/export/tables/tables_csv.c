/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables as CSV files in a directory, by RFC 4180: one file each, with a header line. No value is
 * nothing between two commas, an empty text is "". */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables.h"

struct csv_writer {
	struct tables_writer writer;
	FILE *files[TABLES_NR];
};

static void csv_print_quoted(FILE *file, const char *text)
{
	putc_unlocked('"', file);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			putc_unlocked('"', file);
		putc_unlocked(*c, file);
	}
	putc_unlocked('"', file);
}

static void csv_print_text(FILE *file, const char *name)
{
	char *copy;
	const char *text = tables_valid_text(name, &copy);

	if (*text && text[strcspn(text, ",\"\r\n")] == '\0')
		fputs_unlocked(text, file);
	else
		csv_print_quoted(file, text);
	free(copy);
}

/* Most of what is written: faster than by fprintf(). */
static void csv_print_integer(FILE *file, int64_t integer)
{
	uint64_t rest = integer < 0 ? -(uint64_t)integer : (uint64_t)integer;
	char digits[24], *first = digits + sizeof(digits);

	do
		*--first = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (integer < 0)
		*--first = '-';
	fwrite_unlocked(first, 1, (size_t)(digits + sizeof(digits) - first), file);
}

static void csv_print_value(FILE *file, const struct tables_value *value)
{
	switch (value->kind) {
	case TABLES_VALUE_NONE:
		break;
	case TABLES_VALUE_INTEGER:
		csv_print_integer(file, value->integer);
		break;
	case TABLES_VALUE_REAL:
		fprintf(file, "%.17g", value->real);
		break;
	case TABLES_VALUE_TEXT:
		csv_print_text(file, value->text);
		break;
	}
}

static bool csv_add(
	struct tables_writer *writer, enum tables_name name, const struct tables_value *row)
{
	FILE *file = ((struct csv_writer *)writer)->files[name];

	for (uint32_t i = 0; i < tables_width(name); i++) {
		if (i > 0)
			putc_unlocked(',', file);
		csv_print_value(file, &row[i]);
	}
	fputs_unlocked("\r\n", file);
	return !ferror(file);
}

static bool csv_finish(struct tables_writer *writer)
{
	struct csv_writer *csv = (struct csv_writer *)writer;
	bool is_written = true;

	for (size_t i = 0; i < TABLES_NR; i++) {
		if (fclose(csv->files[i]) != 0)
			is_written = false;
		csv->files[i] = NULL;
	}
	return is_written;
}

static void csv_free(struct tables_writer *writer)
{
	struct csv_writer *csv = (struct csv_writer *)writer;

	for (size_t i = 0; i < TABLES_NR; i++)
		if (csv->files[i])
			fclose(csv->files[i]);
	free(csv);
}

static const struct tables_format csv_format = {csv_add, csv_finish, csv_free};

static bool csv_open_table(struct csv_writer *csv, int directory, enum tables_name name)
{
	const struct tables_info *table = &tables_infos[name];
	char path[64];
	int file;

	snprintf(path, sizeof(path), "%s.csv", table->word);
	file = openat(directory, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	csv->files[name] = file >= 0 ? fdopen(file, "w") : NULL;
	if (!csv->files[name])
		return false;
	for (uint32_t i = 0; i < tables_width(name); i++)
		fprintf(csv->files[name], "%s%s", i > 0 ? "," : "",
			tables_columns[table->first_column + i].word);
	fputs("\r\n", csv->files[name]);
	return true;
}

struct tables_writer *tables_open_csv(const char *path)
{
	const int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct csv_writer *csv = calloc(1, sizeof(*csv));
	bool is_open = directory >= 0 && csv;
	int error;

	for (int i = 0; is_open && i < TABLES_NR; i++)
		is_open = csv_open_table(csv, directory, (enum tables_name)i);
	error = errno;
	if (directory >= 0)
		close(directory);
	if (is_open) {
		csv->writer.format = &csv_format;
		return &csv->writer;
	}
	if (csv)
		csv_free(&csv->writer);
	errno = error;
	return NULL;
}
