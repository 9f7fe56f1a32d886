/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads whose memory another process has; see lend.h. */
#include "config.h"

#include "event/lend.h"

#include "adapter.h"
#include "event/location.h"

static struct measure_location lent = {
	.flags = MEASURE_LOCATION_STOPPED | MEASURE_LOCATION_LENT,
	.index = MEASURE_UNDEFINED,
};

struct measure_location *measure_location_lend(void)
{
	struct measure_location *own = measure_location_self;

	measure_location_self = &lent;
	return own;
}

void measure_location_regain(struct measure_location *location)
{
	measure_location_self = location;
}
