/* SPDX-License-Identifier: BSD-3-Clause
 * Calls a function of a shared library. */
#include <stdio.h>

int shape_area(int a, int b);

int main(void)
{
	printf("%d\n", shape_area(6, 7));
	return 0;
}
