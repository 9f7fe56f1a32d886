/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How an interposed function is written: EXPORT(type, name, (parameters)) { ... }. */
#ifndef MEASURE_POSIXIO_WRAP_H
#define MEASURE_POSIXIO_WRAP_H

#include <errno.h>

#include "posixio_calls.h"
#include "posixio_real.h"

#define EXPORT(type, name, parameters)                                                             \
	type wrap_##name parameters __asm__(#name) __attribute__((visibility("default")));         \
	type wrap_##name parameters

#define CALLER __builtin_return_address(0)

#endif
