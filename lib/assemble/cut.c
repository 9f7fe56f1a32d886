/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reasons for a recording to be cut short; see cut.h. */
#include "config.h"

#include "cut.h"

#include <string.h>

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
	static const enum measure_cut cuts[] = {
#define CUT(NAME, number, word, meaning) MEASURE_CUT_##NAME,
#include "assemble/cuts.def"
#undef CUT
	};

	if (!part)
		return MEASURE_CUT_ABSENT;
	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++)
		if (is_cut_by(part, cuts[i]))
			return cuts[i];
	return MEASURE_CUT_NONE;
}

const char *measure_cut_word(enum measure_cut cut)
{
	switch (cut) {
#define CUT(NAME, number, word, meaning)                                                           \
	case MEASURE_CUT_##NAME:                                                                   \
		return word;
#include "assemble/cuts.def"
#undef CUT
	default:
		return "";
	}
}

const char *measure_cut_meaning(enum measure_cut cut)
{
	switch (cut) {
#define CUT(NAME, number, word, meaning)                                                           \
	case MEASURE_CUT_##NAME:                                                                   \
		return meaning;
#include "assemble/cuts.def"
#undef CUT
	default:
		return "";
	}
}
