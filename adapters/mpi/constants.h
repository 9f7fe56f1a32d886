/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Constants of MPI that are addresses of data in the MPI library, as MPI_COMM_WORLD of Open MPI. */
#ifndef MEASURE_MPI_CONSTANTS_H
#define MEASURE_MPI_CONSTANTS_H

/* Gives them their values where the program has loaded its MPI library after this adapter. To be
 * called before any of them is used. `library`: what dlsym() finds that by. Thread-safe. */
void measure_constants_bind(void *library);

#endif
