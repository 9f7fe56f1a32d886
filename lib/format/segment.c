/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making and mapping the segment; see segment.h. */
#include "config.h"

#include "segment.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/page.h"
#include "base/posix.h"
#include "base/procfs.h"
#include "filter_area.h"

#define PAGE          ((uint64_t)MEASURE_LARGEST_PAGE)
#define SMALLEST_PAGE 4096

/* One block for each location, and as many again for deep recursion. */
#define STACK_BLOCKS_PER_LOCATION 2

/* A master has two teams in turn, and one more for each thread that still has to leave one. */
#define RELEASES_PER_LOCATION 4

static uint64_t pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(PAGE - 1);
}

/* More than these nobody has: no sum below leaves 64 bits. */
#define MOST_LOCATIONS (UINT32_C(1) << 24)
#define MOST_BYTES     (UINT64_C(1) << 40) /* of the journal, of the text of a filter */

/* Everything that follows from the counts. */
static void place(struct measure_segment_layout *layout)
{
	uint64_t offset = pages(sizeof(struct measure_segment_header));

	layout->nr_stack_blocks = layout->max_locations * STACK_BLOCKS_PER_LOCATION;
	layout->nr_releases = layout->max_locations * RELEASES_PER_LOCATION;
	layout->locations_offset = offset;
	offset += pages(layout->max_locations * sizeof(struct measure_segment_location));
	layout->timings_offset = offset;
	offset += pages(layout->max_locations * sizeof(struct measure_timing_histograms));
	layout->releases_offset = offset;
	offset += pages(layout->nr_releases * sizeof(uint64_t));
	layout->chunk_states_offset = offset;
	offset += pages(layout->nr_chunks * sizeof(struct measure_segment_chunk));
	layout->stacks_offset = offset;
	offset += pages(layout->nr_stack_blocks * sizeof(struct measure_segment_stack));
	layout->journal_offset = offset;
	offset += layout->journal_size;
	layout->chunks_offset = offset;
	offset += (uint64_t)layout->nr_chunks * layout->chunk_size;
	layout->filter_offset = 0;
	if (layout->filter_text_size) {
		layout->filter_offset = offset;
		offset += pages(measure_filter_area_size(layout->filter_text_size));
	}
	layout->size = offset;
}

static struct measure_segment_layout layout_of(const struct measure_segment_size *size)
{
	uint64_t nr_chunks = (size->buffer_size + size->chunk_size - 1) / size->chunk_size;
	struct measure_segment_layout layout = {.magic = MEASURE_SEGMENT_MAGIC,
		.version = MEASURE_SEGMENT_VERSION,
		.header_size = sizeof(struct measure_segment_header),
		.chunk_size = size->chunk_size,
		.nr_bounded_chunks = nr_chunks < 2 ? 2 : (uint32_t)nr_chunks,
		.max_locations = size->max_locations,
		.journal_size = pages(size->journal_size),
		.filter_text_size = size->filter_text ? size->filter_text_size : 0,
		.is_kept = size->is_kept,
		.full_policy = size->full_policy,
		.patience = size->patience};

	layout.nr_chunks = layout.nr_bounded_chunks + size->nr_spare_chunks;
	place(&layout);
	return layout;
}

const char *measure_segment_fault(const struct measure_segment_layout *layout, uint64_t file_size)
{
	struct measure_segment_layout expected = *layout;

	if (layout->magic != MEASURE_SEGMENT_MAGIC)
		return "it is not event memory";
	if (layout->version != MEASURE_SEGMENT_VERSION ||
		layout->header_size != sizeof(struct measure_segment_header))
		return "it belongs to another version of Measure";
	if (!measure_chunk_size_is_valid(layout->chunk_size) || layout->nr_bounded_chunks < 2 ||
		layout->nr_chunks < layout->nr_bounded_chunks)
		return "its chunk sizes are impossible";
	if (layout->max_locations == 0 || layout->max_locations > MOST_LOCATIONS ||
		layout->journal_size > MOST_BYTES || layout->journal_size % PAGE != 0 ||
		layout->filter_text_size > MOST_BYTES)
		return "its counts are impossible";
	place(&expected);
	if (memcmp(&expected, layout, sizeof(expected)) != 0)
		return "its offsets do not match its counts";
	return layout->size == file_size ? NULL : "its size has changed";
}

static void point(
	struct measure_segment *segment, const struct measure_segment_layout *layout, void *base)
{
	uint8_t *bytes = base, *filter = bytes + layout->filter_offset;

	memset(segment, 0, sizeof(*segment));
	segment->layout = *layout;
	segment->header = base;
	segment->locations = (void *)(bytes + layout->locations_offset);
	segment->timings = (void *)(bytes + layout->timings_offset);
	segment->releases = (void *)(bytes + layout->releases_offset);
	segment->chunks = (void *)(bytes + layout->chunk_states_offset);
	segment->stacks = (void *)(bytes + layout->stacks_offset);
	segment->journal = bytes + layout->journal_offset;
	segment->memory = bytes + layout->chunks_offset;
	if (!layout->filter_offset)
		return;
	segment->filter = (void *)filter;
	segment->filter_ranges =
		(void *)(filter + measure_filter_ranges_offset(layout->filter_text_size));
	segment->filter_counters =
		(void *)(filter + measure_filter_counters_offset(layout->filter_text_size));
}

/* `place`: where, in place of what is there, at once, as threads may be using it; NULL: anywhere, and
 * without access at first: otherwise the kernel gives memory to all of it in a process that has
 * called mlockall(MCL_FUTURE). */
static void *map(int fd, void *place, uint64_t size, int protection)
{
	void *base = mmap(place, size, place ? protection : PROT_NONE,
		MAP_SHARED | MAP_NORESERVE | (place ? MAP_FIXED : 0), fd, 0);

	if (base == MAP_FAILED)
		return NULL;
	if (!place && mprotect(base, size, protection) != 0) {
		munmap(base, size);
		return NULL;
	}
	/* to dump it, the kernel would give memory to all that was never touched */
	madvise(base, size, MADV_DONTDUMP);
	return base;
}

int measure_segment_memory(void)
{
	return memfd_create(MEASURE_SEGMENT_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

void measure_segment_seal(int fd)
{
	fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

bool measure_segment_is_sealed(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && seals & F_SEAL_SHRINK;
}

measure_status_t measure_segment_lay_out(
	int fd, const struct measure_segment_size *size, struct measure_segment *segment)
{
	if (!measure_chunk_size_is_valid(size->chunk_size))
		return MEASURE_ERROR_USAGE;
	const struct measure_segment_layout layout = layout_of(size);
	if (measure_segment_fault(&layout, layout.size))
		return MEASURE_ERROR_USAGE;

	if (ftruncate(fd, 0) != 0 || ftruncate(fd, (off_t)layout.size) != 0)
		return MEASURE_ERROR_MEMORY;
	void *base = map(fd, NULL, layout.size, PROT_READ | PROT_WRITE);
	if (!base)
		return MEASURE_ERROR_MEMORY;

	point(segment, &layout, base);
	segment->header->layout = layout;
	if (segment->filter)
		memcpy(segment->filter->text, size->filter_text, size->filter_text_size);
	for (uint32_t i = 0; i < layout.nr_chunks; i++)
		atomic_init(&segment->chunks[i].location, MEASURE_CHUNK_NOBODY);
	return MEASURE_OK;
}

measure_status_t measure_segment_create(
	const struct measure_segment_size *size, int *fd, struct measure_segment *segment)
{
	int memory_fd = measure_segment_memory();

	if (memory_fd < 0)
		return MEASURE_ERROR_MEMORY;
	measure_status_t status = measure_segment_lay_out(memory_fd, size, segment);
	if (status == MEASURE_OK) {
		measure_segment_seal(memory_fd);
		*fd = memory_fd;
	} else {
		close(memory_fd);
	}
	return status;
}

bool measure_segment_is_orphan(const struct measure_segment_header *header)
{
	pid_t keeper = atomic_load(&header->keeper_pid);

	return keeper != 0 && measure_process_is_dead(keeper);
}

bool measure_segment_is_cared_for(const struct measure_segment_header *header)
{
	pid_t guard = atomic_load(&header->guard_pid);

	return !measure_segment_is_orphan(header) ||
	       (guard != 0 && !measure_process_is_dead(guard));
}

static measure_status_t attach_by(int fd, const struct measure_segment_layout *layout,
	int protection, const struct measure_segment_place *place, struct measure_segment *segment)
{
	struct stat stat;

	if (!measure_segment_is_sealed(fd))
		return MEASURE_ERROR_FORMAT;
	if (fstat(fd, &stat) != 0)
		return MEASURE_ERROR_IO;
	if (measure_segment_fault(layout, (uint64_t)stat.st_size))
		return MEASURE_ERROR_FORMAT;
	void *base = map(fd, layout->size <= place->size ? place->base : NULL, layout->size,
		protection);
	if (!base)
		return MEASURE_ERROR_MEMORY;
	point(segment, layout, base);
	return MEASURE_OK;
}

static const struct measure_segment_place anywhere;

/* The layout is read once, into memory of our own: what is checked is what is used. */
static measure_status_t attach(int fd, int protection, const struct measure_segment_place *place,
	struct measure_segment *segment)
{
	struct measure_segment_layout layout;

	if (pread(fd, &layout, sizeof(layout), 0) != (ssize_t)sizeof(layout))
		return MEASURE_ERROR_FORMAT;
	return attach_by(fd, &layout, protection, place, segment);
}

static measure_status_t attach_process(
	int fd, const struct measure_segment_place *place, struct measure_segment *segment)
{
	measure_status_t status = attach(fd, PROT_READ | PROT_WRITE, place, segment);

	if (status == MEASURE_OK)
		mprotect(
			segment->header, offsetof(struct measure_segment_header, state), PROT_READ);
	return status;
}

measure_status_t measure_segment_attach(int fd, struct measure_segment *segment)
{
	return attach_process(fd, &anywhere, segment);
}

measure_status_t measure_segment_attach_at(
	int fd, struct measure_segment_place *place, struct measure_segment *segment)
{
	measure_status_t status = attach_process(fd, place, segment);

	if (status != MEASURE_OK || segment->header == place->base)
		return status;
	if (place->size > 0)
		munmap(place->base, place->size);
	*place = (struct measure_segment_place){segment->header, segment->layout.size};
	return MEASURE_OK;
}

void measure_segment_vacate(
	const struct measure_segment *segment, struct measure_segment_place *place)
{
	if (mmap(place->base, place->size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		    0) != MAP_FAILED)
		atomic_store(&segment->header->is_over, 1);
}

measure_status_t measure_segment_take_over(
	int fd, const struct measure_segment_layout *layout, struct measure_segment *segment)
{
	return attach_by(fd, layout, PROT_READ | PROT_WRITE, &anywhere, segment);
}

measure_status_t measure_segment_view(int fd, struct measure_segment *segment)
{
	return attach(fd, PROT_READ, &anywhere, segment);
}

void measure_segment_detach(struct measure_segment *segment)
{
	munmap(segment->header, segment->layout.size);
	memset(segment, 0, sizeof(*segment));
}

bool measure_segment_is_changed(const struct measure_segment *segment)
{
	return memcmp(&segment->header->layout, &segment->layout, sizeof(segment->layout)) != 0;
}

void measure_segment_want_snapshot(struct measure_segment_header *header)
{
	atomic_fetch_add(&header->snapshots_wanted, 1);
	measure_futex_wake(&header->snapshots_wanted, 1);
}

void measure_segment_note_damage(const struct measure_segment *segment)
{
	atomic_fetch_add(&segment->header->counts[MEASURE_COUNT_OVERWRITTEN], 1);
}

void measure_segment_config(
	const struct measure_segment *segment, char text[MEASURE_SEGMENT_CONFIG_SIZE])
{
	memcpy(text, segment->header->config, MEASURE_SEGMENT_CONFIG_SIZE);
	text[MEASURE_SEGMENT_CONFIG_SIZE - 1] = '\0';
}

/* A location is begun as soon as it is counted, unless there is no memory. */
#define MOST_UNBEGUN 64

uint32_t measure_segment_nr_locations(const struct measure_segment *segment, bool *is_changed)
{
	uint32_t said = atomic_load(&segment->header->nr_locations), nr = said;

	if (nr > segment->layout.max_locations)
		nr = segment->layout.max_locations;
	while (nr > 0 && atomic_load(&segment->locations[nr - 1].nr_chunks) == 0 &&
		atomic_load(&segment->locations[nr - 1].committed) == 0)
		nr--;
	*is_changed = said > segment->layout.max_locations || said > 2 * nr + MOST_UNBEGUN;
	return *is_changed ? nr : said;
}

/* Acquire pairs with the release that commits. */
uint64_t measure_segment_journal_size(const struct measure_segment *segment)
{
	uint64_t committed =
		atomic_load_explicit(&segment->header->journal_committed, memory_order_acquire);

	return committed < segment->layout.journal_size ? committed : segment->layout.journal_size;
}

/* Those in use lie at the low end. A page counts where it begins. There is room for small pages, as
 * the kernel below an emulator may have them. */
uint64_t measure_segment_taken(const struct measure_segment *segment)
{
	const uint64_t page = measure_page_size(), size = segment->layout.chunk_size;
	unsigned char *pages = malloc(size / SMALLEST_PAGE + 1);
	uint64_t nr_taken = 0;

	for (uint32_t i = 0; pages && i < segment->layout.nr_chunks; i++) {
		if (atomic_load(&segment->chunks[i].state) == MEASURE_CHUNK_UNTOUCHED)
			break;
		const uint64_t from = (i * size + page - 1) / page;
		const uint64_t nr = ((i + 1) * size + page - 1) / page - from;
		if (mincore(segment->memory + from * page, nr * page, pages) != 0)
			break;
		for (uint64_t k = 0; k < nr; k++)
			nr_taken += pages[k] & 1;
	}
	free(pages);
	return nr_taken * page;
}
