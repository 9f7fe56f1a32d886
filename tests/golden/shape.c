/* SPDX-License-Identifier: BSD-3-Clause
 * A shared library with an instrumented constructor and destructor. */
#include <stdio.h>

int shape_area(int a, int b);

__attribute__((constructor)) static void shape_begin(void)
{
	puts("shape begins");
}

__attribute__((destructor)) static void shape_end(void)
{
	puts("shape ends");
}

static int product(int a, int b)
{
	return a * b;
}

int shape_area(int a, int b)
{
	return product(a, b);
}
