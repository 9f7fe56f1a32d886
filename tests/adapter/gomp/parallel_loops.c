/* SPDX-License-Identifier: BSD-3-Clause
 * Description: combined parallel loops with every schedule. */
#include "t_omp.h"

enum { N = 1000, THREADS = 3 };

#define LOOP(...)                                                                                  \
	do {                                                                                       \
		long sum = 0;                                                                      \
		_Pragma(#__VA_ARGS__) for (int i = 0; i < N; i++) values[i] = i;                   \
		for (int i = 0; i < N; i++)                                                        \
			sum += values[i];                                                          \
		t_check(sum == (long)N * (N - 1) / 2, #__VA_ARGS__);                               \
		for (int i = 0; i < N; i++)                                                        \
			values[i] = 0;                                                             \
	} while (0)

int main(void)
{
	static int values[N];

	omp_set_num_threads(THREADS);
	omp_set_schedule(omp_sched_dynamic, 7);
	LOOP(omp parallel for);
	LOOP(omp parallel for schedule(static));
	LOOP(omp parallel for schedule(static, 5));
	LOOP(omp parallel for schedule(dynamic));
	LOOP(omp parallel for schedule(dynamic, 9));
	LOOP(omp parallel for schedule(monotonic : dynamic));
	LOOP(omp parallel for schedule(guided));
	LOOP(omp parallel for schedule(monotonic : guided));
	LOOP(omp parallel for schedule(runtime));
	LOOP(omp parallel for schedule(monotonic : runtime));
	LOOP(omp parallel for schedule(nonmonotonic : runtime));
	LOOP(omp parallel for schedule(auto));
	LOOP(omp parallel for ordered schedule(dynamic));
	LOOP(omp parallel for simd schedule(dynamic));
	return t_expect(14, 14 * THREADS, 0);
}
