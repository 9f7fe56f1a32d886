/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Has a counter of its own, which PAPI knows as sde:::counted::steps: each call of step() makes
 * three. */
#include <sde_lib.h>

static long long steps;

static void step(void)
{
	steps += 3;
}

int main(void)
{
	papi_handle_t handle = papi_sde_init("counted");

	papi_sde_register_counter(
		handle, "steps", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &steps);
	for (int i = 0; i < 10; i++)
		step();
	return 0;
}
