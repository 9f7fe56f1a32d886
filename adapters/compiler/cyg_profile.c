/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hooks of -finstrument-functions (GCC and clang, any language). Both end in a tail call, so
 * nothing is between the program and the event path but one jump. */
#include "config.h"

#include "adapter.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void __cyg_profile_func_enter(void *function, void *call_site);
EXPORT void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	measure_function_enter(function, call_site, __builtin_frame_address(0),
		__builtin_return_address(0));
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	measure_function_leave(function, call_site, __builtin_frame_address(0),
		__builtin_return_address(0));
}

/* Ours, whatever else has these names. */
static void enter_hook(void *function, void *call_site)
	__attribute__((alias("__cyg_profile_func_enter")));
static void exit_hook(void *function, void *call_site)
	__attribute__((alias("__cyg_profile_func_exit")));

static const struct measure_adapter compiler_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "compiler",
};

/* The hooks work without it; the registration lets the archive say what recorded. */
__attribute__((constructor)) static void compiler_register_adapter(void)
{
	if (measure_adapter_register(&compiler_adapter) == MEASURE_OK)
		measure_function_hooks((const void *)enter_hook, (const void *)exit_hook);
}
