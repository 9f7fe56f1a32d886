/* SPDX-License-Identifier: BSD-3-Clause
 * A function that is inlined, in one that is not. */
#include <stdio.h>

static inline __attribute__((always_inline)) int inlined(int n)
{
	return n + 1;
}

static __attribute__((noinline)) void called(int n)
{
	printf("%d\n", inlined(n));
}

int main(void)
{
	called(1);
	called(2);
	return 0;
}
