/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at a run in progress again and again; see live_top.h. A look reads what the keepers have on
 * disk or in memory anyway, and disturbs neither them nor the program. */
#include "config.h"

#include "live_top.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/figures.h"
#include "base/printable.h"
#include "format/region_group.h"
#include "live_recent.h"
#include "live_run.h"

#define INTERRUPT      3 /* Ctrl-C, as a key */
#define WIDEST         42 /* name of a region */
#define MOST_PROCESSES 16 /* lines of them */

struct top_region {
	uint32_t id; /* of the unified definitions */
	uint64_t visits, ticks;
};

struct top_process {
	const struct live_process *process;
	uint64_t ticks, groups[MEASURE_NR_GROUPS];
	size_t nr_locations;
};

struct top {
	const struct live_run *run;
	struct top_region *regions; /* by id, until they are sorted */
	size_t nr_regions;
	MEASURE_ARRAY(struct top_process) processes;
	uint64_t ticks, outside, unknown, nr_events;
	double shortest; /* seconds that a location was looked at */
	size_t nr_locations;
};

/* ----------------------------------------------------------------------------- sums --- */

static enum measure_region_group group_of(const struct measure_otf2_region *region)
{
	return measure_region_group(region->paradigm, region->role);
}

static void add_region(struct top *top, struct top_process *sum, uint32_t local,
	const struct live_recent_region *region)
{
	const struct live_process *process = sum->process;
	const size_t index = (size_t)(process->place - top->run->job.processes.items);
	const measure_id_map_t *map = &top->run->unified.locals.items[index].regions;
	const uint32_t id = local < map->nr ? map->items[local] : UINT32_MAX;

	if (id >= top->nr_regions)
		return; /* defined after the journal was read */
	top->regions[id].visits += region->visits;
	top->regions[id].ticks += region->ticks;
	sum->groups[group_of(&top->run->unified.definitions.regions.items[id])] += region->ticks;
	sum->ticks += region->ticks;
}

static void add_recent(
	struct top *top, struct top_process *sum, const struct live_recent *recent, uint64_t until)
{
	const double seconds =
		(double)(until - recent->from) / (double)top->run->timeline.resolution;

	for (uint32_t i = 0; i < recent->regions.nr; i++)
		if (recent->regions.items[i].visits || recent->regions.items[i].ticks)
			add_region(top, sum, i, &recent->regions.items[i]);
	sum->groups[MEASURE_GROUP_OUTSIDE] += recent->outside;
	sum->ticks += recent->outside + recent->unknown;
	top->outside += recent->outside;
	top->unknown += recent->unknown;
	top->nr_events += recent->nr_events;
	if (seconds < top->shortest)
		top->shortest = seconds;
	sum->nr_locations++;
}

static measure_status_t add_process(struct top *top, struct live_process *process, double interval)
{
	const uint64_t back = (uint64_t)(interval * (double)top->run->timeline.resolution);
	const uint64_t from = process->now > back ? process->now - back : 0;
	struct top_process sum = {.process = process};
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < process->stacks.nr && status == MEASURE_OK; i++) {
		const struct measure_live_stack *stack = &process->stacks.items[i];
		struct live_recent recent;

		if (stack->nr_events == 0 || (stack->has_ended && stack->last_time < from))
			continue;
		status = live_recent_read(&process->live, i, stack, from, process->now, &recent);
		if (status == MEASURE_OK)
			add_recent(top, &sum, &recent, process->now);
		free(recent.regions.items);
	}
	top->ticks += sum.ticks;
	top->nr_locations += sum.nr_locations;
	return status == MEASURE_OK ? measure_array_push(&top->processes, sum) : status;
}

static measure_status_t sum_up(struct top *top, const struct live_run *run, double interval)
{
	measure_status_t status = MEASURE_OK;

	*top = (struct top){.run = run,
		.nr_regions = run->unified.definitions.regions.nr,
		.shortest = interval};
	top->regions = calloc(top->nr_regions + 1, sizeof(*top->regions));
	if (!top->regions)
		return MEASURE_ERROR_MEMORY;
	for (uint32_t i = 0; i < top->nr_regions; i++)
		top->regions[i].id = i;
	for (size_t i = 0; i < run->processes.nr && status == MEASURE_OK; i++)
		if (run->processes.items[i].state == LIVE_RUNNING && run->processes.items[i].place)
			status = add_process(top, &run->processes.items[i], interval);
	return status;
}

/* -------------------------------------------------------------------------- printing --- */

static int compare_top_regions(const void *left, const void *right)
{
	const struct top_region *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? 1 : -1;
	if (a->visits != b->visits)
		return a->visits < b->visits ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

static void print_head(const struct top *top, FILE *out)
{
	const struct live_run *run = top->run;
	char text[MEASURE_FIGURE_TEXT];

	fprintf(out, "%s: %u process%s, %zu location%s, last %s, %s events/s\n",
		MEASURE_PRINTABLE(run->directory), run->nr_states[LIVE_RUNNING],
		run->nr_states[LIVE_RUNNING] == 1 ? "" : "es", top->nr_locations,
		top->nr_locations == 1 ? "" : "s", measure_figure_seconds(top->shortest, text),
		measure_figure((
			uint64_t)(top->shortest > 0 ? (double)top->nr_events / top->shortest : 0)));
	if (run->nr_states[LIVE_ENDED] > 0)
		fprintf(out, "%u process%s ended\n", run->nr_states[LIVE_ENDED],
			run->nr_states[LIVE_ENDED] == 1 ? " has" : "es have");
	if (run->nr_states[LIVE_ELSEWHERE] > 0)
		fprintf(out, "%u process%s on other nodes: run measure-top there\n",
			run->nr_states[LIVE_ELSEWHERE],
			run->nr_states[LIVE_ELSEWHERE] == 1 ? " is" : "es are");
}

static void print_other(const struct top *top, uint64_t ticks, const char *name, FILE *out)
{
	if (ticks > 0)
		fprintf(out, "%5.1f %13s  %-7s  %s\n", percent(ticks, top->ticks), "", "", name);
}

/* Share of the time of all locations, and visits per second. */
static void print_regions(const struct top *top, size_t nr_rows, FILE *out)
{
	fprintf(out, "\n    %%      visits/s  group    region\n");
	for (size_t i = 0; i < top->nr_regions && i < nr_rows; i++) {
		const struct top_region *region = &top->regions[i];
		const struct measure_otf2_region *definition =
			&top->run->unified.definitions.regions.items[region->id];
		const char *name = MEASURE_PRINTABLE(live_string(top->run, definition->name));
		const size_t length = strlen(name);

		if (region->ticks == 0 && region->visits == 0)
			break;
		fprintf(out, "%5.1f %13s  %-7s  %s%s\n", percent(region->ticks, top->ticks),
			measure_figure((uint64_t)((double)region->visits / top->shortest + 0.5)),
			measure_group_words[group_of(definition)], length > WIDEST ? "..." : "",
			length > WIDEST ? name + length - WIDEST + 3 : name);
	}
	print_other(top, top->outside, "(no region)", out);
	print_other(top, top->unknown, "(unknown: changes too fast to be read)", out);
}

/* Other time without a region is not told apart here. */
static bool is_shown(int group)
{
	return group != MEASURE_GROUP_MEASUREMENT && group != MEASURE_GROUP_IDLE;
}

static void print_processes(const struct top *top, FILE *out)
{
	const bool has_ranks = top->run->job.worlds.nr > 0;

	fprintf(out, "\n");
	for (int group = 0; group < MEASURE_NR_GROUPS; group++)
		if (is_shown(group))
			fprintf(out, " %7s", measure_group_words[group]);
	fprintf(out, "  %% of its time\n");
	for (size_t i = 0; i < top->processes.nr && i < MOST_PROCESSES; i++) {
		const struct top_process *process = &top->processes.items[i];

		for (int group = 0; group < MEASURE_NR_GROUPS; group++)
			if (is_shown(group))
				fprintf(out, " %7.1f",
					percent(process->groups[group], process->ticks));
		fprintf(out, "  %s %u%s\n", has_ranks ? "rank" : "process",
			process->process->place->id,
			process->process->is_stopped ? " (stopped)" : "");
	}
	if (top->processes.nr > MOST_PROCESSES)
		fprintf(out, "  (%zu more)\n", top->processes.nr - MOST_PROCESSES);
}

static void print_top(struct top *top, const struct live_top_options *options, FILE *out)
{
	if (top->nr_regions > 0)
		qsort(top->regions, top->nr_regions, sizeof(*top->regions), compare_top_regions);
	if (options->is_terminal)
		fputs("\033[H\033[J", out);
	print_head(top, out);
	print_regions(top, options->nr_rows, out);
	print_processes(top, out);
	if (options->is_terminal)
		fputs("\nq: quit\n", out);
	fflush(out);
}

/* ----------------------------------------------------------------------------- looks --- */

enum look {
	LOOK_DONE,
	LOOK_OVER,      /* no process of the run is there any more */
	LOOK_ELSEWHERE, /* ... on this node */
	LOOK_FAILED
};

static enum look look(const char *directory, const struct live_top_options *options)
{
	struct live_run run;
	struct top top = {.regions = NULL};
	enum look result = LOOK_OVER;
	measure_status_t status;

	if (!live_run_open(&run, directory))
		return LOOK_OVER;
	status = live_run_look(&run);
	if (status == MEASURE_OK && run.nr_states[LIVE_RUNNING] > 0) {
		status = sum_up(&top, &run, options->interval);
		result = LOOK_DONE;
	}
	if (result == LOOK_OVER && run.nr_states[LIVE_ELSEWHERE] > 0)
		result = LOOK_ELSEWHERE;
	if (status != MEASURE_OK)
		result = LOOK_FAILED;
	else if (result == LOOK_DONE)
		print_top(&top, options, stdout);
	free(top.regions);
	free(top.processes.items);
	live_run_release(&run);
	if (result == LOOK_FAILED)
		measure_cli_say("%s: cannot inspect: %s", directory, measure_status_text(status));
	return result;
}

/* True: the user wants no more. */
static bool wait_or_quit(const struct live_top_options *options)
{
	struct pollfd input = {.fd = options->is_terminal ? STDIN_FILENO : -1, .events = POLLIN};
	char key = 0;

	if (poll(&input, 1, (int)(options->interval * 1000)) <= 0)
		return false;
	return read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q' || key == INTERRUPT;
}

static void say_nothing(const char *line)
{
	(void)line;
}

/* Keys are read without a line end, and not shown; Ctrl-C is one of them, so that the terminal is
 * as before at the end. */
static bool set_keys(struct termios *before)
{
	struct termios keys;

	if (tcgetattr(STDIN_FILENO, before) != 0)
		return false;
	keys = *before;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	return tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
}

enum measure_exit_code measure_live_top(
	const char *directory, const struct live_top_options *options)
{
	enum look result = look(directory, options);
	struct termios before;
	bool has_keys;

	if (result == LOOK_OVER)
		measure_cli_say("%s: no run in progress: if it is over, run measure-profile %s",
			directory, directory);
	else if (result == LOOK_ELSEWHERE)
		measure_cli_say(
			"%s: its processes are on other nodes: run measure-top there", directory);
	if (result == LOOK_OVER || result == LOOK_ELSEWHERE)
		return MEASURE_EXIT_CANNOT;
	if (options->is_once || result == LOOK_FAILED)
		return result == LOOK_DONE ? MEASURE_EXIT_DONE : MEASURE_EXIT_CANNOT;
	has_keys = options->is_terminal && set_keys(&before);
	measure_cli_redirect(say_nothing); /* of processes that end between two looks */
	while (result == LOOK_DONE && !wait_or_quit(options))
		result = look(directory, options);
	measure_cli_redirect(NULL);
	if (has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	if (result == LOOK_OVER || result == LOOK_ELSEWHERE)
		printf("%s: the run is over: measure-profile %s\n", directory, directory);
	return result == LOOK_FAILED ? MEASURE_EXIT_CANNOT : MEASURE_EXIT_DONE;
}
