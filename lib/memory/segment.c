/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making and mapping the segment; see segment.h. */
#include "config.h"

#include "segment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/procfs.h"
#include "memory/filter_area.h"

#define PAGE UINT64_C(4096)

/* One block for each location, and as many again for deep recursion. */
#define STACK_BLOCKS_PER_LOCATION 2

/* A master has two teams in turn, and one more for each thread that still has to leave one. */
#define RELEASES_PER_LOCATION 4

static uint64_t pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(PAGE - 1);
}

static void layout(const struct measure_segment_size *size, struct measure_segment_header *header)
{
	uint64_t nr_chunks = (size->buffer_size + size->chunk_size - 1) / size->chunk_size;
	uint64_t offset = pages(sizeof(*header));

	header->magic = MEASURE_SEGMENT_MAGIC;
	header->version = MEASURE_SEGMENT_VERSION;
	header->header_size = sizeof(*header);
	header->chunk_size = size->chunk_size;
	header->nr_bounded_chunks = nr_chunks < 2 ? 2 : (uint32_t)nr_chunks;
	header->nr_chunks = header->nr_bounded_chunks + size->nr_spare_chunks;
	header->max_locations = size->max_locations;
	header->nr_stack_blocks = size->max_locations * STACK_BLOCKS_PER_LOCATION;
	header->nr_releases = size->max_locations * RELEASES_PER_LOCATION;
	header->journal_size = pages(size->journal_size);

	header->locations_offset = offset;
	offset += pages(size->max_locations * sizeof(struct measure_segment_location));
	header->probes_offset = offset;
	offset += pages(size->max_locations * sizeof(struct measure_probes));
	header->releases_offset = offset;
	offset += pages(header->nr_releases * sizeof(uint64_t));
	header->chunk_states_offset = offset;
	offset += pages(header->nr_chunks * sizeof(struct measure_segment_chunk));
	header->stacks_offset = offset;
	offset += header->nr_stack_blocks * sizeof(struct measure_segment_stack);
	header->journal_offset = offset;
	offset += header->journal_size;
	header->chunks_offset = offset;
	offset += (uint64_t)header->nr_chunks * header->chunk_size;
	if (size->filter_text) {
		header->filter_offset = offset;
		offset += pages(measure_filter_area_size(size->filter_text_size));
	}
	header->size = offset;
}

static void point(struct measure_segment *segment, void *base)
{
	struct measure_segment_header *header = base;
	uint8_t *bytes = base;

	segment->header = header;
	segment->locations = (void *)(bytes + header->locations_offset);
	segment->probes = (void *)(bytes + header->probes_offset);
	segment->releases = (void *)(bytes + header->releases_offset);
	segment->chunks = (void *)(bytes + header->chunk_states_offset);
	segment->stacks = (void *)(bytes + header->stacks_offset);
	segment->journal = bytes + header->journal_offset;
	segment->memory = bytes + header->chunks_offset;
	segment->filter = header->filter_offset ? (void *)(bytes + header->filter_offset) : NULL;
}

static void *map(int fd, uint64_t size, int protection)
{
	void *base = mmap(NULL, size, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (base == MAP_FAILED)
		return NULL;
	/* to dump it, the kernel would give memory to all that was never touched */
	madvise(base, size, MADV_DONTDUMP);
	return base;
}

int measure_segment_memory(void)
{
	return memfd_create(MEASURE_SEGMENT_NAME, MFD_CLOEXEC);
}

measure_status_t measure_segment_lay_out(
	int fd, const struct measure_segment_size *size, struct measure_segment *segment)
{
	struct measure_segment_header header = {0};

	if (!measure_chunk_size_is_valid(size->chunk_size) || size->max_locations == 0)
		return MEASURE_ERROR_USAGE;
	layout(size, &header);

	if (ftruncate(fd, 0) != 0 || ftruncate(fd, (off_t)header.size) != 0)
		return MEASURE_ERROR_MEMORY;
	void *base = map(fd, header.size, PROT_READ | PROT_WRITE);
	if (!base)
		return MEASURE_ERROR_MEMORY;

	memcpy(base, &header, offsetof(struct measure_segment_header, config));
	point(segment, base);
	if (segment->filter) {
		segment->filter->text_size = size->filter_text_size;
		memcpy(segment->filter->text, size->filter_text, size->filter_text_size);
	}
	for (uint32_t i = 0; i < header.nr_chunks; i++)
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
	if (status == MEASURE_OK)
		*fd = memory_fd;
	else
		close(memory_fd);
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

/* The keeper made it, so this guards against another version, not against malice. */
static measure_status_t check(int fd, struct measure_segment_header *header)
{
	struct stat stat;
	size_t fixed = offsetof(struct measure_segment_header, config);

	if (pread(fd, header, fixed, 0) != (ssize_t)fixed)
		return MEASURE_ERROR_IO;
	if (header->magic != MEASURE_SEGMENT_MAGIC || header->version != MEASURE_SEGMENT_VERSION ||
		header->header_size != sizeof(*header))
		return MEASURE_ERROR_FORMAT;
	if (fstat(fd, &stat) != 0 || (uint64_t)stat.st_size != header->size)
		return MEASURE_ERROR_FORMAT;
	return MEASURE_OK;
}

static measure_status_t attach(int fd, int protection, struct measure_segment *segment)
{
	struct measure_segment_header header;
	measure_status_t status = check(fd, &header);

	if (status != MEASURE_OK)
		return status;
	void *base = map(fd, header.size, protection);
	if (!base)
		return MEASURE_ERROR_MEMORY;
	point(segment, base);
	return MEASURE_OK;
}

measure_status_t measure_segment_attach(int fd, struct measure_segment *segment)
{
	return attach(fd, PROT_READ | PROT_WRITE, segment);
}

measure_status_t measure_segment_view(int fd, struct measure_segment *segment)
{
	return attach(fd, PROT_READ, segment);
}

void measure_segment_detach(struct measure_segment *segment)
{
	munmap(segment->header, segment->header->size);
	memset(segment, 0, sizeof(*segment));
}

/* Those in use lie at the low end. */
uint64_t measure_segment_taken(const struct measure_segment *segment)
{
	uint32_t size = segment->header->chunk_size;
	unsigned char *pages = malloc(size / PAGE);
	uint64_t nr_taken = 0;

	for (uint32_t i = 0; pages && i < segment->header->nr_chunks; i++) {
		if (atomic_load(&segment->chunks[i].state) == MEASURE_CHUNK_UNTOUCHED)
			break;
		if (mincore(measure_segment_chunk_memory(segment, i), size, pages) != 0)
			break;
		for (uint64_t k = 0; k < size / PAGE; k++)
			nr_taken += pages[k] & 1;
	}
	free(pages);
	return nr_taken * PAGE;
}
