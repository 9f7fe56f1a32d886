/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: fingerprints of files: equal in memory and on disk, other where headers or symbol
 * tables are others, none of what is no whole ELF file. */
#include "config.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/fingerprint.h"
#include "../t_suite.h"

#define SIZE   8192
#define TABLES 4096 /* where the first part, of headers and tables, ends */

/* A file of one part that is only read and one of code. */
static struct {
	ElfW(Ehdr) header;
	ElfW(Phdr) parts[2];
	char rest[SIZE];
} file;

static char text[MEASURE_FINGERPRINT_ROOM], other[MEASURE_FINGERPRINT_ROOM];

static void t_make(void)
{
	memset(&file, 0, sizeof(file));
	memcpy(file.header.e_ident, ELFMAG, SELFMAG);
	file.header.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	file.header.e_phoff = sizeof(file.header);
	file.header.e_phentsize = sizeof(file.parts[0]);
	file.header.e_phnum = 2;
	file.parts[0] = (ElfW(Phdr)){
		.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = TABLES, .p_memsz = TABLES};
	file.parts[1] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		.p_offset = TABLES, .p_filesz = SIZE - TABLES, .p_memsz = SIZE - TABLES};
}

static void test_same(void)
{
	t_make();
	CU_ASSERT_TRUE(measure_fingerprint(&file, SIZE, text));
	CU_ASSERT_EQUAL(strlen(text), MEASURE_FINGERPRINT_ROOM - 1);
	CU_ASSERT_EQUAL(text[0], MEASURE_FINGERPRINT_MARK);
	CU_ASSERT_TRUE(measure_fingerprint(&file, TABLES, other)); /* what is loaded of it */
	CU_ASSERT_STRING_EQUAL(text, other);
	((char *)&file)[TABLES + 1]++; /* code: it may have been patched */
	CU_ASSERT_TRUE(measure_fingerprint(&file, SIZE, other));
	CU_ASSERT_STRING_EQUAL(text, other);
}

static void test_other(void)
{
	t_make();
	measure_fingerprint(&file, SIZE, text);
	((char *)&file)[TABLES - 1]++;
	CU_ASSERT_TRUE(measure_fingerprint(&file, SIZE, other));
	CU_ASSERT_STRING_NOT_EQUAL(text, other);
	t_make();
	file.header.e_shoff++;
	CU_ASSERT_TRUE(measure_fingerprint(&file, SIZE, other));
	CU_ASSERT_STRING_NOT_EQUAL(text, other);
}

/* Where the first part has code in it, only the headers count. */
static void test_with_code(void)
{
	t_make();
	file.parts[0].p_flags |= PF_X;
	measure_fingerprint(&file, SIZE, text);
	file.rest[0]++;
	CU_ASSERT_TRUE(measure_fingerprint(&file, SIZE, other));
	CU_ASSERT_STRING_EQUAL(text, other);
	file.parts[1].p_filesz--;
	CU_ASSERT_TRUE(measure_fingerprint(&file, SIZE, other));
	CU_ASSERT_STRING_NOT_EQUAL(text, other);
}

static void test_damaged(void)
{
	t_make();
	CU_ASSERT_FALSE(measure_fingerprint(&file, sizeof(file.header) - 1, text));
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_FALSE(measure_fingerprint(&file, sizeof(file.header) + 1, text));
	file.header.e_phoff = SIZE + 1;
	CU_ASSERT_FALSE(measure_fingerprint(&file, SIZE, text));
	file.header.e_phoff = (ElfW(Off))-8;
	CU_ASSERT_FALSE(measure_fingerprint(&file, SIZE, text));
	file.header.e_phoff = sizeof(file.header) + 1;
	CU_ASSERT_FALSE(measure_fingerprint(&file, SIZE, text));
	t_make();
	file.header.e_ident[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
	CU_ASSERT_FALSE(measure_fingerprint(&file, SIZE, text));
	t_make();
	file.header.e_ident[0] = 0;
	CU_ASSERT_FALSE(measure_fingerprint(&file, SIZE, text));
	t_make();
	file.parts[0].p_filesz = (ElfW(Xword))-1; /* more than there is */
	CU_ASSERT_TRUE(measure_fingerprint(&file, SIZE, text));
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"same", test_same},
		{"other", test_other},
		{"with code", test_with_code},
		{"damaged", test_damaged},
		CU_TEST_INFO_NULL,
	};

	return t_suite("fingerprint", NULL, NULL, tests);
}
