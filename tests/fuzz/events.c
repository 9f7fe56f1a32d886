/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: an event file, as the keeper and measure-repair read it. What the input has is
 * cut into chunks at @@@; the last one is not filled up. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "assemble/part/location_file.h"
#include "base/file.h"
#include "fuzz.h"
#include "format/event_chunk.h"

#define MOST_CHUNKS 3

struct order {
	uint64_t last; /* number of an event */
	size_t bytes;
};

static void note_event(void *context, const struct measure_chunk_event *event)
{
	struct order *order = context;

	if (order->bytes > 0 && event->ordinal != order->last + 1)
		fuzz_fault("event %llu behind %llu", (unsigned long long)event->ordinal,
			(unsigned long long)order->last);
	order->last = event->ordinal;
	order->bytes += event->size;
}

static void walk(const uint8_t *data, size_t size)
{
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	struct order order = {0, 0};

	if (measure_chunk_header_read(data, size, &header) != MEASURE_OK)
		return;
	measure_chunk_walk(data, size, UINT64_MAX, note_event, &order, &walk);
	if (walk.end > size || walk.end != MEASURE_CHUNK_HEADER + order.bytes)
		fuzz_fault("%zu bytes of events, but the end is at %zu of %zu", order.bytes,
			walk.end, size);
	measure_chunk_walk(data, size, header.last_event, NULL, NULL, &walk);
}

static void read_file(int fd)
{
	static uint8_t chunk[FUZZ_CHUNK];
	struct measure_location_state state = {0};
	struct measure_location_summary summary;

	measure_location_file_walk(fd, FUZZ_CHUNK, UINT64_MAX, chunk, &state);
	if (state.end > FUZZ_CHUNK)
		fuzz_fault("the end is at %zu", state.end);
	free(state.open.items);
	memset(&state, 0, sizeof(state));
	measure_location_file_resume(fd, FUZZ_CHUNK, chunk, &state);
	measure_location_file_summarise(fd, FUZZ_CHUNK, chunk, &summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("events", MFD_CLOEXEC);
	struct fuzz_file file;
	uint64_t nr = 0;
	size_t position = 0;

	while (fd >= 0 && nr < MOST_CHUNKS && fuzz_next(data, size, &position, &file)) {
		size_t length = file.size < FUZZ_CHUNK ? file.size : FUZZ_CHUNK;
		walk(file.data, file.size);
		measure_file_write_at(fd, file.data, length, nr++ * FUZZ_CHUNK);
	}
	if (fd >= 0) {
		read_file(fd);
		close(fd);
	}
	return 0;
}
