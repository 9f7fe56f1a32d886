/* SPDX-License-Identifier: BSD-3-Clause
 * Description: critical and ordered constructs and locks, with threads that wait for each other;
 * a lock that was asked for and not given. */
#include "t_ompt.h"

enum { THREADS = 4, ROUNDS = 200 };

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static long plain, named, locked, nested, ordered, tested;

static void nest(int depth)
{
	omp_set_nest_lock(&nest_lock);
	nested++;
	if (depth > 1)
		nest(depth - 1);
	omp_unset_nest_lock(&nest_lock);
}

static void take_turns(void)
{
#pragma omp critical
	plain++;
#pragma omp critical(other)
	{
		named++;
#pragma omp critical(inner)
		named++;
	}
	omp_set_lock(&lock);
	locked++;
	omp_unset_lock(&lock);
	while (!omp_test_lock(&lock))
		;
	tested++;
	omp_unset_lock(&lock);
	nest(3);
}

int main(void)
{
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(THREADS)
	{
		for (int i = 0; i < ROUNDS; i++)
			take_turns();
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < ROUNDS; i++) {
#pragma omp ordered
			{
				t_check(ordered == i, "order");
				ordered++;
			}
		}
	}
	omp_set_lock(&lock);
	t_check(!omp_test_lock(&lock), "the lock is taken");
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest_lock);
	t_check(plain == THREADS * ROUNDS && named == 2 * plain && locked == plain &&
			tested == plain && nested == 3 * plain,
		"turns");
	t_expect("forks", 1);
	t_expect("begins", THREADS);
	t_expect("barriers", 0);
	t_expect("acquires", THREADS * ROUNDS * (3 + 2 + 3) + ROUNDS + 1);
	t_expect("locks", 3 + 2 + 1);
	return 0;
}
