/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations that the C library does while the program goes on. */
#ifndef MEASURE_POSIXIO_ASYNC_H
#define MEASURE_POSIXIO_ASYNC_H

#include <aio.h>

#include "posixio_calls.h"

/* Calls that start some. `mode`: OTF2_IoOperationMode. */
int measure_aio_start(enum measure_posixio_call call, const void *caller, struct aiocb *block,
	uint8_t mode, int (*real)(struct aiocb *block));
int measure_aio_flush(enum measure_posixio_call call, const void *caller, int operation,
	struct aiocb *block, int (*real)(int operation, struct aiocb *block));
int measure_aio_list(enum measure_posixio_call call, const void *caller, int mode,
	struct aiocb *const *blocks, int nr, struct sigevent *event,
	int (*real)(int, struct aiocb *const *, int, struct sigevent *));

/* Calls that tell how it went. */
int measure_aio_ask(enum measure_posixio_call call, const void *caller, const struct aiocb *block,
	int (*real)(const struct aiocb *block));
ssize_t measure_aio_end(enum measure_posixio_call call, const void *caller, struct aiocb *block,
	ssize_t (*real)(struct aiocb *block));

/* None is under way any more: the process was not recorded for a while. */
void measure_async_forget(void);

#endif
