/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shares are differences of rounded sums, so that roundings do not add up. */
#include "config.h"

#include "apportion.h"

struct measure_apportion measure_apportion_start(uint64_t whole, unsigned __int128 weights)
{
	return (struct measure_apportion){.whole = whole, .weights = weights};
}

uint64_t measure_apportion_next(struct measure_apportion *apportion, uint64_t weight)
{
	uint64_t given, share;

	if (apportion->weights == 0)
		return 0;
	apportion->before += weight;
	given = (uint64_t)(apportion->whole * apportion->before / apportion->weights);
	share = given - apportion->given;
	apportion->given = given;
	return share;
}
