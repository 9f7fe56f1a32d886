/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reasons for a recording to be cut short; see truncation.h. */
#include "config.h"

#include "truncation.h"

#include <string.h>

/* In the order in which they count. */
static const struct cut {
	enum measure_truncation cut;
	const char *word;
} cuts[] = {
#define CUT(NAME, number, word, meaning) {MEASURE_TRUNCATION_##NAME, word},
#include "format/truncations.def"
#undef CUT
	{MEASURE_TRUNCATION_NONE, ""},
};

static bool has_property(const struct measure_part *part, const char *name)
{
	for (size_t i = 0; i < part->properties.nr; i++)
		if (strcmp(part->properties.items[i].name, name) == 0)
			return true;
	return false;
}

static bool is_cut_by(const struct measure_part *part, enum measure_truncation cut)
{
	switch (cut) {
	case MEASURE_TRUNCATION_DISK:
		return part->end.cut == cut || measure_part_count(part, "lost_spool") > 0;
	case MEASURE_TRUNCATION_DAMAGED:
		return part->is_damaged;
	case MEASURE_TRUNCATION_ABORT:
		return has_property(part, "MPI_ABORT");
	case MEASURE_TRUNCATION_SIGNAL:
		return part->has_end && part->end.how == MEASURE_END_SIGNALLED;
	case MEASURE_TRUNCATION_UNSEEN:
		return !part->has_end || part->end.how == MEASURE_END_UNKNOWN;
	default:
		return part->end.cut == cut;
	}
}

enum measure_truncation measure_part_truncation(const struct measure_part *part)
{
	const struct cut *row = cuts;

	if (!part)
		return MEASURE_TRUNCATION_ABSENT;
	while (row->cut != MEASURE_TRUNCATION_NONE && !is_cut_by(part, row->cut))
		row++;
	return row->cut;
}

const char *measure_truncation_word(enum measure_truncation cut)
{
	const struct cut *row = cuts;

	while (row->cut != cut && row->cut != MEASURE_TRUNCATION_NONE)
		row++;
	return row->word;
}
