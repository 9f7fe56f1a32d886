/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of io_uring, as far as calls of liburing show them. They begin in the call that submits
 * them, and are over in the first call after their end: inline functions of liburing see the end
 * without a call. `ring`: liburing's struct io_uring. None in a transaction; they keep errno. */
#ifndef MEASURE_POSIXIO_URING_H
#define MEASURE_POSIXIO_URING_H

#include <stdint.h>

/* Before a call that submits what is ready. */
void measure_uring_submit(void *ring);

/* Records what has ended since the last look. */
void measure_uring_look(void *ring);

/* After a ring was made (result 0); before it is given up. */
void measure_uring_open(void *ring, int result);
void measure_uring_close(void *ring);

/* None is under way any more: the process was not recorded for a while. */
void measure_uring_forget(void);

/* After files were registered, from index `first` on (files NULL: none is any more). */
void measure_uring_register(
	void *ring, uint32_t first, const int *files, uint32_t nr, int result);

#endif
