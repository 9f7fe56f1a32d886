/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Enter and Leave of a function by themselves; see passage.h. */
#include "config.h"

#include "passage.h"

#include <dlfcn.h>

#include "ticks.h"

uint64_t (*measure_pass_reference)(void);

static __attribute__((noinline)) void pass_recorded(uint64_t inside[2])
{
	__cyg_profile_func_enter((void *)pass_recorded, SITE);
	inside[0] = measure_ticks();
	__asm__ volatile("" ::: "memory");
	inside[1] = measure_ticks();
	__cyg_profile_func_exit((void *)pass_recorded, SITE);
}

static __attribute__((noinline)) void pass_plain(uint64_t inside[2])
{
	inside[0] = measure_ticks();
	__asm__ volatile("" ::: "memory");
	inside[1] = measure_ticks();
}

struct passage measure_pass_recorded(void)
{
	uint64_t inside[2];
	const uint64_t begin = measure_ticks();

	pass_recorded(inside);
	return (struct passage){inside[0] - begin, measure_ticks() - inside[1]};
}

struct passage measure_pass_plain(void)
{
	uint64_t inside[2];
	const uint64_t begin = measure_ticks();

	pass_plain(inside);
	return (struct passage){inside[0] - begin, measure_ticks() - inside[1]};
}

bool measure_passages_start(void)
{
	*(void **)&measure_pass_reference = dlsym(RTLD_DEFAULT, "measure_reference_ticks");
	return measure_pass_reference;
}
