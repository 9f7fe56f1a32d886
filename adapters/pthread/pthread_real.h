/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library's own functions, behind the ones that this adapter interposes. */
#ifndef MEASURE_PTHREAD_REAL_H
#define MEASURE_PTHREAD_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

#include "../common/real_functions.h"

#define PLAIN(name, group, role, parameters, arguments)  int(*_Atomic name) parameters;
#define POINT(name, group, role, parameters, arguments)  int(*_Atomic name) parameters;
#define LOCK(name, group, parameters, arguments, lock)   int(*_Atomic name) parameters;
#define UNLOCK(name, group, parameters, arguments, lock) int(*_Atomic name) parameters;
#define WAIT(name, group, parameters, arguments, lock)   int(*_Atomic name) parameters;
#define DESTROY(type, name, parameters, arguments, lock) type(*_Atomic name) parameters;
#define JOIN(name, parameters, arguments, thread)        int(*_Atomic name) parameters;
#define OTHER(type, name, role, parameters)              type(*_Atomic name) parameters;
struct measure_pthread_real {
#include "pthread_calls.def"
};
#undef PLAIN
#undef POINT
#undef LOCK
#undef UNLOCK
#undef WAIT
#undef DESTROY
#undef JOIN
#undef OTHER

extern struct measure_pthread_real measure_pthread_real;

/* Looks all of them up; see MEASURE_REAL_FILL. */
void measure_pthread_resolve(void);

#define REAL(name) MEASURE_REAL(measure_pthread_real.name, measure_pthread_resolve)

#endif
