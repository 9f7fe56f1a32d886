/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Search in what is sorted. */
#ifndef MEASURE_BASE_SEARCH_H
#define MEASURE_BASE_SEARCH_H

#include <stddef.h>

/* How many of `nr` items a condition holds for, in which the name `i` stands for the number of an
 * item. It holds for the first ones, and for none behind the first one that it does not hold for.
 */
#define measure_count_first(nr, i, condition)                                                      \
	__extension__({                                                                            \
		size_t low_ = 0, high_ = (nr);                                                     \
		while (low_ < high_) {                                                             \
			const size_t i = low_ + (high_ - low_) / 2;                                \
			if (condition)                                                             \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})

#endif
