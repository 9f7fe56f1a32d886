/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table of a profile: rows of numbers, found by a key of two words. The rows of
 * profile_tables.def say which tables there are. */
#ifndef MEASURE_ANALYSIS_PROFILE_PROFILE_TABLE_H
#define MEASURE_ANALYSIS_PROFILE_PROFILE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/common/containers.h"

enum measure_table_name {
#define TABLE(NAME, ...) MEASURE_TABLE_##NAME,
#define COLUMN(...)
#include "profile_tables.def"
#undef TABLE
#undef COLUMN
	MEASURE_NR_TABLES
};

/* The columns of all tables are numbered one after the other. */
enum measure_column_name {
#define TABLE(NAME, ...)                                                                           \
	MEASURE_FIRST_OF_##NAME, MEASURE_BEFORE_##NAME = MEASURE_FIRST_OF_##NAME - 1,
#define COLUMN(TABLE, NAME, ...) MEASURE_COLUMN_##TABLE##_##NAME,
#include "profile_tables.def"
#undef TABLE
#undef COLUMN
	MEASURE_NR_COLUMNS
};

/* What a part of a key is: it may have to be translated when two profiles are merged, and has a
 * name of its own in results. */
enum measure_key_kind {
	MEASURE_KEY_NOTHING,
	MEASURE_KEY_NUMBER,
	MEASURE_KEY_PATH,
	MEASURE_KEY_PROCESS,    /* location group */
	MEASURE_KEY_COLLECTIVE, /* OTF2_CollectiveOp */
	MEASURE_KEY_COMM,
	MEASURE_KEY_LOCK, /* paradigm << 32 | number */
	MEASURE_KEY_FILE, /* I/O file; of handles without a file MEASURE_PROFILE_HANDLE + handle */
	MEASURE_KEY_INTERFACE, /* I/O paradigm */
	MEASURE_KEY_CONTEXT,   /* calling context */
	MEASURE_KEY_GENERATOR, /* interrupt generator */
	MEASURE_KEY_RECORD     /* enum measure_event_kind */
};

#define MEASURE_PROFILE_HANDLE (UINT64_C(1) << 32)

/* Keys before their definitions are known: the communicator of a window, and the process that is a
 * rank of a communicator. */
#define MEASURE_PROFILE_WINDOW (UINT64_C(1) << 32)
#define MEASURE_PROFILE_RANK   (UINT64_C(1) << 63)

static inline uint64_t measure_profile_rank(uint32_t comm, uint32_t rank)
{
	return MEASURE_PROFILE_RANK | (uint64_t)comm << 32 | rank;
}

struct measure_table_info {
	const char *word;
	enum measure_key_kind kinds[2];
	const char *key_words[2];
	uint32_t first_column;
};

struct measure_column_info {
	const char *word;
	enum measure_combination {
		MEASURE_COMBINE_SUM,
		MEASURE_COMBINE_LEAST,
		MEASURE_COMBINE_MOST
	} how;
	enum measure_unit { MEASURE_UNIT_NUMBER, MEASURE_UNIT_BYTES, MEASURE_UNIT_TICKS } unit;
};

/* The one behind the last table only ends its columns. */
extern const struct measure_table_info measure_tables[MEASURE_NR_TABLES + 1];
extern const struct measure_column_info measure_columns[MEASURE_NR_COLUMNS];

static inline uint32_t measure_profile_table_width(enum measure_table_name name)
{
	return measure_tables[name + 1].first_column - measure_tables[name].first_column;
}

/* All zero is an empty one. */
struct measure_profile_table {
	struct measure_map index;
	struct measure_key *keys;
	uint64_t *values; /* nr x columns */
	size_t nr, room_keys, room_values;
};

/* The row of a key, made if need be; valid until another one is made. New values are 0, or all ones
 * where the least one counts. */
uint64_t *measure_profile_table_row(
	struct measure_profile_table *table, enum measure_table_name name, struct measure_key key);

/* The row, or NULL. */
const uint64_t *measure_profile_table_find(const struct measure_profile_table *table,
	enum measure_table_name name, struct measure_key key);

/* Adds a row of values to that of a key. */
void measure_profile_table_add(struct measure_profile_table *table, enum measure_table_name name,
	struct measure_key key, const uint64_t *values);

void measure_profile_table_free(struct measure_profile_table *table);

/* The cell of a row. */
#define measure_cell(row, TABLE, COLUMN)                                                           \
	((row)[MEASURE_COLUMN_##TABLE##_##COLUMN - MEASURE_FIRST_OF_##TABLE])

static inline void measure_cell_raise(uint64_t *cell, uint64_t value)
{
	if (value > *cell)
		*cell = value;
}

#endif
