/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which MPI library answers this program. */
#ifndef MEASURE_MPI_LIBRARY_H
#define MEASURE_MPI_LIBRARY_H

#include <stdbool.h>

/* What dlsym() finds the program's MPI functions by. Right once the program has loaded its MPI
 * library, so from its first MPI call on. */
void *measure_library_find(void);

/* True where it is the library this adapter was built for; otherwise says so on stderr. */
bool measure_library_is_ours(void);

#endif
