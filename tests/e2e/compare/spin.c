/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tenth of the time in one function, the rest in another one. The argument is the length of the tenth in per cent of
 * what it usually takes. */
#include <stdlib.h>

static volatile double sum;

__attribute__((noinline)) void tenth(long n)
{
	for (long i = 0; i < n; i++)
		sum += (double)i;
}

__attribute__((noinline)) void rest(long n)
{
	for (long i = 0; i < n; i++)
		sum += (double)i;
}

int main(int argc, char **argv)
{
	const long percent = argc > 1 ? atol(argv[1]) : 100;

	for (int i = 0; i < 20; i++) {
		tenth(1000 * percent);
		rest(900000);
	}
	return 0;
}
