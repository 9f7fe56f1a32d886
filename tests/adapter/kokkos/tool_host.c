/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Does what Kokkos does with its tool: asks for the file by its variable, opens it, looks up its
 * functions and calls them, as programs make it do: nested and unmatched regions, kernels of
 * threads, of devices and of a forked child, copies, memory, sections that overlap. Without a tool
 * it does nothing. Says of itself how often, in lines "region NAME COUNT", "event NAME COUNT", and
 * "child region NAME COUNT" of the child; a dot in a name stands for any character. Built with
 * -DKOKKOS_36 it knows no more than Kokkos 3.6. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct space {
	char name[64];
};

#define TOOL(result, name, parameters) static result(*name) parameters;
#define TOOLS                                                                                      \
	TOOL(void, request_tool_settings, (uint32_t, bool *))                                      \
	TOOL(void, begin_parallel_for, (const char *, uint32_t, uint64_t *))                       \
	TOOL(void, end_parallel_for, (uint64_t))                                                   \
	TOOL(void, begin_parallel_reduce, (const char *, uint32_t, uint64_t *))                    \
	TOOL(void, end_parallel_reduce, (uint64_t))                                                \
	TOOL(void, begin_parallel_scan, (const char *, uint32_t, uint64_t *))                      \
	TOOL(void, end_parallel_scan, (uint64_t))                                                  \
	TOOL(void, begin_fence, (const char *, uint32_t, uint64_t *))                              \
	TOOL(void, end_fence, (uint64_t))                                                          \
	TOOL(void, push_profile_region, (const char *))                                            \
	TOOL(void, pop_profile_region, (void))                                                     \
	TOOL(void, profile_event, (const char *))                                                  \
	TOOL(void, create_profile_section, (const char *, uint32_t *))                             \
	TOOL(void, destroy_profile_section, (uint32_t))                                            \
	TOOL(void, start_profile_section, (uint32_t))                                              \
	TOOL(void, stop_profile_section, (uint32_t))                                               \
	TOOL(void, begin_deep_copy,                                                                \
		(struct space, const char *, const void *, struct space, const char *,             \
			const void *, uint64_t))                                                   \
	TOOL(void, end_deep_copy, (void))                                                          \
	TOOL(void, allocate_data, (struct space, const char *, const void *, uint64_t))            \
	TOOL(void, deallocate_data, (struct space, const char *, const void *, uint64_t))
TOOLS
#undef TOOL

enum { NR_KERNELS = 1000, DEPTH = 700, NR_THREADS = 4, NR_STRAY = 3, NR_CHILD = 50 };
enum { SERIAL = 0, CUDA = 2, DEVICE_INSTANCE = 3 };

static void fail(const char *what)
{
	printf("wrong: %s\n", what);
	exit(1);
}

/* What the calls must leave alone. */
static void check_errno(const char *what)
{
	if (errno != ERANGE)
		fail(what);
}

static const char *find_tool(void)
{
	const char *old = getenv("KOKKOS_PROFILE_LIBRARY");
#ifdef KOKKOS_36
	return old;
#else
	const char *tool = getenv("KOKKOS_TOOLS_LIBS");

	if (old && *old)
		fail("a variable that is deprecated");
	return tool;
#endif
}

static bool load(const char *path)
{
	void *library = path && *path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
	bool settings[256] = {true};

	if (!library)
		return false;
	dlopen("libstdc++.so.6", RTLD_NOW); /* which Kokkos needs */
#define TOOL(result, name, parameters)                                                             \
	*(void **)&name = dlsym(library, "kokkosp_" #name);                                        \
	if (!name)                                                                                 \
		fail(#name " is missing");
	TOOLS
	request_tool_settings(1, settings);
	if (settings[0])
		fail("the tool asks for fences");
	return true;
}

static void run_kernels(const char *name, int nr, uint32_t device)
{
	uint64_t number;

	for (int i = 0; i < nr; i++) {
		begin_parallel_for(name, device, &number);
		end_parallel_for(number);
		begin_parallel_reduce(name, device, &number);
		end_parallel_reduce(number);
		begin_parallel_scan(name, device, &number);
		end_parallel_scan(number);
	}
	check_errno(name);
}

static void nest(void)
{
	char name[32];

	for (int i = 0; i < DEPTH; i++) {
		snprintf(name, sizeof(name), "depth.%d", i % 10);
		push_profile_region(name);
	}
	for (int i = 0; i < DEPTH + NR_STRAY; i++)
		pop_profile_region();
	check_errno("regions");
	push_profile_region("never-popped");
}

static void name_types(void)
{
	static const char *const names[] = {
		"Z4mainEUliE_", "N6solver4AxpyE/N6solver3TagE", "2nd", "i", "", "with/slash"};
	uint64_t number;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		begin_parallel_for(names[i], SERIAL, &number);
		end_parallel_for(number);
	}
}

static void copy_data(void)
{
	const struct space host = {"Host"}, device = {"Cuda"};
	uint64_t number;

	for (int i = 1; i <= 10; i++) {
		allocate_data(device, "view", (void *)(uintptr_t)(4096 * i), 1000);
		begin_deep_copy(device, "view", NULL, host, "mirror", NULL, 1000 * (uint64_t)i);
		begin_parallel_for("copy", SERIAL, &number);
		end_parallel_for(number);
		end_deep_copy();
		begin_fence("after the copy", SERIAL, &number);
		end_fence(number);
	}
	for (int i = 1; i <= 10; i++)
		deallocate_data(device, "view", (void *)(uintptr_t)(4096 * i), 1000);
	check_errno("data");
}

static void overlap_sections(void)
{
	uint32_t one, two;

	create_profile_section("one", &one);
	create_profile_section("two", &two);
	for (int i = 0; i < 5; i++) {
		start_profile_section(one);
		start_profile_section(two);
		stop_profile_section(one);
		stop_profile_section(two);
	}
	stop_profile_section(one);
	stop_profile_section(12345678);
	start_profile_section(one);
	destroy_profile_section(one);
	profile_event("half way");
	check_errno("sections");
}

static void *work(void *argument)
{
	errno = ERANGE;
	for (int i = 0; i < 100; i++) {
		push_profile_region("thread");
		run_kernels("of-thread", 1, SERIAL);
		pop_profile_region();
	}
	pop_profile_region();
	return argument;
}

static void run_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL) != 0)
			exit(1);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void run_child(void)
{
	const pid_t child = fork();

	if (child == 0) {
		errno = ERANGE;
		push_profile_region("in-child");
		run_kernels("of-child", NR_CHILD, SERIAL);
		pop_profile_region();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void say(void)
{
	printf("region kernel..parallel_for. %d\nregion kernel..parallel_reduce. %d\n"
	       "region kernel..parallel_scan. %d\n",
		NR_KERNELS, NR_KERNELS, NR_KERNELS);
	printf("region on-device..parallel_for,.Cuda. 7\n");
	printf("region depth.7 %d\nregion never-popped 1\n", DEPTH / 10);
	printf("region main::.lambda.int.#1...parallel_for. 1\n");
	printf("region solver::Axpy/solver::Tag..parallel_for. 1\n");
	printf("region 2nd..parallel_for. 1\nregion i..parallel_for. 1\n");
	printf("region with/slash..parallel_for. 1\n");
	printf("region Kokkos::deep_copy 10\nregion after.the.copy..fence. 10\n");
	printf("region Kokkos::allocate 10\nregion Kokkos::deallocate 10\n");
	printf("event metric 20\nevent parameter_string 11\nevent parameter_uint64 22\n");
	printf("region thread %d\nregion of-thread..parallel_scan. %d\n", NR_THREADS * 100,
		NR_THREADS * 100);
	printf("child region in-child 1\nchild region of-child..parallel_for. %d\n", NR_CHILD);
}

int main(void)
{
	say();
	fflush(stdout);
	if (!load(find_tool()))
		return 0;
	errno = ERANGE;
	run_kernels("kernel", NR_KERNELS, SERIAL);
	run_kernels("on-device", 7, CUDA << 24 | DEVICE_INSTANCE);
	nest();
	name_types();
	copy_data();
	overlap_sections();
	run_threads();
	run_child();
	return 0;
}
