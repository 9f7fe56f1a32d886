/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plug-in that brings libgomp along: opened by opened_libgomp.c. */
int plugin_region(int size);

int plugin_region(int size)
{
	int came = 0;

#pragma omp parallel num_threads(size) reduction(+ : came)
	came++;
	return came;
}
