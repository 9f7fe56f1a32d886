/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of LAPACK as Fortran calls it, and of LAPACKE and CBLAS, for debian_libraries.sh. */
#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>

int main(void)
{
	double a[] = {4, 1, 1, 3}, b[] = {1, 2}, s[] = {2, 1, 1, 2}, w[2];
	lapack_int n = 2, one = 1, pivots[2], info;

	LAPACK_dgesv(&n, &one, a, &n, pivots, b, &n, &info);
	printf("%g %g %d\n", b[0], b[1], (int)info);
	printf("%d", (int)LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 2, s, 2, w));
	printf(" %g %g %g\n", w[0], w[1], cblas_ddot(2, w, 1, w, 1));
	fprintf(stderr, "count dgesv_ 1\ncount LAPACKE_dsyev 1\ncount cblas_ddot 1\n");
	return 0;
}
