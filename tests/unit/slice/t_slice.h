/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slices of the small archives that tests of waits write (../waits/t_waits.h), and what is in them
 * as text. */
#ifndef TESTS_UNIT_SLICE_T_SLICE_H
#define TESTS_UNIT_SLICE_T_SLICE_H

#include <stdbool.h>

#include "../waits/t_waits.h"

#define T_END 10000 /* of the clock */

/* Slices what has been written; a slice of the slice must be the same, and so the whole archive of
 * all of it. */
void t_slice(uint64_t from, uint64_t until);

/* The same of one location and its process. */
void t_slice_location(uint64_t from, uint64_t until, uint32_t location);

/* The records of a location in the slice are: "TIME Name FIELD ...; ...", with a * if made up.
 * False: they are not, and are printed. */
bool t_says(uint32_t location, const char *expected);

/* "FROM UNTIL", the property of the archive; "" if there is none. */
const char *t_property(void);

/* Removes the archive and the slice. */
void t_slice_end(void);

#define T_SAYS(location, expected) CU_ASSERT(t_says(location, expected))

#endif
