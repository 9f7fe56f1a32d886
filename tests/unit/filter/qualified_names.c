/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the qualified name is found in names of functions as the GNU and the LLVM demangler
 * print them, and patterns are matched with it. */
#include "config.h"

#include "filter/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/patterns.h"
#include "t_suite.h"

/* `signature` NULL: the name has no parameters. */
static const struct {
	const char *whole, *bare, *signature;
} cases[] = {
	/* No C++, or nothing around the name. */
	{"", "", NULL},
	{"main", "main", NULL},
	{"heat::sweep", "heat::sweep", NULL},
	{"main._omp_fn.0", "main._omp_fn.0", NULL},
	{"!$omp parallel @heat.c:8", "!$omp parallel @heat.c:8", NULL},
	{"time step (outer)", "time step (outer)", NULL},
	{"lmp+0x11b0", "lmp+0x11b0", NULL},
	{"main.(*Grid).Step", "main.(*Grid).Step", NULL},
	{"solve(grid&)", "solve", "solve(grid&)"},
	{"a::~a()", "a::~a", "a::~a()"},
	{"std::vector<int, std::allocator<int> >::size() const",
		"std::vector<int, std::allocator<int> >::size",
		"std::vector<int, std::allocator<int> >::size() const"},
	{"ns::C::name() const volatile", "ns::C::name", "ns::C::name() const volatile"},
	{"QIPAddressUtils::parseIp6(unsigned char (&) [16], QChar const*, QChar const*)",
		"QIPAddressUtils::parseIp6",
		"QIPAddressUtils::parseIp6(unsigned char (&) [16], QChar const*, QChar const*)"},

	/* Return types. */
	{"void ns::solve<2>(grid<int, 3>&)", "ns::solve<2>", "ns::solve<2>(grid<int, 3>&)"},
	{"char const* const ns::ccp<int>(int)", "ns::ccp<int>", "ns::ccp<int>(int)"},
	{"int ns::C::* ns::md<int>(int)", "ns::md<int>", "ns::md<int>(int)"},
	{"std::vector<int, std::allocator<int> > app::make<int>(int)", "app::make<int>",
		"app::make<int>(int)"},
	{"double __vector(2) Eigen::internal::pmul<double __vector(2)>(double __vector(2) const&, "
	 "double __vector(2) const&)",
		"Eigen::internal::pmul<double __vector(2)>",
		"Eigen::internal::pmul<double __vector(2)>(double __vector(2) const&, "
		"double __vector(2) const&)"},
	{"double __vector(2) const& ns::first<double __vector(2)>()",
		"ns::first<double __vector(2)>", "ns::first<double __vector(2)>()"},
	{"double vector[2] ns::pmul<double vector[2]>(double vector[2] const&)",
		"ns::pmul<double vector[2]>",
		"ns::pmul<double vector[2]>(double vector[2] const&)"},
	{"auto ns::au<int>(int)", "ns::au<int>", "ns::au<int>(int)"},
	{"decltype(auto) ns::da<int (ns::C::*)(int) const>(int (ns::C::*)(int) const)",
		"ns::da<int (ns::C::*)(int) const>",
		"ns::da<int (ns::C::*)(int) const>(int (ns::C::*)(int) const)"},
	{"decltype ({parm#1}+{parm#2}) ns::add<int, double>(int, double)", "ns::add<int, double>",
		"ns::add<int, double>(int, double)"},
	{"decltype (*{parm#1}) ns::at<int*>(int*)", "ns::at<int*>", "ns::at<int*>(int*)"},
	{"decltype (({parm#1}->x)<(0)) ns::less<ns::C>(ns::C*)", "ns::less<ns::C>",
		"ns::less<ns::C>(ns::C*)"},
	{"decltype(fp + fp0) ns::add<int, double>(int, double)", "ns::add<int, double>",
		"ns::add<int, double>(int, double)"},
	{"decltype (::new ((void*)(0)) int((declval<int const&>)())) "
	 "std::construct_at<int, int const&>(int*, int const&)",
		"std::construct_at<int, int const&>",
		"std::construct_at<int, int const&>(int*, int const&)"},
	{"std::enable_if<((sizeof (int))>(2)), int>::type ns::en<int>(int)", "ns::en<int>",
		"ns::en<int>(int)"},
	{"std::enable_if<((1)<(2))&&((8)>>(2)), int>::type ns::en<(4)->(3)>(int)",
		"ns::en<(4)->(3)>", "ns::en<(4)->(3)>(int)"},

	/* Return types that are around the name. */
	{"int (*ns::pf<int>(int))(int)", "ns::pf<int>", "ns::pf<int>(int)"},
	{"int (*(*ns::ppf<int>(int))(double))(int)", "ns::ppf<int>", "ns::ppf<int>(int)"},
	{"int (ns::C::*ns::pmf<int>(int))(int) const", "ns::pmf<int>", "ns::pmf<int>(int)"},
	{"int (ns::(anonymous namespace)::C<int>::*ns::pmf<int>(int) const)(int) const",
		"ns::pmf<int>", "ns::pmf<int>(int) const"},
	{"int (*ns::pa<int>(int)) [3]", "ns::pa<int>", "ns::pa<int>(int)"},
	{"int (&ns::ra<int>(int)) [3]", "ns::ra<int>", "ns::ra<int>(int)"},
	{"void (* const ns::C::get<int>() const)()", "ns::C::get<int>", "ns::C::get<int>() const"},
	{"int (*(*ns::(anonymous namespace)::hid<int (*(*)(int))(int)>(int (*(*)(int))(int)))"
	 "(int))(int)",
		"ns::(anonymous namespace)::hid<int (*(*)(int))(int)>",
		"ns::(anonymous namespace)::hid<int (*(*)(int))(int)>(int (*(*)(int))(int))"},

	/* Operators. */
	{"a::operator()(int) const", "a::operator()", "a::operator()(int) const"},
	{"a::operator()(int) const &", "a::operator()", "a::operator()(int) const &"},
	{"a::operator[](int) &&", "a::operator[]", "a::operator[](int) &&"},
	{"std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>",
		"operator<< <char>(std::ostream&, char)"},
	{"bool operator< <int>(a<int> const&)", "operator< <int>",
		"operator< <int>(a<int> const&)"},
	{"bool ns::operator<<<int>(ns::C, int)", "ns::operator<<<int>",
		"ns::operator<<<int>(ns::C, int)"},
	{"bool ns::C::operator<<int>(int) &&", "ns::C::operator<<int>",
		"ns::C::operator<<int>(int) &&"},
	{"a::operator<(a const&) const", "a::operator<", "a::operator<(a const&) const"},
	{"a::operator>(a const&) const", "a::operator>", "a::operator>(a const&) const"},
	{"a::operator<=>(a const&) const", "a::operator<=>", "a::operator<=>(a const&) const"},
	{"a::operator>>=(int)", "a::operator>>=", "a::operator>>=(int)"},
	{"a::operator->()", "a::operator->", "a::operator->()"},
	{"int a::operator->*<int>(int)", "a::operator->*<int>", "a::operator->*<int>(int)"},
	{"a::operator,(a)", "a::operator,", "a::operator,(a)"},
	{"a::operator&&(a)", "a::operator&&", "a::operator&&(a)"},
	{"a::operator=(a&&)", "a::operator=", "a::operator=(a&&)"},
	{"operator*(ns::C, double __vector(2))", "operator*",
		"operator*(ns::C, double __vector(2))"},
	{"operator new[](unsigned long)", "operator new[]", "operator new[](unsigned long)"},
	{"ns::C::operator delete(void*)", "ns::C::operator delete",
		"ns::C::operator delete(void*)"},
	{"ns::operator\"\" _km(long double)", "ns::operator\"\" _km",
		"ns::operator\"\" _km(long double)"},
	{"a::operator bool() const", "a::operator bool", "a::operator bool() const"},
	{"a::operator int*()", "a::operator int*", "a::operator int*()"},
	{"a::operator std::vector<int, b<int> > const&() const",
		"a::operator std::vector<int, b<int> > const&",
		"a::operator std::vector<int, b<int> > const&() const"},
	{"a::operator long<long>() const", "a::operator long<long>",
		"a::operator long<long>() const"},
	{"a::operator int (*)(double)<int (*)(double)>() const",
		"a::operator int (*)(double)<int (*)(double)>",
		"a::operator int (*)(double)<int (*)(double)>() const"},
	{"a::operator int (*)()()", "a::operator int (*)()", "a::operator int (*)()()"},
	{"void ns::nt<&(ns::C::operator<(int))>()", "ns::nt<&(ns::C::operator<(int))>",
		"ns::nt<&(ns::C::operator<(int))>()"},
	{"void ns::nt<&ns::C::operator()>()", "ns::nt<&ns::C::operator()>",
		"ns::nt<&ns::C::operator()>()"},
	{"void ns::nt<&(ns::C::operator()<int>(int))>(int)",
		"ns::nt<&(ns::C::operator()<int>(int))>",
		"ns::nt<&(ns::C::operator()<int>(int))>(int)"},
	{"operators(int)", "operators", "operators(int)"},

	/* Names in functions. */
	{"(anonymous namespace)::helper(int)", "(anonymous namespace)::helper",
		"(anonymous namespace)::helper(int)"},
	{"int ns::(anonymous namespace)::hid<int>(int)", "ns::(anonymous namespace)::hid<int>",
		"ns::(anonymous namespace)::hid<int>(int)"},
	{"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()",
		"main::{lambda(int)#1}::operator()(int) const"},
	{"ns::f(int) const::{lambda(int)#1}::operator()(int) const",
		"ns::f(int) const::{lambda(int)#1}::operator()",
		"ns::f(int) const::{lambda(int)#1}::operator()(int) const"},
	{"auto ns::C::m(int) const::{lambda(auto:1)#1}::operator()<double>(double) const",
		"ns::C::m(int) const::{lambda(auto:1)#1}::operator()<double>",
		"ns::C::m(int) const::{lambda(auto:1)#1}::operator()<double>(double) const"},
	{"auto ns::C::m(int) const::'lambda'(auto)::operator()<int>(auto) const",
		"ns::C::m(int) const::'lambda'(auto)::operator()<int>",
		"ns::C::m(int) const::'lambda'(auto)::operator()<int>(auto) const"},
	{"ns::all()::{lambda(std::vector<int> (*)(int))#2}::operator()(std::vector<int> (*)(int)) "
	 "const::{lambda()#1}::operator()() const",
		"ns::all()::{lambda(std::vector<int> (*)(int))#2}::operator()"
		"(std::vector<int> (*)(int)) const::{lambda()#1}::operator()",
		"ns::all()::{lambda(std::vector<int> (*)(int))#2}::operator()"
		"(std::vector<int> (*)(int)) const::{lambda()#1}::operator()() const"},
	{"ns::C::operator bool() const::L::go()", "ns::C::operator bool() const::L::go",
		"ns::C::operator bool() const::L::go()"},
	{"ns::f(int)::{default arg#1}::{lambda()#1}::operator()() const",
		"ns::f(int)::{default arg#1}::{lambda()#1}::operator()",
		"ns::f(int)::{default arg#1}::{lambda()#1}::operator()() const"},
	{"icu_72::MicroProps::{unnamed type#1}::~MicroProps()",
		"icu_72::MicroProps::{unnamed type#1}::~MicroProps",
		"icu_72::MicroProps::{unnamed type#1}::~MicroProps()"},

	/* What compilers and demanglers add. */
	{"step.constprop.0", "step", NULL},
	{"step.part.0.cold", "step", NULL},
	{"step(int) [clone .isra.0]", "step", "step(int)"},
	{"void ns::step<2>(int) const [clone .part.0] [clone .cold]", "ns::step<2>",
		"ns::step<2>(int) const"},
	{"step(int) (.part.0)", "step", "step(int)"},
	{"void ns::rq<int>(int) requires std::integral<int>", "ns::rq<int>", "ns::rq<int>(int)"},
	{"ns::C::m(int) const [enable_if:(x)>(0)]", "ns::C::m", "ns::C::m(int) const"},
	{"ns::C::name[abi:cxx11]() const", "ns::C::name", "ns::C::name() const"},
	{"ns::C[abi:v2]::name[abi:cxx11][abi:ne180](int)", "ns::C::name", "ns::C::name(int)"},
	{"non-virtual thunk to ns::D::w()", "ns::D::w", "ns::D::w()"},
	{"transaction clone for std::exception::what() const", "std::exception::what",
		"std::exception::what() const"},

	/* Damaged. */
	{"a(", "a(", NULL},
	{"<", "<", NULL},
	{"a)b(c>", "a)b(c>", NULL},
	{"((((", "((((", NULL},
	{"operator", "operator", NULL},
	{"operator ", "operator ", NULL},
	{"operator\"\"", "operator\"\"", NULL},
	{"a<(b>)(c)", "a<(b>)(c)", NULL},
};

static void test_parts(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *signature = cases[i].signature;
		struct measure_filter_name name;
		bool is_right;

		measure_filter_name_make(&name, cases[i].whole);
		is_right = strcmp(name.bare, cases[i].bare) == 0 &&
			   strcmp(name.signature, signature ? signature : cases[i].whole) == 0 &&
			   name.has_parameters == (signature != NULL);
		if (!is_right)
			printf("\n%s\n  %s\n  %s\n", cases[i].whole, name.bare, name.signature);
		CU_ASSERT(is_right);
		measure_filter_name_free(&name);
	}
}

/* Every beginning of every name, as a damaged archive may have it: no access outside of it, for
 * which it is as large as it has to be. */
static void test_beginnings(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (size_t length = 0; length < strlen(cases[i].whole); length++) {
			char *text = strndup(cases[i].whole, length);
			struct measure_filter_name name;

			CU_ASSERT_PTR_NOT_NULL_FATAL(text);
			measure_filter_name_make(&name, text);
			CU_ASSERT(strlen(name.bare) <= length && name.begin <= length);
			measure_filter_name_free(&name);
			free(text);
		}
	}
}

/* Longer and deeper than there is room for. */
static void test_large(void)
{
	enum { DEEP = 5000 };
	char *text = malloc(4 * DEEP);
	struct measure_filter_name name;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	snprintf(text, 4 * DEEP, "void ns::%0*d<int>(int)", DEEP, 7);
	measure_filter_name_make(&name, text);
	CU_ASSERT_EQUAL(strlen(name.bare), strlen("ns::<int>") + DEEP);
	CU_ASSERT_EQUAL(strlen(name.signature), strlen("ns::<int>(int)") + DEEP);
	measure_filter_name_free(&name);

	snprintf(text, 4 * DEEP, "%*s)", DEEP, "f(");
	memset(text, '<', DEEP - 2);
	measure_filter_name_make(&name, text);
	CU_ASSERT_STRING_EQUAL(name.bare, text);
	measure_filter_name_free(&name);
	free(text);
}

static bool matches(const char *pattern, bool is_regex, const char *whole)
{
	struct measure_patterns patterns = {0};
	struct measure_filter_name name;
	const char *why;
	bool does;

	CU_ASSERT_EQUAL_FATAL(is_regex ? measure_patterns_add_regex(&patterns, pattern, &why)
				       : measure_patterns_add_glob(&patterns, pattern, &why),
		MEASURE_OK);
	measure_patterns_seal(&patterns);
	measure_filter_name_make(&name, whole);
	does = measure_patterns_match_name(&patterns, &name);
	measure_filter_name_free(&name);
	measure_patterns_free(&patterns);
	return does;
}

static void test_patterns(void)
{
	static const struct {
		const char *pattern;
		bool is_regex, matches;
		const char *name;
	} tries[] = {
		{"Eigen::*", false, true,
			"double __vector(2) Eigen::internal::pmul<double __vector(2)>(double "
			"__vector(2) const&, double __vector(2) const&)"},
		{"ns::*", false, true, "int (*ns::pf<int>(int))(int)"},
		{"ns::pf<int>", false, true, "int (*ns::pf<int>(int))(int)"},
		{"ns::pf<int>(int)", false, true, "int (*ns::pf<int>(int))(int)"},
		{"int (\\*ns::pf<int>(int))(int)", false, true, "int (*ns::pf<int>(int))(int)"},
		{"int (\\*ns::pf<*", false, true, "int (*ns::pf<int>(int))(int)"},
		{"int*", false, false, "int (*ns::pf<int>(int))(int)"},
		/* The return type and the parameters are not the function's. */
		{"std::*", false, false, "std::vector<int> app::make<int>(int)"},
		{"std::*(int)", false, false, "std::vector<int> app::make<int>(int)"},
		{"std::vector<int> app::*", false, true, "std::vector<int> app::make<int>(int)"},
		{"std::vector<int> *", false, true, "std::vector<int> app::make<int>(int)"},
		{"std::vector<int>*", false, false, "std::vector<int> app::make<int>(int)"},
		{"std::vector<int> app::*(int)", false, true,
			"std::vector<int> app::make<int>(int)"},
		{"std::vector<int> app::make<int>(int)", false, true,
			"std::vector<int> app::make<int>(int)"},
		{"*Eigen*", false, false, "solve(Eigen::Matrix const&)"},
		{"*(Eigen*", false, true, "void app::solve<1>(Eigen::Matrix const&)"},
		{"*Eigen*", false, true, "void app::solve<Eigen::Matrix>(int)"},
		{"app::solve(int)", false, true, "app::solve(int)"},
		{"app::solve(*) const", false, true, "app::solve(int, int) const"},
		{"(anonymous namespace)::*", false, true, "(anonymous namespace)::helper(int)"},
		{"*::operator()", false, true, "bool less<int>::operator()<int>::operator()(int)"},
		{"ns::C::name", false, true, "ns::C::name[abi:cxx11]() const"},
		{"f", false, false, "f(int)::{lambda(int)#1}::operator()(int) const"},
		{"f(int)::*", false, true, "f(int)::{lambda(int)#1}::operator()(int) const"},
		{"step", false, true, "step.constprop.0"},
		{"*.constprop*", false, true, "step.constprop.0"},
		{"step.constprop.0", false, true, "step.constprop.0"},
		{"^std::", true, false, "std::vector<int> app::make<int>(int)"},
		{"^app::make<int>$", true, true, "std::vector<int> app::make<int>(int)"},
		{"Eigen", true, false, "solve(Eigen::Matrix const&)"},
		{"\\(.*Eigen", true, true, "solve(Eigen::Matrix const&)"},
		{"operator", true, true, "bool operator< <int>(a<int> const&)"},
		{"(^|::)operator", true, false, "sort<int>(bool (*)(operators::less))"},
	};

	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		bool does = matches(tries[i].pattern, tries[i].is_regex, tries[i].name);
		if (does != tries[i].matches)
			printf("\n'%s' %s '%s'\n", tries[i].pattern,
				does ? "matches" : "does not match", tries[i].name);
		CU_ASSERT_EQUAL(does, tries[i].matches);
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"parts of names", test_parts},
		{"beginnings of names", test_beginnings},
		{"large names", test_large},
		{"patterns", test_patterns},
		CU_TEST_INFO_NULL,
	};

	return t_suite("names", NULL, NULL, tests);
}
