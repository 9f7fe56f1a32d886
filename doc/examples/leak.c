/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program with a memory leak: every tenth of 1,000 messages is never freed. The archive shows
 * which ones, and the memory in use over time:
 *
 *	gcc -O2 -g -finstrument-functions leak.c -o leak
 *	measure -a +memory -o leak.trace ./leak
 *	otf2-print leak.trace/traces.otf2		or any viewer: the metric "Allocated memory"
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_MESSAGES 1000
#define SIZE        500

static char *receive(int number)
{
	char *message = malloc(SIZE);

	if (message)
		memset(message, number, SIZE);
	return message;
}

static int handle(char *message, int number)
{
	int sum = message ? message[0] + message[SIZE - 1] : 0;

	if (number % 10 != 0)
		free(message);
	return sum;
}

int main(void)
{
	int sum = 0;

	for (int number = 0; number < NR_MESSAGES; number++)
		sum += handle(receive(number), number);
	printf("%d messages, sum %d\n", NR_MESSAGES, sum);
	return 0;
}
