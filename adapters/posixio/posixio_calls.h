/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of the calls of the table; ../calls/calls.h says what is done with them. */
#ifndef MEASURE_POSIXIO_CALLS_H
#define MEASURE_POSIXIO_CALLS_H

#include "../common/recorded_calls.h"

#define ROW(type, name, group, role, parameters) CALL_##name,
enum measure_posixio_call {
#include "posixio_calls.def"
	NR_CALLS
};

#endif
