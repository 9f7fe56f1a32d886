/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Plays a run-time library of OpenMP with a device: starts the tool, and calls what it has
 * registered, by the callbacks that tell begin and end, or ("once") by those that tell once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST 64

static ompt_callback_t callbacks[MOST];
static bool tells_once;

static bool is_emi(ompt_callbacks_t event)
{
	return event == ompt_callback_target_emi || event == ompt_callback_target_data_op_emi ||
	       event == ompt_callback_target_submit_emi;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if (event >= MOST || (tells_once && is_emi(event)))
		return ompt_set_never;
	callbacks[event] = callback;
	return ompt_set_always;
}

static ompt_interface_fn_t look_up(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0 ? (ompt_interface_fn_t)set_callback : NULL;
}

#define CALL(event, ...)                                                                           \
	(callbacks[ompt_callback_##event]                                                          \
			? ((ompt_callback_##event##_t)callbacks[ompt_callback_##event])(           \
				  __VA_ARGS__)                                                     \
			: (void)0)

static void construct(ompt_target_t kind, ompt_scope_endpoint_t endpoint)
{
	ompt_data_t data = {0};

	CALL(target_emi, kind, endpoint, 0, &data, NULL, &data, __builtin_return_address(0));
	CALL(target, kind, endpoint, 0, &data, 1, __builtin_return_address(0));
}

static void data_operation(int kind, size_t bytes)
{
	static char x[1];
	ompt_data_t data = {0};
	ompt_id_t id = 0;

	CALL(target_data_op_emi, ompt_scope_begin, NULL, &data, &id, (ompt_target_data_op_t)kind, x,
		1, x, 0, bytes, x);
	CALL(target_data_op_emi, ompt_scope_end, NULL, &data, &id, (ompt_target_data_op_t)kind, x,
		1, x, 0, bytes, x);
	CALL(target_data_op, 1, 1, (ompt_target_data_op_t)kind, x, 1, x, 0, bytes, x);
}

static void kernel(unsigned nr_teams)
{
	ompt_data_t data = {0};
	ompt_id_t id = 0;

	CALL(target_submit_emi, ompt_scope_begin, &data, &id, nr_teams);
	CALL(target_submit_emi, ompt_scope_end, &data, &id, nr_teams);
	CALL(target_submit, 1, 1, nr_teams);
}

static void run(void)
{
	CALL(device_initialize, 0, "a device", NULL, look_up, NULL);
	for (int i = 0; i < 5; i++) {
		construct(ompt_target, ompt_scope_begin);
		data_operation(1, 4096);
		data_operation(2, 4096);
		kernel(8);
		data_operation(3, 1024);
		data_operation(4, 0);
		construct(ompt_target, ompt_scope_end);
	}
	/* what no version of the interface has; what ends and has never begun */
	construct((ompt_target_t)77, ompt_scope_begin);
	data_operation(77, 1);
	construct(ompt_target_update, ompt_scope_end);
}

int main(int argc, char **argv)
{
	ompt_start_tool_result_t *(*start)(unsigned, const char *);
	ompt_start_tool_result_t *tool;
	void *address = dlsym(RTLD_DEFAULT, "ompt_start_tool");

	(void)argv;
	tells_once = argc > 1;
	memcpy(&start, &address, sizeof(start));
	tool = start ? start(201811, "a run-time library") : NULL;
	printf("tool %s\n", tool && tool->initialize(look_up, 0, &tool->tool_data) ? "there" : "not there");
	run();
	return 0;
}
