/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows of one-sided communication, and groups of ranks: ids and journal records. */
#include "config.h"

#include <stdatomic.h>

#include "adapter.h"
#include "define.h"

static _Atomic uint32_t nr_windows;
static _Atomic uint32_t nr_groups;

measure_window_t measure_window_define(measure_comm_t comm, struct measure_comm_key key,
	bool has_events)
{
	struct measure_def_window def = {MEASURE_UNDEFINED, comm, key.high, key.low, has_events};

	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	def.id = atomic_fetch_add(&nr_windows, 1);
	MEASURE_JOURNAL_ALONE(window, &def);
	return def.id;
}

void measure_window_name(measure_window_t window, const char *name)
{
	struct measure_def_window_name def = {window, name};

	if (window == MEASURE_UNDEFINED || !measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(window_name, &def);
}

measure_group_t measure_group_define(uint32_t nr_members, const uint32_t *members)
{
	struct measure_def_group def = {MEASURE_UNDEFINED, {nr_members, members}};

	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	def.id = atomic_fetch_add(&nr_groups, 1);
	MEASURE_JOURNAL_ALONE(group, &def);
	return def.id;
}
