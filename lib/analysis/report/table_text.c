/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of a profile (messages, collectives, locks, ...) as text, CSV and HTML, from the rows of
 * profile_tables.def. */
#include "config.h"

#include "profile_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/figures.h"
#include "base/printable.h"
#include "trace/stream/record.h"

#define MOST_ROWS    5
#define TITLE_TEXT   64
#define MOST_COLUMNS 16 /* of a table */
#define LEAST_COLUMN 7  /* "1023 ns" */

static const char *collective_name(uint64_t op)
{
	static const char *const names[] = {
#define COLLECTIVE(NAME) [OTF2_COLLECTIVE_OP_##NAME] = #NAME
		COLLECTIVE(BARRIER), COLLECTIVE(BCAST), COLLECTIVE(GATHER), COLLECTIVE(GATHERV),
		COLLECTIVE(SCATTER), COLLECTIVE(SCATTERV), COLLECTIVE(ALLGATHER),
		COLLECTIVE(ALLGATHERV), COLLECTIVE(ALLTOALL), COLLECTIVE(ALLTOALLV),
		COLLECTIVE(ALLTOALLW), COLLECTIVE(ALLREDUCE), COLLECTIVE(REDUCE),
		COLLECTIVE(REDUCE_SCATTER), COLLECTIVE(SCAN), COLLECTIVE(EXSCAN),
		COLLECTIVE(REDUCE_SCATTER_BLOCK), COLLECTIVE(CREATE_HANDLE),
		COLLECTIVE(DESTROY_HANDLE), COLLECTIVE(ALLOCATE), COLLECTIVE(DEALLOCATE),
		COLLECTIVE(CREATE_HANDLE_AND_ALLOCATE), COLLECTIVE(DESTROY_HANDLE_AND_DEALLOCATE)
#undef COLLECTIVE
	};

	return op < sizeof(names) / sizeof(*names) && names[op] ? names[op] : "UNKNOWN";
}

static const char *file_name(const struct measure_definitions *definitions, uint64_t word)
{
	const char *name = "";

	if (word < definitions->nr_io_files)
		name = measure_text(definitions, definitions->io_files[word].name);
	else if (word >= MEASURE_PROFILE_HANDLE &&
		 word - MEASURE_PROFILE_HANDLE < definitions->nr_io_handles)
		name = measure_text(
			definitions, definitions->io_handles[word - MEASURE_PROFILE_HANDLE].name);
	return *name ? name : "(no name)";
}

static const char *path_text(
	const struct measure_profile *profile, uint32_t path, char *buffer, size_t size)
{
	const struct measure_view view = {.profile = profile, .by = MEASURE_BY_PATH};
	const struct measure_view_row row = {.subject = path};

	return measure_view_name(&view, &row, buffer, size);
}

const char *measure_key_text(const struct measure_profile *profile, enum measure_key_kind kind,
	uint64_t word, char *buffer, size_t size)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;

	switch (kind) {
	case MEASURE_KEY_PATH:
		return path_text(profile, (uint32_t)word, buffer, size);
	case MEASURE_KEY_PROCESS:
		return word < definitions->nr_location_groups
			       ? measure_text(definitions, definitions->location_groups[word].name)
			       : "(unknown)";
	case MEASURE_KEY_COLLECTIVE:
		return collective_name(word);
	case MEASURE_KEY_COMM:
		return word < definitions->nr_comms ? definitions->comms[word].label : "(unknown)";
	case MEASURE_KEY_LOCK:
		snprintf(buffer, size, "%s lock %" PRIu64,
			measure_paradigm_word((OTF2_Paradigm)(word >> 32)), word & UINT32_MAX);
		return buffer;
	case MEASURE_KEY_FILE:
		return file_name(definitions, word);
	case MEASURE_KEY_INTERFACE:
		return word < definitions->nr_io_paradigms
			       ? measure_text(definitions, definitions->io_paradigms[word].name)
			       : "(unknown)";
	case MEASURE_KEY_CONTEXT:
		return measure_name_of_region(
			definitions, definitions->calling_contexts[word].region);
	case MEASURE_KEY_GENERATOR:
		return word < definitions->nr_interrupt_generators
			       ? measure_text(
					 definitions, definitions->interrupt_generators[word].name)
			       : "(unknown)";
	case MEASURE_KEY_RECORD:
		return measure_event_names[word];
	default:
		snprintf(buffer, size, "%" PRIu64, word);
		return buffer;
	}
}

/* -------------------------------------------------------------------------- order --- */

/* By its time where it has one, then bytes, then its first number. */
static uint32_t main_column(enum measure_table_name name)
{
	const struct measure_column_info *columns =
		&measure_columns[measure_tables[name].first_column];
	const uint32_t nr = measure_profile_table_width(name);

	for (uint32_t i = 0; i < nr; i++)
		if (columns[i].unit == MEASURE_UNIT_TICKS)
			return i;
	for (uint32_t i = 0; i < nr; i++)
		if (columns[i].unit == MEASURE_UNIT_BYTES)
			return i;
	return 0;
}

struct table_order {
	const struct measure_profile_table *table;
	uint32_t width, column;
};

static int compare_table_rows(const void *left, const void *right, void *data)
{
	const struct table_order *order = data;
	const struct measure_profile_table *table = order->table;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const uint64_t x = table->values[a * order->width + order->column];
	const uint64_t y = table->values[b * order->width + order->column];
	const struct measure_key *first = &table->keys[a], *second = &table->keys[b];

	if (x != y)
		return x < y ? 1 : -1;
	if (first->high != second->high)
		return first->high < second->high ? -1 : 1;
	return (first->low > second->low) - (first->low < second->low);
}

/* Indices of the rows, the largest ones first; to be freed. */
static size_t *sort_rows(const struct measure_profile_table *table, enum measure_table_name name)
{
	struct table_order order = {table, measure_profile_table_width(name), main_column(name)};
	size_t *rows = measure_zeroed(table->nr, sizeof(*rows));

	for (size_t i = 0; i < table->nr; i++)
		rows[i] = i;
	if (table->nr > 0)
		qsort_r(rows, table->nr, sizeof(*rows), compare_table_rows, &order);
	return rows;
}

/* --------------------------------------------------------------------------- text --- */

/* As it is printed; in the buffer if need be. */
static const char *cell_text(const struct measure_profile *profile, enum measure_unit unit,
	uint64_t value, char text[MEASURE_FIGURE_TEXT])
{
	switch (unit) {
	case MEASURE_UNIT_TICKS:
		return measure_figure_seconds(measure_profile_seconds(profile, value), text);
	case MEASURE_UNIT_BYTES:
		return measure_figure_size(value, text);
	default:
		return measure_figure(value);
	}
}

/* "bytes_read" as "read", for the figures have units; "time_ns" as "time". */
static void make_title(const struct measure_column_info *column, char title[TITLE_TEXT])
{
	static const char *const needless[] = {"bytes_", "_operations", "operations_of_"};
	char *found;
	size_t length;

	snprintf(title, TITLE_TEXT, "%s", column->word);
	for (size_t i = 0; i < sizeof(needless) / sizeof(*needless); i++)
		if ((found = strstr(title, needless[i])))
			memmove(found, found + strlen(needless[i]),
				strlen(found + strlen(needless[i])) + 1);
	length = strlen(title);
	if (column->unit == MEASURE_UNIT_TICKS)
		title[length - 3] = '\0';
	for (char *at = title; (at = strchr(at, '_'));)
		*at = ' ';
}

static bool is_column_used(
	const struct measure_profile_table *table, enum measure_table_name name, uint32_t column)
{
	const uint32_t width = measure_profile_table_width(name);

	for (size_t i = 0; i < table->nr; i++)
		if (table->values[i * width + column])
			return true;
	return false;
}

/* Columns of a table that has rows, as wide as their titles and what is in them. */
struct table_layout {
	struct layout_column {
		char title[TITLE_TEXT];
		int width; /* 0: nothing is in it */
	} columns[MOST_COLUMNS];
	int width; /* of all of them */
};

static void layout_make(struct table_layout *layout, const struct measure_profile *profile,
	enum measure_table_name name, const size_t *rows, size_t nr)
{
	const struct measure_profile_table *table = &profile->tables[name];
	const uint32_t width = measure_profile_table_width(name);
	char text[MEASURE_FIGURE_TEXT];

	*layout = (struct table_layout){.width = 0};
	for (uint32_t c = 0; c < width; c++) {
		const struct measure_column_info *info =
			&measure_columns[measure_tables[name].first_column + c];
		struct layout_column *column = &layout->columns[c];

		if (!is_column_used(table, name, c))
			continue;
		make_title(info, column->title);
		column->width = (int)strlen(column->title);
		if (column->width < LEAST_COLUMN)
			column->width = LEAST_COLUMN;
		for (size_t i = 0; i < nr; i++) {
			const int length = (int)strlen(cell_text(
				profile, info->unit, table->values[rows[i] * width + c], text));

			column->width = length > column->width ? length : column->width;
		}
		layout->width += 1 + column->width;
	}
}

/* "MPI Rank 0, MPI Rank 1"; the second part has what the first one leaves. */
static void print_key(const struct measure_profile *profile, enum measure_table_name name,
	struct measure_key key, int columns, FILE *out)
{
	const struct measure_table_info *info = &measure_tables[name];
	const bool is_pair = info->kinds[1] != MEASURE_KEY_NOTHING;
	const char *second = NULL;
	char buffers[2][256];
	int room = columns;

	if (is_pair) {
		second = MEASURE_PRINTABLE(measure_key_text(
			profile, info->kinds[1], key.low, buffers[1], sizeof(buffers[1])));
		room = columns - 2 - (int)strlen(second);
		if (room < columns / 2)
			room = columns / 2;
	}
	const char *first = MEASURE_PRINTABLE(measure_key_text(
		profile, info->kinds[0], key.high, buffers[0], sizeof(buffers[0])));
	measure_report_name(out, first, room);
	if (is_pair) {
		fputs(", ", out);
		room = (int)strlen(first) < room ? (int)strlen(first) : room;
		measure_report_name(out, second, columns - 2 - room);
	}
	fputc('\n', out);
}

static void print_table_row(const struct measure_profile *profile, enum measure_table_name name,
	size_t row, const struct table_layout *layout, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[name];
	const uint32_t width = measure_profile_table_width(name);
	const uint32_t first = measure_tables[name].first_column;
	char text[MEASURE_FIGURE_TEXT];

	for (uint32_t c = 0; c < width; c++)
		if (layout->columns[c].width)
			fprintf(out, " %*s", layout->columns[c].width,
				cell_text(profile, measure_columns[first + c].unit,
					table->values[row * width + c], text));
	fputs("  ", out);
	print_key(profile, name, table->keys[row], MEASURE_REPORT_COLUMNS - 2 - layout->width, out);
}

static void print_table_head(
	enum measure_table_name name, const struct table_layout *layout, FILE *out)
{
	const struct measure_table_info *info = &measure_tables[name];
	const bool is_pair = info->kinds[1] != MEASURE_KEY_NOTHING;

	for (uint32_t c = 0; c < measure_profile_table_width(name); c++)
		if (layout->columns[c].width)
			fprintf(out, " %*s", layout->columns[c].width, layout->columns[c].title);
	fprintf(out, "  %s%s%s\n", info->key_words[0], is_pair ? ", " : "",
		is_pair ? info->key_words[1] : "");
}

void measure_profile_table_print(const struct measure_profile *profile,
	enum measure_table_name name, size_t nr_most, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[name];
	const size_t nr = nr_most && nr_most < table->nr ? nr_most : table->nr;
	size_t *rows = sort_rows(table, name);
	struct table_layout layout;

	layout_make(&layout, profile, name, rows, nr);
	if (nr > 0)
		print_table_head(name, &layout, out);
	for (size_t i = 0; i < nr; i++)
		print_table_row(profile, name, rows[i], &layout, out);
	if (nr < table->nr)
		fprintf(out, "  (%zu more)\n", table->nr - nr);
	measure_free(rows);
}

void measure_profile_print_traffic(const struct measure_profile *profile, FILE *out)
{
	static const struct {
		enum measure_table_name name;
		const char *title;
	} tables[] = {{MEASURE_TABLE_COLLECTIVES, "Collective operations"},
		{MEASURE_TABLE_MESSAGES, "Messages"}, {MEASURE_TABLE_LOCKS, "Locks"},
		{MEASURE_TABLE_FILES, "Files"}, {MEASURE_TABLE_ITERATIONS, "Iterations"}};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (profile->tables[tables[i].name].nr == 0)
			continue;
		fprintf(out, "\n%s\n", tables[i].title);
		measure_profile_table_print(profile, tables[i].name, MOST_ROWS, out);
	}
}

/* ---------------------------------------------------------------------------- CSV --- */

/* RFC 4180. */
void measure_print_csv_text(const char *text, FILE *out)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Times in nanoseconds. */
static uint64_t plain_value(const struct measure_profile *profile, enum measure_table_name name,
	size_t row, uint32_t column)
{
	const struct measure_column_info *info =
		&measure_columns[measure_tables[name].first_column + column];
	const uint64_t value =
		profile->tables[name].values[row * measure_profile_table_width(name) + column];

	return info->unit == MEASURE_UNIT_TICKS ? measure_profile_ns(profile, value) : value;
}

void measure_profile_table_print_csv(
	const struct measure_profile *profile, enum measure_table_name name, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[name];
	const struct measure_table_info *info = &measure_tables[name];
	const struct measure_column_info *columns = &measure_columns[info->first_column];
	const uint32_t width = measure_profile_table_width(name);
	const int nr_words = info->kinds[1] == MEASURE_KEY_NOTHING ? 1 : 2;
	size_t *rows = sort_rows(table, name);
	char buffer[MEASURE_REPORT_NAME];

	fprintf(out, "%s%s%s", info->key_words[0], nr_words > 1 ? "," : "",
		nr_words > 1 ? info->key_words[1] : "");
	for (uint32_t c = 0; c < width; c++)
		fprintf(out, ",%s", columns[c].word);
	fputc('\n', out);
	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t words[2] = {table->keys[rows[i]].high, table->keys[rows[i]].low};

		for (int w = 0; w < nr_words; w++) {
			if (w > 0)
				fputc(',', out);
			measure_print_csv_text(measure_key_text(profile, info->kinds[w], words[w],
						       buffer, sizeof(buffer)),
				out);
		}
		for (uint32_t c = 0; c < width; c++) {
			fprintf(out, ",%" PRIu64, plain_value(profile, name, rows[i], c));
		}
		fputc('\n', out);
	}
	measure_free(rows);
}

/* --------------------------------------------------------------------------- HTML --- */

static int nr_key_words(enum measure_table_name name)
{
	return measure_tables[name].kinds[1] == MEASURE_KEY_NOTHING ? 1 : 2;
}

static void print_html_row(
	const struct measure_profile *profile, enum measure_table_name name, size_t row, FILE *out)
{
	const struct measure_key *key = &profile->tables[name].keys[row];
	const uint64_t words[2] = {key->high, key->low};
	char buffer[MEASURE_REPORT_NAME];

	fputs("<tr>", out);
	for (int w = 0; w < nr_key_words(name); w++) {
		fputs("<td>", out);
		measure_print_xml_text(measure_key_text(profile, measure_tables[name].kinds[w],
					       words[w], buffer, sizeof(buffer)),
			out);
		fputs("</td>", out);
	}
	for (uint32_t c = 0; c < measure_profile_table_width(name); c++)
		fprintf(out, "<td>%" PRIu64 "</td>", plain_value(profile, name, row, c));
	fputs("</tr>\n", out);
}

void measure_profile_table_print_html(
	const struct measure_profile *profile, enum measure_table_name name, FILE *out)
{
	const struct measure_table_info *info = &measure_tables[name];
	size_t *rows = sort_rows(&profile->tables[name], name);

	fputs("<table class=\"measure-profile\">\n<thead><tr>", out);
	for (int w = 0; w < nr_key_words(name); w++)
		fprintf(out, "<th>%s</th>", info->key_words[w]);
	for (uint32_t c = 0; c < measure_profile_table_width(name); c++)
		fprintf(out, "<th>%s</th>", measure_columns[info->first_column + c].word);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < profile->tables[name].nr; i++)
		print_html_row(profile, name, rows[i], out);
	fputs("</tbody>\n</table>\n", out);
	measure_free(rows);
}
