/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies an archive with its waiting times as metrics, and the longest waits as markers, so that
 * viewers show them. */
#ifndef MEASURE_EXPORT_WAITS_COPY_H
#define MEASURE_EXPORT_WAITS_COPY_H

#include "analysis/waits/waits.h"
#include "sync/write/additions.h"

#define MEASURE_WAITS_MARKERS 20 /* as many as a viewer shows without being hidden by them */

/* The archive is that of waits->profile.trace, whose times are those of the waits; `corrections`,
 * by location, are how they became so, or NULL. nr_most: markers; 0: of all waits. As
 * measure_sync_emit_additions(). */
measure_status_t measure_waits_copy(const struct measure_waits *waits,
	const struct measure_sync_correction *corrections, size_t nr_most, const char *directory);

#endif
