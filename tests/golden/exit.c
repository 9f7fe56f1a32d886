/* SPDX-License-Identifier: BSD-3-Clause
 * Ends with exit(3), or _exit(3) where an argument is given, deep in the call tree. */
#include <stdlib.h>
#include <unistd.h>

static void at_end(void)
{
}

static void inner(int argc)
{
	if (argc > 1)
		_exit(3);
	exit(3);
}

int main(int argc, char **argv)
{
	(void)argv;
	atexit(at_end);
	inner(argc);
	return 0;
}
