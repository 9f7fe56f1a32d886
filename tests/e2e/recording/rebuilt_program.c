/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program whose file or plug-in is replaced while it runs: rebuilt program FILE OTHER, or rebuilt
 * plugin FILE OTHER... Each OTHER takes the place of FILE. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define PLAIN __attribute__((no_instrument_function))

#ifdef OTHER
void added(void)
{
}
#endif

void solve(void)
{
}

PLAIN static int call_plugin(const char *file)
{
	void *plugin = dlopen(file, RTLD_NOW);
	void (*entry)(void) = plugin ? (void (*)(void))dlsym(plugin, "entry") : NULL;

	if (!entry)
		return 1;
	for (int i = 0; i < 10; i++)
		entry();
	return dlclose(plugin);
}

PLAIN int main(int argc, char **argv)
{
	int status = 0;

#ifdef OTHER
	added();
#endif
	for (int i = 0; i < 10; i++)
		solve();
	for (int i = 3; i < argc && status == 0; i++) {
		status = rename(argv[i], argv[2]) != 0;
		if (status == 0 && strcmp(argv[1], "plugin") == 0)
			status = call_plugin(argv[2]);
	}
	return status;
}
