/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of a profile: rows by key. */
#include "config.h"

#include "profile_table.h"

#include <string.h>

const struct measure_column_info measure_columns[MEASURE_NR_COLUMNS] = {
#define TABLE(...)
#define COLUMN(TABLE, NAME, word, how, unit) {#word, MEASURE_COMBINE_##how, MEASURE_UNIT_##unit},
#include "profile_tables.def"
#undef TABLE
#undef COLUMN
};

#define WORD(kind, word) #word
#define KIND(kind, word) MEASURE_KEY_##kind
const struct measure_table_info measure_tables[MEASURE_NR_TABLES + 1] = {
#define TABLE(NAME, word, first, second)                                                           \
	{#word, {KIND first, KIND second}, {WORD first, WORD second}, MEASURE_FIRST_OF_##NAME},
#define COLUMN(...)
#include "profile_tables.def"
#undef TABLE
#undef COLUMN
	{.first_column = MEASURE_NR_COLUMNS}};

static void start_row(enum measure_table_name name, uint64_t *row)
{
	for (uint32_t i = 0; i < measure_profile_table_width(name); i++)
		row[i] = measure_columns[measure_tables[name].first_column + i].how ==
					 MEASURE_COMBINE_LEAST
				 ? UINT64_MAX
				 : 0;
}

uint64_t *measure_profile_table_row(
	struct measure_profile_table *table, enum measure_table_name name, struct measure_key key)
{
	const uint32_t width = measure_profile_table_width(name);
	const uint32_t index = measure_map_intern(&table->index, key, (uint32_t)table->nr);

	if (index < table->nr)
		return &table->values[(size_t)index * width];
	table->keys = measure_grow(table->keys, table->nr, &table->room_keys, sizeof(*table->keys));
	table->values = measure_grow(
		table->values, table->nr, &table->room_values, width * sizeof(*table->values));
	table->keys[table->nr] = key;
	start_row(name, &table->values[table->nr * width]);
	return &table->values[table->nr++ * width];
}

const uint64_t *measure_profile_table_find(const struct measure_profile_table *table,
	enum measure_table_name name, struct measure_key key)
{
	const uint32_t index = measure_map_get(&table->index, key);

	return index == MEASURE_NONE
		       ? NULL
		       : &table->values[(size_t)index * measure_profile_table_width(name)];
}

void measure_profile_table_add(struct measure_profile_table *table, enum measure_table_name name,
	struct measure_key key, const uint64_t *values)
{
	const struct measure_column_info *columns =
		&measure_columns[measure_tables[name].first_column];
	uint64_t *row = measure_profile_table_row(table, name, key);

	for (uint32_t i = 0; i < measure_profile_table_width(name); i++) {
		switch (columns[i].how) {
		case MEASURE_COMBINE_SUM:
			row[i] += values[i];
			break;
		case MEASURE_COMBINE_LEAST:
			row[i] = values[i] < row[i] ? values[i] : row[i];
			break;
		case MEASURE_COMBINE_MOST:
			row[i] = values[i] > row[i] ? values[i] : row[i];
			break;
		}
	}
}

void measure_profile_table_free(struct measure_profile_table *table)
{
	measure_map_free(&table->index);
	measure_free(table->keys);
	measure_free(table->values);
	*table = (struct measure_profile_table){.nr = 0};
}
