/* SPDX-License-Identifier: BSD-3-Clause
 * Description: a program without OpenMP opens a plug-in with it, with RTLD_LOCAL, so that libgomp
 * is in nobody else's search order. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	void *plugin = dlopen(".libs/libt-gomp-plugin.so", RTLD_NOW | RTLD_LOCAL);
	int (*region)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_region") : NULL;

	if (!region || region(3) != 3 || region(2) != 2) {
		fprintf(stderr, "wrong: %s\n", region ? "team size" : dlerror());
		return 1;
	}
	printf("forks 2 begins 5 barriers 0\n");
	return 0;
}
