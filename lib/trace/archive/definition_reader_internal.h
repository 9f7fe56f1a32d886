/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between definition_reader.c, which knows the records, and definition_references.c, which knows
 * what refers to what. */
#ifndef MEASURE_TRACE_ARCHIVE_DEFINITION_READER_INTERNAL_H
#define MEASURE_TRACE_ARCHIVE_DEFINITION_READER_INTERNAL_H

#include "definitions.h"

struct definition_reference;

struct definition_reader {
	struct measure_definitions *definitions;
	struct measure_findings *findings;
	/* references that were not defined yet when they were read */
	struct definition_reference *pending;
	size_t nr_pending, room_pending;
	/* the definition being read */
	enum measure_kind kind;
	uint64_t id;
};

/* Starts a definition record that belongs to (kind, id). */
void definition_begin(struct definition_reader *reader, enum measure_kind kind, uint64_t id);

/* Starts the definition of an id, which gets `index`. False: it is there already, and the
 * first one stays. */
bool definition_define(
	struct definition_reader *reader, enum measure_kind kind, uint64_t id, size_t index);

/* The definition being read refers to others. */
void definition_refer(struct definition_reader *reader, enum measure_kind kind, uint64_t id,
	bool may_be_undefined);
void definition_refer_all(
	struct definition_reader *reader, enum measure_kind kind, size_t nr, const uint32_t *ids);

/* All are read: what was not defined when it was referred to has been since, or never is. */
void definition_settle(struct definition_reader *reader);

#endif
