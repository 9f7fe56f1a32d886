/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reasons for a recording to be cut short; see cut.h. */
#include "config.h"

#include "cut.h"

#include <string.h>

/* In the order in which they count. */
static const struct cut {
	enum measure_cut cut;
	const char *word;
	const char *meaning;
} cuts[] = {
#define CUT(NAME, number, word, meaning) {MEASURE_CUT_##NAME, word, meaning},
#include "assemble/cuts.def"
#undef CUT
	{MEASURE_CUT_NONE, "", ""},
};

static bool has_property(const struct measure_part *part, const char *name)
{
	for (size_t i = 0; i < part->properties.nr; i++)
		if (strcmp(part->properties.items[i].name, name) == 0)
			return true;
	return false;
}

static bool is_cut_by(const struct measure_part *part, enum measure_cut cut)
{
	switch (cut) {
	case MEASURE_CUT_DISK:
		return part->end.cut == cut || measure_part_count(part, "lost_spool") > 0;
	case MEASURE_CUT_DAMAGED:
		return part->is_damaged;
	case MEASURE_CUT_ABORT:
		return has_property(part, "MPI_ABORT");
	case MEASURE_CUT_SIGNAL:
		return part->has_end && part->end.how == MEASURE_END_SIGNALLED;
	case MEASURE_CUT_UNSEEN:
		return !part->has_end || part->end.how == MEASURE_END_UNKNOWN;
	default:
		return part->end.cut == cut;
	}
}

enum measure_cut measure_part_cut(const struct measure_part *part)
{
	const struct cut *row = cuts;

	if (!part)
		return MEASURE_CUT_ABSENT;
	while (row->cut != MEASURE_CUT_NONE && !is_cut_by(part, row->cut))
		row++;
	return row->cut;
}

static const struct cut *find(enum measure_cut cut)
{
	const struct cut *row = cuts;

	while (row->cut != cut && row->cut != MEASURE_CUT_NONE)
		row++;
	return row;
}

const char *measure_cut_word(enum measure_cut cut)
{
	return find(cut)->word;
}

const char *measure_cut_meaning(enum measure_cut cut)
{
	return find(cut)->meaning;
}
