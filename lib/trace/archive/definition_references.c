/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ids and references among the definitions. References are looked up when they are read (so that
 * wrong order shows) and those not found again at the end (so that order and absence are told
 * apart). */
#include "config.h"

#include "definition_reader_internal.h"

struct definition_reference {
	enum measure_kind owner_kind, kind;
	uint64_t owner, id;
};

void definition_begin(struct definition_reader *reader, enum measure_kind kind, uint64_t id)
{
	reader->kind = kind;
	reader->id = id;
}

bool definition_define(
	struct definition_reader *reader, enum measure_kind kind, uint64_t id, size_t index)
{
	struct measure_map *ids = &reader->definitions->ids[kind];
	size_t nr_before = ids->nr_used;

	definition_begin(reader, kind, id);
	measure_map_intern(ids, measure_key_of(id), index);
	if (ids->nr_used != nr_before)
		return true;
	measure_report(reader->findings, MEASURE_CHECK_DEFINITION_DUPLICATE, measure_nowhere,
		"%s %llu is defined twice", measure_kind_words[kind], (unsigned long long)id);
	return false;
}

static void report_reference(struct definition_reader *reader, enum measure_check check,
	const struct definition_reference *reference)
{
	measure_report(reader->findings, check, measure_nowhere, "%s %llu refers to %s %llu",
		measure_kind_words[reference->owner_kind], (unsigned long long)reference->owner,
		measure_kind_words[reference->kind], (unsigned long long)reference->id);
}

void definition_refer(struct definition_reader *reader, enum measure_kind kind, uint64_t id,
	bool may_be_undefined)
{
	struct definition_reference reference = {reader->kind, kind, reader->id, id};

	if (measure_kind_is_undefined(kind, id)) {
		if (!may_be_undefined)
			measure_report(reader->findings, MEASURE_CHECK_DEFINITION_UNRESOLVED,
				measure_nowhere, "%s %llu has no %s",
				measure_kind_words[reader->kind], (unsigned long long)reader->id,
				measure_kind_words[kind]);
		return;
	}
	if (measure_definition_index(reader->definitions, kind, id) != MEASURE_NONE)
		return;
	reader->pending = measure_grow(reader->pending, reader->nr_pending, &reader->room_pending,
		sizeof(*reader->pending));
	reader->pending[reader->nr_pending++] = reference;
}

void definition_refer_all(
	struct definition_reader *reader, enum measure_kind kind, size_t nr, const uint32_t *ids)
{
	for (size_t i = 0; i < nr; i++)
		definition_refer(reader, kind, ids[i], false);
}

void definition_settle(struct definition_reader *reader)
{
	for (size_t i = 0; i < reader->nr_pending; i++) {
		const struct definition_reference *reference = &reader->pending[i];
		bool is_late = measure_definition_index(reader->definitions, reference->kind,
				       reference->id) != MEASURE_NONE;

		report_reference(reader,
			is_late ? MEASURE_CHECK_DEFINITION_ORDER
				: MEASURE_CHECK_DEFINITION_UNRESOLVED,
			reference);
	}
	measure_free(reader->pending);
}
