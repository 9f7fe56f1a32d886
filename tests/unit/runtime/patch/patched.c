/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions with hook calls: this file alone is compiled with -finstrument-functions. */
#include "config.h"

#include "patched.h"

#define PATCHED __attribute__((noinline, aligned(PATCHED_BYTES)))

PATCHED void leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

PATCHED int sum(int n)
{
	return n + 1;
}

PATCHED int recurse(int n)
{
	return n == 0 ? 0 : 1 + recurse(n - 1);
}

PATCHED int open_and_off(int n)
{
	t_switch_off((const void *)open_and_off);
	for (int i = 0; i < ENOUGH && n > 0; i++)
		open_and_off(0);
	return n + 1;
}

PATCHED int watched(int n)
{
	return n + 2;
}
