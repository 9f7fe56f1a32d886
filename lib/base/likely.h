/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Branch hints for the event path. */
#ifndef MEASURE_BASE_LIKELY_H
#define MEASURE_BASE_LIKELY_H

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
