/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How an interposed function is written: EXPORT(type, name, (parameters)) { ... }. */
#ifndef MEASURE_POSIXIO_WRAP_H
#define MEASURE_POSIXIO_WRAP_H

#include "posixio_calls.h"
#include "posixio_real.h"

#define EXPORT(type, name, parameters)                                                             \
	type wrap_##name parameters __asm__(#name) __attribute__((visibility("default")));         \
	type wrap_##name parameters

#define CALLER __builtin_return_address(0)

/* A call and, if it is recorded, what `leave` writes after it, as far as `result` tells. */
#define RECORDED(type, name, parameters, arguments, leave)                                         \
	EXPORT(type, name, parameters)                                                             \
	{                                                                                          \
		const bool is_recorded = measure_plain_enter(CALL_##name, CALLER);                 \
		type result = REAL(name) arguments;                                                \
                                                                                                   \
		if (is_recorded)                                                                   \
			leave;                                                                     \
		return result;                                                                     \
	}

/* The same where the call closes a descriptor, recorded or not: `closing`. */
#define CLOSING(type, name, parameters, arguments, fd, leave)                                      \
	EXPORT(type, name, parameters)                                                             \
	{                                                                                          \
		const struct measure_descriptor_closing closing =                                  \
			measure_close_enter(CALL_##name, CALLER, fd);                              \
		type result = REAL(name) arguments;                                                \
                                                                                                   \
		leave;                                                                             \
		return result;                                                                     \
	}

#endif
