/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a fold has seen so far, as bytes: another process, or the next one after a crash, goes on
 * with it as if it had seen all events itself. */
#ifndef MEASURE_ANALYSIS_FOLD_FOLD_STATE_H
#define MEASURE_ANALYSIS_FOLD_FOLD_STATE_H

#include "fold.h"
#include "analysis/profile/pack.h"

/* Appends it. */
void measure_fold_save(const struct measure_fold *fold, measure_profile_pack_t *pack);

/* Goes on with what was saved. The fold was just started, with an empty profile; if it has a
 * window, that is set. Indices of definitions are not checked, as these may be read later. False:
 * the bytes are damaged, and the fold can only be ended. */
bool measure_fold_restore(struct measure_fold *fold, const void *data, size_t size);

#endif
