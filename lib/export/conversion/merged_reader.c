/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The readers of all selected locations as one, in the order of time: a heap of the next item of
 * each. */
#include "config.h"

#include "conversion.h"

struct merged_location {
	struct measure_conversion_reader *reader;
	const struct measure_conversion_item *item;
	uint32_t place; /* in the order of locations */
};

struct measure_merged_reader {
	struct measure_conversion *conversion;
	struct merged_location *heap; /* [0] is the first in time */
	size_t nr;
	struct measure_conversion_reader **readers; /* all of them */
	bool is_taken;                              /* the first one's item was handed out */
};

static bool is_earlier(const struct merged_location *a, const struct merged_location *b)
{
	if (a->item->time != b->item->time)
		return a->item->time < b->item->time;
	return a->place < b->place;
}

static void heap_sink(struct measure_merged_reader *reader, size_t at)
{
	const struct merged_location moved = reader->heap[at];
	size_t child;

	while ((child = 2 * at + 1) < reader->nr) {
		if (child + 1 < reader->nr &&
			is_earlier(&reader->heap[child + 1], &reader->heap[child]))
			child++;
		if (!is_earlier(&reader->heap[child], &moved))
			break;
		reader->heap[at] = reader->heap[child];
		at = child;
	}
	reader->heap[at] = moved;
}

struct measure_merged_reader *measure_merged_open(struct measure_conversion *conversion)
{
	struct measure_merged_reader *reader = measure_zeroed(1, sizeof(*reader));

	reader->conversion = conversion;
	reader->heap = measure_zeroed(conversion->nr_locations, sizeof(*reader->heap));
	reader->readers = measure_zeroed(
		conversion->nr_locations, sizeof(struct measure_conversion_reader *));
	for (size_t i = 0; i < conversion->nr_locations; i++) {
		struct merged_location *next = &reader->heap[reader->nr];

		next->reader = measure_conversion_open(conversion, conversion->locations[i]);
		next->item = measure_conversion_next(next->reader);
		next->place = (uint32_t)i;
		reader->readers[i] = next->reader;
		reader->nr += next->item != NULL;
	}
	for (size_t i = reader->nr / 2; i-- > 0;)
		heap_sink(reader, i);
	return reader;
}

const struct measure_conversion_item *measure_merged_next(struct measure_merged_reader *reader)
{
	struct merged_location *first = reader->heap;

	if (reader->is_taken) {
		first->item = measure_conversion_next(first->reader);
		if (!first->item)
			*first = reader->heap[--reader->nr];
		if (reader->nr > 0)
			heap_sink(reader, 0);
	}
	reader->is_taken = reader->nr > 0;
	return reader->is_taken ? first->item : NULL;
}

measure_status_t measure_merged_close(struct measure_merged_reader *reader)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < reader->conversion->nr_locations; i++) {
		const measure_status_t one = measure_conversion_close(reader->readers[i]);

		status = status == MEASURE_OK ? one : status;
	}
	reader->conversion->is_profiled = true;
	measure_free(reader->heap);
	measure_free(reader->readers);
	measure_free(reader);
	return status;
}
