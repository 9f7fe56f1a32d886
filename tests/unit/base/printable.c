/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: names for people: what can be shown stays, all else is written out, and what does
 * not fit is cut at a whole character. */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "base/printable.h"

static const char *shown(const char *text)
{
	static char buffer[MEASURE_PRINTABLE_SIZE];

	return measure_printable(text, buffer, sizeof(buffer));
}

static void plain(void)
{
	static const char *const texts[] = {"", "main", "operator()(int, char**) const",
		"a\\b \"c\" 'd' %s", "\u00e4\u20ac\U0001f600\u00a0"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CU_ASSERT_PTR_EQUAL(shown(texts[i]), texts[i]);
}

static void written_out(void)
{
	CU_ASSERT_STRING_EQUAL(shown("a\nb\tc\rd"), "a\\nb\\tc\\rd");
	CU_ASSERT_STRING_EQUAL(shown("\033[31mred\177"), "\\x1b[31mred\\x7f");
	CU_ASSERT_STRING_EQUAL(shown("\001"), "\\x01");
	/* one character that some terminals take for ESC [, direction of writing */
	CU_ASSERT_STRING_EQUAL(shown("\xc2\x9b" "2J"), "\\xc2\\x9b2J");
	CU_ASSERT_STRING_EQUAL(shown("a\u202eb"), "a\\xe2\\x80\\xaeb");
}

static void no_utf8(void)
{
	CU_ASSERT_STRING_EQUAL(shown("\xff\xfe"), "\\xff\\xfe");
	CU_ASSERT_STRING_EQUAL(shown("\xc3"), "\\xc3");
	CU_ASSERT_STRING_EQUAL(shown("\xe2\x82z"), "\\xe2\\x82z");
	CU_ASSERT_STRING_EQUAL(shown("\xc0\x80"), "\\xc0\\x80");
	CU_ASSERT_STRING_EQUAL(shown("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");
	CU_ASSERT_STRING_EQUAL(shown("\xed\xa0\x80"), "\\xed\\xa0\\x80");
	CU_ASSERT_STRING_EQUAL(shown("\xf0\x80\x80\x9b"), "\\xf0\\x80\\x80\\x9b");
	CU_ASSERT_STRING_EQUAL(shown("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
	CU_ASSERT_STRING_EQUAL(shown("\u061c"), "\\xd8\\x9c");
	CU_ASSERT_STRING_EQUAL(shown("\ud7ff\U0010ffff"), "\ud7ff\U0010ffff");
}

static void cut(void)
{
	char text[3000], buffer[16];

	memset(text, '\n', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	CU_ASSERT_STRING_EQUAL(
		measure_printable(text, buffer, sizeof(buffer)), "\\n\\n\\n\\n\\n\\n...");
	CU_ASSERT_STRING_EQUAL(
		measure_printable("\033\u00e4\u00e4\u00e4\u00e4\u00e4", buffer, sizeof(buffer)),
		"\\x1b\u00e4\u00e4\u00e4\u00e4...");
	CU_ASSERT_STRING_EQUAL(measure_printable("\n", buffer, sizeof(buffer)), "\\n");
}

/* The end of a text begins with a character. */
static void end(void)
{
	CU_ASSERT_STRING_EQUAL(measure_text_end("abc", 3), "abc");
	CU_ASSERT_STRING_EQUAL(measure_text_end("abc", 2), "bc");
	CU_ASSERT_STRING_EQUAL(measure_text_end("a\u00e4\u65e5", 4), "\u65e5");
	CU_ASSERT_STRING_EQUAL(measure_text_end("a\u00e4\u65e5", 2), "");
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"plain", plain},
		{"written out", written_out},
		{"no UTF-8", no_utf8},
		{"cut", cut},
		{"end", end},
		CU_TEST_INFO_NULL,
	};

	return t_suite("printable", NULL, NULL, tests);
}
