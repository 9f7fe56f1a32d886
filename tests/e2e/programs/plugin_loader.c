/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads first.so and second.so in turns, each into the place the other one has left, calls
 * their functions, and says how often the place was the same. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static void *call(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW);
	int (*function)(int) = 0;

	if (handle)
		*(void **)&function = dlsym(handle, name);
	if (!function) {
		puts(dlerror());
		return NULL;
	}
	function(1);
	dlclose(handle);
	return *(void **)&function;
}

int main(void)
{
	int nr_same = 0;

	for (int i = 0; i < 10; i++)
		nr_same += call("./first.so", "first") == call("./second.so", "second");
	printf("%d times in the same place\n", nr_same);
	return chdir("/");
}
