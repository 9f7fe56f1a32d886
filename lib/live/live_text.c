/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A run that goes on, for people: equal stacks are told once; see live_run.h. First the threads of
 * a process with one stack come together, then the processes with equal threads. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rollcall/rollcall.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/printable.h"
#include "live_run.h"

typedef MEASURE_ARRAY(uint32_t) numbers_t;

/* Threads with one stack. */
struct live_text_group {
	const char *path;    /* "main > solve" */
	const char *threads; /* "0", "1-7" */
	numbers_t ranks;
	const struct live_process *process; /* an example */
	size_t location;
	size_t nr_frames;
	struct span {
		double least, most;
		bool is_longer;
	} * spans; /* by frame: how long it has been open */
};

struct live_text_texts {
	const struct live_run *run;
	struct measure_intern paths, keys;
	MEASURE_ARRAY(struct live_text_group) groups; /* by id in `keys` */
	measure_status_t status;
};

static void live_text_note(struct live_text_texts *texts, measure_status_t status)
{
	if (texts->status == MEASURE_OK)
		texts->status = status;
}

/* Sorted numbers as "0-3,5". */
static void write_numbers(FILE *out, const numbers_t *numbers)
{
	for (size_t i = 0; i < numbers->nr; i++) {
		size_t last = i;
		while (last + 1 < numbers->nr &&
			numbers->items[last + 1] <= numbers->items[last] + 1)
			last++;
		fprintf(out, "%s%u", i ? "," : "", numbers->items[i]);
		if (numbers->items[last] > numbers->items[i])
			fprintf(out, "-%u", numbers->items[last]);
		i = last;
	}
}

static void write_path(FILE *out, const struct live_text_texts *texts,
	const struct live_process *process, const struct measure_live_stack *stack)
{
	if (stack->is_moving)
		fprintf(out, "(changes too fast to be read)");
	else if (stack->frames.nr == 0)
		fprintf(out, "(no open region)");
	for (size_t i = 0; i < stack->frames.nr; i++) {
		const struct measure_otf2_region *region =
			live_region(texts->run, process, &stack->frames.items[i]);
		fprintf(out, "%s%s", i ? " > " : "",
			region ? MEASURE_PRINTABLE(live_string(texts->run, region->name)) : "?");
	}
}

/* An id for a text that somebody writes; 0 without memory. */
static uint32_t path_id(
	struct live_text_texts *texts, const struct live_process *process, size_t location)
{
	char *text = NULL;
	size_t size;
	uint32_t id = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		live_text_note(texts, MEASURE_ERROR_MEMORY);
		return 0;
	}
	write_path(out, texts, process, &process->stacks.items[location]);
	fclose(out);
	live_text_note(texts, measure_intern_put(&texts->paths, text, size + 1, &id, NULL));
	free(text);
	return id;
}

static void note_times(const struct live_text_texts *texts, struct live_text_group *group,
	const struct live_process *process, size_t location)
{
	const struct measure_live_stack *stack = &process->stacks.items[location];

	for (size_t i = 0; i < group->nr_frames && i < stack->frames.nr; i++) {
		double time = live_seconds(texts->run, process, stack->frames.items[i].time);
		struct span *span = &group->spans[i];
		span->least = time < span->least ? time : span->least;
		span->most = time > span->most ? time : span->most;
		span->is_longer |= stack->frames.items[i].is_older;
	}
}

/* The group of a path and threads; made where there is none yet. */
static struct live_text_group *find_group(struct live_text_texts *texts, uint32_t path,
	const char *threads, const struct live_process *process, size_t location)
{
	struct live_text_group group = {.process = process, .location = location};
	uint32_t id = 0;
	bool is_new = false;
	char *key = NULL;
	int size = asprintf(&key, "%u%s %s", path, process->is_stopped ? "s" : "", threads);

	if (size < 0) {
		live_text_note(texts, MEASURE_ERROR_MEMORY);
		return NULL;
	}
	live_text_note(
		texts, measure_intern_put(&texts->keys, key, (size_t)size + 1, &id, &is_new));
	free(key);
	if (is_new && texts->status == MEASURE_OK) {
		group.path = measure_intern_key(&texts->paths, path);
		group.threads = strchr(measure_intern_key(&texts->keys, id), ' ') + 1;
		group.nr_frames = process->stacks.items[location].frames.nr;
		group.spans = calloc(group.nr_frames + 1, sizeof(*group.spans));
		for (size_t i = 0; group.spans && i < group.nr_frames; i++)
			group.spans[i].least = 1e300;
		live_text_note(texts, group.spans ? measure_array_push(&texts->groups, group)
						  : MEASURE_ERROR_MEMORY);
	}
	return texts->status == MEASURE_OK ? &texts->groups.items[id] : NULL;
}

/* All threads of the process that stand as this one does. */
static void add_threads(struct live_text_texts *texts, const struct live_process *process,
	const uint32_t *paths, bool *are_told, size_t first)
{
	numbers_t threads = {NULL, 0, 0};
	char *text = NULL;
	size_t size;

	for (size_t i = first; i < process->stacks.nr; i++)
		if (!are_told[i] && paths[i] == paths[first])
			live_text_note(texts, measure_array_push(&threads, (uint32_t)i));
	FILE *out = open_memstream(&text, &size);
	if (out) {
		write_numbers(out, &threads);
		fclose(out);
	}
	struct live_text_group *group =
		out ? find_group(texts, paths[first], text, process, first) : NULL;
	for (size_t i = 0; group && i < threads.nr; i++) {
		are_told[threads.items[i]] = true;
		note_times(texts, group, process, threads.items[i]);
	}
	if (group)
		live_text_note(texts,
			measure_array_push(&group->ranks, process->place ? process->place->id : 0));
	free(text);
	free(threads.items);
}

static void add_process(struct live_text_texts *texts, const struct live_process *process)
{
	size_t nr = process->stacks.nr;
	uint32_t *paths = calloc(nr + 1, sizeof(*paths));
	bool *are_told = calloc(nr + 1, sizeof(*are_told));

	if (!paths || !are_told)
		live_text_note(texts, MEASURE_ERROR_MEMORY);
	for (size_t i = 0; i < nr && texts->status == MEASURE_OK; i++) {
		are_told[i] = process->stacks.items[i].has_ended;
		paths[i] = path_id(texts, process, i);
	}
	for (size_t i = 0; i < nr && texts->status == MEASURE_OK; i++)
		if (!are_told[i])
			add_threads(texts, process, paths, are_told, i);
	free(paths);
	free(are_told);
}

static void print_time(const struct span *span)
{
	printf("  %s%.1f", span->is_longer ? "more than " : "", span->least);
	if (span->most - span->least >= 0.1)
		printf(" to %.1f", span->most);
	printf(" s\n");
}

static void print_frames(const struct live_text_texts *texts, const struct live_text_group *group)
{
	const struct measure_live_stack *stack = &group->process->stacks.items[group->location];

	for (size_t i = 0; i < group->nr_frames; i++) {
		const struct measure_otf2_region *region =
			live_region(texts->run, group->process, &stack->frames.items[i]);
		const char *file = region ? live_string(texts->run, region->file) : "";
		char line[128] = "";
		if (file[0])
			snprintf(line, sizeof(line), "%s:%u",
				MEASURE_PRINTABLE(measure_base_name(file)), region->begin_line);
		printf("    %-28s  %-24s",
			region ? MEASURE_PRINTABLE(live_string(texts->run, region->name)) : "?",
			line);
		print_time(&group->spans[i]);
	}
}

static int live_text_compare(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void print_group(const struct live_text_texts *texts, struct live_text_group *group)
{
	bool has_ranks = texts->run->job.worlds.nr > 0;

	qsort(group->ranks.items, group->ranks.nr, sizeof(*group->ranks.items), live_text_compare);
	printf("\n%s%s ", has_ranks ? "rank" : "process",
		group->ranks.nr == 1 ? ""
		: has_ranks          ? "s"
				     : "es");
	write_numbers(stdout, &group->ranks);
	if (group->process->is_stopped)
		printf(" (stopped)");
	printf(", thread%s %s: %s\n", strpbrk(group->threads, ",-") ? "s" : "", group->threads,
		group->path);
	print_frames(texts, group);
}

/* Parts of one host lie side by side: their names begin with it. */
static void print_elsewhere(const struct live_run *run)
{
	for (size_t i = 0; i < run->processes.nr;) {
		const char *host = run->processes.items[i].entry->owner_host;
		size_t nr = 0;
		if (run->processes.items[i].state != LIVE_ELSEWHERE) {
			i++;
			continue;
		}
		for (; i < run->processes.nr && run->processes.items[i].state == LIVE_ELSEWHERE &&
			strcmp(run->processes.items[i].entry->owner_host, host) == 0;
			i++)
			nr++;
		printf("; running on %s: %zu", MEASURE_PRINTABLE(host), nr);
	}
}

static void print_head(const struct live_run *run)
{
	printf("%s: running here: %u", MEASURE_PRINTABLE(run->directory),
		run->nr_states[LIVE_RUNNING]);
	if (run->nr_stopped)
		printf(", of which stopped: %u", run->nr_stopped);
	if (run->nr_states[LIVE_ENDED])
		printf("; ended: %u", run->nr_states[LIVE_ENDED]);
	if (run->nr_states[LIVE_UNREADABLE])
		printf("; not accessible: %u", run->nr_states[LIVE_UNREADABLE]);
	print_elsewhere(run);
	putchar('\n');
}

void live_print_text(const struct live_run *run, const struct measure_rollcall *call)
{
	struct live_text_texts texts = {.run = run};

	print_head(run);
	if (call)
		measure_rollcall_print(call, stdout);
	for (size_t i = 0; i < run->processes.nr; i++)
		if (run->processes.items[i].state == LIVE_RUNNING)
			add_process(&texts, &run->processes.items[i]);
	for (size_t i = 0; i < texts.groups.nr; i++)
		print_group(&texts, &texts.groups.items[i]);
	if (texts.status != MEASURE_OK)
		measure_cli_say("%s: cannot print all processes: %s", run->directory,
			measure_status_text(texts.status));
	for (size_t i = 0; i < texts.groups.nr; i++) {
		free(texts.groups.items[i].ranks.items);
		free(texts.groups.items[i].spans);
	}
	free(texts.groups.items);
	measure_intern_free(&texts.paths);
	measure_intern_free(&texts.keys);
}
