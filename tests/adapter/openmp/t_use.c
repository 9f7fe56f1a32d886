/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Uses OpenMP in a way that its argument says, and checks the results; see two_openmp_libraries.sh. */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef T_LINKED
int t_share(int size);
#else
static int t_share(int size)
{
	int sum = 1;

#pragma omp parallel num_threads(size)
#pragma omp critical
	sum++;
	return sum;
}
#endif

static void check(int is_right, const char *what)
{
	if (is_right)
		return;
	fprintf(stderr, "wrong: %s\n", what);
	exit(1);
}

static void *library;

static void close_library(void)
{
	dlclose(library);
}

/* Opens a library that uses OpenMP, and closes it when the process is about to end. */
static void open_library(const char *path)
{
	int (*share)(int);
	void *function;

	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	check(library != NULL, "dlopen");
	function = dlsym(library, "t_share");
	memcpy(&share, &function, sizeof(share));
	check(share(3) == 4, "a team of the library");
	atexit(close_library);
}

static void region(int size)
{
	int sum = 0;

#pragma omp parallel num_threads(size) reduction(+ : sum)
	sum += omp_get_thread_num() + 1;
	check(sum == size * (size + 1) / 2, "a team");
}

#ifdef T_PAUSE
static void pause_library(void)
{
	omp_pause_resource_all(omp_pause_soft);
	region(4);
	omp_pause_resource_all(omp_pause_soft);
}
#else
static void pause_library(void)
{
}
#endif

#ifdef T_TARGET
/* On the host, where there is no device. */
static void use_device(void)
{
	int values[10] = {0}, sum = 0;

#pragma omp target teams distribute parallel for map(tofrom : values)
	for (int i = 0; i < 10; i++)
		values[i] = i;
	for (int i = 0; i < 10; i++)
		sum += values[i];
	check(sum == 45, "teams on a device");
}
#else
static void use_device(void)
{
}
#endif

int main(int count, char **arguments)
{
	region(3);
	check(t_share(2) == 3, "another team");
	pause_library();
	if (count > 1)
		open_library(arguments[1]);
	region(2);
	use_device();
#ifdef T_MISSING
	if (count > 100)
		omp_display_env(1);
#endif
	printf("done\n");
	return 0;
}
