/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Linkage of a running program: which function a call of another object reaches. The loader cannot
 * be told of wrappers any more, so the words in which it keeps the addresses of functions, in all
 * objects that are loaded, are made to lead to them, and back. */
#ifndef MEASURE_RUNTIME_LINKAGE_LINKAGE_H
#define MEASURE_RUNTIME_LINKAGE_LINKAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Objects whose functions others are to reach, each by an address in it. Those that come later
 * stand before the ones that came earlier. */
#define MEASURE_LINKAGE_MOST 24
void measure_linkage_add(const void *inside);

/* Leads all loaded objects but Measure's to their functions, where `is_wanted` is true of them.
 * Takes the loader's lock. False: there was no memory for all. */
bool measure_linkage_change(bool (*is_wanted)(uintptr_t inside));

/* Leads them back to where they led before. What the program has loaded meanwhile never led
 * elsewhere, what it has unloaded is left alone. */
void measure_linkage_restore(void);

#endif
