/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that has one of everything that is hard to wrap; for wrapped_calls.sh. */
#ifndef BOX_H
#define BOX_H

#include <stdarg.h>
#include <stddef.h>

enum box_colour { BOX_RED, BOX_GREEN = 7 };
struct box_pair {
	long first;
	double second;
};
struct box_large {
	long words[9];
};
struct box_request {
	const char *name;
	int bytes;
};

int box_add(int a, unsigned long b);
double box_scale(double x, float y);
long double box_long(long double x);
const char *box_name(enum box_colour colour, const char *text);
struct box_pair box_swap(struct box_pair pair);
struct box_large box_grow(struct box_large large, int by);
int box_send(const struct box_request *request);
int box_count(const int values[], size_t nr, int *negative);
int box_fail(int error);
int box_sum(int nr, ...);
double box_sum_of_doubles(int nr, ...);
int box_vsum(int nr, va_list list);
int box_apply(int (*function)(int, void *), void *data);
void (*box_handler(int which))(int);
int box_recurse(int depth);
int box_again(int depth);
long box_many(long a, long b, long c, long d, long e, long f, long g, long h, double x, long i);
int box_early(void);
int box_unnamed(int, char *, struct box_pair *);

#endif
