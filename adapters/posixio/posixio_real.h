/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library's own functions, behind the ones that this adapter interposes. */
#ifndef MEASURE_POSIXIO_REAL_H
#define MEASURE_POSIXIO_REAL_H

#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <wchar.h>

#include "../common/real_functions.h"

#define ROW(type, name, group, role, parameters) type(*_Atomic name) parameters;
struct measure_posixio_real {
#include "posixio_calls.def"
};

extern struct measure_posixio_real measure_posixio_real;

/* Looks all of them up; see MEASURE_REAL_FILL. */
void measure_posixio_resolve(void);

/* One of liburing's, which may be opened after this was called first; NULL: not even now. */
void *measure_posixio_find_uring(const char *name);

#define REAL(name) MEASURE_REAL(measure_posixio_real.name, measure_posixio_resolve)

#endif
