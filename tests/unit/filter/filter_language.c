/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: filters mean what measure-filter(5) says, Score-P's as its manual has them, and
 * mistakes are told with their place. */
#include "config.h"

#include "filter/filter.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/patterns.h"
#include "filter/rules.h"
#include "t_suite.h"

static struct measure_filter_error error;

static struct measure_filter *parse(const char *text)
{
	struct measure_filter *filter = measure_filter_new();

	error.text[0] = '\0';
	if (measure_filter_add(filter, "f", text, &error) == MEASURE_OK)
		return filter;
	measure_filter_free(filter);
	return NULL;
}

static struct measure_filter_region function(const char *name)
{
	return (struct measure_filter_region){.name = name,
		.mangled = name,
		.file = "/src/a/main.cc",
		.module = "/usr/lib/libgrid.so.1",
		.paradigm = OTF2_PARADIGM_COMPILER,
		.role = OTF2_REGION_ROLE_FUNCTION};
}

/* Is every call of it recorded (1), none (0), or does it depend (2)? */
static int judge_region(const char *text, const struct measure_filter_region *region, uint32_t rank)
{
	struct measure_filter *filter = parse(text);
	measure_filter_outcome_t outcome;

	if (!filter) {
		printf("\n%s\n", error.text);
		return -1;
	}
	outcome = measure_filter_match(filter, region, rank);
	measure_filter_free(filter);
	return outcome == 0 ? 1 : outcome == MEASURE_FILTER_OFF ? 0 : 2;
}

static int judge(const char *text, const char *name)
{
	struct measure_filter_region region = function(name);

	return judge_region(text, &region, 0);
}

static bool fails(const char *text, const char *expected)
{
	struct measure_filter *filter = parse(text);
	bool is_expected = !filter && strncmp(error.text, expected, strlen(expected)) == 0;

	if (!is_expected)
		printf("\n'%s': %s\n", text, filter ? "was accepted" : error.text);
	measure_filter_free(filter);
	return is_expected;
}

/* ------------------------------------------------------------------------ globs --- */

static void test_globs(void)
{
	static const struct {
		const char *glob, *text;
		bool matches;
	} cases[] = {
		{"", "", true},
		{"", "a", false},
		{"a", "a", true},
		{"a", "ab", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"a*", "a", true},
		{"*a", "bba", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXcYb", false},
		{"?", "a", true},
		{"?", "", false},
		{"a?c", "abc", true},
		{"[ab]c", "bc", true},
		{"[ab]c", "cc", false},
		{"[!ab]c", "cc", true},
		{"[^ab]c", "ac", false},
		{"[a-f]", "d", true},
		{"[a-f]", "g", false},
		{"[]a]", "]", true},
		{"[]a]", "b", false},
		{"[a-]", "-", true},
		{"[a", "[a", true},
		{"\\*", "*", true},
		{"\\*", "a", false},
		{"a\\", "a\\", true},
		{"[\\]x]", "]", true},
		{"**a**", "xay", true},
		{"*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool is_right =
			measure_glob_matches(cases[i].glob, cases[i].text) == cases[i].matches;
		if (!is_right)
			printf("\nglob '%s' '%s'\n", cases[i].glob, cases[i].text);
		CU_ASSERT(is_right);
	}
}

/* ----------------------------------------------------------------- our language --- */

static void test_names(void)
{
	CU_ASSERT_EQUAL(judge("", "a"), 1);
	CU_ASSERT_EQUAL(judge("# nothing\n\n", "a"), 1);
	CU_ASSERT_EQUAL(judge("exclude", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude a", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude a", "b"), 1);
	CU_ASSERT_EQUAL(judge("exclude a b", "b"), 0);
	CU_ASSERT_EQUAL(judge("exclude\ninclude b", "b"), 1);
	CU_ASSERT_EQUAL(judge("exclude\ninclude b", "a"), 0);
	CU_ASSERT_EQUAL(judge("include b\nexclude", "b"), 0);
	CU_ASSERT_EQUAL(judge("exclude std::*", "std::sort<int*>(int*, int*)"), 0);
	CU_ASSERT_EQUAL(judge("exclude solve", "void solve(int)"), 0);
	CU_ASSERT_EQUAL(judge("exclude solve<*", "void solve<3>(int)"), 0);
	CU_ASSERT_EQUAL(judge("exclude \"void solve<3>(*\"", "void solve<3>(int)"), 0);
	CU_ASSERT_EQUAL(judge("exclude void\\ solve<3>(int)", "void solve<3>(int)"), 0);
	CU_ASSERT_EQUAL(judge("exclude name~^get_[a-z]+$", "get_value"), 0);
	CU_ASSERT_EQUAL(judge("exclude name~^get_[a-z]+$", "get_Value"), 1);
	CU_ASSERT_EQUAL(judge("exclude mangled=_ZN3std*", "_ZN3std"), 0);
	CU_ASSERT_EQUAL(judge("exclude operator==", "operator==(a, b)"), 0);
	CU_ASSERT_EQUAL(judge("exclude \"x=y\"", "x=y"), 0);
	CU_ASSERT_EQUAL(judge("exclude a \\\n  b # c", "b"), 0);
	CU_ASSERT_EQUAL(judge("exclude a \\\n  b # c", "c"), 1);
	CU_ASSERT_EQUAL(judge("exclude a\r\nexclude c\r\n", "c"), 0);
}

static void test_places(void)
{
	struct measure_filter_region region = function("a");

	CU_ASSERT_EQUAL(judge("exclude file=main.cc", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude file=*/a/*", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude file=a", "a"), 1);
	CU_ASSERT_EQUAL(judge("exclude module=libgrid*", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude module=/usr/*", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude file=main.cc b", "a"), 1);
	CU_ASSERT_EQUAL(judge("exclude file=main.cc a", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude paradigm=mpi,openmp", "a"), 1);
	CU_ASSERT_EQUAL(judge("exclude paradigm=compiler", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude role=coll", "a"), 1);
	region.paradigm = OTF2_PARADIGM_MPI;
	region.role = OTF2_REGION_ROLE_COLL_ONE2ALL;
	region.file = NULL;
	CU_ASSERT_EQUAL(judge_region("exclude role=coll,barrier", &region, 0), 0);
	CU_ASSERT_EQUAL(judge_region("exclude file=*", &region, 0), 1);
	CU_ASSERT_EQUAL(judge_region("exclude rank=1-", &region, 0), 1);
	CU_ASSERT_EQUAL(judge_region("exclude rank=1-", &region, 7), 0);
	CU_ASSERT_EQUAL(judge_region("exclude rank=0,3-5", &region, 4), 0);
	CU_ASSERT_EQUAL(judge_region("exclude rank=0,3-5", &region, 6), 1);
}

static bool decide(const char *text, const struct measure_filter_call *call, uint64_t *shortest)
{
	struct measure_filter_region region = function("a");
	struct measure_filter *filter = parse(text);
	bool is_recorded;

	CU_ASSERT_PTR_NOT_NULL_FATAL(filter);
	is_recorded = measure_filter_decide(
		filter, measure_filter_match(filter, &region, 0), call, shortest);
	measure_filter_free(filter);
	return is_recorded;
}

static void test_calls(void)
{
	struct measure_filter_call call = {
		.time = 15000000000, .number = 20, .thread = 1, .depth = 3, .within = 1};
	uint64_t shortest;

	CU_ASSERT_FALSE(decide("exclude thread=1", &call, &shortest));
	CU_ASSERT_TRUE(decide("exclude thread=2-", &call, &shortest));
	CU_ASSERT_FALSE(decide("exclude time=10-20", &call, &shortest));
	CU_ASSERT_TRUE(decide("exclude time=-14.5s,16000ms-", &call, &shortest));
	CU_ASSERT_FALSE(decide("exclude depth=3-", &call, &shortest));
	CU_ASSERT_TRUE(decide("exclude depth=4-", &call, &shortest));
	CU_ASSERT_TRUE(decide("exclude\ninclude every=10", &call, &shortest));
	CU_ASSERT_FALSE(decide("exclude\ninclude every=7", &call, &shortest));
	CU_ASSERT_TRUE(decide("exclude\ninclude within=solve", &call, &shortest));
	call.within = 0;
	CU_ASSERT_FALSE(decide("exclude\ninclude within=solve", &call, &shortest));
	CU_ASSERT_TRUE(decide("exclude shorter=10us", &call, &shortest));
	CU_ASSERT_EQUAL(shortest, 10000);
	CU_ASSERT_FALSE(decide("exclude\nexclude shorter=10us", &call, &shortest));
	CU_ASSERT_TRUE(decide("exclude shorter=10us\ninclude a", &call, &shortest));
	CU_ASSERT_EQUAL(shortest, 0);
	CU_ASSERT_TRUE(decide("exclude thread=1\ninclude depth=3", &call, &shortest));
	CU_ASSERT_FALSE(decide("include depth=3\nexclude thread=1", &call, &shortest));
}

static void test_judgements(void)
{
	struct measure_filter_region solve = function("solve"), other = function("a");
	struct measure_filter *filter = parse("exclude\ninclude within=solve\nexclude b every=2");

	CU_ASSERT_PTR_NOT_NULL_FATAL(filter);
	CU_ASSERT_EQUAL(measure_filter_opens(measure_filter_match(filter, &solve, 0)), 1);
	CU_ASSERT_EQUAL(measure_filter_opens(measure_filter_match(filter, &other, 0)), 0);
	CU_ASSERT_EQUAL(measure_filter_needs(filter, measure_filter_match(filter, &other, 0)), 0);
	measure_filter_free(filter);
	CU_ASSERT_EQUAL(judge("exclude depth=5-", "a"), 2);
	CU_ASSERT_EQUAL(judge("exclude b depth=5-", "a"), 1);
	CU_ASSERT_EQUAL(judge("exclude depth=5-\ninclude a", "a"), 1);
	CU_ASSERT_EQUAL(judge("exclude\nexclude depth=5-", "a"), 0);
	CU_ASSERT_EQUAL(judge("include time=5-", "a"), 1);
}

/* What one thread of a team leaves out, all have to. */
static void test_team_barriers(void)
{
	const struct measure_filter_region barrier = {.name = "!$omp barrier",
		.paradigm = OTF2_PARADIGM_OPENMP,
		.role = OTF2_REGION_ROLE_BARRIER};

	CU_ASSERT_EQUAL(judge_region("exclude shorter=1s", &barrier, 0), 1);
	CU_ASSERT_EQUAL(judge_region("exclude thread=1", &barrier, 0), 1);
	CU_ASSERT_EQUAL(judge_region("exclude\ninclude within=solve", &barrier, 0), 0);
	CU_ASSERT_EQUAL(judge_region("exclude within=!$omp*", &barrier, 0), 2); /* it opens it */
}

static void test_options(void)
{
	struct measure_filter_region a = function("a"), b = function("b"), c = function("c");
	struct measure_filter *filter = measure_filter_new();

	CU_ASSERT_EQUAL(
		measure_filter_add_option(filter, "--exclude", false, "a; b", &error), MEASURE_OK);
	CU_ASSERT_EQUAL(
		measure_filter_add_option(filter, "--include", true, "b", &error), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_filter_match(filter, &a, 0), MEASURE_FILTER_OFF);
	CU_ASSERT_EQUAL(measure_filter_match(filter, &b, 0), 0);
	CU_ASSERT_EQUAL(measure_filter_match(filter, &c, 0), 0);
	CU_ASSERT_EQUAL(measure_filter_add_option(filter, "--include", true, "rank=x", &error),
		MEASURE_ERROR_FORMAT);
	CU_ASSERT_STRING_EQUAL(
		error.text, "--include: 'x' is not a value of rank: numbers and ranges: 0,2-5,8-");
	measure_filter_free(filter);
}

/* Thousands of words are one rule, and looked up as such. */
static void test_many(void)
{
	struct measure_filter *filter;
	char *text = malloc(20 * 20000), *end = text;
	struct measure_filter_region region = function("name19999");

	for (int i = 0; i < 20000; i++)
		end += sprintf(end, "exclude name%d\n", i);
	filter = parse(text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(filter);
	CU_ASSERT_EQUAL(filter->main.rules.nr, 1);
	for (int i = 0; i < 100000; i++)
		CU_ASSERT_EQUAL(measure_filter_match(filter, &region, 0), MEASURE_FILTER_OFF);
	measure_filter_free(filter);
	free(text);
}

static void test_mistakes(void)
{
	CU_ASSERT(fails("exclude a\nexlude b\n",
		"f:2:1: 'exlude' does not begin a rule: expected exclude or include"));
	CU_ASSERT(
		fails("exclude nmae=b", "f:1:9: 'nmae' is not a condition: name, mangled, file, "));
	CU_ASSERT(fails("exclude \"a", "f:1:9: unterminated quote"));
	CU_ASSERT(fails("exclude name~(", "f:1:9: '(' is not an extended regular expression"));
	CU_ASSERT(fails("exclude name~a{99}{99}", "f:1:9: 'a{99}{99}' is too large when its"));
	CU_ASSERT(fails(
		"exclude name~a+++++++++++++++++++++", "f:1:9: 'a+++++++++++++++++++++' is too"));
	CU_ASSERT(
		fails("exclude name~(((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+", "f:1:9: '((((((((("));
	CU_ASSERT(fails("exclude name=", "f:1:9: '' is empty: expected a pattern"));
	CU_ASSERT(fails("exclude rank=5-3", "f:1:9: '5-3' is not a value of rank: numbers and"));
	CU_ASSERT(fails("exclude rank=1,", "f:1:9: '1,' is not a value of rank: numbers and"));
	CU_ASSERT(fails("exclude rank=99999999999999999999", "f:1:9: "));
	CU_ASSERT(fails("exclude time=5", "f:1:9: '5' is not a value of time: time ranges"));
	CU_ASSERT(fails("exclude shorter=5kg", "f:1:9: '5kg' is not a value of shorter: a time"));
	CU_ASSERT(fails("exclude every=0", "f:1:9: '0' is not a value of every: a number above 0"));
	CU_ASSERT(fails(
		"exclude a paradigm=mpi,foo", "f:1:11: 'foo' is not a paradigm: compiler, user"));
	CU_ASSERT(fails("exclude role=", "f:1:9: '' is not a role: function, wrapper, loop, "));
	CU_ASSERT(fails(
		"exclude depth~3", "f:1:9: depth~ does not take a regular expression: depth="));
	CU_ASSERT(fails("exclude rank=1 rank=2", "f:1:16: rank= appears twice in this rule"));
	CU_ASSERT(fails("  include a shorter=5s", "f:1:3: shorter= can be used with exclude only"));
}

static void test_bounds(void)
{
	char text[1024] = "";

	for (int i = 0; i < MEASURE_FILTER_CALL_RULES; i++)
		strcat(text, "exclude depth=3-\n");
	CU_ASSERT_EQUAL(judge(text, "a"), 2);
	strcat(text, "exclude depth=3-\n");
	CU_ASSERT(fails(text, "f:17:1: too many rules with thread="));
	text[0] = '\0';
	for (int i = 0; i < MEASURE_FILTER_WITHINS; i++)
		strcat(text, "exclude within=b\n");
	CU_ASSERT_EQUAL(judge(text, "a"), 2);
	strcat(text, "exclude within=b\n");
	CU_ASSERT(fails(text, "f:9:1: too many rules with within="));
}

/* --------------------------------------------------------------------- Score-P's --- */

#define REGIONS(rules) "SCOREP_REGION_NAMES_BEGIN\n" rules "\nSCOREP_REGION_NAMES_END\n"
#define FILES(rules)   "SCOREP_FILE_NAMES_BEGIN\n" rules "\nSCOREP_FILE_NAMES_END\n"

static void test_scorep(void)
{
	const char *only =
		REGIONS("  EXCLUDE *\n  INCLUDE bar foo\n          baz\n          main\n");
	const char *files = FILES("  EXCLUDE */a/* # comment\n  INCLUDE */main.cc\n");
	const char *final = FILES("  EXCLUDE *.cc") REGIONS("  INCLUDE *");
	struct measure_filter_region region = function("foo(int)");

	CU_ASSERT_EQUAL(judge(only, "baz"), 1);
	CU_ASSERT_EQUAL(judge(only, "main"), 1);
	CU_ASSERT_EQUAL(judge(only, "foobar"), 0);
	CU_ASSERT_EQUAL(judge(only, "foo(int)"), 0); /* whole names, as there */
	CU_ASSERT_EQUAL(judge(REGIONS("EXCLUDE foo*"), "foo(int)"), 0);
	CU_ASSERT_EQUAL(judge(REGIONS("EXCLUDE foo(?nt)"), "foo(int)"), 0);
	CU_ASSERT_EQUAL(judge(REGIONS("INCLUDE foo EXCLUDE *"), "foo"), 0);
	CU_ASSERT_EQUAL(judge(REGIONS("EXCLUDE a\\#b"), "a#b"), 0);
	CU_ASSERT_EQUAL(judge(REGIONS("EXCLUDE __*_MOD_*"), "__grid_MOD_step"), 0);
	CU_ASSERT_EQUAL(judge(files, "a"), 1);
	CU_ASSERT_EQUAL(judge(FILES("EXCLUDE *.cc"), "a"), 0);
	CU_ASSERT_EQUAL(judge(FILES("EXCLUDE main.cc"), "a"), 1);
	CU_ASSERT_EQUAL(judge(final, "foo"), 0);
	CU_ASSERT_EQUAL(judge(REGIONS("EXCLUDE foo") FILES("INCLUDE *"), "foo"), 0);
	CU_ASSERT_EQUAL(judge(REGIONS(""), "foo"), 1);
	region.mangled = "_Z3fooi";
	CU_ASSERT_EQUAL(judge_region(REGIONS("EXCLUDE MANGLED _Z3foo*"), &region, 0), 0);
	CU_ASSERT_EQUAL(judge_region(REGIONS("EXCLUDE MANGLED foo*"), &region, 0), 1);
	CU_ASSERT_EQUAL(judge_region(REGIONS("EXCLUDE MANGLED x DEMANGLED foo*"), &region, 0), 0);
	CU_ASSERT_EQUAL(judge_region(REGIONS("EXCLUDE *\nINCLUDE MANGLED _Z3fooi"), &region, 0), 1);
	region.paradigm = OTF2_PARADIGM_MPI;
	CU_ASSERT_EQUAL(judge_region(REGIONS("EXCLUDE *"), &region, 0), 1);
}

/* Files that are put one behind the other. */
static void test_both_languages(void)
{
	CU_ASSERT_EQUAL(judge("exclude a\n" REGIONS("INCLUDE a"), "a"), 1);
	CU_ASSERT_EQUAL(judge(REGIONS("INCLUDE a") "exclude a\n", "a"), 0);
	CU_ASSERT_EQUAL(judge("exclude a\n\n# b\n" REGIONS("EXCLUDE b") "\ninclude a\n", "a"), 1);
	CU_ASSERT_EQUAL(judge("exclude a\n\n# b\n" REGIONS("EXCLUDE b") "\ninclude a\n", "b"), 0);
}

static char told[1024];

static void tell(const char *text)
{
	strcat(strcat(told, text), "\n");
}

static void test_all_mistakes(void)
{
	struct measure_filter_error all = {.say = tell};
	struct measure_filter *filter = measure_filter_new();

	told[0] = '\0';
	CU_ASSERT_EQUAL(measure_filter_add(filter, "f",
				"exlude a\nexclude paradigm=mip \\\n  name\nexclude b\nexclude depth=x\n"
				REGIONS("a\nEXCLUDE b") "exclude \"c\n",
				&all),
		MEASURE_ERROR_FORMAT);
	CU_ASSERT_EQUAL(all.nr, 5);
	CU_ASSERT_PTR_NOT_NULL(strstr(told, "f:1:1: 'exlude' does not begin a rule"));
	CU_ASSERT_PTR_NOT_NULL(strstr(told, "\nf:2:9: 'mip' is not a paradigm"));
	CU_ASSERT_PTR_NOT_NULL(strstr(told, "\nf:5:9: 'x' is not a value of depth"));
	CU_ASSERT_PTR_NOT_NULL(strstr(told, "\nf:7:1: 'a' appears before any rule"));
	CU_ASSERT_PTR_NOT_NULL(strstr(told, "\nf:10:9: unterminated quote"));
	measure_filter_free(filter);
}

static void test_scorep_mistakes(void)
{
	CU_ASSERT(fails("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE a\n",
		"f:3:1: the text ends before SCOREP_REGION_NAMES_END"));
	CU_ASSERT(fails(REGIONS("foo"),
		"f:2:1: 'foo' appears before any rule: expected EXCLUDE, INCLUDE or"));
	CU_ASSERT(fails(REGIONS("EXCLUDE"), "f:3:1: the previous rule has no pattern"));
	CU_ASSERT(fails(REGIONS("EXCLUDE INCLUDE a"), "f:2:9: the previous rule has no pattern"));
	CU_ASSERT(
		fails("SCOREP_FILE_BEGIN", "f:1:1: 'SCOREP_FILE_BEGIN' does not begin a block: "));
	CU_ASSERT(fails(REGIONS("EXCLUDE a") "omit b", "f:4:1: 'omit' does not begin a rule: "));
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"globs", test_globs},
		{"rules by name", test_names},
		{"rules by place and kind", test_places},
		{"rules by call", test_calls},
		{"outcomes", test_judgements},
		{"team barriers", test_team_barriers},
		{"options", test_options},
		{"many words", test_many},
		{"mistakes", test_mistakes},
		{"all mistakes", test_all_mistakes},
		{"both languages", test_both_languages},
		{"bounds", test_bounds},
		{"filter files of Score-P", test_scorep},
		{"mistakes in those", test_scorep_mistakes},
		CU_TEST_INFO_NULL,
	};

	return t_suite("filter", NULL, NULL, tests);
}
