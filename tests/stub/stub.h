/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the lines of the stand-in for libmeasure.so go: see stub.c. */
#ifndef MEASURE_TEST_STUB_H
#define MEASURE_TEST_STUB_H

#include <stdio.h>

/* By lines. There while measure_is_recording() says so. */
extern FILE *stub_log;

#endif
