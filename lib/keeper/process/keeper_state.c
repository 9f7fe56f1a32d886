/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a guard and its keepers; see keeper_state.h. */
#include "config.h"

#include "keeper_state.h"

#include <stddef.h>
#include <sys/mman.h>

/* Where there is no memory to share, each keeper knows what it finds out itself. */
static struct measure_keeper_state own;

struct measure_keeper_state *measure_keeper_state_make(void)
{
	void *known = mmap(NULL, sizeof(struct measure_keeper_state), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return known != MAP_FAILED ? known : &own;
}

void measure_keeper_state_drop(struct measure_keeper_state *known)
{
	if (known != &own)
		munmap(known, sizeof(*known));
}
