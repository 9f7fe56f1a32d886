/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Plays a run-time library of OpenACC with a device, as it would call those who have registered:
 * transfers, allocations and launches, with places in the source. */
#include <acc_prof.h>
#include <stdio.h>

static acc_prof_callback callbacks[acc_ev_last];

/* The adapter looks for it in the program. */
__attribute__((visibility("default"))) void acc_prof_register(
	acc_event_t event, acc_prof_callback callback, acc_register_t how)
{
	(void)how;
	callbacks[event] = callback;
}

static void send(acc_event_t event, acc_construct_t construct, size_t bytes, int line)
{
	acc_prof_info prof = {.event_type = event,
		.valid_bytes = sizeof(prof),
		.device_type = acc_device_not_host,
		.async = acc_async_sync,
		.src_file = line ? "/home/somebody/heat.c" : NULL,
		.line_no = line};
	acc_event_info info = {.data_event = {.event_type = event,
				       .valid_bytes = sizeof(info.data_event),
				       .parent_construct = construct,
				       .bytes = bytes}};
	acc_api_info api = {.valid_bytes = sizeof(api)};

	if (callbacks[event])
		callbacks[event](&prof, &info, &api);
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		send(acc_ev_alloc, acc_construct_data, 8192, 0);
		send(acc_ev_enter_data_start, acc_construct_data, 0, 10);
		send(acc_ev_enqueue_upload_start, acc_construct_data, 4096, 10);
		send(acc_ev_enqueue_upload_end, acc_construct_data, 4096, 10);
		send(acc_ev_enter_data_end, acc_construct_data, 0, 10);
		send(acc_ev_compute_construct_start, acc_construct_parallel, 0, 12);
		send(acc_ev_enqueue_launch_start, acc_construct_parallel, 0, 12);
		send(acc_ev_enqueue_launch_end, acc_construct_parallel, 0, 12);
		send(acc_ev_compute_construct_end, acc_construct_parallel, 0, 12);
		send(acc_ev_enqueue_download_start, acc_construct_data, 1024, 14);
		send(acc_ev_enqueue_download_end, acc_construct_data, 1024, 14);
		send(acc_ev_free, acc_construct_data, 0, 0);
	}
	/* what no release of the interface has */
	send(acc_ev_update_start, (acc_construct_t)99, 0, 0);
	printf("callbacks %s\n", callbacks[acc_ev_wait_end] ? "there" : "not there");
	return 0;
}
