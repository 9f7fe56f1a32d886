/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What annotations for other tools cost a program that is compiled with -finstrument-functions as
 * well, so that both are compared in one run: "function_ns MEDIAN", an event of a function;
 * "kokkos_ns", the begin or end of a kernel of Kokkos; "nvtx_ns", a push or pop of NVTX;
 * "valued_ns", of one with a category and a value; and "..._ratio MEDIAN", each against a function
 * in one turn. As in user.c, each turn is a short burst with a pause. */
#include "config.h"

#include <dlfcn.h>

#include "../adapter/ranges/t_nvtx.h"
#include "leaf.h"

enum { BATCHES = 101 };

static void (*begin_kernel)(const char *, uint32_t, uint64_t *);
static void (*end_kernel)(uint64_t);

static const struct t_attributes valued = {.size = sizeof(valued),
	.category = 1,
	.payload_type = T_U64,
	.payload.u64 = 4711,
	.message_type = T_ASCII,
	.message.ascii = "step of the solver"};

BENCH_PLAIN void kernel(void)
{
	uint64_t number;

	begin_kernel("solver::update(x)", 0, &number);
	end_kernel(number);
}

BENCH_PLAIN void range(void)
{
	core.range_push("step of the solver");
	core.range_pop();
}

BENCH_PLAIN void range_with_value(void)
{
	core.range_push_ex(&valued);
	core.range_pop();
}

BENCH_PLAIN double pairs(void (*pair)(void))
{
	uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++)
		pair();
	return (double)(bench_now() - begin) / (2.0 * PAIRS_PER_BATCH);
}

static const struct {
	const char *name;
	void (*pair)(void);
} cases[] = {{"kokkos", kernel}, {"nvtx", range}, {"valued", range_with_value}};
enum { NR_CASES = sizeof(cases) / sizeof(cases[0]) };

BENCH_PLAIN void recorded(void)
{
	static double function[BATCHES], ns[NR_CASES][BATCHES], ratio[NR_CASES][BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		function[i] = batch();
		for (int k = 0; k < NR_CASES; k++) {
			bench_pause(3);
			ns[k][i] = pairs(cases[k].pair);
			ratio[k][i] = ns[k][i] / function[i];
		}
	}
	printf("function_ns %.2f\n", bench_median(function, BATCHES));
	for (int k = 0; k < NR_CASES; k++)
		printf("%s_ns %.2f\n%s_ratio %.3f\n", cases[k].name, bench_median(ns[k], BATCHES),
			cases[k].name, bench_median(ratio[k], BATCHES));
}

__attribute__((no_instrument_function)) int main(void)
{
	const char *path = getenv("KOKKOS_TOOLS_LIBS");
	void *kokkos = path ? dlopen(path, RTLD_NOW) : NULL;

	if (!kokkos || !t_nvtx_load()) {
		fprintf(stderr, "run it under measure\n");
		return 1;
	}
	*(void **)&begin_kernel = dlsym(kokkos, "kokkosp_begin_parallel_for");
	*(void **)&end_kernel = dlsym(kokkos, "kokkosp_end_parallel_for");
	leaf();
	bench_pause(100);
	bench_pin();
	recorded();
	return 0;
}
