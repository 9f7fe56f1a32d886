/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of a profile as lists of 64-bit values, and back. */
#include "config.h"

#include "archive_rows.h"

#include <stdio.h>
#include <string.h>

#include "trace/stream/record.h"

/* ------------------------------------------------------------------------ classes --- */

static const struct {
	const char *word;
} archive_classes[ARCHIVE_TABLES] = {
#define CLASS(NAME, word, structure) {#word},
#define FIELD(...)
#include "archive_classes.def"
#undef CLASS
#undef FIELD
};

/* offsetof() in the structure of the class. */
#define CLASS(NAME, word, structure) typedef structure archive_row_of_##NAME;
#define FIELD(...)
#include "archive_classes.def"
#undef CLASS
#undef FIELD

static const struct {
	enum archive_class_name class;
	struct archive_field field;
} archive_fields[] = {
#define CLASS(...)
#define FIELD(NAME, word, how, unit, member)                                                       \
	{ARCHIVE_##NAME, {#word, ARCHIVE_##how, MEASURE_UNIT_##unit,                               \
				 offsetof(archive_row_of_##NAME, member)}},
#include "archive_classes.def"
#undef CLASS
#undef FIELD
};

static void add_field(struct archive_class *class, struct archive_field field)
{
	class->fields[class->nr_fields++] = field;
}

static void describe_table(enum measure_table_name name, struct archive_class *class)
{
	const struct measure_table_info *info = &measure_tables[name];

	class->word = info->word;
	for (int part = 0; part < 2; part++)
		if (info->kinds[part] != MEASURE_KEY_NOTHING)
			add_field(class, (struct archive_field){info->key_words[part], ARCHIVE_U64,
						 MEASURE_UNIT_NUMBER, 0});
	for (uint32_t i = 0; i < measure_profile_table_width(name); i++) {
		const struct measure_column_info *column = &measure_columns[info->first_column + i];

		add_field(
			class, (struct archive_field){column->word, ARCHIVE_U64, column->unit, 0});
	}
}

void archive_class_describe(enum archive_class_name name, struct archive_class *class)
{
	class->nr_fields = 0;
	if (name >= ARCHIVE_TABLES) {
		describe_table((enum measure_table_name)(name - ARCHIVE_TABLES), class);
		return;
	}
	class->word = archive_classes[name].word;
	for (size_t i = 0; i < sizeof(archive_fields) / sizeof(*archive_fields); i++)
		if (archive_fields[i].class == name)
			add_field(class, archive_fields[i].field);
}

void archive_member_name(
	const struct archive_class *class, uint8_t field, char name[ARCHIVE_NAME_SIZE])
{
	snprintf(name, ARCHIVE_NAME_SIZE, "%s.%s", class->word, class->fields[field].word);
}

OTF2_Type archive_field_type(const struct archive_field *field)
{
	switch (field->kind) {
	case ARCHIVE_I64:
		return OTF2_TYPE_INT64;
	case ARCHIVE_REAL:
		return OTF2_TYPE_DOUBLE;
	default:
		return OTF2_TYPE_UINT64;
	}
}

/* --------------------------------------------------------------------------- rows --- */

static uint64_t load_field(
	const struct archive_field *field, const char *place, uint32_t first_context)
{
	uint64_t wide;
	uint32_t narrow;

	switch (field->kind) {
	case ARCHIVE_U32:
		memcpy(&narrow, place, sizeof(narrow));
		return narrow;
	case ARCHIVE_PATH:
		memcpy(&narrow, place, sizeof(narrow));
		return (uint64_t)first_context + narrow;
	case ARCHIVE_BOOL:
		return *(const bool *)place;
	default:
		memcpy(&wide, place, sizeof(wide));
		return wide;
	}
}

void archive_row_encode(const struct archive_class *class, const void *row, uint32_t first_context,
	uint64_t *values)
{
	for (uint8_t i = 0; i < class->nr_fields; i++)
		values[i] = load_field(&class->fields[i],
			(const char *)row + class->fields[i].offset, first_context);
}

static bool store_field(const struct archive_field *field, uint64_t value, char *place)
{
	const uint32_t narrow = (uint32_t)value;

	switch (field->kind) {
	case ARCHIVE_U32:
	case ARCHIVE_PATH:
		memcpy(place, &narrow, sizeof(narrow));
		return narrow == value;
	case ARCHIVE_BOOL:
		*(bool *)place = value != 0;
		return value <= 1;
	default:
		memcpy(place, &value, sizeof(value));
		return true;
	}
}

static bool path_decode(
	const struct measure_profile *profile, uint32_t first_context, uint64_t *value)
{
	*value -= first_context;
	return *value < profile->nr_paths;
}

bool archive_row_decode(const struct archive_class *class, const uint64_t *values,
	const struct measure_profile *profile, uint32_t first_context, void *row)
{
	for (uint8_t i = 0; i < class->nr_fields; i++) {
		const struct archive_field *field = &class->fields[i];
		uint64_t value = values[i];

		if (field->kind == ARCHIVE_PATH && !path_decode(profile, first_context, &value))
			return false;
		if (!store_field(field, value, (char *)row + field->offset))
			return false;
	}
	return true;
}

/* --------------------------------------------------------------------------- keys --- */

/* Of records their numbers in OTF2's files: those of Measure may change. */
static uint64_t record_of_number(uint64_t number)
{
	uint32_t kind = 0;

	while (kind < MEASURE_EVENT_UNKNOWN && measure_record_formats[kind].number != number)
		kind++;
	return kind;
}

static uint64_t key_part_encode(enum measure_key_kind kind, uint64_t word, uint32_t first_context)
{
	if (kind == MEASURE_KEY_PATH)
		return word + first_context;
	if (kind == MEASURE_KEY_RECORD)
		return word < MEASURE_EVENT_UNKNOWN ? measure_record_formats[word].number : 0;
	return word;
}

static bool key_part_decode(enum measure_key_kind kind, const struct measure_profile *profile,
	uint32_t first_context, uint64_t *word)
{
	if (kind == MEASURE_KEY_PATH)
		return path_decode(profile, first_context, word);
	if (kind == MEASURE_KEY_RECORD)
		*word = record_of_number(*word);
	return kind != MEASURE_KEY_CONTEXT || *word < first_context;
}

uint8_t archive_key_width(enum measure_table_name name)
{
	const enum measure_key_kind *kinds = measure_tables[name].kinds;

	return (uint8_t)((kinds[0] != MEASURE_KEY_NOTHING) + (kinds[1] != MEASURE_KEY_NOTHING));
}

void archive_key_encode(enum measure_table_name name, struct measure_key key,
	uint32_t first_context, uint64_t *values)
{
	const enum measure_key_kind *kinds = measure_tables[name].kinds;

	if (kinds[0] != MEASURE_KEY_NOTHING)
		*values++ = key_part_encode(kinds[0], key.high, first_context);
	if (kinds[1] != MEASURE_KEY_NOTHING)
		*values = key_part_encode(kinds[1], key.low, first_context);
}

bool archive_key_decode(enum measure_table_name name, const uint64_t *values,
	const struct measure_profile *profile, uint32_t first_context, struct measure_key *key)
{
	const enum measure_key_kind *kinds = measure_tables[name].kinds;

	*key = measure_key_pair(0, 0);
	if (kinds[0] != MEASURE_KEY_NOTHING)
		key->high = *values++;
	if (kinds[1] != MEASURE_KEY_NOTHING)
		key->low = *values;
	return key_part_decode(kinds[0], profile, first_context, &key->high) &&
	       key_part_decode(kinds[1], profile, first_context, &key->low);
}

/* --------------------------------------------------------------------------- sums --- */

/* As Fowler, Noll and Vo's hash, with words instead of bytes: a value that is another one makes
 * another sum. */
static uint64_t add_word(uint64_t sum, uint64_t word)
{
	return (sum ^ word) * UINT64_C(1099511628211);
}

uint64_t archive_sum_start(uint64_t location)
{
	return add_word(UINT64_C(14695981039346656037), location);
}

uint64_t archive_sum_row(
	uint64_t sum, enum archive_class_name name, uint8_t nr, const uint64_t *values)
{
	sum = add_word(sum, name);
	for (uint8_t i = 0; i < nr; i++)
		sum = add_word(sum, values[i]);
	return sum;
}

uint64_t archive_sum_paths(const struct measure_profile *profile)
{
	uint64_t sum = archive_sum_start(UINT64_MAX);

	for (size_t i = 0; i < profile->nr_paths; i++)
		sum = add_word(add_word(sum, profile->paths[i].parent),
			measure_profile_region(profile, profile->paths[i].region)
				? profile->paths[i].region
				: MEASURE_NONE);
	return sum;
}
