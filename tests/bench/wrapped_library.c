/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that do next to nothing, for wrapped.c. */
int wrapped_call(int a, unsigned long b);
int wrapped_stub(int nr, ...);

int wrapped_call(int a, unsigned long b)
{
	return a + (int)b;
}

int wrapped_stub(int nr, ...)
{
	return nr;
}
