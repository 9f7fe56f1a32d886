/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library's own functions, behind the ones that this adapter interposes. */
#ifndef MEASURE_PTHREAD_REAL_H
#define MEASURE_PTHREAD_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

#include "../common/real_functions.h"

#define ROW(type, name, group, role, parameters) type(*_Atomic name) parameters;
#define NO_ROW(type, name, parameters)           type(*_Atomic name) parameters;
struct measure_pthread_real {
#include "pthread_calls.def"
};

extern struct measure_pthread_real measure_pthread_real;

/* Looks all of them up; see MEASURE_REAL_FILL. */
void measure_pthread_resolve(void);

#define REAL(name) MEASURE_REAL(measure_pthread_real.name, measure_pthread_resolve)

#endif
