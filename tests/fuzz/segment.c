/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: a process writes all over the memory that it shares with its keeper, before the
 * keeper looks at it (`early` in the input) and between two looks (`late`). The input has patches
 * of twelve bytes each: see struct patch. Somebody looks at it as at a living process; the keeper
 * writes what there is to files and finishes the part, which can be read then, and is no larger
 * than it may be. */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/assemble/t_part.h"
#include "assemble/close/part_close.h"
#include "live/live_segment.h"
#include "assemble/part/part.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "fuzz.h"

#define PART         "part"
#define NR_EVENTS    12000 /* of the first location: more than a chunk */
#define NR_USED      4     /* chunks, from the first one on, that are in use */
#define MOST_JOURNAL 8192
#define NR_AREAS     12

/* `value` goes to `offset` of an area, with `kind` % 4 telling how much of it. Chunks are longer
 * than offsets reach: there they count in fours. */
struct patch {
	uint8_t area;
	uint8_t kind;
	uint16_t offset;
	uint8_t value[8];
};

static struct t_part made;
static struct measure_segment *segment; /* as the process has it */

/* Parts of the segment, as they are before anybody overwrites them. */
static struct area {
	uint64_t begin, size;
	uint8_t *bytes;
} areas[NR_AREAS];

static void make_process(void)
{
	struct measure_def_process process = {.pid = 1,
		.host = "host",
		.program = "/bin/demo",
		.begin_ticks = 1000,
		.clock_frequency = 1e9};

	t_part_begin(&made, fuzz_directory(), PART, &process);
	made.spool.mode = MEASURE_SPOOL_END; /* chunks stay where they are */
	for (uint32_t i = 0; i < 3; i++)
		T_JOURNAL(&made, region, i, "name", "name", "demo.c", 1, 9, 1, 0, 0);
	T_JOURNAL(&made, metric, 0, "metric", "", "K", 0, 0, 7, 0, 0);
	T_JOURNAL(&made, metric_class, 0, 0, 1, (const uint32_t[]){0});
	T_JOURNAL(&made, interrupt_generator, 0, "generator", 0, 1, -9, 1000);
	for (uint32_t i = 0; i < 3; i++)
		T_JOURNAL(&made, calling_context, i, i - 1, 0x1000, 0x1000 + i, UINT32_MAX);
	for (uint32_t i = 0; i < 3; i++)
		t_location(&made, 1000);
	for (uint32_t i = 0; i < NR_EVENTS; i++) {
		t_enter(&made, 0, 1100 + i, i % 3);
		t_leave(&made, 0, 1101 + i, i % 3);
	}
	for (uint32_t i = 0; i < 5; i++)
		t_enter(&made, 1, 1200 + i, i % 3);
	for (uint32_t i = 0; i < 5; i++) {
		t_sample(&made, 2, 1200 + i, i % 3);
		t_metric(&made, 2, 1200 + i, 0, i);
	}
	atomic_store(&made.segment.header->state, MEASURE_SEGMENT_RECORDING);
	segment = &made.segment;
}

static void note_area(size_t index, uint64_t begin, uint64_t size)
{
	areas[index] = (struct area){begin, size, malloc(size)};
	if (!areas[index].bytes)
		abort();
	memcpy(areas[index].bytes, (uint8_t *)segment->header + begin, size);
}

static void set_up(void)
{
	if (segment)
		return;
	make_process();
	const struct measure_segment_layout *layout = &segment->layout;
	const uint64_t begins[] = {0, offsetof(struct measure_segment_header, state),
		layout->locations_offset, layout->timings_offset, layout->releases_offset,
		layout->chunk_states_offset, layout->stacks_offset};
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		note_area(i, begins[i], i == 0 ? sizeof(*layout) : 4096);
	note_area(7, layout->journal_offset, MOST_JOURNAL);
	for (size_t i = 0; i < NR_USED; i++)
		note_area(
			8 + i, layout->chunks_offset + i * layout->chunk_size, layout->chunk_size);
}

static void restore(void)
{
	for (size_t i = 0; i < NR_AREAS; i++)
		memcpy((uint8_t *)segment->header + areas[i].begin, areas[i].bytes, areas[i].size);
}

static void overwrite(const uint8_t *data, size_t size)
{
	struct patch patch;

	for (; size >= sizeof(patch); data += sizeof(patch), size -= sizeof(patch)) {
		memcpy(&patch, data, sizeof(patch));
		const struct area *area = &areas[patch.area % NR_AREAS];
		size_t length = (size_t)1 << patch.kind % 4;
		uint64_t offset = patch.offset * (area->size > UINT16_MAX ? UINT64_C(4) : 1);
		offset %= area->size - length + 1;
		memcpy((uint8_t *)segment->header + area->begin + offset, patch.value, length);
	}
}

static void overwrite_as(const char *when, const uint8_t *data, size_t size)
{
	struct fuzz_file file;
	size_t position = 0;

	while (fuzz_next(data, size, &position, &file))
		if (strcmp(file.name, when) == 0)
			overwrite(file.data, file.size);
}

/* ------------------------------------------------------------------------- readers --- */

static int make_folder(int parent, const char *name)
{
	measure_file_remove_tree(parent, name);
	mkdirat(parent, name, 0777);
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fuzz_fault("no folder %s", name);
	return fd;
}

/* More than a segment may become no folder. */
static void check_folder(int fd)
{
	struct measure_segment_layout *layout = &segment->layout;
	DIR *list = fdopendir(dup(fd));
	uint32_t nr = 0;
	struct stat stat;

	for (struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list)) {
		nr++;
		if (fstatat(fd, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) != 0 ||
			(S_ISREG(stat.st_mode) && (uint64_t)stat.st_size > 2 * layout->size))
			fuzz_fault("%s has %lld bytes", entry->d_name, (long long)stat.st_size);
	}
	if (list)
		closedir(list);
	if (nr > layout->max_locations + 8)
		fuzz_fault("%u files", nr);
}

static void read_part(int parts_fd, const char *name)
{
	struct measure_part part = {.fd = -1};

	if (measure_part_read(parts_fd, name, &part) != MEASURE_OK)
		fuzz_fault("%s cannot be read", name);
	measure_part_free(&part);
}

static void look(struct measure_live *live, int parts_fd)
{
	uint8_t *journal;
	size_t size;

	for (uint32_t i = 0; i < measure_live_nr_locations(live); i++) {
		struct measure_live_stack stack;
		measure_live_stack(live, i, &stack);
		free(stack.frames.items);
	}
	if (measure_live_journal(live, &journal, &size) == MEASURE_OK)
		free(journal);
	measure_file_remove_tree(parts_fd, "snapshot");
	if (measure_live_snapshot(live, 1200 + NR_EVENTS / 2, parts_fd, "snapshot") == MEASURE_OK)
		read_part(parts_fd, "snapshot");
}

/* As one who knows nothing of it but its descriptor. */
static void look_at_living(int parts_fd, int part_fd)
{
	struct measure_live live = {.part_fd = dup(part_fd), .segment_fd = dup(made.memory_fd)};

	if (measure_segment_view(live.segment_fd, &live.segment) == MEASURE_OK) {
		live.chunk = malloc(live.segment.layout.chunk_size);
		if (!live.chunk)
			abort();
		look(&live, parts_fd);
	}
	measure_live_close(&live);
}

static void keep(int part_fd, const uint8_t *data, size_t size)
{
	static const struct measure_def_end end = {
		.ticks = 100000, .how = MEASURE_END_SIGNALLED, .status = 11, .reason = ""};
	struct measure_spool spool;

	made.fd = part_fd;
	T_KEEPER_JOURNAL(&made, keeper, "host", 1, 1, T_CHUNK);
	if (measure_spool_open(&spool, segment, part_fd, MEASURE_SPOOL_ALWAYS) != MEASURE_OK ||
		measure_spool_pass(&spool, false) != MEASURE_OK)
		fuzz_fault("nothing can be written");
	overwrite_as("late", data, size);
	if (measure_spool_pass(&spool, true) != MEASURE_OK)
		fuzz_fault("the rest cannot be written");
	measure_spool_close(&spool);
	measure_status_t status = measure_part_close(segment, part_fd, &end);
	if (status != MEASURE_OK)
		fuzz_fault("the part cannot be finished: %s", measure_status_text(status));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	set_up();
	restore();
	overwrite_as("early", data, size);
	int top = open(fuzz_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int parts_fd = make_folder(top, MEASURE_PARTS_NAME);
	int part_fd = make_folder(parts_fd, PART);
	look_at_living(parts_fd, part_fd);
	keep(part_fd, data, size);
	check_folder(part_fd);
	read_part(parts_fd, PART);
	close(part_fd);
	close(parts_fd);
	close(top);
	return 0;
}
