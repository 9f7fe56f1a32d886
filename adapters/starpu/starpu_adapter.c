/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapter for StarPU: what is recorded from when on. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "call_groups.h"
#include "starpu_run.h"
#include "starpu_start.h"

static const struct measure_call_group group_items[] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_starpu.def"
#undef GROUP
};
static const struct measure_call_groups groups = {group_items, MEASURE_STARPU_NR_GROUPS};

static void define_all(void)
{
	const struct measure_comm_info info = {.kind = MEASURE_COMM_THREADS,
		.name = "StarPU",
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_USER};

	measure_task_facts_define();
	measure_data_facts_define();
	measure_task_attributes_define();
	for (int i = 0; i < MEASURE_NR_TASK_STATES; i++)
		measure_starpu_states[i] = measure_task_state_define((enum measure_task_state)i);
	measure_starpu_team = measure_comm_define(&info);
}

static void starpu_started(void)
{
	const char *text = measure_option_text("starpu_groups"), *why;
	uint32_t chosen = measure_groups_choose(&groups, text ? text : "");

	define_all();
	if (!measure_starpu_real.starpu_get_version)
		return; /* it is not linked to the program */
	if (!measure_starpu_has_internals(&why) && chosen >> MEASURE_STARPU_internal & 1) {
		chosen &= ~(UINT32_C(1) << MEASURE_STARPU_internal);
		measure_property_define("STARPU_PUBLIC_ONLY", why);
	}
	/* pairs with nothing: all that they guard has been made before any thread was */
	atomic_store_explicit(&measure_starpu_groups, chosen, memory_order_release);
}

static void thread_ends(void)
{
	struct measure_starpu_thread *thread = measure_starpu_self();

	if (!thread)
		return;
	measure_starpu_task_end();
	measure_starpu_state_end(thread);
	measure_starpu_thread_end();
}

static const struct measure_adapter starpu_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "starpu",
	.started = starpu_started,
	.thread_ends = thread_ends,
};

__attribute__((constructor)) static void starpu_register_adapter(void)
{
	measure_starpu_resolve();
	measure_adapter_register(&starpu_adapter);
}
