/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an archive says of itself: properties, listed in doc/properties.md. measure-profile makes
 * the summary of them. */
#ifndef MEASURE_ASSEMBLE_WRITE_PROPERTIES_H
#define MEASURE_ASSEMBLE_WRITE_PROPERTIES_H

#include "assemble.h"
#include "assemble/write/filtered_calls.h"
#include "assemble/write/throttled.h"
#include "assemble/clocks/clock_correction.h"
#include "assemble/unify/unify.h"
#include "archive_writer.h"

/* After the creator, before the definitions. */
void measure_properties_write(struct measure_archive *archive,
	const struct measure_unified *unified, const struct measure_clock_correction *timeline,
	const struct measure_assemble_report *report, const struct measure_filtered_calls *filtered,
	const measure_throttled_list_t *throttled);

/* Parts of it. */
void measure_properties_write_filtered(
	struct measure_archive *archive, const struct measure_unified *unified);
void measure_properties_write_unmatched(
	struct measure_archive *archive, const struct measure_unified *unified);
void measure_properties_write_unbalanced(
	struct measure_archive *archive, const struct measure_unified *unified);
void measure_properties_write_unrecorded(
	struct measure_archive *archive, const struct measure_unified *unified);
void measure_properties_write_event_costs(struct measure_archive *archive);

#endif
