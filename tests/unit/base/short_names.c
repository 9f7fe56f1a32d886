/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: names of functions without their parameters: what is left out, what belongs to the
 * name, and nothing where there is room */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "base/short_names.h"

static const char *shortened(const char *names, size_t size)
{
	static char buffer[256];

	strcpy(buffer, names);
	measure_shorten_names(buffer, size);
	return buffer;
}

static void parameters(void)
{
	CU_ASSERT_STRING_EQUAL(shortened("f(int, double&)", 1), "f");
	CU_ASSERT_STRING_EQUAL(shortened("X::f(int (*)(double)) const", 1), "X::f");
	CU_ASSERT_STRING_EQUAL(
		shortened("main/solve(A const&, double*)/MPI_Wait", 1), "main/solve/MPI_Wait");
	CU_ASSERT_STRING_EQUAL(shortened("f(int) [clone ._omp_fn.0]", 1), "f [clone ._omp_fn.0]");
}

static void templates(void)
{
	CU_ASSERT_STRING_EQUAL(shortened("void f<int>(int)", 12), "void f<int>");
	CU_ASSERT_STRING_EQUAL(shortened("void f<X<int> >(int)", 11), "void f");
	CU_ASSERT_STRING_EQUAL(shortened("f<void (*)(int)>(long)", 17), "f<void (*)>");
}

static void names(void)
{
	CU_ASSERT_STRING_EQUAL(
		shortened("(anonymous namespace)::f(int)", 1), "(anonymous namespace)::f");
	CU_ASSERT_STRING_EQUAL(shortened("X::operator()(int) const", 1), "X::operator()");
	CU_ASSERT_STRING_EQUAL(shortened("operator<<(X&, int)", 1), "operator<<");
	CU_ASSERT_STRING_EQUAL(shortened("X::operator+=(X const&)", 1), "X::operator+=");
	CU_ASSERT_STRING_EQUAL(shortened("main/(no region)/f(int)", 1), "main/(no region)/f");
	CU_ASSERT_STRING_EQUAL(shortened("!$omp task @a.c:3", 1), "!$omp task @a.c:3");
	CU_ASSERT_STRING_EQUAL(shortened("f(int", 1), "f(int");
	CU_ASSERT_STRING_EQUAL(shortened("", 1), "");
}

static void of_python(void)
{
	CU_ASSERT_STRING_EQUAL(shortened("__main__.f.<locals>.g", 1), "__main__.f.g");
	CU_ASSERT_STRING_EQUAL(shortened("a.f.<locals>.<lambda>", 20), "a.f.<lambda>");
	CU_ASSERT_STRING_EQUAL(shortened("__main__.f.<locals>.g", 22), "__main__.f.<locals>.g");
	CU_ASSERT_STRING_EQUAL(measure_name_of_python_end("a.b.C.function", 14), "a.b.C.function");
	CU_ASSERT_STRING_EQUAL(measure_name_of_python_end("a.b.C.function", 13), "b.C.function");
	CU_ASSERT_STRING_EQUAL(measure_name_of_python_end("a.b.C.function", 10), "C.function");
	CU_ASSERT_STRING_EQUAL(measure_name_of_python_end("a.b.C.function", 3), "function");
	CU_ASSERT_STRING_EQUAL(
		measure_name_of_python_end("json.decoder.<module>", 3), "decoder.<module>");
	CU_ASSERT_STRING_EQUAL(
		measure_name_of_python_end("a.f.<lambda>.<lambda>", 3), "f.<lambda>.<lambda>");
	CU_ASSERT_STRING_EQUAL(measure_name_of_python_end("m.B\u00e4r.z2", 3), "z2");
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("function", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("f.part.0", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("f.cold", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("!$omp parallel @a.c:3", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("a.h::f", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("f..g", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("f.", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end(".f", 3));
	CU_ASSERT_PTR_NULL(measure_name_of_python_end("", 3));
}

static void enough_room(void)
{
	CU_ASSERT_STRING_EQUAL(shortened("f(int)", 7), "f(int)");
	CU_ASSERT_STRING_EQUAL(shortened("f(int)", 6), "f");
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"parameters", parameters},
		{"templates", templates},
		{"of_python", of_python},
		{"names", names},
		{"enough room", enough_room},
		CU_TEST_INFO_NULL,
	};

	return t_suite("short names", NULL, NULL, tests);
}
