/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of an archive that holds a profile: what its writer and its reader have in common. */
#ifndef MEASURE_ANALYSIS_ARCHIVE_ARCHIVE_ROWS_H
#define MEASURE_ANALYSIS_ARCHIVE_ARCHIVE_ROWS_H

#include "analysis/profile/profile.h"

#define ARCHIVE_PROPERTY    "MEASURE::PROFILE"
#define ARCHIVE_VERSION     "1"
#define ARCHIVE_CHECKSUM    "MEASURE::PROFILE::CHECKSUM"
#define ARCHIVE_EVENTS      "MEASURE::PROFILE::EVENTS" /* of a location of the trace */
#define ARCHIVE_EVENT_BYTES "MEASURE::PROFILE::EVENT_BYTES"

/* Tells pseudo regions from others: their description. */
#define ARCHIVE_PSEUDO_REGION "MEASURE::PROFILE"

struct archive_path {
	uint32_t path;
	struct measure_profile_path values;
};

struct archive_bucket {
	uint32_t path, bucket;
	uint64_t count;
};

/* Kinds of rows; the tables of profile_tables.def are behind the others. */
enum archive_class_name {
#define CLASS(NAME, word, structure) ARCHIVE_##NAME,
#define FIELD(...)
#include "archive_classes.def"
#undef CLASS
#undef FIELD
	ARCHIVE_TABLES,
	ARCHIVE_NR_CLASSES = ARCHIVE_TABLES + MEASURE_NR_TABLES
};

#define ARCHIVE_MOST_FIELDS (MEASURE_NR_COLUMNS + 2)
_Static_assert(ARCHIVE_MOST_FIELDS <= UINT8_MAX, "a metric class has at most 255 members");

struct archive_class {
	const char *word;
	uint8_t nr_fields;
	struct archive_field {
		const char *word;
		enum archive_field_kind {
			ARCHIVE_U64,
			ARCHIVE_U32,
			ARCHIVE_BOOL,
			ARCHIVE_PATH,
			ARCHIVE_I64,
			ARCHIVE_REAL
		} kind;
		enum measure_unit unit;
		size_t offset; /* in the structure of a row; of tables not used */
	} fields[ARCHIVE_MOST_FIELDS];
};

/* The words are those of the tables. */
void archive_class_describe(enum archive_class_name name, struct archive_class *class);

/* OTF2's name of a member, "call_path.visits". */
#define ARCHIVE_NAME_SIZE 128
void archive_member_name(
	const struct archive_class *class, uint8_t field, char name[ARCHIVE_NAME_SIZE]);

OTF2_Type archive_field_type(const struct archive_field *field);

/* The values of a row, which is a structure of archive_classes.def, and back; `first_context` is
 * that of the root. False: a value cannot be what it says. */
void archive_row_encode(const struct archive_class *class, const void *row, uint32_t first_context,
	uint64_t *values);
bool archive_row_decode(const struct archive_class *class, const uint64_t *values,
	const struct measure_profile *profile, uint32_t first_context, void *row);

/* The same of a row of a table: a key, and the columns. */
void archive_key_encode(enum measure_table_name name, struct measure_key key,
	uint32_t first_context, uint64_t *values);
bool archive_key_decode(enum measure_table_name name, const uint64_t *values,
	const struct measure_profile *profile, uint32_t first_context, struct measure_key *key);

/* How many values the key takes. */
uint8_t archive_key_width(enum measure_table_name name);

/* Sums of the rows of a location and of the tree of call paths; the archive has the sum of these.
 */
uint64_t archive_sum_start(uint64_t location);
uint64_t archive_sum_row(
	uint64_t sum, enum archive_class_name name, uint8_t nr, const uint64_t *values);
uint64_t archive_sum_paths(const struct measure_profile *profile);

#endif
