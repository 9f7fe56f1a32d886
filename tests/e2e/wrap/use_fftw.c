/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of FFTW, for debian_libraries.sh. */
#include <complex.h>
#include <fftw3.h>
#include <stdio.h>

#define N 64

int main(void)
{
	fftw_complex *in = fftw_malloc(N * sizeof(*in)), *out = fftw_malloc(N * sizeof(*out));
	fftw_plan plan = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);

	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < N; i++)
			in[i] = i % (round + 2);
		fftw_execute(plan);
		printf("%.6f %.6f\n", creal(out[0]), cabs(out[N / 2]));
	}
	fftw_destroy_plan(plan);
	fftw_free(in);
	fftw_free(out);
	fprintf(stderr, "count fftw_execute 5\ncount fftw_plan_dft_1d 1\ncount fftw_malloc "
			"2\ncount fftw_free 2\n");
	return 0;
}
