/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapter itself, and how Kokkos finds it. From version 3.7 on it asks for KOKKOS_TOOLS_LIBS,
 * and complains of KOKKOS_PROFILE_LIBRARY, which is all that earlier versions ask for. */
#include "config.h"

#include <stddef.h>

#include "../common/ranges.h"
#include "../common/texts.h"
#include "../common/tool_variable.h"

/* Kokkos up to 3.6 ends a program whose argument and variable differ. */
static bool has_other_tool(void)
{
	return measure_arguments_mention("tools-lib");
}

static bool kokkos_is_new(const void *caller)
{
	(void)caller;
	return !has_other_tool();
}

static bool kokkos_is_old(const void *caller)
{
	return !measure_object_mentions(caller, "KOKKOS_TOOLS_LIBS") && !has_other_tool();
}

const struct measure_tool_variable measure_tool_variables[] = {
	{"KOKKOS_TOOLS_LIBS", kokkos_is_new},
	{"KOKKOS_PROFILE_LIBRARY", kokkos_is_old},
	{NULL, NULL},
};

const struct measure_adapter measure_tool_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "kokkos",
	.thread_ends = measure_ranges_end,
	.child_started = measure_texts_restart,
};
