/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a guard and its keepers; see known.h. */
#include "config.h"

#include "known.h"

#include <stddef.h>
#include <sys/mman.h>

/* Where there is no memory to share, each keeper knows what it finds out itself. */
static struct measure_known own;

struct measure_known *measure_known_make(void)
{
	void *known = mmap(NULL, sizeof(struct measure_known), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return known != MAP_FAILED ? known : &own;
}

void measure_known_drop(struct measure_known *known)
{
	if (known != &own)
		munmap(known, sizeof(*known));
}
