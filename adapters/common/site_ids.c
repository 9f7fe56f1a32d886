/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sites; see site_ids.h. Defining is done without a lock of ours: who comes second throws its own
 * definition away, which nobody uses. */
#include "config.h"

#include "site_ids.h"

#include <errno.h>

uint32_t measure_site_define_slow(struct measure_site *site, measure_site_define_fn define)
{
	uint32_t known = 0, made;
	int saved = errno;

	if (!measure_sites_are_on())
		return 0;
	made = define(site) + 1;
	errno = saved;
	if (made == 0 || __atomic_compare_exchange_n(&site->id, &known, made, false,
				 __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
		return made;
	return known;
}
