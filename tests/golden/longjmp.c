/* SPDX-License-Identifier: BSD-3-Clause
 * longjmp out of two frames, then calls go on. */
#include <setjmp.h>

static jmp_buf home;

static void inner(void)
{
	longjmp(home, 1);
}

static void outer(void)
{
	inner();
}

static void after(void)
{
}

int main(void)
{
	if (setjmp(home) == 0)
		outer();
	after();
	return 0;
}
