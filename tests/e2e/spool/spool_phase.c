/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of two phases, of which it tells: phases FILE1 FILE2. Says "first", "between" and
 * "second" when it is there, and goes on from the last two when the file is there. Compiled with
 * -finstrument-functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define NO_HOOKS __attribute__((no_instrument_function))

__attribute__((noinline)) static int leaf(int n)
{
	return n + 1;
}

NO_HOOKS static void say(const char *what)
{
	puts(what);
	fflush(stdout);
}

NO_HOOKS static void phase(const char *name, const char *file)
{
	for (int i = 0; i < 50000; i++)
		leaf(i);
	say(name);
	while (access(file, F_OK) != 0)
		usleep(1000);
}

NO_HOOKS int main(int count, char **arguments)
{
	void (*end)(bool) = (void (*)(bool))dlsym(RTLD_DEFAULT, "measure_phase_end");

	if (count != 3)
		return 99;
	phase("first", arguments[1]);
	if (end)
		end(true);
	say("between");
	phase("second", arguments[2]);
	return 7;
}
