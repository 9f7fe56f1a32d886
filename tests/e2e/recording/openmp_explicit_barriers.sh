#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: by the debug information, barriers that are written in a program of GCC are told from those at the end of loops and singles
. "$(dirname "$0")/../lib.sh"
[ -e "$t_build/.libs/libmeasure-gomp.so" ] || t_skip "no adapter gomp"
cd "$work" || exit 1
cat >program.c <<-'END'
	#include <stdio.h>
	#define N 100000
	static double a[N];
	int main(int n, char **arguments)
	{
		double sum = 0;
	#pragma omp parallel num_threads(2)
		{
	#pragma omp for
			for (int i = 0; i < N; i++)
				a[i] = i * 2.0;
	#pragma omp barrier // 12: explicit
	#pragma omp for reduction(+ : sum)
			for (int i = 0; i < N; i++)
				sum += a[i];
	#pragma omp single
			puts("single");
			for (int k = 0; k < n + 2; k++) {
	#pragma omp barrier // 19: explicit
				a[k]++;
			}
			if (n > 0) {
	#pragma omp barrier // 23: explicit
				a[n]++;
			}
		}
		printf("%g\n", sum);
		return arguments == NULL;
	}
END

# recorded FLAGS...: enters of explicit barriers by their lines, and how many of implicit ones inside the region
recorded()
{
	"${CC:-gcc}" "$@" -fopenmp -o program program.c || t_skip 'no compiler'
	rm -rf run
	"$measure" -q -o run ./program >out 2>&1 || t_fail "$*: exit status $?: $(cat out)"
	otf2-print run/traces.otf2 | awk '
		/^ENTER/ && /"!\$omp barrier/ { sub(/.*@[^:+]*[:+]/, ""); sub(/".*/, ""); nr[$0]++ }
		/^ENTER/ && /"!\$omp implicit barrier/ && !/@program.c:7"/ { nr_implicit++ }
		END { print nr[12] + 0, nr[19] + 0, nr[23] + 0, nr_implicit + 0 }'
}

case ${CC:-gcc} in
*clang*) t_skip 'not GCC' ;;
esac
for level in 0 1 2 3 s; do
	t_equal "-O$level" '2 6 2 6' "$(recorded -g -O$level)"
done
# Without debug information all are called explicit, but for those of the region itself.
t_equal 'implicit ones without -g' 2 "$(recorded -O2 | cut -d ' ' -f 4)"
t_end
