/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library's functions behind those that lib/core interposes to start programs. */
#ifndef MEASURE_RUNTIME_CORE_EXEC_CALLS_H
#define MEASURE_RUNTIME_CORE_EXEC_CALLS_H

#include <spawn.h>
#include <stdio.h>

struct measure_starts {
#define START(result, name, parameters) result(*name) parameters;
#include "exec_calls.def"
#undef START
};

/* Found when the library is loaded: to look for them is not async-signal-safe. */
extern struct measure_starts measure_starts;

#endif
