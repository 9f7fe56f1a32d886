/* SPDX-License-Identifier: BSD-3-Clause
 * Nested and recursive calls. */
#include <stdio.h>

static int factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

static void greet(const char *whom)
{
	printf("Hello, %s: %d\n", whom, factorial(3));
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		greet(argv[i]);
	return 0;
}
