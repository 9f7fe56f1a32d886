/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library of time_by_library.c: ENTRY is exported, LOOP is so only where STATIC is empty. */
void ENTRY(long n);

static volatile double sink;

__attribute__((noinline)) STATIC void LOOP(long n)
{
	for (long i = 0; i < n; i++)
		sink += (double)i;
}

void ENTRY(long n)
{
	LOOP(n);
	sink += 1;
}
