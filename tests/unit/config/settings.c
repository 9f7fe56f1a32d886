/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: settings are parsed, refused and printed as config.def says. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "config/settings.h"
#include "../t_suite.h"

static struct measure_settings settings;
static const char *why;

static measure_status_t t_set(const char *name, const char *value)
{
	return measure_settings_set(&settings, name, value, &why);
}

static void defaults_are_those_of_the_table(void)
{
	measure_settings_defaults(&settings);
	CU_ASSERT_STRING_EQUAL(settings.output, "measure-%p-%t");
	CU_ASSERT_STRING_EQUAL(settings.adapters, "auto");
	CU_ASSERT_EQUAL(settings.buffer, 0);
	CU_ASSERT_EQUAL(settings.chunk, 256 * 1024);
	CU_ASSERT_EQUAL(settings.spool, MEASURE_SPOOL_ALWAYS);
	CU_ASSERT_EQUAL(settings.rank, MEASURE_RANK_NONE);
	CU_ASSERT_FALSE(settings.verbose);
}

/* A default that its own parser refuses would silently be zero. */
static void every_default_is_a_value(void)
{
	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		CU_ASSERT_EQUAL(t_set(setting->name, setting->initial), MEASURE_OK);
	}
}

static void sizes_have_binary_units(void)
{
	static const struct {
		const char *text;
		uint64_t size;
	} good[] = {{"0", 0}, {"auto", 0}, {"4096", 4096}, {"64k", 65536}, {"64K", 65536},
		{"256M", UINT64_C(256) << 20}, {"2G", UINT64_C(2) << 30}, {"1T", UINT64_C(1) << 40},
		{"3MiB", 3 << 20}, {"3MB", 3 << 20}, {"3mb", 3 << 20}, {"3 MB", 3 << 20},
		{"1.5G", UINT64_C(3) << 29}, {"0.5K", 512}, {"512B", 512}};
	static const char *const bad[] = {"", "M", "-1", "1X", "1MM", "1.5", "1.5.5G", "1.G5", "1 ",
		"99999999999999999999", "99999999999T", " 1"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CU_ASSERT_EQUAL(t_set("buffer", good[i].text), MEASURE_OK);
		CU_ASSERT_EQUAL(settings.buffer, good[i].size);
	}
	t_set("buffer", "8M");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_EQUAL(t_set("buffer", bad[i]), MEASURE_ERROR_USAGE);
		CU_ASSERT_EQUAL(settings.buffer, 8 << 20);
	}
}

static void times_have_units(void)
{
	static const struct {
		const char *text;
		uint64_t seconds;
	} good[] = {{"0", 0}, {"10", 10}, {"10s", 10}, {"10 s", 10}, {"2min", 120}, {"1.5min", 90},
		{"3000ms", 3}, {"1h", 3600}};
	static const char *const bad[] = {"", "s", "-1", "1.5", "500ms", "1d", "10ss", "1e3"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CU_ASSERT_EQUAL(t_set("patience", good[i].text), MEASURE_OK);
		CU_ASSERT_EQUAL(settings.patience, good[i].seconds);
	}
	t_set("patience", "7");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_EQUAL(t_set("patience", bad[i]), MEASURE_ERROR_USAGE);
		CU_ASSERT_EQUAL(settings.patience, 7);
	}
	CU_ASSERT_EQUAL(t_set("metric_interval", "0.5s"), MEASURE_OK);
	CU_ASSERT_EQUAL(settings.metric_interval, 500);
	CU_ASSERT_EQUAL(t_set("metric_interval", "250"), MEASURE_OK);
	CU_ASSERT_EQUAL(settings.metric_interval, 250);
}

static void shares_are_percentages(void)
{
	double share;

	CU_ASSERT_TRUE(measure_share_parse("off", &share) && share == 0);
	CU_ASSERT_TRUE(measure_share_parse("5", &share) && fabs(share - 0.05) < 1e-12);
	CU_ASSERT_TRUE(measure_share_parse("0.5%", &share) && fabs(share - 0.005) < 1e-12);
	CU_ASSERT_TRUE(measure_share_parse("5 %", &share) && fabs(share - 0.05) < 1e-12);
	CU_ASSERT_FALSE(measure_share_parse("0", &share));
	CU_ASSERT_FALSE(measure_share_parse("101%", &share));
	CU_ASSERT_FALSE(measure_share_parse("%", &share));
	CU_ASSERT_FALSE(measure_share_parse("5%%", &share));
}

static void choices_and_flags_take_their_words_only(void)
{
	CU_ASSERT_EQUAL(t_set("spool", "end"), MEASURE_OK);
	CU_ASSERT_EQUAL(settings.spool, MEASURE_SPOOL_END);
	CU_ASSERT_EQUAL(t_set("spool", "en"), MEASURE_ERROR_USAGE);
	CU_ASSERT_EQUAL(t_set("spool", "full|end"), MEASURE_ERROR_USAGE);
	CU_ASSERT_EQUAL(t_set("spool", ""), MEASURE_ERROR_USAGE);
	CU_ASSERT_EQUAL(settings.spool, MEASURE_SPOOL_END);
	CU_ASSERT_EQUAL(t_set("quiet", "yes"), MEASURE_OK);
	CU_ASSERT_TRUE(settings.quiet);
	CU_ASSERT_EQUAL(t_set("quiet", "0"), MEASURE_OK);
	CU_ASSERT_FALSE(settings.quiet);
	CU_ASSERT_EQUAL(t_set("quiet", "maybe"), MEASURE_ERROR_USAGE);
	CU_ASSERT_EQUAL(t_set("quiet", "Yes"), MEASURE_OK);
	CU_ASSERT_TRUE(settings.quiet);
	CU_ASSERT_EQUAL(t_set("spool", "FULL"), MEASURE_OK);
	CU_ASSERT_EQUAL(settings.spool, MEASURE_SPOOL_FULL);
}

static void names_are_checked(void)
{
	CU_ASSERT_EQUAL(t_set("buffers", "1"), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT_EQUAL(t_set("buf", "1"), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT_EQUAL(t_set("local-size", "7"), MEASURE_OK);
	CU_ASSERT_EQUAL(settings.local_size, 7);
}

static void texts_are_bounded(void)
{
	char text[MEASURE_SETTINGS_TEXT + 1];

	memset(text, 'x', sizeof(text));
	text[MEASURE_SETTINGS_TEXT] = '\0';
	CU_ASSERT_EQUAL(t_set("output", text), MEASURE_ERROR_USAGE);
	text[MEASURE_SETTINGS_TEXT - 1] = '\0';
	CU_ASSERT_EQUAL(t_set("output", text), MEASURE_OK);
	CU_ASSERT_EQUAL(t_set("output", "a\nclock = tsc"), MEASURE_ERROR_USAGE);
}

static void lines_are_parsed(void)
{
	measure_settings_defaults(&settings);
	CU_ASSERT_EQUAL(measure_settings_parse(&settings,
				"# comment\n\n  output = a = b c\nrank=3\nspool  =  full", &why),
		MEASURE_OK);
	CU_ASSERT_STRING_EQUAL(settings.output, "a = b c");
	CU_ASSERT_EQUAL(settings.rank, 3);
	CU_ASSERT_EQUAL(settings.spool, MEASURE_SPOOL_FULL);

	CU_ASSERT_EQUAL(measure_settings_parse(&settings, "nonsense", &why), MEASURE_ERROR_FORMAT);
	CU_ASSERT_EQUAL(measure_settings_parse(&settings, "= 3", &why), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT_EQUAL(measure_settings_parse(&settings, "rank = x\nsize = 3", &why),
		MEASURE_ERROR_USAGE);
	CU_ASSERT_EQUAL(settings.size, 0);
}

static void what_is_printed_parses_to_the_same(void)
{
	static struct measure_settings again;
	static char text[16384], text_again[16384];
	size_t length;

	measure_settings_defaults(&settings);
	t_set("output", "dir with blanks/%p");
	t_set("buffer", "1000001");
	t_set("spool", "end");
	t_set("verbose", "yes");
	t_set("clock_origin", "18446744073709551615");
	CU_ASSERT_EQUAL(measure_settings_print(&settings, text, sizeof(text), &length), MEASURE_OK);
	CU_ASSERT_EQUAL(length, strlen(text));
	measure_settings_defaults(&again);
	CU_ASSERT_EQUAL(measure_settings_parse(&again, text, &why), MEASURE_OK);
	measure_settings_print(&again, text_again, sizeof(text_again), &length);
	CU_ASSERT_STRING_EQUAL(text, text_again);
	CU_ASSERT_EQUAL(again.clock_origin, UINT64_MAX);
	CU_ASSERT_EQUAL(measure_settings_print(&settings, text, 40, &length), MEASURE_ERROR_MEMORY);
}

static void environment_names_follow(void)
{
	char name[64];

	measure_setting_environment(&measure_settings_table[0], name);
	CU_ASSERT_STRING_EQUAL(name, "MEASURE_OUTPUT");
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"defaults are those of the table", defaults_are_those_of_the_table},
		{"every default is a value", every_default_is_a_value},
		{"sizes have binary units", sizes_have_binary_units},
		{"times have units", times_have_units},
		{"shares are percentages", shares_are_percentages},
		{"choices and flags take their words only",
			choices_and_flags_take_their_words_only},
		{"names are checked", names_are_checked},
		{"texts are bounded", texts_are_bounded},
		{"lines are parsed", lines_are_parsed},
		{"what is printed parses to the same", what_is_printed_parses_to_the_same},
		{"environment names follow", environment_names_follow},
		CU_TEST_INFO_NULL,
	};

	return t_suite("settings", NULL, NULL, tests);
}
