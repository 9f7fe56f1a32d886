/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library's own functions, behind the ones that this adapter interposes. */
#ifndef MEASURE_POSIXIO_REAL_H
#define MEASURE_POSIXIO_REAL_H

#include <aio.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

#define ROW(type, name, group, role, parameters) type(*_Atomic name) parameters;
struct measure_posixio_real {
#include "posixio_calls.def"
};

extern struct measure_posixio_real measure_posixio_real;

/* Looks all of them up. Takes no lock and may be called inside itself: each is stored once it is
 * found, and always the same. */
void measure_posixio_resolve(void);

/* One of liburing's, which may be opened after this was called first; NULL: not even now. */
void *measure_posixio_find_uring(const char *name);

/* One of them. A constructor of another library may call us before ours has run. */
#define REAL(name)                                                                                 \
	(atomic_load_explicit(&measure_posixio_real.name, memory_order_relaxed)                    \
			? (void)0                                                                  \
			: measure_posixio_resolve(),                                               \
		atomic_load_explicit(&measure_posixio_real.name, memory_order_relaxed))

#endif
