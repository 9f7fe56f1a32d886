/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: names, files and lines of this program's own functions, and of what cannot be
 * known. */
#include "config.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/symbols.h"
#include "../t_suite.h"

enum { HIDDEN_LINE = __LINE__ + 1 };
static __attribute__((noinline)) int t_hidden(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static int note_first(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

static uint64_t t_address(void)
{
	uint64_t bias = 0;

	dl_iterate_phdr(note_first, &bias);
	return (uint64_t)(uintptr_t)t_hidden - bias;
}

/* Build id "" fits only a file without one, so it is read off the file here. */
static struct measure_symbols *t_open(void)
{
	char id[128] = "";
	FILE *pipe = popen("readelf -n \"$(readlink -f /proc/$PPID/exe)\" 2>/dev/null |"
			   "sed -n 's/.*Build ID: //p'", "r");

	if (!pipe || !fgets(id, sizeof(id), pipe))
		id[0] = '\0';
	if (pipe)
		pclose(pipe);
	id[strcspn(id, "\n")] = '\0';
	return measure_symbols_open("/proc/self/exe", id);
}

static void test_function(void)
{
	struct measure_symbols *symbols = t_open();
	struct measure_symbol symbol;

	CU_ASSERT_PTR_NOT_NULL_FATAL(symbols);
	CU_ASSERT_PTR_NULL(measure_symbols_trouble(symbols));
	CU_ASSERT_EQUAL(t_hidden(1), 2);
	CU_ASSERT_EQUAL(measure_symbols_function(symbols, t_address(), &symbol), MEASURE_OK);
	CU_ASSERT_STRING_EQUAL(symbol.name, "t_hidden");
	CU_ASSERT_STRING_EQUAL(symbol.canonical, "t_hidden");
	if (symbol.file[0]) { /* built with debug data */
		CU_ASSERT_PTR_NOT_NULL(strstr(symbol.file, "symbols.c"));
		CU_ASSERT_EQUAL(symbol.begin_line, HIDDEN_LINE);
		CU_ASSERT_EQUAL(measure_symbols_line(symbols, t_address(), "!$omp for", &symbol),
			MEASURE_OK);
		CU_ASSERT_PTR_NOT_NULL(strstr(symbol.name, "!$omp for @symbols.c:"));
	}
	CU_ASSERT_EQUAL(measure_symbols_function(symbols, 1, &symbol), MEASURE_OK);
	CU_ASSERT_STRING_EQUAL(symbol.name, "exe+0x1");
	measure_symbols_close(symbols);
}

static void test_trouble(void)
{
	struct measure_symbols *symbols = measure_symbols_open("/no/such/file", "");
	struct measure_symbol symbol;

	CU_ASSERT_PTR_NOT_NULL(measure_symbols_trouble(symbols));
	CU_ASSERT_EQUAL(measure_symbols_function(symbols, 0x1234, &symbol), MEASURE_OK);
	CU_ASSERT_STRING_EQUAL(symbol.name, "file+0x1234");
	CU_ASSERT_STRING_EQUAL(symbol.file, "");
	CU_ASSERT_EQUAL(measure_symbols_line(symbols, 0x1234, "x", &symbol), MEASURE_OK);
	CU_ASSERT_STRING_EQUAL(symbol.name, "x @file+0x1234");
	measure_symbols_close(symbols);

	symbols = measure_symbols_open("/proc/self/exe", "0123");
	CU_ASSERT_PTR_NOT_NULL(measure_symbols_trouble(symbols));
	measure_symbols_close(symbols);
}

static void test_demangle(void)
{
	char *name = measure_demangle("_ZN4grid5sweepEi");

	if (name) /* there is a C++ run-time library */
		CU_ASSERT_STRING_EQUAL(name, "grid::sweep(int)");
	free(name);
	CU_ASSERT_PTR_NULL(measure_demangle("sweep"));
	CU_ASSERT_PTR_NULL(measure_demangle("_Z!"));
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"function", test_function},
		{"trouble", test_trouble},
		{"demangle", test_demangle},
		CU_TEST_INFO_NULL,
	};

	return t_suite("symbols", NULL, NULL, tests);
}
