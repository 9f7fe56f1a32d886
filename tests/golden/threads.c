/* SPDX-License-Identifier: BSD-3-Clause
 * Three threads, one after the other, so that their order is the same each time. */
#include <pthread.h>
#include <stdio.h>

static int step(int n)
{
	return n + 1;
}

static void *work(void *argument)
{
	int *n = argument;

	for (int i = 0; i < 2; i++)
		*n = step(*n);
	return NULL;
}

int main(void)
{
	int n = 0;

	for (int i = 0; i < 3; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, work, &n);
		pthread_join(thread, NULL);
	}
	printf("%d\n", n);
	return 0;
}
