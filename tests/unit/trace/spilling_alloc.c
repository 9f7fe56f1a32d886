/* SPDX-License-Identifier: BSD-3-Clause
 * Description: large memory is anonymous up to its bound, keeps what is in it through all sizes,
 * leaves no file, and says so where there is no room */
#include "config.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "../t_suite.h"
#include "t_ends.h"
#include "trace/common/spilling_alloc.h"
#include "trace/common/containers.h"

#define MIB ((size_t)1 << 20)

static char directory[] = "measure-large-XXXXXX";

static int make_directory(void)
{
	return mkdtemp(directory) ? 0 : 1;
}

static int remove_directory(void)
{
	return rmdir(directory);
}

static bool is_directory_empty(void)
{
	DIR *listing = opendir(directory);
	int nr = 0;

	while (listing && readdir(listing))
		nr++;
	if (listing)
		closedir(listing);
	return nr == 2;
}

/* Numbers from 0, added one by one. */
static uint32_t *grow_to(uint32_t *numbers, size_t from, size_t to, size_t *room)
{
	for (size_t i = from; i < to; i++) {
		numbers = measure_grow(numbers, i, room, sizeof(*numbers));
		numbers[i] = (uint32_t)i;
	}
	return numbers;
}

static bool are_there(const uint32_t *numbers, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (numbers[i] != i)
			return false;
	return true;
}

static void test_sizes(void)
{
	size_t room = 0;
	uint32_t *numbers;

	measure_spill_bound(2 * MIB, directory);
	numbers = grow_to(NULL, 0, MIB, &room);
	CU_ASSERT(are_there(numbers, MIB));
	CU_ASSERT(measure_spill_has(numbers));
	CU_ASSERT(measure_spill_spilled() >= 4 * MIB);
	CU_ASSERT(is_directory_empty());
	numbers = measure_shrink(numbers, 1000, &room, sizeof(*numbers));
	CU_ASSERT(!measure_spill_has(numbers));
	numbers = grow_to(numbers, 1000, 300000, &room);
	CU_ASSERT(are_there(numbers, 300000));
	measure_free(numbers);
}

static bool is_zero(const char *memory, size_t size)
{
	return memory[0] == 0 && memcmp(memory, memory + 1, size - 1) == 0;
}

/* What is made is zero, also where something was before. */
static void test_zero(void)
{
	char *pieces[4];

	measure_spill_bound(2 * MIB, directory);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 4; i++) {
			pieces[i] = measure_zeroed(MIB, 1);
			CU_ASSERT(is_zero(pieces[i], MIB));
			memset(pieces[i], 'x', MIB);
		}
		for (int i = 0; i < 4; i++)
			measure_free(pieces[i]);
	}
	/* Two of them at a time. */
	CU_ASSERT_EQUAL(measure_spill_spilled(), 2 * MIB);
}

/* What stays leaves room for what does not. */
static void test_for_long(void)
{
	char *pieces[5];
	uint64_t before;

	measure_spill_bound(16 * MIB, directory);
	for (int i = 0; i < 5; i++)
		pieces[i] = measure_spill(4 * MIB, true);
	before = measure_spill_spilled();
	measure_free(measure_zeroed(4 * MIB, 1));
	CU_ASSERT_EQUAL(measure_spill_spilled(), before);
	for (int i = 0; i < 5; i++)
		measure_free(pieces[i]);
}

static void fill_disk(void)
{
	const struct rlimit limit = {MIB, MIB};

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	measure_spill_bound(0, directory);
	measure_zeroed(2 * MIB, 1);
}

static void lose_directory(void)
{
	measure_spill_bound(0, "/nowhere");
	measure_zeroed(2 * MIB, 1);
}

static void test_no_room(void)
{
	CU_ASSERT(t_ends(fill_disk, "measure-large"));
	CU_ASSERT(t_ends(fill_disk, ": File too large; free space"));
	CU_ASSERT(t_ends(lose_directory, "/nowhere: no space for another 3 MiB"));
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"no room", test_no_room},
		{"sizes", test_sizes},
		{"zero", test_zero},
		{"for long", test_for_long},
		CU_TEST_INFO_NULL,
	};

	return t_suite("large", make_directory, remove_directory, tests);
}
