/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of BLAS as Fortran calls it, for debian_libraries.sh. */
#include <stddef.h>
#include <stdio.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
	const double *, const int *, const double *, const int *, const double *, double *,
	const int *, size_t, size_t);
double ddot_(const int *, const double *, const int *, const double *, const int *);
float sdot_(const int *, const float *, const int *, const float *, const int *);

int main(void)
{
	const int n = 4, one = 1, nine = 9;
	double a[16], b[16], c[16] = {0}, alpha = 1, beta = 0;
	float x[] = {1, 2, 3, 4};

	for (int i = 0; i < 16; i++)
		a[i] = i, b[i] = i % 3;
	for (int i = 0; i < 3; i++)
		dgemm_("N", "T", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n, 1, 1);
	printf("%g %g %g\n", c[0], c[15], ddot_(&nine, a, &one, c, &one));
	printf("%g\n", sdot_(&n, x, &one, x, &one));
	fprintf(stderr, "count dgemm_ 3\ncount ddot_ 1\ncount sdot_ 1\n");
	return 0;
}
