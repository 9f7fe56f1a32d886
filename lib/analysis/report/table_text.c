/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of a profile (messages, collectives, locks, ...) as text and CSV, from the rows of
 * profile_tables.def. */
#include "config.h"

#include "profile_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/figures.h"
#include "base/printable.h"
#include "trace/stream/record.h"

#define MOST_ROWS 5
#define WIDEST    40 /* of a name */

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

static const char *number_text(const char *word, uint64_t number, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s%" PRIu64, word, number);
	return buffer;
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
		return number_text("", word, buffer, size);
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

static void print_cell(
	const struct measure_profile *profile, enum measure_unit unit, uint64_t value, FILE *out)
{
	char text[MEASURE_FIGURE_TEXT];

	switch (unit) {
	case MEASURE_UNIT_TICKS:
		fprintf(out, " %10s",
			measure_figure_seconds(measure_profile_seconds(profile, value), text));
		break;
	case MEASURE_UNIT_BYTES:
		fprintf(out, " %10s", measure_figure_size(value, text));
		break;
	default:
		fprintf(out, " %11s", measure_figure(value));
	}
}

/* "bytes_read" as "bytes read", "time_ns" as "time"; of a long word the end. */
static void print_title(const struct measure_column_info *column, FILE *out)
{
	const int width = column->unit == MEASURE_UNIT_NUMBER ? 11 : 10;
	char word[64];
	size_t length;

	snprintf(word, sizeof(word), "%s", column->word);
	length = strlen(word);
	if (column->unit == MEASURE_UNIT_TICKS)
		word[length -= 3] = '\0';
	for (char *at = word; (at = strchr(at, '_'));)
		*at = ' ';
	fprintf(out, " %*.*s", width, width, length > (size_t)width ? word + length - width : word);
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

static void print_key(const struct measure_profile *profile, enum measure_table_name name,
	struct measure_key key, FILE *out)
{
	const struct measure_table_info *info = &measure_tables[name];
	const uint64_t words[2] = {key.high, key.low};
	char buffer[256];

	for (int i = 0; i < 2 && info->kinds[i] != MEASURE_KEY_NOTHING; i++) {
		const char *text = MEASURE_PRINTABLE(measure_key_text(
			profile, info->kinds[i], words[i], buffer, sizeof(buffer)));
		const size_t length = strlen(text);

		fprintf(out, "%s%s%s", i > 0 ? ", " : "  ", length > WIDEST ? "..." : "",
			length > WIDEST ? text + length - WIDEST + 3 : text);
	}
	fputc('\n', out);
}

void measure_profile_table_print(const struct measure_profile *profile,
	enum measure_table_name name, size_t nr_most, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[name];
	const struct measure_table_info *info = &measure_tables[name];
	const struct measure_column_info *columns = &measure_columns[info->first_column];
	const uint32_t width = measure_profile_table_width(name);
	size_t *rows = sort_rows(table, name);
	const size_t nr = nr_most && nr_most < table->nr ? nr_most : table->nr;

	for (uint32_t c = 0; nr > 0 && c < width; c++)
		if (is_column_used(table, name, c))
			print_title(&columns[c], out);
	if (nr > 0)
		fprintf(out, "  %s%s%s\n", info->key_words[0],
			info->kinds[1] != MEASURE_KEY_NOTHING ? ", " : "",
			info->kinds[1] != MEASURE_KEY_NOTHING ? info->key_words[1] : "");
	for (size_t i = 0; i < nr; i++) {
		for (uint32_t c = 0; c < width; c++)
			if (is_column_used(table, name, c))
				print_cell(profile, columns[c].unit,
					table->values[rows[i] * width + c], out);
		print_key(profile, name, table->keys[rows[i]], out);
	}
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

void measure_profile_table_print_csv(
	const struct measure_profile *profile, enum measure_table_name name, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[name];
	const struct measure_table_info *info = &measure_tables[name];
	const struct measure_column_info *columns = &measure_columns[info->first_column];
	const uint32_t width = measure_profile_table_width(name);
	const int nr_words = info->kinds[1] == MEASURE_KEY_NOTHING ? 1 : 2;
	size_t *rows = sort_rows(table, name);
	char buffer[1024];

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
			const uint64_t value = table->values[rows[i] * width + c];
			fprintf(out, ",%" PRIu64,
				columns[c].unit == MEASURE_UNIT_TICKS
					? measure_profile_ns(profile, value)
					: value);
		}
		fputc('\n', out);
	}
	measure_free(rows);
}
