/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads all definitions once to see which ids there are. Definitions are told apart by a hash of
 * all their fields. */
#include "config.h"

#include "id_remapping.h"

#include <string.h>

#include "format/otf2_records.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Fowler, Noll and Vo's hash, 64 bits. */
#define HASH_START UINT64_C(14695981039346656037)
#define HASH_PRIME UINT64_C(1099511628211)

struct survey {
	struct measure_id_remapping *numbering;
	struct measure_map known[MEASURE_NR_KINDS]; /* (hash, id) of a definition: its number */
	bool has_conflicts[MEASURE_NR_KINDS], is_out_of_order[MEASURE_NR_KINDS];
	OTF2_ErrorCode code;
	/* the record being read */
	uint64_t id, hash;
	bool has_ranks;
};

enum measure_kind measure_kind_of_value(OTF2_Type type)
{
	switch (type) {
#define KIND_MAPPED(NAME)                                                                          \
	case OTF2_TYPE_##NAME:                                                                     \
		return MEASURE_KIND_##NAME;
#define KIND_UNMAPPED(NAME)
#define KIND(NAME, word, ids) KIND_##ids(NAME)
#include "trace/archive/definition_kinds.def"
#undef KIND
	default:
		return MEASURE_KIND_NONE;
	}
}

/* Event files name locations; paradigms are what their ids mean. */
static bool has_fixed_ids(enum measure_kind kind)
{
	return kind == MEASURE_KIND_LOCATION || kind == MEASURE_KIND_PARADIGM ||
	       kind == MEASURE_KIND_IO_PARADIGM;
}

/* Nobody minds the numbers of strings. */
static bool has_order(enum measure_kind kind)
{
	return kind != MEASURE_KIND_STRING && !has_fixed_ids(kind);
}

/* ---------------------------------------------------------------------- reading --- */

static void add_bytes(struct survey *survey, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		survey->hash = (survey->hash ^ bytes[i]) * HASH_PRIME;
}

static void add_number(struct survey *survey, uint64_t number)
{
	add_bytes(survey, &number, sizeof(number));
}

static void add_text(struct survey *survey, const char *text)
{
	add_bytes(survey, text, strlen(text) + 1);
}

static void add_members(
	struct survey *survey, OTF2_GroupType type, uint32_t nr, const uint64_t *members)
{
	survey->has_ranks = type == OTF2_GROUP_TYPE_COMM_GROUP || type == OTF2_GROUP_TYPE_COMM_SELF;
	add_bytes(survey, members, nr * sizeof(*members));
}

/* Of a union, only what its type fills is there. */
static void add_values(struct survey *survey, uint8_t nr, const OTF2_Type *types,
	const OTF2_AttributeValue *values)
{
	for (uint8_t i = 0; i < nr; i++)
		if (types[i] == OTF2_TYPE_STRING)
			add_number(survey, values[i].stringRef);
		else if (types[i] == OTF2_TYPE_UINT64 || types[i] == OTF2_TYPE_INT64)
			add_number(survey, values[i].uint64);
}

static void id_remapping_start(struct survey *survey, const char *name)
{
	survey->hash = HASH_START;
	survey->has_ranks = false;
	add_text(survey, name);
}

static void id_remapping_keep(
	struct survey *survey, enum measure_kind kind, struct measure_id_numbers *numbers)
{
	const uint32_t number = (uint32_t)numbers->nr;

	survey->is_out_of_order[kind] |= survey->id != number;
	numbers->ids =
		measure_grow(numbers->ids, numbers->nr, &numbers->room, sizeof(*numbers->ids));
	numbers->ids[numbers->nr++] = survey->id;
	numbers->fates[numbers->nr_fates++] = number;
	if (kind == MEASURE_KIND_GROUP && survey->has_ranks)
		measure_map_intern(
			&survey->numbering->rank_groups, measure_key_of(survey->id), number);
}

static void drop(struct measure_id_numbers *numbers, uint32_t *nr)
{
	numbers->fates[numbers->nr_fates++] = MEASURE_NONE;
	++*nr;
}

static void id_remapping_end(struct survey *survey, enum measure_kind kind)
{
	struct measure_id_remapping *numbering = survey->numbering;
	struct measure_id_numbers *numbers = &numbering->of[kind];
	struct measure_map *known = &survey->known[kind];
	const size_t nr_known = known->nr_used;
	const uint32_t number = (uint32_t)numbers->nr;

	numbers->fates = measure_grow(
		numbers->fates, numbers->nr_fates, &numbers->room_fates, sizeof(*numbers->fates));
	measure_map_intern(known, measure_key_pair(survey->hash, survey->id), number);
	if (known->nr_used == nr_known) {
		drop(numbers, &numbering->nr_repeated);
		return;
	}
	if (measure_map_intern(&numbers->first, measure_key_of(survey->id), number) == number) {
		id_remapping_keep(survey, kind, numbers);
		return;
	}
	numbering->nr_conflicts++;
	survey->has_conflicts[kind] = true;
	if (has_fixed_ids(kind) || (numbering->is_first_only && kind != MEASURE_KIND_GROUP))
		drop(numbers, &numbering->nr_lost);
	else
		id_remapping_keep(survey, kind, numbers);
}

#define HASH_U8(name, nr, type)          add_number(survey, name);
#define HASH_U32(name, nr, type)         add_number(survey, name);
#define HASH_U64(name, nr, type)         add_number(survey, name);
#define HASH_I64(name, nr, type)         add_number(survey, (uint64_t)(name));
#define HASH_TEXT(name, nr, type)        add_text(survey, name);
#define HASH_U8S(name, nr, type)         add_bytes(survey, name, nr);
#define HASH_U32S(name, nr, type)        add_bytes(survey, name, nr * sizeof(*name));
#define HASH_EVENTS(name, nr, type)      (void)(name);
#define HASH_MEMBERS(name, nr, type)     add_members(survey, type, nr, name);
#define HASH_SCOPE(name, nr, type)       add_number(survey, name);
#define HASH_VALUES_OF(name, nr, type)   add_values(survey, nr, type, name);
#define HASH(type, name, refers_to, how) HASH_##type(name, how, refers_to)
#define DEFINITION(Name, KIND, width, in, by, ...)                                                 \
	static OTF2_CallbackCode on_##Name(void *data,                                             \
		MEASURE_PARAMETER_##width(id)                                                      \
			MEASURE_EACH_FIELD(MEASURE_PARAMETER, ##__VA_ARGS__))                      \
	{                                                                                          \
		struct survey *survey = data;                                                      \
                                                                                                   \
		id_remapping_start(survey, #Name);                                                 \
		survey->id = id;                                                                   \
		MEASURE_EACH_FIELD(HASH, ##__VA_ARGS__)                                            \
		id_remapping_end(survey, MEASURE_KIND_##KIND);                                     \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#define OWNED(Name, KIND, ...)
#include "format/otf2_definitions.def"
#undef DEFINITION

static OTF2_GlobalDefReaderCallbacks *id_remapping_make_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

#define DEFINITION(Name, ...)                                                                      \
	OTF2_GlobalDefReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "format/otf2_definitions.def"
#undef DEFINITION
#undef OWNED
	return callbacks;
}

static void settle(struct survey *survey)
{
	for (int kind = 0; kind < MEASURE_NR_KINDS; kind++) {
		survey->numbering->of[kind].is_changed =
			!has_fixed_ids(kind) &&
			(survey->has_conflicts[kind] ||
				(has_order(kind) && survey->is_out_of_order[kind]));
		measure_map_free(&survey->known[kind]);
	}
}

OTF2_ErrorCode measure_id_remapping_read(
	struct measure_id_remapping *numbering, OTF2_Reader *reader)
{
	struct survey survey = {.numbering = numbering};
	uint64_t nr_read;
	const OTF2_ErrorCode code = measure_definitions_visit(
		reader, id_remapping_make_callbacks(), &survey, UINT64_MAX, &nr_read);

	settle(&survey);
	return code;
}

void measure_id_remapping_free(struct measure_id_remapping *numbering)
{
	for (int kind = 0; kind < MEASURE_NR_KINDS; kind++) {
		measure_free(numbering->of[kind].ids);
		measure_free(numbering->of[kind].fates);
		measure_map_free(&numbering->of[kind].first);
	}
	measure_map_free(&numbering->rank_groups);
}

/* ----------------------------------------------------------------------- asking --- */

uint64_t measure_new_id(
	const struct measure_id_remapping *numbering, enum measure_kind kind, uint64_t id)
{
	if (kind == MEASURE_NR_KINDS || !numbering->of[kind].is_changed)
		return id;
	return measure_map_get(&numbering->of[kind].first, measure_key_of(id));
}

uint32_t measure_new_rank_group(const struct measure_id_remapping *numbering, uint32_t id)
{
	uint32_t number = MEASURE_NONE;

	if (numbering->of[MEASURE_KIND_GROUP].is_changed)
		number = measure_map_get(&numbering->rank_groups, measure_key_of(id));
	return number != MEASURE_NONE ? number
				      : (uint32_t)measure_new_id(numbering, MEASURE_KIND_GROUP, id);
}
