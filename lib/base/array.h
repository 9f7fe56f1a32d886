/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Growing arrays: any struct with members `items`, `nr` and `capacity` (both size_t), as made
 * by MEASURE_ARRAY(). All zero is an empty one; free(array.items) lets go of it. Not for the
 * recording process's event path: they allocate. */
#ifndef MEASURE_BASE_ARRAY_H
#define MEASURE_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "status.h"

#define MEASURE_ARRAY(type)                                                                        \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t nr;                                                                         \
		size_t capacity;                                                                   \
	}

/* `items` with room for `needed`; NULL without memory, and then `items` is as before. */
static inline void *measure_array_room(void *items, size_t *capacity, size_t needed, size_t size)
{
	size_t wanted = *capacity ? *capacity : 8;

	if (needed <= *capacity)
		return items;
	while (wanted < needed)
		wanted *= 2;
	if (wanted > SIZE_MAX / size)
		return NULL;
	void *grown = realloc(items, wanted * size);
	if (grown)
		*capacity = wanted;
	return grown;
}

/* Makes room for `needed` items; evaluates to a status. */
#define measure_array_reserve(array, needed)                                                       \
	__extension__({                                                                            \
		void *room_ = measure_array_room((array)->items, &(array)->capacity, (needed),     \
			sizeof(*(array)->items));                                                  \
		if (room_)                                                                         \
			(array)->items = room_;                                                    \
		room_ || (needed) == 0 ? MEASURE_OK : MEASURE_ERROR_MEMORY;                        \
	})

/* Appends a value; evaluates to a status. */
#define measure_array_push(array, ...)                                                             \
	__extension__({                                                                            \
		measure_status_t status_ = measure_array_reserve(array, (array)->nr + 1);          \
		if (status_ == MEASURE_OK)                                                         \
			(array)->items[(array)->nr++] = __VA_ARGS__;                               \
		status_;                                                                           \
	})

/* Lets go of the room behind the last item. */
#define measure_array_trim(array)                                                                  \
	do {                                                                                       \
		void *less_ =                                                                      \
			(array)->nr < (array)->capacity && (array)->nr > 0                         \
				? realloc((array)->items, (array)->nr * sizeof(*(array)->items))   \
				: NULL;                                                            \
		if (less_) {                                                                       \
			(array)->items = less_;                                                    \
			(array)->capacity = (array)->nr;                                           \
		}                                                                                  \
	} while (0)

/* qsort(), which may not be given NULL even where there is nothing to sort. */
#define measure_sort(items, nr, compare)                                                           \
	((nr) > 0 ? qsort(items, nr, sizeof(*(items)), compare) : (void)0)
#define measure_array_sort(array, compare) measure_sort((array)->items, (array)->nr, compare)

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
