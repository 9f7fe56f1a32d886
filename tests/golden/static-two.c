/* SPDX-License-Identifier: BSD-3-Clause
 * The other half of static-one.c. */
int two(int x);

static int helper(int x)
{
	return x + 2;
}

int two(int x)
{
	return helper(x);
}
