/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The option --mpi-groups. */
#include "config.h"

#include "groups.h"

#include "call_groups.h"

static const struct measure_call_group items[NR_GROUPS] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_mpi.def"
#undef GROUP
};
static const struct measure_call_groups groups = {items, NR_GROUPS};

#define BIT(group)    (1u << GROUP_##group)
#define WITH_REQUESTS (BIT(p2p) | BIT(coll) | BIT(comm) | BIT(rma) | BIT(io) | BIT(ext))

uint32_t measure_groups_parse(const char *text)
{
	uint32_t chosen = measure_groups_choose(&groups, text);

	if (chosen & WITH_REQUESTS)
		chosen |= BIT(req);
	return chosen;
}
