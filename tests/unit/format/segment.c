/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a segment is attached only where its layout is sound, and what its process does to
 * it afterwards changes nothing of that. */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/filter_area.h"
#include "format/segment.h"
#include "../t_suite.h"

#define CHUNK (256 * 1024)

static const char text[] = "exclude a\0\0";
static const struct measure_segment_size size = {.buffer_size = 8 * CHUNK,
	.chunk_size = CHUNK,
	.max_locations = 16,
	.journal_size = 65536,
	.nr_spare_chunks = 3,
	.filter_text = text,
	.filter_text_size = sizeof(text)};

static int memory_fd;
static struct measure_segment segment;

static void t_open(void)
{
	CU_ASSERT_EQUAL_FATAL(measure_segment_create(&size, &memory_fd, &segment), MEASURE_OK);
}

static void t_close(void)
{
	measure_segment_detach(&segment);
	close(memory_fd);
}

static void what_is_made_is_sound(void)
{
	struct measure_segment other;
	struct stat stat;

	t_open();
	CU_ASSERT_EQUAL(fstat(memory_fd, &stat), 0);
	CU_ASSERT_PTR_NULL(measure_segment_fault(&segment.layout, (uint64_t)stat.st_size));
	CU_ASSERT_EQUAL_FATAL(measure_segment_attach(memory_fd, &other), MEASURE_OK);
	CU_ASSERT_EQUAL(memcmp(&other.layout, &segment.layout, sizeof(other.layout)), 0);
	CU_ASSERT_EQUAL(segment.layout.nr_chunks, 8 + 3);
	CU_ASSERT_STRING_EQUAL(other.filter->text, "exclude a");
	measure_segment_detach(&other);
	t_close();
}

/* Each bit of it counts, but for those that nothing follows from. */
static void no_bit_may_be_another(void)
{
	static const size_t free_fields[] = {
		offsetof(struct measure_segment_layout, nr_bounded_chunks),
		offsetof(struct measure_segment_layout, is_kept),
		offsetof(struct measure_segment_layout, full_policy),
		offsetof(struct measure_segment_layout, patience),
		offsetof(struct measure_segment_layout, reserved)};

	const size_t text_bit = 8 * offsetof(struct measure_segment_layout, filter_text_size);
	const size_t page_bits = (size_t)__builtin_ctz(MEASURE_LARGEST_PAGE);

	t_open();
	for (size_t bit = 0; bit < 8 * sizeof(segment.layout); bit++) {
		struct measure_segment_layout layout = segment.layout;
		bool is_free = bit >= text_bit && bit < text_bit + page_bits; /* in whole pages */
		for (size_t i = 0; i < sizeof(free_fields) / sizeof(free_fields[0]); i++)
			is_free |= bit / 32 == free_fields[i] / 4;
		((uint8_t *)&layout)[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (!is_free)
			CU_ASSERT_PTR_NOT_NULL(measure_segment_fault(&layout, segment.layout.size));
	}
	CU_ASSERT_PTR_NOT_NULL(measure_segment_fault(&segment.layout, segment.layout.size + 4096));
	t_close();
}

/* Counts as large as can be, whose offsets would fit if they wrapped around. */
static void no_count_wraps_around(void)
{
	t_open();
	for (int i = 0; i < 4; i++) {
		struct measure_segment_layout layout = segment.layout;
		if (i == 0)
			layout.max_locations = UINT32_MAX;
		else if (i == 1)
			layout.nr_chunks = UINT32_MAX;
		else if (i == 2)
			layout.journal_size = UINT64_MAX - 4095;
		else
			layout.filter_text_size = UINT64_MAX;
		CU_ASSERT_PTR_NOT_NULL(measure_segment_fault(&layout, layout.size));
	}
	t_close();
}

static void only_a_sealed_one_is_attached(void)
{
	struct measure_segment other;
	int fd = measure_segment_memory();

	CU_ASSERT_EQUAL(measure_segment_lay_out(fd, &size, &segment), MEASURE_OK);
	CU_ASSERT_FALSE(measure_segment_is_sealed(fd));
	CU_ASSERT_EQUAL(measure_segment_attach(fd, &other), MEASURE_ERROR_FORMAT);
	measure_segment_seal(fd);
	CU_ASSERT_NOT_EQUAL(ftruncate(fd, 4096), 0);
	CU_ASSERT_NOT_EQUAL(ftruncate(fd, 1 << 30), 0);
	CU_ASSERT_NOT_EQUAL(measure_segment_lay_out(fd, &size, &other), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_segment_attach(fd, &other), MEASURE_OK);
	measure_segment_detach(&other);
	measure_segment_detach(&segment);
	close(fd);
}

/* Who has it mapped goes on by what it was. */
static void a_changed_layout_is_noticed(void)
{
	struct measure_segment other;

	t_open();
	CU_ASSERT_FALSE(measure_segment_is_changed(&segment));
	memset(&segment.header->layout, 0x41, sizeof(segment.header->layout));
	CU_ASSERT_TRUE(measure_segment_is_changed(&segment));
	CU_ASSERT_EQUAL(measure_segment_chunk_memory(&segment, 1) - segment.memory, CHUNK);
	CU_ASSERT_EQUAL(measure_segment_take_over(memory_fd, &segment.layout, &other), MEASURE_OK);
	CU_ASSERT_EQUAL(other.layout.nr_chunks, segment.layout.nr_chunks);
	measure_segment_detach(&other);
	CU_ASSERT_EQUAL(measure_segment_take_over(memory_fd, &segment.header->layout, &other),
		MEASURE_ERROR_FORMAT);
	CU_ASSERT_EQUAL(measure_segment_view(memory_fd, &other), MEASURE_ERROR_FORMAT);
	t_close();
}

/* A wild pointer of the process ends the process, as one to nowhere does. */
static void the_process_cannot_write_to_it(void)
{
	struct measure_segment other;
	int status;

	t_open();
	pid_t child = fork();
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL);
		if (measure_segment_attach(memory_fd, &other) != MEASURE_OK)
			_exit(1);
		atomic_store(&other.header->state, MEASURE_SEGMENT_CLAIMED);
		*(volatile uint32_t *)&other.header->layout.nr_chunks = 1;
		_exit(2);
	}
	waitpid(child, &status, 0);
	CU_ASSERT(WIFSIGNALED(status));
	CU_ASSERT_EQUAL(atomic_load(&segment.header->state), MEASURE_SEGMENT_CLAIMED);
	CU_ASSERT_FALSE(measure_segment_is_changed(&segment));
	t_close();
}

static void counters_are_clamped(void)
{
	t_open();
	atomic_store(&segment.header->journal_committed, UINT64_MAX);
	CU_ASSERT_EQUAL(measure_segment_journal_size(&segment), 65536);
	atomic_store(&segment.header->nr_locations, UINT32_MAX);
	CU_ASSERT_EQUAL(measure_segment_usable_chunks(&segment), 8 + 3);
	atomic_store(&segment.header->nr_locations, 0);
	CU_ASSERT_EQUAL(measure_segment_usable_chunks(&segment), 8);
	static char config[MEASURE_SEGMENT_CONFIG_SIZE];
	memset(segment.header->config, 'x', MEASURE_SEGMENT_CONFIG_SIZE);
	measure_segment_config(&segment, config);
	CU_ASSERT_EQUAL(strlen(config), MEASURE_SEGMENT_CONFIG_SIZE - 1);
	t_close();
}

static void locations_that_never_began_do_not_count(void)
{
	bool is_changed;

	t_open();
	atomic_store(&segment.header->nr_locations, 3);
	CU_ASSERT_EQUAL(measure_segment_nr_locations(&segment, &is_changed), 3);
	CU_ASSERT_FALSE(is_changed);
	atomic_store(&segment.locations[1].nr_chunks, 1);
	atomic_store(&segment.header->nr_locations, UINT32_MAX);
	CU_ASSERT_EQUAL(measure_segment_nr_locations(&segment, &is_changed), 2);
	CU_ASSERT_TRUE(is_changed);
	t_close();
}

/* Blocks are followed where both say so. */
static void stacks_have_an_end(void)
{
	uint32_t block = 0;

	t_open();
	segment.stacks[0].next = 0;
	segment.stacks[0].previous = MEASURE_STACK_NONE;
	CU_ASSERT_FALSE(measure_segment_stack_above(&segment, &block));
	block = 0;
	segment.stacks[0].next = 1;
	segment.stacks[1].previous = 0;
	CU_ASSERT_TRUE(measure_segment_stack_above(&segment, &block));
	CU_ASSERT_EQUAL(block, 1);
	segment.stacks[1].next = 1 << 30;
	CU_ASSERT_FALSE(measure_segment_stack_above(&segment, &block));
	t_close();
}

/* Also where the process locks all that it maps. */
static void little_is_used_at_first(void)
{
	struct stat stat;

	if (mlockall(MCL_FUTURE) != 0 ||
		measure_segment_create(&size, &memory_fd, &segment) != MEASURE_OK) {
		printf("not verified: the limit of locked memory is too low\n");
		return;
	}
	CU_ASSERT_EQUAL(fstat(memory_fd, &stat), 0);
	CU_ASSERT(stat.st_blocks * 512 < CHUNK);
	t_close();
	munlockall();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"what is made is sound", what_is_made_is_sound},
		{"no bit may be another", no_bit_may_be_another},
		{"no count wraps around", no_count_wraps_around},
		{"only a sealed one is attached", only_a_sealed_one_is_attached},
		{"a changed layout is noticed", a_changed_layout_is_noticed},
		{"the process cannot write to it", the_process_cannot_write_to_it},
		{"counters are clamped", counters_are_clamped},
		{"locations that never began do not count",
			locations_that_never_began_do_not_count},
		{"stacks have an end", stacks_have_an_end},
		{"little is used at first", little_is_used_at_first},
		CU_TEST_INFO_NULL,
	};

	return t_suite("segment", NULL, NULL, tests);
}
