/* SPDX-License-Identifier: BSD-3-Clause
 * Two static functions of the same name, one in each file. */
int two(int x);

static int helper(int x)
{
	return x + 1;
}

int main(void)
{
	return helper(1) + two(1) == 5 ? 0 : 1;
}
