/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hooks of a constructor run before main, and maybe before our own constructor. */
#include "config.h"

#include "constructed.h"

#include <stdio.h>

static int state;

static int next(int n)
{
	return n * 2 + 1;
}

__attribute__((constructor)) static void construct(void)
{
	state = next(next(3));
	printf("constructor %d\n", state);
}

__attribute__((destructor)) static void destruct(void)
{
	printf("destructor %d\n", next(state));
}

__attribute__((visibility("default"))) int constructed(void)
{
	printf("main %d\n", state);
	return 0;
}
