/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library of box.h. */
#include "box.h"

#include <errno.h>

int box_add(int a, unsigned long b)
{
	return a + (int)b;
}

double box_scale(double x, float y)
{
	return x * y;
}

long double box_long(long double x)
{
	return x + 0.5L;
}

const char *box_name(enum box_colour colour, const char *text)
{
	return colour == BOX_RED ? "red" : text;
}

struct box_pair box_swap(struct box_pair pair)
{
	return (struct box_pair){(long)pair.second, (double)pair.first};
}

struct box_large box_grow(struct box_large large, int by)
{
	for (int i = 0; i < 9; i++)
		large.words[i] += by;
	return large;
}

int box_send(const struct box_request *request)
{
	return request->bytes * 2;
}

int box_count(const int values[], size_t nr, int *negative)
{
	*negative = 0;
	for (size_t i = 0; i < nr; i++)
		*negative += values[i] < 0;
	return (int)nr;
}

int box_fail(int error)
{
	errno = error;
	return error ? -1 : 0;
}

int box_vsum(int nr, va_list list)
{
	int sum = 0;

	while (nr-- > 0)
		sum += va_arg(list, int);
	return sum;
}

int box_sum(int nr, ...)
{
	va_list list;
	int sum;

	va_start(list, nr);
	sum = box_vsum(nr, list);
	va_end(list);
	return sum;
}

double box_sum_of_doubles(int nr, ...)
{
	va_list list;
	double sum = 0;

	va_start(list, nr);
	while (nr-- > 0)
		sum += va_arg(list, double);
	va_end(list);
	return sum;
}

int box_apply(int (*function)(int, void *), void *data)
{
	return function(3, data);
}

static void handler(int signal)
{
	(void)signal;
}

void (*box_handler(int which))(int)
{
	return which ? handler : NULL;
}

int box_recurse(int depth)
{
	return depth > 0 ? 1 + box_again(depth - 1) : 0;
}

int box_again(int depth)
{
	return box_recurse(depth);
}

long box_many(long a, long b, long c, long d, long e, long f, long g, long h, double x, long i)
{
	return a + b + c + d + e + f + 10 * g + 100 * h + (long)x + 1000 * i;
}

int box_early(void)
{
	return 5;
}

int box_unnamed(int a, char *b, struct box_pair *c)
{
	return a + (b ? 1 : 0) + (c ? 2 : 0);
}

/* Calls before main(), and before any constructor of what is preloaded may have run. */
__attribute__((constructor)) static void box_begin(void)
{
	box_early();
}
