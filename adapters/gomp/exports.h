/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of gomp_calls.def that are visible to the program in place of libgomp's. Each
 * lies in the file that owns its subject. */
#ifndef MEASURE_GOMP_EXPORTS_H
#define MEASURE_GOMP_EXPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "real.h"

#pragma GCC visibility push(default)
#define PARALLEL(name, version, work, role, parameters, arguments)       void name parameters;
#define PARALLEL_START(name, version, work, role, parameters, arguments) void name parameters;
#define WORK(type, name, version, work, role, parameters, arguments)         type name parameters;
#define WORK_SCHEDULED(type, name, version, role, parameters, arguments)     type name parameters;
#define DOACROSS(type, name, version, work, role, parameters, arguments)     type name parameters;
#define DOACROSS_SCHEDULED(type, name, version, role, parameters, arguments) type name parameters;
#define OTHER(type, name, version, parameters)                           type name parameters;
#include "gomp_calls.def"
#pragma GCC visibility pop

#endif
