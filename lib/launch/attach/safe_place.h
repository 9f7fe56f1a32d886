/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a stopped thread is: whether it may call a function of ours there, which loads libraries
 * and allocates memory. */
#ifndef MEASURE_LAUNCH_ATTACH_SAFE_PLACE_H
#define MEASURE_LAUNCH_ATTACH_SAFE_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct measure_places;

/* NULL: its libraries cannot be read. */
struct measure_places *measure_places_open(pid_t pid);
void measure_places_close(struct measure_places *places);

/* Is the stopped thread at a safe place? `system_call`: the one that it waits in; -1: in none. */
bool measure_place_is_safe(struct measure_places *places, pid_t thread, long system_call);

#endif
