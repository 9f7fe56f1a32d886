/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of a Paje file. What they refer to is named by a letter and a number, as "T7": two things
 * may have the same name, which may be long. */
#ifndef MEASURE_EXPORT_PAJE_PAJE_OUTPUT_H
#define MEASURE_EXPORT_PAJE_PAJE_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/pyramid/state_classes.h"

/* ViTE gives up on lines of more than 4,095 bytes: longer names end in "...". */
#define PAJE_MOST_NAME 3900

enum paje_event {
#define EVENT(NAME, Name, fields) PAJE_##NAME,
#include "paje_events.def"
#undef EVENT
	PAJE_NR_EVENTS
};

/* Of types, each kind of container has its own. */
#define PAJE_MACHINE "M"
#define PAJE_HOST    "H"
#define PAJE_PROCESS "P"
#define PAJE_THREAD  "T"

/* Definitions of all lines. */
void paje_write_header(FILE *out);

/* In quotes, as readers want it: of one line, without quotes in it, in UTF-8. */
void paje_write_name(FILE *out, const char *name);

/* " 0.000000012": seconds, after a space. */
void paje_write_time(FILE *out, uint64_t ns);

/* A colour in quotes; different shades of one colour, by number. */
void paje_write_colour(FILE *out, enum measure_state_class class, uint32_t shade);

#endif
