/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A run that goes on, as JSON: every process and thread; see live_run.h. */
#include "config.h"

#include <stdio.h>

#include "analysis/rollcall/rollcall.h"
#include "cli/json_text.h"
#include "live_run.h"

static const char *const state_words[] = {"running", "ended", "elsewhere", "unreadable"};

static void print_frame(const struct live_run *run, const struct live_process *process,
	const struct measure_live_frame *frame)
{
	const struct measure_otf2_region *region = live_region(run, process, frame);

	printf("{\"region\": ");
	measure_json_text(stdout, region ? live_string(run, region->name) : "?");
	if (region && region->file) {
		printf(", \"file\": ");
		measure_json_text(stdout, live_string(run, region->file));
		printf(", \"line\": %u", region->begin_line);
	}
	printf(", \"seconds\": %.9f%s}", live_seconds(run, process, frame->time),
		frame->is_older ? ", \"is_longer\": true" : "");
}

static void print_stack(
	const struct live_run *run, const struct live_process *process, size_t location)
{
	const struct measure_live_stack *stack = &process->stacks.items[location];

	printf("%s\n      {\"thread\": %zu, \"events\": %llu, \"ended\": %s, \"read\": %s, "
	       "\"stack\": [",
		location ? "," : "", location, (unsigned long long)stack->nr_events,
		stack->has_ended ? "true" : "false", stack->is_moving ? "false" : "true");
	for (size_t i = 0; i < stack->frames.nr; i++) {
		fputs(i ? ", " : "", stdout);
		print_frame(run, process, &stack->frames.items[i]);
	}
	printf("]}");
}

static void print_process(const struct live_run *run, const struct live_process *process)
{
	const struct measure_process *place = process->place;

	printf("{\"part\": ");
	measure_json_text(stdout, process->entry->name);
	printf(", \"state\": \"%s\", \"host\": ",
		process->is_stopped ? "stopped" : state_words[process->state]);
	measure_json_text(stdout, process->entry->owner_host);
	if (place)
		printf(", \"%s\": %u, \"pid\": %lld",
			place->world == MEASURE_NO_ID ? "process" : "rank",
			place->world == MEASURE_NO_ID ? place->id : place->rank,
			(long long)place->part->process.pid);
	printf(", \"threads\": [");
	for (size_t i = 0; i < process->stacks.nr; i++)
		print_stack(run, process, i);
	printf("]}");
}

void live_print_json(const struct live_run *run, const struct measure_rollcall *call)
{
	printf("{\"directory\": ");
	measure_json_text(stdout, run->directory);
	printf(", \"processes\": [");
	for (size_t i = 0; i < run->processes.nr; i++) {
		fputs(i ? ",\n    " : "\n    ", stdout);
		print_process(run, &run->processes.items[i]);
	}
	printf("\n]");
	if (call) {
		printf(", \"roll_call\": ");
		measure_rollcall_print_json(call, stdout);
	}
	printf("}\n");
}
