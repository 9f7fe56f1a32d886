/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes DIR/.parts as an interrupted run leaves it: one part that is finished, and one that is
 * not, in the hands of the process given by PID and START on HOST. Usage: make-parts DIR PID
 * START HOST. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "t_part.h"

static void record(struct t_part *part, uint64_t begin)
{
	uint64_t time = begin;

	T_JOURNAL(part, region, 0, "main", "main", "demo.c", 10, 20, 1, 2, 0);
	t_location(part, time);
	for (int i = 0; i < 30000; i++) {
		t_enter(part, 0, ++time, 0);
		t_leave(part, 0, ++time, 0);
	}
	t_enter(part, 0, ++time, 0);
}

int main(int nr_arguments, char **arguments)
{
	struct measure_def_process process = {"node", "node", 100, 1000, "/bin/demo", "", 1, "tsc",
		1e9, 1, 1000};
	struct measure_def_end end = {100000, MEASURE_END_EXITED, 0, ""};
	struct t_part part;
	FILE *owner;
	char path[512];

	if (nr_arguments != 5)
		return 2;
	t_part_begin(&part, arguments[1], "first.done", &process);
	record(&part, 1000);
	t_part_end(&part, &end);

	t_part_begin(&part, arguments[1], "second", &process);
	record(&part, 1000);
	t_part_end(&part, NULL);
	snprintf(path, sizeof(path), "%s/.parts/second/owner", arguments[1]);
	owner = fopen(path, "w");
	if (!owner)
		return 1;
	fprintf(owner, "%s %s %s\n", arguments[2], arguments[3], arguments[4]);
	return fclose(owner) != 0;
}
