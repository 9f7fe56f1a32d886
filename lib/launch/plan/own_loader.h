/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs with a loader and a C library of their own (set by patchelf, Nix or Guix). */
#ifndef MEASURE_LAUNCH_PLAN_OWN_LOADER_H
#define MEASURE_LAUNCH_PLAN_OWN_LOADER_H

#include "preload.h"

/* Why the program's loader does not load what is preloaded, and what to do; NULL: it does, or is
 * the one that loads measure, or cannot be asked. Takes some milliseconds with another loader. */
const char *measure_own_loader_obstacle(const struct measure_preload *preload);

#endif
