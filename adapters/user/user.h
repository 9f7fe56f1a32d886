/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of measure.h as this adapter defines them. */
#ifndef MEASURE_USER_USER_H
#define MEASURE_USER_USER_H

#define MEASURE_USER_CALLS_ONLY
#include "measure.h"

#endif
