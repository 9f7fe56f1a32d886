/* SPDX-License-Identifier: BSD-3-Clause
 * Description: nestable locks of OpenMP 2.5, which are smaller than today's: what lies behind one
 * stays as it is. */
#include <stdio.h>

__asm__(".symver old_init, omp_init_nest_lock@OMP_1.0");
__asm__(".symver old_set, omp_set_nest_lock@OMP_1.0");
__asm__(".symver old_unset, omp_unset_nest_lock@OMP_1.0");
__asm__(".symver old_test, omp_test_nest_lock@OMP_1.0");
void old_init(void *lock);
void old_set(void *lock);
void old_unset(void *lock);
int old_test(void *lock);

int main(void)
{
	struct {
		int words[2];
		int behind[4];
	} lock = {{0, 0}, {1, 2, 3, 4}};

	old_init(&lock);
	for (int i = 0; i < 10; i++) {
		old_set(&lock);
		if (old_test(&lock) != 2)
			return 1;
		old_unset(&lock);
		old_unset(&lock);
	}
	for (int i = 0; i < 4; i++)
		if (lock.behind[i] != i + 1)
			return 1;
	printf("acquires 20 locks 1\n");
	return 0;
}
