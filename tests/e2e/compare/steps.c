/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps of two functions; ADVANCE is the name of one of them. With HELPER, another one stands between. */
#include <stdlib.h>

#ifndef ADVANCE
#define ADVANCE advance
#endif

static volatile unsigned long sum;

__attribute__((noinline)) void flux(unsigned long nr)
{
	for (unsigned long i = 0; i < nr; i++)
		sum += i;
}

__attribute__((noinline)) void ADVANCE(unsigned long nr)
{
	for (unsigned long i = 0; i < nr; i++)
		sum += i;
	flux(nr);
}

#ifdef HELPER
__attribute__((noinline)) void helper(unsigned long nr)
{
	for (unsigned long i = 0; i < nr / 10; i++)
		sum += i;
	ADVANCE(nr);
}
#define CALLED helper
#else
#define CALLED ADVANCE
#endif

int main(void)
{
	for (int i = 0; i < 7; i++)
		CALLED(200000);
	return 0;
}
