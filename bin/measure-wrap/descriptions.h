/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptions of libraries that come with Measure: NAME.wrap in share/wrap. */
#ifndef MEASURE_WRAP_DESCRIPTIONS_H
#define MEASURE_WRAP_DESCRIPTIONS_H

/* The path of the description of this name; NULL: there is none. */
char *wrap_description_find(const char *name);

/* ": did you mean NAME? Otherwise", or ":". NAME: the description of the library that the linker
 * knows by `wrong` (-lz is described as zlib), otherwise that of the most similar name. */
const char *wrap_description_suggest(const char *wrong);

#endif
