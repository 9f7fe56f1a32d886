/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: our decoder reads of event files what the OTF2 library reads, in every field: all
 * records, attributes and mapping tables, either byte order, records and fields of later versions,
 * files that are cut or damaged. With arguments: of these archives, all event files.
 *
 *	decoder                          the tests
 *	decoder ARCHIVE...               0: nothing differs
 *	decoder --damage SECONDS SEED    as long as that, files damaged in any way */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <otf2/otf2.h>

#include "made_archive.h"
#include "compare.h"
#include "decoder_files.h"
#include "format/event_chunk.h"
#include "format/otf2_records.h"
#include "trace/stream/decoder.h"
#include "trace/common/trace_error.h"
#include "../t_suite.h"

/* ---------------------------------------------------------------------- archives --- */

/* Adds up the archive at `path`; false: something differs. */
static bool compare(const char *path, struct t_comparison *comparison)
{
	struct measure_findings findings = {.nr_kept_per_check = 1};
	struct measure_trace *trace;
	bool are_same;

	if (measure_trace_open(path, &findings, &trace) != MEASURE_OK) {
		snprintf(comparison->difference, sizeof(comparison->difference), "%s",
			measure_trace_error());
		measure_findings_free(&findings);
		return false;
	}
	are_same = t_compare_all(trace, comparison);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return are_same;
}

static void say(const char *what, const struct t_comparison *comparison)
{
	printf("%s: %llu records with %llu attributes in %llu files: %llu whole, %llu cut, %llu damaged;"
	       " library: outside %llu, behind %llu\n",
		what, (unsigned long long)comparison->nr_records,
		(unsigned long long)comparison->nr_attributes,
		(unsigned long long)comparison->nr_locations,
		(unsigned long long)comparison->nr_whole, (unsigned long long)comparison->nr_cut,
		(unsigned long long)comparison->nr_damaged,
		(unsigned long long)comparison->nr_outside,
		(unsigned long long)comparison->nr_behind);
}

static int compare_all(char **paths, int nr)
{
	struct t_comparison comparison = {0};
	int status = 0;

	for (int i = 0; i < nr; i++) {
		if (compare(paths[i], &comparison))
			continue;
		printf("%s: %s\n", paths[i], comparison.difference);
		comparison.difference[0] = '\0';
		status = 1;
	}
	say("all", &comparison);
	return status;
}

/* -------------------------------------------------------------------- made files --- */

static void expect_same(const char *what, const char *directory, struct t_comparison *comparison)
{
	*comparison = (struct t_comparison){0};
	if (!compare(directory, comparison)) {
		fprintf(stderr, "%s: %s\n", what, comparison->difference);
		CU_FAIL("differs");
	}
}

static const char *file_of(const char *directory, int location)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/traces/%d.evt", directory, location);
	return path;
}

static void test_all_records(void)
{
	const char *directory = t_directory();
	struct t_comparison comparison;

	CU_ASSERT_TRUE_FATAL(t_files_make(directory, 60000));
	expect_same("all records", directory, &comparison);
	CU_ASSERT_EQUAL(comparison.nr_records, 60000 * T_NR_FILES);
	CU_ASSERT_EQUAL(comparison.nr_whole, T_NR_FILES);
	CU_ASSERT_TRUE(comparison.nr_attributes > 10000);
}

static void rewritten(const char *what, const struct t_rewriting *rewriting)
{
	const char *directory = t_directory();
	struct t_comparison comparison;

	CU_ASSERT_TRUE_FATAL(t_files_make(directory, 20000));
	for (int i = 0; i < T_NR_FILES; i++)
		t_file_rewrite(file_of(directory, i), rewriting);
	expect_same(what, directory, &comparison);
	CU_ASSERT_TRUE(comparison.nr_records >= 20000 * T_NR_FILES);
	CU_ASSERT_EQUAL(comparison.nr_whole, T_NR_FILES);
}

static void test_same_order(void)
{
	rewritten("rewritten", &(struct t_rewriting){.is_big = false});
}

static void test_big_endian(void)
{
	rewritten("big endian", &(struct t_rewriting){.is_big = true});
}

static void test_later_versions(void)
{
	rewritten("later versions", &(struct t_rewriting){.has_more = true});
	rewritten("later versions, big endian",
		&(struct t_rewriting){.is_big = true, .has_more = true});
}

static void test_cut(void)
{
	const char *directory = t_directory();
	struct t_comparison comparison;
	const char *file;
	off_t whole;

	CU_ASSERT_TRUE_FATAL(t_files_make(directory, 200));
	file = file_of(directory, 0);
	whole = t_file_size(file) - 1; /* with the first one of the two marks at its end */
	for (off_t size = whole; size >= 0; size--) {
		CU_ASSERT_EQUAL_FATAL(truncate(file, size), 0);
		expect_same("cut", directory, &comparison);
		CU_ASSERT_EQUAL(comparison.nr_whole, T_NR_FILES - (size < whole));
	}
}

/* ----------------------------------------------------------------------- damage --- */

/* Damages the event files of small archives, some of whose lie in several chunks. */
static bool damage_for(double seconds, uint64_t seed, uint64_t most, struct t_comparison *comparison)
{
	const double end = (double)clock() + seconds * CLOCKS_PER_SEC;
	uint64_t nr = 0;

	for (; nr < most && (double)clock() < end; nr++) {
		static const char *directory;

		if (nr % 200 == 0) {
			t_clean();
			directory = t_directory();
			if (!t_files_make(directory, nr % 1000 == 600 ? 20000 : 100))
				return false;
		}
		t_files_damage(directory, seed + nr);
		if (!compare(directory, comparison)) {
			fprintf(stderr, "seed %llu: %s\n", (unsigned long long)(seed + nr),
				comparison->difference);
			return false;
		}
		t_files_restore(directory);
	}
	return true;
}

static void test_damage(void)
{
	struct t_comparison comparison = {0};

	CU_ASSERT_TRUE(damage_for(20, 1, 600, &comparison));
	say("damaged", &comparison);
	CU_ASSERT_TRUE(comparison.nr_damaged > 0 && comparison.nr_cut > 0);
}

/* A file of one page and one chunk, the last byte of which begins a timestamp. The kernel maps it below
 * the guard: what lies after its end cannot be read. */
static void test_last_byte(void)
{
	enum { PAGE = 4096 };
	static uint8_t page[PAGE];
	struct measure_event_decoder decoder;
	size_t place = measure_chunk_begin(page, 1), nr = 0;
	void *guard;
	char path[] = "/tmp/measure-decoder-XXXXXX";
	int fd = mkstemp(path);

	page[place] = MEASURE_OTF2_TIMESTAMP;
	place += 1 + sizeof(uint64_t);
	for (; place < PAGE - 1; place += 2)
		page[place] = MEASURE_OTF2_ENTER; /* of region 0: no bytes follow the length */
	page[PAGE - 1] = MEASURE_OTF2_TIMESTAMP;
	CU_ASSERT_EQUAL(write(fd, page, PAGE), PAGE);
	close(fd);
	guard = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	measure_event_decoder_open(&decoder, path, PAGE, NULL);
	while (measure_event_decoder_next(&decoder))
		nr++;
	CU_ASSERT_TRUE(nr > 2000);
	CU_ASSERT_TRUE(decoder.state == MEASURE_EVENT_DECODER_CUT_OFF ||
		       decoder.state == MEASURE_EVENT_DECODER_DAMAGED);
	measure_event_decoder_close(&decoder);
	munmap(guard, PAGE);
	unlink(path);
}

static int run_damage(const char *seconds, const char *seed)
{
	struct t_comparison comparison = {0};
	const bool are_same =
		damage_for(atof(seconds), strtoull(seed, NULL, 10), UINT64_MAX, &comparison);

	say("damaged", &comparison);
	t_clean();
	return are_same ? 0 : 1;
}

int main(int argc, char **argv)
{
	static CU_TestInfo tests[] = {
		{"all records", test_all_records},
		{"rewritten", test_same_order},
		{"big endian", test_big_endian},
		{"later versions", test_later_versions},
		{"cut", test_cut},
		{"damage", test_damage},
		{"last byte", test_last_byte},
		CU_TEST_INFO_NULL,
	};
	int failed;

	measure_error_start();
	if (argc == 4 && !strcmp(argv[1], "--damage"))
		return run_damage(argv[2], argv[3]);
	if (argc > 1)
		return compare_all(argv + 1, argc - 1);
	failed = t_suite("decoder", NULL, NULL, tests);
	t_clean();
	return failed;
}
