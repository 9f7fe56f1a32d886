/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls everything in box.h, and prints what came of it. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"

static jmp_buf back;

static int jump(int value, void *data)
{
	(void)value;
	longjmp(*(jmp_buf *)data, 1);
}

static int twice(int value, void *data)
{
	(void)data;
	return 2 * box_add(value, 1);
}

static void *add_often(void *sum)
{
	for (int i = 0; i < 1000; i++)
		*(long *)sum += box_add(i, 1);
	return NULL;
}

int main(void)
{
	const struct box_pair pair = {3, 4};
	const struct box_large large = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
	const struct box_request request = {"parcel", 21};
	const int values[] = {1, -2, 3, -4};
	const char *not_a_text = (const char *)16;
	int negative, status;
	long sums[2] = {0};
	pthread_t threads[2];

	printf("%d %g %Lg\n", box_add(-7, 9), box_scale(1.5, 2), box_long(1.25L));
	printf("%s\n", box_name(BOX_RED, NULL));
	printf("%s\n", box_name(BOX_GREEN, "green"));
	printf("%s\n", box_name(3, "text"));
	box_name(BOX_RED, not_a_text);
	box_name(BOX_GREEN, "caf\303\251\370\1");
	printf("%ld %g %ld\n", box_swap(pair).first, box_swap(pair).second,
		box_grow(large, 2).words[8]);
	printf("%d %d", box_send(&request), box_count(values, 4, &negative));
	printf(" %d\n", negative);
	for (int i = 0; i < 3; i++) {
		int failed = box_fail(i == 1 ? ENOENT : 0);
		printf("%d %d\n", failed, i == 1 ? errno : 0);
	}
	printf("%d %g\n", box_sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9),
		box_sum_of_doubles(3, 1.5, 2.5, 3.5));
	printf("%d %d %d\n", box_apply(twice, NULL), box_handler(1) != NULL,
		box_handler(0) != NULL);
	if (setjmp(back) == 0)
		box_apply(jump, &back);
	printf("%d %ld %d\n", box_recurse(4), box_many(1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10),
		box_unnamed(1, NULL, NULL));
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add_often, &sums[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%ld %ld\n", sums[0], sums[1]);
	fflush(stdout);
	if (fork() == 0)
		_exit(box_add(1, 2));
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
